/* cfunction.h: calls of C functions. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_ATTR_CFUNCTION_H
#define PYB_OBJECT_ATTR_CFUNCTION_H

#include "Python.h"

/* PYB_VARARGS: METH_VARARGS for a function that has METH_FASTCALL in CPython,
   whose errors name the class, too: "list.pop() takes no keyword arguments".
 */
enum { PYB_FULL_NAME = 0x4000, PYB_VARARGS = METH_VARARGS | PYB_FULL_NAME };

/* pyb_cfunction_flags_ok: 1 if the method's flags are one of the calling
   conventions, else 0 with SystemError. */
int pyb_cfunction_flags_ok(const PyMethodDef *method);

/* pyb_cfunction_descr_vectorcall_of: what calls a descriptor of the method, a
   PyMethodDescrObject; its first argument is self. */
vectorcallfunc pyb_cfunction_descr_vectorcall_of(const PyMethodDef *method);

#endif /* PYB_OBJECT_ATTR_CFUNCTION_H */
