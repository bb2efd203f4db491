/* intrcheck.h: interrupts, and the handlers of signals.

   At any time and from any thread unless said otherwise.

   Manual: "Operating System Utilities"; "Exception Handling". */

#ifndef Py_INTRCHECK_H
#define Py_INTRCHECK_H

#include "pyport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyOS_sighandler_t: a handler of a signal. */
typedef void (*PyOS_sighandler_t)(int);

/* PyOS_getsig: the handler of a signal; PyOS_setsig: sets it, and returns the
   one before.  SIG_ERR with errno for what is no signal. */
PyAPI_FUNC(PyOS_sighandler_t) PyOS_getsig(int sig);
PyAPI_FUNC(PyOS_sighandler_t) PyOS_setsig(int sig, PyOS_sighandler_t handler);

/* PyErr_SetInterrupt: as if SIGINT had come: the next PyErr_CheckSignals of
   the thread that called Py_Initialize raises KeyboardInterrupt.  Also in
   handlers of signals.  PyErr_SetInterruptEx: the same for a signal; only
   SIGINT has an effect.  0, or -1 for what is no signal. */
PyAPI_FUNC(void) PyErr_SetInterrupt(void);
#if _PYB_LIMITED_AT_LEAST(0x030A0000)
PyAPI_FUNC(int) PyErr_SetInterruptEx(int signum);
#endif

/* PyOS_InterruptOccurred: 1 if an interrupt waits, which is then over; else 0;
   by the thread that called Py_Initialize. */
PyAPI_FUNC(int) PyOS_InterruptOccurred(void);

/* PyOS_InputHook: what CPython's prompt calls while it waits; there is no
   prompt here, and it stays NULL unless a module sets it. */
typedef int (*_PyB_inputhook)(void);
PyAPI_DATA(_PyB_inputhook) PyOS_InputHook;

#ifdef __cplusplus
}
#endif

#endif /* Py_INTRCHECK_H */
