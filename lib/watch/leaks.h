/* leaks.h: what is alive when all should be gone: PYBOEHM_LEAKS.

   A leak is a container that is alive at the end of Py_Finalize, and an object
   that such a container has.  Static types and what they have are none, nor is
   what is immortal: these live as long as the process. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LEAKS_H
#define PYB_WATCH_LEAKS_H

/* pyb_leaks_begun: Py_Initialize is at its end: reads PYBOEHM_LEAKS. */
void pyb_leaks_begun(void);

/* pyb_leaks_finalized: all should be gone: says on standard error what is not,
   if that is wanted. */
void pyb_leaks_finalized(void);

#endif /* PYB_WATCH_LEAKS_H */
