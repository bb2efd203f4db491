/* workers.h: the threads that share the passes of a large collection.
   internals: threads

   They are started when the first collection asks for them, wait in between,
   and end with Py_Finalize; after fork the child starts its own.  They are not
   attached, and block all signals but those that Boehm uses and those of a
   fault: in some hosts pthread_create makes Boehm know them.  They run
   tp_traverse, which neither allocates nor changes anything, while the
   collecting thread does its part, too.

   PYBOEHM_MARKERS=N in the environment says how many threads a collection may
   use, the collecting one included; without it, as many as there are
   processors, but no more than PYB_MARKERS.  N,M says as well from how many
   objects on it does, which is for tests. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_WORKERS_H
#define PYB_GC_WORKERS_H

#include <stddef.h>

#include "gc/heap/walk.h"

/* What the threads do.  number is 0 in the collecting thread. */
struct pyb_task {
    void (*part)(int number, struct pyb_walk part); /* of the candidates */
    void (*finish)(int number); /* when no candidates are left */
};

/* pyb_workers_init: reads PYBOEHM_MARKERS. */
void pyb_workers_init(void);

/* pyb_workers_alone: from now on there are no others. */
void pyb_workers_alone(void);

/* pyb_workers_count: how many threads so many objects are worth, this one
   included. */
int pyb_workers_count(size_t objects);

/* pyb_workers_run: has at most n threads, this one included, do the task.
   Alone this thread gets all candidates as one part.  Returns when all threads
   have finished, and how many there were. */
int pyb_workers_run(int n, const struct pyb_task *task,
                    struct pyb_walk candidates);

/* pyb_workers_share: gives the older half of a stack of objects to threads
   that have nothing to do.
   pyb_workers_steal: in finish, with an empty stack: waits until a thread
   shares something, and returns how many objects of that it has put on the
   stack.  0 when all threads have nothing left, or there is only one. */
void pyb_workers_share(PyObject **stack, size_t *depth);
size_t pyb_workers_steal(PyObject **stack);

/* pyb_workers_abandon: this thread's part has been left by a jump: ends the
   task, and returns when the other threads have ended their parts. */
void pyb_workers_abandon(void);

/* pyb_workers_stop: ends the threads. */
void pyb_workers_stop(void);

/* Threads that wait for something to steal, and what has been shared and not
   stolen; written with a lock held, read without it. */
struct pyb_workers {
    int idle;
    size_t shared;
};
extern struct pyb_workers pyb_workers;

/* Does a thread wait for something that none has shared yet? */
static inline int
pyb_workers_are_idle(void)
{
    return __atomic_load_n(&pyb_workers.idle, __ATOMIC_RELAXED) > 0 &&
           __atomic_load_n(&pyb_workers.shared, __ATOMIC_RELAXED) == 0;
}

#endif /* PYB_GC_WORKERS_H */
