/* underway.h: with checks: the slots that are being called.

   tp_dealloc, tp_finalize and tp_clear may end an object's life; who calls
   them says so here, so that what goes wrong meanwhile has a name, and so that
   what is wrong afterwards is seen.  A type may die with its object: its name
   is copied. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_UNDERWAY_H
#define PYB_GC_UNDERWAY_H

#include "object.h"

/* pyb_underway_begin: the slot is going to be called; fatal if it is a
   container's tp_dealloc and that is under way already. */
void pyb_underway_begin(PyObject *op, const char *slot);

/* pyb_underway_end: the call that was begun last is over; fatal if the object
   is not what it must be then. */
void pyb_underway_end(void);

/* pyb_underway_freed: the object's memory is given back. */
void pyb_underway_freed(const void *op);

/* pyb_underway_slot: the innermost slot of an object under way, or NULL. */
const char *pyb_underway_slot(const void *op);

#endif /* PYB_GC_UNDERWAY_H */
