/* crew.h: threads that help a large collection.

   They are started when the first collection asks for them, wait in between,
   and end with Py_Finalize; after fork the child starts its own.  They are
   nobody's: not attached, not known to Boehm, with all signals blocked.  They
   run tp_traverse, which neither allocates nor changes anything, while the
   collecting thread waits for them.

   PYBOEHM_MARKERS in the environment says how many threads a collection may
   use, the collecting one included; without it, as many as there are
   processors, but no more than PYB_MARKERS. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CREW_H
#define PYB_GC_CREW_H

/* pyb_crew_init: reads PYBOEHM_MARKERS. */
void pyb_crew_init(void);

/* pyb_crew_size: how many threads a job may have, this one included. */
int pyb_crew_size(void);

/* pyb_crew_run: calls job(0, arg) here and, where helpers come in time,
   job(i, arg) in at most n - 1 other threads, each i once.  Returns when all
   calls have. */
void pyb_crew_run(int n, void (*job)(int number, void *arg), void *arg);

/* pyb_crew_stop: ends the threads. */
void pyb_crew_stop(void);

#endif /* PYB_GC_CREW_H */
