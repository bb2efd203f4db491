/* getset.c: PyGetSetDef: getters and setters with their closures, what is
   missing, deletion, wrong objects, and the descriptor itself.
   Manual: "Common Object Structures", PyGetSetDef; "Descriptor Objects". */

#include "oracle.h"

static PyObject *
get(PyObject *op, void *closure)
{
    return PyUnicode_FromFormat("%s of %s", closure,
                                ((struct actor *)op)->name);
}

static int
set(PyObject *op, PyObject *value, void *closure)
{
    say("set %s of %s: %s", (char *)closure, ((struct actor *)op)->name,
        value == NULL ? "deleted" : PyUnicode_AsUTF8(value));
    return 0;
}

static PyObject *
get_fails(PyObject *op, void *closure)
{
    return PyErr_Format(PyExc_AttributeError, "no %s today", closure);
}

static int
set_fails(PyObject *op, PyObject *value, void *closure)
{
    PyErr_Format(PyExc_ValueError, "%s stays", closure);
    return -1;
}

static PyGetSetDef getset[] = {
    {"both", get, set, "Both.", "both"},
    {"get_only", get, NULL, NULL, "get_only"},
    {"set_only", NULL, set, NULL, "set_only"},
    {"fails", get_fails, set_fails, NULL, "fails"},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject WithGetSet = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.WithGetSet",
    .tp_base = &Actor_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_getset = getset,
};

static void
try(PyObject *op, const char *name)
{
    PyObject *text = PyUnicode_FromString("value");

    show(name, PyObject_GetAttrString(op, name));
    result("    set", PyObject_SetAttrString(op, name, text));
    result("    delete", PyObject_DelAttrString(op, name));
    result("    has", PyObject_HasAttrString(op, name));
    Py_DECREF(text);
}

static void
descriptor(PyObject *op)
{
    PyObject *type = (PyObject *)&WithGetSet;
    PyObject *d = need(PyObject_GetAttrString(type, "both"));
    descrgetfunc get_from = Py_TYPE(d)->tp_descr_get;
    descrsetfunc set_to = Py_TYPE(d)->tp_descr_set;

    show_kept("descriptor", d);
    SHOW(PyObject_GetAttrString(d, "__name__"));
    SHOW(PyObject_GetAttrString(d, "__doc__"));
    SHOW(PyObject_GetAttrString(d, "__objclass__"));
    SHOW(PyObject_GetAttrString(d, "__qualname__"));
    RESULT(PyDescr_IsData(d));
    differs("what a static type's dictionary has from its tables lives as "
            "long as the type: nothing is tracked",
            "0", "1", text("%d", PyObject_GC_IsTracked(d)));
    visits("descriptor", d);
    SHOW(get_from(d, op, type));
    SHOW(get_from(d, Py_None, type));
    SHOW(get_from(d, NULL, type));
    RESULT(set_to(d, Py_None, Py_None));
    RESULT(set_to(d, op, NULL));
    SHOW(PyObject_CallNoArgs(d));
    Py_DECREF(d);
}

void
oracle_program(void)
{
    PyObject *op;

    need_ready(&WithGetSet);
    op = (PyObject *)actor_new(&WithGetSet, "op");
    for (int i = 0; getset[i].name != NULL; i++)
        try(op, getset[i].name);
    SHOW(PyObject_GetAttrString(op, "unknown"));
    descriptor(op);
    Py_DECREF(op);
}
