/* metaclass.c: a metaclass made in C: what it adds to its classes, how it is
   found from the bases, conflicts, its tp_call; classes with their metaclass
   are collected as one.
   Manual: "Type Objects", PyType_Type, "Metaclasses"; tp_call. */

#include "oracle.h"

static PyObject *
meta_call(PyObject *type, PyObject *args, PyObject *kwargs)
{
    say("calling %s", ((PyTypeObject *)type)->tp_name);
    return PyType_Type.tp_call(type, args, kwargs);
}

static PyObject *
meta_new(PyTypeObject *meta, PyObject *args, PyObject *kwargs)
{
    PyObject *type = PyType_Type.tp_new(meta, args, kwargs);

    if (type != NULL)
        say("new class %s", ((PyTypeObject *)type)->tp_name);
    return type;
}

static PyObject *
meta_hello(PyObject *type, PyObject *noargs)
{
    return PyUnicode_FromFormat("hello from %s",
                                ((PyTypeObject *)type)->tp_name);
}

static PyMethodDef methods[] = {
    {"hello", meta_hello, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_base, NULL}, /* set below: an address of another library */
    {Py_tp_call, meta_call},  {Py_tp_new, meta_new},
    {Py_tp_methods, methods}, {0, NULL},
};

static PyType_Spec spec = {
    .name = "oracle.Meta",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};

static void
use(PyObject *meta)
{
    PyObject *a = need(PyObject_CallFunction(meta, "s(){si}", "A", "x", 1));
    PyObject *b = call_type(&PyType_Type, "s(O){}", "B", a);
    PyObject *op = need(PyObject_CallNoArgs(b));

    SHOW(PyObject_Type(a));
    SHOW(PyObject_Type(b));
    SHOW(PyObject_CallMethod(a, "hello", NULL));
    SHOW(PyObject_CallMethod(b, "hello", NULL));
    SHOW(PyObject_CallMethod(op, "hello", NULL));
    SHOW(PyObject_GetAttrString(b, "x"));
    SHOW(PyObject_CallMethod(meta, "mro", "O", b));
    RESULT(PyType_Check(b));
    RESULT(PyType_CheckExact(b));
    RESULT(PyObject_IsInstance(b, meta));
    RESULT(PyObject_GC_IsTracked(b));
    RESULT(PyType_IS_GC((PyTypeObject *)meta));
    RESULT(((PyTypeObject *)meta)->tp_basicsize == PyType_Type.tp_basicsize);
    drop_all(op, b, a);
}

static void
conflict(PyObject *meta)
{
    PyObject *other =
        call_type(&PyType_Type, "s(O){}", "Other", (PyObject *)&PyType_Type);
    PyObject *a = need(PyObject_CallFunction(meta, "s(){}", "A"));
    PyObject *b = need(PyObject_CallFunction(other, "s(){}", "B"));

    SHOW(
        PyObject_CallFunction((PyObject *)&PyType_Type, "s(OO){}", "C", a, b));
    SHOW(PyObject_CallFunction(meta, "s(O){}", "D", b));
    drop_all(a, b, other);
}

/* What mro() of a metaclass returns has to be an order of classes. */
static PyObject *order;

static PyObject *
mro(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(order);
}

static PyMethodDef mro_def = {"mro", mro, METH_NOARGS, NULL};

static void
orders(void)
{
    PyObject *method = need(PyDescr_NewMethod(&PyType_Type, &mro_def));
    PyObject *meta = call_type(&PyType_Type, "s(O){sO}", "Ordered",
                               (PyObject *)&PyType_Type, "mro", method);
    PyObject *answers[] = {Py_BuildValue("()"), Py_BuildValue("[]"),
                           Py_BuildValue("(i)", 1), Py_BuildValue("i", 1),
                           Py_BuildValue("(O)", (PyObject *)&PyList_Type)};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(answers); i++) {
        order = need(answers[i]);
        SHOW(PyObject_CallFunction(meta, "s(){}", "A"));
        Py_DECREF(order);
    }
    drop_all(method, meta);
}

void
oracle_program(void)
{
    PyObject *meta;

    slots[0].pfunc = &PyType_Type;
    meta = need(PyType_FromSpec(&spec));
    use(meta);
    collect();
    conflict(meta);
    collect();
    Py_DECREF(meta);
    collect();
    orders();
}
