/* debug.c: what the debug flags have the collector say on standard error.
   The texts are CPython's.  Manual of Python's library: "gc". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/control.h"
#include "gc/debug.h"
#include "gc/heap/generations.h"

int pyb_debug_flags;

void
pyb_debug_object(int flag, PyObject *op)
{
    if (pyb_debug_has(flag))
        pyb_upcalls.write_stderr("gc: %s <%s %p>\n",
                                 flag == PyBoehm_GC_DEBUG_COLLECTABLE
                                     ? "collectable"
                                     : "uncollectable",
                                 Py_TYPE(op)->tp_name, (void *)op);
}

void
pyb_debug_start(int generation)
{
    size_t counts[PYB_GENERATIONS + 1];

    PYB_ASSERT(generation >= 0 && generation < PYB_GENERATIONS);
    if (!pyb_debug_has(PyBoehm_GC_DEBUG_STATS))
        return;
    pyb_generations_count(counts);
    pyb_upcalls.write_stderr("gc: collecting generation %d...\n", generation);
    pyb_upcalls.write_stderr("gc: objects in each generation: %zu %zu %zu\n",
                             counts[PYB_YOUNG], counts[PYB_MIDDLE],
                             counts[PYB_OLD]);
    pyb_upcalls.write_stderr("gc: objects in permanent generation: %zu\n",
                             counts[PYB_FROZEN]);
}

void
pyb_debug_done(size_t collected, size_t uncollectable, double seconds)
{
    if (pyb_debug_has(PyBoehm_GC_DEBUG_STATS))
        pyb_upcalls.write_stderr(
            "gc: done, %zu unreachable, %zu uncollectable, %.4fs elapsed\n",
            collected + uncollectable, uncollectable, seconds);
}

int
PyBoehm_GC_GetDebug(void)
{
    pyb_control_require(__func__);
    return pyb_debug_flags;
}

void
PyBoehm_GC_SetDebug(int flags)
{
    pyb_control_require(__func__);
    pyb_debug_flags = flags;
}
