/* genericaliasobject.h: classes with arguments, like list[int]:
   types.GenericAlias.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Objects for Type Hinting". */

#ifndef Py_GENERICALIASOBJECT_H
#define Py_GENERICALIASOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

#if _PYB_LIMITED_AT_LEAST(0x03090000)
/* Py_GenericAlias: an alias of origin, usually a class, with args, a tuple or
   the one argument; gains references to both.  It is called, and has
   attributes, as origin; its own are __origin__, __args__, __parameters__,
   which is always empty since type variables are the module typing's,
   __unpacked__ and __mro_entries__.  Fit for __class_getitem__ with METH_O and
   METH_CLASS.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) Py_GenericAlias(PyObject *origin, PyObject *args);
PyAPI_DATA(PyTypeObject) Py_GenericAliasType;
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_GENERICALIASOBJECT_H */
