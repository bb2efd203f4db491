/* unions.c: types.UnionType: int | str.  Manual: Python's library, "Union
   Type". */

#include "oracle.h"

static PyObject *
or_of(void *a, void *b)
{
    return PyNumber_Or((PyObject *)a, (PyObject *)b);
}

static void
made(PyObject *alias)
{
    PyObject *both = need(or_of(&PyLong_Type, &PyUnicode_Type));
    PyObject *more = need(or_of(&PyUnicode_Type, &PyBytes_Type));
    PyObject *same = need(
        Py_GenericAlias((PyObject *)&PyList_Type, (PyObject *)&PyLong_Type));

    SHOW(or_of(&PyLong_Type, Py_None));
    SHOW(or_of(Py_None, &PyLong_Type));
    SHOW(or_of(&PyLong_Type, &PyLong_Type));
    SHOW(or_of(both, &PyLong_Type));
    SHOW(or_of(both, &PyFloat_Type));
    SHOW(or_of(&PyFloat_Type, both));
    SHOW(or_of(both, more));
    SHOW(or_of(both, Py_None));
    SHOW(or_of(&PyLong_Type, alias));
    SHOW(or_of(alias, Py_None));
    SHOW(or_of(alias, same));
    SHOW(or_of(&PyLong_Type, Py_True));
    SHOW(or_of(Py_True, &PyLong_Type));
    SHOW(or_of(both, Py_True));
    SHOW(or_of(Py_Ellipsis, both));
    SHOW(or_of(Py_None, Py_None));
    SHOW(PyObject_GetAttrString(both, "__args__"));
    SHOW(PyObject_GetAttrString(both, "__parameters__"));
    SHOW(PyObject_GetAttrString(both, "__origin__"));
    SHOW(PyObject_GetAttrString(both, "__module__"));
    SHOW(PyObject_GetAttrString((PyObject *)Py_TYPE(both), "__module__"));
    SHOW(PyObject_CallNoArgs(both));
    SHOW(PyObject_CallNoArgs((PyObject *)Py_TYPE(both)));
    SHOW(PyObject_GetItem(both, Py_None));
    SHOW(PyObject_CallMethod((PyObject *)&PyType_Type, "__or__", "OO",
                             &PyLong_Type, &PyFloat_Type));
    SHOW(PyObject_CallMethod((PyObject *)&PyType_Type, "__ror__", "OO",
                             &PyLong_Type, &PyFloat_Type));
    SHOW(PyObject_CallMethod((PyObject *)&PyType_Type, "__or__", "Oi",
                             &PyLong_Type, 3));
    result("tracked", PyObject_GC_IsTracked(both));
    drop_all(both, more, same);
}

static void
compared(void)
{
    PyObject *a = need(or_of(&PyLong_Type, &PyUnicode_Type));
    PyObject *b = need(or_of(&PyUnicode_Type, &PyLong_Type));
    PyObject *c = need(or_of(&PyUnicode_Type, &PyFloat_Type));

    SHOW(PyObject_RichCompare(a, b, Py_EQ));
    SHOW(PyObject_RichCompare(a, b, Py_NE));
    SHOW(PyObject_RichCompare(a, c, Py_EQ));
    SHOW(PyObject_RichCompare(a, c, Py_NE));
    SHOW(PyObject_RichCompare(a, b, Py_LT));
    SHOW(PyObject_RichCompare(a, (PyObject *)&PyLong_Type, Py_EQ));
    result("same hash", PyObject_Hash(a) == PyObject_Hash(b));
    drop_all(a, b, c);
}

static void
tested(PyObject *alias)
{
    PyObject *both = need(or_of(&PyLong_Type, Py_None));
    PyObject *with_alias = need(or_of(alias, &PyLong_Type));
    PyObject *before_alias = need(or_of(&PyLong_Type, alias));
    PyObject *one = need(PyLong_FromLong(1));
    PyObject *in_tuple = need(PyTuple_Pack(2, &PyFloat_Type, both));

    RESULT(PyObject_IsInstance(one, both));
    RESULT(PyObject_IsInstance(Py_None, both));
    RESULT(PyObject_IsInstance(in_tuple, both));
    RESULT(PyObject_IsInstance(one, in_tuple));
    RESULT(PyObject_IsInstance(one, with_alias));
    RESULT(PyObject_IsInstance(one, before_alias));
    RESULT(PyObject_IsInstance(Py_None, before_alias));
    RESULT(PyObject_IsSubclass((PyObject *)&PyBool_Type, before_alias));
    RESULT(PyObject_IsSubclass((PyObject *)&PyFloat_Type, before_alias));
    RESULT(PyObject_IsSubclass(alias, both));
    RESULT(PyObject_IsSubclass(alias, (PyObject *)&PyList_Type));
    RESULT(PyObject_IsSubclass(both, both));
    RESULT(PyObject_IsSubclass((PyObject *)&PyBool_Type, both));
    RESULT(PyObject_IsSubclass((PyObject *)&PyFloat_Type, both));
    RESULT(PyObject_IsSubclass((PyObject *)&PyBool_Type, with_alias));
    RESULT(PyObject_IsSubclass(one, both));
    drop_all(both, with_alias, before_alias, one, in_tuple);
}

static PyObject *
own_or(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(other))
{
    return PyUnicode_FromString("own");
}

/* A metaclass has its own idea. */
static void
metaclass(void)
{
    PyType_Slot slots[] = {{Py_nb_or, own_or}, {0, NULL}};
    PyType_Spec spec = {"meta.Meta", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *meta =
        need(PyType_FromSpecWithBases(&spec, (PyObject *)&PyType_Type));
    PyObject *cls = need(
        PyObject_CallFunction(meta, "s(){ss}", "C", "__module__", "shop"));

    SHOW(or_of(cls, &PyLong_Type));
    SHOW(or_of(&PyLong_Type, cls));
    drop_all(cls, meta);
    cls = call_type(&PyType_Type, "s(){ss}", "C", "__module__", "shop");
    SHOW(or_of(cls, Py_None));
    Py_DECREF(cls);
}

void
oracle_program(void)
{
    PyObject *alias = need(
        Py_GenericAlias((PyObject *)&PyList_Type, (PyObject *)&PyLong_Type));
    PyObject *type = need(PyImport_ImportModule("types"));
    PyObject *name = need(PyObject_GetAttrString(type, "UnionType"));
    PyObject *both = need(or_of(&PyLong_Type, Py_None));

    result("its type", (PyObject *)Py_TYPE(both) == name);
    show_kept("its name", name);
    drop_all(both, name, type);
    made(alias);
    compared();
    tested(alias);
    metaclass();
    Py_DECREF(alias);
}
