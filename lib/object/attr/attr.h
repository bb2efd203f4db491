/* attr.h: attribute lookup for the other files of lib/object. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_ATTR_H
#define PYB_OBJECT_ATTR_ATTR_H

#include "Python.h"

/* pyb_attr_dict_slot: the place of op's instance dictionary, for callers that
   keep it hidden (see instancedict.h), or of the room for inline values (see
   runtime/sharedkeys.h).  NULL if op can have none. */
PyObject **pyb_attr_dict_slot(PyObject *op);

/* pyb_attr_visit_dict, pyb_attr_clear_dict: for tp_traverse and tp_clear, of
   what is in that place. */
int pyb_attr_visit_dict(PyObject *op, PyObject *content, visitproc visit,
                        void *arg);
void pyb_attr_clear_dict(PyObject *op, PyObject **slot);

/* pyb_attr_method: op.name for a call that follows.  1: *method is a plain
   method of the type, to be called with op as its first argument; 0: *method
   is the attribute's value; -1: an exception, *method is NULL.  *method is a
   new reference. */
int pyb_attr_method(PyObject *op, PyObject *name, PyObject **method);

/* pyb_attr_special: the special method of that name, looked up in op's type
   only and bound to op.  1 and a new reference in *method, 0 and NULL if the
   type has none, -1 with an exception. */
int pyb_attr_special(PyObject *op, const char *name, PyObject **method);

/* pyb_attr_convert: what that method, called without arguments, returns, which
   has to be of the type: 1 and a new reference in *result; else as above. */
int pyb_attr_convert(PyObject *op, const char *name, PyTypeObject *type,
                     PyObject **result);

#endif /* PYB_OBJECT_ATTR_ATTR_H */
