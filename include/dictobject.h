/* dictobject.h: dictionaries, their views, and read-only proxies.

   A dictionary remembers the order in which its keys came.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Dictionary Objects". */

#ifndef Py_DICTOBJECT_H
#define Py_DICTOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyDictObject, PyFrozenDictObject: public only so that types can embed them.
 */
typedef struct {
    PyObject ob_base;
    Py_ssize_t ma_used;                /* how many keys */
    struct pyb_dict_table *_pyb_table; /* private */
    size_t _pyb_generation;            /* private */
    char _pyb_unseen;                  /* private */
    unsigned _pyb_reuses;              /* private */
} PyDictObject;

typedef struct {
    PyDictObject ob_base;
    Py_hash_t _pyb_hash; /* private */
} PyFrozenDictObject;

/* dict, frozendict, mappingproxy, the views that keys(), values() and items()
   return, and their iterators. */
PyAPI_DATA(PyTypeObject) PyDict_Type;
#ifndef Py_LIMITED_API
PyAPI_DATA(PyTypeObject) PyFrozenDict_Type;
#endif
PyAPI_DATA(PyTypeObject) PyDictProxy_Type;
PyAPI_DATA(PyTypeObject) PyDictKeys_Type;
PyAPI_DATA(PyTypeObject) PyDictValues_Type;
PyAPI_DATA(PyTypeObject) PyDictItems_Type;
PyAPI_DATA(PyTypeObject) PyDictIterKey_Type;
PyAPI_DATA(PyTypeObject) PyDictIterValue_Type;
PyAPI_DATA(PyTypeObject) PyDictIterItem_Type;
PyAPI_DATA(PyTypeObject) PyDictRevIterKey_Type;
PyAPI_DATA(PyTypeObject) PyDictRevIterValue_Type;
PyAPI_DATA(PyTypeObject) PyDictRevIterItem_Type;

/* PyDict_Check, PyDict_CheckExact: is op a dictionary (of any subtype;
   exactly)?  May be called in tp_traverse, as the other checks here. */
#define PyDict_Check(op)                                                      \
    PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_DICT_SUBCLASS)
#define PyDict_CheckExact(op) Py_IS_TYPE((op), &PyDict_Type)

/* PyFrozenDict_Check, PyFrozenDict_CheckExact: is op a frozendict (of any
   subtype; exactly)?  It is no dictionary, but all functions that only read
   one take it, PyDict_Copy apart.
   PyAnyDict_Check, PyAnyDict_CheckExact: is op one of both? */
#ifndef Py_LIMITED_API
#define PyFrozenDict_Check(op) PyObject_TypeCheck((op), &PyFrozenDict_Type)
#define PyFrozenDict_CheckExact(op) Py_IS_TYPE((op), &PyFrozenDict_Type)
#define PyAnyDict_Check(op) (PyDict_Check(op) || PyFrozenDict_Check(op))
#define PyAnyDict_CheckExact(op)                                              \
    (PyDict_CheckExact(op) || PyFrozenDict_CheckExact(op))
#endif
#define PyDictProxy_Check(op) Py_IS_TYPE((op), &PyDictProxy_Type)
#define PyDictKeys_Check(op) PyObject_TypeCheck((op), &PyDictKeys_Type)
#define PyDictValues_Check(op) PyObject_TypeCheck((op), &PyDictValues_Type)
#define PyDictItems_Check(op) PyObject_TypeCheck((op), &PyDictItems_Type)
#define PyDictViewSet_Check(op) (PyDictKeys_Check(op) || PyDictItems_Check(op))

/* In all that follow: SystemError says that op is no dictionary; a key that
   cannot be hashed is TypeError; hashing and comparing keys may run any code
   and raise anything.  The functions whose name ends in String take the key
   as UTF-8. */

/* PyDict_New: an empty dictionary.  It is tracked once a key or a value comes
   that may be tracked, and untracked by a full collection when none is left; a
   dictionary of a subtype is always tracked.  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyDict_New(void);

/* PyFrozenDict_New: a frozendict of a mapping, or of an iterable of pairs; of
   nothing, if that is NULL.  It is hashable if its values are.  A new
   reference, or NULL with an exception. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyObject *) PyFrozenDict_New(PyObject *iterable);
#endif

/* PyDictProxy_New: a read-only view of any mapping.  A new reference, or NULL
   with an exception. */
PyAPI_FUNC(PyObject *) PyDictProxy_New(PyObject *mapping);

/* PyDict_Size: how many keys, or -1 with an exception. */
PyAPI_FUNC(Py_ssize_t) PyDict_Size(PyObject *op);
#define PyDict_GET_SIZE(op) (((PyDictObject *)(op))->ma_used)

/* PyDict_Contains, PyDict_ContainsString: 1 if the key is there, 0 if not, -1
   with an exception. */
PyAPI_FUNC(int) PyDict_Contains(PyObject *op, PyObject *key);
PyAPI_FUNC(int) PyDict_ContainsString(PyObject *op, const char *key);

/* PyDict_GetItemRef, PyDict_GetItemStringRef: 1 and a new reference to the
   key's value in *result; 0 and NULL there if the key is missing; -1 and NULL
   with an exception. */
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(int)
    PyDict_GetItemRef(PyObject *op, PyObject *key, PyObject **result);
PyAPI_FUNC(int)
    PyDict_GetItemStringRef(PyObject *op, const char *key, PyObject **result);
#endif

/* PyDict_GetItemWithError: the key's value, borrowed; NULL without an
   exception if the key is missing, NULL with one for any other reason. */
PyAPI_FUNC(PyObject *) PyDict_GetItemWithError(PyObject *op, PyObject *key);

/* PyDict_GetItem, PyDict_GetItemString: the key's value, borrowed, or NULL.
   No exception comes out: errors go to the unraisable hook. */
PyAPI_FUNC(PyObject *) PyDict_GetItem(PyObject *op, PyObject *key);
PyAPI_FUNC(PyObject *) PyDict_GetItemString(PyObject *op, const char *key);

/* PyDict_SetItem, PyDict_SetItemString: give the key a value.  The dictionary
   gains its own references.  0, or -1 with an exception. */
PyAPI_FUNC(int) PyDict_SetItem(PyObject *op, PyObject *key, PyObject *value);
PyAPI_FUNC(int)
    PyDict_SetItemString(PyObject *op, const char *key, PyObject *value);

/* PyDict_SetDefaultRef: gives a missing key the value default_value.  0 if it
   was missing, 1 if it was there; *result, unless result is NULL, becomes a
   new reference to the key's value.  -1 and NULL there with an exception. */
#if _PYB_LIMITED_AT_LEAST(0x030F0000)
PyAPI_FUNC(int)
    PyDict_SetDefaultRef(PyObject *op, PyObject *key, PyObject *default_value,
                         PyObject **result);
#endif

/* PyDict_SetDefault: the same; returns the key's value, borrowed, or NULL
   with an exception. */
PyAPI_FUNC(PyObject *)
    PyDict_SetDefault(PyObject *op, PyObject *key, PyObject *default_value);

/* PyDict_DelItem, PyDict_DelItemString: remove the key.  0, or -1 with
   KeyError or another exception. */
PyAPI_FUNC(int) PyDict_DelItem(PyObject *op, PyObject *key);
PyAPI_FUNC(int) PyDict_DelItemString(PyObject *op, const char *key);

/* PyDict_Pop, PyDict_PopString: remove the key.  1 if it was there, and
   *result, unless result is NULL, becomes the owner of its value; 0 and NULL
   there if it was not; -1 and NULL there with an exception. */
PyAPI_FUNC(int) PyDict_Pop(PyObject *op, PyObject *key, PyObject **result);
PyAPI_FUNC(int)
    PyDict_PopString(PyObject *op, const char *key, PyObject **result);

/* PyDict_Clear: removes all keys.  Nothing happens if op is no dictionary. */
PyAPI_FUNC(void) PyDict_Clear(PyObject *op);

/* PyDict_Copy: a dictionary with the same keys and values.  A new reference,
   or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyDict_Copy(PyObject *op);

/* PyDict_Keys, PyDict_Values, PyDict_Items: a list of the keys, the values,
   the pairs.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyDict_Keys(PyObject *op);
PyAPI_FUNC(PyObject *) PyDict_Values(PyObject *op);
PyAPI_FUNC(PyObject *) PyDict_Items(PyObject *op);

/* PyDict_Next: walks over a dictionary.  *pos is 0 before the first call and
   means nothing to the caller after.  1 with the next key and value, borrowed,
   in *key and *value, each of which may be NULL; 0 when there are no more.
   Between the calls values may be replaced, keys may not come or go. */
PyAPI_FUNC(int) PyDict_Next(PyObject *op, Py_ssize_t *pos, PyObject **key,
                            PyObject **value);

/* PyDict_Merge: adds all keys of a mapping, which has keys() and gives items;
   replaces the values of keys that are there if override is not 0.  0, or -1
   with an exception.  PyDict_Update: the same with override. */
PyAPI_FUNC(int) PyDict_Merge(PyObject *op, PyObject *mapping, int override);
PyAPI_FUNC(int) PyDict_Update(PyObject *op, PyObject *mapping);

/* PyDict_MergeFromSeq2: the same from an iterable of pairs; the last pair of
   a key wins if override is not 0, else the first.  0, or -1 with an
   exception. */
PyAPI_FUNC(int)
    PyDict_MergeFromSeq2(PyObject *op, PyObject *pairs, int override);

#ifdef __cplusplus
}
#endif

#endif /* Py_DICTOBJECT_H */
