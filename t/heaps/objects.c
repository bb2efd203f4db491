/* objects.c: objects of several kinds; see objects.h. */

#include "objects.h"

#include "host.h"

#include <stddef.h>
#include <stdlib.h>
#include <structmember.h>

struct object_hooks object_hooks;

static PyObject *names[EDGES]; /* of attributes and keys */
static PyObject *tag_name;

static int
is_same(struct identity a, struct identity b)
{
    return a.time == b.time && a.graph == b.graph && a.place == b.place;
}

/* ------------------------------------------------------------------ */
/* Nodes                                                               */

struct node {
    PyObject_HEAD
    enum kind kind;
    struct identity id;
    PyObject *weakrefs;
    void *block;
    PyObject **items; /* unless they stand in the body */
    PyObject *fields[EDGES];
};

static PyTypeObject *node_types[N_NODES];

static PyObject **
items_of(struct node *node)
{
    return node->items != NULL ? node->items : node->fields;
}

static int
node_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct node *node = (struct node *)op;

    for (int i = 0; i < EDGES; i++)
        Py_VISIT(items_of(node)[i]);
    Py_VISIT(Py_TYPE(op));
    return PyObject_VisitManagedDict(op, visit, arg);
}

static void
give_up_edges(PyObject *op)
{
    for (int i = 0; i < EDGES; i++)
        Py_CLEAR(items_of((struct node *)op)[i]);
    PyObject_ClearManagedDict(op);
}

static int
node_clear(PyObject *op)
{
    object_hooks.cleared(((struct node *)op)->id);
    give_up_edges(op);
    return 0;
}

static void
node_finalize(PyObject *op)
{
    PyObject *error = PyErr_GetRaisedException();

    object_hooks.final(((struct node *)op)->id);
    PyErr_SetRaisedException(error);
}

static void
node_dealloc(PyObject *op)
{
    struct node *node = (struct node *)op;
    PyTypeObject *type = Py_TYPE(op);

    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    PyObject_ClearWeakRefs(op);
    object_hooks.freed(node->id);
    give_up_edges(op);
    if (node->kind == KIND_MALLOC)
        free(node->items);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyTypeObject *
make_node_type(enum kind kind)
{
    static PyMemberDef members[] = {
        {"__weaklistoffset__", T_PYSSIZET, offsetof(struct node, weakrefs),
         READONLY, NULL},
        {NULL, 0, 0, 0, NULL},
    };
    PyType_Slot slots[] = {
        {Py_tp_dealloc, node_dealloc}, {Py_tp_traverse, node_traverse},
        {Py_tp_clear, node_clear},     {Py_tp_finalize, node_finalize},
        {Py_tp_members, members},      {0, NULL},
    };
    unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
    PyType_Spec spec = {"heaps.Node", sizeof(struct node), 0, flags, slots};

    if (kind == KIND_MANAGED)
        spec.flags |= Py_TPFLAGS_MANAGED_DICT;
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

/* Attributes are there from the beginning, so that to set one later neither
   allocates nor collects. */
static PyObject *
node_new(enum kind kind, struct identity id, PyObject *const targets[EDGES])
{
    struct node *node = PyObject_GC_New(struct node, node_types[kind]);

    if (node == NULL)
        return NULL;
    node->kind = kind;
    node->id = id;
    node->weakrefs = NULL;
    node->block = NULL;
    node->items = NULL;
    memset(node->fields, 0, sizeof node->fields);
    if (kind == KIND_MALLOC)
        node->items = calloc(EDGES, sizeof *node->items);
    else if (kind == KIND_SCANNED)
        node->items = host_array(EDGES);
    PyObject_GC_Track((PyObject *)node);
    for (int i = 0; i < EDGES; i++)
        object_set((PyObject *)node, kind, i, targets[i], NULL);
    return (PyObject *)node;
}

void **
object_block(PyObject *op)
{
    return &((struct node *)op)->block;
}

/* ------------------------------------------------------------------ */
/* Tags                                                                */

/* A tag ends with the container that owns it.  It is also what a weak
   reference calls; that one's end says nothing. */
struct tag {
    PyObject_HEAD
    struct identity id;
    int calls;
};

static void
tag_dealloc(PyObject *op)
{
    struct tag *tag = (struct tag *)op;

    if (!tag->calls)
        object_hooks.freed(tag->id);
    PyObject_Free(op);
}

static PyObject *
tag_call(PyObject *op, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs))
{
    object_hooks.called(((struct tag *)op)->id);
    Py_RETURN_NONE;
}

static PyTypeObject tag_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "heaps.Tag",
    .tp_basicsize = sizeof(struct tag),
    .tp_dealloc = tag_dealloc,
    .tp_call = tag_call,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static PyObject *
tag_new(struct identity id, int calls)
{
    struct tag *tag = PyObject_New(struct tag, &tag_type);

    if (tag != NULL) {
        tag->id = id;
        tag->calls = calls;
    }
    return (PyObject *)tag;
}

PyObject *
object_weakref(PyObject *op, struct identity id, int callback)
{
    PyObject *tag = callback ? tag_new(id, 1) : NULL;
    PyObject *weakref = PyWeakref_NewRef(op, tag);

    Py_XDECREF(tag);
    return weakref;
}

/* ------------------------------------------------------------------ */
/* Containers                                                          */

static PyObject *
or_none(PyObject *op)
{
    return op != NULL ? op : Py_None;
}

/* The tag comes first, then the edges. */
static PyObject *
pack(PyObject *tag, PyObject *const targets[EDGES])
{
    return PyTuple_Pack(EDGES + 1, tag, or_none(targets[0]),
                        or_none(targets[1]), or_none(targets[2]));
}

static PyObject *
new_list(PyObject *tag, PyObject *const targets[EDGES])
{
    PyObject *list = PyList_New(0);

    PyList_Append(list, tag);
    for (int i = 0; i < EDGES; i++)
        PyList_Append(list, or_none(targets[i]));
    return list;
}

static PyObject *
new_dict(PyObject *tag, PyObject *const targets[EDGES])
{
    PyObject *dict = PyDict_New();

    PyDict_SetItem(dict, tag_name, tag);
    for (int i = 0; i < EDGES; i++)
        PyDict_SetItem(dict, names[i], or_none(targets[i]));
    return dict;
}

static PyObject *
new_cell(PyObject *tag, PyObject *const targets[EDGES])
{
    PyObject *tuple = pack(tag, targets), *cell = PyCell_New(tuple);

    Py_DECREF(tuple);
    return cell;
}

PyObject *
object_new(enum kind kind, struct identity id, PyObject *const targets[EDGES])
{
    PyObject *tag, *op;

    if (kind < N_NODES)
        return node_new(kind, id, targets);
    tag = tag_new(id, 0);
    op = kind == KIND_LIST    ? new_list(tag, targets)
         : kind == KIND_DICT  ? new_dict(tag, targets)
         : kind == KIND_TUPLE ? pack(tag, targets)
                              : new_cell(tag, targets);
    Py_DECREF(tag);
    return op;
}

int
object_needs_spare(enum kind kind)
{
    return kind == KIND_CELL;
}

/* A cell holds a tuple, which is replaced. */
PyObject *
object_spare(PyObject *op, enum kind kind, int i, PyObject *target)
{
    PyObject *targets[EDGES];

    for (int j = 0; j < EDGES; j++)
        targets[j] = object_edge(op, kind, j);
    targets[i] = target;
    return pack(PyTuple_GET_ITEM(PyCell_GET(op), 0), targets);
}

void
object_set(PyObject *op, enum kind kind, int i, PyObject *target,
           PyObject *spare)
{
    if (kind == KIND_MANAGED)
        PyObject_SetAttr(op, names[i], or_none(target));
    else if (kind == KIND_LIST)
        PyList_SetItem(op, i + 1, Py_NewRef(or_none(target)));
    else if (kind == KIND_DICT)
        PyDict_SetItem(op, names[i], or_none(target));
    else if (kind == KIND_CELL)
        PyCell_Set(op, spare);
    else
        Py_XSETREF(items_of((struct node *)op)[i], Py_XNewRef(target));
    Py_XDECREF(spare);
}

/* Item i of what a container holds, the tag before its edges, borrowed. */
static PyObject *
item_of(PyObject *op, enum kind kind, int i)
{
    if (kind == KIND_CELL)
        op = PyCell_GET(op);
    if (kind == KIND_DICT)
        return PyDict_GetItem(op, i == 0 ? tag_name : names[i - 1]);
    if (op == NULL || Py_SIZE(op) <= i)
        return NULL;
    return kind == KIND_LIST ? PyList_GET_ITEM(op, i)
                             : PyTuple_GET_ITEM(op, i);
}

PyObject *
object_edge(PyObject *op, enum kind kind, int i)
{
    PyObject *target;

    if (kind == KIND_MANAGED) {
        target = PyObject_GetAttr(op, names[i]);
        PyErr_Clear();
        Py_XDECREF(target);
    } else if (kind < N_NODES) {
        target = items_of((struct node *)op)[i];
    } else {
        target = item_of(op, kind, i + 1);
    }
    return target != Py_None ? target : NULL;
}

int
object_is(PyObject *op, enum kind kind, struct identity id)
{
    PyObject *tag;

    if (kind < N_NODES)
        return Py_TYPE(op) == node_types[kind] &&
               is_same(((struct node *)op)->id, id);
    tag = item_of(op, kind, 0);
    return tag != NULL && Py_TYPE(tag) == &tag_type &&
           is_same(((struct tag *)tag)->id, id);
}

int
objects_init(void)
{
    static const char *const texts[EDGES] = {"a0", "a1", "a2"};

    if (PyType_Ready(&tag_type) < 0)
        return -1;
    for (int kind = 0; kind < N_NODES; kind++) {
        node_types[kind] = make_node_type((enum kind)kind);
        if (node_types[kind] == NULL)
            return -1;
    }
    for (int i = 0; i < EDGES; i++)
        names[i] = PyUnicode_InternFromString(texts[i]);
    tag_name = PyUnicode_InternFromString("tag");
    return PyErr_Occurred() ? -1 : 0;
}
