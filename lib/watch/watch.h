/* watch.h: start and end of what people look at. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WATCH_H
#define PYB_WATCH_WATCH_H

/* pyb_watch_begin: at the end of Py_Initialize; installs pyb_events, and reads
   from the environment what is wanted. */
void pyb_watch_begin(void);

/* pyb_watch_finalizing: Py_Finalize begins; nothing is gone yet. */
void pyb_watch_finalizing(void);

/* pyb_watch_end: what Py_Finalize lets go of is gone, and what it cannot do
   without is not: whatever else is alive leaks. */
void pyb_watch_end(void);

#endif /* PYB_WATCH_WATCH_H */
