/* leaving.c: reports when the process ends and Py_Finalize was not called. See
   leaving.h.

   A host such as Guile or ECL is detached then: the thread is attached for the
   report. */

#include "Python.h"

#include <stdio.h>

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "watch/log/leaving.h"

/* Can this thread be attached without waiting? */
static int
is_free(void)
{
    if (!pyb_gil_try_acquire())
        return 0;
    pyb_gil_release();
    return 1;
}

void
pyb_leaving(const char *what, pid_t due, void (*report)(void))
{
    PyGILState_STATE state;

    if (due != getpid() || !pyb_control.initialized)
        return;
    if (!pyb_gil_is_held() && !is_free()) {
        fprintf(stderr,
                "pyboehm: %s: nothing is written: the process ends while "
                "another thread is attached\n",
                what);
        return;
    }
    state = PyGILState_Ensure();
    PYB_ASSERT(pyb_gil_is_held());
    if (pyb_collect_is_under_way())
        fprintf(stderr,
                "pyboehm: %s: nothing is written: the process ends in the "
                "middle of a collection\n",
                what);
    else
        report();
    PyGILState_Release(state);
}
