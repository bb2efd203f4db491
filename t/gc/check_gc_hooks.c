/* check_gc_hooks.c: what the host has given to Boehm before Py_Initialize goes
   on being called. */

#include "../support/node.h"
#include "../support/suite.h"

#include <pthread.h>

#ifndef GC_THREADS
#define GC_THREADS
#endif
#include <gc/gc.h>
#include <gc/gc_mark.h>

static GC_push_other_roots_proc
    boehms_push; /* stood there before the host's */
static int pushes, starts, ends;

static void GC_CALLBACK
host_push(void)
{
    pushes++;
    if (boehms_push != NULL)
        boehms_push();
}

static void GC_CALLBACK
host_event(GC_EventType event)
{
    starts += event == GC_EVENT_START;
    ends += event == GC_EVENT_END;
}

static void
set_hooks(void)
{
    GC_INIT();
    boehms_push = GC_get_push_other_roots();
    GC_set_push_other_roots(host_push);
    GC_set_on_collection_event(host_event);
}

START_TEST(hooks_of_the_host_go_on_being_called)
{
    set_hooks();
    Py_Initialize();
    node_reset();
    struct node *ring = node_ring(&node_type, 5);

    for (int round = 0; round < 10; round++) {
        pushes = starts = ends = 0;
        GC_gcollect();
        ck_assert_int_ge(pushes, 1);
        ck_assert_int_eq(starts, 1);
        ck_assert_int_eq(ends, 1);
    }
    Py_DECREF(ring);
    ck_assert_int_eq(PyGC_Collect(), 5); /* the library's work beside them */
    Py_Finalize();
    pushes = starts = ends = 0;
    GC_gcollect();
    ck_assert_int_ge(pushes, 1);
    ck_assert_int_eq(starts, 1);
    ck_assert_int_eq(ends, 1);
}

static pthread_barrier_t barrier;
static volatile int block_gone;

static void GC_CALLBACK
note_block_gone(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    block_gone = 1;
}

/* Keeps a block in a local variable.  Returns non-NULL if it is intact. */
static void *
hold_block(void *Py_UNUSED(arg))
{
    char *volatile block = GC_MALLOC(48);

    strcpy(block, "still here");
    GC_REGISTER_FINALIZER_NO_ORDER(block, note_block_gone, 0, 0, 0);
    pthread_barrier_wait(&barrier); /* the main thread collects */
    pthread_barrier_wait(&barrier); /* it has */
    return strcmp(block, "still here") == 0 ? &barrier : NULL;
}

START_TEST(stacks_of_other_threads_are_roots)
{
    pthread_t thread;
    void *intact;

    set_hooks();
    Py_Initialize();
    ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, 2), 0);
    ck_assert_int_eq(GC_pthread_create(&thread, NULL, hold_block, NULL), 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 5; i++)
        GC_gcollect();
    for (int i = 0; i < 10000; i++) /* takes what is free */
        memset(GC_MALLOC(48), 'x', 48);
    pthread_barrier_wait(&barrier);
    ck_assert_int_eq(GC_pthread_join(thread, &intact), 0);
    ck_assert_ptr_nonnull(intact);
    ck_assert_int_eq(block_gone, 0);
    Py_Finalize();
}

int
main(void)
{
    return suite_run_early("gc: hooks");
}
