/* recursion.c: the bound on nested calls, and the guard that ends the repr of
   objects that contain themselves. */

#include "Python.h"

/* How deep calls may nest, and how much deeper while the RecursionError is
   being made, which takes a few calls itself. */
enum { LIMIT = 1000, HEADROOM = 50 };

static int depth;
static int raising;

int
Py_EnterRecursiveCall(const char *where)
{
    if (++depth <= LIMIT + (raising ? HEADROOM : 0))
        return 0;
    if (raising)
        Py_FatalError("Cannot recover from stack overflow.");
    raising = 1;
    PyErr_Format(PyExc_RecursionError, "maximum recursion depth exceeded%s",
                 where != NULL ? where : "");
    raising = 0;
    depth--;
    return -1;
}

void
Py_LeaveRecursiveCall(void)
{
    depth--;
}

/* The objects whose repr is being made, innermost last; borrowed, as each of
   them is in use by its own tp_repr.  There is no memory when there are
   none. */
static PyObject **printing;
static Py_ssize_t nprinting;
static Py_ssize_t room;

/* Makes room for one more.  0, or -1 with MemoryError. */
static int
printing_grow(void)
{
    Py_ssize_t wanted = room == 0 ? 8 : 2 * room;
    PyObject **grown = printing;

    if (PyMem_Resize(grown, PyObject *, wanted) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    printing = grown;
    room = wanted;
    return 0;
}

int
Py_ReprEnter(PyObject *op)
{
    for (Py_ssize_t i = nprinting; --i >= 0;)
        if (printing[i] == op)
            return 1;
    if (nprinting == room && printing_grow() < 0)
        return -1;
    printing[nprinting++] = op;
    return 0;
}

void
Py_ReprLeave(PyObject *op)
{
    Py_ssize_t i = nprinting;

    while (--i >= 0 && printing[i] != op)
        ;
    if (i < 0)
        return;
    nprinting--;
    memmove(&printing[i], &printing[i + 1],
            (size_t)(nprinting - i) * sizeof(*printing));
    if (nprinting == 0) {
        PyMem_Free(printing);
        printing = NULL;
        room = 0;
    }
}
