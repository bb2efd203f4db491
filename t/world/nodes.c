/* nodes.c: the types that the random world is made of; see nodes.h.

   There is a type for each set of traits, static, on the heap, or as a subtype
   on the heap of a static one that leaves all its slots to that. */

#include "nodes.h"

#include "side.h"

#include <stddef.h>
#include <structmember.h>

struct node_hooks node_hooks;

/* ------------------------------------------------------------------ */
/* Slots                                                               */

PyObject **
node_edge(struct node *node, int i)
{
    return i < WORLD_FIELDS ? &node->fields[i]
                            : &node->items[i - WORLD_FIELDS];
}

static int
edge_count(struct node *node)
{
    return WORLD_FIELDS + (int)Py_SIZE(node);
}

static int owns_type(PyObject *op);

#ifndef WORLD_CPYTHON

static int
has_managed_dict(PyObject *op)
{
    return PyType_HasFeature(Py_TYPE(op), Py_TPFLAGS_MANAGED_DICT);
}

PyObject *
node_dict(struct node *node)
{
    PyObject *dict;

    if (!node->has_dict)
        return NULL;
    if (!has_managed_dict((PyObject *)node))
        return node->dict;
    dict = PyObject_GenericGetDict((PyObject *)node, NULL);
    Py_XDECREF(dict);
    return dict;
}

#define VISIT_DICT(op, visit, arg) PyObject_VisitManagedDict(op, visit, arg)
#define CLEAR_DICT(op) PyObject_ClearManagedDict(op)

#else /* its managed dictionaries are not public in 3.11 */

PyObject *
node_dict(struct node *node)
{
    return node->dict;
}

#define VISIT_DICT(op, visit, arg) 0
#define CLEAR_DICT(op) (void)0

#endif

static int
node_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct node *node = (struct node *)op;
    int result;

    for (int i = 0; i < edge_count(node); i++)
        Py_VISIT(*node_edge(node, i));
    Py_VISIT(node->dict);
    result = VISIT_DICT(op, visit, arg);
    if (result != 0)
        return result;
    if (owns_type(op))
        Py_VISIT(Py_TYPE(op));
    return 0;
}

void
node_empty(struct node *node)
{
    for (int i = 0; i < edge_count(node); i++)
        Py_CLEAR(*node_edge(node, i));
    node->has_dict = 0;
    Py_CLEAR(node->dict);
    CLEAR_DICT((PyObject *)node);
}

static int
node_clear(PyObject *op)
{
    struct node *node = (struct node *)op;

    node_hooks.clear(node);
    node_empty(node);
    if (!node->habits.clear_raises)
        return 0;
    PyErr_SetString(PyExc_RuntimeError, "in tp_clear");
    return -1;
}

/* A finalizer leaves the exception that it finds. */
static void
node_finalize(PyObject *op)
{
    struct node *node = (struct node *)op;
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    node_hooks.final(node);
    node_hooks.act(node, node->habits.final);
    if (PyErr_Occurred())
        PyErr_WriteUnraisable(op);
    PyErr_Restore(type, value, traceback);
}

static void
node_del(PyObject *Py_UNUSED(op))
{
}

static PyObject *
node_call(PyObject *op, PyObject *args, PyObject *Py_UNUSED(kwargs))
{
    node_hooks.called((struct node *)op, PyTuple_GetItem(args, 0));
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static void
node_dealloc(PyObject *op)
{
    struct node *node = (struct node *)op;
    PyTypeObject *type = Py_TYPE(op);
    int place = node->place, release = owns_type(op);

    if (type->tp_finalize != NULL && PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    if (type->tp_weaklistoffset != 0)
        PyObject_ClearWeakRefs(op);
    node_empty(node);
    node_hooks.freed(place);
    type->tp_free(op);
    if (release)
        Py_DECREF(type);
}

/* Has this file to visit and to release the object's type?  A subtype's
   deallocation comes on top of its base's. */
static int
owns_type(PyObject *op)
{
    return Py_TYPE(op)->tp_dealloc == node_dealloc &&
           PyType_HasFeature(Py_TYPE(op), Py_TPFLAGS_HEAPTYPE);
}

int
node_is(PyObject *op)
{
    return Py_TYPE(op)->tp_call == node_call;
}

/* ------------------------------------------------------------------ */
/* Types                                                               */

enum {
    BIT_CLEAR = 1,
    BIT_FINAL = 2,
    BIT_LEGACY = 4,
    BIT_WEAK = 8,
    BIT_DICT = 16,
    BIT_VARIABLE = 32,
    N_TRAITS = 64,
    FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
};

static PyTypeObject statics[N_TRAITS];
static PyTypeObject *types[N_FORMS][N_TRAITS];
static Py_ssize_t type_refs[N_FORMS][N_TRAITS];

static unsigned
traits_bits(struct traits traits)
{
    return (traits.clear ? BIT_CLEAR : 0u) | (traits.final ? BIT_FINAL : 0u) |
           (traits.legacy ? BIT_LEGACY : 0u) | (traits.weak ? BIT_WEAK : 0u) |
           (traits.dict ? BIT_DICT : 0u) |
           (traits.variable ? BIT_VARIABLE : 0u);
}

static PyTypeObject *
make_static(unsigned bits)
{
    PyTypeObject *type = &statics[bits];
    PyTypeObject blank = {PyVarObject_HEAD_INIT(NULL, 0).tp_name =
                              "world.Static"};

    *type = blank;
    type->tp_flags = FLAGS;
    type->tp_basicsize = offsetof(struct node, items);
    type->tp_itemsize = bits & BIT_VARIABLE ? sizeof(PyObject *) : 0;
    type->tp_dealloc = node_dealloc;
    type->tp_traverse = node_traverse;
    type->tp_clear = bits & BIT_CLEAR ? node_clear : NULL;
    type->tp_finalize = bits & BIT_FINAL ? node_finalize : NULL;
    type->tp_del = bits & BIT_LEGACY ? node_del : NULL;
    type->tp_call = node_call;
    if (bits & BIT_WEAK)
        type->tp_weaklistoffset = offsetof(struct node, weakrefs);
    if (bits & BIT_DICT)
        type->tp_dictoffset = offsetof(struct node, dict);
    return PyType_Ready(type) == 0 ? type : NULL;
}

static unsigned
heap_flags(unsigned bits)
{
    unsigned flags = FLAGS;

#ifndef WORLD_CPYTHON
    if ((bits & BIT_DICT) && !(bits & BIT_VARIABLE))
        flags |= Py_TPFLAGS_MANAGED_DICT;
#else
    (void)bits;
#endif
    return flags;
}

static PyTypeObject *
make_heap(unsigned bits)
{
    static PyMemberDef members[3];
    unsigned flags = heap_flags(bits), n = 0, m = 0;
    PyType_Slot slots[12] = {{0, NULL}};
    PyType_Spec spec = {"world.Heap", offsetof(struct node, items),
                        bits & BIT_VARIABLE ? sizeof(PyObject *) : 0, flags,
                        slots};

    memset(members, 0, sizeof members);
    if (bits & BIT_WEAK)
        members[m++] =
            (PyMemberDef){"__weaklistoffset__", T_PYSSIZET,
                          offsetof(struct node, weakrefs), READONLY, NULL};
    if ((bits & BIT_DICT) && flags == FLAGS)
        members[m++] =
            (PyMemberDef){"__dictoffset__", T_PYSSIZET,
                          offsetof(struct node, dict), READONLY, NULL};
    slots[n++] = (PyType_Slot){Py_tp_dealloc, node_dealloc};
    slots[n++] = (PyType_Slot){Py_tp_traverse, node_traverse};
    slots[n++] = (PyType_Slot){Py_tp_call, node_call};
    slots[n++] = (PyType_Slot){Py_tp_members, members};
    if (bits & BIT_CLEAR)
        slots[n++] = (PyType_Slot){Py_tp_clear, node_clear};
    if (bits & BIT_FINAL)
        slots[n++] = (PyType_Slot){Py_tp_finalize, node_finalize};
    if (bits & BIT_LEGACY)
        slots[n++] = (PyType_Slot){Py_tp_del, node_del};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

static PyTypeObject *
make_subtype(unsigned bits)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"world.Sub", 0, 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *bases = PyTuple_Pack(1, (PyObject *)&statics[bits]);
    PyObject *type =
        bases != NULL ? PyType_FromSpecWithBases(&spec, bases) : NULL;

    Py_XDECREF(bases);
    return (PyTypeObject *)type;
}

struct tag {
    PyObject_HEAD
    int place;
};

static void
tag_dealloc(PyObject *op)
{
    node_hooks.freed(((struct tag *)op)->place);
    PyObject_Free(op);
}

static PyTypeObject tag_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "world.Tag",
    .tp_basicsize = sizeof(struct tag),
    .tp_dealloc = tag_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

PyObject *
tag_new(int place)
{
    struct tag *tag = PyObject_New(struct tag, &tag_type);

    if (tag != NULL)
        tag->place = place;
    return (PyObject *)tag;
}

int
nodes_init(void)
{
    if (PyType_Ready(&tag_type) < 0)
        return -1;
    for (unsigned bits = 0; bits < N_TRAITS; bits++) {
        types[FORM_STATIC][bits] = make_static(bits);
        types[FORM_HEAP][bits] = make_heap(bits);
        types[FORM_SUB][bits] = make_subtype(bits);
        for (int form = 0; form < N_FORMS; form++) {
            if (types[form][bits] == NULL)
                return -1;
            type_refs[form][bits] = Py_REFCNT(types[form][bits]);
        }
    }
    return 0;
}

long
nodes_leaks(void)
{
    long leaks = 0;

    for (int form = 0; form < N_FORMS; form++)
        for (unsigned bits = 0; bits < N_TRAITS; bits++)
            leaks +=
                (long)(Py_REFCNT(types[form][bits]) - type_refs[form][bits]);
    return leaks;
}

struct node *
node_new(struct traits traits, struct habits habits, int place)
{
    PyTypeObject *type = types[traits.form][traits_bits(traits)];
    struct node *node = traits.variable
                            ? PyObject_GC_NewVar(struct node, type, 1)
                            : PyObject_GC_New(struct node, type);

    if (node == NULL)
        return NULL;
    if (!traits.variable)
        Py_SET_SIZE(node, 0);
    node->place = place;
    node->habits = habits;
    node->has_dict = 0;
    node->dict = node->weakrefs = NULL;
    for (int i = 0; i < edge_count(node); i++)
        *node_edge(node, i) = NULL;
    return node;
}
