/* signals.c: interrupts that are asked for, and the handlers of signals.

   The library handles no signal itself, but for the one that PYBOEHM_SIGNAL
   names (lib/watch/log/onsignal.c).  PyErr_SetInterrupt, which handlers of the
   program call, is seen by the main thread in PyErr_CheckSignals.

   Manual: "Exception Handling", section "Signal Handling". */

#include "Python.h"

#include <signal.h>

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "runtime/threadstate.h"

_PyB_inputhook PyOS_InputHook;

static volatile sig_atomic_t interrupted;

void
PyErr_SetInterrupt(void)
{
    interrupted = 1;
}

int
PyErr_SetInterruptEx(int signum)
{
    sigset_t set;

    sigemptyset(&set);
    if (sigaddset(&set, signum) != 0)
        return -1;
    if (signum == SIGINT)
        PyErr_SetInterrupt();
    return 0;
}

int
PyOS_InterruptOccurred(void)
{
    if (!interrupted || !pyb_threadstate_is_main())
        return 0;
    interrupted = 0;
    return 1;
}

int
PyErr_CheckSignals(void)
{
    if (_PyB_UNLIKELY(pyb_gil_has_deferred()) && pyb_gil_is_held())
        pyb_gil_run_deferred();
    if (!PyOS_InterruptOccurred())
        return 0;
    PYB_ASSERT(pyb_gil_is_held()); /* the exception is this thread's */
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return -1;
}

/* Interrupted calls are not begun again: what waits gets EINTR. */
PyOS_sighandler_t
PyOS_setsig(int sig, PyOS_sighandler_t handler)
{
    struct sigaction before, after = {.sa_handler = handler};

    sigemptyset(&after.sa_mask);
    return sigaction(sig, &after, &before) == 0 ? before.sa_handler : SIG_ERR;
}

PyOS_sighandler_t
PyOS_getsig(int sig)
{
    struct sigaction now;

    return sigaction(sig, NULL, &now) == 0 ? now.sa_handler : SIG_ERR;
}
