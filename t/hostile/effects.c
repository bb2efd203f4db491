/* effects.c: types whose tp_traverse has effects. */

#include "hostile.h"

/* What it does, once, when its object has been set up. */
static void (*deed)(struct thing *self);

static int
loud_traverse(PyObject *op, visitproc visit, void *arg)
{
    void (*now)(struct thing *) = deed;

    deed = NULL;
    if (now != NULL)
        now((struct thing *)op);
    return thing_traverse(op, visit, arg);
}

HOSTILE_TYPE(Loud, .tp_dealloc = thing_dealloc, .tp_traverse = loud_traverse,
             .tp_clear = thing_clear);

/* Collects while there is a reference to the pair. */
static struct thing *
collect_alive(void (*what)(struct thing *))
{
    struct thing *first = thing_pair(&Loud_type);

    deed = what;
    hostile_collect(-1);
    hostile_expect(first->left != NULL &&
                       ((struct thing *)first->left)->left ==
                           (PyObject *)first,
                   "the pair is intact");
    return first;
}

static PyObject *made;

static void
make(struct thing *self)
{
    made = PyList_New(0);
}

static void
allocates(void)
{
    Py_DECREF(collect_alive(make));
    Py_DECREF(made);
    hostile_collect(2);
}

static struct thing *untracked;

static void
track(struct thing *self)
{
    PyObject_GC_Track((PyObject *)untracked);
}

static void
tracks(void)
{
    untracked = thing_raw(&thing_type);
    Py_DECREF(collect_alive(track));
    Py_DECREF(untracked);
    hostile_collect(2);
}

static void
untrack(struct thing *self)
{
    PyObject_GC_UnTrack(self);
}

static void
untracks(void)
{
    Py_DECREF(collect_alive(untrack));
}

static void
raise(struct thing *self)
{
    PyErr_SetString(PyExc_ValueError, "from tp_traverse");
}

static void
raises(void)
{
    Py_DECREF(collect_alive(raise));
    hostile_collect(2);
    PyErr_Clear();
}

static int gained;

static void
gain(struct thing *self)
{
    gained++;
    Py_INCREF(self->left);
    deed = gain; /* every time */
}

static void
gains(void)
{
    struct thing *first = collect_alive(gain);

    for (deed = NULL; gained > 0; gained--)
        Py_DECREF(first->left);
    Py_DECREF(first);
    hostile_collect(2);
}

static void
lose(struct thing *self)
{
    Py_SET_REFCNT(self->left, Py_REFCNT(self->left) - 1);
}

/* The other one's count is 0 while it lives, and put right. */
static void
loses(void)
{
    struct thing *first = collect_alive(lose);

    Py_INCREF(first->left);
    Py_DECREF(first);
    hostile_collect(2);
}

static void
collect(struct thing *self)
{
    hostile_expect(PyGC_Collect() == 0, "no collection in a collection");
}

static void
collects(void)
{
    Py_DECREF(collect_alive(collect));
    hostile_collect(2);
}

/* The same, asked for by the module gc. */
static void
search(const char *function, PyObject *(*what)(struct thing *))
{
    struct thing *first = thing_pair(&Loud_type);
    PyObject *gc = PyImport_ImportModule("gc");

    hostile_expect(gc != NULL, "there is a module gc");
    PyObject *asked = what(first);
    deed = make;
    PyObject *list = PyObject_CallMethod(gc, function, "O", asked);
    hostile_expect(list != NULL && PyList_Size(list) > 0, "it finds one");
    Py_DECREF(list);
    Py_DECREF(made);
    Py_DECREF(gc);
    Py_DECREF(first);
    hostile_collect(2);
}

static PyObject *
itself(struct thing *first)
{
    return (PyObject *)first;
}

static PyObject *
other(struct thing *first)
{
    return first->left;
}

static void
shows_referents(void)
{
    search("get_referents", itself);
}

static void
is_a_referrer(void)
{
    search("get_referrers", other);
}

/* Of an honest type: no type is to blame for what is pending. */
static void
track_with_an_error(void)
{
    struct thing *one = thing_raw(&thing_type);

    PyErr_SetNone(PyExc_KeyError);
    PyObject_GC_Track((PyObject *)one);
    hostile_expect(PyErr_ExceptionMatches(PyExc_KeyError),
                   "the exception is pending still");
    PyErr_Clear();
    Py_DECREF(one);
}

const struct hostile hostile_effects[] = {
    {"Loud-allocates", allocates},
    {"Loud-tracks", tracks},
    {"Loud-untracks", untracks},
    {"Loud-raises", raises},
    {"Loud-gains", gains},
    {"Loud-loses", loses},
    {"Loud-collects", collects},
    {"Loud-referents", shows_referents},
    {"Loud-referrer", is_a_referrer},
    {"Honest-raised", track_with_an_error},
    {NULL, NULL},
};
