/* recursion.c: the bounds on nested calls, and the guard against endless reprs
   of objects that contain themselves. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "runtime/recursion.h"

/* The bound on nested calls, and the extra depth while the RecursionError is
   being made, which takes a few calls itself. */
enum { LIMIT = 1000, HEADROOM = 50 };

static int limit = LIMIT;

/* The state of the attached thread.  printing has the objects with a tp_repr
   under way, innermost last; borrowed, since their tp_repr uses them.  No
   memory is allocated while there are none. */
static struct pyb_recursion now;

void
pyb_recursion_exchange(struct pyb_recursion *other)
{
    struct pyb_recursion before = now;

    PYB_ASSERT(other->depth >= 0 && before.depth >= 0);
    PYB_ASSERT(other->nprinting >= 0 && other->nprinting <= other->room);
    PYB_ASSERT((other->printing != NULL) == (other->room > 0));
    now = *other;
    *other = before;
}

static int
raise_error(const char *where, const char *why)
{
    PYB_ASSERT(!now.raising);
    now.raising = 1;
    PyErr_Format(PyExc_RecursionError, "maximum recursion depth exceeded%s%s",
                 where != NULL ? where : "", why);
    now.raising = 0;
    return -1;
}

/* No error while one is being made; the rest of the stack suffices for
   that. */
int
pyb_recursion_has_stack(const char *where)
{
    if (_PyB_UNLIKELY(pyb_stacklimit_is_short(&now.stack)) && !now.raising)
        return raise_error(where, ": the stack is nearly full");
    return 0;
}

int
Py_EnterRecursiveCall(const char *where)
{
    if (now.depth < limit + (now.raising ? HEADROOM : 0)) {
        if (pyb_recursion_has_stack(where) < 0)
            return -1;
        now.depth++;
        return 0;
    }
    if (now.raising)
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
    return limit;
}

void
Py_SetRecursionLimit(int new_limit)
{
    limit = new_limit;
}

void
Py_LeaveRecursiveCall(void)
{
    PYB_ASSERT(now.depth > 0); /* there was a Py_EnterRecursiveCall */
    now.depth--;
}

/* Makes room in now.printing for one more.  0, or -1 with MemoryError. */
static int
printing_grow(void)
{
    Py_ssize_t wanted = now.room == 0 ? 8 : 2 * now.room;
    PyObject **grown = now.printing;

    PYB_ASSERT(now.nprinting == now.room);
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
    PYB_ASSERT(now.nprinting < now.room);
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
