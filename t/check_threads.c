/* check_threads.c: thread states, attaching and detaching, and what each
   thread has for itself. */

#include "node.h"
#include "suite.h"

#include <pthread.h>

/* ------------------------------------------------------------------ */
/* Help                                                                */

/* Check's assertions are for one thread at a time: the attached one. */

static pthread_t
start(void *(*function)(void *), void *arg)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, function, arg), 0);
    return thread;
}

/* Detached. */
static void
join(pthread_t thread)
{
    int error;

    Py_BEGIN_ALLOW_THREADS
    error = pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(error, 0);
}

/* Runs function(arg) in a thread of its own, to its end. */
static void
elsewhere(void *(*function)(void *), void *arg)
{
    join(start(function, arg));
}

/* Two threads that take turns at points of their own: each waits until the
   other has got there. */
static PyThread_type_lock gates[8];

static void
make_gates(void)
{
    for (int i = 0; i < 8; i++) {
        gates[i] = PyThread_allocate_lock();
        ck_assert_int_eq(PyThread_acquire_lock(gates[i], NOWAIT_LOCK), 1);
    }
}

static void
open_gate(int i)
{
    PyThread_release_lock(gates[i]);
}

/* Detached. */
static void
pass_gate(int i)
{
    int passed;

    Py_BEGIN_ALLOW_THREADS
    passed = PyThread_acquire_lock(gates[i], WAIT_LOCK);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(passed, 1);
}

/* ------------------------------------------------------------------ */
/* Attached or not                                                     */

START_TEST(who_initializes_is_attached)
{
    PyThreadState *ts = PyThreadState_Get();

    ck_assert_int_eq(PyGILState_Check(), 1);
    ck_assert_ptr_nonnull(ts);
    ck_assert_ptr_eq(PyThreadState_GetUnchecked(), ts);
    ck_assert_ptr_eq(_PyThreadState_UncheckedGet(), ts);
    ck_assert_ptr_eq(PyGILState_GetThisThreadState(), ts);
    ck_assert_ptr_eq(PyThreadState_GetInterpreter(ts),
                     PyInterpreterState_Get());
    ck_assert_ptr_eq(PyInterpreterState_Main(), PyInterpreterState_Get());
    ck_assert_int_eq(PyInterpreterState_GetID(PyInterpreterState_Get()), 0);
    PyEval_InitThreads();
    ck_assert_int_eq(PyEval_ThreadsInitialized(), 1);
}
END_TEST

START_TEST(save_and_restore)
{
    PyThreadState *ts = PyEval_SaveThread();

    ck_assert_int_eq(PyGILState_Check(), 0);
    ck_assert_ptr_null(PyThreadState_GetUnchecked());
    ck_assert_ptr_null(PyThreadState_GetDict());
    ck_assert_ptr_eq(PyGILState_GetThisThreadState(), ts);
    errno = ENOENT;
    PyEval_RestoreThread(ts);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_ptr_eq(PyThreadState_Get(), ts);

    PyEval_ReleaseThread(ts);
    ck_assert_int_eq(PyGILState_Check(), 0);
    PyEval_AcquireThread(ts);
    ck_assert_int_eq(PyGILState_Check(), 1);
}
END_TEST

START_TEST(blocks_inside_of_a_block)
{
    Py_BEGIN_ALLOW_THREADS
    ck_assert_int_eq(PyGILState_Check(), 0);
    Py_BLOCK_THREADS
    ck_assert_int_eq(PyGILState_Check(), 1);
    Py_UNBLOCK_THREADS
    ck_assert_int_eq(PyGILState_Check(), 0);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(PyGILState_Check(), 1);
}
END_TEST

START_TEST(ensure_nests)
{
    PyThreadState *ts = PyThreadState_Get();
    PyGILState_STATE first = PyGILState_Ensure();
    ck_assert_int_eq(first, PyGILState_LOCKED);

    PyEval_SaveThread();
    PyGILState_STATE second = PyGILState_Ensure();
    ck_assert_int_eq(second, PyGILState_UNLOCKED);
    ck_assert_ptr_eq(PyThreadState_Get(), ts);
    PyGILState_STATE third = PyGILState_Ensure();
    ck_assert_int_eq(third, PyGILState_LOCKED);
    PyGILState_Release(third);
    ck_assert_int_eq(PyGILState_Check(), 1);
    PyGILState_Release(second);
    ck_assert_int_eq(PyGILState_Check(), 0);

    PyEval_RestoreThread(ts);
    PyGILState_Release(first);
    ck_assert_ptr_eq(PyThreadState_Get(), ts);
}
END_TEST

static uint64_t ids[2];
static int own = 1;

static void *
be_a_thread(void *Py_UNUSED(arg))
{
    own &= PyGILState_GetThisThreadState() == NULL;
    for (int i = 0; i < 2; i++) {
        PyGILState_STATE outer = PyGILState_Ensure();
        ck_assert_int_eq(outer, PyGILState_UNLOCKED);
        PyThreadState *ts = PyThreadState_Get();
        ids[i] = PyThreadState_GetID(ts);

        PyGILState_STATE inner = PyGILState_Ensure();
        ck_assert_int_eq(inner, PyGILState_LOCKED);
        node_drop_ring(&node_type, 3);
        ck_assert_int_eq(PyGC_Collect(), 3);
        PyGILState_Release(inner);
        Py_BEGIN_ALLOW_THREADS
        own &= PyGILState_GetThisThreadState() == ts;
        Py_END_ALLOW_THREADS

        PyGILState_Release(outer);
        own &= PyGILState_GetThisThreadState() == NULL && !PyGILState_Check();
    }
    return NULL;
}

/* It has a state of its own from the first Ensure to the last Release. */
START_TEST(ensure_in_another_thread)
{
    node_reset();
    elsewhere(be_a_thread, NULL);
    ck_assert_int_eq(own, 1);
    ck_assert_int_eq(node_log.freed, 6);
    ck_assert_uint_ne(ids[0], ids[1]);
    ck_assert_uint_ne(ids[0], PyThreadState_GetID(PyThreadState_Get()));
}
END_TEST

START_TEST(states_made_by_hand)
{
    PyThreadState *first = PyThreadState_Get();
    PyThreadState *second = PyThreadState_New(PyInterpreterState_Get());

    ck_assert_ptr_nonnull(second);
    ck_assert_uint_gt(PyThreadState_GetID(second), PyThreadState_GetID(first));
    ck_assert_ptr_eq(PyThreadState_Swap(second), first);
    ck_assert_ptr_eq(PyThreadState_Get(), second);
    ck_assert_ptr_eq(PyGILState_GetThisThreadState(), second);
    ck_assert_ptr_eq(PyThreadState_Swap(NULL), second);
    ck_assert_int_eq(PyGILState_Check(), 0);
    ck_assert_ptr_null(PyThreadState_Swap(NULL));
    ck_assert_ptr_null(PyThreadState_Swap(second));
    PyThreadState_Clear(second);
    PyThreadState_DeleteCurrent();
    ck_assert_int_eq(PyGILState_Check(), 0);
    ck_assert_ptr_null(PyGILState_GetThisThreadState());
    PyEval_RestoreThread(first);
    ck_assert_ptr_eq(PyThreadState_Get(), first);
}
END_TEST

/* The classic way before PyGILState: a state made for a thread by another. */
static void *
use_state(void *ts)
{
    PyEval_AcquireThread(ts);
    ck_assert_ptr_eq(PyGILState_GetThisThreadState(), ts);
    PyGILState_STATE state = PyGILState_Ensure();
    ck_assert_int_eq(state, PyGILState_LOCKED);
    PyGILState_Release(state);
    ck_assert_int_eq(PyGILState_Check(), 1);
    node_drop_ring(&node_type, 2);
    PyEval_ReleaseThread(ts);
    return NULL;
}

START_TEST(a_state_for_another_thread)
{
    PyThreadState *ts = PyThreadState_New(PyInterpreterState_Main());

    node_reset();
    elsewhere(use_state, ts);
    PyThreadState_Clear(ts);
    PyThreadState_Delete(ts);
    ck_assert_int_eq(PyGC_Collect(), 2);
}
END_TEST

/* ------------------------------------------------------------------ */
/* What each thread has for itself                                     */

static void *
raise_another(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    ck_assert_ptr_null(PyErr_Occurred());
    PyErr_SetString(PyExc_ValueError, "there");
    open_gate(0);
    pass_gate(1);
    suite_exception(PyExc_ValueError, "there");
    PyGILState_Release(state);
    return NULL;
}

START_TEST(exceptions_are_a_threads_own)
{
    make_gates();
    PyErr_SetString(PyExc_TypeError, "here");
    pthread_t thread = start(raise_another, NULL);
    pass_gate(0);
    suite_exception(PyExc_TypeError, "here");
    open_gate(1);
    join(thread);
    ck_assert_ptr_null(PyErr_Occurred());
}
END_TEST

/* How deep calls may nest here. */
static int
depth_left(void)
{
    int depth = 0;

    while (Py_EnterRecursiveCall("") == 0)
        depth++;
    suite_exception(PyExc_RecursionError, NULL);
    for (int i = 0; i < depth; i++)
        Py_LeaveRecursiveCall();
    return depth;
}

static void *
measure_depth(void *depth)
{
    PyGILState_STATE state = PyGILState_Ensure();

    *(int *)depth = depth_left();
    PyGILState_Release(state);
    return NULL;
}

START_TEST(depth_is_a_threads_own)
{
    int here = depth_left(), there = 0;

    ck_assert_int_eq(Py_EnterRecursiveCall(""), 0);
    ck_assert_int_eq(depth_left(), here - 1);
    elsewhere(measure_depth, &there);
    ck_assert_int_eq(there, here);
    ck_assert_int_eq(depth_left(), here - 1);
    Py_LeaveRecursiveCall();
}
END_TEST

static PyObject *shown;

static void *
show(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();

    ck_assert_int_eq(Py_ReprEnter(shown), 0);
    Py_ReprLeave(shown);
    PyGILState_Release(state);
    return NULL;
}

/* One thread is in the middle of an object's repr, another one begins. */
START_TEST(reprs_are_a_threads_own)
{
    shown = PyList_New(0);
    ck_assert_int_eq(Py_ReprEnter(shown), 0);
    elsewhere(show, NULL);
    ck_assert_int_eq(Py_ReprEnter(shown), 1);
    Py_ReprLeave(shown);
    Py_DECREF(shown);
}
END_TEST

enum { CHAIN = 200 };

/* A chain of which each node owns the next. */
static struct node *
chain(void)
{
    struct node *first = node_new(&node_type);

    for (int i = 1; i < CHAIN; i++) {
        struct node *node = node_new(&node_type);
        node->left = (PyObject *)first;
        first = node;
    }
    return first;
}

static void *
free_a_chain(void *Py_UNUSED(arg))
{
    PyGILState_STATE state = PyGILState_Ensure();
    long before = node_log.freed;

    Py_DECREF(chain());
    ck_assert_int_eq(node_log.freed - before, CHAIN);
    PyGILState_Release(state);
    return NULL;
}

static void
let_another_in(struct node *Py_UNUSED(self))
{
    node_log.on_dealloc = NULL;
    elsewhere(free_a_chain, NULL);
}

/* In the last nested deallocation before they are put off. */
static void
let_another_in_deep(struct node *Py_UNUSED(self))
{
    if (node_log.freed == 49)
        let_another_in(NULL);
}

/* A tp_dealloc lets another thread in: what that frees goes at once, and not
   with what waits here; this here goes on where it was. */
START_TEST(deallocations_are_a_threads_own)
{
    node_reset();
    node_log.on_dealloc = let_another_in_deep;
    Py_DECREF(chain());
    ck_assert_ptr_null(node_log.on_dealloc);
    ck_assert_int_eq(node_log.freed, 2 * CHAIN);

    node_reset();
    node_log.on_dealloc = let_another_in;
    Py_DECREF(chain());
    ck_assert_int_eq(node_log.freed, 2 * CHAIN);
}
END_TEST

static void *
look_at_dict(void *other)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *dict = PyThreadState_GetDict();

    ck_assert_ptr_nonnull(dict);
    ck_assert_ptr_ne(dict, other);
    ck_assert_int_eq(PyDict_Size(dict), 0);
    struct node *node = node_new(&node_type);
    ck_assert_int_eq(PyDict_SetItemString(dict, "node", (PyObject *)node), 0);
    Py_DECREF(node);
    ck_assert_int_eq(node_log.freed, 0);
    PyGILState_Release(state);
    return NULL;
}

START_TEST(dicts_are_a_threads_own)
{
    PyObject *dict = PyThreadState_GetDict();

    node_reset();
    ck_assert_ptr_eq(PyThreadState_GetDict(), dict);
    ck_assert_int_eq(PyDict_SetItemString(dict, "here", Py_None), 0);
    elsewhere(look_at_dict, dict);
    ck_assert_int_eq(node_log.freed, 1);
    ck_assert_int_eq(PyDict_Size(PyThreadState_GetDict()), 1);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Collections and threads                                             */

static void
count_attached(struct node *Py_UNUSED(self))
{
    ck_assert_int_eq(PyGILState_Check(), 1);
    elsewhere(measure_depth, &(int){0});
}

/* Finalizers and tp_clear run attached, and may let others in. */
START_TEST(a_collection_lets_others_in)
{
    node_reset();
    node_log.on_finalize = count_attached;
    node_log.on_clear = count_attached;
    PyGC_Disable();
    for (int i = 0; i < 10; i++)
        node_drop_ring(&node_final_type, 3);
    PyGC_Enable();
    ck_assert_int_eq(PyGC_Collect(), 30);
    ck_assert_int_eq(node_log.freed, 30);
    ck_assert_int_eq(node_log.finalized, 30);
}
END_TEST

static void *
leave_without_release(void *arg)
{
    PyGILState_Ensure();
    look_at_dict(NULL);
    PyErr_SetString(PyExc_ValueError, "lost");
    if (arg != NULL)
        PyEval_SaveThread();
    return NULL;
}

/* It does not take the lock with it, and what its state owned goes. */
START_TEST(a_thread_that_ends_is_detached)
{
    node_reset();
    elsewhere(leave_without_release, NULL);
    ck_assert_int_eq(node_log.freed, 1);
    node_reset();
    elsewhere(leave_without_release, "detached");
    ck_assert_int_eq(node_log.freed, 1);
}
END_TEST

static void *
end_detached(void *Py_UNUSED(arg))
{
    PyGILState_Ensure();
    look_at_dict(NULL);
    PyEval_SaveThread();
    open_gate(0);
    PyThread_acquire_lock(gates[1], WAIT_LOCK);
    return NULL;
}

/* Then nobody waits, and the attached thread does what is to do. */
START_TEST(a_thread_that_ends_does_not_wait)
{
    node_reset();
    make_gates();
    pthread_t thread = start(end_detached, NULL);
    pass_gate(0);
    open_gate(1);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_eq(node_log.freed, 0);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    ck_assert_int_eq(node_log.freed, 1);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Wrong use                                                           */

static PyThreadState *saved;

static void
get_detached(void)
{
    PyEval_SaveThread();
    PyThreadState_Get();
}

static void
save_detached(void)
{
    PyEval_SaveThread();
    PyEval_SaveThread();
}

static void
interpreter_detached(void)
{
    PyEval_SaveThread();
    PyInterpreterState_Get();
}

static void
delete_current_detached(void)
{
    PyEval_SaveThread();
    PyThreadState_DeleteCurrent();
}

static void
restore_nothing(void)
{
    PyEval_RestoreThread(NULL);
}

static void
acquire_nothing(void)
{
    PyEval_AcquireThread(NULL);
}

static void
restore_attached(void)
{
    PyEval_RestoreThread(saved);
}

static void
release_another(void)
{
    PyEval_ReleaseThread(PyThreadState_New(NULL));
}

static void
delete_attached(void)
{
    PyThreadState_Delete(PyThreadState_Get());
}

static void
delete_nothing(void)
{
    PyThreadState_Delete(NULL);
}

static void
release_detached(void)
{
    PyEval_SaveThread();
    PyGILState_Release(PyGILState_UNLOCKED);
}

static void *
release_only(void *Py_UNUSED(arg))
{
    PyGILState_Release(PyGILState_UNLOCKED);
    return NULL;
}

static void
release_without_state(void)
{
    elsewhere(release_only, NULL);
}

START_TEST(wrong_use_is_fatal)
{
    static const char text[] = ": the function must be called with an active "
                               "thread state, after Python initialization";

    saved = PyThreadState_Get();
    suite_fatal(get_detached, "PyThreadState_Get", text, NULL);
    suite_fatal(save_detached, "PyEval_SaveThread", text, NULL);
    suite_fatal(interpreter_detached, "PyInterpreterState_Get", text, NULL);
    suite_fatal(delete_current_detached, "PyThreadState_DeleteCurrent", text,
                NULL);
    suite_fatal(restore_nothing, "PyEval_RestoreThread: NULL tstate", NULL);
    suite_fatal(acquire_nothing, "PyEval_AcquireThread: NULL tstate", NULL);
    suite_fatal(restore_attached,
                "PyEval_RestoreThread: non-NULL old thread state", NULL);
    suite_fatal(release_another, "PyEval_ReleaseThread: wrong thread state",
                NULL);
    suite_fatal(delete_attached, "PyThreadState_Delete: tstate ",
                " is still current", NULL);
    suite_fatal(delete_nothing, "PyThreadState_Delete: tstate is NULL", NULL);
    suite_fatal(release_detached, "PyGILState_Release: thread state ",
                " must be current when releasing", NULL);
    suite_fatal(release_without_state,
                "PyGILState_Release: auto-releasing thread-state, but no "
                "thread-state for this thread",
                NULL);
}
END_TEST

static void
collect_detached(void)
{
    PyEval_SaveThread();
    PyGC_Collect();
}

static void
finalize_detached(void)
{
    PyEval_SaveThread();
    Py_Finalize();
}

START_TEST(detached_calls_are_fatal_with_checks)
{
    static const char text[] = ": called from a thread that is not attached";

    suite_with_checks();
    suite_fatal(collect_detached, "PyGC_Collect", text, NULL);
    suite_fatal(finalize_detached, "Py_FinalizeEx", text, NULL);
}
END_TEST

static void
ensure_too_early(void)
{
    Py_Finalize();
    PyGILState_Ensure();
}

static void
new_too_early(void)
{
    Py_Finalize();
    PyThreadState_New(NULL);
}

START_TEST(ensure_needs_an_initialised_library)
{
    static const char text[] = ": called before Py_Initialize()";

    suite_fatal(ensure_too_early, "PyGILState_Ensure", text, NULL);
    suite_fatal(new_too_early, "PyThreadState_New", text, NULL);
    Py_Finalize();
    ck_assert_int_eq(PyGILState_Check(), 0);
    ck_assert_ptr_null(PyThreadState_GetUnchecked());
    ck_assert_ptr_null(PyGILState_GetThisThreadState());
    Py_Initialize();
    ck_assert_int_eq(PyGILState_Check(), 1);
}
END_TEST

/* ------------------------------------------------------------------ */
/* The end                                                             */

static int came_in;

static void *
come_in(void *Py_UNUSED(arg))
{
    open_gate(0);
    PyGILState_Ensure();
    came_in = 1;
    return NULL;
}

static void
wait_for_who_comes(struct node *Py_UNUSED(self))
{
    pthread_t thread = start(come_in, NULL);

    pthread_detach(thread);
    for (int i = 0; i < 100; i++) {
        Py_BEGIN_ALLOW_THREADS
        if (i == 0)
            PyThread_acquire_lock(gates[0], WAIT_LOCK);
        Py_END_ALLOW_THREADS
    }
}

/* From the beginning of Py_Finalize on nobody else is attached, not even by
   code that lets others in, nor when the library starts again. */
START_TEST(nobody_comes_in_any_more)
{
    node_reset();
    make_gates();
    node_log.on_dealloc = wait_for_who_comes;
    struct node *last = node_new(&node_type);
    ck_assert_int_eq(PySys_SetObject("last", (PyObject *)last), 0);
    Py_DECREF(last);
    Py_Finalize();
    ck_assert_int_eq(node_log.freed, 1);
    Py_Initialize();
    for (int i = 0; i < 100; i++) {
        Py_BEGIN_ALLOW_THREADS
        Py_END_ALLOW_THREADS
    }
    ck_assert_int_eq(came_in, 0);
}
END_TEST

static void *
sleep_with_a_node(void *Py_UNUSED(arg))
{
    PyGILState_Ensure();
    look_at_dict(NULL);
    open_gate(0);
    pass_gate(1);
    return NULL;
}

/* What the states of others own goes, too. */
START_TEST(states_that_are_left_are_dropped)
{
    node_reset();
    make_gates();
    pthread_detach(start(sleep_with_a_node, NULL));
    pass_gate(0);
    PyObject *dict = PyThreadState_GetDict();
    struct node *node = node_new(&node_type);
    ck_assert_int_eq(PyDict_SetItemString(dict, "node", (PyObject *)node), 0);
    Py_DECREF(node);
    PyErr_SetString(PyExc_ValueError, "lost");
    Py_Finalize();
    ck_assert_int_eq(node_log.freed, 2);
    Py_Initialize();
}
END_TEST

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

/* The library may begin in one thread and end in another. */
START_TEST(begun_here_ended_there)
{
    pthread_t thread;

    Py_Finalize();
    if (pthread_create(&thread, NULL, initialize, NULL) == 0)
        pthread_join(thread, NULL);
    ck_assert_int_eq(PyGILState_Check(), 0);
    PyGILState_Ensure();
    ck_assert_int_eq(PyGILState_Check(), 1);
    Py_Finalize();
    ck_assert_int_eq(Py_IsInitialized(), 0);
    Py_Initialize();
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {who_initializes_is_attached, 0},
        {save_and_restore, 0},
        {blocks_inside_of_a_block, 0},
        {ensure_nests, 0},
        {ensure_in_another_thread, 0},
        {states_made_by_hand, 0},
        {a_state_for_another_thread, 0},
        {exceptions_are_a_threads_own, 0},
        {depth_is_a_threads_own, 0},
        {reprs_are_a_threads_own, 0},
        {deallocations_are_a_threads_own, 0},
        {dicts_are_a_threads_own, 0},
        {a_collection_lets_others_in, 0},
        {a_thread_that_ends_is_detached, 0},
        {a_thread_that_ends_does_not_wait, 0},
        {wrong_use_is_fatal, 0},
        {detached_calls_are_fatal_with_checks, 0},
        {ensure_needs_an_initialised_library, 0},
        {nobody_comes_in_any_more, 0},
        {states_that_are_left_are_dropped, 0},
        {begun_here_ended_there, 0},
        {NULL, 0},
    };
    return suite_run("threads: thread states", tests);
}
