/* check_threads.c: thread states, attaching and detaching, right and wrong. */

#include "../support/node.h"
#include "../support/suite.h"
#include "../support/threads.h"

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
    threads_elsewhere(be_a_thread, NULL);
    ck_assert_int_eq(own, 1);
    ck_assert_int_eq(node_log.freed, 6);
    ck_assert_uint_ne(ids[0], ids[1]);
    ck_assert_uint_ne(ids[0], PyThreadState_GetID(PyThreadState_Get()));
}

START_TEST(states_made_by_hand)
{
    PyThreadState *first = PyThreadState_Get();
    PyThreadState *second =
        suite_require(PyThreadState_New(PyInterpreterState_Get()));
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
    threads_elsewhere(use_state, ts);
    PyThreadState_Clear(ts);
    PyThreadState_Delete(ts);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

/* ------------------------------------------------------------------ */
/* Wrong use                                                           */

static PyThreadState *saved;

static void *
release_only(void *Py_UNUSED(arg))
{
    PyGILState_Release(PyGILState_UNLOCKED);
    return NULL;
}

START_TEST(wrong_use_is_fatal)
{
    static const char text[] = ": the function must be called with an active "
                               "thread state, after Python initialization";

    saved = PyThreadState_Get();
    SUITE_FATAL((PyEval_SaveThread(), PyThreadState_Get()),
                "PyThreadState_Get", text);
    SUITE_FATAL((PyEval_SaveThread(), PyEval_SaveThread()),
                "PyEval_SaveThread", text);
    SUITE_FATAL((PyEval_SaveThread(), PyInterpreterState_Get()),
                "PyInterpreterState_Get", text);
    SUITE_FATAL((PyEval_SaveThread(), PyThreadState_DeleteCurrent()),
                "PyThreadState_DeleteCurrent", text);
    SUITE_FATAL(PyEval_RestoreThread(NULL),
                "PyEval_RestoreThread: NULL tstate");
    SUITE_FATAL(PyEval_AcquireThread(NULL),
                "PyEval_AcquireThread: NULL tstate");
    SUITE_FATAL(PyEval_RestoreThread(saved),
                "PyEval_RestoreThread: non-NULL old thread state");
    SUITE_FATAL(PyEval_ReleaseThread(PyThreadState_New(NULL)),
                "PyEval_ReleaseThread: wrong thread state");
    SUITE_FATAL(PyThreadState_Delete(PyThreadState_Get()),
                "PyThreadState_Delete: tstate ", " is still current");
    SUITE_FATAL(PyThreadState_Delete(NULL),
                "PyThreadState_Delete: tstate is NULL");
    SUITE_FATAL((PyEval_SaveThread(), PyGILState_Release(PyGILState_UNLOCKED)),
                "PyGILState_Release: thread state ",
                " must be current when releasing");
    SUITE_FATAL(threads_elsewhere(release_only, NULL),
                "PyGILState_Release: auto-releasing thread-state, but no "
                "thread-state for this thread");
}

START_TEST(detached_calls_are_fatal_with_checks)
{
    static const char text[] = ": called from a thread that is not attached";

    suite_with_checks();
    SUITE_FATAL((PyEval_SaveThread(), PyGC_Collect()), "PyGC_Collect", text);
    SUITE_FATAL((PyEval_SaveThread(), Py_Finalize()), "Py_FinalizeEx", text);
}

START_TEST(ensure_needs_an_initialised_library)
{
    static const char text[] = ": called before Py_Initialize()";

    SUITE_FATAL((Py_Finalize(), PyGILState_Ensure()), "PyGILState_Ensure",
                text);
    SUITE_FATAL((Py_Finalize(), PyThreadState_New(NULL)), "PyThreadState_New",
                text);
    Py_Finalize();
    ck_assert_int_eq(PyGILState_Check(), 0);
    ck_assert_ptr_null(PyThreadState_GetUnchecked());
    ck_assert_ptr_null(PyGILState_GetThisThreadState());
    Py_Initialize();
    ck_assert_int_eq(PyGILState_Check(), 1);
}
