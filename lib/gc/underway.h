/* underway.h: the slots that are being called, with checks, or where somebody
   looks.

   tp_dealloc, tp_finalize and tp_clear may end an object's life; they are
   called through here then.  With checks what goes wrong meanwhile has a name,
   and what is wrong afterwards is seen. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_UNDERWAY_H
#define PYB_GC_UNDERWAY_H

#include "object.h"

/* pyb_underway_dealloc, pyb_underway_finalize, pyb_underway_clear: call the
   type's slot; with checks fatal if a container's tp_dealloc is under way
   already, or if the object is not what it must be afterwards. */
void pyb_underway_dealloc(PyObject *op);
void pyb_underway_finalize(PyObject *op);
void pyb_underway_clear(PyObject *op);

/* pyb_underway_freed: the object's memory is given back, or is, from a free
   list of its type, another object's now. */
void pyb_underway_freed(const void *op);

/* pyb_underway_slot: the innermost slot of an object under way, or NULL. */
const char *pyb_underway_slot(const void *op);

#endif /* PYB_GC_UNDERWAY_H */
