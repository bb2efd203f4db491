/* call.h: a part of calls that files of lib/object share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_PROTOCOL_CALL_H
#define PYB_OBJECT_PROTOCOL_CALL_H

#include "Python.h"

/* pyb_call_kwargs: a dictionary of vectorcall's keyword arguments: the names
   are a tuple, the values an array.  A new reference, or NULL with an
   exception. */
PyObject *pyb_call_kwargs(PyObject *const *values, PyObject *kwnames);

/* pyb_call_function, pyb_call_method: PyObject_CallFunction and
   PyObject_CallMethod with their arguments in va. */
PyObject *pyb_call_function(PyObject *callable, const char *format,
                            va_list va);
PyObject *pyb_call_method(PyObject *obj, const char *name, const char *format,
                          va_list va);

#endif /* PYB_OBJECT_PROTOCOL_CALL_H */
