/* common.c: what right and wrong types have in common. */

#include "audit.h"

#include <stdlib.h>

int
part_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PART(op)->a);
    Py_VISIT(PART(op)->b);
    return 0;
}

int
heap_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return part_traverse(op, visit, arg);
}

int
row_traverse(PyObject *op, visitproc visit, void *arg)
{
    for (Py_ssize_t i = 0; i < PART(op)->n; i++)
        Py_VISIT(PART(op)->row[i]);
    return part_traverse(op, visit, arg);
}

int
part_clear(PyObject *op)
{
    struct part *part = PART(op);

    Py_CLEAR(part->a);
    Py_CLEAR(part->b);
    Py_CLEAR(part->dict);
    while (part->n > 0)
        Py_DECREF(part->row[--part->n]);
    return 0;
}

void
part_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    if (PART(op)->weaklist != NULL)
        PyObject_ClearWeakRefs(op);
    part_clear(op);
    free(PART(op)->row);
    type->tp_free(op);
    if (PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE))
        Py_DECREF(type);
}

void *
audit_must(void *op)
{
    if (op != NULL)
        return op;
    PyErr_Print();
    abort();
}

void *
audit_keep(void *op)
{
    static PyObject *alive;

    if (alive == NULL)
        alive = audit_must(PyList_New(0));
    if (PyList_Append(alive, audit_must(op)) < 0)
        audit_must(NULL);
    Py_DECREF(op);
    return op;
}

struct part *
audit_new(PyTypeObject *type)
{
    if (PyType_Ready(type) < 0)
        audit_must(NULL);
    return audit_keep(PyType_GenericAlloc(type, 0));
}

void
audit_fill_row(struct part *part, Py_ssize_t n)
{
    part->row = audit_must(calloc((size_t)n, sizeof *part->row));
    for (part->n = 0; part->n < n; part->n++)
        part->row[part->n] = audit_must(PyList_New(0));
}

PyTypeObject *
audit_type(const char *name, PyType_Slot *slots)
{
    PyType_Spec spec = {name, sizeof(struct part), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

    return audit_must(PyType_FromSpec(&spec));
}
