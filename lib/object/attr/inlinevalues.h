/* inlinevalues.h: what is done with inline values; runtime/sharedkeys.h says
   what they are.  slot is the place of the instance's dictionary, content what
   it has, the word that says which values there are. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_INLINEVALUES_H
#define PYB_OBJECT_ATTR_INLINEVALUES_H

#include "runtime/sharedkeys.h"

/* pyb_inline_learn: the class has one more shared key, a str, if there is room
   for it; later instances have room for its value.  0, or -1 with
   MemoryError. */
int pyb_inline_learn(PyTypeObject *type, PyObject *name);

/* pyb_inline_find: the value of the attribute, an exact str, or NULL without
   an exception.  A borrowed reference. */
PyObject *pyb_inline_find(PyObject *op, PyObject *content, PyObject *name);

/* pyb_inline_replace: gives an attribute that is set, an exact str, another
   value.  1, or 0 if it is not set. */
int pyb_inline_replace(PyObject *op, PyObject *content, PyObject *name,
                       PyObject *value);

/* pyb_inline_set: sets the attribute, an exact str.  1; 0 if there is no room,
   and a dictionary must have it; -1 with MemoryError. */
int pyb_inline_set(PyObject *op, PyObject **slot, PyObject *name,
                   PyObject *value);

/* pyb_inline_delete: deletes the attribute, an exact str.  1, or 0 if it is
   not set. */
int pyb_inline_delete(PyObject *op, PyObject **slot, PyObject *name);

/* pyb_inline_make_dict: the instance has a hidden dictionary in place of the
   values (see instancedict.h).  0, or -1 with MemoryError. */
int pyb_inline_make_dict(PyObject *op, PyObject **slot);

/* pyb_inline_visit, pyb_inline_clear: for tp_traverse and tp_clear. */
int pyb_inline_visit(PyObject *op, PyObject *content, visitproc visit,
                     void *arg);
void pyb_inline_clear(PyObject *op, PyObject **slot);

/* pyb_inline_check: fatal where the word and the values contradict each
   other. */
void pyb_inline_check(PyObject *op, PyObject *content);

/* pyb_inline_forget: frees the shared keys of a class that is deallocated. */
void pyb_inline_forget(PyTypeObject *type);

#endif /* PYB_OBJECT_ATTR_INLINEVALUES_H */
