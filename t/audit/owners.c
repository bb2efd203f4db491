/* owners.c: types that borrow from owners that are hard to see. */

#include "audit.h"

#include <stdint.h>

struct link {
    struct link *next;
};

/* A list of the program's runs through its objects, and owns them. */
struct linked {
    struct part part;
    struct link link;
};

static PyTypeObject Linked_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "audit.Linked",
    .tp_basicsize = sizeof(struct linked),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = part_dealloc,
    .tp_traverse = part_traverse,
    .tp_clear = part_clear,
};

AUDIT_TYPE(Inmate, part_traverse, 0, .tp_doc = "");

void
audit_owners_inside(void)
{
    static struct link *volatile first;

    if (PyType_Ready(&Linked_type) < 0)
        audit_must(NULL);
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct linked *linked =
            audit_must(PyType_GenericAlloc(&Linked_type, 0));

        linked->link.next = first;
        first = &linked->link;
        audit_new(&Inmate_type)->borrowed = (PyObject *)linked;
    }
}

/* The program owns what they know, and has lost one reference. */
AUDIT_TYPE(Guest, part_traverse, 0, .tp_doc = "");

void
audit_lost_reference(void)
{
    static PyObject *volatile owned[AUDIT_INSTANCES];

    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        owned[i] = audit_must(PyList_New(0));
        audit_new(&Guest_type)->borrowed = owned[i];
    }
    Py_INCREF(owned[AUDIT_INSTANCES / 2]);
}

/* A right type with references that cannot be seen, and one that visits what
   it borrows of it, and of others. */
static PyObject *
disguised(const struct part *part, int i)
{
    uintptr_t word = (uintptr_t)(i == 0 ? part->a : part->b);

    return word != 0 ? (PyObject *)~word : NULL;
}

static int
disguised_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(disguised(PART(op), 0));
    Py_VISIT(disguised(PART(op), 1));
    return 0;
}

static int
prying_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PART(op)->borrowed);
    return 0;
}

AUDIT_TYPE(Disguised, disguised_traverse, 0, .tp_doc = "");
AUDIT_TYPE(Prier, prying_traverse, 0, .tp_doc = "");

void
audit_hidden_owners(void)
{
    for (int i = 0; i < AUDIT_INSTANCES; i++) {
        struct part *part = audit_new(&Disguised_type);
        PyObject *list;

        if (i == 0) { /* not all of what it pries into is of these */
            audit_new(&Prier_type)->borrowed = audit_keep(PyList_New(0));
            continue;
        }
        list = audit_must(PyList_New(0));
        part->a = (PyObject *)~(uintptr_t)list;
        part->b = (PyObject *)~(uintptr_t)audit_must(PyList_New(0));
        audit_new(&Prier_type)->borrowed = list;
    }
}

/* Two types visit what a list owns.  Its items lie in a block that is not
   seen, and it is right all the same. */
AUDIT_TYPE(Upward, prying_traverse, 0, .tp_doc = "");
AUDIT_TYPE(Sideward, prying_traverse, 0, .tp_doc = "");

void
audit_long_list(void)
{
    enum { LONG = 20000 };
    PyObject *parents = audit_keep(PyList_New(LONG));

    for (int i = 0; i < LONG; i++) {
        PyObject *parent = audit_must(PyTuple_Pack(1, parents));

        PyList_SET_ITEM(parents, i, parent);
        if (i >= AUDIT_INSTANCES)
            continue;
        audit_new(&Upward_type)->borrowed = parent;
        audit_new(&Sideward_type)->borrowed = parent;
    }
}
