/* visit_dict_offset.c: a type with a dict at tp_dictoffset owns it: its
   traverse and clear functions see to it.
   Manual: "Type Objects": "tp_dictoffset"; "Traversal". */

#include "oracle.h"

struct holder {
    PyObject_HEAD
    PyObject *dict;
};

static int
holder_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct holder *)op)->dict);
    return 0;
}

static int
hiding_traverse(PyObject *op, visitproc visit, void *arg)
{
    return 0;
}

static int
holder_clear(PyObject *op)
{
    event(Py_TYPE(op)->tp_name, "clear");
    Py_CLEAR(((struct holder *)op)->dict);
    return 0;
}

static void
holder_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    event(Py_TYPE(op)->tp_name, "dealloc");
    Py_XDECREF(((struct holder *)op)->dict);
    PyObject_GC_Del(op);
}

#define HOLDER_SLOTS                                                          \
    .tp_basicsize = sizeof(struct holder),                                    \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,                      \
    .tp_dictoffset = offsetof(struct holder, dict),                           \
    .tp_dealloc = holder_dealloc, .tp_clear = holder_clear,                   \
    .tp_getattro = PyObject_GenericGetAttr,                                   \
    .tp_setattro = PyObject_GenericSetAttr

static PyTypeObject Holder_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Holder",
    HOLDER_SLOTS,
    .tp_traverse = holder_traverse,
};

static PyTypeObject Hiding_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Hiding",
    HOLDER_SLOTS,
    .tp_traverse = hiding_traverse,
};

static void
attributes(PyTypeObject *type)
{
    struct holder *op = need(PyType_GenericAlloc(type, 0));
    PyObject *value = (PyObject *)actor_new(&Actor_Type, "value");

    say("%s:", type->tp_name);
    visits("new", (PyObject *)op);
    show("attribute", PyObject_GetAttrString((PyObject *)op, "x"));
    say("has a dict: %d", op->dict != NULL);
    PyObject_SetAttrString((PyObject *)op, "x", value);
    say("has a dict: %d", op->dict != NULL);
    visits("with an attribute", (PyObject *)op);
    state("dict", op->dict);
    state("value", value);
    Py_DECREF(value);
    PyObject_SetAttrString((PyObject *)op, "x", (PyObject *)op);
    Py_DECREF(op);
    collect();
    collect();
}

static void
get_and_set(void)
{
    PyObject *op = need(PyType_GenericAlloc(&Holder_Type, 0));
    PyObject *mine = need(Py_BuildValue("{si}", "y", 5));
    PyObject *dict = need(PyObject_GenericGetDict(op, NULL));

    state("made by PyObject_GenericGetDict", dict);
    Py_DECREF(dict);
    say("set: %d", PyObject_GenericSetDict(op, mine, NULL));
    show("y", PyObject_GetAttrString(op, "y"));
    state("mine", mine);
    say("set to an int: %d", PyObject_GenericSetDict(op, Py_None, NULL));
    error();
    say("deleted: %d", PyObject_GenericSetDict(op, NULL, NULL));
    error();
    drop_all(mine, op);
}

void
oracle_program(void)
{
    need_ready(&Holder_Type);
    need_ready(&Hiding_Type);
    attributes(&Holder_Type);
    get_and_set();
    attributes(&Hiding_Type); /* leaks */
}
