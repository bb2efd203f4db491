/* leaks.h: objects that are alive after Py_Finalize: PYBOEHM_LEAKS.

   A leak is a container that is alive at the end of Py_Finalize, or an object
   that such a container refers to.  Static types, their referents and immortal
   objects are not leaks: they live as long as the process. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LEAKS_LEAKS_H
#define PYB_WATCH_LEAKS_LEAKS_H

/* pyb_leaks_begin: reads PYBOEHM_LEAKS, at the end of Py_Initialize; where
   Py_Finalize is not called, what is alive is reported at exit. */
void pyb_leaks_begin(void);

/* pyb_leaks_end: reports leaks on standard error, at the end of
   Py_Finalize, if PYBOEHM_LEAKS asks for it. */
void pyb_leaks_end(void);

#endif /* PYB_WATCH_LEAKS_LEAKS_H */
