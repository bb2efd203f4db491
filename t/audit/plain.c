/* plain.c: types that do not support the collector. */

#include "audit.h"

#include <stdlib.h>
#include <structmember.h>

static PyObject *
new_list(void)
{
    return audit_must(PyList_New(0));
}

struct plain {
    PyObject_HEAD
    PyObject *owned, *borrowed;
};

static void
plain_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    Py_XDECREF(((struct plain *)op)->owned);
    type->tp_free(op);
    if (PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE))
        Py_DECREF(type);
}

static PyMemberDef members[] = {
    {"owned", T_OBJECT, offsetof(struct plain, owned), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

#define PLAIN_TYPE(NAME)                                                      \
    static PyTypeObject NAME##_type = {                                       \
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "audit." #NAME,              \
        .tp_basicsize = sizeof(struct plain),                                 \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,                 \
        .tp_dealloc = plain_dealloc, .tp_members = members}

PLAIN_TYPE(NoSupport);
PLAIN_TYPE(Atom);

static struct plain *
new_plain(PyTypeObject *type)
{
    if (PyType_Ready(type) < 0)
        audit_must(NULL);
    return audit_keep(PyType_GenericAlloc(type, 0));
}

/* Each owns a list, and one that is part of a cycle. */
void
audit_no_support(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject *list = new_list();

        new_plain(&NoSupport_type)->owned = list;
        if (i % 2 == 0)
            PyList_Append(list, list);
    }
}

struct row {
    PyObject_VAR_HEAD
    PyObject *items[1];
};

static void
row_dealloc(PyObject *op)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++)
        Py_XDECREF(((struct row *)op)->items[i]);
    Py_TYPE(op)->tp_free(op);
}

static PyTypeObject PlainRow_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "audit.PlainRow",
    .tp_basicsize = offsetof(struct row, items),
    .tp_itemsize = sizeof(PyObject *),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = row_dealloc,
};

void
audit_no_support_of_items(void)
{
    if (PyType_Ready(&PlainRow_type) < 0)
        audit_must(NULL);
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct row *row = audit_keep(PyType_GenericAlloc(&PlainRow_type, 10));

        for (int k = 0; k < 10; k++)
            row->items[k] = new_list();
    }
}

/* What they own is no part of a cycle, mostly: a text, a tuple of numbers,
   their type, a class; what might be is not theirs. */
void
audit_atoms(void)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)plain_dealloc}, {0, NULL}};
    PyType_Spec spec = {"audit.HeapAtom", sizeof(struct plain), 0,
                        Py_TPFLAGS_DEFAULT, slots};
    PyTypeObject *type = audit_keep(PyType_FromSpec(&spec));

    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        PyObject *numbers = audit_must(Py_BuildValue("(ii)", i, i));

        PyObject_GC_UnTrack(numbers);
        new_plain(&Atom_type)->owned = numbers;
        new_plain(&Atom_type)->owned = PyUnicode_FromFormat("text %d", i);
        new_plain(&Atom_type)->owned = Py_NewRef(type);
        new_plain(&Atom_type)->borrowed = audit_keep(new_list());
        new_plain(type)->borrowed = audit_keep(new_list());
    }
}

/* Blocks that begin as an object does, whose type looks like one. */
void
audit_lookalikes(void)
{
    static PyTypeObject *type;

    type = audit_must(calloc(1, sizeof *type));
    *type = Atom_type;
    type->tp_name = (const char *)0x1e1;
    type->tp_mro = (PyObject *)0x1e1;
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        static struct plain *blocks[AUDIT_INSTANCES];

        blocks[i] = audit_must(malloc(sizeof **blocks));
        *blocks[i] = (struct plain){.owned = audit_keep(new_list())};
        blocks[i]->ob_base = (PyObject){.ob_refcnt = 1, .ob_type = type};
    }
}
