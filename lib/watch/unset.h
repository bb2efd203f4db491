/* unset.h: objects that are tracked before their fields are set.

   What PyObject_GC_New promises nothing about is filled with the address of an
   object that is nobody's: a word that has it when the object is tracked was
   not set.  Each of these is tried then: does tp_traverse read it?  That is
   proof, whatever the constructor does with the word afterwards.  A word that
   is no object's place may be a length or a pointer, and lead tp_traverse
   anywhere: a fault in it ends the trial, and is proof as well.

   From then on these words are zero, so that a collection that begins before
   they are set does not crash where CPython's would.

   The members of struct pyb_observers; see gc/watching.h. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_UNSET_H
#define PYB_WATCH_UNSET_H

#include <stddef.h>

#include "object.h"

void pyb_unset_made(PyObject *op, size_t size);
void pyb_unset_tracking(PyObject *op);

#endif /* PYB_WATCH_UNSET_H */
