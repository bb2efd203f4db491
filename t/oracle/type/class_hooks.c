/* class_hooks.c: __set_name__ of what stands in a new class's dictionary, and
   __init_subclass__ of its base: order, arguments, errors.
   Manual: "Type Objects", type(); "Customizing class creation". */

#include "oracle.h"

static PyObject *
set_name(PyObject *self, PyObject *args)
{
    PyObject *owner, *name;

    if (!PyArg_ParseTuple(args, "OO:__set_name__", &owner, &name))
        return NULL;
    say("%s is set as %s of %s", Py_TYPE(self)->tp_name,
        PyUnicode_AsUTF8(name), ((PyTypeObject *)owner)->tp_name);
    if (PyUnicode_CompareWithASCIIString(name, "bad") == 0)
        return PyErr_Format(PyExc_ValueError, "not this name");
    Py_RETURN_NONE;
}

static PyMethodDef name_methods[] = {
    {"__set_name__", set_name, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject Named = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Named",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = name_methods,
    .tp_new = PyType_GenericNew,
};

static PyObject *
init_subclass(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    say("%s: new subclass with %ld arguments", ((PyTypeObject *)cls)->tp_name,
        (long)PyTuple_GET_SIZE(args));
    if (kwargs != NULL)
        show_kept("    keywords", kwargs);
    if (kwargs != NULL && PyDict_GetItemString(kwargs, "fail") != NULL)
        return PyErr_Format(PyExc_ValueError, "no such subclass");
    Py_RETURN_NONE;
}

static PyMethodDef base_methods[] = {
    {"__init_subclass__", (PyCFunction)(void (*)(void))init_subclass,
     METH_VARARGS | METH_KEYWORDS | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject Base = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Base",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_methods = base_methods,
};

static PyObject *
make(PyObject *base, const char *name, PyObject *kwargs)
{
    PyObject *named = need(PyObject_CallNoArgs((PyObject *)&Named));
    PyObject *args = need(
        Py_BuildValue("s(O){sOsO}", "C", base, "first", named, name, named));
    PyObject *type = PyObject_Call((PyObject *)&PyType_Type, args, kwargs);

    drop_all(args, named);
    return type;
}

/* A cell in the dictionary of a class gets the class; a base that stands for
   others is refused. */
static void
cells(void)
{
    PyObject *cell = need(PyCell_New(NULL)), *type = (PyObject *)&PyType_Type;
    PyObject *list = (PyObject *)&PyList_Type;
    PyObject *made = need(
        PyObject_CallFunction(type, "s(){sO}", "C", "__classcell__", cell));

    RESULT(PyCell_Get(cell) == made);
    RESULT(PyObject_HasAttrString(made, "__classcell__"));
    SHOW(PyObject_CallFunction(type, "s(){si}", "C", "__classcell__", 5));
    SHOW(PyObject_CallFunction(type, "s(N){}", "C",
                               Py_GenericAlias(list, list)));
    SHOW(PyObject_CallFunction(type, "s(i){}", "C", 5));
    drop_all(cell, made);
}

void
oracle_program(void)
{
    PyObject *base = (PyObject *)&Base;
    PyObject *one = need(Py_BuildValue("{si}", "one", 1));
    PyObject *fail = need(Py_BuildValue("{si}", "fail", 1));
    PyObject *type;

    need_ready(&Named);
    need_ready(&Base);
    show("two names", make(base, "second", NULL));
    show("a keyword", make(base, "second", one));
    show("it fails", make(base, "second", fail));
    show("object takes none", make((PyObject *)&PyBaseObject_Type, "x", one));
    type = make(base, "bad", NULL);
    if (type != NULL)
        say("made");
    differs("since 3.12 the exception comes as it is, with a note",
            "ValueError: not this name",
            "RuntimeError: Error calling __set_name__ on 'oracle.Named' "
            "instance 'bad' in 'C'",
            error_text());
    SHOW(PyObject_CallMethod(base, "__init_subclass__", NULL));
    SHOW(PyObject_CallMethod((PyObject *)&PyBaseObject_Type,
                             "__init_subclass__", NULL));
    SHOW(PyObject_CallMethod((PyObject *)&PyBaseObject_Type,
                             "__init_subclass__", "i", 1));
    SHOW(PyObject_CallMethod(base, "__subclasshook__", NULL));
    SHOW(PyObject_CallMethod(base, "__subclasshook__", "i", 5));
    SHOW(PyObject_CallMethod(base, "__subclasshook__", "ii", 5, 6));
    drop_all(one, fail);
    cells();
    collect();
}
