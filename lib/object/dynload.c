/* dynload.c: modules in shared objects: finding the file and its hooks. */

#include "Python.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include "object/import.h"

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
    PyObject *directories;
    int found = 0;

    *path = NULL;
    if (PySys_GetOptionalAttrString("path", &directories) < 0)
        return -1;
    if (directories == NULL || !PyList_Check(directories)) {
        Py_XDECREF(directories);
        return 0;
    }
    PyObject *stem = as_path(name);
    if (stem == NULL) {
        Py_DECREF(directories);
        return -1;
    }
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

/* The address of PREFIX_NAME in the open object, NULL if it is not there, and
   the symbol's name as a new str; NULL and NULL with an exception. */
static void *
find_hook(void *handle, const char *prefix, PyObject *name, PyObject **symbol)
{
    *symbol = pyb_hookname(prefix, name);
    if (*symbol == NULL)
        return NULL;
    const char *text = PyUnicode_AsUTF8(*symbol);
    if (text == NULL) {
        Py_CLEAR(*symbol);
        return NULL;
    }
    return dlsym(handle, text);
}

/* Looks for the hooks; an export hook goes before an init function. */
static int
find_hooks(void *handle, PyObject *name, PyObject *path,
           struct pyb_import_hooks *hooks)
{
    PyObject *export_name, *init_name = NULL;
    void *init = NULL;
    void *export = find_hook(handle, "PyModExport", name, &export_name);

    if (export == NULL && export_name != NULL)
        init = find_hook(handle, "PyInit", name, &init_name);
    if (export == NULL && init == NULL && init_name != NULL)
        pyb_import_error(PyExc_ImportError, name, path,
                         "dynamic module does not define module export "
                         "function (%U or %U)",
                         export_name, init_name);
    Py_XDECREF(export_name);
    Py_XDECREF(init_name);
    memcpy(&hooks->export, &export, sizeof export); /* as POSIX has it */
    memcpy(&hooks->init, &init, sizeof init);
    return export != NULL || init != NULL ? 0 : -1;
}

int
pyb_dynload_open(PyObject *name, PyObject *path,
                 struct pyb_import_hooks *hooks)
{
    const char *file = PyUnicode_AsUTF8(path);
    if (file == NULL)
        return -1;

    /* Never closed: types, and so objects, live in it. */
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        pyb_import_error(PyExc_ImportError, name, path, "%s",
                         reason != NULL ? reason : "unknown dlopen() error");
        return -1;
    }
    return find_hooks(handle, name, path, hooks);
}
