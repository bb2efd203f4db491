/* threadstate.c: what is per thread, and attaching it.  See threadstate.h.

   The library's code knows one pending exception, one recursion depth and so
   on, in variables of its own, and looks at no thread: to attach a thread
   state is to take the lock and to exchange these variables. */

#include "Python.h"

#include "gc/attach.h"
#include "gc/boehm.h"
#include "gc/control.h"
#include "gc/fatal.h"
#include "object/errors.h"
#include "object/import.h"
#include "object/importlock.h"
#include "object/threadstate.h"

#include <pthread.h>

static __thread struct pyb_thread thread;

static struct {
    pthread_mutex_t mutex; /* for the list and the number */
    PyThreadState *all;    /* changed by one store each time: a child after
                              fork finds it in order */
    uint64_t last_id;
    AO_t epoch; /* another one in each life of the library */
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
/* All of them                                                         */

PyThreadState *
pyb_threadstate_new(void)
{
    PyThreadState *ts = calloc(1, sizeof *ts);

    if (ts == NULL)
        return NULL;
    pthread_mutex_lock(&states.mutex);
    ts->id = ++states.last_id;
    ts->next = states.all;
    states.all = ts;
    pthread_mutex_unlock(&states.mutex);
    return ts;
}

/* Takes it off the list; 0 if it is not there. */
static int
unlink_state(PyThreadState *ts)
{
    PyThreadState **link = &states.all;
    int found;

    pthread_mutex_lock(&states.mutex);
    while (*link != NULL && *link != ts)
        link = &(*link)->next;
    found = *link == ts;
    if (found)
        *link = ts->next;
    pthread_mutex_unlock(&states.mutex);
    return found;
}

static void
free_state(PyThreadState *ts)
{
    PyMem_RawFree(ts->saved.recursion.printing);
    free(ts);
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
    unlink_state(tstate);
    free_state(tstate);
}

void
PyThreadState_Clear(PyThreadState *tstate)
{
    pyb_control_require(__func__);
    if (tstate == NULL)
        pyb_fatal_format(__func__, "tstate is NULL");
    if (tstate == pyb_threadstate_thread()->attached)
        PyErr_Clear();
    else
        Py_CLEAR(tstate->saved.error);
    Py_CLEAR(tstate->dict);
}

/* Takes a state that is not this thread's off the list, or NULL. */
static PyThreadState *
take_other(void)
{
    PyThreadState **link = &states.all, *ts;

    pthread_mutex_lock(&states.mutex);
    while ((ts = *link) != NULL && ts == thread.attached)
        link = &ts->next;
    if (ts != NULL)
        *link = ts->next;
    pthread_mutex_unlock(&states.mutex);
    return ts;
}

void
pyb_threadstate_forget_others(void)
{
    PyThreadState *ts;

    /* What they own may run code that makes or deletes others. */
    while ((ts = take_other()) != NULL) {
        PyThreadState_Clear(ts);
        free_state(ts);
    }
}

/* ------------------------------------------------------------------ */
/* Boehm's threads                                                     */

/* Boehm stops this thread from here on, and looks at its stack. */
static void
enter_boehm(void)
{
    if (thread.registered == PYB_UNKNOWN)
        thread.registered =
            pyb_boehm_enter_thread(thread.ending) ? PYB_OURS : PYB_HOSTS;
}

static void
leave_boehm(void)
{
    if (thread.registered == PYB_OURS)
        pyb_boehm_leave_thread();
    thread.registered = PYB_UNKNOWN;
}

/* ------------------------------------------------------------------ */
/* Attaching                                                           */

static void
exchange(PyThreadState *ts)
{
    PyObject *error = pyb_errors_pending;

    pyb_errors_pending = ts->saved.error;
    ts->saved.error = error;
    pyb_recursion_exchange(&ts->saved.recursion);
    pyb_dealloc_exchange(&ts->saved.deallocs);
    pyb_import_exchange(&ts->saved.importing);
}

/* The lock is this thread's.  So whoever had it before has detached, and Boehm
   is prepared for threads. */
static void
become(PyThreadState *ts)
{
    enter_boehm();
    exchange(ts);
    thread.attached = thread.latest = ts;
    pthread_setspecific(states.key, &thread);
}

static void
detach_once(void)
{
    PyThreadState *ts = thread.attached;

    pyb_attach_run_errands();
    exchange(ts);
    thread.attached = NULL;
    pyb_attach_give();
}

void
pyb_threadstate_attach(PyThreadState *ts)
{
    pyb_attach_take();
    become(ts);
    pyb_attach_run_errands();
}

int
pyb_threadstate_try(PyThreadState *ts)
{
    if (!pyb_attach_try())
        return 0;
    become(ts);
    pyb_attach_run_errands();
    return 1;
}

/* Who sends an errand while this thread is on its way out finds the lock
   taken: so it looks once more. */
void
pyb_threadstate_detach(void)
{
    PyThreadState *ts = thread.attached;

    /* Until now there was one thread for us, and Boehm knows it. */
    pyb_boehm_allow_threads();
    detach_once();
    while (pyb_attach_has_errands() && pyb_attach_try()) {
        become(ts);
        detach_once();
    }
}

void
pyb_threadstate_replace(PyThreadState *ts)
{
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
pyb_threadstate_errands(void)
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

/* A state whose thread is gone; perhaps Py_Finalize came first. */
static void
bury(void *arg)
{
    PyThreadState *ts = arg;

    if (!unlink_state(ts))
        return;
    PyThreadState_Clear(ts);
    free_state(ts);
}

/* The destructor of the key: the thread is detached, and what
   PyGILState_Ensure made for it goes, now or when somebody is attached. */
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
    thread.latest = NULL;
    if (ts != NULL && ts->automatic) {
        ts->burial = (struct pyb_errand){bury, ts, NULL};
        pyb_attach_send(&ts->burial);
    }
    leave_boehm();
}

/* ------------------------------------------------------------------ */
/* The library's life                                                  */

static void
after_fork(void)
{
    pthread_mutex_init(&states.mutex, NULL);
    states.main = pthread_self();
    pyb_importlock_forget(pyb_threadstate_thread()->latest);
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
    states.main = pthread_self();
    ts = pyb_threadstate_new();
    if (ts == NULL)
        return -1;
    pyb_attach_open();
    become(ts);
    return 0;
}

void
pyb_threadstate_close(void)
{
    pyb_attach_close();
    /* Threads that still have a state must not look at it. */
    thread.epoch = AO_fetch_and_add1_full(&states.epoch) + 1;
    pyb_attach_run_errands();
    pyb_importlock_forget(thread.attached);
    pyb_threadstate_forget_others();
}

void
pyb_threadstate_fini(void)
{
    PyThreadState *ts = thread.attached;

    pyb_attach_run_errands();
    exchange(ts);
    thread.attached = thread.latest = NULL;
    pyb_attach_end();
    PyThreadState_Delete(ts);
    leave_boehm();
    pthread_setspecific(states.key, NULL);
}
