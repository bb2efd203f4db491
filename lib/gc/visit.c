/* visit.c: every tracked object, shown to a callback of the program's.

   The walk stands what the callback does: a line's objects are those that were
   tracked when it was reached, and each is looked at again before it is shown.
   What is tracked meanwhile may be shown or not.

   Manual: "Querying Garbage Collector State". */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/control.h"
#include "gc/heap/walk.h"
#include "gc/waiting.h"

/* Is it a member of a set that Boehm is asked about, or that is torn down?  A
   reference to one would not keep it from being cleared.  Members of a set
   that waits are judged again when that ends. */
static int
is_collected(const PyObject *op)
{
    const struct pyb_line *line = pyb_line_of(op);
    uint64_t members;

    PYB_ASSERT(line != NULL);
    members = pyb_line_members(line, PYB_STATE_CURRENT) |
              pyb_line_members(line, PYB_STATE_APART);
    if (!pyb_waiting_any())
        members |= pyb_line_members(line, PYB_STATE_WAITING);
    return (members & pyb_bit_of(op)) != 0;
}

/* The callback may free objects: what it has untracked is passed by, and what
   waits for its deallocation. */
static int
is_shown(PyObject *op)
{
    return PyObject_GC_IsTracked(op) && op->ob_refcnt > 0 && !is_collected(op);
}

void
PyUnstable_GC_VisitObjects(gcvisitobjects_t callback, void *arg)
{
    int enabled;

    pyb_control_require(__func__);
    enabled = PyGC_Disable();
    PYB_FOR_EACH (op, i, pyb_walk_tracked()) {
        if (!is_shown(op))
            continue;
        pyb_adoption_note(op);
        if (!callback(op, arg))
            break;
    }
    if (enabled)
        PyGC_Enable();
    else
        PyGC_Disable(); /* the callback may have enabled it */
}
