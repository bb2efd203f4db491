/* pythread.c: threads and their numbers, locks, thread-specific storage.
   A lock is a semaphore.

   Manual: "Thread-local storage support". */

#include "Python.h"

#include <semaphore.h>
#include <time.h>

#include "gc/base/fatal.h"

unsigned long
PyThread_get_thread_ident(void)
{
    return (unsigned long)pthread_self();
}

unsigned long
PyThread_get_thread_native_id(void)
{
#ifdef HAVE_GETTID
    return (unsigned long)gettid();
#else
    return PyThread_get_thread_ident();
#endif
}

/* ------------------------------------------------------------------ */
/* New threads                                                         */

static size_t stack_size; /* 0: the default */

struct start {
    void (*func)(void *);
    void *arg;
};

static void *
run(void *arg)
{
    struct start start = *(struct start *)arg;

    free(arg);
    start.func(start.arg);
    return NULL;
}

void
PyThread_init_thread(void)
{
}

/* A detached thread with the size of stack that was set; 0, or an error
   number. */
static int
create(pthread_t *thread, struct start *start)
{
    pthread_attr_t attr;
    int error = pthread_attr_init(&attr);

    if (error != 0)
        return error;
    error = pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (error == 0 && stack_size != 0)
        error = pthread_attr_setstacksize(&attr, stack_size);
    if (error == 0)
        error = pthread_create(thread, &attr, run, start);
    pthread_attr_destroy(&attr);
    return error;
}

unsigned long
PyThread_start_new_thread(void (*func)(void *), void *arg)
{
    struct start *start = malloc(sizeof *start);
    pthread_t thread;

    if (start == NULL)
        return PYTHREAD_INVALID_THREAD_ID;
    *start = (struct start){func, arg};
    if (create(&thread, start) == 0)
        return (unsigned long)thread;
    free(start);
    return PYTHREAD_INVALID_THREAD_ID;
}

void
PyThread_exit_thread(void)
{
    pthread_exit(NULL);
}

size_t
PyThread_get_stacksize(void)
{
    return stack_size;
}

int
PyThread_set_stacksize(size_t size)
{
    pthread_attr_t attr;

    if (size != 0) {
        if (pthread_attr_init(&attr) != 0)
            return -1;
        int error = pthread_attr_setstacksize(&attr, size);
        pthread_attr_destroy(&attr);
        if (error != 0)
            return -1;
    }
    stack_size = size;
    return 0;
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

/* The time that many microseconds from now. */
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
    PYB_ASSERT(errno == EINTR || errno == EAGAIN || errno == ETIMEDOUT);
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
    int value;

    if (sem_getvalue(lock, &value) == 0 && value > 0)
        pyb_fatal_format(__func__, "the lock is not held");
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
    PYB_ASSERT(key->_is_initialized);
    return pthread_setspecific(key->_key, value) == 0 ? 0 : -1;
}

void *
PyThread_tss_get(Py_tss_t *key)
{
    PYB_ASSERT(key->_is_initialized);
    return pthread_getspecific(key->_key);
}

/* Old keys: pthread_key_t is an integer here; one that does not fit into int
   is refused. */
int
PyThread_create_key(void)
{
    pthread_key_t key;

    if (pthread_key_create(&key, NULL) != 0)
        return -1;
    if ((uintmax_t)key > INT_MAX) {
        pthread_key_delete(key);
        return -1;
    }
    return (int)key;
}

void
PyThread_delete_key(int key)
{
    pthread_key_delete((pthread_key_t)key);
}

int
PyThread_set_key_value(int key, void *value)
{
    return pthread_setspecific((pthread_key_t)key, value) == 0 ? 0 : -1;
}

void *
PyThread_get_key_value(int key)
{
    return pthread_getspecific((pthread_key_t)key);
}

void
PyThread_delete_key_value(int key)
{
    pthread_setspecific((pthread_key_t)key, NULL);
}

void
PyThread_ReInitTLS(void)
{
}
