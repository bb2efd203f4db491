/* check_attach.c: which thread is next, seen from behind the API: the lock
   knows how many wait, so that no test here has to guess or to sleep.

   Linked with some functions wrapped.  A thread that unlocks a mutex must have
   it; one that calls pthread_cond_signal is in the middle of handing the lock
   over. */

#include "../support/node.h"
#include "../support/suite.h"
#include "../support/threads.h"

#include "gc/base/gil.h"
#include "runtime/threadstate.h"

#include <sched.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_signal(pthread_cond_t *);

/* Where libc's functions have no versions, as in musl, the linker has
   libraries refer to these, too, and they must be visible; what the libraries
   call is libc's. */
#pragma GCC visibility push(default)
int __wrap_pthread_mutex_lock(pthread_mutex_t *);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *);
int __wrap_pthread_cond_signal(pthread_cond_t *);
#pragma GCC visibility pop

static __thread int n_locked;

int
__wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    n_locked++;
    return __real_pthread_mutex_lock(mutex);
}

int
__wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (n_locked-- < 1)
        abort();
    return __real_pthread_mutex_unlock(mutex);
}

enum { THREADS = 8, TURNS = 200 };

static int order[THREADS + 1];
static int n_turns; /* of the attached thread only */

/* While this thread is attached the others come, and stay. */
static void
wait_for_waiting(int n)
{
    while (pyb_gil_waiting() < n)
        sched_yield();
    ck_assert_int_eq(pyb_gil_waiting(), n);
}

static void *
take_a_turn(void *arg)
{
    PyGILState_STATE state = PyGILState_Ensure();

    order[n_turns++] = pyb_gil_is_held() ? (int)(intptr_t)arg : -1;
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

/* To let go for a moment is enough: all that wait come first, in order. */
START_TEST(who_waits_longest_is_next)
{
    pthread_t threads[THREADS];

    line_up(threads);
    Py_BEGIN_ALLOW_THREADS
    Py_END_ALLOW_THREADS
    all_had_their_turns(threads);
}

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

START_TEST(pending_calls_let_them_in)
{
    pthread_t threads[THREADS];

    line_up(threads);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    all_had_their_turns(threads);
}

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

/* An attached thread keeps the lock, however much it allocates and collects,
   and however many threads wait. */
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

/* Swapping thread states lets no other thread in. */
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

static void *
take_a_turn_to_the_end(void *arg)
{
    take_a_turn(arg);
    pthread_testcancel();
    return NULL;
}

/* A thread that is cancelled while it waits takes the lock and gives it up
   first. */
START_TEST(cancelled_threads_have_their_turn)
{
    pthread_t thread = threads_start(take_a_turn_to_the_end, NULL);
    void *result = NULL;

    wait_for_waiting(1);
    ck_assert_int_eq(pthread_cancel(thread), 0);
    Py_BEGIN_ALLOW_THREADS
    pthread_join(thread, &result);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(n_turns, 1);
    ck_assert_ptr_eq(result, PTHREAD_CANCELED);
}

/* ------------------------------------------------------------------ */
/* Fork                                                                */

/* The child's exit status; one that hangs is ended. */
static int
status_of(pid_t child)
{
    int status;

    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* In the child: does a thread come in that waits there? */
static int
takes_turns(void)
{
    pthread_t thread;

    if (pyb_gil_waiting() != 0 ||
        pthread_create(&thread, NULL, take_a_turn, NULL) != 0)
        return 0;
    while (pyb_gil_waiting() < 1)
        sched_yield();
    Py_BEGIN_ALLOW_THREADS
    pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    return n_turns == 1;
}

START_TEST(who_waits_stays_behind_at_a_fork)
{
#ifdef __SANITIZE_THREAD__
    return; /* it takes the child's threads for those of the parent */
#endif
    pthread_t threads[THREADS];
    pid_t child;

    line_up(threads);
    child = fork();
    if (child == 0) {
        alarm(60);
        _exit(takes_turns() ? 0 : 1);
    }
    ck_assert_int_eq(status_of(child), 0);
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
    all_had_their_turns(threads);
}

static int fork_now;
static sem_t forker_may_go, forker_is_done;

int
__wrap_pthread_cond_signal(pthread_cond_t *condition)
{
    if (fork_now) {
        fork_now = 0;
        sem_post(&forker_may_go);
        sem_wait(&forker_is_done);
    }
    return __real_pthread_cond_signal(condition);
}

static int forked_status;

static void *
fork_meanwhile(void *Py_UNUSED(arg))
{
    pid_t child;

    sem_wait(&forker_may_go);
    child = fork();
    if (child == 0) {
        alarm(60);
        _exit(pyb_gil_try_acquire());
    }
    forked_status = status_of(child);
    sem_post(&forker_is_done);
    return NULL;
}

/* The child does not wait for a thread that is not there: it learns that it
   cannot be attached. */
START_TEST(fork_while_the_lock_is_handed_over)
{
    pthread_t forker, next;

    sem_init(&forker_may_go, 0, 0);
    sem_init(&forker_is_done, 0, 0);
    forker = threads_start(fork_meanwhile, NULL);
    next = threads_start(take_a_turn, NULL);
    wait_for_waiting(1);
    forked_status = -1;
    fork_now = 1;
    Py_BEGIN_ALLOW_THREADS
    pthread_join(forker, NULL);
    pthread_join(next, NULL);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(forked_status, 0);
    ck_assert_int_eq(n_turns, 1);
}

/* Another thread has made the first of the two stores that take a state off
   the list of all.  The child has a list whose links lead both ways. */
START_TEST(fork_while_a_state_is_taken_off)
{
    PyInterpreterState *interpreter = PyInterpreterState_Get();
    PyThreadState *next = PyThreadState_New(interpreter);
    PyThreadState *leaves = PyThreadState_New(interpreter);
    pid_t child;

    ck_assert_ptr_eq(leaves->next, next);
    *leaves->link = next;
    child = fork();
    if (child == 0)
        _exit(*next->link == next && next->link == leaves->link ? 0 : 1);
    ck_assert_int_eq(status_of(child), 0);
    ck_assert_ptr_eq(next->link, &leaves->next);
    *leaves->link = leaves; /* Delete makes both stores */
    PyThreadState_Delete(leaves);
    ck_assert_ptr_eq(*next->link, next);
    PyThreadState_Delete(next);
}

/* ------------------------------------------------------------------ */
/* Beginning and end                                                   */

static int tried_early;

START_TEST(nobody_is_attached_before_the_beginning_or_after_the_end)
{
    ck_assert_int_eq(tried_early, 0);
    Py_Finalize();
    ck_assert_int_eq(pyb_gil_is_held(), 0);
    ck_assert_int_eq(pyb_gil_try_acquire(), 0);
    Py_Initialize();
}

static void *
begin_the_end(void *Py_UNUSED(arg))
{
    pyb_gil_acquire();
    pyb_gil_close();
    pyb_gil_release();
    return NULL;
}

/* Not even the thread that began it takes part. */
START_TEST(nobody_takes_part_in_the_end_of_another)
{
    PyThreadState *ts = PyEval_SaveThread();

    ck_assert_int_eq(pthread_join(threads_start(begin_the_end, NULL), NULL),
                     0);
    ck_assert_int_eq(pyb_gil_try_acquire(), 0);
    pyb_gil_open();
    pyb_gil_release();
    PyEval_RestoreThread(ts);
}

/* ------------------------------------------------------------------ */
/* Deferred calls                                                      */

static int deferred_calls_run;
static PyThreadState *deferred_state;

static void
run_deferred(void *Py_UNUSED(arg))
{
    deferred_calls_run++;
    deferred_state = PyThreadState_Get();
}

static void *
send(void *arg)
{
    pyb_gil_defer(arg);
    return NULL;
}

/* From another thread; does not wait. */
static void
send_another(struct pyb_deferred *deferred, void (*run)(void *arg))
{
    *deferred = (struct pyb_deferred){run, NULL, NULL};
    ck_assert_int_eq(pthread_join(threads_start(send, deferred), NULL), 0);
}

static void
send_from_elsewhere(struct pyb_deferred *deferred)
{
    send_another(deferred, run_deferred);
}

START_TEST(deferred_calls_are_run_at_once_if_nobody_is_attached)
{
    struct pyb_deferred deferred;

    Py_BEGIN_ALLOW_THREADS
    send_from_elsewhere(&deferred);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(deferred_calls_run, 1);
    ck_assert_ptr_ne(deferred_state, PyThreadState_Get());
}

START_TEST(deferred_calls_of_the_attached_thread_are_run_at_once)
{
    struct pyb_deferred deferred = {run_deferred, NULL, NULL};

    pyb_gil_defer(&deferred);
    ck_assert_int_eq(deferred_calls_run, 1);
    ck_assert_ptr_eq(deferred_state, PyThreadState_Get());
}

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

    ck_assert_int_eq(deferred_calls_run, 2);
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
deferred_calls_wait_for(void (*safe_place)(void))
{
    struct pyb_deferred first, second;

    deferred_calls_run = 0;
    send_from_elsewhere(&first);
    send_from_elsewhere(&second);
    Py_DECREF(PyLong_FromLong(1 << 20));
    ck_assert_int_eq(deferred_calls_run, 0);
    safe_place();
    ck_assert_int_eq(deferred_calls_run, 2);
    ck_assert_ptr_eq(deferred_state, PyThreadState_Get());
}

START_TEST(deferred_calls_wait_for_a_safe_place)
{
    deferred_calls_wait_for(make_pending_calls);
    deferred_calls_wait_for(detach);
    deferred_calls_wait_for(allocate);
    deferred_calls_wait_for(collect);
}

/* A finalizer, for instance, that cannot know its caller. */
static void
ensure_and_release(void *Py_UNUSED(arg))
{
    PyThreadState *ts = PyThreadState_Get();

    PyGILState_Release(PyGILState_Ensure());
    ck_assert_int_eq(PyGILState_Check(), 1);
    ck_assert_ptr_eq(PyThreadState_Get(), ts);
    deferred_calls_run++;
}

/* The state that PyGILState_Ensure makes is there when the first deferred call
   is run, and still there when the last one is. */
static void *
ensure_among_deferred_calls(void *Py_UNUSED(arg))
{
    struct pyb_deferred first, last;
    PyGILState_STATE state;

    pyb_gil_acquire();
    send_another(&first, ensure_and_release);
    pyb_gil_release();
    ck_assert_int_eq(deferred_calls_run, 0);
    state = PyGILState_Ensure();
    ck_assert_int_eq(deferred_calls_run, 1);
    ck_assert_int_eq(PyGILState_Check(), 1);

    send_another(&last, ensure_and_release);
    ck_assert_int_eq(deferred_calls_run, 1);
    PyGILState_Release(state);
    ck_assert_int_eq(deferred_calls_run, 2);
    ck_assert_ptr_null(PyGILState_GetThisThreadState());
    return NULL;
}

START_TEST(deferred_calls_may_ensure_and_release)
{
    Py_BEGIN_ALLOW_THREADS
    pthread_join(threads_start(ensure_among_deferred_calls, NULL), NULL);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(deferred_calls_run, 2);
}

/* ------------------------------------------------------------------ */
/* The end                                                             */

static int came_in;

static void *
come_in(void *Py_UNUSED(arg))
{
    PyGILState_Ensure();
    came_in = 1;
    return NULL;
}

static void
let_come_in(void)
{
    for (int i = 0; i < 100; i++) {
        Py_BEGIN_ALLOW_THREADS
        Py_END_ALLOW_THREADS
    }
}

static void
wait_for_who_comes(struct node *Py_UNUSED(self))
{
    pthread_detach(threads_start(come_in, NULL));
    wait_for_waiting(1);
    let_come_in();
}

/* From the beginning of Py_Finalize on no other thread is attached, not even
   by code that lets others in, nor when the library starts again. */
START_TEST(nobody_comes_in_any_more)
{
    node_reset();
    node_log.on_dealloc = wait_for_who_comes;
    struct node *last = node_new(&node_type);
    ck_assert_int_eq(PySys_SetObject("last", (PyObject *)last), 0);
    Py_DECREF(last);
    Py_Finalize();
    ck_assert_int_eq(node_log.freed, 1);
    Py_Initialize();
    let_come_in();
    ck_assert_int_eq(came_in, 0);
}

int
main(void)
{
    tried_early = pyb_gil_try_acquire();
    return suite_run("threads: who is attached");
}
