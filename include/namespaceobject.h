/* namespaceobject.h: types.SimpleNamespace: an object with any attributes.

   The manual describes the type, sys.implementation is an instance; CPython
   exports both names here without describing them.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "types: Dynamic type creation", part "Additional Utility Classes and
   Functions". */

#ifndef Py_NAMESPACEOBJECT_H
#define Py_NAMESPACEOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

PyAPI_DATA(PyTypeObject) _PyNamespace_Type;

/* _PyNamespace_New: a tracked namespace with the attributes that kwds, a
   dictionary, names; NULL: none.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) _PyNamespace_New(PyObject *kwds);

#ifdef __cplusplus
}
#endif

#endif /* Py_NAMESPACEOBJECT_H */
