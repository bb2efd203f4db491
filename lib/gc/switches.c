/* switches.c: what changes the state of the collector.  See control.h.

   Manual: "Controlling the Garbage Collector State". */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/extent.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/check/inspect.h"
#include "gc/control.h"
#include "gc/dealloc.h"
#include "gc/heap/generations.h"

void
pyb_control_choose_paths(void)
{
    int slowly = pyb_checks || pyb_control.audit;

    pyb_control.fast =
        pyb_control.initialized && !slowly && !pyb_control.trace;
    pyb_sidetable_check(slowly);
    pyb_dealloc_init();
    pyb_control_set_limit();
}

void
pyb_control_set_audit(int on)
{
    PYB_ASSERT(!on || pyb_events != NULL);
    pyb_control.audit = on;
    if (!pyb_checks)
        pyb_inspect_init();
    pyb_control_choose_paths();
}

void
pyb_control_set_trace(int on)
{
    PYB_ASSERT(!on || pyb_events != NULL);
    pyb_control.trace = on;
    pyb_control_choose_paths();
}

void
pyb_control_begin(struct pyb_extent *extent)
{
    PYB_ASSERT(pyb_gil_is_held());
    PYB_ASSERT(pyb_control.collecting == 0 || extent != pyb_control.innermost);
    if (pyb_control.collecting++ == 0) {
        pyb_extent_begin(extent);
        pyb_control.depth_before = pyb_dealloc_depth();
        pyb_control.innermost = NULL;
    }
    extent->outer = pyb_control.innermost;
    pyb_control.innermost = extent;
    pyb_control_set_limit();
}

/* The collection that this ends may have been given up meanwhile. */
void
pyb_control_end(struct pyb_extent *extent)
{
    PYB_ASSERT(pyb_gil_is_held());
    if (pyb_control.innermost == extent)
        pyb_control.innermost = extent->outer;
    if (pyb_control.collecting > 0 && --pyb_control.collecting == 0)
        pyb_extent_end(extent);
    pyb_control_set_limit();
    if (pyb_control.collecting == 0 && pyb_events != NULL)
        pyb_events->idle();
}

/* ------------------------------------------------------------------ */
/* The public calls                                                    */

static int
enable(int wish)
{
    int before = pyb_control.enabled;

    pyb_control.enabled = wish;
    pyb_control_set_limit();
    return before;
}

int
PyGC_Enable(void)
{
    pyb_control_require(__func__);
    return enable(1);
}

int
PyGC_Disable(void)
{
    pyb_control_require(__func__);
    return enable(0);
}

int
PyGC_IsEnabled(void)
{
    pyb_control_require(__func__);
    return pyb_control.enabled;
}

void
PyBoehm_GC_GetCount(int counts[PyBoehm_GC_GENERATIONS])
{
    pyb_control_require(__func__);
    memcpy(counts, pyb_control.counts, sizeof pyb_control.counts);
    counts[PYB_YOUNG] = (int)Py_MIN(pyb_control.made, INT_MAX);
}

void
PyBoehm_GC_GetThreshold(int wanted[PyBoehm_GC_GENERATIONS])
{
    pyb_control_require(__func__);
    memcpy(wanted, pyb_control.thresholds, sizeof pyb_control.thresholds);
}

void
PyBoehm_GC_SetThreshold(const int wanted[PyBoehm_GC_GENERATIONS])
{
    pyb_control_require(__func__);
    memcpy(pyb_control.thresholds, wanted, sizeof pyb_control.thresholds);
    pyb_control.backoff = pyb_control.backoff_max = 1;
    pyb_control_set_limit();
}

void
PyBoehm_GC_Freeze(void)
{
    pyb_control_require(__func__);
    pyb_generations_freeze();
    pyb_control.made = 0;
    memset(pyb_control.counts, 0, sizeof pyb_control.counts);
    pyb_control.old = pyb_control.promoted = 0;
}

void
PyBoehm_GC_Unfreeze(void)
{
    pyb_control_require(__func__);
    pyb_control.old += (size_t)PyBoehm_GC_GetFreezeCount();
    pyb_generations_unfreeze();
}

Py_ssize_t
PyBoehm_GC_GetFreezeCount(void)
{
    size_t counts[PYB_GENERATIONS + 1];

    pyb_control_require(__func__);
    pyb_generations_count(counts);
    return (Py_ssize_t)counts[PYB_FROZEN];
}
