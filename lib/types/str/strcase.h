/* strcase.h: the methods of strcase.c, each a METH_NOARGS function. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_STRCASE_H
#define PYB_TYPES_STR_STRCASE_H

#include "Python.h"

/* s in another case.  A new reference, or NULL with MemoryError. */
PyObject *pyb_strcase_lower(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_upper(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_fold(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_swap(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_title(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_capitalize(PyObject *s, PyObject *ignored);

/* True or False: is s not empty and all of its kind? */
PyObject *pyb_strcase_isalnum(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_isalpha(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_isdecimal(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_isdigit(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_isnumeric(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_isspace(PyObject *s, PyObject *ignored);

/* Likewise, but letters without a case do not count. */
PyObject *pyb_strcase_islower(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_isupper(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_istitle(PyObject *s, PyObject *ignored);

/* Likewise; also true for an empty str. */
PyObject *pyb_strcase_isascii(PyObject *s, PyObject *ignored);
PyObject *pyb_strcase_isprintable(PyObject *s, PyObject *ignored);

PyObject *pyb_strcase_isidentifier(PyObject *s, PyObject *ignored);

#endif /* PYB_TYPES_STR_STRCASE_H */
