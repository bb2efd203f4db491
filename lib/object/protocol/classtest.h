/* classtest.h: isinstance and issubclass without metaclasses' methods. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_PROTOCOL_CLASSTEST_H
#define PYB_OBJECT_PROTOCOL_CLASSTEST_H

#include "Python.h"

/* pyb_classtest_instance, pyb_classtest_subclass: what type.__instancecheck__
   and type.__subclasscheck__ answer: 1, 0, or -1 with TypeError. */
int pyb_classtest_instance(PyObject *op, PyObject *cls);
int pyb_classtest_subclass(PyObject *op, PyObject *cls);

#endif /* PYB_OBJECT_PROTOCOL_CLASSTEST_H */
