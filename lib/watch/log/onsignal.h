/* onsignal.h: reports when a signal comes: PYBOEHM_SIGNAL.

   The handler leaves a deferred call, as Boehm's finalizers do
   (gc/base/gil.h), and has the next container that is made take the way on
   which such calls are made.  Signals that come before that, or while reports
   are being written, count as one. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LOG_ONSIGNAL_H
#define PYB_WATCH_LOG_ONSIGNAL_H

/* pyb_onsignal_begin: installs the handler if PYBOEHM_SIGNAL names a signal,
   at the end of Py_Initialize; says why if that cannot be. pyb_onsignal_end:
   takes it back, when Py_Finalize begins; a signal that has come by then has
   been obeyed. */
void pyb_onsignal_begin(void);
void pyb_onsignal_end(void);

/* pyb_onsignal_idle: nothing is under way any more; see gc/base/events.h. */
void pyb_onsignal_idle(void);

#endif /* PYB_WATCH_LOG_ONSIGNAL_H */
