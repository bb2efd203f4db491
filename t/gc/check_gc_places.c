/* check_gc_places.c: the threads and processes of a host in which the library
   begins, collects and ends. */

#define GC_NO_THREAD_REDIRECTS

#include "../support/node.h"
#include "../support/suite.h"

#include <pthread.h>
#include <pyboehm.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef GC_THREADS
#define GC_THREADS
#endif
#include <gc/gc.h>

/* ------------------------------------------------------------------ */
/* What is done everywhere                                             */

enum { OBJECTS = 1000, RINGS = 100 };

static PyObject *
new_list(void)
{
    PyObject *list = PyList_New(0);

    node_reset();
    for (int i = 0; i < OBJECTS; i++) {
        struct node *node = node_new(&node_type);

        node->host = strcpy(GC_MALLOC_ATOMIC(16), "still here");
        ck_assert_int_eq(PyList_Append(list, (PyObject *)node), 0);
        Py_DECREF(node);
    }
    return list;
}

static void
use_what_is_free(void)
{
    GC_gcollect();
    for (int i = 0; i < 4 * OBJECTS; i++) {
        memset(GC_MALLOC(sizeof(struct node)), 0x5a, sizeof(struct node));
        memset(GC_MALLOC_ATOMIC(16), 0x5a, 16);
    }
}

static void
check_list(PyObject *list)
{
    for (int i = 0; i < OBJECTS; i++) {
        struct node *node = (struct node *)PyList_GET_ITEM(list, i);

        if (!Py_IS_TYPE(node, &node_type) ||
            strcmp(node->host, "still here") != 0)
            ck_abort_msg("object %d is lost", i);
    }
}

/* Takes the list away. */
static void
collect(PyObject *list)
{
    use_what_is_free();
    check_list(list);
    for (int i = 0; i < RINGS; i++)
        node_drop_ring(&node_final_type, 3);
    PyBoehm_GC_CollectAll();
    PyGC_Collect();
    ck_assert_int_eq(node_log.finalized, 3 * RINGS);
    ck_assert_int_eq(node_log.freed, 3 * RINGS);
    check_list(list);
    Py_DECREF(list);
    ck_assert_int_eq(node_log.freed, OBJECTS + 3 * RINGS);
}

static void *
begin_and_end(void *Py_UNUSED(arg))
{
    for (int i = 0; i < 3; i++) {
        Py_Initialize();
        collect(new_list());
        Py_Finalize();
    }
    return NULL;
}

/* ------------------------------------------------------------------ */
/* Threads that the host makes known to Boehm itself                   */

static void *
in_a_registered_thread(void *function)
{
    struct GC_stack_base base;

    ck_assert_int_eq(GC_get_stack_base(&base), GC_SUCCESS);
    ck_assert_int_eq(GC_register_my_thread(&base), GC_SUCCESS);
    (*(void *(**)(void *))function)(NULL);
    ck_assert_int_eq(GC_unregister_my_thread(), GC_SUCCESS);
    return NULL;
}

static pthread_t
start_registered(void *(**function)(void *))
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, in_a_registered_thread,
                                    (void *)function),
                     0);
    return thread;
}

/* One after another, and the main thread in between. */
START_TEST(begins_in_registered_threads)
{
    void *(*function)(void *) = begin_and_end;

    GC_INIT();
    GC_allow_register_threads();
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pthread_join(start_registered(&function), NULL), 0);
        begin_and_end(NULL);
    }
}

static pthread_barrier_t barrier;

static void *
collect_boehms(void *Py_UNUSED(arg))
{
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 20; i++)
        use_what_is_free();
    return NULL;
}

START_TEST(registered_threads_collect)
{
    void *(*function)(void *) = collect_boehms;
    pthread_t thread;

    GC_INIT();
    GC_allow_register_threads();
    pthread_barrier_init(&barrier, NULL, 2);
    thread = start_registered(&function);
    Py_Initialize();
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 20; i++)
        collect(new_list());
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    Py_Finalize();
}

/* ------------------------------------------------------------------ */
/* Processes                                                           */

static void
wait_for(pid_t child)
{
    int status = 1;

    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

/* The objects and the end are both processes'. */
static void
go_on_in_both(void)
{
    GC_INIT();
    Py_Initialize();
    PyObject *list = new_list();
    PyGC_Collect();
    pid_t child = fork();
    PyGC_Collect();
    collect(list);
    Py_Finalize();
    begin_and_end(NULL);
    if (child == 0)
        _exit(0);
    wait_for(child);
}

START_TEST(goes_on_after_fork)
{
    go_on_in_both();
}

START_TEST(goes_on_after_a_fork_that_boehm_handles)
{
    GC_set_handle_fork(1);
    go_on_in_both();
}

START_TEST(begins_after_fork)
{
    GC_set_handle_fork(1);
    GC_INIT();
    begin_and_end(NULL);
    pid_t child = fork();
    begin_and_end(NULL);
    if (child == 0)
        _exit(0);
    wait_for(child);
}

/* ------------------------------------------------------------------ */
/* A thread that the host does not make known                          */

/* For the next page Boehm has to collect: so much was allocated, and nothing
   is free. */
static void
fill_boehm(void)
{
    GC_disable();
    for (int i = 0; i < 4096 || GC_get_free_bytes() > 0; i++)
        ck_assert_ptr_nonnull(GC_MALLOC_ATOMIC(4000));
    GC_enable();
}

static void *
begin_where_boehm_collects(void *Py_UNUSED(arg))
{
    GC_word n = GC_get_gc_no();

    ck_assert_int_eq(GC_thread_is_registered(), 0);
    Py_Initialize();
    ck_assert_uint_gt(GC_get_gc_no(), n);
    ck_assert_int_eq(GC_thread_is_registered(), 1);
    collect(new_list());
    Py_Finalize();
    ck_assert_int_eq(GC_thread_is_registered(), 0);
    return NULL;
}

START_TEST(begins_in_a_thread_that_boehm_does_not_know)
{
    pthread_t thread;

    GC_INIT();
    GC_allow_register_threads();
    fill_boehm();
    ck_assert_int_eq(
        pthread_create(&thread, NULL, begin_where_boehm_collects, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    begin_and_end(NULL);
}

/* There may be many to a line of the side table, and no two of one size. */
START_TEST(begins_with_blocks_of_malloc)
{
    setenv("PYBOEHM_MALLOC", "plain", 1);
    begin_and_end(NULL);
}

int
main(void)
{
    return suite_run_early("gc: threads and processes of a host");
}
