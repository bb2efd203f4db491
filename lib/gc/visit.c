/* visit.c: walks for people: every tracked object, shown to a callback.

   Manual: "Querying Garbage Collector State". */

#include "Python.h"

#include "gc/control.h"
#include "gc/walk.h"

void
PyUnstable_GC_VisitObjects(gcvisitobjects_t callback, void *arg)
{
    struct pyb_walk walk = pyb_walk_tracked();
    PyObject *batch[PYB_WALK_BATCH];
    int enabled, more = 1;
    size_t n;

    pyb_control_require(__func__);
    enabled = PyGC_Disable();
    /* The callback may free objects: what it has untracked is passed by; so is
       what waits for its deallocation. */
    while (more && (n = pyb_walk_next(&walk, batch)) != 0)
        for (size_t i = 0; i < n && more; i++)
            if (PyObject_GC_IsTracked(batch[i]) && batch[i]->ob_refcnt > 0)
                more = callback(batch[i], arg);
    if (enabled)
        PyGC_Enable();
    else
        PyGC_Disable();
}
