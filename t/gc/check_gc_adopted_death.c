/* check_gc_adopted_death.c: how adopted objects die. */

#include "../support/adopted.h"
#include "../support/suite.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <pyboehm.h>

static PyObject *with_dict; /* a class: its instances have dictionaries */

static long cleared_before;

static void
note_clear(struct node *Py_UNUSED(node))
{
    cleared_before = Py_MAX(cleared_before, MANY - node_log.finalized);
}

static void
make_pair(int Py_UNUSED(i))
{
    struct node *one = node_new(&node_final_type);
    struct node *other = node_new(&node_type);

    node_link(one, other, NULL);
    node_link(other, one, NULL);
    Py_DECREF(other);
    adopt(one);
}

/* Pairs are freed by tp_clear; all finalizers come before. */
START_TEST(finalizers_come_before_clear)
{
    adopted_begin();
    node_log.on_clear = note_clear;
    make_many(make_pair);
    collect();
    ck_assert_int_ge(node_log.freed, 2 * NEARLY);
    ck_assert_int_le(cleared_before, MANY - NEARLY);
    node_log.on_clear = NULL;
}

static void
collect_boehms(struct node *Py_UNUSED(node))
{
    if (node_log.cleared <= 10)
        GC_gcollect();
}

START_TEST(boehm_collects_while_they_die)
{
    adopted_begin();
    node_log.on_clear = collect_boehms;
    make_many(make_pair);
    collect();
    ck_assert_int_ge(node_log.freed, 2 * NEARLY);
    ck_assert_int_ge(node_log.cleared, 10);
    node_log.on_clear = NULL;
}

static void
make_chain(int Py_UNUSED(i))
{
    struct node *one = node_new(&node_type), *other = node_new(&node_type);

    node_link(one, other, NULL);
    Py_DECREF(other);
    adopt(one);
}

/* What is no cycle dies by count, as it would by Py_DECREF: from tp_dealloc
   tp_clear is called once for each object, by the collector never. */
START_TEST(what_is_no_cycle_dies_by_count)
{
    adopted_begin();
    make_many(make_chain);
    collect();
    ck_assert_int_ge(node_log.freed, 2 * NEARLY);
    ck_assert_int_le(node_log.cleared, node_log.freed);
}

/* Puts itself where Boehm sees it, without counting. */
static void
return_to_host(struct node *node)
{
    host[node->label % MANY] = node;
}

static void
make_returning(int i)
{
    struct node *node = node_new(&node_final_type);

    node->label = i;
    adopt(node);
}

START_TEST(finalizers_may_bring_them_back)
{
    adopted_begin();
    make_many(make_returning);
    node_log.on_finalize = return_to_host;
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_ge(node_log.finalized, NEARLY);
    ck_assert_int_eq(node_log.freed, 0);
    memset(host, 0, MANY * sizeof *host);
    collect();
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
    ck_assert_int_le(node_log.finalized, MANY);
    node_log.on_finalize = NULL;
}

/* As Boehm promises for its own, and not for what lives. */
static void *links[2 * MANY];

static void
make_linked(int i)
{
    links[i] = (void *)~(GC_word)adopt(node_new(&node_type));
    GC_general_register_disappearing_link(&links[i],
                                          (void *)~(GC_word)links[i]);
    make_hidden(i);
    PyObject *inner = PyList_GET_ITEM((PyObject *)host[i], 0);
    void **block = ((struct node *)inner)->host;
    links[MANY + i] = (void *)~(GC_word)*block;
    GC_general_register_disappearing_link(&links[MANY + i], *block);
}

START_TEST(disappearing_links_to_the_dead_are_cleared)
{
    int dead = 0, living = 0;

    adopted_begin();
    make_many(make_linked);
    collect();
    for (int i = 0; i < MANY; i++) {
        dead += links[i] == NULL;
        living += links[MANY + i] != NULL;
    }
    ck_assert_int_ge(dead, NEARLY);
    ck_assert_int_eq(living, MANY);
}

/* A weak reference says of an adopted object what it says of others, and does
   not keep it, though Boehm looks into it. */
static PyObject *refs[MANY];

static void
make_referenced(int i)
{
    PyObject *list = PyObject_CallNoArgs(with_dict);

    refs[i] = PyWeakref_NewRef(list, NULL);
    PyBoehm_Adopt(list);
}

START_TEST(weak_references_do_not_keep_the_adopted)
{
    int dead = 0;

    adopted_begin();
    with_dict = suite_class("s(){}", "D");
    make_many(make_referenced);
    collect();
    for (int i = 0; i < MANY; i++) {
        PyObject *op;

        dead += PyWeakref_GetRef(refs[i], &op) == 0;
        Py_XDECREF(op);
        Py_DECREF(refs[i]);
    }
    ck_assert_int_ge(dead, NEARLY);
    Py_DECREF(with_dict);
}

static void
make_waiting(int i)
{
    make_one(i);
    make_pair(i);
}

/* They come into Boehm's queue like others. */
START_TEST(finalizers_on_demand_finalize_the_adopted)
{
    int before = GC_get_finalize_on_demand();

    adopted_begin();
    GC_set_finalize_on_demand(1);
    PyGC_Enable();
    make_many(make_waiting);
    for (int i = 0; i < 100 && node_log.freed < 3 * NEARLY; i++) {
        GC_gcollect();
        suite_forget_stack();
        for (int j = 0; j < 4000; j++)
            host[j % MANY] = adopt(node_new(&node_type));
        GC_invoke_finalizers();
    }
    ck_assert_int_ge(node_log.freed, 3 * NEARLY);
    GC_set_finalize_on_demand(before);
}

static void
make_referenced_ring(int i)
{
    PyObject *op = PyObject_CallNoArgs(with_dict);

    PyObject_SetAttrString(op, "self", op);
    refs[i] = PyWeakref_NewRef(op, NULL);
    Py_DECREF(op);
}

static void
adopt_referenced(int i)
{
    PyObject *op;

    ck_assert_int_eq(PyWeakref_GetRef(refs[i], &op), 1);
    host[i] = PyBoehm_Adopt(op);
}

static int
count_referenced(void)
{
    int n = 0;

    for (int i = 0; i < MANY; i++) {
        PyObject *op, *self = NULL;

        if (PyWeakref_GetRef(refs[i], &op) == 1)
            n += PyObject_GetOptionalAttrString(op, "self", &self) == 1;
        Py_XDECREF(self);
        Py_XDECREF(op);
    }
    return n;
}

/* What has been found dead waits in Boehm's queue, and a weak reference leads
   the host to it, which has it adopted.  No reference is counted then. */
START_TEST(what_is_adopted_while_it_waits_lives)
{
    int before = GC_get_finalize_on_demand();

    adopted_begin();
    if (GC_get_find_leak())
        return; /* nothing waits then */
    GC_set_finalize_on_demand(1);
    with_dict = suite_class("s(){}", "D");
    make_many(make_referenced_ring);
    PyGC_Enable();
    next_is_full();
    PyGC_Disable();
    make_many(adopt_referenced);
    GC_gcollect();
    GC_invoke_finalizers();
    ck_assert_int_eq(count_referenced(), MANY);
    memset(host, 0, MANY * sizeof *host);
    collect();
    ck_assert_int_le(count_referenced(), MANY - NEARLY);
    for (int i = 0; i < MANY; i++)
        Py_DECREF(refs[i]);
    Py_DECREF(with_dict);
    GC_set_finalize_on_demand(before);
}

/* Lists that Boehm sees; it does not see that they lead to the blocks. */
static void
make_owning(int i)
{
    PyObject *list = PyList_New(0);
    struct node *node = node_new(&node_type);

    node->host = GC_MALLOC(16);
    GC_REGISTER_FINALIZER_NO_ORDER(node->host, count_finalizer, NULL, NULL,
                                   NULL);
    PyList_Append(list, (PyObject *)node);
    Py_DECREF(node);
    host[i] = PyBoehm_Adopt(list);
}

/* One set waits for Boehm, which finds it while it is asked about others, and
   is asked about this one then.  That must not decide about the others.  If it
   has found it before, it may call the finalizer before it collects. */
static void
ask_within(int found_before)
{
    int before = GC_get_finalize_on_demand();

    adopted_begin();
    if (!GC_get_java_finalization() || GC_get_find_leak())
        return; /* there is no last question; nothing waits */
    GC_set_finalize_on_demand(1);
    with_dict = suite_class("s(){}", "D");
    make_referenced_ring(0);
    PyGC_Enable();
    next_is_full();
    PyGC_Disable();
    adopt_referenced(0);
    make_many(make_owning);
    if (found_before)
        GC_gcollect();
    GC_set_finalize_on_demand(0);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(host_finalizers, 0);
    memset(host, 0, MANY * sizeof *host);
    for (int round = 0; round < 4; round++)
        collect();
    ck_assert_int_ge(host_finalizers, MANY / 2); /* they do come */
    suite_drop(refs[0], with_dict);
    GC_set_finalize_on_demand(before);
}

START_TEST(a_question_within_a_question)
{
    ask_within(0);
}

START_TEST(a_question_before_a_question)
{
    ask_within(1);
}
