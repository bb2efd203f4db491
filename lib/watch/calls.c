/* calls.c: the calls of tp_dealloc, tp_finalize and tp_clear.  See calls.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/condemned.h"
#include "gc/debug.h"
#include "gc/heap.h"
#include "gc/inspect.h"
#include "gc/upcalls.h"
#include "watch/calls.h"
#include "watch/tally.h"

/* One call, on the stack of who makes it. */
struct call {
    struct call *outer;
    PyObject *op;
    enum pyb_slot slot;
    struct pyb_tally *tally; /* of the type that has the slot */
    struct pyb_tally *own;   /* of the object's */
    Py_ssize_t refcnt;       /* before the call */
    int container;           /* in memory that stays ours */
    int raised;              /* an exception was set before */
    int robbed;              /* it referred to what has no reference before */
    int excused;             /* of what an inner call did with it */
    int freed;
    int freed_tracked;
    int freed_owned;
    int exposed; /* a collection could have seen the object */
};

static struct call *innermost;

static int
is_raised(void)
{
    return *pyb_upcalls.pending != NULL;
}

static int
visit_uncounted(PyObject *op, void *Py_UNUSED(arg))
{
    return op->ob_refcnt <= 0;
}

/* Does a container refer to what has no reference? */
static int
is_robbed(PyObject *op)
{
    traverseproc traverse = Py_TYPE(op)->tp_traverse;

    return PyObject_GC_IsTracked(op) && traverse != NULL &&
           traverse(op, visit_uncounted, NULL);
}

/* ------------------------------------------------------------------ */
/* What happens meanwhile                                              */

/* The call of a tp_dealloc that is under way for op; NULL: there is none. */
static struct call *
dealloc_of(const PyObject *op)
{
    struct call *call = innermost;

    while (call != NULL && (call->op != op || call->slot != PYB_SLOT_DEALLOC))
        call = call->outer;
    return call;
}

int
pyb_calls_is_dying(const PyObject *op)
{
    return dealloc_of(op) != NULL;
}

/* An object without references that is tracked would be garbage to CPython,
   whose collector would deallocate it once more. */
void
pyb_calls_may_collect(void)
{
    for (struct call *call = innermost; call != NULL; call = call->outer)
        if (call->slot == PYB_SLOT_DEALLOC && call->container &&
            !call->freed && call->op->ob_refcnt == 0 &&
            PyObject_GC_IsTracked(call->op))
            call->exposed = 1;
}

/* Another one, while those are there that a free list would have given. */
void
pyb_calls_made(PyObject *op)
{
    struct pyb_tally *tally = pyb_tally_of(Py_TYPE(op));

    if (tally != NULL && tally->unfreed > 0)
        tally->made_since++;
}

static int
freed_again(const PyObject *op)
{
    struct call *call = dealloc_of(op);

    if (call == NULL || !call->freed || call->tally == NULL)
        return 0;
    pyb_tally_fault(call->tally, PYB_FAULT_FREES_TWICE);
    return 1;
}

int
pyb_calls_deleting(PyObject *op)
{
    int tracked;

    if (pyb_block_is_free(op)) {
        if (!freed_again(op))
            pyb_inspect_complain(PYB_DEAD_FREED, op);
        return 0;
    }
    tracked = PyObject_GC_IsTracked(op);
    for (struct call *call = innermost; call != NULL; call = call->outer)
        if (call->op == op && !call->freed) {
            call->freed = 1;
            call->freed_tracked = tracked;
            call->freed_owned = op->ob_refcnt != 0 && op->ob_refcnt != 1;
        }
    if (PyType_Check(op))
        pyb_tally_forget((PyTypeObject *)op);
    return 1;
}

void
pyb_calls_freeing(PyObject *op)
{
    struct call *call = dealloc_of(op);

    if (call != NULL && call->tally != NULL && !call->freed)
        pyb_tally_fault(call->tally, PYB_FAULT_FREES_PLAINLY);
}

/* ------------------------------------------------------------------ */
/* What is left behind                                                 */

/* Has the call done something to the exception?  Those around it have not. */
static int
is_to_blame(const struct call *call)
{
    if (call->excused || is_raised() == call->raised)
        return 0;
    for (struct call *outer = call->outer; outer != NULL; outer = outer->outer)
        outer->excused = 1;
    return 1;
}

static void
judge_error(const struct call *call)
{
    static const enum pyb_fault raises[PYB_SLOTS] = {
        [PYB_SLOT_DEALLOC] = PYB_FAULT_DEALLOC_RAISES,
        [PYB_SLOT_FINALIZE] = PYB_FAULT_FINALIZE_RAISES,
        [PYB_SLOT_CLEAR] = PYB_FAULT_CLEAR_RAISES,
    };
    static const enum pyb_fault loses[PYB_SLOTS] = {
        [PYB_SLOT_DEALLOC] = PYB_FAULT_DEALLOC_LOSES,
        [PYB_SLOT_FINALIZE] = PYB_FAULT_FINALIZE_LOSES,
        [PYB_SLOT_CLEAR] = PYB_FAULT_CLEAR_LOSES,
    };

    if (is_to_blame(call))
        pyb_tally_fault(call->tally,
                        call->raised ? loses[call->slot] : raises[call->slot]);
}

/* One that is put off, or resurrected, has another count. */
static void
judge_dealloc(const struct call *call)
{
    if (call->freed_tracked)
        pyb_tally_fault(call->tally, PYB_FAULT_FREES_TRACKED);
    else if (call->exposed)
        pyb_tally_fault(call->tally, PYB_FAULT_COLLECTS_TRACKED);
    if (call->freed_owned)
        pyb_tally_fault(call->tally, PYB_FAULT_FREES_OWNED);
    if (call->freed || call->op->ob_refcnt != 0)
        return;
    if (PyObject_GC_IsTracked(call->op))
        pyb_tally_fault(call->tally, PYB_FAULT_LEAVES_TRACKED);
    else
        call->own->unfreed++;
}

/* What it refers to is its own: before it was finalized each had a count. */
static int
gives_up(const struct call *call)
{
    return call->refcnt > 0 && (call->op->ob_refcnt <= 0 ||
                                (call->slot == PYB_SLOT_FINALIZE &&
                                 !call->robbed && is_robbed(call->op)));
}

/* Of tp_finalize and tp_clear: who calls them has a reference, but for a
   tp_dealloc that calls a finalizer without one. */
static void
judge_object(const struct call *call, enum pyb_fault frees,
             enum pyb_fault gives)
{
    if (call->freed)
        pyb_tally_fault(call->tally, frees);
    else if (gives_up(call))
        pyb_tally_fault(call->tally, gives);
}

static void
judge(const struct call *call)
{
    judge_error(call);
    if (!call->container)
        return;
    switch (call->slot) {
    case PYB_SLOT_DEALLOC:
        judge_dealloc(call);
        break;
    case PYB_SLOT_FINALIZE:
        judge_object(call, PYB_FAULT_FINALIZE_FREES, PYB_FAULT_FINALIZE_GIVES);
        break;
    case PYB_SLOT_CLEAR:
        judge_object(call, PYB_FAULT_CLEAR_FREES, PYB_FAULT_CLEAR_GIVES);
        break;
    }
}

/* ------------------------------------------------------------------ */
/* The call                                                            */

/* Is an object finalized since nobody can reach it?  A program may call a
   finalizer itself.  Of an adopted object it is Boehm that decides whether it
   comes back; with DEBUG_SAVEALL all do. */
static int
is_last_farewell(const struct call *call)
{
    return call->slot == PYB_SLOT_FINALIZE && call->container &&
           !pyb_debug_has(PyBoehm_GC_DEBUG_SAVEALL) &&
           !pyb_is_adopted(call->op) &&
           (pyb_condemned_contains(call->op) || dealloc_of(call->op) != NULL);
}

static void
begin(struct call *call, PyObject *op, enum pyb_slot slot)
{
    *call = (struct call){
        .outer = innermost,
        .op = op,
        .slot = slot,
        .tally = pyb_tally_use(pyb_tally_of_slot(Py_TYPE(op), slot)),
        .own = pyb_tally_use(pyb_tally_of(Py_TYPE(op))),
        .refcnt = op->ob_refcnt,
        .container = pyb_sidetable_holds(op),
        .raised = is_raised(),
        .robbed = slot == PYB_SLOT_FINALIZE && is_robbed(op)};
    innermost = call;
    if (call->tally == NULL)
        return;
    call->tally->calls[slot]++;
    call->tally->finalized += is_last_farewell(call);
}

/* Hosts run fibers: another call may have begun since, and go on. */
static void
end(const struct call *call)
{
    struct call **link = &innermost;

    while (*link != call)
        link = &(*link)->outer;
    *link = call->outer;
    if (call->tally != NULL && call->own != NULL)
        judge(call);
    pyb_tally_leave(call->tally);
    pyb_tally_leave(call->own);
}

void
pyb_calls_calling(PyObject *op, enum pyb_slot slot,
                  void (*run)(PyObject *op, enum pyb_slot slot))
{
    struct call call;

    begin(&call, op, slot);
    run(op, slot);
    end(&call);
}
