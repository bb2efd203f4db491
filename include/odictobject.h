/* odictobject.h: dictionaries with two ends, collections.OrderedDict.

   The functions here need an initialised library (Py_Initialize) and are
   called from the attached thread.

   Manual: Python's library, "collections.OrderedDict". */

#ifndef Py_ODICTOBJECT_H
#define Py_ODICTOBJECT_H

#include "dictobject.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef Py_LIMITED_API

/* A dictionary: all functions of dictobject.h take one. */
typedef struct _odictobject PyODictObject;

/* The type OrderedDict, of the module collections. */
PyAPI_DATA(PyTypeObject) PyODict_Type;

/* Its views and iterators are those of dict. */
#define PyODictKeys_Type PyDictKeys_Type
#define PyODictValues_Type PyDictValues_Type
#define PyODictItems_Type PyDictItems_Type
#define PyODictIter_Type PyDictIterKey_Type

/* PyODict_Check, PyODict_CheckExact: is op an OrderedDict (of any subtype;
   exactly)?  May be called in tp_traverse. */
#define PyODict_Check(op) PyObject_TypeCheck((op), &PyODict_Type)
#define PyODict_CheckExact(op) Py_IS_TYPE((op), &PyODict_Type)

/* PyODict_New: an empty one.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyODict_New(void);

/* PyODict_SetItem, PyODict_DelItem: PyDict_SetItem and PyDict_DelItem; the
   macros below are functions of dictobject.h, too. */
PyAPI_FUNC(int) PyODict_SetItem(PyObject *od, PyObject *key, PyObject *value);
PyAPI_FUNC(int) PyODict_DelItem(PyObject *od, PyObject *key);
#define PyODict_SIZE(op) PyDict_GET_SIZE(op)
#define PyODict_GetItem(od, key) PyDict_GetItem(_PyObject_CAST(od), (key))
#define PyODict_GetItemWithError(od, key)                                     \
    PyDict_GetItemWithError(_PyObject_CAST(od), (key))
#define PyODict_GetItemString(od, key)                                        \
    PyDict_GetItemString(_PyObject_CAST(od), (key))
#define PyODict_Contains(od, key) PyDict_Contains(_PyObject_CAST(od), (key))
#define PyODict_Size(od) PyDict_Size(_PyObject_CAST(od))

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_ODICTOBJECT_H */
