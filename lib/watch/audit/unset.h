/* unset.h: objects that are tracked before their fields are set.

   Fresh memory, about which PyObject_GC_New promises nothing, is filled with
   the address of an object that serves only as a marker.  A word that still
   has that address when the object is tracked was not set.  Each such word is
   tried: does tp_traverse read it?  That is proof, whatever the constructor
   does with the word afterwards.  A word may also be a length or a pointer and
   lead tp_traverse anywhere; a fault in tp_traverse ends the trial, and is
   proof as well.

   Then these words are made zero, so that a collection that begins before they
   are set does not crash, as CPython's would.

   The functions are members of struct pyb_events; see gc/base/events.h. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_UNSET_H
#define PYB_WATCH_AUDIT_UNSET_H

#include <stddef.h>

#include "object.h"

void pyb_unset_made(PyObject *op, size_t size);
void pyb_unset_tracking(PyObject *op);

#endif /* PYB_WATCH_AUDIT_UNSET_H */
