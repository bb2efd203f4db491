/* alloc_wrong_type.c: memory for containers is refused to types without the
   flag.
   Manual: "PyObject_GC_New": "with the Py_TPFLAGS_HAVE_GC flag set". */

#include "oracle.h"

static PyTypeObject Plain_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Plain",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

/* CPython 3.11 makes an object that neither collector nor PyObject_Free can
   take; it is left where it is. */
static const char *
refused(PyObject *op)
{
    if (op != NULL)
        return "an object";
    if (!PyErr_ExceptionMatches(PyExc_SystemError))
        return "another exception";
    PyErr_Clear();
    return "SystemError";
}

void
oracle_program(void)
{
    const char *why = "PyObject_GC_New: \"for container objects with the "
                      "Py_TPFLAGS_HAVE_GC flag set\"";

    need_ready(&Plain_Type);
    differs(why, "SystemError", "an object",
            refused(PyObject_GC_New(PyObject, &Plain_Type)));
    differs(why, "SystemError", "an object",
            refused((PyObject *)PyObject_GC_NewVar(PyObject, &Plain_Type, 0)));
    collect();
}
