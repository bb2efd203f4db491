/* sequenceprotocol.h: what can be done with any sequence.

   TypeError says that an object does not support the operation; NULL as an
   argument is SystemError.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Sequence Protocol". */

#ifndef Py_SEQUENCEPROTOCOL_H
#define Py_SEQUENCEPROTOCOL_H

#include "../object.h"
#include "../tupleobject.h"
#include "../listobject.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PySequence_Check: 1 if o's type gives items by number and o is no
   dictionary, else 0. */
PyAPI_FUNC(int) PySequence_Check(PyObject *o);

/* PySequence_Size, PySequence_Length: how many items, or -1 with an
   exception. */
PyAPI_FUNC(Py_ssize_t) PySequence_Size(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PySequence_Length(PyObject *o);
#define PySequence_Length PySequence_Size

/* PySequence_Concat, PySequence_Repeat: a + b, o * count.  A new reference,
   or NULL with an exception. */
PyAPI_FUNC(PyObject *) PySequence_Concat(PyObject *a, PyObject *b);
PyAPI_FUNC(PyObject *) PySequence_Repeat(PyObject *o, Py_ssize_t count);

/* PySequence_InPlaceConcat, PySequence_InPlaceRepeat: a += b, o *= count; in
   place where the type can.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PySequence_InPlaceConcat(PyObject *a, PyObject *b);
PyAPI_FUNC(PyObject *) PySequence_InPlaceRepeat(PyObject *o, Py_ssize_t count);

/* PySequence_GetItem: o[i]; a negative i counts from the end.  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PySequence_GetItem(PyObject *o, Py_ssize_t i);

/* PySequence_SetItem, PySequence_DelItem: o[i] = value, del o[i].  The
   reference is not stolen.  0, or -1 with an exception. */
PyAPI_FUNC(int) PySequence_SetItem(PyObject *o, Py_ssize_t i, PyObject *value);
PyAPI_FUNC(int) PySequence_DelItem(PyObject *o, Py_ssize_t i);

/* PySequence_GetSlice: o[low:high].  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *)
    PySequence_GetSlice(PyObject *o, Py_ssize_t low, Py_ssize_t high);

/* PySequence_SetSlice, PySequence_DelSlice: o[low:high] = value,
   del o[low:high].  0, or -1 with an exception. */
PyAPI_FUNC(int) PySequence_SetSlice(PyObject *o, Py_ssize_t low,
                                    Py_ssize_t high, PyObject *value);
PyAPI_FUNC(int)
    PySequence_DelSlice(PyObject *o, Py_ssize_t low, Py_ssize_t high);

/* PySequence_Count: how often value occurs, or -1 with an exception. */
PyAPI_FUNC(Py_ssize_t) PySequence_Count(PyObject *o, PyObject *value);

/* PySequence_Contains, PySequence_In: is value in o?  1, 0, or -1 with an
   exception. */
PyAPI_FUNC(int) PySequence_Contains(PyObject *o, PyObject *value);
PyAPI_FUNC(int) PySequence_In(PyObject *o, PyObject *value);
#define PySequence_In PySequence_Contains

/* PySequence_Index: the first i with o[i] == value, or -1 with ValueError or
   another exception. */
PyAPI_FUNC(Py_ssize_t) PySequence_Index(PyObject *o, PyObject *value);

/* PySequence_List, PySequence_Tuple: a list or a tuple of the items of any
   iterable; PySequence_Tuple returns a tuple as it is.  A new reference, or
   NULL with an exception. */
PyAPI_FUNC(PyObject *) PySequence_List(PyObject *o);
PyAPI_FUNC(PyObject *) PySequence_Tuple(PyObject *o);

/* PySequence_Fast: o itself if it is a list or a tuple, else a list of its
   items; TypeError with the message if o cannot be iterated over.  A new
   reference, for the macros below, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PySequence_Fast(PyObject *o, const char *message);

/* Without checks, for what PySequence_Fast returned; items are borrowed. */
#define PySequence_Fast_GET_SIZE(o) Py_SIZE(o)
#define PySequence_Fast_ITEMS(o)                                              \
    (PyList_Check(o) ? _PyList_CAST(o)->ob_item : _PyTuple_CAST(o)->ob_item)
#define PySequence_Fast_GET_ITEM(o, i) (PySequence_Fast_ITEMS(o)[(i)])

/* PySequence_ITEM: PySequence_GetItem for a type known to have sq_item, and
   an index that is not negative. */
#define PySequence_ITEM(o, i)                                                 \
    (Py_TYPE(o)->tp_as_sequence->sq_item(_PyObject_CAST(o), (i)))

#ifdef __cplusplus
}
#endif

#endif /* Py_SEQUENCEPROTOCOL_H */
