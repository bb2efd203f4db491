/* visit.c: walks for people: every tracked object, shown to a callback.

   Manual: "Querying Garbage Collector State". */

#include "Python.h"

#include "gc/control.h"
#include "gc/heap/walk.h"

void
PyUnstable_GC_VisitObjects(gcvisitobjects_t callback, void *arg)
{
    struct pyb_walk walk = pyb_walk_tracked();
    struct pyb_batch batch;
    int enabled, more = 1;
    PyObject *op;

    pyb_control_require(__func__);
    enabled = PyGC_Disable();
    /* The callback may free objects: what it has untracked is passed by; so is
       what waits for its deallocation. */
    while (more && pyb_walk_next(&walk, &batch))
        while (more && (op = pyb_batch_take(&batch)) != NULL)
            if (PyObject_GC_IsTracked(op) && op->ob_refcnt > 0)
                more = callback(op, arg);
    if (enabled)
        PyGC_Enable();
    else
        PyGC_Disable();
}
