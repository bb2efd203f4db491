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

/* 1 or 0, or -1 with an exception.  What the file system's encoding could not
   decode in a directory's name is encoded as it was. */
static int
is_file(PyObject *path)
{
    PyObject *bytes;
    struct stat st;

    if (!PyUnicode_FSConverter(path, &bytes))
        return -1;
    int result =
        stat(PyBytes_AS_STRING(bytes), &st) == 0 && S_ISREG(st.st_mode);
    Py_DECREF(bytes);
    return result;
}

/* Looks for the file in one directory; results as of pyb_dynload_find. */
static int
find_in(PyObject *directory, PyObject *stem, PyObject **path)
{
    int found = 0;

    for (size_t i = 0; found == 0 && i < Py_ARRAY_LENGTH(suffixes); i++) {
        Py_XSETREF(*path, PyUnicode_FromFormat("%U/%U%s", directory, stem,
                                               suffixes[i]));
        found = *path != NULL ? is_file(*path) : -1;
    }
    if (found != 1)
        Py_CLEAR(*path);
    return found;
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
    PyObject *file;

    if (!PyUnicode_FSConverter(path, &file))
        return -1;
    /* Never closed: types, and so objects, live in it. */
    void *handle = dlopen(PyBytes_AS_STRING(file), RTLD_NOW | RTLD_LOCAL);
    Py_DECREF(file);
    if (handle == NULL) {
        const char *reason = dlerror();
        pyb_import_error(PyExc_ImportError, name, path, "%s",
                         reason != NULL ? reason : "unknown dlopen() error");
        return -1;
    }
    return find_hooks(handle, name, path, hooks);
}
