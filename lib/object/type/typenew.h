/* typenew.h: type(name, bases, dict). */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_TYPENEW_H
#define PYB_OBJECT_TYPE_TYPENEW_H

#include "object.h"

/* pyb_typenew_new, pyb_typenew_init: tp_new and tp_init of PyType_Type. */
PyObject *pyb_typenew_new(PyTypeObject *metatype, PyObject *args,
                          PyObject *kwds);
int pyb_typenew_init(PyObject *self, PyObject *args, PyObject *kwds);

/* pyb_typenew_alloc: memory for a heap type with room for n members.  The
   result has its flag and its suites; the rest is zero.  A new reference, or
   NULL with an exception. */
PyHeapTypeObject *pyb_typenew_alloc(PyTypeObject *metatype, Py_ssize_t n);

/* pyb_typenew_abandon: releases a type that could not be completed, and breaks
   its cycles.  A pending exception stays. */
void pyb_typenew_abandon(PyHeapTypeObject *heap);

/* pyb_typenew_copy_string: a copy of the text for PyMem_Free, or NULL with
   MemoryError. */
char *pyb_typenew_copy_string(const char *text);

#endif /* PYB_OBJECT_TYPE_TYPENEW_H */
