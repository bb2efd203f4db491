/* cfunction.h: calls of C functions. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_CFUNCTION_H
#define PYB_OBJECT_ATTR_CFUNCTION_H

#include "Python.h"

/* A C function with all that a call needs except the arguments. */
struct pyb_cfunction {
    PyMethodDef *method;
    PyObject *self;     /* borrowed; NULL for a static method */
    PyTypeObject *cls;  /* borrowed; defining class, used by METH_METHOD */
    PyObject *callable; /* borrowed; named in error messages */
};

/* pyb_cfunction_flags_ok: 1 if the method's flags are one of the calling
   conventions, else 0 with SystemError. */
int pyb_cfunction_flags_ok(const PyMethodDef *method);

/* pyb_cfunction_vectorcall: calls the function with nargs positional arguments
   and, in args behind them, the values of the keyword arguments kwnames (a
   tuple or NULL), after checking that its convention allows them.  A new
   reference, or NULL with an exception. */
PyObject *pyb_cfunction_vectorcall(const struct pyb_cfunction *function,
                                   PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *kwnames);

/* pyb_cfunction_name: how error messages name a callable:
   "module.qualname()", or its str() if it has no __qualname__.  A new str, or
   NULL with an exception. */
PyObject *pyb_cfunction_name(PyObject *callable);

#endif /* PYB_OBJECT_ATTR_CFUNCTION_H */
