/* call.h: a part of calls that files of lib/object share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_CALL_H
#define PYB_OBJECT_CALL_H

#include "Python.h"

/* pyb_call_kwargs: a dictionary of vectorcall's keyword arguments: the names
   are a tuple, the values an array.  A new reference, or NULL with an
   exception. */
PyObject *pyb_call_kwargs(PyObject *const *values, PyObject *kwnames);

#endif /* PYB_OBJECT_CALL_H */
