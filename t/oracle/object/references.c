/* references.c: which functions take a reference over, which lend one and
   which give a new one, also where they fail.
   Manual: "Reference Counting"; the entries of each function. */

#include "oracle.h"

static PyObject *op;

/* The difference that the call makes to op's count; the result stays. */
#define COSTS(CALL)                                                           \
    do {                                                                      \
        Py_ssize_t before = Py_REFCNT(op);                                    \
        (void)(CALL);                                                         \
        PyErr_Clear();                                                        \
        say("%s: %+ld", #CALL, (long)(Py_REFCNT(op) - before));               \
    } while (0)

static void
sequences(PyObject *list, PyObject *tuple, PyObject *dict)
{
    COSTS(PyList_Append(list, op));
    COSTS(PyList_Insert(list, 0, op));
    COSTS(PyList_SetItem(list, 0, Py_NewRef(op)));
    COSTS(PyList_SetItem(list, 77, Py_NewRef(op)));
    COSTS(PyList_SetItem(dict, 0, Py_NewRef(op)));
    COSTS(PyList_GetItem(list, 0));
    COSTS(PySequence_GetItem(list, 0));
    COSTS(PySequence_SetItem(list, 0, op));
    COSTS(PyList_GetSlice(list, 0, 2));
    COSTS(PyList_AsTuple(list));
    COSTS(PyTuple_SetItem(tuple, 0, Py_NewRef(op)));
    COSTS(PyTuple_SetItem(tuple, 77, Py_NewRef(op)));
    COSTS(PyTuple_SetItem(list, 0, Py_NewRef(op)));
    COSTS(PyTuple_GetItem(tuple, 0));
    COSTS(PyTuple_Pack(2, op, op));
    COSTS(PySequence_InPlaceConcat(list, tuple));
    COSTS(PyList_SetSlice(list, 0, PyList_Size(list), NULL));
}

static void
mappings(PyObject *dict, PyObject *list)
{
    PyObject *key = PyUnicode_FromString("key");

    COSTS(PyDict_SetItem(dict, key, op));
    COSTS(PyDict_SetItem(dict, key, op));
    COSTS(PyDict_SetItem(dict, list, op));
    COSTS(PyDict_GetItemWithError(dict, key));
    COSTS(PyObject_GetItem(dict, key));
    COSTS(PyDict_SetDefault(dict, key, Py_None));
    COSTS(PyDict_Values(dict));
    COSTS(PyDict_Copy(dict));
    COSTS(PyDict_DelItem(dict, key));
    COSTS(PyDict_SetDefault(dict, key, op));
    PyDict_Clear(dict);
    COSTS(PyMapping_SetItemString(dict, "key", op));
    COSTS(PyDict_Clear(dict));
    Py_DECREF(key);
}

static void
modules(PyObject *module)
{
    COSTS(PyModule_AddObject(module, "a", Py_NewRef(op)));
    COSTS(PyModule_AddObject(op, "a", op));
    COSTS(PyModule_AddObjectRef(module, "a", op));
    COSTS(PyModule_AddObjectRef(op, "a", op));
    COSTS(PyObject_GetAttrString(module, "a"));
    COSTS(PyObject_SetAttrString(module, "b", op));
    COSTS(PyObject_DelAttrString(module, "b"));
    COSTS(PySys_SetObject("oracle", op));
    COSTS(PySys_GetObject("oracle"));
    COSTS(PySys_SetObject("oracle", NULL));
}

static void
others(void)
{
    PyObject *cell = need(PyCell_New(NULL)), *set = need(PySet_New(NULL));
    PyObject *weakref;

    COSTS(PyCell_Set(cell, op));
    COSTS(PyCell_Get(cell));
    COSTS(PyCell_GET(cell));
    COSTS(PyCell_SET(cell, NULL));
    COSTS(PySet_Add(set, op));
    COSTS(PySet_Add(set, op));
    COSTS(PySet_Contains(set, op));
    COSTS(PySet_Pop(set));
    COSTS(weakref = PyWeakref_NewRef(op, NULL));
    COSTS(PyWeakref_NewRef(op, NULL));
    RESULT(Py_REFCNT(weakref));
    COSTS(PyWeakref_GetObject(weakref));
    COSTS(PyObject_CallNoArgs(weakref));
    COSTS(PySlice_New(op, NULL, op));
    COSTS(PyObject_GetIter(op));
    COSTS(Py_BuildValue("O", op));
    COSTS(Py_BuildValue("(ON)", op, Py_NewRef(op)));
    COSTS(PyErr_SetObject(PyExc_ValueError, op));
    COSTS(PyObject_Type(op));
    COSTS(PyObject_SelfIter(op));
    COSTS(PyObject_RichCompareBool(op, op, Py_EQ));
    COSTS(PyObject_IsTrue(op));
    COSTS(PyCapsule_New(op, NULL, NULL));
}

void
oracle_program(void)
{
    PyObject *list = PyList_New(0), *dict = PyDict_New();
    PyObject *module = need(PyModule_New("references"));

    op = (PyObject *)actor_new(&Actor_Type, "op");
    sequences(list, need(PyTuple_New(1)), dict);
    mappings(dict, list);
    modules(module);
    others();
}
