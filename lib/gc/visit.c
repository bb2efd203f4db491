/* visit.c: walks for people: every tracked object, shown to a callback.

   Manual: "Querying Garbage Collector State". */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/control.h"
#include "gc/heap/walk.h"

void
PyUnstable_GC_VisitObjects(gcvisitobjects_t callback, void *arg)
{
    int enabled;

    pyb_control_require(__func__);
    enabled = PyGC_Disable();
    /* The callback may free objects: what it has untracked is passed by; so is
       what waits for its deallocation. */
    PYB_FOR_EACH (op, i, pyb_walk_tracked()) {
        if (!PyObject_GC_IsTracked(op) || op->ob_refcnt <= 0)
            continue;
        pyb_adoption_note(op);
        if (!callback(op, arg))
            break;
    }
    if (enabled)
        PyGC_Enable();
    else
        PyGC_Disable();
}
