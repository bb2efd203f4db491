/* mappingprotocol.h: what can be done with any mapping, and with any object
   that has items.

   TypeError says that an object does not support the operation; NULL as an
   argument is SystemError.  The functions whose name ends in String take the
   key as UTF-8.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Mapping Protocol", and the functions on items and length of
   "Object Protocol". */

#ifndef Py_MAPPINGPROTOCOL_H
#define Py_MAPPINGPROTOCOL_H

#include "../object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* Any object                                                          */

/* PyObject_Size, PyObject_Length: len(o), or -1 with an exception. */
PyAPI_FUNC(Py_ssize_t) PyObject_Size(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PyObject_Length(PyObject *o);
#define PyObject_Length PyObject_Size

/* PyObject_LengthHint: len(o) or, if it has none, what its __length_hint__
   says, or else default_value.  -1 with an exception. */
PyAPI_FUNC(Py_ssize_t)
    PyObject_LengthHint(PyObject *o, Py_ssize_t default_value);

/* PyObject_GetItem: o[key].  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyObject_GetItem(PyObject *o, PyObject *key);

/* PyObject_SetItem: o[key] = value; the reference is not stolen.  0, or -1
   with an exception. */
PyAPI_FUNC(int) PyObject_SetItem(PyObject *o, PyObject *key, PyObject *value);

/* PyObject_DelItem, PyObject_DelItemString: del o[key].  0, or -1 with an
   exception. */
PyAPI_FUNC(int) PyObject_DelItem(PyObject *o, PyObject *key);
PyAPI_FUNC(int) PyObject_DelItemString(PyObject *o, const char *key);

/* ------------------------------------------------------------------ */
/* Mappings                                                            */

/* PyMapping_Check: 1 if o's type gives items by key, else 0. */
PyAPI_FUNC(int) PyMapping_Check(PyObject *o);

/* PyMapping_Size, PyMapping_Length: how many keys, or -1 with an
   exception. */
PyAPI_FUNC(Py_ssize_t) PyMapping_Size(PyObject *o);
PyAPI_FUNC(Py_ssize_t) PyMapping_Length(PyObject *o);
#define PyMapping_Length PyMapping_Size

/* PyMapping_GetItemString: o[key].  A new reference, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyMapping_GetItemString(PyObject *o, const char *key);

/* PyMapping_GetOptionalItem, PyMapping_GetOptionalItemString: 1 and a new
   reference to o[key] in *result; 0 and NULL there if that is a KeyError; -1
   and NULL there with any other exception. */
#if _PYB_LIMITED_AT_LEAST(0x030D0000)
PyAPI_FUNC(int)
    PyMapping_GetOptionalItem(PyObject *o, PyObject *key, PyObject **result);
PyAPI_FUNC(int) PyMapping_GetOptionalItemString(PyObject *o, const char *key,
                                                PyObject **result);
#endif

/* PyMapping_SetItemString: o[key] = value.  0, or -1 with an exception. */
PyAPI_FUNC(int)
    PyMapping_SetItemString(PyObject *o, const char *key, PyObject *value);

/* PyMapping_DelItem, PyMapping_DelItemString: del o[key].  0, or -1 with an
   exception. */
#define PyMapping_DelItem PyObject_DelItem
#define PyMapping_DelItemString PyObject_DelItemString

/* PyMapping_HasKeyWithError, PyMapping_HasKeyStringWithError: 1 if there is
   o[key], 0 if that is a KeyError, -1 with any other exception. */
PyAPI_FUNC(int) PyMapping_HasKeyWithError(PyObject *o, PyObject *key);
PyAPI_FUNC(int) PyMapping_HasKeyStringWithError(PyObject *o, const char *key);

/* PyMapping_HasKey, PyMapping_HasKeyString: the same; no exception comes out:
   errors go to the unraisable hook, and the result is 0. */
PyAPI_FUNC(int) PyMapping_HasKey(PyObject *o, PyObject *key);
PyAPI_FUNC(int) PyMapping_HasKeyString(PyObject *o, const char *key);

/* PyMapping_Keys, PyMapping_Values, PyMapping_Items: a list of what o's
   method of that name gives.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyMapping_Keys(PyObject *o);
PyAPI_FUNC(PyObject *) PyMapping_Values(PyObject *o);
PyAPI_FUNC(PyObject *) PyMapping_Items(PyObject *o);

#ifdef __cplusplus
}
#endif

#endif /* Py_MAPPINGPROTOCOL_H */
