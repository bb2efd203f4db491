/* type_ready_errors.c: types that PyType_Ready refuses.
   Manual: "Type Objects", PyType_Ready; tp_flags; "a type that has the flag
   Py_TPFLAGS_HAVE_GC must have a tp_traverse". */

#include "oracle.h"

#define TYPE(NAME, ...)                                                       \
    static PyTypeObject NAME = {PyVarObject_HEAD_INIT(NULL, 0).tp_name =      \
                                    "oracle." #NAME,                          \
                                __VA_ARGS__}

static PyObject *
call_any(PyObject *op, PyObject *args, PyObject *kwargs)
{
    Py_RETURN_NONE;
}

TYPE(NoTraverse, .tp_basicsize = sizeof(struct actor),
     .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC);
TYPE(Final, .tp_basicsize = sizeof(PyObject), .tp_flags = Py_TPFLAGS_DEFAULT);
TYPE(BelowFinal, .tp_base = &Final, .tp_flags = Py_TPFLAGS_DEFAULT);
TYPE(BelowBool, .tp_base = &PyBool_Type, .tp_flags = Py_TPFLAGS_DEFAULT);
TYPE(TooSmall, .tp_basicsize = 8, .tp_flags = Py_TPFLAGS_DEFAULT);
TYPE(Calls, .tp_basicsize = sizeof(PyObject),
     .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
     .tp_call = call_any, .tp_vectorcall_offset = 16);
TYPE(BothKinds, .tp_basicsize = sizeof(PyObject),
     .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_MAPPING |
                 Py_TPFLAGS_SEQUENCE);
static PyTypeObject Nameless = {PyVarObject_HEAD_INIT(NULL, 0).tp_basicsize =
                                    sizeof(PyObject),
                                .tp_flags = Py_TPFLAGS_DEFAULT};

static void
ready(const char *label, PyTypeObject *type)
{
    result(label, PyType_Ready(type));
    say("    is ready: %d", PyType_HasFeature(type, Py_TPFLAGS_READY) != 0);
}

static const char *
outcome(int status)
{
    static char line[256];

    snprintf(line, sizeof line, "%d, %s", status, error_text());
    return line;
}

#define READY(TYPE) ready(#TYPE, &TYPE)

void
oracle_program(void)
{
    READY(NoTraverse);
    READY(NoTraverse);
    NoTraverse.tp_traverse = actor_traverse;
    READY(NoTraverse);
    READY(Final);
    READY(BelowFinal);
    READY(BelowBool);
    READY(Nameless);
    differs("\"it is an error to enable both flags simultaneously\"; CPython "
            "up to 3.13 does not look, and the text is ours",
            "-1, SystemError: type oracle.BothKinds has both the "
            "Py_TPFLAGS_SEQUENCE and the Py_TPFLAGS_MAPPING flag",
            "0, no exception", outcome(PyType_Ready(&BothKinds)));
    READY(Calls);
    RESULT(PyType_IsSubtype(&BelowFinal, &Final));
    RESULT(PyType_IsSubtype(&Final, &PyBaseObject_Type));
    RESULT(PyType_IsSubtype(&PyBool_Type, &PyLong_Type));
    RESULT(PyType_IsSubtype(&PyLong_Type, &PyBool_Type));
    SHOW(PyObject_CallNoArgs((PyObject *)&Final));
    SHOW(PyObject_CallNoArgs((PyObject *)&PyBool_Type));
    differs("\"tp_basicsize must be greater than or equal to the base's "
            "tp_basicsize\"; CPython up to 3.13 looks in PyType_FromSpec "
            "only, and the text is from there",
            "-1, TypeError: tp_basicsize for type 'oracle.TooSmall' (8) is "
            "too small for base 'object' (16)",
            "0, no exception", outcome(PyType_Ready(&TooSmall)));
}
