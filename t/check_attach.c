/* check_attach.c: who is next, seen from behind the API: the lock knows how
   many wait, so that no test here has to guess or to sleep. */

#include "suite.h"
#include "threads.h"

#include "gc/attach.h"

#include <sched.h>

enum { THREADS = 8, TURNS = 200 };

static int order[THREADS + 1];
static int n_turns; /* of the attached thread only */

/* While this thread is attached the others come, and stay. */
static void
wait_for_waiting(int n)
{
    while (pyb_attach_waiting() < n)
        sched_yield();
    ck_assert_int_eq(pyb_attach_waiting(), n);
}

static void *
take_a_turn(void *arg)
{
    PyGILState_STATE state = PyGILState_Ensure();

    order[n_turns++] = (int)(intptr_t)arg;
    PyGILState_Release(state);
    return NULL;
}

/* Starts threads one by one, each waiting before the next one comes. */
static void
line_up(pthread_t threads[THREADS])
{
    n_turns = 0;
    for (int i = 0; i < THREADS; i++) {
        threads[i] = threads_start(take_a_turn, (void *)(intptr_t)i);
        wait_for_waiting(i + 1);
    }
    ck_assert_int_eq(n_turns, 0);
}

static void
all_had_their_turns(pthread_t threads[THREADS])
{
    ck_assert_int_eq(n_turns, THREADS);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(order[i], i);
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    }
}

/* To let go for a moment is enough: all who wait come first, in order. */
START_TEST(who_waits_longest_is_next)
{
    pthread_t threads[THREADS];

    line_up(threads);
    Py_BEGIN_ALLOW_THREADS
    Py_END_ALLOW_THREADS
    all_had_their_turns(threads);
}
END_TEST

START_TEST(ensure_and_release_let_them_in)
{
    pthread_t threads[THREADS];
    PyThreadState *ts;

    line_up(threads);
    ts = PyEval_SaveThread();
    PyGILState_Release(PyGILState_Ensure());
    PyEval_RestoreThread(ts);
    all_had_their_turns(threads);
}
END_TEST

START_TEST(pending_calls_let_them_in)
{
    pthread_t threads[THREADS];

    line_up(threads);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    all_had_their_turns(threads);
}
END_TEST

static void *
take_many_turns(void *Py_UNUSED(arg))
{
    for (int i = 0; i < TURNS; i++) {
        PyGILState_STATE state = PyGILState_Ensure();
        n_turns++;
        PyGILState_Release(state);
    }
    return NULL;
}

/* A thread that wants the lock back at once, again and again, gets it only
   after the one that waits, which may have had more turns than one by then. */
START_TEST(a_spinning_thread_does_not_starve_the_other)
{
    pthread_t other = threads_start(take_many_turns, NULL);

    while (n_turns < TURNS) {
        int before = n_turns;
        wait_for_waiting(1);
        ck_assert_int_eq(n_turns, before);
        Py_BEGIN_ALLOW_THREADS
        Py_END_ALLOW_THREADS
        ck_assert_int_gt(n_turns, before);
    }
    ck_assert_int_eq(pthread_join(other, NULL), 0);
}
END_TEST

/* An attached thread keeps the lock, however much it allocates and collects,
   and whoever waits. */
START_TEST(nobody_is_made_to_give_it_up)
{
    pthread_t threads[THREADS];
    PyObject *list = PyList_New(0);

    line_up(threads);
    for (int i = 0; i < 3000; i++) {
        PyObject *ring = PyList_New(0);
        PyList_Append(ring, ring);
        PyList_Append(list, ring);
        Py_DECREF(ring);
    }
    ck_assert_int_eq(PyList_SetSlice(list, 0, 3000, NULL), 0);
    ck_assert_int_gt(PyGC_Collect(), 0);
    Py_DECREF(list);
    ck_assert_int_eq(PyErr_CheckSignals(), 0);
    ck_assert_int_eq(n_turns, 0);
    wait_for_waiting(THREADS);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    all_had_their_turns(threads);
}
END_TEST

/* To swap thread states lets nobody in. */
START_TEST(swapping_keeps_the_lock)
{
    pthread_t threads[THREADS];
    PyThreadState *first = PyThreadState_Get();
    PyThreadState *second = PyThreadState_New(PyInterpreterState_Get());

    line_up(threads);
    ck_assert_ptr_eq(PyThreadState_Swap(second), first);
    ck_assert_ptr_eq(PyThreadState_Swap(first), second);
    ck_assert_int_eq(n_turns, 0);
    PyThreadState_Clear(second);
    PyThreadState_Delete(second);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    all_had_their_turns(threads);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Errands                                                             */

static int errands_run;
static PyThreadState *errand_state;

static void
run_errand(void *Py_UNUSED(arg))
{
    errands_run++;
    errand_state = PyThreadState_Get();
}

static void *
send(void *arg)
{
    pyb_attach_send(arg);
    return NULL;
}

/* From another thread; does not wait. */
static void
send_another(struct pyb_errand *errand, void (*run)(void *arg))
{
    *errand = (struct pyb_errand){run, NULL, NULL};
    ck_assert_int_eq(pthread_join(threads_start(send, errand), NULL), 0);
}

static void
send_from_elsewhere(struct pyb_errand *errand)
{
    send_another(errand, run_errand);
}

START_TEST(errands_are_run_at_once_if_nobody_is_attached)
{
    struct pyb_errand errand;

    Py_BEGIN_ALLOW_THREADS
    send_from_elsewhere(&errand);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(errands_run, 1);
    ck_assert_ptr_ne(errand_state, PyThreadState_Get());
}
END_TEST

START_TEST(errands_of_the_attached_thread_are_run_at_once)
{
    struct pyb_errand errand = {run_errand, NULL, NULL};

    pyb_attach_send(&errand);
    ck_assert_int_eq(errands_run, 1);
    ck_assert_ptr_eq(errand_state, PyThreadState_Get());
}
END_TEST

/* Otherwise they wait for one of the attached thread's safe places. */
static void
make_pending_calls(void)
{
    Py_MakePendingCalls();
}

static void
detach(void)
{
    PyThreadState *ts = PyEval_SaveThread();

    ck_assert_int_eq(errands_run, 2);
    PyEval_RestoreThread(ts);
}

/* More than what waits on the free lists; no automatic collection is due. */
static void
allocate(void)
{
    enum { N = 30000 };
    static PyObject *keep[N];

    PyGC_Disable();
    for (int i = 0; i < N; i++)
        keep[i] = PyList_New(0);
    PyGC_Enable();
    for (int i = 0; i < N; i++)
        Py_DECREF(keep[i]);
}

/* A few of them: one is due. */
static void
collect(void)
{
    PyObject *keep[3000];

    for (int i = 0; i < 3000; i++)
        keep[i] = PyList_New(0);
    for (int i = 0; i < 3000; i++)
        Py_DECREF(keep[i]);
}

static void
errands_wait_for(void (*safe_place)(void))
{
    struct pyb_errand first, second;

    errands_run = 0;
    send_from_elsewhere(&first);
    send_from_elsewhere(&second);
    Py_DECREF(PyLong_FromLong(1 << 20));
    ck_assert_int_eq(errands_run, 0);
    safe_place();
    ck_assert_int_eq(errands_run, 2);
    ck_assert_ptr_eq(errand_state, PyThreadState_Get());
}

START_TEST(errands_wait_for_a_safe_place)
{
    errands_wait_for(make_pending_calls);
    errands_wait_for(detach);
    errands_wait_for(allocate);
    errands_wait_for(collect);
}
END_TEST

/* A finalizer, for instance, that cannot know who calls it. */
static void
ensure_and_release(void *Py_UNUSED(arg))
{
    PyThreadState *ts = PyThreadState_Get();

    PyGILState_Release(PyGILState_Ensure());
    ck_assert_int_eq(PyGILState_Check(), 1);
    ck_assert_ptr_eq(PyThreadState_Get(), ts);
    errands_run++;
}

/* The state that PyGILState_Ensure makes is there when the first errand is
   run, and still there when the last one is. */
static void *
ensure_among_errands(void *Py_UNUSED(arg))
{
    struct pyb_errand first, last;
    PyGILState_STATE state;

    pyb_attach_take();
    send_another(&first, ensure_and_release);
    pyb_attach_give();
    ck_assert_int_eq(errands_run, 0);
    state = PyGILState_Ensure();
    ck_assert_int_eq(errands_run, 1);
    ck_assert_int_eq(PyGILState_Check(), 1);

    send_another(&last, ensure_and_release);
    ck_assert_int_eq(errands_run, 1);
    PyGILState_Release(state);
    ck_assert_int_eq(errands_run, 2);
    ck_assert_ptr_null(PyGILState_GetThisThreadState());
    return NULL;
}

START_TEST(errands_may_ensure_and_release)
{
    Py_BEGIN_ALLOW_THREADS
    pthread_join(threads_start(ensure_among_errands, NULL), NULL);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(errands_run, 2);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {who_waits_longest_is_next, 0},
        {ensure_and_release_let_them_in, 0},
        {pending_calls_let_them_in, 0},
        {a_spinning_thread_does_not_starve_the_other, 0},
        {nobody_is_made_to_give_it_up, 0},
        {swapping_keeps_the_lock, 0},
        {errands_are_run_at_once_if_nobody_is_attached, 0},
        {errands_of_the_attached_thread_are_run_at_once, 0},
        {errands_wait_for_a_safe_place, 0},
        {errands_may_ensure_and_release, 0},
        {NULL, 0},
    };
    return suite_run("threads: who is attached", tests);
}
