/* weakrefobject.h: references that do not keep their referent alive.

   An object can be referred to weakly if its type has a tp_weaklistoffset or
   Py_TPFLAGS_MANAGED_WEAKREF.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Weak Reference Objects". */

#ifndef Py_WEAKREFOBJECT_H
#define Py_WEAKREFOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _PyWeakReference PyWeakReference;

#ifndef Py_LIMITED_API
/* PyWeakReference: a weakref.ref or a proxy.  Public so that a type can begin
   its objects with one and have weakref.ref as its base; the fields are not
   for use.  The hidden ones are the complements of addresses, or 0. */
struct _PyWeakReference {
    PyObject_HEAD
    uintptr_t wr_hidden;   /* the referent */
    PyObject *wr_callback; /* or NULL */
    Py_hash_t hash;        /* of the referent; -1: not asked yet */
    uintptr_t wr_hidden_prev;
    uintptr_t wr_hidden_next;
};
#endif

/* weakref.ref, weakref.proxy, and the proxy of a callable object. */
PyAPI_DATA(PyTypeObject) _PyWeakref_RefType;
PyAPI_DATA(PyTypeObject) _PyWeakref_ProxyType;
PyAPI_DATA(PyTypeObject) _PyWeakref_CallableProxyType;

/* PyType_SUPPORTS_WEAKREFS: can the type's instances be referred to weakly? */
#define PyType_SUPPORTS_WEAKREFS(type)                                        \
    ((type)->tp_weaklistoffset > 0 ||                                         \
     PyType_HasFeature((type), Py_TPFLAGS_MANAGED_WEAKREF))

/* PyWeakref_CheckRef, ...CheckRefExact, ...CheckProxy, PyWeakref_Check: is op
   a weakref.ref or a subtype's instance, exactly a weakref.ref, a proxy, any
   of them?  Never fail; may be called in tp_traverse. */
#define PyWeakref_CheckRef(op) PyObject_TypeCheck((op), &_PyWeakref_RefType)
#define PyWeakref_CheckRefExact(op) Py_IS_TYPE((op), &_PyWeakref_RefType)
#define PyWeakref_CheckProxy(op)                                              \
    (Py_IS_TYPE((op), &_PyWeakref_ProxyType) ||                               \
     Py_IS_TYPE((op), &_PyWeakref_CallableProxyType))
#define PyWeakref_Check(op)                                                   \
    (PyWeakref_CheckRef(op) || PyWeakref_CheckProxy(op))

/* PyWeakref_NewRef, PyWeakref_NewProxy: a weak reference to ob, which may be
   one that exists already.  callback, NULL or None for none, is called with
   the weak reference after ob's death.  A new reference, or NULL with
   TypeError if ob's type does not support it. */
PyAPI_FUNC(PyObject *) PyWeakref_NewRef(PyObject *ob, PyObject *callback);
PyAPI_FUNC(PyObject *) PyWeakref_NewProxy(PyObject *ob, PyObject *callback);

/* PyWeakref_GetRef: stores a new reference to the referent in *pobj and
   returns 1; or stores NULL and returns 0 if it is dead, -1 with an exception
   if ref is no weak reference. */
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(int) PyWeakref_GetRef(PyObject *ref, PyObject **pobj);
#endif

/* PyWeakref_IsDead: 1 if the referent is dead, 0 if alive, -1 with TypeError
   if ref is no weak reference. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) PyWeakref_IsDead(PyObject *ref);
#endif

/* PyWeakref_GetObject: the referent, borrowed, or None; NULL with SystemError
   if ref is no weak reference. */
PyAPI_FUNC(PyObject *) PyWeakref_GetObject(PyObject *ref);
#define PyWeakref_GET_OBJECT(ref) PyWeakref_GetObject(_PyObject_CAST(ref))

/* PyObject_ClearWeakRefs: for a tp_dealloc: clears the weak references to
   object and calls their callbacks.  A pending exception stays; errors in
   callbacks go to the unraisable hook. */
PyAPI_FUNC(void) PyObject_ClearWeakRefs(PyObject *object);

/* PyUnstable_Object_ClearWeakRefsNoCallbacks: the same without calling
   callbacks. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(void) PyUnstable_Object_ClearWeakRefsNoCallbacks(PyObject *object);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_WEAKREFOBJECT_H */
