/* honest.c: types that do what few types do, and may: nothing is said to
   them. */

#include "hostile.h"

#include <ucontext.h>

#define SLOTS(DEALLOC)                                                        \
    .tp_dealloc = DEALLOC, .tp_traverse = thing_traverse,                     \
    .tp_clear = thing_clear

/* ------------------------------------------------------------------ */
/* A free list of the type's own                                       */

static struct thing *free_list;
static int reused;

/* Joins the list before it lets go of its members: these may need one. */
static void
listing_dealloc(PyObject *op)
{
    struct thing *self = (struct thing *)op;
    PyObject *left = self->left;

    PyObject_GC_UnTrack(op);
    self->left = NULL;
    self->other = (PyObject *)free_list;
    free_list = self;
    Py_XDECREF(left);
}

HOSTILE_TYPE(FreeLister, SLOTS(listing_dealloc));

static struct thing *
listed_new(void)
{
    struct thing *self = free_list;

    if (self == NULL)
        return thing_new(&FreeLister_type);
    free_list = (struct thing *)self->other;
    reused++;
    PyObject_Init((PyObject *)self, &FreeLister_type);
    self->other = NULL;
    PyObject_GC_Track((PyObject *)self);
    return self;
}

static void
using_finalize(PyObject *op)
{
    struct thing *first = listed_new();

    first->left = (PyObject *)listed_new();
    PyGC_Collect();
    Py_DECREF(first);
}

static void
finalizing_dealloc(PyObject *op)
{
    if (PyObject_CallFinalizerFromDealloc(op) == 0)
        thing_dealloc(op);
}

HOSTILE_TYPE(ListUser, SLOTS(finalizing_dealloc),
             .tp_finalize = using_finalize);

static void
free_lister(void)
{
    struct thing *one = listed_new();

    one->left = (PyObject *)thing_new(&ListUser_type);
    Py_DECREF(one);
    hostile_expect(reused == 1 && things_freed == 1, "the list is used");
    hostile_collect(0);
    while ((one = free_list) != NULL) {
        free_list = (struct thing *)one->other;
        PyObject_GC_Del(one);
    }
}

/* ------------------------------------------------------------------ */
/* Finalizers                                                          */

static int finalized;

static void
counting_finalize(PyObject *op)
{
    finalized++;
}

/* With a count of 0, which a finalizer without references may see. */
static void
bare_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_CallFinalizer(op);
    thing_dealloc(op);
}

HOSTILE_TYPE(BareFinalizer, SLOTS(bare_dealloc),
             .tp_finalize = counting_finalize);

static void
bare_finalizer(void)
{
    Py_DECREF(thing_new(&BareFinalizer_type));
    hostile_expect(finalized == 1 && things_freed == 1, "its life is over");
}

static void
collecting_finalize(PyObject *op)
{
    hostile_collect(0);
}

HOSTILE_TYPE(Collecting, SLOTS(finalizing_dealloc),
             .tp_finalize = collecting_finalize);

/* Calls the next one's finalizer; the last one sees an object die, during
   which a collection runs. */
static void
chain_finalize(PyObject *op)
{
    struct thing *self = (struct thing *)op, *dying;

    if (self->left != NULL) {
        PyObject_CallFinalizer(self->left);
        return;
    }
    dying = thing_new(&thing_type);
    dying->left = (PyObject *)thing_new(&Collecting_type);
    Py_DECREF(dying);
}

HOSTILE_TYPE(FinalizerChain, SLOTS(thing_dealloc),
             .tp_finalize = chain_finalize);

static void
finalizer_chain(void)
{
    struct thing *first = NULL;

    for (int i = 0; i < 200; i++) {
        struct thing *one = thing_new(&FinalizerChain_type);

        one->left = (PyObject *)first;
        first = one;
    }
    PyObject_CallFinalizer((PyObject *)first);
    Py_DECREF(first);
    hostile_expect(things_freed == 202, "all are freed");
}

static ucontext_t host, fibers[2];
static char stacks[2][1 << 18];
static int running;

static void
yielding_finalize(PyObject *op)
{
    swapcontext(&fibers[running], &host);
    hostile_collect(0);
}

HOSTILE_TYPE(Yielding, SLOTS(finalizing_dealloc),
             .tp_finalize = yielding_finalize);

static void
fiber(void)
{
    Py_DECREF(thing_new(&Yielding_type));
}

static void
make_fiber(ucontext_t *context, void *stack)
{
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = sizeof stacks[0];
    context->uc_link = &host;
    makecontext(context, fiber, 0);
}

/* The finalizer that was called first returns first. */
static void
yielding(void)
{
    make_fiber(&fibers[0], stacks[0]);
    make_fiber(&fibers[1], stacks[1]);
    for (int i = 0; i < 4; i++) {
        running = i % 2;
        swapcontext(&host, &fibers[running]);
    }
    hostile_expect(things_freed == 2, "both are freed");
}

/* ------------------------------------------------------------------ */
/* An object inside another one                                        */

static void
inner_dealloc(PyObject *op)
{
}

static PyTypeObject Inner_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.Inner",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = inner_dealloc,
};

struct outer {
    struct thing thing;
    PyObject inner;
};

static PyTypeObject Outer_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "hostile.Outer",
    .tp_basicsize = sizeof(struct outer),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    SLOTS(thing_dealloc),
};

static void
outer(void)
{
    struct thing *user = thing_new(&thing_type);

    hostile_ready(&Inner_type);
    struct outer *self = (struct outer *)thing_raw(&Outer_type);
    PyObject_Init(&self->inner, &Inner_type);
    PyObject_GC_Track((PyObject *)self);
    thing_link(user, &self->inner, NULL);
    hostile_collect(0);
    Py_DECREF(user);
    Py_DECREF(self);
    hostile_expect(things_freed == 2, "both are freed");
}

const struct hostile hostile_honest[] = {
    {"FreeLister", free_lister},
    {"BareFinalizer", bare_finalizer},
    {"FinalizerChain", finalizer_chain},
    {"Yielding", yielding},
    {"Outer", outer},
    {NULL, NULL},
};
