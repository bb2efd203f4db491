/* node.c: the container that the collector's tests are made of; see node.h. */

#include "node.h"

#include "suite.h"

struct node_log node_log;

int
node_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct node *self = (struct node *)op;

    Py_VISIT(self->left);
    Py_VISIT(self->right);
    return 0;
}

int
node_clear(PyObject *op)
{
    struct node *self = (struct node *)op;

    node_log.cleared++;
    if (node_log.on_clear != NULL)
        node_log.on_clear(self);
    Py_CLEAR(self->left);
    Py_CLEAR(self->right);
    return 0;
}

static void
node_finalize(PyObject *op)
{
    node_log.finalized++;
    if (node_log.on_finalize != NULL)
        node_log.on_finalize((struct node *)op);
}

void
node_dealloc(PyObject *op)
{
    struct node *self = (struct node *)op;

    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    node_log.freed++;
    if (node_log.on_dealloc != NULL)
        node_log.on_dealloc(self);
    Py_XDECREF(self->left);
    Py_XDECREF(self->right);
    PyObject_GC_Del(op);
}

PyTypeObject node_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.Node",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_dealloc = node_dealloc,
    .tp_traverse = node_traverse,
    .tp_clear = node_clear,
};

PyTypeObject node_final_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.FinalNode",
    .tp_base = &node_type,
    .tp_finalize = node_finalize,
};

PyTypeObject node_fixed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.FixedNode",
    .tp_basicsize = sizeof(struct node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = node_dealloc,
    .tp_traverse = node_traverse,
};

static void
weak_node_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (((struct weak_node *)op)->weakrefs != NULL)
        PyObject_ClearWeakRefs(op);
    node_dealloc(op);
}

PyTypeObject node_weak_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "t.WeakNode",
    .tp_basicsize = sizeof(struct weak_node),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = weak_node_dealloc,
    .tp_traverse = node_traverse,
    .tp_clear = node_clear,
    .tp_weaklistoffset = offsetof(struct weak_node, weakrefs),
};

void
node_reset(void)
{
    memset(&node_log, 0, sizeof node_log);
    ck_assert_int_eq(PyType_Ready(&node_type), 0);
    ck_assert_int_eq(PyType_Ready(&node_final_type), 0);
    ck_assert_int_eq(PyType_Ready(&node_fixed_type), 0);
    ck_assert_int_eq(PyType_Ready(&node_weak_type), 0);
}

struct node *
node_new(PyTypeObject *type)
{
    struct node *self = PyObject_GC_New(struct node, type);

    if (self == NULL) /* ck_assert writes a file even where all is well */
        ck_abort_msg("no node");
    self->left = self->right = NULL;
    self->host = NULL;
    self->label = node_log.made++;
    PyObject_GC_Track((PyObject *)self);
    return self;
}

struct node *
node_new_weak(void)
{
    struct node *self = node_new(&node_weak_type);

    ((struct weak_node *)self)->weakrefs = NULL;
    return self;
}

void
node_link(struct node *from, void *left, void *right)
{
    PyObject *before[] = {from->left, from->right};

    from->left = Py_XNewRef(left);
    from->right = Py_XNewRef(right);
    Py_XDECREF(before[0]); /* the node may be what it referred to */
    Py_XDECREF(before[1]);
}

struct node *
node_ring(PyTypeObject *type, long n)
{
    struct node *first = node_new(type), *last = first;

    for (long i = 1; i < n; i++) {
        struct node *next = node_new(type);

        last->left = (PyObject *)next; /* the new reference moves in */
        last = next;
    }
    last->left = Py_NewRef(first);
    return first;
}

void
node_drop_ring(PyTypeObject *type, long n)
{
    Py_DECREF(node_ring(type, n));
}
