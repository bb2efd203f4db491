/* items.c: what the threads make; see crowd.h.

   An item knows whether it is alive, and code that uses one checks that. */

#include "crowd.h"

#include <stddef.h>

/* This and the address are in item.alive. */
#define MAGIC ((uintptr_t)0x5a5a5a5a5a5a5a)

long items_made[2], items_freed[2], items_finalized;

int
item_is_alive(const void *op)
{
    return ((const struct item *)op)->alive == ((uintptr_t)op ^ MAGIC);
}

static int
item_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct item *self = (struct item *)op;

    must(item_is_alive(op));
    __atomic_add_fetch(&crowd_traversing, 1, __ATOMIC_ACQ_REL);
    Py_VISIT(self->refs[0]);
    Py_VISIT(self->refs[1]);
    __atomic_sub_fetch(&crowd_traversing, 1, __ATOMIC_ACQ_REL);
    return 0;
}

static int
item_clear(PyObject *op)
{
    struct item *self = (struct item *)op;

    must(item_is_alive(op));
    if (self->counted && items_freed[1] % 64 == 32)
        life_let_others_in();
    Py_CLEAR(self->refs[0]);
    Py_CLEAR(self->refs[1]);
    must(item_is_alive(op));
    return 0;
}

static void
item_finalize(PyObject *op)
{
    must(item_is_alive(op));
    must(PyGILState_Check());
    if (++items_finalized % 16 == 0)
        life_let_others_in();
}

static void
item_dealloc(PyObject *op)
{
    struct item *self = (struct item *)op;

    must(item_is_alive(op));
    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    PyObject_ClearWeakRefs(op);
    if (self->counted && items_freed[1] % 64 == 0)
        life_let_others_in();
    Py_CLEAR(self->refs[0]);
    Py_CLEAR(self->refs[1]);
    must(item_is_alive(op));
    self->alive = 0;
    items_freed[self->counted]++;
    PyObject_GC_Del(op);
}

static PyTypeObject item_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Item",
    .tp_basicsize = sizeof(struct item),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_dealloc = item_dealloc,
    .tp_traverse = item_traverse,
    .tp_clear = item_clear,
    .tp_weaklistoffset = offsetof(struct item, weakrefs),
};

static PyTypeObject final_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.FinalItem",
    .tp_basicsize = sizeof(struct item),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_base = &item_type,
    .tp_dealloc = item_dealloc,
    .tp_traverse = item_traverse,
    .tp_clear = item_clear,
    .tp_finalize = item_finalize,
};

PyObject *
item_new(struct life *life, int counted)
{
    PyTypeObject *type = life_chance(life, 4) == 0 ? &final_type : &item_type;
    struct item *self = PyObject_GC_New(struct item, type);

    must(self != NULL);
    self->alive = (uintptr_t)self ^ MAGIC;
    self->weakrefs = self->refs[0] = self->refs[1] = NULL;
    self->host = life_chance(life, 4) == 0 ? GC_MALLOC(40) : NULL;
    self->counted = counted;
    items_made[counted]++;
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

void
items_init(void)
{
    must(PyType_Ready(&item_type) == 0 && PyType_Ready(&final_type) == 0);
}
