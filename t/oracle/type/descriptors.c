/* descriptors.c: properties, class methods, static methods and bound methods,
   made from C and used through attributes.
   Manual: "Descriptor Objects"; "Method Objects"; property(). */

#include "oracle.h"

static PyObject *
tell(PyObject *self, PyObject *args)
{
    PyObject *repr = need(PyObject_Repr(PyTuple_GetItem(args, 0)));

    say("    called with %ld, first %s", (long)PyTuple_GET_SIZE(args),
        PyUnicode_AsUTF8(repr));
    Py_DECREF(repr);
    return PyLong_FromSsize_t(PyTuple_GET_SIZE(args));
}

static PyMethodDef tell_def = {"tell", tell, METH_VARARGS, "What it tells."};

static PyObject *
named_class(PyObject *value)
{
    return call_type(&PyType_Type, "s(){sO}", "C", "attr", value);
}

static void
property(PyObject *function)
{
    PyObject *full = need(PyObject_CallFunction(
        (PyObject *)&PyProperty_Type, "OOO", function, function, function));
    PyObject *empty = need(PyObject_CallNoArgs((PyObject *)&PyProperty_Type));
    PyObject *type = named_class(empty), *fget, *op;

    SHOW(PyObject_GetAttrString(full, "__doc__"));
    fget = need(PyObject_GetAttrString(full, "fget"));
    RESULT(fget == function);
    Py_DECREF(fget);
    SHOW(PyObject_GetAttrString(empty, "fset"));
    RESULT(PyObject_SetAttrString(empty, "fget", function));
    RESULT(PyDescr_IsData(empty));
    RESULT(PyObject_GC_IsTracked(empty));
    SHOW(PyObject_CallFunction((PyObject *)&PyProperty_Type, "iiiii", 1, 2, 3,
                               4, 5));
    op = need(PyObject_CallNoArgs(type));
    SHOW(PyObject_GetAttrString(op, "attr"));
    RESULT(PyObject_SetAttrString(op, "attr", Py_None));
    RESULT(PyObject_DelAttrString(op, "attr"));
    drop_all(op, full, empty, type);
}

static void
wrapped(const char *label, PyObject *wrapper)
{
    PyObject *type = named_class(wrapper),
             *op = need(PyObject_CallNoArgs(type));
    PyObject *direct;

    say("%s", label);
    show("    of the class", PyObject_CallMethod(type, "attr", "i", 1));
    show("    of an object", PyObject_CallMethod(op, "attr", "i", 1));
    direct = PyObject_GetAttrString(wrapper, "__func__");
    result("    __func__", direct != NULL);
    Py_XDECREF(direct);
    show("    __wrapped__",
         PyObject_Type(need(PyObject_GetAttrString(wrapper, "__wrapped__"))));
    show("    __name__", PyObject_GetAttrString(wrapper, "__name__"));
    show("    itself called", PyObject_CallFunction(wrapper, "i", 1));
    result("    tracked", PyObject_GC_IsTracked(wrapper));
    result("    is data", PyDescr_IsData(wrapper));
    drop_all(op, type, wrapper);
}

static void
bound(PyObject *function)
{
    PyObject *number = PyLong_FromLong(5);
    PyObject *method = need(PyMethod_New(function, number));

    RESULT(PyMethod_Function(method) == function);
    RESULT(PyMethod_Self(method) == number);
    SHOW(PyObject_CallFunction(method, "i", 6));
    SHOW(PyMethod_New(function, NULL));
    RESULT(PyObject_GC_IsTracked(method));
    SHOW(PyObject_GetAttrString(method, "__doc__"));
    SHOW(PyObject_GetAttrString(method, "__name__"));
    drop_all(method, number);
}

void
oracle_program(void)
{
    PyObject *function = need(PyCFunction_New(&tell_def, NULL));

    property(function);
    wrapped("class method", need(PyClassMethod_New(function)));
    wrapped("static method", need(PyStaticMethod_New(function)));
    bound(function);
    SHOW(PyObject_GetAttrString(function, "__self__"));
    SHOW(PyObject_GetAttrString(function, "__module__"));
    Py_DECREF(function);
    collect();
}
