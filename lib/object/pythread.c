/* pythread.c: a thread's number, locks, and keys of thread-specific storage.
   A lock is a semaphore.

   Manual: "Thread-local storage support". */

#include "Python.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <time.h>

unsigned long
PyThread_get_thread_ident(void)
{
    return (unsigned long)pthread_self();
}

unsigned long
PyThread_get_thread_native_id(void)
{
    return (unsigned long)syscall(SYS_gettid);
}

/* ------------------------------------------------------------------ */
/* Locks                                                               */

PyThread_type_lock
PyThread_allocate_lock(void)
{
    sem_t *lock = malloc(sizeof *lock);

    if (lock != NULL)
        sem_init(lock, 0, 1);
    return lock;
}

void
PyThread_free_lock(PyThread_type_lock lock)
{
    if (lock != NULL)
        sem_destroy(lock);
    free(lock);
}

/* Now and so many microseconds. */
static struct timespec
deadline(PY_TIMEOUT_T microseconds)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += microseconds / 1000000;
    end.tv_nsec += microseconds % 1000000 * 1000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    return end;
}

PyLockStatus
PyThread_acquire_lock_timed(PyThread_type_lock lock, PY_TIMEOUT_T microseconds,
                            int intr_flag)
{
    struct timespec end = {0, 0};
    int failed;

    if (microseconds > 0)
        end = deadline(microseconds);
    do
        failed = microseconds == 0  ? sem_trywait(lock)
                 : microseconds < 0 ? sem_wait(lock)
                                    : sem_timedwait(lock, &end);
    while (failed && errno == EINTR && !intr_flag);
    if (!failed)
        return PY_LOCK_ACQUIRED;
    return errno == EINTR ? PY_LOCK_INTR : PY_LOCK_FAILURE;
}

int
PyThread_acquire_lock(PyThread_type_lock lock, int waitflag)
{
    return PyThread_acquire_lock_timed(lock, waitflag ? -1 : 0, 0) ==
           PY_LOCK_ACQUIRED;
}

void
PyThread_release_lock(PyThread_type_lock lock)
{
    sem_post(lock);
}

/* ------------------------------------------------------------------ */
/* Thread-specific storage                                             */

Py_tss_t *
PyThread_tss_alloc(void)
{
    return calloc(1, sizeof(Py_tss_t));
}

void
PyThread_tss_free(Py_tss_t *key)
{
    if (key != NULL)
        PyThread_tss_delete(key);
    free(key);
}

int
PyThread_tss_create(Py_tss_t *key)
{
    if (key->_is_initialized)
        return 0;
    if (pthread_key_create(&key->_key, NULL) != 0)
        return -1;
    key->_is_initialized = 1;
    return 0;
}

int
PyThread_tss_is_created(Py_tss_t *key)
{
    return key->_is_initialized;
}

void
PyThread_tss_delete(Py_tss_t *key)
{
    if (!key->_is_initialized)
        return;
    pthread_key_delete(key->_key);
    key->_is_initialized = 0;
}

int
PyThread_tss_set(Py_tss_t *key, void *value)
{
    return pthread_setspecific(key->_key, value) == 0 ? 0 : -1;
}

void *
PyThread_tss_get(Py_tss_t *key)
{
    return pthread_getspecific(key->_key);
}
