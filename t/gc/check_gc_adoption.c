/* check_gc_adoption.c: objects that live as long as Boehm sees them. */

#include "../support/adopted.h"
#include "../support/suite.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <pyboehm.h>

/* ------------------------------------------------------------------ */
/* The calls                                                           */

START_TEST(adoption_takes_the_reference_over)
{
    adopted_begin();
    PyObject *op = (PyObject *)node_new(&node_type);

    host[0] = adopt(node_new(&node_type)); /* another one is and stays */
    ck_assert_int_eq(PyBoehm_IsAdopted(op), 0);
    ck_assert_ptr_eq(PyBoehm_Adopt(op), op);
    ck_assert_int_eq(PyBoehm_IsAdopted(op), 1);
    ck_assert_int_gt(Py_REFCNT(op), 1 << 28);
    ck_assert_ptr_eq(PyBoehm_Disown(op), op);
    ck_assert_int_eq(PyBoehm_IsAdopted(op), 0);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
    ck_assert_int_eq(node_log.freed, 1);
}

START_TEST(a_second_adoption_gives_the_reference_up)
{
    adopted_begin();
    PyObject *op = (PyObject *)node_new(&node_type);

    Py_INCREF(op);
    PyBoehm_Adopt(op);
    Py_ssize_t before = Py_REFCNT(op);
    ck_assert_ptr_eq(PyBoehm_Adopt(op), op);
    ck_assert_int_eq(Py_REFCNT(op), before - 1);
    PyBoehm_Disown(op);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
    ck_assert_int_eq(node_log.freed, 1);
}

START_TEST(only_containers_are_adopted)
{
    adopted_begin();
    PyObject *op = PyFloat_FromDouble(1.5);

    Py_INCREF(op);
    suite_refused(PyBoehm_Adopt(op), PyExc_TypeError,
                  "PyBoehm_Adopt: 'float' object is not a container");
    ck_assert_int_eq(Py_REFCNT(op), 1);
    ck_assert_int_eq(PyBoehm_IsAdopted(op), 0);
    suite_refused(PyBoehm_Disown(op), PyExc_ValueError,
                  "PyBoehm_Disown: object is not adopted");
    Py_DECREF(op);
}

/* Boehm sees no pointers to what is not in its heap. */
START_TEST(static_objects_are_not_adopted)
{
    static struct node node;
    PyObject *op = (PyObject *)&node;

    adopted_begin();
    PyObject_Init(op, &node_type);
    Py_INCREF(op);
    suite_refused(PyBoehm_Adopt(op), PyExc_TypeError,
                  "PyBoehm_Adopt: 't.Node' object is not a container");
    ck_assert_int_eq(Py_REFCNT(op), 1);
}

START_TEST(immortal_objects_stay_what_they_are)
{
    adopted_begin();
    ck_assert_ptr_eq(PyBoehm_Adopt(Py_None), Py_None);
    ck_assert_ptr_eq(PyBoehm_Adopt((PyObject *)&PyList_Type), &PyList_Type);
    ck_assert_int_eq(PyBoehm_IsAdopted(Py_None), 0);
    ck_assert_ptr_eq(PyBoehm_Disown(Py_None), Py_None);
}

START_TEST(adoption_passes_failures_on)
{
    adopted_begin();
    PyErr_SetString(PyExc_KeyError, "the call before");
    suite_refused(PyBoehm_Adopt(NULL), PyExc_KeyError, "'the call before'");
}

static void
give_up_too_many_checked(void)
{
    suite_with_checks();
    adopted_begin();
    host[0] = adopt(node_new(&node_type));
    Py_DECREF(host[0]);
    collect();
}

START_TEST(a_reference_too_many_given_up_frees_nothing)
{
#ifndef PYBOEHM_CHECKS /* fatal there, as shown below */
    adopted_begin();
    host[0] = adopt(node_new(&node_type));
    Py_DECREF(host[0]);
    collect();
    ck_assert_int_eq(node_log.freed, 0);
    host[0] = NULL;
    collect();
    ck_assert_int_eq(node_log.freed, 0); /* nothing leads to it any more */
#endif
    SUITE_FATAL(give_up_too_many_checked(),
                "Py_DECREF: type t.Node: Boehm's reference was released: "
                "PyBoehm_Adopt takes over the caller's, object at");
}

/* Only what is tracked is decided about. */
START_TEST(the_adopted_are_tracked)
{
    adopted_begin();
    host[0] = PyBoehm_Adopt(PyDict_New());
    host[1] = Py_NewRef(PyTuple_Pack(1, Py_None));
    PyBoehm_Adopt(host[1]);
    ck_assert_int_eq(PyObject_GC_IsTracked(host[0]), 1);
    collect();
    ck_assert_int_eq(PyObject_GC_IsTracked(host[0]), 1);
    ck_assert_int_eq(PyObject_GC_IsTracked(host[1]), 1);
    Py_DECREF(host[1]);
}

START_TEST(the_adopted_keep_their_size)
{
    adopted_begin();
    PyObject *op = PyBoehm_Adopt(PyTuple_New(3));
    PyVarObject *same = (PyVarObject *)op;

    PyObject_GC_UnTrack(op);
    suite_refused((PyObject *)PyObject_GC_Resize(PyTupleObject, same, 5),
                  PyExc_SystemError,
                  "PyObject_GC_Resize: object of type tuple is adopted");
    PyObject_GC_Track(op);
    Py_DECREF(PyBoehm_Disown(op));
}

/* ------------------------------------------------------------------ */
/* What lives                                                          */

START_TEST(what_nobody_sees_dies)
{
    adopted_begin();
    make_many(make_one);
    ck_assert_int_ge(collect(), NEARLY);
    ck_assert_int_ge(node_log.freed, NEARLY);
    ck_assert_int_ge(node_log.finalized, node_log.freed);
    collect();
    ck_assert_int_le(node_log.finalized, MANY);
}

START_TEST(what_the_host_sees_lives)
{
    adopted_begin();
    make_many(make_visible);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(node_log.finalized, 0);
    ck_assert_int_eq(node_log.freed, 0);
    memset(host, 0, MANY * sizeof *host);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}

START_TEST(what_is_counted_lives)
{
    adopted_begin();
    PyObject **owned = malloc(MANY * sizeof *owned);

    for (int i = 0; i < MANY; i++) {
        owned[i] = (PyObject *)node_new(&node_type);
        Py_INCREF(owned[i]);
        adopt((struct node *)owned[i]);
    }
    ck_assert_int_eq(collect(), 0);
    for (int i = 0; i < MANY; i++) {
        ck_assert_int_eq(PyBoehm_IsAdopted(owned[i]), 1);
        Py_CLEAR(owned[i]);
    }
    ck_assert_int_eq(node_log.freed, 0);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
    free(owned);
}

/* Host block -> adopted node -> list, whose items are malloc memory -> managed
   dict of an object -> node -> the host block again. */
static PyObject *with_dict;

static void
make_cycle(int i)
{
    void **block = GC_MALLOC(4 * sizeof *block);
    struct node *adopted = node_new(&node_type), *last = node_new(&node_type);
    PyObject *list = PyList_New(0), *op = PyObject_CallNoArgs(with_dict);

    last->host = block;
    PyObject_SetAttrString(op, "node", (PyObject *)last);
    PyList_Append(list, op);
    node_link(adopted, list, NULL);
    suite_drop(op, list, last);
    block[1] = adopt(adopted);
    if (host != NULL)
        host[i] = block;
}

START_TEST(cycles_through_both_heaps_die)
{
    adopted_begin();
    with_dict = suite_class("s(){}", "D");
    make_many(make_cycle);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(node_log.freed, 0);
    memset(host, 0, MANY * sizeof *host);
    collect();
    ck_assert_int_ge(node_log.freed, 2 * NEARLY);
    Py_DECREF(with_dict);
}

static void
make_small_cycle(int Py_UNUSED(i))
{
    struct node *node = node_new(&node_type);
    void **block = GC_MALLOC(2 * sizeof *block);

    node->host = block;
    block[1] = adopt(node);
}

/* What the set leads to is more than Boehm's mark stack has room for, so it
   scans all that it has marked once more. */
START_TEST(many_of_them_die_at_once)
{
    const int times = 20;

    adopted_begin();
    for (int i = 0; i < times; i++)
        make_many(make_small_cycle);
    ck_assert_int_ge(collect(), times * NEARLY);
    ck_assert_int_ge(node_log.freed, times * NEARLY);
}

START_TEST(what_boehm_cannot_see_lives)
{
    adopted_begin();
    grow_table_of_finalizers();
    GC_gcollect();
    make_many(make_hidden);
    for (int round = 0; round < 3; round++) {
        ck_assert_int_eq(collect(), 0);
        ck_assert_int_eq(node_log.freed + node_log.finalized, 0);
        ck_assert_int_eq(host_finalizers, 0);
    }
    memset(host, 0, MANY * sizeof *host);
    for (int round = 0; round < 3; round++)
        collect();
    ck_assert_int_ge(node_log.freed, 3 * NEARLY);
}

/* They are owned from outside there. */
START_TEST(young_collections_leave_the_adopted_alone)
{
    adopted_begin();
    make_many(make_one);
    GC_word before = GC_get_gc_no();
    ck_assert_int_eq(PyBoehm_GC_Collect(0), 0);
    ck_assert_int_eq(PyBoehm_GC_Collect(1), 0);
    ck_assert_uint_eq(GC_get_gc_no(), before);
    ck_assert_int_eq(node_log.finalized, 0);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}

/* Automatic collections follow Boehm's, up to eight of them, where our heap
   has not grown: else 22 of the first generation come before one of all is
   due.
 */
START_TEST(automatic_collections_find_the_adopted)
{
    adopted_begin();
    make_many(make_visible);
    collect();
    memset(host, 0, MANY * sizeof *host);
    PyGC_Enable();
    for (int i = 0; i < 3000; i++)
        host[i % MANY] = adopt(node_new(&node_type));
    if (getenv("PYBOEHM_STRESS") == NULL)
        ck_assert_int_eq(node_log.finalized, 0);
    for (int i = 0; i < 8; i++)
        GC_gcollect();
    suite_forget_stack();
    for (int i = 0; i < 3000; i++)
        host[i % MANY] = adopt(node_new(&node_type));
    GC_gcollect();
    GC_invoke_finalizers();
    ck_assert_int_ge(node_log.finalized, NEARLY);
}

/* Boehm, which is disabled, collects n times. */
static void
boehm_collects(unsigned long n)
{
    GC_enable();
    for (unsigned long i = 0; i < n; i++)
        GC_gcollect();
    GC_disable();
}

static void
make_plain(int Py_UNUSED(i))
{
    adopt(node_new(&node_type));
}

static void
asked_after(unsigned long n)
{
    boehm_collects(n - 1);
    ck_assert_int_eq(next_is_full(), 0);
    boehm_collects(1);
    ck_assert_int_eq(next_is_full(), 1);
}

/* After so many collections of Boehm's an automatic one is a full one.  It has
   to collect more often as long as nothing that was adopted has died.  Not
   where a collection of Boehm's takes more than one call, and not where it is
   never asked. */
START_TEST(boehm_is_asked_now_and_then)
{
    if (GC_is_incremental_mode() || GC_get_find_leak() || /* it is not asked */
        getenv("PYBOEHM_STRESS") != NULL)
        return;
    node_reset();
    host = GC_MALLOC_UNCOLLECTABLE(sizeof *host);
    GC_disable();
    Py_Finalize();
    boehm_collects(3);
    Py_Initialize();
    PyBoehm_GC_SetThreshold((const int[]){100, 10000, 10000});
    host[0] = adopt(node_new(&node_type));
    for (unsigned long n = 1; n <= 8; n *= 2)
        asked_after(n);
    asked_after(8);

    make_many(make_plain); /* after finalizers it is asked again */
    GC_enable();
    ck_assert_int_ge(collect(), NEARLY);
    GC_disable();
    if (GC_get_java_finalization()) /* else Boehm has to find them dead */
        asked_after(1);
    GC_enable();
}

/* Not where nothing is adopted any more. */
START_TEST(boehm_is_not_asked_about_nothing)
{
    adopted_begin();
    if (getenv("PYBOEHM_STRESS") != NULL)
        return;
    PyBoehm_GC_SetThreshold((const int[]){100, 10000, 10000});
    PyGC_Enable();
    Py_DECREF(PyBoehm_Disown((PyObject *)adopt(node_new(&node_type))));
    for (int i = 0; i < 10; i++)
        GC_gcollect();
    ck_assert_int_eq(next_is_full(), 0);
}

START_TEST(without_boehms_word_they_live)
{
    adopted_begin();
    make_many(make_one);
    GC_disable();
    ck_assert_int_eq(collect(), 0);
    GC_enable();
    ck_assert_int_eq(node_log.finalized, 0);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}
