/* check_watch_finalize.c: what an audit sees in tp_finalize.  See
   lib/watch/audit/calls.c and lib/watch/audit/audit_events.c. */

#include "../support/suite.h"

#include "gc/base/fatal.h"
#include "pyboehm.h"
#include "../support/watched.h"

static const char revives[] =
    "tp_finalize of events.Bad resurrects its object";

/* Some in a collection, some by count. */
START_TEST(always_resurrects)
{
    watch();
    Bad_type.tp_dealloc = finalizing_dealloc;
    Bad_type.tp_finalize = keeping_finalize;
    kept = PyList_New(0);
    make_loop(&Bad_type);
    make_loop(&Bad_type);
    PyGC_Collect();
    PyGC_Collect();
    ck_assert_int_eq(PyList_GET_SIZE(kept), 2);
    expect_nothing();
    Py_DECREF(new_thing(&Bad_type, NULL));
    PyGC_Collect();
    expect(revives, 3, 3, (void *)keeping_finalize);
    Py_CLEAR(kept);
    PyGC_Collect();
}

/* Three of four. */
static void
choosing_finalize(PyObject *op)
{
    if (((struct thing *)op)->n == 0)
        keeping_finalize(op);
}

START_TEST(sometimes_resurrects)
{
    PyObject *op;

    watch();
    Bad_type.tp_dealloc = finalizing_dealloc;
    Bad_type.tp_finalize = choosing_finalize;
    kept = PyList_New(0);
    op = new_thing(&Bad_type, NULL);
    ((struct thing *)op)->n = 1;
    Py_DECREF(op);
    for (int i = 0; i < 3; i++)
        make_loop(&Bad_type);
    PyGC_Collect();
    ck_assert_int_eq(PyList_GET_SIZE(kept), 3);
    expect_nothing();
    Py_CLEAR(kept);
}

static void
count_finalize(PyObject *op)
{
    ((struct thing *)op)->n++;
}

/* A program finalizes what it goes on to use; DEBUG_SAVEALL keeps what is
   finalized. */
START_TEST(finalized_and_alive)
{
    PyObject *all[4];

    watch();
    Bad_type.tp_dealloc = finalizing_dealloc;
    Bad_type.tp_finalize = count_finalize;
    for (int i = 0; i < 4; i++) {
        all[i] = new_thing(&Bad_type, NULL);
        PyObject_CallFinalizer(all[i]);
        ck_assert_uint_eq(((struct thing *)all[i])->n, 1);
    }
    PyGC_Collect();
    expect_nothing();
    for (int i = 0; i < 4; i++)
        Py_DECREF(all[i]);
    PyBoehm_GC_SetDebug(PyBoehm_GC_DEBUG_SAVEALL);
    for (int i = 0; i < 4; i++)
        make_loop(&Bad_type);
    ck_assert_int_eq(PyGC_Collect(), 4);
    PyBoehm_GC_SetDebug(0);
    PyGC_Collect();
    expect_nothing();
}

static void
raising_finalize(PyObject *Py_UNUSED(op))
{
    PyErr_SetString(PyExc_ValueError, "from tp_finalize");
}

START_TEST(finalize_raises)
{
    watch();
    Bad_type.tp_dealloc = finalizing_dealloc;
    Bad_type.tp_finalize = raising_finalize;
    make_loop(&Bad_type);
    PyGC_Collect();
    Py_DECREF(new_thing(&Bad_type, NULL));
    PyErr_Clear();
    expect("tp_finalize of events.Bad leaves an exception set", 2, 2,
           (void *)raising_finalize);
}

static void
losing_finalize(PyObject *Py_UNUSED(op))
{
    PyErr_Clear();
}

START_TEST(finalize_loses)
{
    watch();
    Bad_type.tp_dealloc = finalizing_dealloc;
    Bad_type.tp_finalize = losing_finalize;
    PyErr_SetString(PyExc_ValueError, "to be kept");
    Py_DECREF(new_thing(&Bad_type, NULL));
    expect("tp_finalize of events.Bad clears the exception", 1, 1,
           (void *)losing_finalize);
}

static void
lowering_finalize(PyObject *op)
{
    Py_SET_REFCNT(op, 0);
}

START_TEST(finalize_gives)
{
    struct thing *self;

    watch();
    if (pyb_checks)
        return;
    Bad_type.tp_dealloc = finalizing_dealloc;
    Bad_type.tp_finalize = lowering_finalize;
    self = (struct thing *)new_thing(&Bad_type, NULL);
    self->left = (PyObject *)self;
    PyGC_Collect();
    expect("tp_finalize of events.Bad gives up references that it does not "
           "own",
           1, 1, (void *)lowering_finalize);
    Py_SET_REFCNT(self, 1);
    PyGC_Collect();
}
