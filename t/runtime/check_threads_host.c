/* check_threads_host.c: threads of a program that uses Boehm itself: which are
   registered with it, finalizers in whichever thread, locks of the host's. */

#include "../support/node.h"
#include "../support/suite.h"
#include "../support/threads.h"

#include <pyboehm.h>

/* Threads are the system's here; GC_pthread_create makes Boehm's. */
#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

/* ------------------------------------------------------------------ */
/* Registered or not                                                   */

static void *
attach_twice(void *Py_UNUSED(arg))
{
    for (int i = 0; i < 2; i++) {
        threads_found(3 * i, GC_thread_is_registered());
        PyGILState_STATE outer = PyGILState_Ensure();
        PyGILState_STATE inner = PyGILState_Ensure();
        PyGILState_Release(inner);
        Py_BEGIN_ALLOW_THREADS
        threads_found(3 * i + 1, GC_thread_is_registered());
        Py_END_ALLOW_THREADS
        PyGILState_Release(outer);
        threads_found(3 * i + 2, GC_thread_is_registered());
    }
    return NULL;
}

START_TEST(unknown_threads_are_registered_for_a_while)
{
    const int expected[6] = {0, 1, 0, 0, 1, 0};

    threads_elsewhere(attach_twice, NULL);
    ck_assert_mem_eq(threads_findings, expected, sizeof expected);
}

/* Boehm has several threads in mind, and its markers are there, before any
   thread that it does not know comes. */
START_TEST(boehm_is_prepared_when_a_thread_detaches)
{
    Py_BEGIN_ALLOW_THREADS
    threads_found(0, GC_get_parallel());
    Py_END_ALLOW_THREADS
    GC_allow_register_threads(); /* as many as it ever has: perhaps none */
    ck_assert_int_eq(threads_findings[0], GC_get_parallel());
}

static void *
register_and_attach(void *Py_UNUSED(arg))
{
    struct GC_stack_base base;

    GC_get_stack_base(&base);
    threads_found(0, GC_register_my_thread(&base) == GC_SUCCESS);
    PyGILState_Release(PyGILState_Ensure());
    threads_found(1, GC_thread_is_registered());
    GC_unregister_my_thread();
    threads_found(2, GC_thread_is_registered());
    PyGILState_Release(PyGILState_Ensure());
    threads_found(3, GC_thread_is_registered());
    return NULL;
}

/* What the host does is left alone. */
START_TEST(registered_threads_stay_so)
{
    const int expected[4] = {1, 1, 0, 0};

    GC_allow_register_threads();
    threads_elsewhere(register_and_attach, NULL);
    ck_assert_mem_eq(threads_findings, expected, sizeof expected);
}

static void *
attach_and_look(void *Py_UNUSED(arg))
{
    threads_found(0, GC_thread_is_registered());
    PyGILState_Release(PyGILState_Ensure());
    threads_found(1, GC_thread_is_registered());
    return NULL;
}

START_TEST(boehms_threads_stay_so)
{
    Py_BEGIN_ALLOW_THREADS
    threads_beside(attach_and_look);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(threads_findings[0], 1);
    ck_assert_int_eq(threads_findings[1], 1);
}

static void *
end_attached(void *Py_UNUSED(arg))
{
    PyGILState_Ensure();
    PyThreadState_GetDict();
    return NULL;
}

/* Boehm would wait for an answer of the thread that is gone. */
START_TEST(threads_that_end_are_not_registered)
{
    for (int i = 0; i < 20; i++) {
        threads_elsewhere(end_attached, NULL);
        GC_gcollect();
    }
    Py_BEGIN_ALLOW_THREADS
    threads_beside(end_attached);
    Py_END_ALLOW_THREADS
    GC_gcollect();
}

static int blocks_gone;

static void GC_CALLBACK
block_gone(void *Py_UNUSED(block), void *Py_UNUSED(data))
{
    blocks_gone++;
}

static void *
hold_a_block(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    char *volatile block = GC_MALLOC(100);

    strcpy(block, "still here");
    GC_REGISTER_FINALIZER_NO_ORDER(block, block_gone, 0, 0, 0);
    PyThreadState *ts = PyEval_SaveThread();
    for (int i = 0; i < 3; i++)
        GC_gcollect();
    threads_found(0, strcmp(block, "still here") == 0 && blocks_gone == 0);
    PyEval_RestoreThread(ts);
    PyGILState_Release(state);
    return NULL;
}

/* Boehm sees the stack of such a thread. */
START_TEST(stacks_of_attached_threads_are_scanned)
{
    threads_elsewhere(hold_a_block, NULL);
    ck_assert_int_eq(threads_findings[0], 1);
}

/* ------------------------------------------------------------------ */
/* Finalizers in whichever thread                                      */

/* A set that waits for Boehm: an automatic collection leaves it to a host
   that runs finalizers on demand.  The ring's type tells where it ends. */
static PyThreadState *ended_in;
static pthread_t end_thread;
static int host_runs_them; /* whatever host this is */

static void
note_end(struct node *Py_UNUSED(self))
{
    ended_in = PyThreadState_Get();
    end_thread = pthread_self();
}

static void
leave_a_ring_to_boehm(void)
{
    PyObject *live = PyList_New(0);

    node_reset();
    ended_in = NULL;
    node_log.on_clear = note_end;
    host_runs_them = GC_get_finalize_on_demand();
    GC_set_finalize_on_demand(1);
    node_drop_ring(&node_type, 3);
    for (int i = 0; i < 3000; i++) {
        PyObject *item = PyList_New(0);
        ck_assert_int_eq(PyList_Append(live, item), 0);
        Py_DECREF(item);
    }
    Py_DECREF(live);
    GC_gcollect();
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert(GC_should_invoke_finalizers());
}

static void *
invoke_finalizers(void *Py_UNUSED(arg))
{
    GC_invoke_finalizers();
    return NULL;
}

static void
make_pending_calls(void)
{
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
}

static void
let_go(void)
{
    PyEval_RestoreThread(PyEval_SaveThread());
}

static void
allocate(void)
{
    PyObject *keep[3000];

    for (int i = 0; i < 3000; i++)
        keep[i] = PyList_New(0);
    for (int i = 0; i < 3000; i++)
        Py_DECREF(keep[i]);
}

static void
ends_here(void (*safe_place)(void))
{
    GC_set_finalize_on_demand(host_runs_them);
    leave_a_ring_to_boehm();
    threads_beside(invoke_finalizers);
    ck_assert(!GC_should_invoke_finalizers());
    ck_assert_int_eq(node_log.freed, 0);
    /* Boehm called; the ring is not its, though it has to wait. */
    for (int i = 0; i < 3; i++)
        GC_gcollect();
    ck_assert_int_eq(node_log.freed, 0);
    safe_place();
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_ptr_eq(ended_in, PyThreadState_Get());
}

/* Boehm calls in a thread of the host's, while this one is attached: it is
   this one that tears the set down, at its next safe place. */
START_TEST(finalizers_elsewhere_wait_for_the_attached_thread)
{
    host_runs_them = GC_get_finalize_on_demand();
    ends_here(make_pending_calls);
    ends_here(let_go);
    ends_here(allocate);
    GC_set_finalize_on_demand(host_runs_them);
}

/* No other thread is attached: that one is, meanwhile. */
START_TEST(finalizers_attach_if_nobody_is)
{
    leave_a_ring_to_boehm();
    Py_BEGIN_ALLOW_THREADS
    threads_beside(invoke_finalizers);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_ptr_nonnull(ended_in);
    ck_assert_ptr_ne(ended_in, PyThreadState_Get());
    ck_assert(!pthread_equal(end_thread, pthread_self()));
    GC_set_finalize_on_demand(host_runs_them);
}

static void *
invoke_detached(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyThreadState *ts = PyThreadState_Get();

    PyErr_SetString(PyExc_ValueError, "pending");
    Py_BEGIN_ALLOW_THREADS
    GC_invoke_finalizers();
    Py_END_ALLOW_THREADS
    suite_exception(PyExc_ValueError, "pending");
    ck_assert_ptr_eq(ended_in, ts);
    PyGILState_Release(state);
    return NULL;
}

/* A thread that is detached for a while uses its own state; its exception
   stays. */
START_TEST(finalizers_use_the_threads_state)
{
    leave_a_ring_to_boehm();
    Py_BEGIN_ALLOW_THREADS
    threads_beside(invoke_detached);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(node_log.freed, 3);
    GC_set_finalize_on_demand(host_runs_them);
}

/* ------------------------------------------------------------------ */
/* A lock of the host's                                                */

static pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;
static PyThread_type_lock host_has_it;

/* Allocates, with the host's lock held, until Boehm has called what there was
   to finalize. */
static void *
allocate_with_the_lock(void *Py_UNUSED(arg))
{
    pthread_mutex_lock(&host_lock);
    PyThread_release_lock(host_has_it);
    while (GC_should_invoke_finalizers())
        GC_MALLOC(1000);
    threads_found(0, node_log.freed);
    pthread_mutex_unlock(&host_lock);
    return NULL;
}

/* A thread of the host's holds a lock and allocates; the finalizer that Boehm
   calls there is ours.  This thread is attached and waits for that lock.  If
   the finalizer waited for this thread, neither would go on. */
START_TEST(no_deadlock_with_a_lock_held_around_an_allocation)
{
    pthread_t thread;

    host_has_it = PyThread_allocate_lock();
    PyThread_acquire_lock(host_has_it, WAIT_LOCK);
    leave_a_ring_to_boehm();
    GC_set_finalize_on_demand(0);
    ck_assert_int_eq(
        GC_pthread_create(&thread, NULL, allocate_with_the_lock, NULL), 0);
    PyThread_acquire_lock(host_has_it, WAIT_LOCK);
    pthread_mutex_lock(&host_lock); /* attached */
    pthread_mutex_unlock(&host_lock);
    ck_assert_int_eq(threads_findings[0], 0);
    ck_assert_int_eq(GC_pthread_join(thread, NULL), 0);
    make_pending_calls();
    ck_assert_int_eq(node_log.freed, 3);
    ck_assert_ptr_eq(ended_in, PyThreadState_Get());
    GC_set_finalize_on_demand(host_runs_them);
}

/* ------------------------------------------------------------------ */
/* Py_Initialize in a thread that Boehm does not know                  */

static void *
initialize(void *Py_UNUSED(arg))
{
    Py_Initialize();
    ck_assert_int_eq(PyGILState_Check(), 1);
    node_drop_ring(&node_type, 3);
    ck_assert_int_eq(PyGC_Collect(), 3);
    PyEval_SaveThread();
    return NULL;
}

/* In a thread that Boehm does not know. */
static void
initialize_elsewhere(void)
{
    pthread_t thread;

    Py_Finalize();
    if (pthread_create(&thread, NULL, initialize, NULL) == 0)
        pthread_join(thread, NULL);
}

/* The library may begin in one thread and end in another. */
START_TEST(begun_here_ended_there)
{
    GC_allow_register_threads();
    initialize_elsewhere();
    ck_assert_int_eq(PyGILState_Check(), 0);
    PyGILState_Ensure();
    ck_assert_int_eq(PyGILState_Check(), 1);
    Py_Finalize();
    ck_assert_int_eq(Py_IsInitialized(), 0);
    Py_Initialize();
}

START_TEST(boehm_has_to_be_told_of_threads)
{
    SUITE_FATAL(initialize_elsewhere(),
                "Fatal Python error: Py_Initialize: Boehm does not know this "
                "thread, and expects none (",
                "): call GC_allow_register_threads before, in a thread that "
                "Boehm knows");
}

int
main(void)
{
    setenv("GC_MARKERS", "2", 0);
    return suite_run("threads: in a host of Boehm's");
}
