/* gc_shutdown.c: what is left in gc.garbage when the library ends is listed,
   if DEBUG_UNCOLLECTABLE is set. Manual: module gc, garbage;
   DEBUG_UNCOLLECTABLE. */

#include "oracle.h"

static PyObject *
repr(PyObject *op)
{
    return PyUnicode_FromString("<legacy>");
}

static PyTypeObject Legacy_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Legacy",
    .tp_base = &LegacyActor_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_repr = repr,
};

void
oracle_program(void)
{
    struct actor *a;

    need_ready(&LegacyActor_Type);
    need_ready(&Legacy_Type);
    a = actor_ring(&Legacy_Type, 1);
    Py_DECREF(a);
    collect();
    Py_DECREF(need(gc_call("set_debug", "(i)", 4)));
    say("and now the end");
}
