/* check_threads_calls.c: pending calls, locks, keys, mutexes. */

#include "../support/suite.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ */
/* Pending calls                                                       */

static char calls[16];
static int attached = 1;

static void
note(char c)
{
    size_t n = strlen(calls);

    ck_assert_uint_lt(n, sizeof calls - 1);
    calls[n] = c;
    attached &= PyGILState_Check();
}

static int
call(void *name)
{
    note(*(char *)name);
    return 0;
}

static int
call_and_fail(void *name)
{
    note(*(char *)name);
    PyErr_SetString(PyExc_ValueError, name);
    return -1;
}

static int
call_and_add(void *name)
{
    note(*(char *)name);
    return Py_AddPendingCall(call, "+");
}

static int
call_and_make(void *name)
{
    int result = Py_MakePendingCalls();

    note(*(char *)name);
    return result;
}

static void
expect_calls(const char *expected)
{
    ck_assert_str_eq(calls, expected);
    ck_assert_int_eq(attached, 1);
    memset(calls, 0, sizeof calls);
}

static void *
add_two(void *Py_UNUSED(arg))
{
    Py_AddPendingCall(call, "a");
    Py_AddPendingCall(call, "b");
    return NULL;
}

static void *
make_them_elsewhere(void *result)
{
    PyGILState_STATE state = PyGILState_Ensure();

    *(int *)result = Py_MakePendingCalls();
    PyGILState_Release(state);
    return NULL;
}

static void
elsewhere(void *(*function)(void *), void *arg)
{
    pthread_t thread;
    int error;

    ck_assert_int_eq(pthread_create(&thread, NULL, function, arg), 0);
    Py_BEGIN_ALLOW_THREADS
    error = pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(error, 0);
}

/* Added by a thread that is not attached; made by the first thread only. */
START_TEST(calls_wait_for_the_main_thread)
{
    int result = -2;

    elsewhere(add_two, NULL);
    ck_assert_int_eq(Py_AddPendingCall(call, "c"), 0);
    expect_calls("");
    elsewhere(make_them_elsewhere, &result);
    ck_assert_int_eq(result, 0);
    expect_calls("");
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    expect_calls("abc");
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    expect_calls("");
}

START_TEST(a_call_that_fails_ends_the_round)
{
    Py_AddPendingCall(call, "a");
    Py_AddPendingCall(call_and_fail, "b");
    Py_AddPendingCall(call, "c");
    suite_failed(Py_MakePendingCalls(), PyExc_ValueError, "b");
    expect_calls("ab");
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    expect_calls("c");
}

static int counted;

static int
count(void *again)
{
    counted++;
    return again != NULL ? Py_AddPendingCall(count, again) : 0;
}

/* But one that adds itself does not go on forever. */
START_TEST(calls_added_by_calls_are_made_too)
{
    Py_AddPendingCall(call_and_add, "a");
    Py_AddPendingCall(call, "b");
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    expect_calls("ab+");
    Py_AddPendingCall(count, "again");
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    ck_assert_int_eq(counted, 300);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    ck_assert_int_eq(counted, 600);
}

START_TEST(calls_do_not_nest)
{
    Py_AddPendingCall(call_and_make, "a");
    Py_AddPendingCall(call, "b");
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    expect_calls("ab");
}

START_TEST(there_is_a_limit)
{
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < 300; i++)
            ck_assert_int_eq(Py_AddPendingCall(count, NULL), 0);
        ck_assert_int_eq(Py_AddPendingCall(count, NULL), -1);
        ck_assert_ptr_null(PyErr_Occurred());
        ck_assert_int_eq(Py_MakePendingCalls(), 0);
        ck_assert_int_eq(counted, 300 * round);
    }
}

/* Signals that come in the middle of an addition, or as a call is taken, add
   calls themselves, and so does another thread: all calls that were added are
   made, each once. */
enum { SIGNALS = 5000 };

static atomic_long signals, added, made;
static atomic_int enough;

static int
count_it(void *Py_UNUSED(arg))
{
    made++;
    return 0;
}

static void
add_it(void)
{
    added += Py_AddPendingCall(count_it, NULL) == 0;
}

static void
on_signal(int Py_UNUSED(number))
{
    signals++;
    add_it();
}

static void *
add_many(void *Py_UNUSED(arg))
{
    while (!enough)
        add_it();
    return NULL;
}

START_TEST(signal_handlers_may_add_calls)
{
    struct sigaction action = {.sa_handler = on_signal};
    struct itimerval often = {{0, 20}, {0, 20}}, never = {{0, 0}, {0, 0}};
    pthread_t thread;

    sigemptyset(&action.sa_mask);
    ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, add_many, NULL), 0);
    ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
    while (signals < (suite_is_slow() ? SIGNALS / 50 : SIGNALS)) {
        added += Py_AddPendingCall(count_it, NULL) == 0;
        ck_assert_int_eq(Py_MakePendingCalls(), 0);
    }
    ck_assert_int_eq(setitimer(ITIMER_REAL, &never, NULL), 0);
    enough = 1;
    pthread_join(thread, NULL);
    while (made < added)
        ck_assert_int_eq(Py_MakePendingCalls(), 0);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    ck_assert_int_eq(made, added);
}

/* With the library's mutex, or a place that another thread was about to fill,
   a child would wait for ever. */
START_TEST(a_child_can_add_and_make_them)
{
    pthread_t thread;
    int status;

    enough = 0;
    ck_assert_int_eq(pthread_create(&thread, NULL, add_many, NULL), 0);
    for (int i = 0; i < (suite_is_slow() ? 5 : 200); i++) {
        pid_t child = fork();
        if (child == 0) {
            made = 0;
            while (Py_AddPendingCall(count_it, NULL) < 0)
                Py_MakePendingCalls();
            Py_MakePendingCalls();
            _exit(made > 0 ? 0 : 1);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
        Py_MakePendingCalls();
    }
    enough = 1;
    pthread_join(thread, NULL);
    while (Py_MakePendingCalls() == 0 && made < added)
        ;
}

START_TEST(the_end_makes_those_that_wait)
{
    Py_AddPendingCall(call, "a");
    Py_AddPendingCall(call_and_fail, "b");
    Py_AddPendingCall(call, "c");
    suite_catch_stderr();
    Py_Finalize();
    char *text = suite_caught_stderr();
    ck_assert_msg(strstr(text, "ValueError: b") != NULL, "%s", text);
    free(text);
    expect_calls("abc");
    Py_Initialize();
}

/* ------------------------------------------------------------------ */
/* Locks                                                               */

START_TEST(numbers_of_threads)
{
    ck_assert_uint_eq(PyThread_get_thread_ident(),
                      PyThread_get_thread_ident());
    if (!suite_has("GETTID"))
        return;
    ck_assert_uint_eq(PyThread_get_thread_native_id(),
                      (unsigned long)getpid());
}

static void *
release(void *lock)
{
    PyThread_release_lock(lock);
    return NULL;
}

START_TEST(locks_are_held_or_free)
{
    PyThread_type_lock lock = suite_require(PyThread_allocate_lock());
    ck_assert_int_eq(PyThread_acquire_lock(lock, WAIT_LOCK), 1);
    ck_assert_int_eq(PyThread_acquire_lock(lock, NOWAIT_LOCK), 0);
    ck_assert_int_eq(PyThread_acquire_lock_timed(lock, 0, 0), PY_LOCK_FAILURE);
    ck_assert_int_eq(PyThread_acquire_lock_timed(lock, 1001000, 0),
                     PY_LOCK_FAILURE);
    elsewhere(release, lock);
    ck_assert_int_eq(PyThread_acquire_lock_timed(lock, 1000000, 0),
                     PY_LOCK_ACQUIRED);
    elsewhere(release, lock);
    ck_assert_int_eq(PyThread_acquire_lock_timed(lock, -1, 1),
                     PY_LOCK_ACQUIRED);
    PyThread_release_lock(lock);
    PyThread_free_lock(lock);
}

/* Two threads could have it then. */
START_TEST(releasing_a_free_lock)
{
    SUITE_FATAL(release(PyThread_allocate_lock()),
                "PyThread_release_lock: the lock is not held");
}

static PyThread_type_lock held;

static void
on_alarm(int Py_UNUSED(number))
{
}

/* Without intr_flag the wait goes on: a later alarm finds it waiting still,
   and that one's handler frees the lock, once. */
static void
free_it(int Py_UNUSED(number))
{
    enum { LATER = 10 };
    static volatile sig_atomic_t alarms;

    if (++alarms == LATER)
        PyThread_release_lock(held);
}

static void
alarm_soon(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    sigemptyset(&action.sa_mask);
    ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
    ualarm(1000, 1000); /* again and again: one comes while it waits */
}

START_TEST(signals_end_a_wait_that_allows_it)
{
    held = PyThread_allocate_lock();
    ck_assert_int_eq(PyThread_acquire_lock(held, WAIT_LOCK), 1);
    alarm_soon(on_alarm);
    ck_assert_int_eq(PyThread_acquire_lock_timed(held, -1, 1), PY_LOCK_INTR);
    ck_assert_int_eq(PyThread_acquire_lock_timed(held, 60000000, 1),
                     PY_LOCK_INTR);
    ck_assert_int_eq(PyThread_acquire_lock_timed(held, 20000, 0),
                     PY_LOCK_FAILURE);
    alarm_soon(free_it);
    ck_assert_int_eq(PyThread_acquire_lock_timed(held, -1, 0),
                     PY_LOCK_ACQUIRED);
    ualarm(0, 0);
    PyThread_free_lock(held);
}

/* ------------------------------------------------------------------ */
/* Keys                                                                */

static Py_tss_t static_key = Py_tss_NEEDS_INIT;
static void *value_there = "not yet";

static void *
look_at_key(void *key)
{
    value_there = PyThread_tss_get(key);
    PyThread_tss_set(key, "there");
    return NULL;
}

static void
use_key(Py_tss_t *key)
{
    ck_assert_int_eq(PyThread_tss_is_created(key), 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(PyThread_tss_create(key), 0);
        ck_assert_int_eq(PyThread_tss_create(key), 0);
        ck_assert_int_eq(PyThread_tss_is_created(key), 1);
        ck_assert_ptr_null(PyThread_tss_get(key));
        ck_assert_int_eq(PyThread_tss_set(key, "here"), 0);
        elsewhere(look_at_key, key);
        ck_assert_ptr_null(value_there);
        ck_assert_str_eq(PyThread_tss_get(key), "here");
        PyThread_tss_delete(key);
        PyThread_tss_delete(key);
        ck_assert_int_eq(PyThread_tss_is_created(key), 0);
    }
}

START_TEST(keys_have_a_value_for_each_thread)
{
    Py_tss_t *key = suite_require(PyThread_tss_alloc());
    use_key(key);
    ck_assert_int_eq(PyThread_tss_create(key), 0);
    PyThread_tss_free(key);
    PyThread_tss_free(NULL);
    use_key(&static_key);
}

/* ------------------------------------------------------------------ */
/* Mutexes                                                             */

enum { THREADS = 4, ROUNDS = 2000 };
static PyMutex mutex;
static int guarded, most;

static void *
use_mutex(void *attach)
{
    for (int i = 0; i < ROUNDS; i++) {
        PyGILState_STATE state = PyGILState_LOCKED;

        if (attach != NULL)
            state = PyGILState_Ensure();
        PyMutex_Lock(&mutex);
        int inside = guarded++;
        if (i % 100 == 0 && attach != NULL)
            PyEval_RestoreThread(PyEval_SaveThread());
        most += guarded - inside;
        PyMutex_Unlock(&mutex);
        if (attach != NULL)
            PyGILState_Release(state);
    }
    return NULL;
}

/* A thread that waits for it is detached: its holder may need to attach. */
START_TEST(mutexes_let_one_in)
{
    pthread_t threads[THREADS];

    ck_assert_int_eq(PyMutex_IsLocked(&mutex), 0);
    PyMutex_Lock(&mutex);
    ck_assert_int_eq(PyMutex_IsLocked(&mutex), 1);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_mutex,
                                        i % 2 == 0 ? "attach" : NULL),
                         0);
    PyMutex_Unlock(&mutex);
    Py_BEGIN_ALLOW_THREADS
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(guarded, THREADS * ROUNDS);
    ck_assert_int_eq(most, THREADS * ROUNDS);
    ck_assert_int_eq(PyMutex_IsLocked(&mutex), 0);
}

START_TEST(unlocking_a_free_mutex)
{
    SUITE_FATAL(PyMutex_Unlock(&mutex),
                "PyMutex_Unlock: unlocking mutex that is not locked");
}

START_TEST(critical_sections_are_blocks)
{
    int ran = 0;

    Py_BEGIN_CRITICAL_SECTION(Py_None);
    ran++;
    Py_BEGIN_CRITICAL_SECTION2(Py_None, Py_True);
    ran++;
    Py_BEGIN_CRITICAL_SECTION_MUTEX(&mutex);
    Py_BEGIN_CRITICAL_SECTION2_MUTEX(&mutex, &mutex);
    ran++;
    Py_END_CRITICAL_SECTION2();
    Py_END_CRITICAL_SECTION();
    Py_END_CRITICAL_SECTION2();
    Py_END_CRITICAL_SECTION();
    ck_assert_int_eq(ran, 3);
}
