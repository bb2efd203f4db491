/* gc_debug.c: the lines that each debug flag writes to standard error.
   Manual: module gc, set_debug, DEBUG_STATS, DEBUG_COLLECTABLE,
   DEBUG_UNCOLLECTABLE, DEBUG_LEAK. */

#include "oracle.h"

static void
garbage(PyTypeObject *type, int n)
{
    Py_DECREF(actor_ring(type, n));
}

static void
with_flags(int flags, PyTypeObject *type)
{
    say("flags %d, %s", flags, type->tp_name);
    Py_DECREF(need(gc_call("set_debug", "(i)", flags)));
    garbage(type, 2);
    stderr_begin();
    collect_generation(2);
    stderr_end();
    Py_DECREF(need(gc_call("set_debug", "(i)", 0)));
}

static void
constant(const char *name)
{
    PyObject *gc = need(PyImport_ImportModule("gc"));

    show(name, PyObject_GetAttrString(gc, name));
    Py_DECREF(gc);
}

void
oracle_program(void)
{
    PyObject *gc = need(PyImport_ImportModule("gc"));
    PyObject *list = need(PyObject_GetAttrString(gc, "garbage"));

    need_ready(&LegacyActor_Type);
    constant("DEBUG_STATS");
    constant("DEBUG_COLLECTABLE");
    constant("DEBUG_UNCOLLECTABLE");
    constant("DEBUG_SAVEALL");
    constant("DEBUG_LEAK");
    with_flags(2, &Actor_Type);
    with_flags(4, &Actor_Type);
    with_flags(0, &LegacyActor_Type);
    with_flags(2, &LegacyActor_Type);
    with_flags(4, &LegacyActor_Type);
    with_flags(6, &LegacyActor_Type);
    RESULT(PyList_Size(list));
    PyGC_Collect();
    with_flags(1, &Actor_Type);
    with_flags(3, &Actor_Type);
    with_flags(1 + 4, &LegacyActor_Type);
    RESULT(PyList_Size(list));
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        struct actor *a = (struct actor *)PyList_GetItem(list, i);

        a->name[0] = '\0'; /* their order does not matter */
        Py_CLEAR(a->refs[0]);
    }
    RESULT(PyList_SetSlice(list, 0, PyList_Size(list), NULL));
    drop_all(list, gc);
}
