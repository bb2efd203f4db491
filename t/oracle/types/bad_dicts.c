/* bad_dicts.c: PyDict, PySet, PyFrozenSet and mapping functions with NULL,
   with objects of other types and with keys that cannot be hashed. Manual:
   "Dictionary Objects", "Set Objects", "Mapping Protocol". */

#include "oracle.h"

static void
dicts(PyObject *dict, PyObject *list)
{
    PyObject *copy;

    SHOW(PyDict_Copy(NULL));
    SHOW(PyDict_Copy(list));
    RESULT(PyDict_Size(list));
    RESULT(PyDict_SetItem(dict, list, Py_None));
    RESULT(PyDict_SetItem(list, Py_None, Py_None));
    RESULT(PyDict_SetItemString(list, "x", Py_None));
    RESULT(PyDict_DelItem(dict, list));
    RESULT(PyDict_DelItem(dict, Py_None));
    RESULT(PyDict_DelItem(list, Py_None));
    RESULT(PyDict_DelItemString(dict, "missing"));
    SHOW(Py_XNewRef(PyDict_GetItemWithError(dict, list)));
    SHOW(Py_XNewRef(PyDict_GetItemWithError(dict, Py_None)));
    SHOW(Py_XNewRef(PyDict_GetItemWithError(list, Py_None)));
    SHOW(Py_XNewRef(PyDict_GetItem(list, Py_None)));
    stderr_begin(); /* newer ones report what these two swallow */
    SHOW(Py_XNewRef(PyDict_GetItem(dict, list)));
    RESULT(PyMapping_HasKey(dict, list));
    stderr_drop();
    RESULT(PyDict_Contains(dict, list));
    RESULT(PyDict_Contains(dict, Py_None));
    SHOW(Py_XNewRef(PyDict_SetDefault(dict, list, Py_None)));
    SHOW(Py_XNewRef(PyDict_SetDefault(list, Py_None, Py_None)));
    SHOW(Py_XNewRef(PyDict_SetDefault(dict, Py_True, Py_False)));
    SHOW(Py_XNewRef(PyDict_SetDefault(dict, Py_True, Py_None)));
    SHOW(PyDict_Keys(list));
    SHOW(PyDict_Values(NULL));
    SHOW(PyDict_Items(list));
    RESULT(PyDict_Merge(dict, list, 1));
    RESULT(PyDict_Merge(dict, Py_None, 1));
    RESULT(PyDict_Merge(list, dict, 1));
    RESULT(PyDict_Merge(NULL, dict, 1));
    RESULT(PyDict_Update(dict, dict));
    RESULT(PyDict_MergeFromSeq2(dict, Py_None, 1));
    RESULT(PyDict_MergeFromSeq2(dict, list, 1));
    PyDict_Clear(list);
    RESULT(PyDict_Next(list, &(Py_ssize_t){0}, NULL, NULL));
    copy = need(PyDict_Copy(dict));
    show("copy", copy);
    SHOW(PyDictProxy_New(list));
}

static void
sets(PyObject *dict, PyObject *list)
{
    PyObject *set = need(PySet_New(NULL));
    PyObject *frozen = need(PyFrozenSet_New(NULL));
    PyObject *shared = Py_NewRef(frozen);

    SHOW(PySet_New(Py_None));
    SHOW(PyFrozenSet_New(list));
    RESULT(PySet_Size(dict));
    RESULT(PySet_Add(dict, Py_None));
    RESULT(PySet_Add(set, list));
    RESULT(PySet_Add(shared, Py_None));
    RESULT(PySet_Discard(set, Py_None));
    RESULT(PySet_Discard(set, list));
    RESULT(PySet_Discard(frozen, Py_None));
    RESULT(PySet_Contains(set, list));
    RESULT(PySet_Contains(dict, Py_None));
    SHOW(PySet_Pop(set));
    SHOW(PySet_Pop(frozen));
    RESULT(PySet_Clear(frozen));
    RESULT(PySet_Clear(dict));
    RESULT(PySet_Add(set, set));
    drop_all(set, frozen, shared);
}

static void
mappings(PyObject *dict, PyObject *list)
{
    PyObject *seven = PyLong_FromLong(7);

    RESULT(PyMapping_Check(dict));
    RESULT(PyMapping_Check(list));
    RESULT(PyMapping_Check(seven));
    RESULT(PyMapping_Size(seven));
    RESULT(PyMapping_Size(NULL));
    RESULT(PyMapping_Size(dict));
    SHOW(PyMapping_GetItemString(dict, "missing"));
    SHOW(PyMapping_GetItemString(list, "missing"));
    SHOW(PyMapping_GetItemString(dict, NULL));
    RESULT(PyMapping_HasKeyString(dict, "missing"));
    RESULT(PyMapping_SetItemString(list, "x", Py_None));
    SHOW(PyMapping_Keys(list));
    SHOW(PyMapping_Keys(seven));
    SHOW(PyMapping_Values(NULL));
    SHOW(PyMapping_Items(dict));
    RESULT(PyObject_DelItemString(dict, "missing"));
    RESULT(PyObject_Hash(list));
    RESULT(PyObject_Hash(dict));
    RESULT(PyObject_HashNotImplemented(seven));
    Py_DECREF(seven);
}

void
oracle_program(void)
{
    PyObject *dict = PyDict_New(), *list = need(Py_BuildValue("[i]", 1));

    dicts(dict, list);
    sets(dict, list);
    mappings(dict, list);
    drop_all(dict, list);
}
