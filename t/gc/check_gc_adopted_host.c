/* check_gc_adopted_host.c: adopted objects, and the host's finalizers and
   switches. */

#include "../support/adopted.h"
#include "../support/suite.h"
#include "../support/threads.h"

#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/gc_mark.h>
#include <pyboehm.h>

/* Finalizers of the host use what their objects refer to. */
static long broken;

static void
host_finalizer(void *block, void *next)
{
    struct node *node = *(void **)block;

    host_finalizers++;
    broken += Py_TYPE(node) != &node_final_type || node->label != 12345;
    (void)next;
}

/* A chain of blocks that Boehm finalizes one after the other; the last one
   refers to the node. */
static void
make_finalizable(int i)
{
    void **first = NULL;
    struct node *node = node_new(&node_final_type);

    node->label = 12345;
    adopt(node);
    for (int j = 0; j < CHAIN; j++) {
        void **block = GC_MALLOC(2 * sizeof *block);

        block[0] = node;
        block[1] = first;
        first = block;
        if (i % 2 == 0)
            GC_REGISTER_FINALIZER(block, host_finalizer, NULL, NULL, NULL);
        else
            GC_REGISTER_FINALIZER_NO_ORDER(block, host_finalizer, NULL, NULL,
                                           NULL);
    }
}

START_TEST(finalizers_of_the_host_find_them_whole)
{
    adopted_begin();
    grow_table_of_finalizers();
    GC_gcollect();
    make_many(make_finalizable);
    for (int round = 0; round < 8; round++)
        collect();
    ck_assert_int_ge(host_finalizers, CHAIN * NEARLY);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_ge(node_log.freed, NEARLY);
}

/* The same of a block that only the dead node leads to, and that leads back to
   it. */
static void
make_behind(int Py_UNUSED(i))
{
    void **block = GC_MALLOC(2 * sizeof *block);
    struct node *node = node_new(&node_final_type);

    node->label = 12345;
    node->host = block;
    block[0] = adopt(node);
    GC_REGISTER_FINALIZER_NO_ORDER(block, host_finalizer, NULL, NULL, NULL);
}

START_TEST(finalizers_behind_the_dead_find_them_whole)
{
    adopted_begin();
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_behind);
    for (int round = 0; round < 4; round++)
        collect();
    ck_assert_int_ge(host_finalizers, NEARLY);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_ge(node_log.freed, NEARLY);
}

/* That block leads to another one with an ordered finalizer, and that one to
   more than Boehm's mark stack has room for. */
static void **
make_long_list(void)
{
    void **list = NULL;

    for (int i = 0; i < 20 * MANY; i++) {
        void **cell = GC_MALLOC(3 * sizeof *cell);

        cell[0] = GC_MALLOC(2 * sizeof *cell);
        cell[1] = list;
        cell[2] = GC_MALLOC(2 * sizeof *cell);
        list = cell;
    }
    return list;
}

static void
make_much_behind(int i)
{
    void **block = GC_MALLOC(2 * sizeof *block), **tail = GC_MALLOC(8);
    struct node *node = node_new(&node_final_type);

    node->label = 12345;
    node->host = block;
    block[0] = adopt(node);
    block[1] = tail;
    *tail = i == 0 ? make_long_list() : NULL;
    GC_REGISTER_FINALIZER(tail, no_finalizer, NULL, NULL, NULL);
    GC_REGISTER_FINALIZER_NO_ORDER(block, host_finalizer, NULL, NULL, NULL);
}

/* Where several threads mark, that stack does not grow. */
START_TEST(finalizers_may_lead_to_much)
{
    adopted_begin();
    GC_allow_register_threads();
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_much_behind);
    for (int round = 0; round < 4; round++)
        collect();
    ck_assert_int_ge(host_finalizers, NEARLY);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_ge(node_log.freed, NEARLY);
}

/* A host's way to have something done after each collection. */
static long done_again;

static void
do_again(void *block, void *Py_UNUSED(data))
{
    done_again++;
    GC_REGISTER_FINALIZER_NO_ORDER(block, do_again, NULL, NULL, NULL);
}

__attribute__((noinline)) static void
begin_again(void)
{
    do_again(GC_MALLOC_ATOMIC(8), NULL);
}

START_TEST(a_finalizer_may_come_with_each_collection)
{
    adopted_begin();
    begin_again();
    make_many(make_one);
    suite_forget_stack();
    ck_assert_int_ge(collect(), NEARLY);
    ck_assert_int_ge(node_log.freed, NEARLY);
    ck_assert_int_ge(done_again, 2);
}

/* They may bring it back, and with it what Boehm does not see. */
static void
return_list(void *block, void *i)
{
    host[(uintptr_t)i] = *(void **)block;
    GC_REGISTER_FINALIZER_NO_ORDER(block, count_finalizer, NULL, NULL, NULL);
    broken += !PyList_CheckExact((PyObject *)*(void **)block);
}

static void
make_list_behind(int i)
{
    void **block = GC_MALLOC(sizeof *block);
    PyObject *list = PyList_New(0);
    struct node *node = node_new(&node_final_type);

    node->host = block;
    PyList_Append(list, (PyObject *)node);
    Py_DECREF(node);
    *block = PyBoehm_Adopt(list);
    GC_REGISTER_FINALIZER_NO_ORDER(block, return_list, (void *)(uintptr_t)i,
                                   NULL, NULL);
}

START_TEST(finalizers_behind_the_dead_bring_them_back)
{
    int returned = 0;

    adopted_begin();
    if (!GC_get_java_finalization())
        return; /* nothing is promised */
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_list_behind);
    collect();
    for (int i = 0; i < MANY; i++)
        returned += host[i] != NULL;
    ck_assert_int_ge(returned, MANY / 2);
    collect();
    ck_assert_int_eq(node_log.freed + node_log.finalized, 0);
    ck_assert_int_eq(host_finalizers + broken, 0);
}

/* A block that leads to itself, so that its finalizer never runs, leads to a
   list; what that owns in malloc memory leads on, to another block and an
   object. */
static void
make_behind_itself(int Py_UNUSED(i))
{
    void **block = GC_MALLOC(2 * sizeof *block), **next = GC_MALLOC(8);
    PyObject *list = PyList_New(0);
    struct node *owned = node_new(&node_type);

    owned->host = next;
    *next = adopt(node_new(&node_final_type));
    PyList_Append(list, (PyObject *)owned);
    Py_DECREF(owned);
    block[0] = block;
    block[1] = PyBoehm_Adopt(list);
    GC_REGISTER_FINALIZER(block, count_finalizer, NULL, NULL, NULL);
}

START_TEST(what_waits_for_itself_keeps_what_it_leads_to)
{
    GC_set_warn_proc(GC_ignore_warn_proc);
    adopted_begin();
    make_many(make_behind_itself);
    for (int i = 0; i < 3; i++)
        collect();
    ck_assert_int_eq(node_log.freed + node_log.finalized, 0);
    ck_assert_int_eq(host_finalizers, 0);
    suite_free_adopted();
}

/* Finalizers of the host that untrack what their objects refer to, or have it
   freed, while Boehm is asked about it. */
static void
untrack_or_free(void *block, void *i)
{
    PyObject *op = *(PyObject **)block;

    host_finalizers++;
    if ((uintptr_t)i % 2 == 0)
        PyObject_GC_UnTrack(op);
    else
        Py_DECREF(PyBoehm_Disown(op));
}

static void
make_leaving(int i)
{
    void **block = GC_MALLOC(sizeof *block);
    struct node *node = node_new(&node_type), *owned = node_new(&node_type);

    node_link(node, owned, NULL);
    Py_DECREF(owned);
    *block = adopt(node);
    GC_REGISTER_FINALIZER_NO_ORDER(block, untrack_or_free,
                                   (void *)(uintptr_t)i, NULL, NULL);
}

/* What is untracked may own anything, for all that the collector knows. */
START_TEST(finalizers_of_the_host_take_them_away)
{
    adopted_begin();
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_leaving);
    for (int round = 0; round < 3; round++)
        collect();
    ck_assert_int_ge(host_finalizers, MANY / 2);
    ck_assert_int_ge(node_log.freed, MANY / 2);
    ck_assert_int_le(node_log.freed, MANY);
    ck_assert_int_eq(node_log.cleared, 0);
}

/* A finalizer of the host leaves a block to finalize, each time.  It is not
   asked for ever, and what has no answer lives. */
static int endless;

static void
leave_another(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    host_finalizers++;
    if (endless)
        for (int i = 0; i < 10; i++)
            GC_REGISTER_FINALIZER_NO_ORDER(
                GC_MALLOC(8), i == 0 ? leave_another : no_finalizer, NULL,
                NULL, NULL);
}

START_TEST(finalizers_of_the_host_without_end)
{
    int before = GC_get_finalize_on_demand();

    adopted_begin();
    GC_set_finalize_on_demand(0);
    make_many(make_one);
    endless = 1;
    leave_another(NULL, NULL);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(node_log.finalized, 0);
    endless = 0;
    for (int round = 0; round < 3; round++)
        collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
    GC_set_finalize_on_demand(before);
}

/* The host is told of its own objects that will be finalized, as ever. */
static long awaited;

static void GC_CALLBACK
count_awaited(void *Py_UNUSED(object))
{
    awaited++;
}

START_TEST(the_host_awaits_finalizers)
{
    GC_await_finalize_proc before = GC_get_await_finalize_proc();

    adopted_begin();
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    GC_set_await_finalize_proc(count_awaited);
    make_many(make_finalizable);
    for (int round = 0; round < 8; round++)
        collect();
    ck_assert_int_ge(awaited, CHAIN * NEARLY);
    ck_assert(GC_get_await_finalize_proc() == count_awaited);
    GC_set_await_finalize_proc(before);
}

static int toggles;

static GC_ToggleRefStatus GC_CALLBACK
host_toggle(void *Py_UNUSED(object))
{
    toggles++;
    return GC_TOGGLE_REF_DROP;
}

static void GC_CALLBACK
take_toggle(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    GC_set_toggleref_func(host_toggle);
}

static void
make_taker(int Py_UNUSED(i))
{
    GC_REGISTER_FINALIZER(GC_MALLOC(1), take_toggle, NULL, NULL, NULL);
}

/* A host's function for toggle references that is put where ours was, when
   Boehm is about to collect for us, is noticed before anything is lost, and
   taken into account from then on. */
START_TEST(the_host_takes_the_slot_for_toggle_references)
{
    int before = GC_get_finalize_on_demand();

    adopted_begin();
    make_many(make_visible);
    make_many(make_taker);
    GC_set_finalize_on_demand(1);
    suite_forget_stack();
    PyBoehm_GC_Collect(2); /* finds the takers, and they wait */
    memset(host, 0, MANY * sizeof *host);
    GC_set_finalize_on_demand(0);
    ck_assert_int_eq(collect(), 0);
    ck_assert_int_eq(node_log.finalized, 0);
    ck_assert(GC_get_toggleref_func() == host_toggle);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
    GC_set_finalize_on_demand(before);
}

/* It is asked about nothing of ours once Boehm has collected by itself. */
START_TEST(the_host_has_the_slot_for_toggle_references_to_itself)
{
    adopted_begin();
    make_many(make_visible);
    collect();
    GC_gcollect();
    GC_set_toggleref_func(host_toggle);
    GC_gcollect();
    ck_assert_int_eq(toggles, 0);
    memset(host, 0, MANY * sizeof *host);
    collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}

/* It is the host's again whenever its code can look. */
static int java;

static void GC_CALLBACK
note_java(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    java |= GC_get_java_finalization();
}

static void
make_noting(int i)
{
    make_behind(i);
    GC_REGISTER_FINALIZER_NO_ORDER(GC_MALLOC(1), note_java, NULL, NULL, NULL);
}

START_TEST(the_switch_for_javas_finalization_stays)
{
    adopted_begin();
    GC_set_java_finalization(0);
    grow_table_of_finalizers();
    GC_gcollect();
    GC_invoke_finalizers();
    make_many(make_noting);
    for (int round = 0; round < 8; round++)
        collect();
    ck_assert_int_eq(GC_get_java_finalization(), 0);
    ck_assert_int_eq(java, 0);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_ge(node_log.freed, NEARLY);
}

/* Complements of addresses, so that Boehm does not see them. */
static uintptr_t asked_about[MANY];
static int collected_elsewhere, mark_started, unmarked;
static GC_on_collection_event_proc next_event;

static void
look_at_marks(void)
{
    for (int i = 0; i < MANY; i++)
        unmarked += !GC_is_marked((void *)~asked_about[i]);
}

/* The world runs again, and Boehm still is at work on what it has marked. */
static void GC_CALLBACK
look_when_world_runs(GC_EventType event)
{
    next_event(event);
    if (event == GC_EVENT_POST_START_WORLD)
        look_at_marks();
}

static void *
collect_for_the_host(void *Py_UNUSED(arg))
{
    next_event = GC_get_on_collection_event();
    GC_set_on_collection_event(look_when_world_runs);
    GC_gcollect();
    GC_set_on_collection_event(next_event);
    return NULL;
}

static void GC_CALLBACK
collect_once_elsewhere(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    if (collected_elsewhere++ == 0)
        threads_beside(collect_for_the_host);
}

static void
make_asked_about(GC_finalization_proc finalizer)
{
    for (int i = 0; i < MANY; i++) {
        asked_about[i] = ~(uintptr_t)adopt(node_new(&node_type));
        GC_REGISTER_FINALIZER(GC_MALLOC_ATOMIC(1), finalizer, NULL, NULL,
                              NULL);
    }
}

/* All marked so far; and in time they die as others. */
static void
die_marked(void)
{
    ck_assert_int_gt(collected_elsewhere, 0);
    ck_assert_int_eq(unmarked, 0);
    for (int round = 0; round < 8; round++)
        collect();
    ck_assert_int_ge(node_log.freed, NEARLY);
}

/* While the library asks Boehm about adopted objects, another thread has Boehm
   collect.  To that they are roots: the thread that asks goes on as soon as
   the world runs, and frees some. */
START_TEST(collections_of_other_threads_are_no_queries)
{
    adopted_begin();
    make_asked_about(collect_once_elsewhere);
    collect();
    die_marked();
}

static void GC_CALLBACK
note_mark_start(GC_EventType event)
{
    mark_started |= event == GC_EVENT_MARK_START;
    next_event(event);
}

/* By then Boehm has asked about toggle references. */
static int
stop_before_the_roots(void)
{
    return mark_started;
}

static void *
give_up(void *Py_UNUSED(arg))
{
    next_event = GC_get_on_collection_event();
    GC_set_on_collection_event(note_mark_start);
    mark_started = 0;
    ck_assert_int_eq(GC_try_to_collect(stop_before_the_roots), 0);
    ck_assert_int_eq(mark_started, 1);
    GC_set_on_collection_event(next_event);
    return NULL;
}

/* A collection here that follows is a query again. */
static void GC_CALLBACK
give_up_elsewhere(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    if (collected_elsewhere++ > 0)
        return;
    threads_beside(give_up);
    GC_gcollect();
    look_at_marks();
}

START_TEST(collections_given_up_by_other_threads_leave_queries_as_they_are)
{
    adopted_begin();
    make_asked_about(give_up_elsewhere);
    collect();
    die_marked();
}

static void GC_CALLBACK
switch_off(void)
{
    GC_set_finalize_on_demand(0);
}

/* A set waits for a host that runs finalizers on demand; while Boehm is asked
   about adopted objects, it turns to running them at once. */
START_TEST(on_demand_is_switched_off_meanwhile)
{
    int soon[PyBoehm_GC_GENERATIONS] = {50, 0, 0}, never[] = {0, 0, 0};

    adopted_begin();
    GC_set_finalize_on_demand(1);
    PyBoehm_GC_SetThreshold(soon);
    PyGC_Enable();
    for (int i = 0; i < MANY; i++)
        node_drop_ring(&node_type, 2);
    PyBoehm_GC_SetThreshold(never);
    make_many(make_one);
    GC_REGISTER_FINALIZER_NO_ORDER(GC_MALLOC(32), no_finalizer, NULL, NULL,
                                   NULL);
    GC_set_finalizer_notifier(switch_off);
    PyGC_Collect();
    ck_assert_int_eq(GC_get_finalize_on_demand(), 0);
    GC_set_finalizer_notifier(NULL);
    PyGC_Collect();
    PyGC_Collect();
    ck_assert_int_ge(node_log.freed, 2 * MANY + NEARLY);
}
