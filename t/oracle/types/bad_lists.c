/* bad_lists.c: PyList and PyTuple functions with NULL, with objects of other
   types and with indices out of range.
   Manual: "List Objects", "Tuple Objects": SystemError with a
   place, IndexError, TypeError. */

#include "oracle.h"

static void
lists(PyObject *list, PyObject *dict)
{
    RESULT(PyList_Size(dict));
    RESULT(PyList_Size(list));
    SHOW(PyList_New(-1));
    SHOW(Py_XNewRef(PyList_GetItem(list, 3)));
    SHOW(Py_XNewRef(PyList_GetItem(list, -1)));
    SHOW(Py_XNewRef(PyList_GetItem(dict, 0)));
    RESULT(PyList_SetItem(list, 3, Py_NewRef(Py_None)));
    RESULT(PyList_SetItem(list, -1, Py_NewRef(Py_None)));
    RESULT(PyList_SetItem(dict, 0, Py_NewRef(Py_None)));
    RESULT(PyList_Append(list, NULL));
    RESULT(PyList_Append(dict, Py_None));
    RESULT(PyList_Insert(list, 0, NULL));
    RESULT(PyList_Insert(dict, 0, Py_None));
    RESULT(PyList_Insert(list, 100, Py_None));
    RESULT(PyList_Insert(list, -100, Py_False));
    RESULT(PyList_Insert(list, -1, Py_True));
    show_kept("list", list);
    SHOW(PyList_GetSlice(list, -5, 2));
    SHOW(PyList_GetSlice(list, 4, 100));
    SHOW(PyList_GetSlice(list, 4, 2));
    SHOW(PyList_GetSlice(dict, 0, 1));
    RESULT(PyList_SetSlice(list, 1, 3, NULL));
    RESULT(PyList_SetSlice(list, 2, 1, list));
    RESULT(PyList_SetSlice(dict, 0, 0, NULL));
    RESULT(PyList_SetSlice(list, 0, 1, Py_None));
    show_kept("list", list);
    RESULT(PyList_Sort(NULL));
    RESULT(PyList_Sort(dict));
    RESULT(PyList_Reverse(NULL));
    RESULT(PyList_Reverse(dict));
    SHOW(PyList_AsTuple(NULL));
    SHOW(PyList_AsTuple(dict));
}

static void
tuples(PyObject *tuple, PyObject *list)
{
    PyObject *shared = Py_NewRef(tuple), *fresh = need(PyTuple_New(2));

    RESULT(PyTuple_Size(list));
    SHOW(PyTuple_New(-1));
    SHOW(Py_XNewRef(PyTuple_GetItem(tuple, 2)));
    SHOW(Py_XNewRef(PyTuple_GetItem(tuple, -1)));
    SHOW(Py_XNewRef(PyTuple_GetItem(list, 0)));
    RESULT(PyTuple_SetItem(tuple, 0, Py_NewRef(Py_None)));
    RESULT(PyTuple_SetItem(list, 0, Py_NewRef(Py_None)));
    RESULT(PyTuple_SetItem(fresh, 2, Py_NewRef(Py_None)));
    RESULT(PyTuple_SetItem(fresh, 0, Py_NewRef(Py_None)));
    RESULT(PyTuple_SetItem(fresh, 1, Py_NewRef(Py_True)));
    show_kept("fresh", fresh);
    SHOW(PyTuple_GetSlice(tuple, -3, 1));
    SHOW(PyTuple_GetSlice(list, 0, 1));
    RESULT(_PyTuple_Resize(&shared, 5));
    RESULT(shared == NULL);
    Py_SETREF(fresh, need(PyTuple_New(1)));
    RESULT(_PyTuple_Resize(&fresh, 3));
    RESULT(PyTuple_Size(fresh));
    Py_DECREF(fresh);
}

static void
sequences(PyObject *list, PyObject *dict)
{
    PyObject *seven = PyLong_FromLong(7);

    RESULT(PySequence_Size(seven));
    RESULT(PySequence_Size(NULL));
    SHOW(PySequence_GetItem(dict, 0));
    SHOW(PySequence_GetItem(seven, 0));
    SHOW(PySequence_GetItem(list, 100));
    SHOW(PySequence_GetItem(NULL, 0));
    RESULT(PySequence_SetItem(seven, 0, Py_None));
    RESULT(PySequence_DelItem(seven, 0));
    RESULT(PySequence_DelItem(list, 100));
    RESULT(PySequence_SetItem(list, 100, Py_None));
    SHOW(PySequence_Concat(list, dict));
    SHOW(PySequence_Concat(seven, list));
    SHOW(PySequence_Repeat(dict, 2));
    SHOW(PySequence_Repeat(list, -1));
    SHOW(PySequence_GetSlice(seven, 0, 1));
    RESULT(PySequence_SetSlice(seven, 0, 1, list));
    SHOW(PySequence_Tuple(seven));
    SHOW(PySequence_List(NULL));
    SHOW(PySequence_Fast(seven, "a row, please"));
    RESULT(PySequence_Contains(seven, list));
    RESULT(PySequence_Index(list, seven));
    RESULT(PySequence_Count(seven, list));
    SHOW(PyObject_GetItem(list, dict));
    SHOW(PyObject_GetItem(seven, dict));
    SHOW(PyObject_GetItem(NULL, dict));
    RESULT(PyObject_SetItem(list, dict, dict));
    RESULT(PyObject_SetItem(seven, dict, dict));
    RESULT(PyObject_DelItem(seven, dict));
    RESULT(PyObject_Size(seven));
    RESULT(PyObject_Size(NULL));
    Py_DECREF(seven);
}

void
oracle_program(void)
{
    PyObject *list = need(Py_BuildValue("[iii]", 1, 2, 3));
    PyObject *dict = PyDict_New();
    PyObject *tuple = need(Py_BuildValue("(ii)", 1, 2));

    lists(list, dict);
    tuples(tuple, list);
    sequences(list, dict);
    drop_all(list, dict);
    collect();
}
