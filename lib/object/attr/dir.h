/* dir.h: the methods __dir__ of object, type and module. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_DIR_H
#define PYB_OBJECT_ATTR_DIR_H

#include "Python.h"

/* The names of self's attributes, in no order: a new list, or NULL with an
   exception.  As PyMethodDef wants them. */
PyObject *pyb_dir_object(PyObject *self, PyObject *none);
PyObject *pyb_dir_type(PyObject *self, PyObject *none);
PyObject *pyb_dir_module(PyObject *self, PyObject *none);

#endif /* PYB_OBJECT_ATTR_DIR_H */
