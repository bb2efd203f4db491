/* check_watch_early.c: what an audit sees when an object is tracked before its
   fields are set.  See lib/watch/audit/unset.c. */

#include "../support/suite.h"

#include <sys/mman.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "../support/watched.h"

/* A collection in between is survived. */
START_TEST(tracked_early)
{
    struct thing *self;

    watch();
    if (pyb_checks)
        return;
    for (int i = 0; i < 100; i++) {
        self = raw_thing(&Bad_type);
        self->right = NULL;
        PyObject_GC_Track((PyObject *)self);
        PyGC_Collect();
        self->left = Py_NewRef(Py_None);
        self->n = 0;
        Py_DECREF(self);
    }
    expect("events.Bad is tracked before it has set +16 (first)", 100, 100,
           (void *)thing_traverse);
}

/* All that is not set is told in one line. */
START_TEST(tracked_all_unset)
{
    struct thing *self;

    watch();
    if (pyb_checks)
        return;
    Py_DECREF(new_thing(&Bad_type, NULL));
    self = raw_thing(&Bad_type);
    PyObject_GC_Track((PyObject *)self);
    self->left = self->right = NULL;
    Py_DECREF(self);
    expect("events.Bad is tracked before it has set +16 (first), +24", 1, 2,
           (void *)thing_traverse);
}

/* What is not visited does not matter. */
START_TEST(tracked_with_the_rest_unset)
{
    struct thing *self;

    watch();
    self = raw_thing(&Bad_type);
    self->left = self->right = NULL;
    PyObject_GC_Track((PyObject *)self);
    self->n = 3;
    Py_DECREF(self);
    self = raw_thing(&Bad_type); /* it is never tracked */
    self->left = self->right = NULL;
    PyObject_GC_Del(self);
    expect_nothing();
}

/* It owns nothing. */
static void
plain_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_GC_Del(op);
}

/* So many, from where left says. */
static int
counting_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct thing *self = (struct thing *)op;

    for (size_t i = 0; i < self->n; i++)
        Py_VISIT(((PyObject **)(void *)self->left)[i]);
    return 0;
}

/* One place, behind which nothing can be read. */
static void *
last_place(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(pages, MAP_FAILED);
    ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
    return pages + page - sizeof(PyObject *);
}

/* A length that is none leads to a fault, which is the proof.  A collection
   that begins before it is set is survived. */
START_TEST(tracked_without_length)
{
    enum { N = 70 }; /* more than are tried */
    void *place = last_place();

    watch();
    if (pyb_checks || suite_is_slow())
        return;
    Bad_type.tp_traverse = counting_traverse;
    Bad_type.tp_dealloc = plain_dealloc;
    for (int i = 0; i < N; i++) {
        struct thing *self = raw_thing(&Bad_type);

        self->left = place;
        self->right = NULL;
        PyObject_GC_Track((PyObject *)self);
        PyGC_Collect();
        self->n = 0;
        Py_DECREF(self);
    }
    expect("events.Bad is tracked before it has set +32", N, N,
           (void *)counting_traverse);
}

/* A field that is visited if another says so. */
static int
choosing_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct thing *self = (struct thing *)op;

    if (self->n > 0)
        Py_VISIT(self->left);
    Py_VISIT(self->right);
    return 0;
}

START_TEST(tracked_before_it_matters)
{
    struct thing *self;

    watch();
    Bad_type.tp_traverse = choosing_traverse;
    for (int i = 0; i < 3; i++) {
        self = raw_thing(&Bad_type);
        self->n = 0;
        self->right = NULL;
        PyObject_GC_Track((PyObject *)self);
        self->left = Py_NewRef(Py_None);
        self->n = 1;
        PyGC_Collect();
        Py_DECREF(self);
    }
    expect_nothing();
}
