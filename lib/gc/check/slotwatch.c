/* slotwatch.c: with checks: the slots that are being called.  See
   slotwatch.h. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/slotwatch.h"
#include "gc/control.h"
#include "gc/heap/pool.h"
#include "gc/heap/sidetable.h"

#include <pthread.h>
#include <stdio.h>

enum { NAME_BYTES = 64 };

/* One call; in the pool and not in a frame, since a jump may end the frame
   while the record is still on the list.  A type
   may die with its object: its name is copied. */
struct call {
    struct call *outer;
    unsigned long number; /* no other call's, ever */
    pthread_t thread;
    const PyObject *op;
    const char *slot;
    Py_ssize_t refcnt; /* before the call */
    int freed;
    char type[NAME_BYTES];
};

static struct pyb_pool calls = PYB_POOL(struct call);
static struct call *current;
static unsigned long last_number;

static const char dealloc[] = "tp_dealloc"; /* compared as an address */

int
pyb_slotwatch_is_dying(const PyObject *op)
{
    for (struct call *call = current; call != NULL; call = call->outer)
        if (call->op == op && !call->freed && call->slot == dealloc)
            return 1;
    return 0;
}

/* NULL without room. */
static struct call *
begin(PyObject *op, const char *slot)
{
    struct call *call;

    PYB_ASSERT(op != NULL && slot != NULL);
    /* Other memory may be another object's by now. */
    if (slot == dealloc && pyb_sidetable_holds(op) &&
        pyb_slotwatch_is_dying(op))
        pyb_fatal_type(slot, Py_TYPE(op)->tp_name, op,
                       "is called again while it is under way");
    call = pyb_pool_take(&calls);
    if (call == NULL)
        return NULL;
    PYB_ASSERT(call != current);
    call->outer = current;
    call->number = ++last_number;
    call->thread = pthread_self();
    call->op = op;
    call->slot = slot;
    call->refcnt = op->ob_refcnt;
    call->freed = 0;
    snprintf(call->type, sizeof call->type, "%s", Py_TYPE(op)->tp_name);
    current = call;
    return call;
}

/* What is wrong with an object after a slot's call; NULL: nothing.  Memory
   that is not ours may be gone. */
static const char *
complaint(const struct call *call)
{
    PyObject *op = (PyObject *)(uintptr_t)call->op;

    if (call->slot != dealloc && call->freed)
        return "frees its object";
    if (call->freed || !pyb_sidetable_holds(op))
        return NULL;
    if (call->slot != dealloc && call->refcnt > 0 && op->ob_refcnt <= 0)
        return "gives up references that it does not own";
    if (call->slot == dealloc && op->ob_refcnt == 0 &&
        PyObject_GC_IsTracked(op))
        return "leaves its object tracked, to which nothing refers";
    return NULL;
}

/* Hosts run fibers: another call may have begun since, and go on. */
static void
end(struct call *call, unsigned long number)
{
    struct call **link = &current;
    const char *text;

    while (*link != NULL && *link != call)
        link = &(*link)->outer;
    if (*link == NULL || call->number != number)
        return; /* it was given up */
    text = complaint(call);

    if (text != NULL)
        pyb_fatal_type(call->slot, call->type, call->op, "%s", text);
    PYB_ASSERT(*link == call && call->slot != NULL);
    *link = call->outer;
    pyb_pool_give(&calls, call);
}

static void
run(PyObject *op, enum pyb_slot slot)
{
    PYB_ASSERT(Py_TYPE(op) != NULL);
    switch (slot) {
    case PYB_SLOT_DEALLOC:
        Py_TYPE(op)->tp_dealloc(op);
        break;
    case PYB_SLOT_FINALIZE:
        Py_TYPE(op)->tp_finalize(op);
        break;
    case PYB_SLOT_CLEAR:
        Py_TYPE(op)->tp_clear(op);
        break;
    }
}

static void
run_checked(PyObject *op, enum pyb_slot slot)
{
    static const char *const names[] = {
        [PYB_SLOT_DEALLOC] = dealloc,
        [PYB_SLOT_FINALIZE] = "tp_finalize",
        [PYB_SLOT_CLEAR] = "tp_clear",
    };
    struct call *call = begin(op, names[slot]);
    unsigned long number = call != NULL ? call->number : 0;

    run(op, slot);
    if (call != NULL)
        end(call, number);
}

static void
call_slot(PyObject *op, enum pyb_slot slot)
{
    void (*call)(PyObject *, enum pyb_slot) = pyb_checks ? run_checked : run;

    if (pyb_control.audit)
        pyb_events->calling(op, slot, call);
    else
        call(op, slot);
}

void
pyb_slotwatch_dealloc(PyObject *op)
{
    call_slot(op, PYB_SLOT_DEALLOC);
}

void
pyb_slotwatch_finalize(PyObject *op)
{
    call_slot(op, PYB_SLOT_FINALIZE);
}

void
pyb_slotwatch_clear(PyObject *op)
{
    call_slot(op, PYB_SLOT_CLEAR);
}

void
pyb_slotwatch_freed(const void *op)
{
    PYB_ASSERT(op != NULL);
    for (struct call *call = current; call != NULL; call = call->outer)
        if (call->op == op)
            call->freed = 1;
}

void
pyb_slotwatch_abandon(void)
{
    while (current != NULL) {
        struct call *call = current;

        PYB_ASSERT(call->op != NULL && call->number <= last_number);
        current = call->outer;
        pyb_pool_give(&calls, call);
    }
    if (pyb_control.audit)
        pyb_events->left();
}

const char *
pyb_slotwatch_slot(const void *op)
{
    for (struct call *call = current; call != NULL; call = call->outer)
        if (call->op == op)
            return call->slot;
    return NULL;
}

const char *
pyb_slotwatch_innermost(const PyObject **op, const char **type)
{
    if (current == NULL || !pthread_equal(current->thread, pthread_self()))
        return NULL;
    PYB_ASSERT(current->op != NULL && current->slot != NULL);
    *op = current->op;
    *type = current->type;
    return current->slot;
}
