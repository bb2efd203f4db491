/* sysargs.c: the arguments and options that a program puts into the module
   sys.

   Manual: "Utilities", section "System Functions". */

#include "Python.h"

#include "object/error/errors.h"
#include "object/module/sys.h"

/* ------------------------------------------------------------------ */
/* sys.argv and sys.path                                               */

/* Sets sys.name to the value, which is stolen; a failure is fatal. */
static void
must_set(const char *name, PyObject *value)
{
    if (value == NULL || PySys_SetObject(name, value) < 0) {
        PyErr_Print();
        Py_FatalError("can't set an attribute of sys");
    }
    Py_DECREF(value);
}

void
PySys_SetPath(const wchar_t *path)
{
    must_set("path", pyb_sys_split_path(path));
}

/* The list for sys.argv; new. */
static PyObject *
make_argv(int argc, wchar_t **argv)
{
    PyObject *list = PyList_New(0);

    for (int i = 0; list != NULL && i < Py_MAX(argc, 1); i++) {
        PyObject *text = PyUnicode_FromWideChar(argc > 0 ? argv[i] : L"", -1);
        if (pyb_append_stolen(list, text) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* The directory of a program, "" if it has none; new. */
static PyObject *
directory_of(const wchar_t *program)
{
    const wchar_t *slash = wcsrchr(program, L'/');

    if (slash == NULL)
        return PyUnicode_FromString("");
    return PyUnicode_FromWideChar(program, Py_MAX(slash - program, 1));
}

void
PySys_SetArgvEx(int argc, wchar_t **argv, int updatepath)
{
    must_set("argv", make_argv(argc, argv));
    if (!updatepath)
        return;
    PyObject *path = PySys_GetObject("path");
    PyObject *first = directory_of(argc > 0 ? argv[0] : L"");
    if (path == NULL || first == NULL || PyList_Insert(path, 0, first) < 0) {
        PyErr_Print();
        Py_FatalError("can't prepend a directory to sys.path");
    }
    Py_DECREF(first);
}

void
PySys_SetArgv(int argc, wchar_t **argv)
{
    PySys_SetArgvEx(argc, argv, 1);
}

/* ------------------------------------------------------------------ */
/* sys.warnoptions and sys._xoptions                                   */

/* sys.name, made by make unless it is of the type; borrowed, or NULL with an
   exception. */
static PyObject *
get_or_make(const char *name, PyTypeObject *type)
{
    PyObject *value = PySys_GetObject(name);

    if (value != NULL && PyObject_TypeCheck(value, type))
        return value;
    value = PyObject_CallNoArgs((PyObject *)type);
    if (value == NULL)
        return NULL;
    int result = PySys_SetObject(name, value);
    Py_DECREF(value);
    return result == 0 ? value : NULL;
}

void
PySys_AddWarnOptionUnicode(PyObject *option)
{
    PyObject *options = get_or_make("warnoptions", &PyList_Type);

    if (options == NULL || PyList_Append(options, option) < 0)
        PyErr_Clear();
}

void
PySys_AddWarnOption(const wchar_t *option)
{
    PyObject *text = PyUnicode_FromWideChar(option, -1);

    if (text != NULL)
        PySys_AddWarnOptionUnicode(text);
    else
        PyErr_Clear();
    Py_XDECREF(text);
}

int
PySys_HasWarnOptions(void)
{
    PyObject *options = PySys_GetObject("warnoptions");

    return options != NULL && PyList_Check(options) &&
           PyList_GET_SIZE(options) > 0;
}

void
PySys_ResetWarnOptions(void)
{
    PyObject *options = PySys_GetObject("warnoptions");

    if (options != NULL && PyList_Check(options))
        PyList_Clear(options);
}

PyObject *
PySys_GetXOptions(void)
{
    return get_or_make("_xoptions", &PyDict_Type);
}

/* The value of an option behind its "=", True without one; new. */
static PyObject *
option_value(const wchar_t *equals)
{
    return equals != NULL ? PyUnicode_FromWideChar(equals + 1, -1)
                          : Py_NewRef(Py_True);
}

void
PySys_AddXOption(const wchar_t *option)
{
    const wchar_t *equals = wcschr(option, L'=');
    PyObject *options = PySys_GetXOptions();
    PyObject *name =
        PyUnicode_FromWideChar(option, equals != NULL ? equals - option : -1);
    PyObject *value = option_value(equals);

    if (options == NULL || name == NULL || value == NULL ||
        PyDict_SetItem(options, name, value) < 0)
        PyErr_Clear();
    Py_XDECREF(name);
    Py_XDECREF(value);
}
