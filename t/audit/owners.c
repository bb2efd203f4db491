/* owners.c: right types that borrow from owners who are hard to see. */

#include "audit.h"

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
