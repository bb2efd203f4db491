/* sentinelobject.h: objects that stand for a missing value, with a name.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Sentinel objects". */

#ifndef Py_SENTINELOBJECT_H
#define Py_SENTINELOBJECT_H

#include "object.h"

#ifndef Py_LIMITED_API

#ifdef __cplusplus
extern "C" {
#endif

/* sentinel.  PySentinel_Check, PySentinel_CheckExact: is op one?  It has no
   subclasses.  May be called in tp_traverse. */
PyAPI_DATA(PyTypeObject) PySentinel_Type;
#define PySentinel_Check(op) Py_IS_TYPE((op), &PySentinel_Type)
#define PySentinel_CheckExact(op) PySentinel_Check(op)

/* PySentinel_New: an object that is equal to itself alone; its repr is the
   name, its __module__ the module's name, or None for NULL.  A new reference,
   or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PySentinel_New(const char *name, const char *module_name);

#ifdef __cplusplus
}
#endif

#endif /* Py_LIMITED_API */

#endif /* Py_SENTINELOBJECT_H */
