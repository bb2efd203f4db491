/* deallocs.c: types with a broken tp_dealloc or tp_free. */

#include "hostile.h"

#define SLOTS(DEALLOC)                                                        \
    .tp_dealloc = DEALLOC, .tp_traverse = thing_traverse,                     \
    .tp_clear = thing_clear

/* One dies by count, and a pair in a collection. */
static void
kill_three(PyTypeObject *type)
{
    Py_DECREF(thing_new(type));
    Py_DECREF(thing_pair(type));
    hostile_collect(-1);
}

static void
tracked_dealloc(PyObject *op)
{
    things_freed++;
    thing_clear(op);
    PyObject_GC_Del(op);
}

HOSTILE_TYPE(TrackedDealloc, SLOTS(tracked_dealloc));

static void
tracked(void)
{
    kill_three(&TrackedDealloc_type);
    hostile_expect(things_freed == 3, "all are freed");
}

static void
untracking_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_GC_UnTrack(op);
    thing_dealloc(op);
}

HOSTILE_TYPE(UntrackingDealloc, SLOTS(untracking_dealloc));

static void
untracking(void)
{
    kill_three(&UntrackingDealloc_type);
    hostile_expect(things_freed == 3, "all are freed");
}

static void
twice_dealloc(PyObject *op)
{
    thing_dealloc(op);
    PyObject_GC_Del(op);
}

HOSTILE_TYPE(TwiceDealloc, SLOTS(twice_dealloc));

static void
twice(void)
{
    Py_DECREF(thing_new(&TwiceDealloc_type));
}

static void
leaking_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    thing_clear(op);
}

HOSTILE_TYPE(LeakingDealloc, SLOTS(leaking_dealloc));

static void
leaking(void)
{
    kill_three(&LeakingDealloc_type);
    hostile_expect(things_freed == 1, "the honest one is freed");
}

static void
idle_dealloc(PyObject *op)
{
}

HOSTILE_TYPE(IdleDealloc, SLOTS(idle_dealloc));

static void
idle(void)
{
    kill_three(&IdleDealloc_type);
    hostile_collect(-1);
}

static void
again_dealloc(PyObject *op)
{
    static int again;

    if (!again) {
        again = 1;
        Py_INCREF(op);
        Py_DECREF(op);
    }
    thing_dealloc(op);
}

HOSTILE_TYPE(AgainDealloc, SLOTS(again_dealloc));

static void
again(void)
{
    Py_DECREF(thing_new(&AgainDealloc_type));
}

/* Its members go while it is tracked, and a collection sees them gone. */
static void
late_dealloc(PyObject *op)
{
    struct thing *self = (struct thing *)op;

    Py_XDECREF(self->left);
    PyGC_Collect();
    PyObject_GC_UnTrack(op);
    self->left = NULL;
    thing_dealloc(op);
}

HOSTILE_TYPE(LateDealloc, SLOTS(late_dealloc));

static void
late(void)
{
    struct thing *one = thing_new(&LateDealloc_type);

    one->left = (PyObject *)thing_new(&thing_type);
    Py_DECREF(one);
    hostile_expect(things_freed == 2, "both are freed");
}

/* Tracks its object again, which still shows a member that is gone. */
static void
retracking_dealloc(PyObject *op)
{
    struct thing *self = (struct thing *)op;

    PyObject_GC_UnTrack(op);
    Py_XDECREF(self->left);
    PyObject_GC_Track(op);
    PyGC_Collect();
    PyObject_GC_UnTrack(op);
    self->left = NULL;
    thing_dealloc(op);
}

HOSTILE_TYPE(RetrackingDealloc, SLOTS(retracking_dealloc));

static void
retracking(void)
{
    struct thing *one = thing_new(&RetrackingDealloc_type);

    one->left = (PyObject *)thing_new(&thing_type);
    Py_DECREF(one);
    hostile_expect(things_freed == 2, "both are freed");
}

/* The right function is the type's business: this one is for others. */
static void
plain_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_Free(op);
}

HOSTILE_TYPE(PlainFree, SLOTS(plain_dealloc));

static void
plain(void)
{
    Py_DECREF(thing_new(&PlainFree_type));
}

static void
container_dealloc(PyObject *op)
{
    PyObject_GC_Del(op);
}

static PyTypeObject ContainerFree_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.ContainerFree",
    .tp_basicsize = sizeof(struct thing),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = container_dealloc,
};

static void
container(void)
{
    hostile_ready(&ContainerFree_type);
    Py_DECREF(PyObject_New(struct thing, &ContainerFree_type));
}

/* An instance of a heap type that owns its type and never gives it up. */
static void
keeping(void)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)thing_dealloc},
                           {Py_tp_traverse, (void *)thing_traverse},
                           {Py_tp_clear, (void *)thing_clear},
                           {0, NULL}};
    PyType_Spec spec = {"hostile.TypeKeeper", sizeof(struct thing), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
    PyObject *type = PyType_FromSpec(&spec);
    hostile_expect(type != NULL, "there is a type");

    hostile_collect(-1);
    Py_DECREF(thing_new((PyTypeObject *)type));
    hostile_expect(things_freed == 1, "the instance is freed");
    Py_DECREF(type);
    hostile_collect(0);
    hostile_expect(PyType_Check(type), "the type leaks");
}

const struct hostile hostile_deallocs[] = {
    {"TrackedDealloc", tracked}, {"UntrackingDealloc", untracking},
    {"TwiceDealloc", twice},     {"LeakingDealloc", leaking},
    {"IdleDealloc", idle},       {"AgainDealloc", again},
    {"LateDealloc", late},       {"RetrackingDealloc", retracking},
    {"PlainFree", plain},        {"ContainerFree", container},
    {"TypeKeeper", keeping},     {NULL, NULL},
};
