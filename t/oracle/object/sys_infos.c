/* sys_infos.c: sys.float_info, sys.int_info, sys.thread_info, and the
   functions that make them. */

#include "oracle.h"

static void
compare(const char *name, PyObject *made)
{
    PyObject *kept = need(PySys_GetObject(name));

    say("-- %s", name);
    show_kept("made", need(made));
    RESULT(Py_TYPE(made) == Py_TYPE(kept));
    RESULT(PyObject_RichCompareBool(made, kept, Py_EQ));
    show("name",
         PyObject_GetAttrString((PyObject *)Py_TYPE(made), "__module__"));
    show("fields",
         PyObject_GetAttrString((PyObject *)Py_TYPE(made), "n_fields"));
    show("names",
         PyObject_GetAttrString((PyObject *)Py_TYPE(made), "__match_args__"));
    Py_DECREF(made);
}

/* Those of which there is only one: a call makes no other. */
static void
only_one(const char *name)
{
    PyObject *kept = need(PySys_GetObject(name));
    PyObject *type = (PyObject *)Py_TYPE(kept);

    show_kept(name, type);
    SHOW(PyObject_CallNoArgs(type));
    SHOW(PyObject_CallFunction(type, "(ii)", 1, 2));
}

void
oracle_program(void)
{
    compare("float_info", PyFloat_GetInfo());
    compare("int_info", PyLong_GetInfo());
    compare("thread_info", PyThread_GetInfo());
    PyObject *info = need(PyFloat_GetInfo());
    SHOW(PyObject_GetAttrString(info, "epsilon"));
    SHOW(PyObject_GetAttrString(info, "radix"));
    RESULT(PyObject_SetAttrString(info, "radix", Py_None));
    Py_DECREF(info);
    only_one("flags");
    only_one("version_info");
}
