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

/* pyb_slotcall_dealloc, pyb_slotcall_finalize, pyb_slotcall_clear: call the
   type's slot; with checks fatal if a container's tp_dealloc is under way
   already, or if the object is not what it must be afterwards. */
void pyb_slotcall_dealloc(PyObject *op);
void pyb_slotcall_finalize(PyObject *op);
void pyb_slotcall_clear(PyObject *op);

/* pyb_slotcall_freed: the object's memory was given back, or is another
   object's now, from a free list of its type. */
void pyb_slotcall_freed(const void *op);

/* pyb_slotcall_abandon: those that are under way will not return. */
void pyb_slotcall_abandon(void);

/* pyb_slotcall_slot: of the object's slots that are being called the innermost
   one, or NULL. */
const char *pyb_slotcall_slot(const void *op);

#endif /* PYB_GC_CHECK_SLOTWATCH_H */
