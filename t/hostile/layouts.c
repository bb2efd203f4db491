/* layouts.c: types that say what is not so of their objects' size and parts.
 */

#include "hostile.h"

#define SLOTS                                                                 \
    .tp_dealloc = thing_dealloc, .tp_traverse = thing_traverse,               \
    .tp_clear = thing_clear

/* PyType_Ready refuses it, or says that it is ready. */
static void
expect_refused(PyTypeObject *type)
{
    hostile_expect(PyType_Ready(type) < 0 && PyErr_Occurred() != NULL,
                   "PyType_Ready refuses it");
    PyErr_Clear();
}

/* Objects of a type that can be ready, made and freed. */
static void
make_some(PyTypeObject *type)
{
    hostile_ready(type);
    for (int i = 0; i < 10; i++) {
        PyObject *op = PyType_GenericAlloc(type, 0);

        hostile_expect(op != NULL, "there is an object");
        Py_DECREF(op);
    }
}

/* By how much the objects are larger than the type says. */
enum { MORE = 2 * sizeof(void *) };

static PyTypeObject Overflow_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.Overflow",
    .tp_basicsize = sizeof(struct thing) - MORE,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    SLOTS,
};

static void
overflow(void)
{
    hostile_ready(&Overflow_type);
    struct thing *one = PyObject_GC_New(struct thing, &Overflow_type);

    one->left = one->right = one->other = NULL;
    PyObject_GC_Track((PyObject *)one);
    Py_DECREF(one);
}

static void
overflow_in_use(void)
{
    hostile_ready(&Overflow_type);
    struct thing *one = PyObject_GC_New(struct thing, &Overflow_type);

    one->left = one->right = one->other = NULL;
    PyObject_GC_Track((PyObject *)one);
    hostile_collect(0); /* it is never freed */
}

/* Their size needs no padding. */
static PyTypeObject Even_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.Even",
    .tp_basicsize = 3 * sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    SLOTS,
};

/* For a while the first byte behind an object is another one. */
static void
overflow_by_one(void)
{
    struct thing *one = thing_new(&Even_type);
    volatile char *end = (char *)one + Even_type.tp_basicsize;

    ++*end;
    hostile_collect(0);
    --*end;
    Py_DECREF(one);
}

HOSTILE_TYPE(Large, SLOTS, .tp_itemsize = 0);

static PyTypeObject Smaller_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.Smaller",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    SLOTS,
    .tp_base = &Large_type,
};

static void
smaller(void)
{
    Large_type.tp_flags |= Py_TPFLAGS_BASETYPE;
    expect_refused(&Smaller_type);
}

static PyTypeObject Headless_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.Headless",
    .tp_basicsize = sizeof(Py_ssize_t),
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static void
headless(void)
{
    expect_refused(&Headless_type);
}

static int
empty_traverse(PyObject *op, visitproc visit, void *arg)
{
    return 0;
}

static void
empty_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_GC_Del(op);
}

HOSTILE_TYPE(Shrunk, .tp_dealloc = empty_dealloc,
             .tp_traverse = empty_traverse);

static void
shrunk(void)
{
    hostile_ready(&Shrunk_type);
    Shrunk_type.tp_basicsize = sizeof(Py_ssize_t);
    make_some(&Shrunk_type);
}

HOSTILE_TYPE(NegativeItems, SLOTS, .tp_itemsize = -8);

static void
negative_items(void)
{
    expect_refused(&NegativeItems_type);
}

HOSTILE_TYPE(OddItems, SLOTS, .tp_itemsize = 3);

static void
odd_items(void)
{
    make_some(&OddItems_type);
}

HOSTILE_TYPE(FarWeaklist, SLOTS, .tp_weaklistoffset = 1 << 16);

static void
far_weaklist(void)
{
    make_some(&FarWeaklist_type);
}

HOSTILE_TYPE(FarDict, SLOTS, .tp_dictoffset = 1 << 16);

static void
far_dict(void)
{
    make_some(&FarDict_type);
}

HOSTILE_TYPE(HeadWeaklist, SLOTS, .tp_weaklistoffset = sizeof(void *));

static void
head_weaklist(void)
{
    make_some(&HeadWeaklist_type);
}

HOSTILE_TYPE(NoTraverse, .tp_dealloc = thing_dealloc);

static void
no_traverse(void)
{
    expect_refused(&NoTraverse_type);
}

HOSTILE_TYPE(LostTraverse, SLOTS);

static void
lost_traverse(void)
{
    hostile_ready(&LostTraverse_type);
    LostTraverse_type.tp_traverse = NULL;
    make_some(&LostTraverse_type);
}

static void
lost_later(void)
{
    struct thing *one = thing_new(&LostTraverse_type);

    LostTraverse_type.tp_traverse = NULL;
    hostile_collect(-1);
    Py_DECREF(one);
}

static int
is_no_container(PyObject *op)
{
    return 0;
}

HOSTILE_TYPE(LyingIsGC, SLOTS, .tp_is_gc = is_no_container);

static void
lying_is_gc(void)
{
    Py_DECREF(thing_pair(&LyingIsGC_type));
    hostile_collect(-1);
}

const struct hostile hostile_layouts[] = {
    {"Overflow", overflow},
    {"Overflow-in-use", overflow_in_use},
    {"Even-overflow", overflow_by_one},
    {"Smaller", smaller},
    {"Headless", headless},
    {"Shrunk", shrunk},
    {"NegativeItems", negative_items},
    {"OddItems", odd_items},
    {"FarWeaklist", far_weaklist},
    {"FarDict", far_dict},
    {"HeadWeaklist", head_weaklist},
    {"NoTraverse", no_traverse},
    {"LostTraverse", lost_traverse},
    {"LostTraverse-later", lost_later},
    {"LyingIsGC", lying_is_gc},
    {NULL, NULL},
};
