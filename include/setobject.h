/* setobject.h: sets and frozensets.

   A set promises no order of its elements.  An element is hashable; equal
   ones are the same element, of which the first that came is kept.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Set Objects". */

#ifndef Py_SETOBJECT_H
#define Py_SETOBJECT_H

#include "dictobject.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PySetObject: a set or a frozenset; public so that C types can embed it. */
typedef struct {
    PyDictObject _pyb_elements; /* private; begins with ob_base */
    Py_hash_t _pyb_hash;        /* private */
    PyObject *weakreflist;
} PySetObject;

PyAPI_DATA(PyTypeObject) PySet_Type;
PyAPI_DATA(PyTypeObject) PyFrozenSet_Type;
PyAPI_DATA(PyTypeObject) PySetIter_Type;

/* PySet_Check, PyFrozenSet_Check, PyAnySet_Check: is op a set, a frozenset,
   either of them, or an instance of a subtype?  Never fail; may be called in
   tp_traverse.
   PySet_CheckExact, PyFrozenSet_CheckExact, PyAnySet_CheckExact: the same
   without subtypes. */
#define PySet_Check(op) PyObject_TypeCheck((op), &PySet_Type)
#define PySet_CheckExact(op) Py_IS_TYPE((op), &PySet_Type)
#define PyFrozenSet_Check(op) PyObject_TypeCheck((op), &PyFrozenSet_Type)
#define PyFrozenSet_CheckExact(op) Py_IS_TYPE((op), &PyFrozenSet_Type)
#define PyAnySet_Check(op) (PySet_Check(op) || PyFrozenSet_Check(op))
#define PyAnySet_CheckExact(op)                                               \
    (PySet_CheckExact(op) || PyFrozenSet_CheckExact(op))

/* In all that follow: SystemError says that the argument is not of the kind
   that the function works on: anyset is a set or a frozenset, set is a set.
   An element that cannot be hashed is TypeError, and so is a set as an
   element: no frozenset is made of it.  Hashing and comparing elements may run
   any code and raise anything. */

/* PySet_New, PyFrozenSet_New: a new set or frozenset, tracked, of what an
   iterable gives; NULL: empty.  A new reference, or NULL with TypeError if it
   is not iterable, or another exception. */
PyAPI_FUNC(PyObject *) PySet_New(PyObject *iterable);
PyAPI_FUNC(PyObject *) PyFrozenSet_New(PyObject *iterable);

/* PySet_Size: how many elements, or -1 with SystemError.
   PySet_GET_SIZE: the same of what is known to be a set or a frozenset, which
   it does not check. */
PyAPI_FUNC(Py_ssize_t) PySet_Size(PyObject *anyset);
#define PySet_GET_SIZE(op) (((PySetObject *)(op))->_pyb_elements.ma_used)

/* PySet_Contains: 1 if key is an element, 0 if not, -1 with an exception. */
PyAPI_FUNC(int) PySet_Contains(PyObject *anyset, PyObject *key);

/* PySet_Add: makes key an element; the set gains a reference to it unless it
   was one.  A frozenset may be filled as long as the caller has the only
   reference to it.  0, or -1 with an exception. */
PyAPI_FUNC(int) PySet_Add(PyObject *anyset, PyObject *key);

/* PySet_Discard: removes key.  1 if it was an element, 0 if not, -1 with an
   exception. */
PyAPI_FUNC(int) PySet_Discard(PyObject *set, PyObject *key);

/* PySet_Pop: removes some element.  Its reference, which was the set's, is a
   new reference of the caller's; NULL with KeyError if the set is empty, or
   SystemError. */
PyAPI_FUNC(PyObject *) PySet_Pop(PyObject *set);

/* PySet_Clear: removes all elements.  0, or -1 with SystemError. */
PyAPI_FUNC(int) PySet_Clear(PyObject *set);

/* _PySet_Update: adds all that an iterable gives.  0, or -1 with an
   exception. */
PyAPI_FUNC(int) _PySet_Update(PyObject *set, PyObject *iterable);

/* _PySet_NextEntry: walks over a set or a frozenset.  *pos is 0 before the
   first call and means nothing to the caller after.  1 with the next element,
   borrowed, in *key and its hash in *hash; 0 when there are no more; -1 with
   SystemError.  Between the calls elements may not come or go. */
PyAPI_FUNC(int) _PySet_NextEntry(PyObject *anyset, Py_ssize_t *pos,
                                 PyObject **key, Py_hash_t *hash);

#ifdef __cplusplus
}
#endif

#endif /* Py_SETOBJECT_H */
