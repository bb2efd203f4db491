/* calls.h: the calls of tp_dealloc, tp_finalize and tp_clear, as an audit sees
   them: the state they leave, and what they do to their object.

   The functions are members of struct pyb_events; see gc/base/events.h. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_CALLS_H
#define PYB_WATCH_AUDIT_CALLS_H

#include "gc/base/events.h"

void pyb_calls_calling(PyObject *op, enum pyb_slot slot,
                       void (*call)(PyObject *op, enum pyb_slot slot));
void pyb_calls_may_collect(void);
void pyb_calls_made(PyObject *op);
int pyb_calls_deleting(PyObject *op);
void pyb_calls_freeing(PyObject *op);
void pyb_calls_abandon(void);

/* pyb_calls_is_dying: is the object's tp_dealloc under way?  Only calls that
   began while the audit was watching are known. */
int pyb_calls_is_dying(const PyObject *op);

#endif /* PYB_WATCH_AUDIT_CALLS_H */
