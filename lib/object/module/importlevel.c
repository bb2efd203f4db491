/* importlevel.c: the import statement, with relative names, and reloading.

   Manual: "Importing Modules". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/import.h"
#include "object/module/importlock.h"

/* ------------------------------------------------------------------ */
/* Names with dots                                                     */

/* The place of the last dot; -1 if there is none. */
static Py_ssize_t
last_dot(PyObject *name)
{
    return PyUnicode_FindChar(name, '.', 0, PyUnicode_GET_LENGTH(name), -1);
}

/* A str of the globals, a new reference, or NULL: without an exception if it
   is missing or None. */
static PyObject *
get_text(PyObject *globals, const char *key, const char *complaint)
{
    PyObject *value;

    if (PyDict_GetItemStringRef(globals, key, &value) < 0)
        return NULL;
    if (value == Py_None)
        Py_CLEAR(value);
    if (value != NULL && !PyUnicode_Check(value)) {
        PyErr_SetString(PyExc_TypeError, complaint);
        Py_CLEAR(value);
    }
    return value;
}

/* The package according to __name__: a module with __path__ is its own
   package. */
static PyObject *
package_by_name(PyObject *globals)
{
    PyObject *name =
        get_text(globals, "__name__", "__name__ must be a string");
    int is_package =
        name != NULL ? PyDict_ContainsString(globals, "__path__") : -1;

    if (name == NULL && PyErr_Occurred() == NULL)
        PyErr_SetString(PyExc_KeyError, "'__name__' not in globals");
    if (is_package == 0)
        Py_SETREF(name,
                  PyUnicode_Substring(name, 0, Py_MAX(last_dot(name), 0)));
    else if (is_package < 0)
        Py_CLEAR(name);
    return name;
}

/* The package that code with these globals is in; a new reference. */
static PyObject *
find_package(PyObject *globals)
{
    PyObject *spec, *package;

    if (globals == NULL)
        return pyb_raise(PyExc_KeyError, "'__name__' not in globals");
    if (!PyDict_Check(globals))
        return pyb_raise(PyExc_TypeError, "globals must be a dict");
    package = get_text(globals, "__package__", "package must be a string");
    if (package != NULL || PyErr_Occurred() != NULL ||
        PyDict_GetItemStringRef(globals, "__spec__", &spec) < 0)
        return package;
    if (spec == NULL || spec == Py_None)
        return package_by_name(globals);
    package = PyObject_GetAttrString(spec, "parent");
    Py_DECREF(spec);
    if (package != NULL && !PyUnicode_Check(package)) {
        PyErr_SetString(PyExc_TypeError, "__spec__.parent must be a string");
        Py_CLEAR(package);
    }
    return package;
}

/* Goes up a number of packages; steals package. */
static PyObject *
go_up(PyObject *package, int levels)
{
    for (; package != NULL && levels > 0; levels--) {
        Py_ssize_t dot = last_dot(package);

        if (dot < 0) {
            PyErr_SetString(PyExc_ImportError, "attempted relative import "
                                               "beyond top-level package");
            Py_CLEAR(package);
        } else {
            Py_SETREF(package, PyUnicode_Substring(package, 0, dot));
        }
    }
    return package;
}

/* The absolute form of a name; a new reference. */
static PyObject *
resolve(PyObject *name, PyObject *globals, int level)
{
    if (level == 0)
        return Py_NewRef(name);
    PyObject *package = find_package(globals);
    if (package != NULL && PyUnicode_GET_LENGTH(package) == 0) {
        PyErr_SetString(
            PyExc_ImportError,
            "attempted relative import with no known parent package");
        Py_CLEAR(package);
    }
    package = go_up(package, level - 1);
    if (package != NULL && PyUnicode_GET_LENGTH(name) > 0)
        Py_SETREF(package, PyUnicode_FromFormat("%U.%U", package, name));
    return package;
}

/* ------------------------------------------------------------------ */
/* The statement                                                       */

static int
check_arguments(PyObject *name, int level)
{
    if (name == NULL)
        PyErr_SetString(PyExc_ValueError, "Empty module name");
    else if (!PyUnicode_Check(name))
        PyErr_SetString(PyExc_TypeError, "module name must be a string");
    else if (level < 0)
        PyErr_SetString(PyExc_ValueError, "level must be >= 0");
    else
        return 0;
    return -1;
}

/* The module that "import a.b" binds: that for the part of name before its
   first dot; absolute is the absolute name. */
static PyObject *
first_part(PyObject *module, PyObject *name, PyObject *absolute)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(name);
    Py_ssize_t dot = PyUnicode_FindChar(name, '.', 0, length, 1);

    if (dot < 0)
        return dot == -1 ? Py_NewRef(module) : NULL;
    PYB_ASSERT_OBJECT(PyUnicode_GET_LENGTH(absolute) >= length, absolute);
    PyObject *front = PyUnicode_Substring(
        absolute, 0, PyUnicode_GET_LENGTH(absolute) - (length - dot));
    if (front == NULL)
        return NULL;
    PyObject *first = PyImport_Import(front);
    Py_DECREF(front);
    return first;
}

/* Imports a submodule that the module has no attribute for.  It is no error if
   there is none; the statement finds that out. */
static int
add_submodule(PyObject *module, PyObject *package, PyObject *item)
{
    PYB_ASSERT_OBJECT(PyUnicode_Check(package), package);
    if (!PyUnicode_Check(item))
        return pyb_failf(PyExc_TypeError,
                         "Item in ``from list'' must be str, not %.200s",
                         Py_TYPE(item)->tp_name);
    int has = PyUnicode_EqualToUTF8(item, "*")
                  ? 1
                  : PyObject_HasAttrWithError(module, item);
    if (has != 0)
        return has < 0 ? -1 : 0;
    PyObject *name = PyUnicode_FromFormat("%U.%U", package, item);
    if (name == NULL)
        return -1;
    PyObject *submodule = PyImport_Import(name);
    Py_DECREF(name);
    Py_XDECREF(submodule);
    if (submodule == NULL && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError))
        PyErr_Clear();
    return PyErr_Occurred() == NULL ? 0 : -1;
}

/* "from package import ...": submodules may be among the names. */
static int
add_submodules(PyObject *module, PyObject *package, PyObject *fromlist)
{
    int is_package = PyObject_HasAttrStringWithError(module, "__path__");
    if (is_package <= 0)
        return is_package;
    PyObject *items = PySequence_Fast(fromlist, "fromlist must be a sequence");
    if (items == NULL)
        return -1;
    int result = 0;
    for (Py_ssize_t i = 0; result == 0 && i < PySequence_Fast_GET_SIZE(items);
         i++)
        result =
            add_submodule(module, package, PySequence_Fast_GET_ITEM(items, i));
    Py_DECREF(items);
    return result;
}

PyObject *
PyImport_ImportModuleLevelObject(PyObject *name, PyObject *globals,
                                 PyObject *Py_UNUSED(locals),
                                 PyObject *fromlist, int level)
{
    if (check_arguments(name, level) < 0)
        return NULL;
    PyObject *absolute = resolve(name, globals, level);
    if (absolute == NULL)
        return NULL;
    PyObject *module = PyImport_Import(absolute), *result = NULL;
    int from =
        fromlist != NULL && module != NULL ? PyObject_IsTrue(fromlist) : 0;
    if (module != NULL && from == 0)
        result = first_part(module, name, absolute);
    else if (from > 0 && add_submodules(module, absolute, fromlist) == 0)
        result = Py_NewRef(module);
    Py_XDECREF(module);
    Py_DECREF(absolute);
    return result;
}

PyObject *
PyImport_ImportModuleLevel(const char *name, PyObject *globals,
                           PyObject *locals, PyObject *fromlist, int level)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL)
        return NULL;
    PyObject *module = PyImport_ImportModuleLevelObject(text, globals, locals,
                                                        fromlist, level);
    Py_DECREF(text);
    return module;
}

/* ------------------------------------------------------------------ */
/* Reloading                                                           */

/* The name under which the module was imported; a new reference. */
static PyObject *
imported_name(PyObject *module)
{
    PyObject *spec, *name = NULL;

    if (module == NULL || !PyModule_Check(module))
        goto none;
    if (PyObject_GetOptionalAttrString(module, "__spec__", &spec) < 0)
        return NULL;
    int found =
        spec == NULL ? 0 : PyObject_GetOptionalAttrString(spec, "name", &name);
    Py_XDECREF(spec);
    if (found == 0)
        found = PyObject_GetOptionalAttrString(module, "__name__", &name);
    if (found < 0 || (name != NULL && PyUnicode_Check(name)))
        return name;
    Py_XDECREF(name);
none:
    return pyb_raise(PyExc_TypeError, "reload() argument must be a module");
}

static int
require_entry(PyObject *module, PyObject *name)
{
    PyObject *entered = PyImport_GetModule(name);

    if (entered != module && PyErr_Occurred() == NULL)
        pyb_import_error(PyExc_ImportError, name, NULL,
                         "module %U not in sys.modules", name);
    Py_XDECREF(entered);
    return entered == module ? 0 : -1;
}

/* Finds the module again, and executes it unless that has been done. */
static int
reload(PyObject *module, PyObject *name)
{
    struct pyb_import_hooks hooks;
    PyObject *path;
    int result = -1;

    if (PyUnicode_EqualToUTF8(name, "sys") ||
        PyUnicode_EqualToUTF8(name, "builtins"))
        return 0; /* a module of the library */
    int found = pyb_import_find(name, &path, &hooks);
    if (found > 0)
        result = pyb_moduleload_again(module, name, path);
    else if (found == 0)
        pyb_import_error(PyExc_ModuleNotFoundError, name, NULL,
                         "spec not found for the module %R", name);
    Py_XDECREF(path);
    return result;
}

PyObject *
PyImport_ReloadModule(PyObject *module)
{
    struct pyb_loading loading;
    PyObject *result = NULL;
    PyObject *name = imported_name(module);
    if (name == NULL)
        return NULL;
    pyb_importlock_wait(name);
    pyb_importlock_begin(&loading, name);
    if (require_entry(module, name) == 0 && reload(module, name) == 0) {
        result = PyImport_GetModule(name);
        if (result == NULL && PyErr_Occurred() == NULL)
            PyErr_SetObject(PyExc_KeyError, name);
    }
    pyb_importlock_end(&loading);
    Py_DECREF(name);
    return result;
}
