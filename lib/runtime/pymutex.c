/* pymutex.c: a mutex of one byte.

   All waiting threads wait on one condition, whichever mutex it is for: there
   are few of them.

   Manual: "Synchronization primitives". */

#include "Python.h"

#include "gc/base/fatal.h"

#include <pthread.h>

enum { FREE, LOCKED, WANTED = 3 }; /* wanted: locked, and a thread may wait */

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* some mutex that was wanted is free */
} waiting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void
after_fork(void)
{
    pthread_mutex_init(&waiting.mutex, NULL);
    pthread_cond_init(&waiting.changed, NULL);
}

static void
watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, after_fork);
}

/* Locks the mutex if it is free. */
static int
take(PyMutex *m)
{
    uint8_t expected = FREE;

    return __atomic_compare_exchange_n(&m->_bits, &expected, LOCKED, 0,
                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Locks the mutex as wanted, since other threads may still wait for it. */
static void
wait_for(PyMutex *m)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    PYB_ASSERT(PyThreadState_GetUnchecked() == NULL); /* others go on */
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&waiting.mutex);
    while (__atomic_exchange_n(&m->_bits, WANTED, __ATOMIC_ACQUIRE) != FREE)
        pthread_cond_wait(&waiting.changed, &waiting.mutex);
    pthread_mutex_unlock(&waiting.mutex);
}

void
PyMutex_Lock(PyMutex *m)
{
    PyThreadState *ts;

    if (take(m))
        return;
    ts = PyThreadState_GetUnchecked() != NULL ? PyEval_SaveThread() : NULL;
    wait_for(m);
    if (ts != NULL)
        PyEval_RestoreThread(ts);
}

void
PyMutex_Unlock(PyMutex *m)
{
    uint8_t before = __atomic_exchange_n(&m->_bits, FREE, __ATOMIC_RELEASE);

    if (before == FREE)
        pyb_fatal_format(__func__, "unlocking mutex that is not locked");
    PYB_ASSERT(before == LOCKED || before == WANTED);
    if (before != WANTED)
        return;
    pthread_mutex_lock(&waiting.mutex);
    pthread_cond_broadcast(&waiting.changed);
    pthread_mutex_unlock(&waiting.mutex);
}

int
PyMutex_IsLocked(PyMutex *m)
{
    return __atomic_load_n(&m->_bits, __ATOMIC_RELAXED) != FREE;
}
