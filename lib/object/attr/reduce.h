/* reduce.h: the methods by which pickle and copy take objects apart. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_REDUCE_H
#define PYB_OBJECT_ATTR_REDUCE_H

#include "Python.h"

/* Methods of object, as PyMethodDef wants them: __reduce__, __reduce_ex__ and
   __getstate__. */
PyObject *pyb_reduce(PyObject *self, PyObject *none);
PyObject *pyb_reduce_ex(PyObject *self, PyObject *protocol);
PyObject *pyb_reduce_getstate(PyObject *self, PyObject *none);

/* pyb_reduce_state: op.__getstate__(), for types that make op anew without it.
   A new reference, or NULL with an exception. */
PyObject *pyb_reduce_state(PyObject *op);

/* pyb_reduce_call: what __reduce__ returns for an object that calling
   builtins.name makes anew: (builtins.name, (arguments ...)), and a third item
   if state is not NULL.  The format is Py_BuildValue's, for a tuple.  A new
   reference, or NULL with an exception. */
PyObject *pyb_reduce_call(const char *name, PyObject *state,
                          const char *format, ...);

/* pyb_reduce_attribute: the same for getattr(owner, name). */
PyObject *pyb_reduce_attribute(PyObject *owner, PyObject *name);

/* pyb_reduce_type: (type, args), or (type, args, state) if state is not NULL.
   args, which may be NULL with an exception, and state are stolen.  A new
   reference, or NULL with an exception. */
PyObject *pyb_reduce_type(PyObject *op, PyObject *args, PyObject *state);

#endif /* PYB_OBJECT_ATTR_REDUCE_H */
