/* extension.c: see extension.h. */

#include "extension.h"

#include <string.h>

PyObject *
extension(const char *name)
{
    const char *all = getenv("EXTENSIONS");
    PyObject *module = PyImport_ImportModule(name);

    if (module == NULL && (all == NULL || strcmp(all, "all") != 0) &&
        PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
        PyErr_Clear();
        printf("# skip: no module %s here\n", name);
        fflush(stdout);
        return NULL;
    }
    return suite_require(module);
}

PyObject *
call(PyObject *module, const char *name, const char *format, ...)
{
    PyObject *function = suite_require(PyObject_GetAttrString(module, name));
    PyObject *arguments, *result;
    va_list values;

    va_start(values, format);
    arguments = suite_require(Py_VaBuildValue(format, values));
    va_end(values);
    result = PyObject_Call(function, arguments, NULL);
    suite_drop(function, arguments);
    return result;
}

double
take_double(PyObject *op)
{
    double value = PyFloat_AsDouble(suite_require(op));

    ck_assert_ptr_null(PyErr_Occurred());
    suite_drop(op);
    return value;
}

void
dies_in_a_cycle(PyObject *op, const char *attribute)
{
    PyObject *list = suite_require(PyList_New(0));
    Py_ssize_t found;

    PyGC_Collect();
    ck_assert_int_eq(PyList_Append(list, op), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, attribute, list), 0);
    suite_drop(op, list);
    found = PyGC_Collect();
    ck_assert_int_ge(found, 2);
}
