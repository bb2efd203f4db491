/* traverse.h: with checks: what is looked at when tp_traverse is called.

   Before a collection each candidate's tp_traverse is called between two
   looks at what is visited and at the reference counts: it visits living
   objects, and has no other effect.  The passes themselves then call it
   straight, on any thread. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_TRAVERSE_H
#define PYB_GC_CHECK_TRAVERSE_H

#include "gc/heap/walk.h"

/* pyb_traverse_try: fatal if something is wrong with op's tp_traverse. */
void pyb_traverse_try(PyObject *op);

/* pyb_traverse_try_cleared: fatal if it visits what is freed, or no object,
   after op's tp_clear. */
void pyb_traverse_try_cleared(PyObject *op);

/* pyb_traverse_try_all: the same of all candidates, and fatal if they visit an
   object that is no container more often than it is referred to. */
void pyb_traverse_try_all(struct pyb_walk candidates);

/* pyb_traverse_abandon: a trial that is under way will not return. */
void pyb_traverse_abandon(void);

/* pyb_traverse_tried: the slot that is tried, with the words that go with it,
   and its object; or NULL, also if another thread does it. */
const char *pyb_traverse_tried(const PyObject **op);

#endif /* PYB_GC_CHECK_TRAVERSE_H */
