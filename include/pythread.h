/* pythread.h: a thread's number, locks, and keys of thread-specific storage.

   The functions here may be called at any time and from any thread, attached
   or not.  They never attach or detach: an attached thread that has to wait
   for a lock does so in a block of Py_BEGIN_ALLOW_THREADS.

   Manual: "Thread-local storage support"; "Synchronization primitives". */

#ifndef Py_PYTHREAD_H
#define Py_PYTHREAD_H

#include <pthread.h>

#include "pyport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyThread_get_thread_ident: a number that no other living thread has.
   PyThread_get_thread_native_id: the system's number for the thread. */
PyAPI_FUNC(unsigned long) PyThread_get_thread_ident(void);
#if _PYB_LIMITED_AT_LEAST(0x03080000)
#define PY_HAVE_THREAD_NATIVE_ID
PyAPI_FUNC(unsigned long) PyThread_get_thread_native_id(void);
#endif

/* ------------------------------------------------------------------ */
/* Locks                                                               */

/* A lock is held or free, no thread owns it: any may release it. */
typedef void *PyThread_type_lock;

/* What became of an attempt: not in time, held now, stopped by a signal. */
typedef enum PyLockStatus {
    PY_LOCK_FAILURE = 0,
    PY_LOCK_ACQUIRED = 1,
    PY_LOCK_INTR
} PyLockStatus;

/* Modes of PyThread_acquire_lock. */
#define WAIT_LOCK 1
#define NOWAIT_LOCK 0

/* A time in microseconds, and the longest one. */
#define PY_TIMEOUT_T long long
#define PY_TIMEOUT_MAX (LLONG_MAX / 1000)

/* PyThread_allocate_lock: a new lock, free; NULL if there is no memory.
   PyThread_free_lock: the end of one that nobody holds. */
PyAPI_FUNC(PyThread_type_lock) PyThread_allocate_lock(void);
PyAPI_FUNC(void) PyThread_free_lock(PyThread_type_lock lock);

/* PyThread_acquire_lock: takes the lock, waits for it in the mode WAIT_LOCK;
   1, or 0 if it is held.  PyThread_acquire_lock_timed: waits so many
   microseconds, below 0 without a limit; with intr_flag a signal ends that.
   PyThread_release_lock: frees it. */
PyAPI_FUNC(int) PyThread_acquire_lock(PyThread_type_lock lock, int waitflag);
PyAPI_FUNC(PyLockStatus)
    PyThread_acquire_lock_timed(PyThread_type_lock lock,
                                PY_TIMEOUT_T microseconds, int intr_flag);
PyAPI_FUNC(void) PyThread_release_lock(PyThread_type_lock lock);

/* ------------------------------------------------------------------ */
/* Thread-specific storage                                             */

/* A key, with a value for each thread, NULL at first.  A static one begins as
   Py_tss_NEEDS_INIT.  What it holds is neither owned nor seen by a collector.
 */
#if _PYB_LIMITED_AT_LEAST(0x03070000)
typedef struct _Py_tss_t {
    int _is_initialized;
    pthread_key_t _key;
} Py_tss_t;
#define Py_tss_NEEDS_INIT                                                     \
    {                                                                         \
        0, 0                                                                  \
    }

/* PyThread_tss_alloc: a key in memory of its own, to be created; NULL if there
   is none.  PyThread_tss_free: deletes and frees it; NULL is ignored. */
PyAPI_FUNC(Py_tss_t *) PyThread_tss_alloc(void);
PyAPI_FUNC(void) PyThread_tss_free(Py_tss_t *key);

/* PyThread_tss_create: makes the key usable, unless it is; 0, or -1.
   PyThread_tss_is_created: 1 or 0.  PyThread_tss_delete: forgets all its
   values; it may be created again. */
PyAPI_FUNC(int) PyThread_tss_create(Py_tss_t *key);
PyAPI_FUNC(int) PyThread_tss_is_created(Py_tss_t *key);
PyAPI_FUNC(void) PyThread_tss_delete(Py_tss_t *key);

/* PyThread_tss_set: this thread's value; 0, or -1.  PyThread_tss_get: it. */
PyAPI_FUNC(int) PyThread_tss_set(Py_tss_t *key, void *value);
PyAPI_FUNC(void *) PyThread_tss_get(Py_tss_t *key);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_PYTHREAD_H */
