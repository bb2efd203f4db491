/* clears.c: types with a broken tp_clear. */

#include "hostile.h"

#define SLOTS(CLEAR)                                                          \
    .tp_dealloc = thing_dealloc, .tp_traverse = thing_traverse,               \
    .tp_clear = CLEAR

static int
idle_clear(PyObject *op)
{
    return 0;
}

HOSTILE_TYPE(IdleClear, SLOTS(idle_clear));

/* It stays, and is counted every time. */
static void
idle(void)
{
    struct thing *one = thing_new(&IdleClear_type);

    thing_link(one, one, NULL);
    Py_DECREF(one);
    for (int i = 0; i < 3; i++)
        hostile_collect(1);
    hostile_expect(things_freed == 0 && one->left == (PyObject *)one,
                   "it is intact");
}

static int
freeing_clear(PyObject *op)
{
    thing_dealloc(op);
    return 0;
}

HOSTILE_TYPE(FreeingClear, SLOTS(freeing_clear));

static void
freeing(void)
{
    Py_DECREF(thing_pair(&FreeingClear_type));
    hostile_collect(-1);
}

static int
giving_clear(PyObject *op)
{
    thing_clear(op);
    Py_DECREF(op);
    Py_DECREF(op);
    return 0;
}

HOSTILE_TYPE(GivingClear, SLOTS(giving_clear));

static void
giving(void)
{
    Py_DECREF(thing_pair(&GivingClear_type));
    hostile_collect(-1);
}

static int
lowering_clear(PyObject *op)
{
    thing_clear(op);
    Py_SET_REFCNT(op, 0);
    return 0;
}

HOSTILE_TYPE(LoweringClear, SLOTS(lowering_clear));

static void
lowering(void)
{
    Py_DECREF(thing_pair(&LoweringClear_type));
    hostile_collect(2);
    hostile_expect(things_freed == 1, "one is freed, the other leaks");
}

static PyObject *kept;

static int
reviving_clear(PyObject *op)
{
    kept = op;
    Py_INCREF(kept);
    return thing_clear(op);
}

HOSTILE_TYPE(RevivingClear, SLOTS(reviving_clear));

static void
reviving(void)
{
    Py_DECREF(thing_pair(&RevivingClear_type));
    hostile_collect(2);
    hostile_expect(Py_REFCNT(kept) == 1 &&
                       ((struct thing *)kept)->left == NULL,
                   "it lives, and is empty");
    hostile_collect(0);
    Py_DECREF(kept);
    hostile_expect(things_freed == 2, "both are freed in the end");
}

static int
forgetful_clear(PyObject *op)
{
    ((struct thing *)op)->left = NULL;
    return 0;
}

HOSTILE_TYPE(ForgetfulClear, SLOTS(forgetful_clear));

/* Nothing refers to the other one any more, and its count does not say so. */
static void
forgetful(void)
{
    struct thing *first = thing_pair(&ForgetfulClear_type);
    PyObject *second = first->left;

    Py_DECREF(first);
    hostile_collect(2);
    hostile_expect(things_freed == 1 && Py_REFCNT(second) == 1,
                   "one is freed, the other leaks");
}

static int
raising_clear(PyObject *op)
{
    thing_clear(op);
    PyErr_SetString(PyExc_ValueError, "from tp_clear");
    return -1;
}

HOSTILE_TYPE(RaisingClear, SLOTS(raising_clear));

static void
raising(void)
{
    Py_DECREF(thing_pair(&RaisingClear_type));
    hostile_collect(2);
    hostile_expect(things_freed == 2, "both are freed");
}

static int
collecting_clear(PyObject *op)
{
    hostile_expect(PyGC_Collect() == 0, "no collection in a collection");
    return thing_clear(op);
}

HOSTILE_TYPE(CollectingClear, SLOTS(collecting_clear));

static void
collecting(void)
{
    Py_DECREF(thing_pair(&CollectingClear_type));
    hostile_collect(2);
    hostile_expect(things_freed == 2, "both are freed");
}

const struct hostile hostile_clears[] = {
    {"IdleClear", idle},
    {"FreeingClear", freeing},
    {"GivingClear", giving},
    {"LoweringClear", lowering},
    {"RevivingClear", reviving},
    {"ForgetfulClear", forgetful},
    {"RaisingClear", raising},
    {"CollectingClear", collecting},
    {NULL, NULL},
};
