/* bad_others.c: PyCapsule, PyCell, PyWeakref, PySlice, iterator and object
   functions with NULL and with objects of other types.
   Manual: "Capsules", "Cell Objects", "Weak Reference Objects", "Slice
   Objects", "Object Protocol". */

#include "oracle.h"

static int word;

static void
capsules(PyObject *list)
{
    PyObject *capsule = need(PyCapsule_New(&word, "a.name", NULL));
    PyObject *nameless = need(PyCapsule_New(&word, NULL, NULL));

    SHOW(PyCapsule_New(NULL, "x", NULL));
    RESULT(PyCapsule_GetPointer(capsule, "a.name") == &word);
    RESULT(PyCapsule_GetPointer(capsule, "other") == &word);
    RESULT(PyCapsule_GetPointer(capsule, NULL) == &word);
    RESULT(PyCapsule_GetPointer(nameless, "x") == &word);
    RESULT(PyCapsule_GetPointer(nameless, NULL) == &word);
    RESULT(PyCapsule_GetPointer(list, "x") == &word);
    RESULT(PyCapsule_GetPointer(NULL, "x") == &word);
    RESULT(PyCapsule_GetName(list) != NULL);
    RESULT(PyCapsule_GetDestructor(list) != NULL);
    RESULT(PyCapsule_GetContext(list) != NULL);
    RESULT(PyCapsule_SetPointer(capsule, NULL));
    RESULT(PyCapsule_SetPointer(list, &word));
    RESULT(PyCapsule_SetName(list, "x"));
    RESULT(PyCapsule_SetContext(list, &word));
    RESULT(PyCapsule_SetDestructor(list, NULL));
    RESULT(PyCapsule_IsValid(list, "x"));
    RESULT(PyCapsule_IsValid(capsule, "x"));
    RESULT(PyCapsule_IsValid(capsule, "a.name"));
    RESULT(PyCapsule_IsValid(NULL, NULL));
    RESULT(PyCapsule_Import("no_such_module_at_all.x", 0) != NULL);
    RESULT(PyCapsule_Import("gc.garbage", 0) != NULL);
    RESULT(PyCapsule_Import("gc.no_such", 0) != NULL);
    SHOW(PyObject_Repr(capsule));
    SHOW(PyObject_Repr(nameless));
    drop_all(capsule, nameless);
}

static void
cells(PyObject *list)
{
    PyObject *cell = need(PyCell_New(NULL)), *same = need(PyCell_New(NULL));

    SHOW(PyCell_Get(cell));
    SHOW(PyCell_Get(list));
    RESULT(PyCell_Set(list, Py_None));
    SHOW(PyObject_GetAttrString(cell, "cell_contents"));
    RESULT(PyObject_RichCompareBool(cell, same, Py_EQ));
    RESULT(PyCell_Set(cell, Py_None));
    SHOW(PyObject_GetAttrString(cell, "cell_contents"));
    RESULT(PyObject_RichCompareBool(cell, same, Py_EQ));
    SHOW(PyObject_RichCompare(cell, same, Py_GT));
    SHOW(PyObject_RichCompare(cell, list, Py_GT));
    SHOW(PyObject_Repr(same));
    drop_all(cell, same);
}

static void
weakrefs(PyObject *list)
{
    PyObject *set = need(PySet_New(NULL)), *weakref;

    SHOW(PyWeakref_NewRef(list, NULL));
    SHOW(PyWeakref_NewProxy(list, NULL));
    SHOW(Py_XNewRef(PyWeakref_GetObject(list)));
    SHOW(Py_XNewRef(PyWeakref_GetObject(NULL)));
    weakref = need(PyWeakref_NewRef(set, NULL));
    RESULT(PyWeakref_Check(weakref));
    RESULT(PyWeakref_CheckRef(list));
    SHOW(PyObject_CallFunction(weakref, "i", 1));
    Py_DECREF(set);
    SHOW(PyObject_CallNoArgs(weakref));
    RESULT(PyObject_Hash(weakref));
    SHOW(PyObject_Repr(weakref));
    Py_DECREF(weakref);
}

static void
objects(PyObject *list)
{
    PyObject *seven = PyLong_FromLong(7);

    SHOW(PyObject_Repr(NULL));
    SHOW(PyObject_Str(NULL));
    SHOW(PyObject_Type(NULL));
    SHOW(PyObject_GetAttrString(seven, "missing"));
    SHOW(PyObject_GetAttr(seven, seven));
    RESULT(PyObject_SetAttr(seven, list, list));
    SHOW(PyObject_CallNoArgs(seven));
    SHOW(PyObject_CallObject(seven, list));
    SHOW(PyObject_CallMethod(seven, "missing", NULL));
    SHOW(PyObject_CallFunction(NULL, NULL));
    SHOW(PyObject_GetIter(seven));
    SHOW(PyCallIter_New(list, list));
    SHOW(PySeqIter_New(seven));
    SHOW(PyObject_RichCompare(list, seven, Py_LT));
    SHOW(PyObject_RichCompare(list, NULL, Py_LT));
    RESULT(PyObject_LengthHint(seven, 12));
    SHOW(PyObject_Dir(NULL) == NULL ? NULL : Py_NewRef(Py_None));
    RESULT(PyObject_IsTrue(list));
    RESULT(PyObject_Not(list));
    SHOW(PyObject_Bytes(NULL));
    SHOW(PyObject_Bytes(list));
    Py_DECREF(seven);
}

void
oracle_program(void)
{
    PyObject *list = PyList_New(0);

    capsules(list);
    cells(list);
    weakrefs(list);
    objects(list);
    Py_DECREF(list);
}
