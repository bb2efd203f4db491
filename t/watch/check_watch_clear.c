/* check_watch_clear.c: what an audit sees in tp_clear, and which cycles it
   says are left.  See lib/watch/audit/calls.c and lib/watch/audit/unbroken.c.
 */

#include "../support/suite.h"

#include "gc/base/fatal.h"
#include "watch/audit/findings.h"
#include "../support/watched.h"

static int
idle_clear(PyObject *Py_UNUSED(op))
{
    return 0;
}

static const char one_alone[] =
    "a cycle of events.Bad -> events.Bad stays alive: tp_clear of events.Bad "
    "does not break it";

/* The same ones again are no others. */
START_TEST(idle_clear_is_found)
{
    watch();
    Bad_type.tp_clear = idle_clear;
    make_loop(&Bad_type);
    make_loop(&Bad_type);
    PyGC_Collect();
    PyGC_Collect();
    expect(one_alone, 2, 0, (void *)idle_clear);
}

/* A ring of many is a cycle of the type with itself; what hangs on it is
   none. */
START_TEST(long_ring)
{
    enum { N = 5000 };
    PyObject *first, *last, *tail;

    watch();
    Bad_type.tp_clear = idle_clear;
    tail = PyList_New(0);
    ck_assert_int_eq(PyList_Append(tail, tail), 0);
    first = last = new_thing(&Bad_type, NULL);
    for (int i = 1; i < N; i++)
        last = new_thing(&Bad_type, last);
    ((struct thing *)first)->left = last;
    ((struct thing *)first)->right = tail;
    PyGC_Collect();
    expect(one_alone, 1, 0, (void *)idle_clear);
}

/* Of several cycles through an object the smallest is told. */
START_TEST(smallest_cycle)
{
    PyObject *inner, *outer, *tuple;

    watch();
    Bad_type.tp_clear = idle_clear;
    inner = new_thing(&Bad_type, NULL);
    tuple = PyTuple_Pack(1, inner);
    outer = new_thing(&Bad_type, inner); /* moves in, as the others do */
    ((struct thing *)outer)->right = PyTuple_Pack(1, tuple);
    Py_DECREF(tuple);
    ((struct thing *)inner)->right = outer;
    PyGC_Collect();
    expect("a cycle of events.Bad -> events.Bad stays alive: tp_clear of "
           "events.Bad does not break it",
           1, 0, (void *)idle_clear);
}

/* It is not the tuple that should have done it. */
START_TEST(cycle_with_tuple)
{
    PyObject *op, *tuple;

    watch();
    Bad_type.tp_clear = idle_clear;
    op = new_thing(&Bad_type, NULL);
    tuple = PyTuple_Pack(1, op);
    ((struct thing *)op)->left = tuple;
    Py_DECREF(op);
    PyGC_Collect();
    expect("a cycle of events.Bad -> tuple -> events.Bad stays alive: "
           "tp_clear of events.Bad does not break it",
           1, 0, (void *)idle_clear);
}

START_TEST(cycle_without_clear)
{
    PyObject *op, *tuple;

    watch();
    Bad_type.tp_clear = NULL;
    Bad_type.tp_base = &PyBaseObject_Type;
    op = new_thing(&Bad_type, NULL);
    tuple = PyTuple_Pack(1, op);
    ((struct thing *)op)->left = tuple;
    Py_DECREF(op);
    PyGC_Collect();
    expect("a cycle of events.Bad -> tuple -> events.Bad stays alive: none "
           "of its types has tp_clear",
           1, 0, NULL);
}

static void
quiet_finalize(PyObject *Py_UNUSED(op))
{
}

/* They are finalized and alive, which is not their finalizer's fault. */
START_TEST(finalized_and_not_broken)
{
    watch();
    Bad_type.tp_clear = idle_clear;
    Bad_type.tp_finalize = quiet_finalize;
    for (int i = 0; i < 4; i++)
        make_loop(&Bad_type);
    PyGC_Collect();
    PyGC_Collect();
    expect(one_alone, 4, 0, (void *)idle_clear);
}

/* An object that a tp_clear has brought back is owned again: no cycle holds
   it. */
static int
keeping_clear(PyObject *op)
{
    if (kept == NULL)
        kept = Py_NewRef(op);
    return 0;
}

START_TEST(kept_by_clear)
{
    watch();
    Bad_type.tp_clear = keeping_clear;
    make_loop(&Bad_type);
    PyGC_Collect();
    ck_assert_ptr_nonnull(kept);
    expect("events.Bad that was cleared as garbage has an owner; visited by "
           "events.Bad+16 (first)",
           1, 0, (void *)keeping_clear);
    thing_clear(kept);
    Py_CLEAR(kept);
}

static int
raising_clear(PyObject *op)
{
    thing_clear(op);
    PyErr_SetString(PyExc_ValueError, "from tp_clear");
    return -1;
}

START_TEST(clear_raises)
{
    watch();
    Bad_type.tp_clear = raising_clear;
    make_loop(&Bad_type);
    make_loop(&Bad_type);
    PyGC_Collect();
    expect("tp_clear of events.Bad leaves an exception set", 2, 2,
           (void *)raising_clear);
}

static int
freeing_clear(PyObject *op)
{
    thing_dealloc(op);
    return 0;
}

START_TEST(clear_frees)
{
    enum { PAIRS = 20 };
    PyObject *pairs[2 * PAIRS];
    struct thing *self = NULL;
    int n = 0;

    watch();
    if (pyb_checks)
        return;
    /* The one that is to be cleared first has the lower address. */
    for (; n < PAIRS && self == NULL; n++) {
        pairs[2 * n] = new_thing(&Bad_type, NULL);
        pairs[2 * n + 1] = new_thing(&Good_type, NULL);
        if (pairs[2 * n] < pairs[2 * n + 1])
            self = (struct thing *)pairs[2 * n];
    }
    ck_assert_ptr_nonnull(self);
    ((struct thing *)pairs[2 * n - 1])->left = Py_NewRef(self);
    self->left = pairs[2 * n - 1];
    Py_DECREF(self);
    for (int i = 0; i < 2 * n - 2; i++)
        Py_DECREF(pairs[i]);
    Bad_type.tp_clear = freeing_clear;
    PyGC_Collect();
    ck_assert_uint_ge(pyb_findings_noticed.n, 1);
    ck_assert_str_eq(pyb_findings_noticed.all[0].what,
                     "tp_clear of events.Bad frees its object");
}

static int
lowering_clear(PyObject *op)
{
    thing_clear(op);
    Py_SET_REFCNT(op, 0);
    return 0;
}

START_TEST(clear_gives)
{
    watch();
    if (pyb_checks)
        return;
    Bad_type.tp_clear = lowering_clear;
    make_loop(&Bad_type);
    PyGC_Collect();
    expect("tp_clear of events.Bad gives up references that it does not own",
           1, 1, (void *)lowering_clear);
}
