/* recursion.c: the bounds on nested calls, and the guard that ends the repr of
   objects that contain themselves. */

#include "Python.h"

#include "object/recursion.h"

/* How deep calls may nest, and how much deeper while the RecursionError is
   being made, which takes a few calls itself. */
enum { LIMIT = 1000, HEADROOM = 50 };

/* Of the attached thread.  The objects whose repr is being made are in
   printing, innermost last; borrowed, as each of them is in use by its own
   tp_repr.  There is no memory when there are none. */
static struct pyb_recursion now;

void
pyb_recursion_exchange(struct pyb_recursion *other)
{
    struct pyb_recursion before = now;

    now = *other;
    *other = before;
}

static int
raise_error(const char *where, const char *why)
{
    now.raising = 1;
    PyErr_Format(PyExc_RecursionError, "maximum recursion depth exceeded%s%s",
                 where != NULL ? where : "", why);
    now.raising = 0;
    return -1;
}

/* While the error is being made, there is enough of the stack for that. */
int
pyb_recursion_has_stack(const char *where)
{
    if (_PyB_UNLIKELY(pyb_stackroom_is_short(&now.stack)) && !now.raising)
        return raise_error(where, ": the stack is nearly full");
    return 0;
}

int
Py_EnterRecursiveCall(const char *where)
{
    if (now.depth < LIMIT + (now.raising ? HEADROOM : 0)) {
        if (pyb_recursion_has_stack(where) < 0)
            return -1;
        now.depth++;
        return 0;
    }
    if (now.raising)
        Py_FatalError("Cannot recover from stack overflow.");
    return raise_error(where, "");
}

void
Py_LeaveRecursiveCall(void)
{
    now.depth--;
}

/* Makes now.room for one more.  0, or -1 with MemoryError. */
static int
printing_grow(void)
{
    Py_ssize_t wanted = now.room == 0 ? 8 : 2 * now.room;
    PyObject **grown = now.printing;

    if (PyMem_Resize(grown, PyObject *, wanted) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    now.printing = grown;
    now.room = wanted;
    return 0;
}

int
Py_ReprEnter(PyObject *op)
{
    for (Py_ssize_t i = now.nprinting; --i >= 0;)
        if (now.printing[i] == op)
            return 1;
    if (now.nprinting == now.room && printing_grow() < 0)
        return -1;
    now.printing[now.nprinting++] = op;
    return 0;
}

void
Py_ReprLeave(PyObject *op)
{
    Py_ssize_t i = now.nprinting;

    while (--i >= 0 && now.printing[i] != op)
        ;
    if (i < 0)
        return;
    now.nprinting--;
    memmove(&now.printing[i], &now.printing[i + 1],
            (size_t)(now.nprinting - i) * sizeof(*now.printing));
    if (now.nprinting == 0) {
        PyMem_Free(now.printing);
        now.printing = NULL;
        now.room = 0;
    }
}
