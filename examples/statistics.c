/* statistics.c: the program that doc/statistics.md watches. */

#include <Python.h>

int
main(void)
{
    Py_Initialize();
    PyObject *kept = PyList_New(0);
    for (int i = 0; i < 200000; i++) {
        PyObject *list = PyList_New(0);
        if (list == NULL || PyList_Append(list, list) < 0 ||
            (i % 10 == 0 && PyList_Append(kept, list) < 0))
            return 1;
        Py_DECREF(list);
    }
    PyGC_Collect();
    Py_DECREF(kept);
    return Py_FinalizeEx() < 0;
}
