/* item_refs.c: since 3.13: functions that return strong references and tell
   "missing" from "failed": PyList_GetItemRef, PyDict_GetItemRef, PyDict_Pop,
   PyDict_SetDefaultRef, PyObject_GetOptionalAttr and others.
   Manual: "List Objects", "Dictionary Objects", "Object Protocol". */

#include "oracle.h"

static void
lists(PyObject *dict)
{
    PyObject *list = need(Py_BuildValue("[ii]", 1, 2));
    PyObject *tuple = need(Py_BuildValue("(ii)", 3, 4)), *item;

    item = need(PyList_GetItemRef(list, 1));
    RESULT(item == PyList_GET_ITEM(list, 1));
    Py_DECREF(item);
    SHOW(PyList_GetItemRef(list, 2));
    SHOW(PyList_GetItemRef(list, -1));
    SHOW(PyList_GetItemRef(dict, 0));
    RESULT(PyList_Extend(list, tuple));
    RESULT(PyList_Extend(list, Py_None));
    RESULT(PyList_Extend(dict, tuple));
    RESULT(PyList_Extend(list, list));
    show_kept("list", list);
    RESULT(PyList_Clear(list));
    RESULT(PyList_Clear(dict));
    show_kept("list", list);
    drop_all(list, tuple);
}

static void
dicts(PyObject *list)
{
    PyObject *dict = need(Py_BuildValue("{si}", "a", 1)), *op = Py_None;
    PyObject *key = PyUnicode_FromString("a"),
             *new = PyUnicode_FromString("b");

    RESULT(PyDict_GetItemRef(dict, key, &op));
    show("a", op);
    RESULT(PyDict_GetItemRef(dict, Py_None, &op));
    RESULT(op == NULL);
    op = Py_None;
    RESULT(PyDict_GetItemRef(dict, list, &op));
    RESULT(op == NULL);
    RESULT(PyDict_GetItemRef(list, key, &op));
    RESULT(PyDict_GetItemStringRef(dict, "missing", &op));
    RESULT(op == NULL);
    RESULT(PyDict_ContainsString(dict, "a"));
    RESULT(PyDict_SetDefaultRef(dict, new, Py_None, &op));
    show("b", op);
    RESULT(PyDict_SetDefaultRef(dict, new, Py_True, &op));
    show("b", op);
    RESULT(PyDict_SetDefaultRef(dict, list, Py_True, &op));
    RESULT(op == NULL);
    RESULT(PyDict_SetDefaultRef(list, new, Py_True, &op));
    RESULT(PyDict_Pop(dict, key, &op));
    show("popped", op);
    RESULT(PyDict_Pop(dict, key, &op));
    RESULT(op == NULL);
    RESULT(PyDict_Pop(dict, new, NULL));
    RESULT(PyDict_PopString(dict, "b", &op));
    RESULT(PyDict_Pop(dict, list, &op));
    RESULT(PyDict_Pop(list, key, &op));
    show_kept("dict", dict);
    drop_all(dict, key, new);
}

static void
optional(PyObject *list, PyObject *dict)
{
    PyObject *op = Py_None, *key = PyUnicode_FromString("append");

    RESULT(PyObject_GetOptionalAttr(list, key, &op));
    Py_XDECREF(op);
    RESULT(PyObject_GetOptionalAttrString(list, "missing", &op));
    RESULT(op == NULL);
    RESULT(PyObject_GetOptionalAttr(list, list, &op));
    RESULT(PyObject_HasAttrWithError(list, key));
    RESULT(PyObject_HasAttrWithError(list, dict));
    RESULT(PyObject_HasAttrStringWithError(list, "missing"));
    RESULT(PyMapping_GetOptionalItem(dict, key, &op));
    RESULT(PyMapping_GetOptionalItem(dict, list, &op));
    RESULT(op == NULL);
    RESULT(PyMapping_GetOptionalItem(list, key, &op));
    RESULT(PyMapping_GetOptionalItemString(dict, "missing", &op));
    RESULT(PyMapping_HasKeyWithError(dict, list));
    RESULT(PyMapping_HasKeyStringWithError(dict, "missing"));
    RESULT(PyLong_AsInt(key));
    Py_DECREF(key);
}

static void
weakrefs(PyObject *list)
{
    PyObject *set = need(PySet_New(NULL)), *op = Py_None;
    PyObject *weakref = need(PyWeakref_NewRef(set, NULL));

    RESULT(PyWeakref_GetRef(weakref, &op));
    RESULT(op == set);
    RESULT(Py_REFCNT(set));
    drop_all(op, set);
    RESULT(PyWeakref_GetRef(weakref, &op));
    RESULT(op == NULL);
    RESULT(PyWeakref_GetRef(list, &op));
    RESULT(op == NULL);
    Py_DECREF(weakref);
}

void
oracle_program(void)
{
    PyObject *list = PyList_New(0), *dict = PyDict_New();

    lists(dict);
    dicts(list);
    optional(list, dict);
    weakrefs(list);
    drop_all(list, dict);
}
