/* debug.h: what the debug flags have the collector say on standard error. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_DEBUG_H
#define PYB_GC_DEBUG_H

#include <stddef.h>

#include "pyboehm.h"

/* PyBoehm_GC_DEBUG_*, or'ed. */
extern int pyb_debug_flags;

static inline int
pyb_debug_has(int flag)
{
    return (pyb_debug_flags & flag) != 0;
}

/* pyb_debug_object: with the flag, names the object as what the flag asks
   for. */
void pyb_debug_object(int flag, PyObject *op);

/* pyb_debug_start, pyb_debug_done: with DEBUG_STATS, the lines before and
   after a collection. */
void pyb_debug_start(int generation);
void pyb_debug_done(size_t collected, size_t uncollectable, double seconds);

#endif /* PYB_GC_DEBUG_H */
