/* import.c: sys.modules, the table of built-in modules, and the driver of
   importing. */

#include "Python.h"

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/gcmodule.h"
#include "object/module/import.h"
#include "object/module/importlock.h"
#include "object/module/module.h"
#include "object/type/typenames.h"

/* sys.modules; owned between Py_Initialize and Py_Finalize, else NULL. */
static PyObject *modules;

int
pyb_import_init(void)
{
    PYB_ASSERT(modules == NULL);
    modules = PyDict_New();
    return modules == NULL ? -1 : 0;
}

void
pyb_import_fini(void)
{
    Py_CLEAR(modules);
}

PyObject *
pyb_import_error(PyObject *type, PyObject *name, PyObject *path,
                 const char *format, ...)
{
    va_list vargs;

    PyErr_Clear();
    va_start(vargs, format);
    PyObject *text = PyUnicode_FromFormatV(format, vargs);
    va_end(vargs);
    if (text == NULL)
        return NULL;
    PyErr_SetImportErrorSubclass(type, text, name, path);
    Py_DECREF(text);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* Built-in modules                                                    */

/* The program's own modules, up to a row without a name; kept through
   Py_Finalize. */
static struct _inittab no_modules[] = {{NULL, NULL}};
struct _inittab *PyImport_Inittab = no_modules;

static size_t
inittab_size(const struct _inittab *table)
{
    size_t n = 0;

    while (table[n].name != NULL)
        n++;
    return n;
}

/* The table is the program's if that has put its own there. */
int
PyImport_ExtendInittab(struct _inittab *newtab)
{
    static struct _inittab *allocated;
    size_t old = inittab_size(PyImport_Inittab), n = inittab_size(newtab);
    int is_own = PyImport_Inittab == allocated;
    struct _inittab *grown = allocated;

    if (PyMem_Resize(grown, struct _inittab, old + n + 1) == NULL)
        return -1;
    if (!is_own)
        memcpy(grown, PyImport_Inittab, old * sizeof *newtab);
    memcpy(grown + old, newtab, (n + 1) * sizeof *newtab);
    PyImport_Inittab = allocated = grown;
    return 0;
}

int
PyImport_AppendInittab(const char *name, PyObject *(*initfunc)(void))
{
    struct _inittab newtab[] = {{name, initfunc}, {NULL, NULL}};

    return PyImport_ExtendInittab(newtab);
}

/* The library's modules, which come after the program's. */
static PyModuleDef *library;

void
pyb_import_offer(PyModuleDef *modules_of_library)
{
    library = modules_of_library;
}

static PyModuleDef *
find_own(PyObject *name)
{
    for (PyModuleDef *def = library; def != NULL && def->m_name != NULL; def++)
        if (PyUnicode_EqualToUTF8(name, def->m_name))
            return def;
    return NULL;
}

static pyb_import_entry
find_builtin(PyObject *name)
{
    const struct _inittab *row = PyImport_Inittab;

    for (; row != NULL && row->name != NULL; row++)
        if (PyUnicode_EqualToUTF8(name, row->name))
            return row->initfunc;
    return PyUnicode_EqualToUTF8(name, "gc") ? pyb_gcmodule_entry : NULL;
}

int
pyb_import_is_own(PyObject *op)
{
    static const char *const always[] = {"sys", "builtins", "gc"};
    PyObject *name = PyModule_Check(op) ? PYB_MODULE(op)->name : NULL;

    if (name == NULL || !PyUnicode_Check(name))
        return 0;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(always); i++)
        if (PyUnicode_EqualToUTF8(name, always[i]))
            return 1;
    return find_own(name) != NULL;
}

/* ------------------------------------------------------------------ */
/* sys.modules                                                         */

int
pyb_import_is_modules(const PyObject *op)
{
    return op != NULL && op == modules;
}

PyObject *
PyImport_GetModuleDict(void)
{
    if (modules == NULL)
        Py_FatalError("interpreter has no modules dictionary");
    return modules;
}

PyObject *
PyImport_GetModule(PyObject *name)
{
    PyObject *module;

    PyDict_GetItemRef(PyImport_GetModuleDict(), name, &module);
    return module;
}

void
pyb_import_forget(PyObject *name)
{
    PyObject *error = PyErr_GetRaisedException();

    if (PyDict_Pop(modules, name, NULL) < 0)
        PyErr_Clear();
    PyErr_SetRaisedException(error);
}

/* The module of that name, made if need be; a new reference. */
static PyObject *
add_module(PyObject *name)
{
    PyObject *module = PyImport_GetModule(name);

    if (PyErr_Occurred() != NULL)
        return NULL;
    if (module != NULL && PyModule_Check(module))
        return module;
    Py_XDECREF(module);
    module = PyModule_NewObject(name);
    if (module != NULL && PyDict_SetItem(modules, name, module) < 0)
        Py_CLEAR(module);
    return module;
}

PyObject *
PyImport_AddModuleRef(const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL)
        return NULL;
    PyObject *module = add_module(text);
    Py_DECREF(text);
    return module;
}

PyObject *
PyImport_AddModule(const char *name)
{
    PyObject *module = PyImport_AddModuleRef(name);

    Py_XDECREF(module); /* sys.modules keeps it */
    return module;
}

PyObject *
PyImport_AddModuleObject(PyObject *name)
{
    PyObject *module = add_module(name);

    Py_XDECREF(module);
    return module;
}

/* ------------------------------------------------------------------ */
/* Importing                                                           */

/* The name in front of the last dot: 1 and a new str, 0 and NULL if there is
   none, or -1 and NULL with an exception. */
static int
get_parent_name(PyObject *name, PyObject **parent_name)
{
    const char *text = PyUnicode_AsUTF8(name);
    const char *last = text != NULL ? pyb_typenames_last(text) : NULL;

    *parent_name = NULL;
    if (last == text)
        return text != NULL ? 0 : -1;
    *parent_name = PyUnicode_FromStringAndSize(text, last - text - 1);
    return *parent_name != NULL ? 1 : -1;
}

/* Imports the package that the module is to be in.  A built-in module may do
   without. */
static int
import_parent(PyObject *name)
{
    PyObject *parent_name;
    int found = get_parent_name(name, &parent_name);

    if (found <= 0)
        return found;
    PyObject *parent = PyImport_Import(parent_name);
    Py_DECREF(parent_name);
    if (parent == NULL && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError))
        PyErr_Clear();
    Py_XDECREF(parent);
    return PyErr_Occurred() == NULL ? 0 : -1;
}

/* Makes a submodule an attribute of its parent, if that is loaded. */
static int
bind_to_parent(PyObject *name, PyObject *module)
{
    PyObject *parent_name;
    int found = get_parent_name(name, &parent_name);

    if (found <= 0)
        return found;
    PyObject *parent = PyImport_GetModule(parent_name);
    int result = PyErr_Occurred() == NULL ? 0 : -1;
    const char *last = pyb_typenames_last(PyUnicode_AsUTF8(name));
    if (parent != NULL && PyObject_SetAttrString(parent, last, module) < 0)
        result = -1;
    Py_XDECREF(parent);
    Py_DECREF(parent_name);
    return result;
}

int
pyb_import_find(PyObject *name, PyObject **path,
                struct pyb_import_hooks *hooks)
{
    *path = NULL;
    *hooks = (struct pyb_import_hooks){.init = find_builtin(name)};
    if (hooks->init == NULL)
        hooks->def = find_own(name);
    return hooks->init != NULL || hooks->def != NULL
               ? 1
               : pyb_dynload_find(name, path);
}

/* Why no module is found at all, if that is so. */
static const char *
no_path(void)
{
    PyObject *path = PySys_GetObject("path");

    return path != NULL && PyList_Check(path) && PyList_GET_SIZE(path) == 0 &&
                   pyb_environment("PYBOEHM_PATH") == NULL
               ? ": PYBOEHM_PATH is not set"
               : "";
}

/* Adds a directory to the pending exception. */
static void
note_directory(PyObject *directory)
{
    PyObject *exception = PyErr_GetRaisedException();
    int is_missing =
        PyUnicode_Check(directory) ? pyb_dynload_is_missing(directory) : -1;

    PyErr_SetRaisedException(exception); /* in place of any other */
    if (is_missing >= 0)
        pyb_errors_note(is_missing ? "there is no directory %U"
                                   : "there is no file of it in %U",
                        directory);
}

/* A collection may have code run that changes sys.path. */
static void
note_directories(void)
{
    PyObject *path = Py_XNewRef(PySys_GetObject("path"));

    for (Py_ssize_t i = 0;
         path != NULL && PyList_Check(path) && i < PyList_GET_SIZE(path);
         i++) {
        PyObject *directory = Py_NewRef(PyList_GET_ITEM(path, i));

        note_directory(directory);
        Py_DECREF(directory);
    }
    Py_XDECREF(path);
}

/* Raises the exception for a module that there is no file of, or none that can
   be loaded.  Always NULL. */
static PyObject *
not_found(PyObject *name)
{
    PyObject *path;
    int foreign = pyb_dynload_find_foreign(name, &path);

    if (foreign < 0)
        return NULL;
    if (foreign == 0) {
        pyb_import_error(PyExc_ModuleNotFoundError, name, NULL,
                         "No module named %R%s", name, no_path());
        note_directories();
        return NULL;
    }
    pyb_import_error(PyExc_ImportError, name, path,
                     "%U was compiled with the headers of another "
                     "implementation of Python and without Py_LIMITED_API",
                     path);
    Py_DECREF(path);
    return NULL;
}

/* A directory is a package, whatever Python code it may hold. */
static PyObject *
load_package(PyObject *name)
{
    PyObject *directory;
    int found = pyb_dynload_find_package(name, &directory);

    if (found < 0)
        return NULL;
    if (found == 0)
        return not_found(name);
    PyObject *module = pyb_moduleload_package(name, directory);
    Py_DECREF(directory);
    return module;
}

/* Finds the module and makes it. */
static PyObject *
load(PyObject *name)
{
    struct pyb_import_hooks hooks;
    PyObject *path, *module = NULL;
    int found = pyb_import_find(name, &path, &hooks);

    if (found < 0)
        return NULL;
    if (found == 0)
        return load_package(name);
    PYB_ASSERT((path == NULL) == (hooks.init != NULL || hooks.def != NULL));
    if (path == NULL || pyb_dynload_open(name, path, &hooks) == 0)
        module = pyb_moduleload_run(name, path, &hooks);
    Py_XDECREF(path);
    return module;
}

/* The module, once another thread has loaded it; NULL without an exception if
   it is to be loaded. */
static PyObject *
get_loaded(PyObject *name)
{
    pyb_importlock_wait(name);
    PyObject *module = PyImport_GetModule(name);
    if (module == Py_None)
        return pyb_import_error(PyExc_ModuleNotFoundError, name, NULL,
                                "import of %U halted; None in sys.modules",
                                name);
    return module;
}

PyObject *
PyImport_Import(PyObject *name)
{
    if (!PyUnicode_Check(name))
        return pyb_raise(PyExc_TypeError, "module name must be a string");
    if (PyUnicode_GET_LENGTH(name) == 0)
        return pyb_raise(PyExc_ValueError, "Empty module name");

    PyObject *module = get_loaded(name);
    if (module != NULL || PyErr_Occurred() != NULL)
        return module;
    if (import_parent(name) < 0)
        return NULL;
    module = get_loaded(name); /* its package may have imported it */
    if (module != NULL || PyErr_Occurred() != NULL)
        return module;

    struct pyb_loading loading;
    pyb_importlock_begin(&loading, name);
    module = load(name);
    pyb_importlock_end(&loading);
    if (module != NULL && bind_to_parent(name, module) < 0) {
        pyb_import_forget(name);
        Py_CLEAR(module);
    }
    return module;
}

PyObject *
PyImport_ImportModule(const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL)
        return NULL;
    PyObject *module = PyImport_Import(text);
    Py_DECREF(text);
    return module;
}

PyObject *
PyImport_ImportModuleNoBlock(const char *name)
{
    return PyImport_ImportModule(name);
}

PyObject *
PyImport_ImportModuleAttr(PyObject *mod_name, PyObject *attr_name)
{
    PyObject *module = PyImport_Import(mod_name);
    if (module == NULL)
        return NULL;
    PyObject *value = PyObject_GetAttr(module, attr_name);
    Py_DECREF(module);
    return value;
}

PyObject *
PyImport_ImportModuleAttrString(const char *mod_name, const char *attr_name)
{
    PyObject *module = PyImport_ImportModule(mod_name);
    if (module == NULL)
        return NULL;
    PyObject *value = PyObject_GetAttrString(module, attr_name);
    Py_DECREF(module);
    return value;
}
