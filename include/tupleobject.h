/* tupleobject.h: tuples.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Tuple Objects". */

#ifndef Py_TUPLEOBJECT_H
#define Py_TUPLEOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyTupleObject: ob_size items, each an owned reference; NULL only in a tuple
   that is still being filled. */
typedef struct {
    PyVarObject ob_base;
    PyObject *ob_item[1];
} PyTupleObject;

/* tuple, and its iterators. */
PyAPI_DATA(PyTypeObject) PyTuple_Type;
PyAPI_DATA(PyTypeObject) PyTupleIter_Type;

/* PyTuple_Check, PyTuple_CheckExact: is op a tuple (of any subtype; exactly)?
   May be called in tp_traverse. */
#define PyTuple_Check(op)                                                     \
    PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_TUPLE_SUBCLASS)
#define PyTuple_CheckExact(op) Py_IS_TYPE((op), &PyTuple_Type)

/* PyTuple_New: a tuple of size NULLs, tracked, to be filled with
   PyTuple_SET_ITEM before other code sees it.  A collection untracks it when
   it is full and nothing in it may ever be tracked; a tuple of a subtype stays
   tracked.  All empty tuples are one immortal object.  A new reference, or
   NULL with an exception. */
PyAPI_FUNC(PyObject *) PyTuple_New(Py_ssize_t size);

/* PyTuple_Pack: a tuple of the n objects that follow.  It gains its own
   references to them.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyTuple_Pack(Py_ssize_t n, ...);

/* PyTuple_FromArray: a tuple of the n objects of the array.  It gains its own
   references to them.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyTuple_FromArray(PyObject *const *array, Py_ssize_t n);

/* PyTuple_Size: how many items, or -1 with SystemError if op is no tuple. */
PyAPI_FUNC(Py_ssize_t) PyTuple_Size(PyObject *op);

/* PyTuple_GetItem: the item at index i, borrowed; negative indices are not
   supported.  NULL with IndexError or, if op is no tuple, SystemError. */
PyAPI_FUNC(PyObject *) PyTuple_GetItem(PyObject *op, Py_ssize_t i);

/* PyTuple_SetItem: puts value at index i and steals the reference to it, in
   case of an error too; releases what was there.  Only for a tuple of which
   the caller has the only reference: otherwise SystemError.  0, or -1 with an
   exception. */
PyAPI_FUNC(int) PyTuple_SetItem(PyObject *op, Py_ssize_t i, PyObject *value);

/* PyTuple_GetSlice: the items from low up to high, cut to what there is.  A
   new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *)
    PyTuple_GetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high);

/* _PyTuple_Resize: gives *op, a tuple of which the caller has the only
   reference, another size; further items are NULL.  *op may change.  0; or -1
   with an exception, and then *op is released and NULL. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) _PyTuple_Resize(PyObject **op, Py_ssize_t size);
#endif

/* The same without checks, for what is known to be a tuple and an index.
   PyTuple_SET_ITEM steals value and releases nothing. */
#define _PyTuple_CAST(op) ((PyTupleObject *)(op))
#define PyTuple_GET_SIZE(op) Py_SIZE(op)
#define PyTuple_GET_ITEM(op, i) (_PyTuple_CAST(op)->ob_item[(i)])
#define PyTuple_SET_ITEM(op, i, value)                                        \
    ((void)(_PyTuple_CAST(op)->ob_item[(i)] = _PyObject_CAST(value)))

#ifdef __cplusplus
}
#endif

#endif /* Py_TUPLEOBJECT_H */
