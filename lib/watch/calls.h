/* calls.h: the calls of tp_dealloc, tp_finalize and tp_clear, as an audit sees
   them: what they leave behind, and what they do to their object.

   The members of struct pyb_observers; see gc/watching.h. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_CALLS_H
#define PYB_WATCH_CALLS_H

#include "gc/watching.h"

void pyb_calls_calling(PyObject *op, enum pyb_slot slot,
                       void (*call)(PyObject *op, enum pyb_slot slot));
void pyb_calls_may_collect(void);
void pyb_calls_made(PyObject *op);
int pyb_calls_deleting(PyObject *op);
void pyb_calls_freeing(PyObject *op);

/* pyb_calls_is_dying: is its tp_dealloc under way?  As far as somebody has
   looked. */
int pyb_calls_is_dying(const PyObject *op);

#endif /* PYB_WATCH_CALLS_H */
