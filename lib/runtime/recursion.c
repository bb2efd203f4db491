/* recursion.c: the bounds on nested calls, and the guard against endless reprs
   of objects that contain themselves. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "runtime/recursion.h"

/* The bound on nested calls, and the extra depth while the RecursionError is
   being made, which takes a few calls itself. */
enum { LIMIT = 1000, HEADROOM = 50 };

int pyb_recursion_limit = LIMIT;

/* The state of the attached thread.  printing has the objects with a tp_repr
   under way, innermost last; borrowed, since their tp_repr uses them.  No
   memory is allocated while there are none. */
struct pyb_recursion pyb_recursion;

void
pyb_recursion_exchange(struct pyb_recursion *other)
{
    struct pyb_recursion before = pyb_recursion;

    PYB_ASSERT(other->depth >= 0 && before.depth >= 0);
    PYB_ASSERT(other->nprinting >= 0 && other->nprinting <= other->room);
    PYB_ASSERT((other->printing != NULL) == (other->room > 0));
    pyb_recursion = *other;
    *other = before;
}

static int
raise_error(const char *where, const char *why)
{
    PYB_ASSERT(!pyb_recursion.raising);
    pyb_recursion.raising = 1;
    PyErr_Format(PyExc_RecursionError, "maximum recursion depth exceeded%s%s",
                 where != NULL ? where : "", why);
    pyb_recursion.raising = 0;
    return -1;
}

/* No error while one is being made; the rest of the stack suffices for
   that. */
int
pyb_recursion_has_stack(const char *where)
{
    if (_PyB_UNLIKELY(pyb_stacklimit_is_short(&pyb_recursion.stack)) &&
        !pyb_recursion.raising)
        return raise_error(where, ": the stack is nearly full");
    return 0;
}

int
Py_EnterRecursiveCall(const char *where)
{
    if (pyb_recursion.depth <
        pyb_recursion_limit + (pyb_recursion.raising ? HEADROOM : 0)) {
        if (pyb_recursion_has_stack(where) < 0)
            return -1;
        pyb_recursion.depth++;
        return 0;
    }
    if (pyb_recursion.raising)
        Py_FatalError("Cannot recover from stack overflow.");
    return raise_error(where, "");
}

int
_Py_CheckRecursiveCall(PyThreadState *Py_UNUSED(tstate), const char *where)
{
    return pyb_recursion_has_stack(where);
}

int
Py_GetRecursionLimit(void)
{
    return pyb_recursion_limit;
}

void
Py_SetRecursionLimit(int new_limit)
{
    pyb_recursion_limit = new_limit;
}

void
Py_LeaveRecursiveCall(void)
{
    pyb_recursion_leave();
}

/* Makes room for one more that is being printed.  0, or -1 with
   MemoryError. */
static int
printing_grow(void)
{
    Py_ssize_t wanted = pyb_recursion.room == 0 ? 8 : 2 * pyb_recursion.room;
    PyObject **grown = pyb_recursion.printing;

    PYB_ASSERT(pyb_recursion.nprinting == pyb_recursion.room);
    if (PyMem_Resize(grown, PyObject *, wanted) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    pyb_recursion.printing = grown;
    pyb_recursion.room = wanted;
    return 0;
}

int
Py_ReprEnter(PyObject *op)
{
    for (Py_ssize_t i = pyb_recursion.nprinting; --i >= 0;)
        if (pyb_recursion.printing[i] == op)
            return 1;
    if (pyb_recursion.nprinting == pyb_recursion.room && printing_grow() < 0)
        return -1;
    PYB_ASSERT(pyb_recursion.nprinting < pyb_recursion.room);
    pyb_recursion.printing[pyb_recursion.nprinting++] = op;
    return 0;
}

void
Py_ReprLeave(PyObject *op)
{
    Py_ssize_t i = pyb_recursion.nprinting;

    while (--i >= 0 && pyb_recursion.printing[i] != op)
        ;
    if (i < 0)
        return;
    pyb_recursion.nprinting--;
    memmove(&pyb_recursion.printing[i], &pyb_recursion.printing[i + 1],
            (size_t)(pyb_recursion.nprinting - i) *
                sizeof(*pyb_recursion.printing));
    if (pyb_recursion.nprinting == 0) {
        PyMem_Free(pyb_recursion.printing);
        pyb_recursion.printing = NULL;
        pyb_recursion.room = 0;
    }
}
