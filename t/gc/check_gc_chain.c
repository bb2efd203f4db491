/* check_gc_chain.c: our hooks and the host's share Boehm's slots: hosts that
   chain theirs and hosts that do not, before Py_Initialize and after; and what
   stands there after Py_Finalize. */

#include "../support/node.h"
#include "../support/suite.h"

#include <pyboehm.h>

#ifndef GC_THREADS
#define GC_THREADS
#endif
#include <gc/gc.h>
#include <gc/gc_mark.h>
#include <sys/wait.h>
#include <unistd.h>

#if GC_VERSION_MAJOR == 8 && GC_VERSION_MINOR < 2
#define GC_start_incremental_collection GC_collect_a_little
#endif
#if GC_VERSION_MAJOR > 8 || GC_VERSION_MINOR >= 3
typedef const char *warning_text;
#else
typedef char *warning_text;
#endif

/* ------------------------------------------------------------------ */
/* Objects that only our roots keep                                    */

enum { OBJECTS = 2000, TEXT = 24 };
static PyObject *list; /* its items stand in malloc memory */

static void
add_object(int i)
{
    struct node *node = node_new(&node_type);

    node->host = GC_MALLOC_ATOMIC(TEXT);
    snprintf(node->host, TEXT, "node %d", i);
    ck_assert_int_eq(PyList_Append(list, (PyObject *)node), 0);
    Py_DECREF(node);
}

static void
make_objects(void)
{
    node_reset();
    list = PyList_New(0);
    for (int i = 0; i < OBJECTS; i++)
        add_object(i);
}

/* What Boehm thinks is free it hands out again, to us and to others. */
static void
use_what_is_free(void)
{
    for (int i = 0; i < 4 * OBJECTS; i++) {
        memset(GC_MALLOC(sizeof(struct node)), 0x5a, sizeof(struct node));
        memset(GC_MALLOC_ATOMIC(TEXT), 0x5a, TEXT);
    }
}

static void
objects_are_whole(void)
{
    char text[TEXT];

    for (int i = 0; i < OBJECTS; i++) {
        struct node *node = (struct node *)PyList_GET_ITEM(list, i);

        snprintf(text, sizeof text, "node %d", i);
        if (!Py_IS_TYPE(node, &node_type) || strcmp(node->host, text) != 0)
            ck_abort_msg("object %d is lost", i);
    }
}

/* They have been marked, too; before anything reused the memory. */
static void
objects_are_intact(void)
{
    for (int i = 0; i < OBJECTS; i++)
        if (!GC_is_marked(PyList_GET_ITEM(list, i)))
            ck_abort_msg("object %d is not marked", i);
    objects_are_whole();
}

/* A collection of Boehm's, and all that it should find is there. */
static void
survive(void)
{
    GC_gcollect();
    objects_are_intact();
}

/* Others may follow. */
static void
survive_long(void)
{
    survive();
    use_what_is_free();
    objects_are_intact();
}

static void
drop_objects(void)
{
    long freed = node_log.freed;

    Py_CLEAR(list);
    ck_assert_int_eq(node_log.freed - freed, OBJECTS);
    node_drop_ring(&node_type, 4);
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 4);
    node_drop_ring(&node_type, 5);
    ck_assert_int_eq(PyGC_Collect(), 5);
}

/* ------------------------------------------------------------------ */
/* Hooks of a host                                                     */

static GC_push_other_roots_proc default_roots, next_roots;
static GC_on_collection_event_proc next_event;
static GC_start_callback_proc next_start;
static int pushes, starts, ends, full;

static int moody; /* rude today */

static void GC_CALLBACK
polite_push(void)
{
    pushes++;
    (moody ? default_roots : next_roots)();
}

/* Pushes what Boehm's default does, and forgets the hook that stood there. */
static void GC_CALLBACK
rude_push(void)
{
    pushes++;
    default_roots();
}

static void
count_event(GC_EventType event)
{
    starts += event == GC_EVENT_START;
    ends += event == GC_EVENT_END;
}

static GC_push_other_roots_proc slot_at_the_start;

static void GC_CALLBACK
polite_event(GC_EventType event)
{
    count_event(event);
    if (next_event != NULL && !moody)
        next_event(event);
    if (event == GC_EVENT_MARK_START)
        slot_at_the_start = GC_get_push_other_roots();
}

static void GC_CALLBACK
rude_event(GC_EventType event)
{
    count_event(event);
}

static void GC_CALLBACK
polite_start(void)
{
    full++;
    if (next_start != NULL)
        next_start();
}

static char warning[200];
static int warnings;

static void GC_CALLBACK
note_warning(warning_text text, GC_word Py_UNUSED(arg))
{
    snprintf(warning, sizeof warning, "%s", text);
    warnings++;
}

static void
start_boehm(void)
{
    GC_INIT();
    default_roots = GC_get_push_other_roots();
    ck_assert(default_roots != NULL);
    GC_set_warn_proc(note_warning);
}

static void
set_polite_hooks(void)
{
    next_roots = GC_get_push_other_roots();
    GC_set_push_other_roots(polite_push);
    next_event = GC_get_on_collection_event();
    GC_set_on_collection_event(polite_event);
    next_start = GC_get_start_callback();
    GC_set_start_callback(polite_start);
}

/* A collection in which each hook of a host is called as often as it would be
   without us: the roots are pushed once, for so small a heap. */
static void
survive_with_hooks(void)
{
    pushes = starts = ends = full = 0;
    survive();
    ck_assert_int_eq(pushes, 1);
    ck_assert_int_eq(starts, 1);
    ck_assert_int_eq(ends, 1);
    use_what_is_free();
    objects_are_intact();
}

/* ------------------------------------------------------------------ */
/* Polite hosts                                                        */

START_TEST(a_polite_host_came_before)
{
    start_boehm();
    set_polite_hooks();
    Py_Initialize();
    make_objects();
    for (int i = 0; i < 3; i++)
        survive_with_hooks();
    ck_assert_int_ge(full, 1);
    drop_objects();
    Py_Finalize();
    ck_assert(GC_get_push_other_roots() == polite_push);
    ck_assert(GC_get_on_collection_event() == polite_event);
    ck_assert(GC_get_start_callback() == polite_start);
    ck_assert_int_eq(warnings, 0);
}

START_TEST(a_polite_host_comes_after)
{
    start_boehm();
    Py_Initialize();
    set_polite_hooks();
    make_objects();
    for (int i = 0; i < 3; i++) {
        survive_with_hooks();
        ck_assert_int_ge(full, 1);
        ck_assert(GC_get_push_other_roots() == polite_push);
        ck_assert(GC_get_on_collection_event() == polite_event);
    }
    drop_objects();
    ck_assert_int_eq(warnings, 0);
    Py_Finalize();
}

static void
no_finalizer(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
}

/* Something to finalize that leads to more than Boehm's mark stack has room
   for. */
static __attribute__((noinline)) void
make_long_finalizable(void)
{
    void **cells = NULL;

    for (int i = 0; i < 20000; i++) {
        void **cell = GC_MALLOC(3 * sizeof *cell);

        cell[0] = GC_MALLOC(2 * sizeof *cell);
        cell[1] = cells;
        cell[2] = GC_MALLOC(2 * sizeof *cell);
        cells = cell;
    }
    void **block = GC_MALLOC(sizeof *block);

    *block = cells;
    GC_REGISTER_FINALIZER(block, no_finalizer, NULL, NULL, NULL);
}

static void
make_several(void)
{
    GC_disable(); /* the mark stack grows when it overflows */
    for (int i = 0; i < 3; i++)
        make_long_finalizable();
    suite_forget_stack();
    GC_enable();
}

/* Do they overflow this Boehm's mark stack?  A child asks, where we are not:
   it happens once.  Roots are pushed again then. */
static int
overflow(void)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        set_polite_hooks();
        make_several();
        pushes = 0;
        GC_gcollect();
        _exit(pushes > 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return suite_is_there(WEXITSTATUS(status),
                          "Boehm collector with a small mark stack");
}

START_TEST(roots_are_pushed_when_marking_is_over)
{
    start_boehm();
    if (!overflow())
        return;
    Py_Initialize();
    set_polite_hooks();
    make_objects();
    make_several();
    pushes = 0;
    survive();
    ck_assert_int_gt(pushes, 1);
    drop_objects();
    ck_assert(GC_get_on_collection_event() == polite_event);
    ck_assert_ptr_null(strstr(warning, "pyboehm"));
    Py_Finalize();
}

/* It takes its hooks out in time, and ours are the topmost again. */
START_TEST(a_polite_host_leaves)
{
    start_boehm();
    Py_Initialize();
    set_polite_hooks();
    make_objects();
    survive_with_hooks();
    GC_set_push_other_roots(next_roots);
    GC_set_on_collection_event(next_event);
    GC_set_start_callback(next_start);
    survive();
    drop_objects();
    Py_Finalize();
    ck_assert(GC_get_push_other_roots() == default_roots);
    ck_assert(GC_get_on_collection_event() == NULL);
    ck_assert(GC_get_start_callback() == NULL);
}

/* ------------------------------------------------------------------ */
/* Rude hosts                                                          */

/* The slot is the host's, and our roots are pushed all the same. */
START_TEST(a_rude_host_takes_the_slot_for_roots)
{
    start_boehm();
    GC_set_on_collection_event(rude_event); /* ours comes on top of it */
    Py_Initialize();
    make_objects();
    GC_set_push_other_roots(rude_push);
    for (int i = 0; i < 3; i++) {
        survive_with_hooks();
        ck_assert(GC_get_push_other_roots() == rude_push);
    }
    ck_assert_int_eq(warnings, 0); /* not in a collection */
    drop_objects();
    ck_assert_int_eq(warnings, 1);
    ck_assert_ptr_nonnull(strstr(warning, "GC_set_push_other_roots"));
    Py_Finalize();
    ck_assert(GC_get_push_other_roots() == rude_push);
    ck_assert(GC_get_on_collection_event() == rude_event);
}

/* We are told of events again as soon as our own code comes to Boehm. */
START_TEST(a_rude_host_takes_the_slot_for_events)
{
    start_boehm();
    Py_Initialize();
    make_objects();
    GC_set_on_collection_event(rude_event);
    pushes = starts = ends = 0;
    survive();
    ck_assert_int_eq(starts, 1);
    ck_assert_int_eq(warnings, 0); /* not in a collection */
    node_drop_ring(&node_type, 4);
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 4);
    ck_assert_int_eq(warnings, 1);
    ck_assert_ptr_nonnull(strstr(warning, "GC_set_on_collection_event"));
    ck_assert(GC_get_on_collection_event() != rude_event);
    /* The host's goes on being called. */
    GC_set_start_callback(NULL);
    GC_set_push_other_roots(rude_push);
    survive_with_hooks();
    drop_objects();
    Py_Finalize();
    ck_assert(GC_get_on_collection_event() == rude_event);
}

/* Then only the start of full collections is left to hear; the host takes that
   callback, too, so no collection is heard to begin. */
static void
take_events_and_starts(void)
{
    GC_set_start_callback(NULL);
    GC_set_on_collection_event(rude_event);
    survive();
    ck_assert_int_eq(warnings, 0);
    PyBoehm_GC_CollectAll();
    ck_assert_int_eq(warnings, 1);
    ck_assert(GC_get_on_collection_event() != rude_event);
}

START_TEST(a_rude_host_takes_events_and_starts)
{
    start_boehm();
    Py_Initialize();
    make_objects();
    survive();
    take_events_and_starts();
    drop_objects();
    Py_Finalize();
}

START_TEST(a_rude_host_takes_them_before_the_first_collection)
{
    start_boehm();
    if (!suite_is_there(!GC_is_incremental_mode(),
                        "a mode that is not incremental, see doc/hosts.md"))
        return;
    Py_Initialize();
    make_objects();
    take_events_and_starts();
    drop_objects();
    Py_Finalize();
}

/* It gives it back before our code comes: nothing is to be put right. */
START_TEST(a_rude_host_lends_the_slot_for_events)
{
    start_boehm();
    Py_Initialize();
    make_objects();
    next_event = GC_get_on_collection_event();
    GC_set_on_collection_event(rude_event);
    survive();
    GC_set_on_collection_event(next_event);
    PyBoehm_GC_CollectAll();
    ck_assert_int_eq(warnings, 0);
    ck_assert(GC_get_on_collection_event() == next_event);
    drop_objects();
    Py_Finalize();
}

/* With the world stopped, when all is ready for the roots. */
static int
stop_then(void)
{
    return GC_get_push_other_roots() != rude_push;
}

/* A collection that ends before it comes to the roots. */
START_TEST(a_collection_is_given_up)
{
    start_boehm();
    Py_Initialize();
    make_objects();
    GC_set_push_other_roots(rude_push);
    ck_assert_int_eq(GC_try_to_collect(stop_then), 0);
    ck_assert(GC_get_push_other_roots() == rude_push);
    survive();
    drop_objects();
    Py_Finalize();
}

static int
stop_once_started(void)
{
    return full > 0;
}

/* Blocks of many sizes that wait for the sweep, with which a collection
   begins. */
static void
leave_blocks_to_sweep(void)
{
    for (int i = 0; i < 2000; i++)
        ck_assert_ptr_nonnull(GC_MALLOC((size_t)i % 1000 + 1));
    GC_gcollect();
}

/* Boehm gives it up before it marks, and has no event for that. */
START_TEST(a_collection_is_given_up_in_the_sweep)
{
    start_boehm();
    set_polite_hooks();
    Py_Initialize();
    make_objects();
    GC_set_push_other_roots(rude_push);
    leave_blocks_to_sweep();
    full = ends = 0;
    ck_assert_int_eq(GC_try_to_collect(stop_once_started), 0);
    ck_assert_int_eq(full, 1);
    ck_assert_int_eq(ends, 0);
    ck_assert(GC_get_push_other_roots() == rude_push);
    survive();
    drop_objects();
    Py_Finalize();
}

START_TEST(a_rude_host_takes_both)
{
    start_boehm();
    Py_Initialize();
    make_objects();
    for (int i = 0; i < 3; i++) {
        GC_set_push_other_roots(rude_push);
        GC_set_on_collection_event(rude_event);
        survive_with_hooks();
        ck_assert(GC_get_push_other_roots() == rude_push);
        ck_assert(GC_get_on_collection_event() == rude_event);
        survive_with_hooks();
    }
    drop_objects();
    ck_assert_int_eq(warnings, 2);
    Py_Finalize();
}

/* To a host that had hooks before us and now has none it looks like this. */
START_TEST(a_rude_host_empties_the_slots)
{
    start_boehm();
    set_polite_hooks();
    Py_Initialize();
    make_objects();
    GC_set_push_other_roots(default_roots);
    GC_set_on_collection_event(NULL);
    pushes = starts = 0;
    for (int i = 0; i < 3; i++) {
        survive_long();
        PyBoehm_GC_CollectAll();
    }
    ck_assert_int_eq(pushes, 0);
    ck_assert_int_eq(starts, 0);
    GC_set_push_other_roots(NULL); /* no stack of a thread; there is none */
    survive_long();
    drop_objects();
    Py_Finalize();
    ck_assert(GC_get_push_other_roots() == NULL);
    ck_assert(GC_get_on_collection_event() == NULL);
}

/* What stood there is put back a while later. */
START_TEST(a_rude_host_borrows_the_slots)
{
    start_boehm();
    Py_Initialize();
    make_objects();
    next_roots = GC_get_push_other_roots();
    next_event = GC_get_on_collection_event();
    GC_set_push_other_roots(rude_push);
    GC_set_on_collection_event(rude_event);
    survive_with_hooks();
    PyBoehm_GC_CollectAll();
    GC_set_push_other_roots(next_roots);
    GC_set_on_collection_event(next_event);
    pushes = starts = 0;
    survive();
    PyBoehm_GC_CollectAll();
    ck_assert_int_eq(pushes, 0);
    ck_assert_int_eq(starts, 0);
    drop_objects();
    Py_Finalize();
    ck_assert(GC_get_push_other_roots() == default_roots);
    ck_assert(GC_get_on_collection_event() == NULL);
}

/* A polite host on top of a rude one on top of us. */
START_TEST(rude_and_polite_hosts)
{
    start_boehm();
    Py_Initialize();
    make_objects();
    GC_set_push_other_roots(rude_push);
    GC_set_on_collection_event(rude_event);
    survive();
    node_drop_ring(&node_type, 4);
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 4); /* puts things right */
    set_polite_hooks();
    pushes = starts = ends = full = 0;
    survive();
    ck_assert_int_eq(pushes, 2);
    ck_assert_int_eq(starts, 2);
    ck_assert_int_eq(full, 1);
    drop_objects();
    Py_Finalize();
    Py_Initialize();
    make_objects();
    pushes = starts = ends = 0;
    survive();
    ck_assert_int_eq(pushes, 2);
    ck_assert_int_eq(starts, 2);
    drop_objects();
    Py_Finalize();
}

static void
check_member(struct node *node)
{
    ck_assert_str_eq(node->host, "still here");
}

/* A ring whose members keep memory of the host's, and nothing else does. */
static void
drop_ring(void)
{
    struct node *ring = node_ring(&node_final_type, 300), *node = ring;

    do {
        node->host = strcpy(GC_MALLOC_ATOMIC(TEXT), "still here");
        node = (struct node *)node->left;
    } while (node != ring);
    Py_DECREF(ring);
}

/* No hook answers for the set that Boehm is given when Boehm finds it; its
   members are kept all the same. */
START_TEST(a_set_meets_a_rude_host)
{
    start_boehm();
    Py_Initialize();
    node_reset();
    node_log.on_finalize = check_member;
    GC_set_on_collection_event(rude_event);
    drop_ring();
    ck_assert_int_eq(PyBoehm_GC_CollectAll(), 300);
    ck_assert_int_eq(node_log.finalized, 300);
    Py_Finalize();
}

START_TEST(a_waiting_set_meets_a_rude_host)
{
    start_boehm();
    GC_set_finalize_on_demand(1);
    Py_Initialize();
    node_reset();
    node_log.on_finalize = check_member;
    drop_ring();
    PyBoehm_GC_SetThreshold((const int[]){10, 0, 0});
    for (int i = 0; i < 100; i++)
        Py_DECREF(node_new(&node_fixed_type));
    PyObject *live[100];
    for (int i = 0; i < 100; i++)
        live[i] = (PyObject *)node_new(&node_fixed_type);
    GC_set_on_collection_event(rude_event);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(node_log.finalized, 0);
        GC_gcollect();
        use_what_is_free();
    }
    PyBoehm_GC_SetThreshold((const int[]){0, 0, 0});
    PyGC_Collect(); /* which puts the events right */
    GC_gcollect();
    GC_invoke_finalizers();
    ck_assert_int_eq(node_log.finalized, 300);
    for (int i = 0; i < 100; i++)
        Py_DECREF(live[i]);
    Py_Finalize();
    GC_set_finalize_on_demand(0);
}

/* Boehm is asked about adopted objects, and its answer is not heard.  They are
   seen, or not; what they own is not seen. */
START_TEST(adopted_objects_meet_a_rude_host)
{
    enum { ADOPTED = 300 };
    start_boehm();
    PyObject *volatile *seen = GC_MALLOC(ADOPTED * sizeof *seen);
    Py_Initialize();
    node_reset();
    for (int i = 0; i < ADOPTED; i++) {
        PyObject *owner = PyList_New(0);
        struct node *node = node_new(&node_type);

        node->host = strcpy(GC_MALLOC_ATOMIC(TEXT), "still here");
        ck_assert_int_eq(PyList_Append(owner, (PyObject *)node), 0);
        Py_DECREF(node);
        seen[i] = PyBoehm_Adopt(owner);
    }
    for (int i = 0; i < ADOPTED / 2; i++)
        seen[i] = NULL;
    for (int round = 0; round < 3; round++) {
        GC_set_on_collection_event(rude_event);
        PyGC_Collect();
        ck_assert_int_gt(node_log.freed, ADOPTED / 4); /* stale words apart */
        use_what_is_free();
        for (int i = ADOPTED / 2; i < ADOPTED; i++)
            check_member((struct node *)PyList_GET_ITEM(seen[i], 0));
    }
    ck_assert_int_le(node_log.freed, ADOPTED / 2);
    Py_Finalize();
}

/* New objects appear while Boehm marks, a little at a time. */
START_TEST(a_rude_host_is_incremental)
{
    if (suite_is_valgrind())
        return; /* memcheck does not see into memory that Boehm protects */
    start_boehm();
    GC_enable_incremental();
    Py_Initialize();
    GC_set_push_other_roots(rude_push);
    node_reset();
    list = PyList_New(0);
    for (int i = 0; i < OBJECTS; i++) {
        add_object(i);
        for (int k = 0; k < 200; k++)
            memset(GC_MALLOC(sizeof(struct node)), 0x5a, sizeof(struct node));
        if (i % 100 == 0)
            GC_start_incremental_collection();
    }
    ck_assert_int_gt(pushes, 10);
    objects_are_whole();
    survive_long();
    drop_objects();
    Py_Finalize();
}

/* What it does not call today it calls tomorrow. */
START_TEST(a_host_changes_its_mind)
{
    start_boehm();
    Py_Initialize();
    make_objects();
    GC_set_on_collection_event(rude_event);
    survive();
    PyBoehm_GC_CollectAll(); /* puts a hook of ours on top of that */
    set_polite_hooks();
    for (int i = 0; i < 4; i++) {
        moody = i % 2 == 0;
        survive_long();
        PyBoehm_GC_CollectAll();
        survive_long();
    }
    drop_objects();
    Py_Finalize();
}

/* ------------------------------------------------------------------ */
/* Again and again                                                     */

START_TEST(the_slots_are_what_they_were)
{
    start_boehm();
    for (int i = 0; i < 5; i++) {
        Py_Initialize();
        ck_assert(GC_get_push_other_roots() != default_roots);
        make_objects();
        survive();
        drop_objects();
        Py_Finalize();
        ck_assert(GC_get_push_other_roots() == default_roots);
        ck_assert(GC_get_on_collection_event() == NULL);
        ck_assert(GC_get_start_callback() == NULL);
    }
}

static int bottom_pushes;

static void GC_CALLBACK
bottom_push(void)
{
    bottom_pushes++;
    default_roots();
}

/* Ours stay under the host's, and do nothing any more. */
START_TEST(hooks_that_cannot_go_are_idle)
{
    start_boehm();
    Py_Initialize();
    set_polite_hooks();
    GC_set_push_other_roots(rude_push);
    GC_gcollect();
    ck_assert(slot_at_the_start != rude_push);
    Py_Finalize();
    GC_gcollect();
    ck_assert(slot_at_the_start == rude_push);
}

/* They are not chained twice: they would call each other without end. */
START_TEST(hooks_that_cannot_go_stay_once)
{
    start_boehm();
    GC_set_push_other_roots(bottom_push);
    for (int i = 0; i < 5; i++) {
        Py_Initialize();
        if (i == 0)
            set_polite_hooks();
        make_objects();
        survive_with_hooks();
        bottom_pushes = 0;
        survive();
        ck_assert_int_eq(bottom_pushes, 1);
        drop_objects();
        Py_Finalize();
        pushes = starts = bottom_pushes = 0;
        GC_gcollect();
        ck_assert_int_eq(pushes, 1);
        ck_assert_int_eq(bottom_pushes, 1);
        ck_assert_int_eq(starts, 1);
        ck_assert(GC_get_push_other_roots() == polite_push);
    }
    ck_assert_int_eq(warnings, 0);
}

/* A host that took the slots while the library was not there. */
START_TEST(a_rude_host_came_between)
{
    start_boehm();
    Py_Initialize();
    set_polite_hooks();
    Py_Finalize();
    GC_set_push_other_roots(rude_push);
    GC_set_on_collection_event(rude_event);
    GC_gcollect();
    Py_Initialize();
    make_objects();
    for (int i = 0; i < 3; i++) {
        survive_with_hooks();
        PyBoehm_GC_CollectAll();
    }
    drop_objects();
    Py_Finalize();
}

int
main(void)
{
    return suite_run_early("gc: a chain of hooks");
}
