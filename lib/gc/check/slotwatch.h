/* slotwatch.h: the slots that are being called, with checks or
   an audit.

   tp_dealloc, tp_finalize and tp_clear may end an object's life; they are
   called through here then.  With checks what goes wrong meanwhile has a name,
   and what is wrong afterwards is seen. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_SLOTWATCH_H
#define PYB_GC_CHECK_SLOTWATCH_H

#include "object.h"

/* pyb_slotwatch_dealloc, pyb_slotwatch_finalize, pyb_slotwatch_clear: call the
   type's slot; with checks fatal if a container's tp_dealloc is under way
   already, or if the object is not what it must be afterwards. */
void pyb_slotwatch_dealloc(PyObject *op);
void pyb_slotwatch_finalize(PyObject *op);
void pyb_slotwatch_clear(PyObject *op);

/* pyb_slotwatch_freed: the object's memory was given back, or is another
   object's now, from a free list of its type. */
void pyb_slotwatch_freed(const void *op);

/* pyb_slotwatch_abandon: those that are under way will not return. */
void pyb_slotwatch_abandon(void);

/* pyb_slotwatch_slot: of the object's slots that are being called the
   innermost one, or NULL.
   pyb_slotwatch_is_dying: is its tp_dealloc, and has not freed it yet? */
const char *pyb_slotwatch_slot(const void *op);
int pyb_slotwatch_is_dying(const PyObject *op);

/* pyb_slotwatch_innermost: of all slots that are being called the innermost
   one, or NULL, also if another thread has called it; sets its object and the
   name of that one's type. */
const char *pyb_slotwatch_innermost(const PyObject **op, const char **type);

#endif /* PYB_GC_CHECK_SLOTWATCH_H */
