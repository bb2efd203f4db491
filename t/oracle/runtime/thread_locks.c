/* thread_locks.c: PyThread's locks and keys.
   Manual: "Thread Specific Storage (TSS) API". */

#include "oracle.h"

#include <pthread.h>

static PyThread_type_lock lock;
static Py_tss_t key = Py_tss_NEEDS_INIT;

static const char *
value(void)
{
    const char *text = PyThread_tss_get(&key);

    return text != NULL ? text : "NULL";
}

static void *
release(void *arg)
{
    say("there: %s", value());
    PyThread_tss_set(&key, "there");
    say("there: %s", value());
    PyThread_release_lock(lock);
    return arg;
}

static void
elsewhere(void *(*function)(void *))
{
    pthread_t thread;

    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

void
oracle_program(void)
{
    lock = need(PyThread_allocate_lock());
    RESULT(PyThread_acquire_lock(lock, NOWAIT_LOCK));
    RESULT(PyThread_acquire_lock(lock, NOWAIT_LOCK));
    RESULT(PyThread_acquire_lock_timed(lock, 0, 0));
    RESULT(PyThread_acquire_lock_timed(lock, 1000, 0));
    RESULT(PyThread_tss_is_created(&key));
    RESULT(PyThread_tss_create(&key));
    RESULT(PyThread_tss_create(&key));
    RESULT(PyThread_tss_is_created(&key));
    say("here: %s", value());
    RESULT(PyThread_tss_set(&key, "here"));
    elsewhere(release);
    say("here: %s", value());
    RESULT(PyThread_acquire_lock_timed(lock, -1, 1));
    PyThread_release_lock(lock);
    RESULT(PyThread_acquire_lock(lock, WAIT_LOCK));
    PyThread_release_lock(lock);
    PyThread_free_lock(lock);
    PyThread_tss_delete(&key);
    PyThread_tss_delete(&key);
    RESULT(PyThread_tss_is_created(&key));
    Py_tss_t *other = need(PyThread_tss_alloc());
    RESULT(PyThread_tss_is_created(other));
    RESULT(PyThread_tss_create(other));
    PyThread_tss_free(other);
    PyThread_tss_free(NULL);
    say("same: %d",
        PyThread_get_thread_ident() == PyThread_get_thread_ident());
    say("main: %d",
        PyThread_get_thread_native_id() == (unsigned long)getpid());
}
