/* underway.c: with checks: the slots that are being called.  See
   underway.h. */

#include "Python.h"

#include "gc/fatal.h"
#include "gc/sidetable.h"
#include "gc/underway.h"
#include "gc/watching.h"

#include <stdio.h>

enum { NAME_BYTES = 64 };

/* One call, on the stack of who makes it.  A type may die with its object: its
   name is copied. */
struct call {
    struct call *outer;
    const PyObject *op;
    const char *slot;
    Py_ssize_t refcnt; /* before the call */
    int freed;
    char type[NAME_BYTES];
};

static struct call *innermost;

static const char dealloc[] = "tp_dealloc"; /* compared as an address */

/* Is tp_dealloc being called for op? */
static int
is_dying(const PyObject *op)
{
    for (struct call *call = innermost; call != NULL; call = call->outer)
        if (call->op == op && !call->freed && call->slot == dealloc)
            return 1;
    return 0;
}

static void
begin(struct call *call, PyObject *op, const char *slot)
{
    /* Other memory may be another object's by now. */
    if (slot == dealloc && pyb_sidetable_holds(op) && is_dying(op))
        pyb_fatal_type(slot, Py_TYPE(op)->tp_name, op,
                       "is called again while it is under way");
    call->outer = innermost;
    call->op = op;
    call->slot = slot;
    call->refcnt = op->ob_refcnt;
    call->freed = 0;
    snprintf(call->type, sizeof call->type, "%s", Py_TYPE(op)->tp_name);
    innermost = call;
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
        return "leaves its object tracked, to which nobody refers";
    return NULL;
}

/* Hosts run fibers: another call may have begun since, and go on. */
static void
end(const struct call *call)
{
    struct call **link = &innermost;
    const char *text = complaint(call);

    if (text != NULL)
        pyb_fatal_type(call->slot, call->type, call->op, "%s", text);
    while (*link != call)
        link = &(*link)->outer;
    *link = call->outer;
}

static void
run(PyObject *op, enum pyb_slot slot)
{
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
    struct call call;

    begin(&call, op, names[slot]);
    run(op, slot);
    end(&call);
}

static void
observe(PyObject *op, enum pyb_slot slot)
{
    void (*call)(PyObject *, enum pyb_slot) = pyb_checks ? run_checked : run;

    if (pyb_observers != NULL)
        pyb_observers->calling(op, slot, call);
    else
        call(op, slot);
}

void
pyb_underway_dealloc(PyObject *op)
{
    observe(op, PYB_SLOT_DEALLOC);
}

void
pyb_underway_finalize(PyObject *op)
{
    observe(op, PYB_SLOT_FINALIZE);
}

void
pyb_underway_clear(PyObject *op)
{
    observe(op, PYB_SLOT_CLEAR);
}

void
pyb_underway_freed(const void *op)
{
    for (struct call *call = innermost; call != NULL; call = call->outer)
        if (call->op == op)
            call->freed = 1;
}

const char *
pyb_underway_slot(const void *op)
{
    for (struct call *call = innermost; call != NULL; call = call->outer)
        if (call->op == op)
            return call->slot;
    return NULL;
}
