/* structseq.h: tuples whose items are attributes too.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Struct Sequence Objects". */

#ifndef Py_STRUCTSEQ_H
#define Py_STRUCTSEQ_H

#include "object.h"
#include "tupleobject.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyStructSequence_Field: the name of a field, and what it is, or NULL.  A
   field with the name PyStructSequence_UnnamedField is no attribute. */
typedef struct PyStructSequence_Field {
    const char *name;
    const char *doc;
} PyStructSequence_Field;

/* PyStructSequence_Desc: a type: its name with that of the module, what it is
   or NULL, the fields, up to one with name NULL, and how many of these are
   items of the tuple; those after them are attributes only. */
typedef struct PyStructSequence_Desc {
    const char *name;
    const char *doc;
    PyStructSequence_Field *fields;
    int n_in_sequence;
} PyStructSequence_Desc;

/* PyStructSequence_UnnamedField: to be compared by its address. */
PyAPI_DATA(const char *const) PyStructSequence_UnnamedField;

/* PyStructSequence_NewType: a heap type of that description, of which nothing
   but the names and texts of the fields is used later: they must last.  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyTypeObject *)
    PyStructSequence_NewType(PyStructSequence_Desc *desc);

/* PyStructSequence_New: an instance without values, tracked, to be filled with
   PyStructSequence_SetItem before other code sees it.  What is not filled
   reads as None.  A new reference, or NULL with an exception (TypeError if
   type is of another kind). */
PyAPI_FUNC(PyObject *) PyStructSequence_New(PyTypeObject *type);

/* PyStructSequence_SetItem: puts value at field i of an instance that was just
   made, and steals the reference to it.  Nothing is checked or released. */
PyAPI_FUNC(void)
    PyStructSequence_SetItem(PyObject *op, Py_ssize_t i, PyObject *value);

/* PyStructSequence_GetItem: the value of field i, borrowed; NULL without an
   exception if there is none.  Nothing is checked. */
PyAPI_FUNC(PyObject *) PyStructSequence_GetItem(PyObject *op, Py_ssize_t i);

#ifndef Py_LIMITED_API
/* PyStructSequence_InitType2: makes *type, of which nothing needs to be set, a
   static type of that description.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyStructSequence_InitType2(PyTypeObject *type,
                                           PyStructSequence_Desc *desc);

/* PyStructSequence_InitType: the same; an exception stays pending. */
PyAPI_FUNC(void)
    PyStructSequence_InitType(PyTypeObject *type, PyStructSequence_Desc *desc);

/* PyStructSequence: the fields follow each other as the items of a tuple. */
typedef PyTupleObject PyStructSequence;

/* The same as the functions. */
#define PyStructSequence_SET_ITEM(op, i, value)                               \
    PyStructSequence_SetItem(_PyObject_CAST(op), (i), _PyObject_CAST(value))
#define PyStructSequence_GET_ITEM(op, i)                                      \
    PyStructSequence_GetItem(_PyObject_CAST(op), (i))
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_STRUCTSEQ_H */
