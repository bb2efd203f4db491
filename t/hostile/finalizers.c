/* finalizers.c: types with a broken tp_finalize. */

#include "hostile.h"

static void
finalizing_dealloc(PyObject *op)
{
    if (PyObject_CallFinalizerFromDealloc(op) == 0)
        thing_dealloc(op);
}

#define SLOTS(FINALIZE)                                                       \
    .tp_dealloc = finalizing_dealloc, .tp_traverse = thing_traverse,          \
    .tp_clear = thing_clear, .tp_finalize = FINALIZE

static PyObject *kept;

static void
reviving_finalize(PyObject *op)
{
    kept = op;
    Py_INCREF(kept);
}

HOSTILE_TYPE(RevivingFinalizer, SLOTS(reviving_finalize));

/* Once in a collection; then its finalizer has had its say. */
static void
reviving(void)
{
    struct thing *first = thing_pair(&RevivingFinalizer_type);

    Py_DECREF(first);
    hostile_collect(0);
    hostile_expect(kept == (PyObject *)first && Py_REFCNT(first) == 2 &&
                       ((struct thing *)first->left)->left == kept &&
                       things_cleared == 0,
                   "it lives, and all it reaches is intact");
    Py_DECREF(kept);
    hostile_collect(2);
    hostile_expect(things_freed == 2, "both are freed");
}

static void
reviving_by_count(void)
{
    struct thing *one = thing_new(&RevivingFinalizer_type);

    Py_DECREF(one);
    hostile_expect(kept == (PyObject *)one && Py_REFCNT(one) == 1, "it lives");
    Py_DECREF(kept);
    hostile_expect(things_freed == 1, "it is freed");
}

static void
raising_finalize(PyObject *op)
{
    PyErr_SetString(PyExc_ValueError, "from tp_finalize");
}

HOSTILE_TYPE(RaisingFinalizer, SLOTS(raising_finalize));

static void
raising(void)
{
    Py_DECREF(thing_pair(&RaisingFinalizer_type));
    hostile_collect(2);
    hostile_expect(things_freed == 2, "both are freed");
}

static void
giving_finalize(PyObject *op)
{
    Py_DECREF(op);
}

HOSTILE_TYPE(GivingFinalizer, SLOTS(giving_finalize));

/* It gives up the other one's reference to it. */
static void
giving(void)
{
    Py_DECREF(thing_pair(&GivingFinalizer_type));
    hostile_collect(-1);
}

static void
giving_by_count(void)
{
    Py_DECREF(thing_new(&GivingFinalizer_type));
}

static void
robbing_finalize(PyObject *op)
{
    PyObject *left = ((struct thing *)op)->left;

    Py_SET_REFCNT(left, Py_REFCNT(left) - 1);
}

HOSTILE_TYPE(RobbingFinalizer, SLOTS(robbing_finalize));

/* The other one's count is too low by one: it is visited too often then. */
static void
robbing(void)
{
    struct thing *first = thing_pair(&RobbingFinalizer_type);
    struct thing *second = (struct thing *)first->left;
    PyObject *list = PyList_New(0);

    second->right = list; /* moves in */
    Py_DECREF(first);
    hostile_collect(-1);
    hostile_expect(things_cleared == 0 && things_freed == 0 &&
                       first->left == (PyObject *)second &&
                       second->left == (PyObject *)first,
                   "nothing is cleared or freed");
    hostile_expect(PyList_Append(list, Py_None) == 0,
                   "what they reach can be used");
    Py_SET_REFCNT(second, 1);
}

static void
freeing_finalize(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_GC_Del(op);
}

HOSTILE_TYPE(FreeingFinalizer, SLOTS(freeing_finalize));

static void
freeing(void)
{
    Py_DECREF(thing_new(&FreeingFinalizer_type));
}

static void
lowering_finalize(PyObject *op)
{
    Py_SET_REFCNT(op, 0);
}

HOSTILE_TYPE(LoweringFinalizer, SLOTS(lowering_finalize));

/* The count is put right afterwards. */
static void
lowering(void)
{
    struct thing *first = thing_pair(&LoweringFinalizer_type);

    Py_DECREF(first);
    hostile_collect(-1);
    hostile_expect(things_cleared == 0 && things_freed == 0,
                   "nothing is cleared or freed");
    Py_SET_REFCNT(first, 1);
    hostile_collect(2);
    hostile_expect(things_freed == 2, "both are freed");
}

const struct hostile hostile_finalizers[] = {
    {"RevivingFinalizer", reviving},
    {"RevivingFinalizer-count", reviving_by_count},
    {"RaisingFinalizer", raising},
    {"GivingFinalizer", giving},
    {"GivingFinalizer-count", giving_by_count},
    {"RobbingFinalizer", robbing},
    {"FreeingFinalizer", freeing},
    {"LoweringFinalizer", lowering},
    {NULL, NULL},
};
