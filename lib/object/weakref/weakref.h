/* weakref.h: weak references, for the collector and for their types. */

#ifndef PYB_OBJECT_WEAKREF_WEAKREF_H
#define PYB_OBJECT_WEAKREF_WEAKREF_H
#ifndef PYBOEHM_BUILD
#error "internal header"
#endif

#include "Python.h"

/* The weak references to one object form a list that begins in the object's
   weak list slot and owns none of its members:

   - wr_hidden is the complement of the referent's address as long as the
     reference is in its list; afterwards it is 0.  Boehm, which scans objects
     as a whole, must not take it for a pointer: an adopted referent would
     never die.  So are the links of the list and the word in the slot: an
     adopted weak reference would live as long as its referent.  None of them
     is ever visited.
   - The callback is owned.  A reference without one is `basic' if it is
     exactly a weakref.ref, or a proxy.  Basic ones are shared and stand at the
     head of the list: the ref, then the proxy.  There is one of each kind,
     apart from dying ones that are not deallocated yet.
   - wr_hidden_next has a second use once the reference is cleared: it links
     the references with callbacks that are still to be called, each of which
     is owned. */

/* ------------------------------------------------------------------ */
/* For the collector: nothing here allocates, but the host's code that  */
/* pyb_weakref_run_callbacks runs                                      */

/* pyb_weakref_list_ptr: op's weak list slot, or NULL if its type has none. */
PyObject **pyb_weakref_list_ptr(PyObject *op);

/* pyb_weakref_detach_callbacks: clears every weak reference to op that has a
   callback.  Weak references for which condemned() returns 0 are put, with a
   new reference and the youngest first, in front of the chain *pending.  The
   callbacks of the others are never called; they are released with them. */
void pyb_weakref_detach_callbacks(PyObject *op, int (*condemned)(PyObject *),
                                  PyObject **pending);

/* pyb_weakref_run_callbacks: calls each callback of the chain with its weak
   reference and releases the references.  Errors go to the unraisable hook; a
   pending exception stays. */
void pyb_weakref_run_callbacks(PyObject *pending);

/* pyb_weakref_clear_all: clears all weak references to op without calling
   callbacks. */
void pyb_weakref_clear_all(PyObject *op);

/* pyb_weakref_clear_dead: as pyb_weakref_clear_all; also clears op itself if
   it is a weak reference. */
void pyb_weakref_clear_dead(PyObject *op);

/* ------------------------------------------------------------------ */
/* For the types                                                       */

/* pyb_weakref_new: a weak reference of that type to op, perhaps an existing
   basic one; callback may be NULL or None.  A new reference, or NULL with an
   exception. */
PyObject *pyb_weakref_new(PyTypeObject *type, PyObject *op,
                          PyObject *callback);

/* pyb_weakref_referent: the referent, borrowed, or NULL if it is dead or
   dying. */
PyObject *pyb_weakref_referent(PyObject *ref);

/* pyb_weakref_check: fatal if the list of weak references to op contradicts
   itself, see gc/base/fatal.h. */
void pyb_weakref_check(PyObject *op);

/* pyb_weakref_forget: takes self out of its list, if it is in one. */
void pyb_weakref_forget(PyWeakReference *self);

/* The slots that all three types share. */
void pyb_weakref_dealloc(PyObject *op);
int pyb_weakref_traverse(PyObject *op, visitproc visit, void *arg);
int pyb_weakref_tp_clear(PyObject *op);

#endif /* PYB_OBJECT_WEAKREF_WEAKREF_H */
