/* crew.h: threads that help a large collection.

   They are started when the first collection asks for them, wait in between,
   and end with Py_Finalize; after fork the child starts its own.  They are
   nobody's: not attached, not known to Boehm, with all signals blocked but
   those that stop threads for Boehm.  They run tp_traverse, which neither
   allocates nor changes anything, while the collecting thread waits for them.

   PYBOEHM_MARKERS=N in the environment says how many threads a collection may
   use, the collecting one included; without it, as many as there are
   processors, but no more than PYB_MARKERS.  N,M says as well from how many
   objects on it does, which is for tests. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CREW_H
#define PYB_GC_CREW_H

#include <stddef.h>

/* pyb_crew_init: reads PYBOEHM_MARKERS. */
void pyb_crew_init(void);

/* pyb_crew_size: how many threads so many objects are worth, this one
   included. */
int pyb_crew_size(size_t objects);

/* pyb_crew_run: calls job(0, arg) here and, where helpers come in time,
   job(i, arg) in at most n - 1 other threads, i counting from 1.  Returns when
   all calls have, and how many there were. */
int pyb_crew_run(int n, void (*job)(int number, void *arg), void *arg);

/* pyb_crew_stop: ends the threads. */
void pyb_crew_stop(void);

#endif /* PYB_GC_CREW_H */
