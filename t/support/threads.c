/* threads.c: for tests with threads; see threads.h. */

#include "threads.h"

#include "suite.h"

/* Threads are the system's here; GC_pthread_create makes Boehm's. */
#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

int threads_findings[8];
PyThread_type_lock threads_gates[8];

pthread_t
threads_start(void *(*function)(void *), void *arg)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, function, arg), 0);
    return thread;
}

void
threads_join(pthread_t thread)
{
    int error;

    Py_BEGIN_ALLOW_THREADS
    error = pthread_join(thread, NULL);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(error, 0);
}

void
threads_elsewhere(void *(*function)(void *), void *arg)
{
    threads_join(threads_start(function, arg));
}

void
threads_beside(void *(*function)(void *))
{
    pthread_t thread;

    ck_assert_int_eq(GC_pthread_create(&thread, NULL, function, NULL), 0);
    ck_assert_int_eq(GC_pthread_join(thread, NULL), 0);
}

void
threads_found(int i, int finding)
{
    threads_findings[i] = finding;
}

void
threads_make_gates(void)
{
    for (int i = 0; i < 8; i++) {
        threads_gates[i] = PyThread_allocate_lock();
        ck_assert_int_eq(PyThread_acquire_lock(threads_gates[i], NOWAIT_LOCK),
                         1);
    }
}

void
threads_open_gate(int i)
{
    PyThread_release_lock(threads_gates[i]);
}

void
threads_pass_gate(int i)
{
    int passed;

    Py_BEGIN_ALLOW_THREADS
    passed = PyThread_acquire_lock(threads_gates[i], WAIT_LOCK);
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(passed, 1);
}
