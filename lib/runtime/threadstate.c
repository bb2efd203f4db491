/* threadstate.c: the state of each thread, and attaching it.  See
   threadstate.h.

   The library's code knows one pending exception, one recursion depth and so
   on, in variables of its own, and does not ask which thread it runs in:
   attaching a thread state takes the lock and exchanges these variables. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/boehm/boehm.h"
#include "gc/control.h"
#include "runtime/threadstate.h"

#include <pthread.h>

PyObject *pyb_threadstate_error, *pyb_threadstate_handled;
const char *pyb_threadstate_importing;

static __thread struct pyb_thread thread;

static struct {
    pthread_mutex_t mutex; /* for the list and the number */
    PyThreadState *all;    /* the links through next change by single stores,
                              so that a child after fork finds the list in
                              order */
    uint64_t last_id;
    AO_t epoch; /* different in each life of the library */
    pthread_key_t key;
    pthread_t main;
} states = {.mutex = PTHREAD_MUTEX_INITIALIZER};

struct pyb_thread *
pyb_threadstate_thread(void)
{
    AO_t epoch = AO_load(&states.epoch);

    if (thread.epoch != epoch) {
        thread.attached = thread.latest = NULL;
        thread.epoch = epoch;
    }
    return &thread;
}

int
pyb_threadstate_is_main(void)
{
    return pthread_equal(states.main, pthread_self());
}

/* ------------------------------------------------------------------ */
/* All thread states                                                   */

void
pyb_threadstate_check(void)
{
    PyThreadState *const *link = &states.all;

    for (const PyThreadState *ts = states.all; ts != NULL; ts = ts->next) {
        PYB_ALWAYS(ts->link == link, NULL,
                   "the list of thread states is broken");
        PYB_ALWAYS(ts->id > 0 && ts->id <= states.last_id, NULL,
                   "a thread state has no number");
        link = &ts->next;
    }
}

PyThreadState *
pyb_threadstate_new(void)
{
    PyThreadState *ts = calloc(1, sizeof *ts);

    if (ts == NULL)
        return NULL;
    ts->interp = PyInterpreterState_Main();
    ts->gilstate_counter = 1;
    pthread_mutex_lock(&states.mutex);
    ts->id = ++states.last_id;
    ts->next = states.all;
    ts->link = &states.all;
    if (ts->next != NULL)
        ts->next->link = &ts->next;
    states.all = ts;
    PYB_EXPENSIVE(pyb_threadstate_check());
    pthread_mutex_unlock(&states.mutex);
    return ts;
}

PyThreadState *
PyInterpreterState_ThreadHead(PyInterpreterState *Py_UNUSED(interp))
{
    pthread_mutex_lock(&states.mutex);
    PyThreadState *ts = states.all;
    pthread_mutex_unlock(&states.mutex);
    return ts;
}

PyThreadState *
PyThreadState_Next(PyThreadState *tstate)
{
    pthread_mutex_lock(&states.mutex);
    PyThreadState *ts = tstate->next;
    pthread_mutex_unlock(&states.mutex);
    return ts;
}

/* Removes a state from the list; the mutex is held. */
static void
take_off(PyThreadState *ts)
{
    PYB_ASSERT(*ts->link == ts);
    PYB_ASSERT(ts->next == NULL || ts->next->link == &ts->next);
    *ts->link = ts->next;
    if (ts->next != NULL)
        ts->next->link = ts->link;
    PYB_EXPENSIVE(pyb_threadstate_check());
}

static void
free_state(PyThreadState *ts)
{
    PYB_ASSERT(ts != thread.attached);
    PyMem_RawFree(ts->saved.recursion.printing);
    free(ts);
}

/* 0 if the state's burial will delete it. */
static int
take_off_unless_ended(PyThreadState *ts)
{
    int ended;

    pthread_mutex_lock(&states.mutex);
    ended = ts->ended;
    if (!ended)
        take_off(ts);
    pthread_mutex_unlock(&states.mutex);
    return !ended;
}

void
PyThreadState_Delete(PyThreadState *tstate)
{
    struct pyb_thread *self = pyb_threadstate_thread();

    if (tstate == NULL)
        pyb_fatal_format(__func__, "tstate is NULL");
    if (tstate == self->attached)
        pyb_fatal_format(__func__, "tstate %p is still current",
                         (void *)tstate);
    if (tstate == self->latest)
        self->latest = NULL;
    if (take_off_unless_ended(tstate))
        free_state(tstate);
}

void
PyThreadState_Clear(PyThreadState *tstate)
{
    pyb_control_require(__func__);
    if (tstate == NULL)
        pyb_fatal_format(__func__, "tstate is NULL");
    if (tstate == pyb_threadstate_thread()->attached) {
        PyErr_Clear();
        Py_CLEAR(pyb_threadstate_handled);
    } else {
        Py_CLEAR(tstate->saved.error);
        Py_CLEAR(tstate->saved.handled);
    }
    Py_CLEAR(tstate->dict);
    Py_CLEAR(tstate->context);
}

/* A state that is not this thread's, or NULL. */
static PyThreadState *
find_other(void)
{
    PyThreadState *ts;

    pthread_mutex_lock(&states.mutex);
    ts = states.all;
    if (ts != NULL && ts == thread.attached)
        ts = ts->next;
    pthread_mutex_unlock(&states.mutex);
    return ts;
}

/* Objects that the states own may run code that makes or deletes others. */
void
pyb_threadstate_forget_others(void)
{
    PyThreadState *ts;

    PYB_ASSERT(pyb_gil_is_held() && thread.attached != NULL);
    pyb_gil_run_deferred(); /* a fork may have come before `ended' was set */
    while ((ts = find_other()) != NULL)
        if (take_off_unless_ended(ts)) {
            PyThreadState_Clear(ts);
            free_state(ts);
        } else {
            PYB_ASSERT(pyb_gil_has_deferred()); /* its burial */
            pyb_gil_run_deferred();
        }
}

/* ------------------------------------------------------------------ */
/* Boehm's threads                                                     */

/* Registers this thread with Boehm, which stops it during collections and
   scans its stack. */
static void
enter_boehm(void)
{
    if (thread.registered == PYB_UNKNOWN)
        thread.registered =
            pyb_boehm_register_thread(thread.ending) ? PYB_OURS : PYB_HOSTS;
}

static void
leave_boehm(void)
{
    PYB_ASSERT(thread.attached == NULL);
    if (thread.registered == PYB_OURS)
        pyb_boehm_unregister_thread();
    thread.registered = PYB_UNKNOWN;
}

/* ------------------------------------------------------------------ */
/* Attaching                                                           */

static void
exchange(PyThreadState *ts)
{
    PYB_ASSERT(ts != NULL && pyb_gil_is_held());
    PyObject *error = pyb_threadstate_error;
    PyObject *handled = pyb_threadstate_handled;
    const char *importing = pyb_threadstate_importing;

    pyb_threadstate_error = ts->saved.error;
    pyb_threadstate_handled = ts->saved.handled;
    pyb_threadstate_importing = ts->saved.importing;
    ts->saved.error = error;
    ts->saved.handled = handled;
    ts->saved.importing = importing;
    pyb_recursion_exchange(&ts->saved.recursion);
    pyb_dealloc_exchange(&ts->saved.deallocs);
}

/* This thread holds the lock.  So the thread that held it before has detached,
   and Boehm is prepared for threads. */
static void
become(PyThreadState *ts)
{
    PYB_ASSERT(pyb_gil_is_held());
    /* The one before has taken all with it. */
    PYB_ASSERT(pyb_threadstate_error == NULL &&
               pyb_threadstate_handled == NULL &&
               pyb_threadstate_importing == NULL);
    enter_boehm();
    exchange(ts);
    thread.attached = thread.latest = ts;
    pthread_setspecific(states.key, &thread);
}

static void
detach_once(void)
{
    PyThreadState *ts = thread.attached;

    PYB_ASSERT(ts != NULL);
    pyb_gil_run_deferred();
    PYB_ASSERT(thread.attached == ts); /* whatever ran has come back to it */
    exchange(ts);
    thread.attached = NULL;
    pyb_gil_release();
}

void
pyb_threadstate_attach(PyThreadState *ts)
{
    PYB_ASSERT(thread.attached == NULL);
    pyb_gil_acquire();
    become(ts);
    pyb_gil_run_deferred();
}

int
pyb_threadstate_try(PyThreadState *ts)
{
    if (!pyb_gil_try_acquire())
        return 0;
    PYB_ASSERT(thread.attached == NULL);
    become(ts);
    pyb_gil_run_deferred();
    return 1;
}

/* A call that is deferred while this thread detaches finds the lock taken; so
   this thread looks for deferred calls once more. */
void
pyb_threadstate_detach(void)
{
    PyThreadState *ts = thread.attached;

    /* Until here there was only one thread, which Boehm knows. */
    pyb_boehm_allow_threads();
    detach_once();
    while (pyb_gil_has_deferred() && pyb_gil_try_acquire()) {
        become(ts);
        detach_once();
    }
}

void
pyb_threadstate_replace(PyThreadState *ts)
{
    PYB_ASSERT(thread.attached != NULL && ts != thread.attached);
    exchange(thread.attached);
    become(ts);
}

void
pyb_threadstate_drop(void)
{
    PyThreadState *ts = thread.attached;

    PyThreadState_Clear(ts);
    pyb_threadstate_detach();
    PyThreadState_Delete(ts);
    leave_boehm();
}

void
pyb_threadstate_deferred(void)
{
    PyThreadState *ts = pyb_threadstate_thread()->latest;
    int fresh = ts == NULL;

    if (fresh)
        ts = pyb_threadstate_new();
    if (ts == NULL)
        return;
    if (pyb_threadstate_try(ts))
        pyb_threadstate_detach();
    if (fresh) {
        PyThreadState_Delete(ts);
        leave_boehm();
    }
}

/* ------------------------------------------------------------------ */
/* The end of a thread                                                 */

/* Deletes the state of a thread that is gone. */
static void
bury(void *arg)
{
    PyThreadState *ts = arg;

    pthread_mutex_lock(&states.mutex);
    take_off(ts);
    pthread_mutex_unlock(&states.mutex);
    PyThreadState_Clear(ts);
    free_state(ts);
}

/* Has an attached thread delete the state that PyGILState_Ensure made for this
   thread; 0 if there is none: Py_Finalize may have deleted it meanwhile. */
static int
defer_burial(PyThreadState *wanted)
{
    PyThreadState *ts;
    int deferred;

    pthread_mutex_lock(&states.mutex);
    for (ts = states.all; ts != NULL && ts != wanted; ts = ts->next)
        ;
    deferred = ts != NULL && ts->automatic;
    if (deferred) {
        PYB_ASSERT(!ts->ended);
        ts->burial = (struct pyb_deferred){bury, ts, NULL};
        pyb_gil_defer_later(&ts->burial);
        ts->ended = 1;
    }
    pthread_mutex_unlock(&states.mutex);
    return deferred;
}

/* The destructor of the key: detaches the thread, and deletes the state that
   PyGILState_Ensure made for it, at once or when a thread is attached. */
static void
thread_ends(void *Py_UNUSED(arg))
{
    PyThreadState *ts = pyb_threadstate_thread()->latest;

    thread.ending = 1;
    if (thread.registered == PYB_HOSTS)
        thread.registered = PYB_UNKNOWN;
    if (thread.attached != NULL) {
        enter_boehm();
        pyb_threadstate_detach();
    }
    PYB_ASSERT(thread.attached == NULL && !pyb_gil_is_held());
    thread.latest = NULL;
    if (ts != NULL && defer_burial(ts))
        pyb_threadstate_deferred();
    leave_boehm();
}

/* ------------------------------------------------------------------ */
/* The library's life                                                  */

static void
after_fork(void)
{
    PyThreadState **link = &states.all;

    pthread_mutex_init(&states.mutex, NULL);
    for (; *link != NULL; link = &(*link)->next)
        (*link)->link = link; /* another thread may have been changing it */
    states.main = pthread_self();
}

void
pyb_threadstate_enter(void)
{
    enter_boehm();
}

int
pyb_threadstate_init(void)
{
    static int watched;
    PyThreadState *ts;

    if (!watched && (pthread_key_create(&states.key, thread_ends) != 0 ||
                     pthread_atfork(NULL, NULL, after_fork) != 0))
        return -1;
    watched = 1;
    pyb_threadstate_thread();
    PYB_ASSERT(thread.attached == NULL);
    states.main = pthread_self();
    ts = pyb_threadstate_new();
    if (ts == NULL)
        return -1;
    pyb_gil_open();
    become(ts);
    return 0;
}

void
pyb_threadstate_close(void)
{
    pyb_gil_close();
    /* Threads of an earlier life must not use their states. */
    thread.epoch = AO_fetch_and_add1_full(&states.epoch) + 1;
    pyb_gil_run_deferred();
}

void
pyb_threadstate_fini(void)
{
    PyThreadState *ts = thread.attached;

    PYB_ASSERT(ts != NULL && pyb_gil_is_held());
    pyb_gil_run_deferred();
    PYB_ASSERT(thread.attached == ts);
    exchange(ts);
    thread.attached = thread.latest = NULL;
    pyb_gil_end();
    PyThreadState_Delete(ts);
    leave_boehm();
    pthread_setspecific(states.key, NULL);
}
