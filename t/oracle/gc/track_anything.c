/* track_anything.c: the questions may be asked of any object at all; which of
   the built-in objects are tracked from the start.
   Manual: "PyObject_GC_IsTracked", "PyObject_GC_IsFinalized". */

#include "oracle.h"

static void
tell(const char *label, PyObject *op)
{
    say("%s: container %d, tracked %d, finalized %d", label,
        PyObject_IS_GC(need(op)) != 0, PyObject_GC_IsTracked(op),
        PyObject_GC_IsFinalized(op));
}

/* The same, and gives the reference up. */
static void
tell_new(const char *label, PyObject *op)
{
    tell(label, op);
    Py_DECREF(op);
}

static void
atoms(void)
{
    tell("None", Py_None);
    tell("True", Py_True);
    tell("Ellipsis", Py_Ellipsis);
    tell("NotImplemented", Py_NotImplemented);
    tell_new("small int", PyLong_FromLong(1));
    tell_new("int", PyLong_FromLong(1234567890));
    tell_new("float", PyFloat_FromDouble(0.5));
    tell_new("complex", PyComplex_FromDoubles(1, 2));
    tell_new("str", PyUnicode_FromString("spam"));
    tell_new("bytes", PyBytes_FromString("spam"));
    tell_new("bytearray", PyByteArray_FromStringAndSize("spam", 4));
    tell_new("range",
             PyObject_CallFunction((PyObject *)&PyRange_Type, "i", 3));
    tell_new("capsule", PyCapsule_New(&PyRange_Type, NULL, NULL));
}

static void
containers(void)
{
    PyObject *list = need(PyList_New(0));
    PyObject *function = need(PyCFunction_New(&none_def, NULL));

    tell("list", list);
    tell("built-in function", function);
    tell_new("empty tuple", PyTuple_New(0));
    tell_new("tuple", PyTuple_Pack(1, Py_None));
    tell_new("empty dict", PyDict_New());
    tell_new("set", PySet_New(NULL));
    tell_new("frozenset", PyFrozenSet_New(NULL));
    tell_new("slice", PySlice_New(NULL, NULL, NULL));
    tell_new("cell", PyCell_New(NULL));
    tell_new("mappingproxy", PyDictProxy_New(PyImport_GetModuleDict()));
    tell_new("method", PyMethod_New(function, list));
    tell_new("iterator", PyObject_GetIter(list));
    tell_new("sequence iterator", PySeqIter_New(list));
    tell_new("callable iterator", PyCallIter_New(function, list));
    tell_new("module", PyModule_New("m"));
    tell_new("property", PyObject_CallNoArgs((PyObject *)&PyProperty_Type));
    tell_new("exception", PyObject_CallNoArgs(PyExc_KeyError));
    tell_new("weak reference", PyWeakref_NewRef(function, NULL));
    tell_new("proxy", PyWeakref_NewProxy(function, NULL));
    drop_all(function, list);
}

static void
types(void)
{
    tell("object", (PyObject *)&PyBaseObject_Type);
    tell("type", (PyObject *)&PyType_Type);
    tell("int", (PyObject *)&PyLong_Type);
    tell("static type", (PyObject *)&Actor_Type);
    tell_new("heap type",
             PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "Heap"));
    tell_new("plain object",
             PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type));
}

void
oracle_program(void)
{
    atoms();
    containers();
    types();
}
