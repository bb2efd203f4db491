/* format.h: __format__ of the built-in types, and str.format. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_FORMAT_FORMAT_H
#define PYB_TYPES_FORMAT_FORMAT_H

#include "Python.h"

/* __format__ of int and bool, float, complex and str, for METH_O.  A new
   reference, or NULL with an exception. */
PyObject *pyb_format_int(PyObject *self, PyObject *spec);
PyObject *pyb_format_float(PyObject *self, PyObject *spec);
PyObject *pyb_format_complex(PyObject *self, PyObject *spec);
PyObject *pyb_format_str(PyObject *self, PyObject *spec);

/* str.format, for METH_VARARGS | METH_KEYWORDS, and str.format_map, for
   METH_O.  A new reference, or NULL with an exception. */
PyObject *pyb_template_format(PyObject *self, PyObject *args,
                              PyObject *kwargs);
PyObject *pyb_template_format_map(PyObject *self, PyObject *mapping);

#endif /* PYB_TYPES_FORMAT_FORMAT_H */
