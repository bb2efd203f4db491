/* objects.c: objects that are tracked when they should not be, and used when
   they are dead. */

#include "hostile.h"

#define SLOTS                                                                 \
    .tp_dealloc = thing_dealloc, .tp_traverse = thing_traverse,               \
    .tp_clear = thing_clear

HOSTILE_TYPE(EarlyTracker, SLOTS);

static void
track_early(void)
{
    hostile_ready(&EarlyTracker_type);
    struct thing *one = PyObject_GC_New(struct thing, &EarlyTracker_type);

    PyObject_GC_Track((PyObject *)one);
    one->left = one->right = one->other = NULL;
    Py_DECREF(one);
}

HOSTILE_TYPE(TwiceTracker, SLOTS);

static void
track_twice(void)
{
    PyObject_GC_Track((PyObject *)thing_new(&TwiceTracker_type));
}

static void
plain_dealloc(PyObject *op)
{
    PyObject_Free(op);
}

static PyTypeObject PlainTracker_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.PlainTracker",
    .tp_basicsize = sizeof(struct thing),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = plain_dealloc,
};

static void
track_plain(void)
{
    hostile_ready(&PlainTracker_type);
    PyObject_GC_Track(
        (PyObject *)PyObject_New(struct thing, &PlainTracker_type));
}

HOSTILE_TYPE(DeadUser, SLOTS);

enum { MANY = 10 };

/* Does something to a dead one, and makes others in its place. */
static void
use_dead(void (*use)(struct thing *))
{
    struct thing *all[MANY], *dead;

    for (int i = 0; i < MANY; i++)
        all[i] = thing_new(&DeadUser_type);
    dead = all[MANY / 2];
    Py_DECREF(dead);
    use(dead);
    all[MANY / 2] = thing_new(&thing_type);
    for (int i = 0; i < 3 * MANY; i++)
        thing_new(&thing_type);
    hostile_collect(0);
    for (int i = 0; i < MANY; i++)
        Py_DECREF(all[i]);
}

static void
give_up(struct thing *dead)
{
    Py_DECREF(dead);
}

static void
give_dead_up(void)
{
    use_dead(give_up);
}

static void
write_to(struct thing *dead)
{
    dead->right = (PyObject *)dead;
}

static void
write_to_dead(void)
{
    use_dead(write_to);
}

static void
track(struct thing *dead)
{
    PyObject_GC_Track((PyObject *)dead);
}

static void
track_dead(void)
{
    use_dead(track);
}

static void
untrack(struct thing *dead)
{
    PyObject_GC_UnTrack(dead);
}

static void
untrack_dead(void)
{
    use_dead(untrack);
}

HOSTILE_TYPE(GivenUp, SLOTS);

/* A reference that another object owns is given up. */
static void
give_others_up(void)
{
    struct thing *owner = thing_new(&thing_type);
    struct thing *owned = thing_new(&GivenUp_type);

    owner->left = (PyObject *)owned; /* moves in */
    Py_DECREF(owned);
    hostile_collect(0);
    owner->left = NULL;
    Py_DECREF(owner);
}

/* The count of one that lives is not above 0. */
static void
give_up_to(Py_ssize_t count, Py_ssize_t found)
{
    struct thing *one = thing_new(&GivenUp_type);

    Py_SET_REFCNT(one, count);
    hostile_collect(found);
    Py_SET_REFCNT(one, 1);
    Py_DECREF(one);
    hostile_expect(things_freed == 1, "it is freed in the end");
}

static void
give_all_up(void)
{
    give_up_to(0, -1); /* CPython takes it for garbage */
}

static void
give_more_up(void)
{
    give_up_to(-1, 0);
}

const struct hostile hostile_objects[] = {
    {"EarlyTracker", track_early},
    {"TwiceTracker", track_twice},
    {"PlainTracker", track_plain},
    {"DeadUser-decref", give_dead_up},
    {"DeadUser-write", write_to_dead},
    {"DeadUser-track", track_dead},
    {"DeadUser-untrack", untrack_dead},
    {"GivenUp-owned", give_others_up},
    {"GivenUp-zero", give_all_up},
    {"GivenUp-negative", give_more_up},
    {NULL, NULL},
};
