/* control.c: what the state of the collector says.  See control.h; what
   changes it is in switches.c. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/control.h"

#include <atomic_ops.h>

Py_ssize_t
pyb_control_due_at(void)
{
    Py_ssize_t threshold = pyb_control.thresholds[PYB_YOUNG];

    PYB_ASSERT(pyb_control.backoff >= 1);
    return pyb_control.enabled && pyb_control.collecting == 0 && threshold != 0
               ? threshold * pyb_control.backoff
               : PY_SSIZE_T_MAX;
}

/* While a collection is under way no other begins; but after so many objects
   it is time to see whether it still is. */
enum { LOOK_AFTER = 1000 };

/* With checks, under stress, with an audit or a trace, and after Py_Finalize
   the limit is such that each allocation calls pyb_collect_automatic, which
   looks at the thread and at what else is wanted: the quick path does without
   these questions. */
void
pyb_control_set_limit(void)
{
    pyb_control.look_at = pyb_control.collecting > 0
                              ? pyb_control.made + LOOK_AFTER
                              : PY_SSIZE_T_MAX;
    pyb_control.limit =
        !pyb_control.fast || pyb_control.stress > 0
            ? PY_SSIZE_T_MIN
            : Py_MIN(pyb_control_due_at(), pyb_control.look_at);
}

/* The attached thread may be setting the limit just now, and this is lost:
   then the calls are made at a later place. */
_Static_assert(sizeof(AO_t) == sizeof(Py_ssize_t), "a limit is one word");

void
pyb_control_hurry(void)
{
    AO_store((volatile AO_t *)&pyb_control.limit, (AO_t)PY_SSIZE_T_MIN);
}

void
pyb_control_require(const char *what)
{
    if (!pyb_control.initialized)
        pyb_fatal_format(what, "called before Py_Initialize()");
    if (pyb_checks && !pyb_gil_is_held())
        pyb_fatal_format(what, "called from a thread that is not attached");
}

/* Making adds 1, freeing 1 or 2 (it may take 1 from made), tracking 2. */
unsigned long
pyb_control_activity(void)
{
    return (unsigned long)pyb_control.made + 2 * pyb_control.changes;
}
