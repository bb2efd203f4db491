/* dynload.c: modules in shared objects, and packages: finding the file and its
   hooks, or the directory. */

#include "Python.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/import.h"

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

/* Asks the system about a file: 1, or 0 with errno, or -1 with an exception.
   Bytes of a directory's name that are not in the file system's encoding are
   restored. */
static int
ask_about(PyObject *path, struct stat *st)
{
    PyObject *bytes;

    if (!PyUnicode_FSConverter(path, &bytes))
        return -1;
    int result = stat(PyBytes_AS_STRING(bytes), st) == 0, error = errno;
    Py_DECREF(bytes);
    errno = error;
    return result;
}

/* Is that a file of the type S_IFREG or S_IFDIR?  1 or 0, or -1 with an
   exception. */
static int
is_there(PyObject *path, mode_t type)
{
    struct stat st;
    int result = ask_about(path, &st);

    return result > 0 ? (st.st_mode & S_IFMT) == type : result;
}

int
pyb_dynload_is_missing(PyObject *path)
{
    struct stat st;
    int result = ask_about(path, &st);

    return result == 0 ? errno == ENOENT || errno == ENOTDIR
                       : Py_MIN(result, 0);
}

/* Looks for the file in one directory; results as for pyb_dynload_find. */
static int
find_in(PyObject *directory, PyObject *stem, PyObject **path)
{
    int found = 0;

    for (size_t i = 0; found == 0 && i < Py_ARRAY_LENGTH(suffixes); i++) {
        Py_XSETREF(*path, PyUnicode_FromFormat("%U/%U%s", directory, stem,
                                               suffixes[i]));
        found = *path != NULL ? is_there(*path, S_IFREG) : -1;
    }
    if (found != 1)
        Py_CLEAR(*path);
    return found;
}

/* Calls find(DIRECTORY, stem, path) for the directories in sys.path until one
   has the file; results as for pyb_dynload_find. */
static int
search(PyObject *name, PyObject **path,
       int (*find)(PyObject *, PyObject *, PyObject **))
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
            found = find(directory, stem, path);
    }
    Py_DECREF(directories);
    Py_DECREF(stem);
    return found;
}

int
pyb_dynload_find(PyObject *name, PyObject **path)
{
    return search(name, path, find_in);
}

static int
find_package_in(PyObject *directory, PyObject *stem, PyObject **path)
{
    *path = PyUnicode_FromFormat("%U/%U", directory, stem);
    int found = *path != NULL ? is_there(*path, S_IFDIR) : -1;

    if (found != 1)
        Py_CLEAR(*path);
    return found;
}

int
pyb_dynload_find_package(PyObject *name, PyObject **path)
{
    return search(name, path, find_package_in);
}

/* ------------------------------------------------------------------ */
/* Files for other implementations                                     */

/* Is FILE "NAME.cpython-311-x86_64-linux-gnu.so" or the like, for a NAME of
   that length? */
static int
is_foreign(const char *file, const char *name, size_t length)
{
    size_t size = strlen(file);

    if (strncmp(file, name, length) != 0 || size < length + 4 ||
        strcmp(file + size - 3, ".so") != 0)
        return 0;
    file += length;
    return strncmp(file, ".cpython-", 9) == 0 ||
           strncmp(file, ".pypy", 5) == 0;
}

/* The first such file of a directory; its name is "DIRECTORY/FILE". */
static int
find_in_listing(DIR *listing, const char *directory, const char *name,
                PyObject **path)
{
    const struct dirent *entry;

    while ((entry = readdir(listing)) != NULL) {
        if (!is_foreign(entry->d_name, name, strlen(name)))
            continue;
        *path = PyUnicode_FromFormat("%s/%s", directory, entry->d_name);
        return *path != NULL ? 1 : -1;
    }
    return 0;
}

/* As find_in, for files that cannot be loaded. */
static int
find_foreign_in(PyObject *directory, PyObject *stem, PyObject **path)
{
    PyObject *whole = PyUnicode_FromFormat("%U/%U", directory, stem), *bytes;

    if (whole == NULL)
        return -1;
    int ok = PyUnicode_FSConverter(whole, &bytes);
    Py_DECREF(whole);
    if (!ok)
        return -1;
    /* The last part is the file's name, the others the directory's. */
    char *text = PyBytes_AS_STRING(bytes), *slash = strrchr(text, '/');
    int found = 0;
    *slash = '\0';
    DIR *listing = opendir(text);
    if (listing != NULL) {
        found = find_in_listing(listing, text, slash + 1, path);
        closedir(listing);
    }
    Py_DECREF(bytes);
    return found;
}

int
pyb_dynload_find_foreign(PyObject *name, PyObject **path)
{
    return search(name, path, find_foreign_in);
}

/* ------------------------------------------------------------------ */
/* Hooks                                                               */

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
    if (export == NULL && init == NULL && init_name != NULL) {
        pyb_import_error(PyExc_ImportError, name, path,
                         "dynamic module does not define module export "
                         "function (%U or %U)",
                         export_name, init_name);
        pyb_errors_note("the file is %U", path);
    }
    Py_XDECREF(export_name);
    Py_XDECREF(init_name);
    memcpy(&hooks->export, &export, sizeof export); /* as POSIX has it */
    memcpy(&hooks->init, &init, sizeof init);
    PYB_ASSERT(export == NULL || init == NULL);
    PYB_ASSERT(export != NULL || init != NULL || PyErr_Occurred() != NULL);
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
