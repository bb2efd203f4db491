/* visit_result.c: what a traverse function makes of its visitor's result: the
   collector does not care, searches do.
   Manual: "traverseproc": "that value should be returned immediately";
   Python's "gc": get_referrers, get_referents. */

#include "oracle.h"

/* Visits all, and loses the visitor's results. */
static int
losing_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct actor *self = (struct actor *)op;

    for (int i = 0; i < ACTOR_REFS; i++)
        if (self->refs[i] != NULL)
            visit(self->refs[i], arg);
    return 0;
}

/* Visits all, and returns something of its own. */
static int
odd_traverse(PyObject *op, visitproc visit, void *arg)
{
    losing_traverse(op, visit, arg);
    return 42;
}

static PyTypeObject Losing_Type = {
    ACTOR_TYPE("oracle.Losing", actor_dealloc, losing_traverse, actor_clear),
};

static PyTypeObject Odd_Type = {
    ACTOR_TYPE("oracle.Odd", actor_dealloc, odd_traverse, actor_clear),
};

static void
search(PyTypeObject *type)
{
    struct actor *a = actor_ring(type, 2);
    PyObject *target = need(PyList_New(0)), *found;

    say("%s:", type->tp_name);
    actor_set(a, 1, target);
    found = need(gc_call("get_referrers", "(O)", target));
    say("    %ld referrers of its member", (long)PyList_Size(found));
    Py_DECREF(found);
    found = need(gc_call("get_referrers", "(O)", type));
    say("    %ld referrers of the type", (long)PyList_Size(found));
    drop_all(found, target, a);
    collect();
}

/* Searches of what an object refers to: CPython's stops at the first result
   that is not zero, without an exception. */
static void
referents(PyTypeObject *type)
{
    struct actor *a = actor_new(type, "a");
    PyObject *found;

    actor_set(a, 0, Py_None);
    found = gc_call("get_referents", "(O)", a);
    if (type == &Odd_Type) {
        differs("tp_traverse may return what visit returned and nothing else: "
                "\"If visit returns a non-zero value, that value should be "
                "returned immediately\"",
                "found", "SystemError",
                found != NULL                               ? "found"
                : PyErr_ExceptionMatches(PyExc_SystemError) ? "SystemError"
                                                            : "another");
        PyErr_Clear();
        Py_XDECREF(found);
    } else {
        show("referents", found);
    }
    Py_DECREF(a);
}

void
oracle_program(void)
{
    PyTypeObject *types[] = {&Actor_Type, &Losing_Type, &Odd_Type};

    need_ready(&Losing_Type);
    need_ready(&Odd_Type);
    for (int i = 0; i < 3; i++) {
        search(types[i]);
        referents(types[i]);
    }
}
