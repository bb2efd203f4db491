/* calls.c: the calls of tp_dealloc, tp_finalize and tp_clear.  See calls.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/check/inspect.h"
#include "gc/debug.h"
#include "gc/heap/heap.h"
#include "gc/heap/pool.h"
#include "watch/audit/calls.h"
#include "watch/audit/tally.h"

/* One call.  The record is in the pool and not in a frame, since a longjmp may
   end the frame while the record is on the list. */
struct call {
    struct call *outer;
    unsigned long number; /* unique in the process */
    PyObject *op;
    enum pyb_slot slot;
    struct pyb_tally *tally; /* of the type that defines the slot */
    struct pyb_tally *own;   /* of the object's type */
    Py_ssize_t refcnt;       /* before the call */
    int container;           /* its memory is in the side table, and stays
                                mapped */
    int raised;              /* an exception was set before the call */
    int robbed;              /* before the call it referred to an object with a
                                count of 0 */
    int excused;             /* an inner call has set or lost the exception */
    int freed;
    int freed_twice;
    int freed_tracked;
    int freed_owned;
    int freed_referred;
    int exposed; /* a collection could have seen the object */
};

static struct pyb_pool calls = PYB_POOL(struct call);
static struct call *current;
static unsigned long last_number;

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

/* Does a container refer to an object without references? */
static int
is_robbed(PyObject *op)
{
    traverseproc traverse = Py_TYPE(op)->tp_traverse;

    return PyObject_GC_IsTracked(op) && traverse != NULL &&
           traverse(op, visit_uncounted, NULL);
}

/* ------------------------------------------------------------------ */
/* Events during a call                                                */

/* The call of a tp_dealloc that is under way for op; NULL if there is none. */
static struct call *
dealloc_of(const PyObject *op)
{
    struct call *call = current;

    while (call != NULL && (call->op != op || call->slot != PYB_SLOT_DEALLOC))
        call = call->outer;
    return call;
}

int
pyb_calls_is_dying(const PyObject *op)
{
    return dealloc_of(op) != NULL;
}

/* An object that is tracked and has no references is garbage to CPython: its
   collector would deallocate it a second time. */
void
pyb_calls_may_collect(void)
{
    for (struct call *call = current; call != NULL; call = call->outer)
        if (call->slot == PYB_SLOT_DEALLOC && call->container &&
            !call->freed && call->op->ob_refcnt == 0 &&
            PyObject_GC_IsTracked(call->op))
            call->exposed = 1;
}

/* Counts new objects of a type while objects that its tp_dealloc did not free
   exist: a free list would have supplied those instead. */
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
    PYB_ASSERT_OBJECT(pyb_block_is_free(op), op);
    if (!call->freed_twice) /* one fault, however often */
        pyb_tally_fault(call->tally, PYB_FAULT_FREES_TWICE);
    call->freed_twice = 1;
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
    for (struct call *call = current; call != NULL; call = call->outer)
        if (call->op == op && !call->freed) {
            call->freed = 1;
            call->freed_tracked = tracked;
            call->freed_owned = op->ob_refcnt != 0 && op->ob_refcnt != 1;
            call->freed_referred = pyb_inspect_is_weakly_referenced(op);
        }
    if (pyb_inspect_is_weakly_referenced(op))
        pyb_upcalls.weakref_clear_dead(op); /* the program goes on */
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
/* The state after a call                                              */

/* Has the call set or lost the exception?  If so, the calls around it are
   excused. */
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

/* The object of a deallocation that was deferred, or that resurrected it, has
   another count than 0. */
static void
judge_dealloc(const struct call *call)
{
    PYB_ASSERT(call->slot == PYB_SLOT_DEALLOC && call->own != NULL &&
               call->tally != NULL);
    if (call->freed_tracked)
        pyb_tally_fault(call->tally, PYB_FAULT_FREES_TRACKED);
    else if (call->exposed)
        pyb_tally_fault(call->tally, PYB_FAULT_COLLECTS_TRACKED);
    if (call->freed_owned)
        pyb_tally_fault(call->tally, PYB_FAULT_FREES_OWNED);
    if (call->freed_referred)
        pyb_tally_fault(call->tally, PYB_FAULT_FREES_REFERRED);
    if (call->freed || call->op->ob_refcnt != 0)
        return;
    if (PyObject_GC_IsTracked(call->op))
        pyb_tally_fault(call->tally, PYB_FAULT_LEAVES_TRACKED);
    else
        call->own->unfreed++;
}

/* Has the call given up a reference that does not belong to it?  The objects
   that this object refers to had a count before its finalizer ran. */
static int
gives_up(const struct call *call)
{
    return call->refcnt > 0 && (call->op->ob_refcnt <= 0 ||
                                (call->slot == PYB_SLOT_FINALIZE &&
                                 !call->robbed && is_robbed(call->op)));
}

/* For tp_finalize and tp_clear.  The caller holds a reference to the object,
   except for a tp_dealloc that calls a finalizer without one. */
static void
judge_object(const struct call *call, enum pyb_fault frees,
             enum pyb_fault gives)
{
    PYB_ASSERT(call->slot != PYB_SLOT_DEALLOC && call->tally != NULL);
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

/* Is an object finalized because it is unreachable?  (A program may also call
   a finalizer itself.)  Adopted objects do not count, since Boehm decides
   whether they come back; nor does DEBUG_SAVEALL, where all objects do. */
static int
is_last_farewell(const struct call *call)
{
    return call->slot == PYB_SLOT_FINALIZE && call->container &&
           !pyb_debug_has(PyBoehm_GC_DEBUG_SAVEALL) &&
           !pyb_is_adopted(call->op) &&
           (pyb_is_condemned(call->op) || dealloc_of(call->op) != NULL);
}

/* Opens a record; NULL if there is no memory. */
static struct call *
begin(PyObject *op, enum pyb_slot slot)
{
    struct call *call = pyb_pool_take(&calls);

    PYB_ASSERT_OBJECT((unsigned)slot < PYB_SLOTS && Py_TYPE(op) != NULL, op);
    if (call == NULL)
        return NULL;
    *call = (struct call){
        .outer = current,
        .number = ++last_number,
        .op = op,
        .slot = slot,
        .tally = pyb_tally_use(pyb_tally_of_slot(Py_TYPE(op), slot)),
        .own = pyb_tally_use(pyb_tally_of(Py_TYPE(op))),
        .refcnt = op->ob_refcnt,
        .container = pyb_sidetable_holds(op),
        .raised = is_raised(),
        .robbed = slot == PYB_SLOT_FINALIZE && is_robbed(op)};
    current = call;
    if (call->tally != NULL) {
        call->tally->calls[slot]++;
        call->tally->finalized += is_last_farewell(call);
    }
    return call;
}

/* Closes a record.  Hosts run fibers, so a call that began later may still be
   under way. */
static void
end(struct call *call, unsigned long number)
{
    struct call **link = &current;

    PYB_ASSERT(number != 0 && number <= last_number);
    while (*link != NULL && *link != call)
        link = &(*link)->outer;
    if (*link == NULL || call->number != number)
        return; /* the record was abandoned */
    PYB_ASSERT((unsigned)call->slot < PYB_SLOTS);
    *link = call->outer;
    if (call->tally != NULL && call->own != NULL)
        judge(call);
    pyb_tally_leave(call->tally);
    pyb_tally_leave(call->own);
    pyb_pool_give(&calls, call);
}

/* Drops all records, without a judgement of their calls. */
void
pyb_calls_abandon(void)
{
    while (current != NULL) {
        struct call *call = current;

        current = call->outer;
        pyb_tally_leave(call->tally);
        pyb_tally_leave(call->own);
        pyb_pool_give(&calls, call);
    }
}

void
pyb_calls_calling(PyObject *op, enum pyb_slot slot,
                  void (*run)(PyObject *op, enum pyb_slot slot))
{
    struct call *call = begin(op, slot);
    unsigned long number = call != NULL ? call->number : 0;

    run(op, slot);
    if (call != NULL)
        end(call, number);
}
