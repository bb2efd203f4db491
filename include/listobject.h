/* listobject.h: lists.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "List Objects". */

#ifndef Py_LISTOBJECT_H
#define Py_LISTOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyListObject: ob_size items in an array of PyMem_Malloc with room for
   allocated ones.  0 <= ob_size <= allocated; ob_item is NULL if and only if
   allocated is 0; allocated is -1 while the list is being sorted.  Items are
   owned references; NULL only in a list that is still being filled. */
typedef struct {
    PyVarObject ob_base;
    PyObject **ob_item;
    Py_ssize_t allocated;
} PyListObject;

/* list, and its iterators. */
PyAPI_DATA(PyTypeObject) PyList_Type;
PyAPI_DATA(PyTypeObject) PyListIter_Type;
PyAPI_DATA(PyTypeObject) PyListRevIter_Type;

/* PyList_Check, PyList_CheckExact: is op a list (of any subtype; exactly)?
   May be called in tp_traverse. */
#define PyList_Check(op)                                                      \
    PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_LIST_SUBCLASS)
#define PyList_CheckExact(op) Py_IS_TYPE((op), &PyList_Type)

/* PyList_New: a list of size NULLs, tracked, to be filled with
   PyList_SET_ITEM before other code sees it.  A new reference, or NULL with
   an exception. */
PyAPI_FUNC(PyObject *) PyList_New(Py_ssize_t size);

/* In all that follow SystemError says that op is no list. */

/* PyList_Size: how many items, or -1 with an exception. */
PyAPI_FUNC(Py_ssize_t) PyList_Size(PyObject *op);

/* PyList_GetItem, PyList_GetItemRef: the item at index i, borrowed and as a
   new reference; negative indices are not supported.  NULL with IndexError;
   PyList_GetItemRef says TypeError if op is no list. */
PyAPI_FUNC(PyObject *) PyList_GetItem(PyObject *op, Py_ssize_t i);
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(PyObject *) PyList_GetItemRef(PyObject *op, Py_ssize_t i);
#endif

/* PyList_SetItem: puts value at index i and steals the reference to it, in
   case of an error too; releases what was there.  0, or -1 with an
   exception. */
PyAPI_FUNC(int) PyList_SetItem(PyObject *op, Py_ssize_t i, PyObject *value);

/* PyList_Insert, PyList_Append: add value in front of index i (cut to what
   there is; negative: from the end), or at the end.  The list gains its own
   reference.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyList_Insert(PyObject *op, Py_ssize_t i, PyObject *value);
PyAPI_FUNC(int) PyList_Append(PyObject *op, PyObject *value);

/* PyList_Extend: adds all items of an iterable.  0, or -1 with an
   exception. */
PyAPI_FUNC(int) PyList_Extend(PyObject *op, PyObject *iterable);

/* PyList_Clear: removes all items.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyList_Clear(PyObject *op);

/* PyList_GetSlice: a list of the items from low up to high, cut to what there
   is; negative indices are not supported.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *)
    PyList_GetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high);

/* PyList_SetSlice: the items from low up to high become those of an iterable;
   NULL removes them.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyList_SetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high,
                                PyObject *iterable);

/* PyList_Sort: sorts in place by the operator <; equal items keep their
   order.  A list that is changed meanwhile: ValueError.  0, or -1 with an
   exception; all items are there then too, in some order. */
PyAPI_FUNC(int) PyList_Sort(PyObject *op);

/* PyList_Reverse: turns the order around.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyList_Reverse(PyObject *op);

/* PyList_AsTuple: a tuple of the items.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyList_AsTuple(PyObject *op);

/* The same without checks, for what is known to be a list and an index.
   PyList_SET_ITEM steals value and releases nothing. */
#define _PyList_CAST(op) ((PyListObject *)(op))
#define PyList_GET_SIZE(op) Py_SIZE(op)
#define PyList_GET_ITEM(op, i) (_PyList_CAST(op)->ob_item[(i)])
#define PyList_SET_ITEM(op, i, value)                                         \
    ((void)(_PyList_CAST(op)->ob_item[(i)] = _PyObject_CAST(value)))

#ifdef __cplusplus
}
#endif

#endif /* Py_LISTOBJECT_H */
