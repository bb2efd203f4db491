/* pythread.h: a thread's number, locks, and keys of thread-specific storage.

   The functions here may be called at any time and from any thread, attached
   or not.  They never attach or detach: an attached thread that has to wait
   for a lock does so in a block of Py_BEGIN_ALLOW_THREADS.

   Manual: "Thread-local storage support"; "Synchronization primitives". */

#ifndef Py_PYTHREAD_H
#define Py_PYTHREAD_H

#include <pthread.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyThread_get_thread_ident: a number that no other living thread has.
   PyThread_get_thread_native_id: the system's number for the thread;
   where it has none, the same. */
PyAPI_FUNC(unsigned long) PyThread_get_thread_ident(void);
#if _PYB_LIMITED_AT_LEAST(0x03080000)
#define PY_HAVE_THREAD_NATIVE_ID
PyAPI_FUNC(unsigned long) PyThread_get_thread_native_id(void);
#endif

/* PyThread_init_thread: nothing is left to be done. */
PyAPI_FUNC(void) PyThread_init_thread(void);

/* PyThread_start_new_thread: func(arg) in a new thread, which nothing joins
   and which is not attached; there PyGILState_Ensure attaches it, and makes it
   known to Boehm.  arg is not seen by Boehm before.  The thread's number, or
   PYTHREAD_INVALID_THREAD_ID.  PyThread_exit_thread: ends the calling
   thread, which is not attached. */
#define PYTHREAD_INVALID_THREAD_ID ((unsigned long)-1)
PyAPI_FUNC(unsigned long)
    PyThread_start_new_thread(void (*func)(void *), void *arg);
PyAPI_FUNC(void) _Py_NO_RETURN PyThread_exit_thread(void);

/* PyThread_get_stacksize: the bytes of a new thread's stack, 0 for what the
   system has as default.  PyThread_set_stacksize: sets it; 0, or -1 if it is
   too small or otherwise not valid. */
PyAPI_FUNC(size_t) PyThread_get_stacksize(void);
PyAPI_FUNC(int) PyThread_set_stacksize(size_t size);

/* PyThread_GetInfo: a struct sequence like sys.thread_info: name, "pthread";
   lock, "semaphore"; version, of the library of threads, or None.  A new
   reference, or NULL with MemoryError; in an initialised library, from the
   attached thread. */
PyAPI_FUNC(PyObject *) PyThread_GetInfo(void);

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
   PyThread_free_lock: the end of one that is not held. */
PyAPI_FUNC(PyThread_type_lock) PyThread_allocate_lock(void);
PyAPI_FUNC(void) PyThread_free_lock(PyThread_type_lock lock);

/* PyThread_acquire_lock: takes the lock, waits for it in the mode WAIT_LOCK;
   1, or 0 if it is held.  PyThread_acquire_lock_timed: waits so many
   microseconds, below 0 without a limit; with intr_flag a signal ends that.
   PyThread_release_lock: frees it; fatal if it is free. */
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

/* The same with keys that are ints, as it was before 3.7.
   PyThread_create_key: a new key, or -1.  PyThread_delete_key: forgets it and
   its values.  PyThread_set_key_value: 0, or -1.  PyThread_get_key_value:
   this thread's value, or NULL.  PyThread_delete_key_value: it is NULL again.
   PyThread_ReInitTLS: nothing is left to be done in the child after fork. */
PyAPI_FUNC(int) PyThread_create_key(void);
PyAPI_FUNC(void) PyThread_delete_key(int key);
PyAPI_FUNC(int) PyThread_set_key_value(int key, void *value);
PyAPI_FUNC(void *) PyThread_get_key_value(int key);
PyAPI_FUNC(void) PyThread_delete_key_value(int key);
PyAPI_FUNC(void) PyThread_ReInitTLS(void);

#ifdef __cplusplus
}
#endif

#endif /* Py_PYTHREAD_H */
