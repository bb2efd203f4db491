/* underway.c: with checks: the slots that are being called.  See
   underway.h. */

#include "Python.h"

#include "gc/fatal.h"
#include "gc/sidetable.h"
#include "gc/underway.h"

#include <stdio.h>
#include <string.h>

enum {
    CALLS = 128, /* nested deeper they go unseen */
    NAME_BYTES = 64
};

static struct call {
    const PyObject *op;
    const char *slot;
    int freed;
    char type[NAME_BYTES];
} calls[CALLS];
static size_t depth;

static const char dealloc[] = "tp_dealloc";

/* The innermost call for an object. */
static struct call *
find(const void *op)
{
    for (size_t i = Py_MIN(depth, CALLS); i-- > 0;)
        if (calls[i].op == op)
            return &calls[i];
    return NULL;
}

/* Is tp_dealloc being called for op? */
static int
is_dying(const PyObject *op)
{
    for (size_t i = 0; i < Py_MIN(depth, CALLS); i++)
        if (calls[i].op == op && !calls[i].freed && calls[i].slot == dealloc)
            return 1;
    return 0;
}

void
pyb_underway_begin(PyObject *op, const char *slot)
{
    if (strcmp(slot, dealloc) == 0) {
        slot = dealloc;
        /* Other memory may be another object's by now. */
        if (pyb_sidetable_holds(op) && is_dying(op))
            pyb_fatal_type(slot, Py_TYPE(op)->tp_name, op,
                           "is called again while it is under way");
    }
    if (depth++ >= CALLS)
        return;
    struct call *call = &calls[depth - 1];
    call->op = op;
    call->slot = slot;
    call->freed = 0;
    snprintf(call->type, sizeof call->type, "%s", Py_TYPE(op)->tp_name);
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
    if (call->slot != dealloc && op->ob_refcnt <= 0)
        return "gives up references that it does not own";
    if (call->slot == dealloc && op->ob_refcnt == 0 &&
        PyObject_GC_IsTracked(op))
        return "leaves its object tracked, to which nobody refers";
    return NULL;
}

void
pyb_underway_end(void)
{
    if (--depth >= CALLS)
        return;
    const char *text = complaint(&calls[depth]);
    if (text != NULL)
        pyb_fatal_type(calls[depth].slot, calls[depth].type, calls[depth].op,
                       "%s", text);
}

void
pyb_underway_freed(const void *op)
{
    for (size_t i = 0; i < Py_MIN(depth, CALLS); i++)
        if (calls[i].op == op)
            calls[i].freed = 1;
}

const char *
pyb_underway_slot(const void *op)
{
    const struct call *call = find(op);

    return call != NULL ? call->slot : NULL;
}
