/* dynload.c: modules in shared objects: finding the file and its entry. */

#include "Python.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include "object/import.h"
#include "object/typenames.h"

static const char *const suffixes[] = {".abi3.so", ".so"};

/* A dotted name as a path, a/b for a.b; a new str. */
static PyObject *
as_path(PyObject *name)
{
    PyObject *dot = PyUnicode_FromString(".");
    PyObject *slash = PyUnicode_FromString("/");
    PyObject *path = NULL;

    if (dot != NULL && slash != NULL)
        path = PyUnicode_Replace(name, dot, slash, -1);
    Py_XDECREF(dot);
    Py_XDECREF(slash);
    return path;
}

static int
is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Looks for the file in one directory; results as of pyb_dynload_find. */
static int
find_in(PyObject *directory, PyObject *stem, PyObject **path)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(suffixes); i++) {
        *path = PyUnicode_FromFormat("%U/%U%s", directory, stem, suffixes[i]);
        const char *text = *path != NULL ? PyUnicode_AsUTF8(*path) : NULL;
        if (text == NULL) {
            Py_CLEAR(*path);
            return -1;
        }
        if (is_file(text))
            return 1;
        Py_CLEAR(*path);
    }
    return 0;
}

int
pyb_dynload_find(PyObject *name, PyObject **path)
{
    PyObject *directories = PySys_GetObject("path");
    int found = 0;

    *path = NULL;
    if (directories == NULL || !PyList_Check(directories))
        return 0;
    PyObject *stem = as_path(name);
    if (stem == NULL)
        return -1;
    Py_INCREF(directories);
    for (Py_ssize_t i = 0; found == 0 && i < PyList_GET_SIZE(directories);
         i++) {
        PyObject *directory = PyList_GET_ITEM(directories, i);
        if (PyUnicode_Check(directory))
            found = find_in(directory, stem, path);
    }
    Py_DECREF(directories);
    Py_DECREF(stem);
    return found;
}

/* Its symbol in the open object, or NULL with an exception. */
static pyb_import_entry
find_entry(void *handle, PyObject *name, PyObject *path)
{
    const char *last = pyb_typenames_last(PyUnicode_AsUTF8(name));
    PyObject *symbol = PyUnicode_FromFormat("PyInit_%s", last);
    const char *text = symbol != NULL ? PyUnicode_AsUTF8(symbol) : NULL;
    pyb_import_entry entry = NULL;

    if (text != NULL) {
        void *address = dlsym(handle, text);
        memcpy(&entry, &address, sizeof entry); /* as POSIX has it */
        if (entry == NULL)
            pyb_import_error(PyExc_ImportError, name, path,
                             "dynamic module does not define module export "
                             "function (%U)",
                             symbol);
    }
    Py_XDECREF(symbol);
    return entry;
}

pyb_import_entry
pyb_dynload_entry(PyObject *name, PyObject *path)
{
    const char *file = PyUnicode_AsUTF8(path);
    if (file == NULL)
        return NULL;

    /* Never closed: types, and so objects, live in it. */
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        pyb_import_error(PyExc_ImportError, name, path, "%s",
                         reason != NULL ? reason : "unknown dlopen() error");
        return NULL;
    }
    return find_entry(handle, name, path);
}
