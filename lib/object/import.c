/* import.c: sys.modules, the table of built-in modules, and the driver of
   importing. */

#include "Python.h"

#include "object/gcmodule.h"
#include "object/import.h"
#include "object/importlock.h"
#include "object/typenames.h"

/* sys.modules; owned between Py_Initialize and Py_Finalize, else NULL. */
static PyObject *modules;

int
pyb_import_init(void)
{
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

/* What the program has added; stays through Py_Finalize. */
static struct _inittab *table;
static size_t table_size;

int
PyImport_ExtendInittab(struct _inittab *newtab)
{
    size_t n = 0;

    while (newtab[n].name != NULL)
        n++;
    struct _inittab *grown = table;
    if (PyMem_Resize(grown, struct _inittab, table_size + n) == NULL)
        return -1;
    table = grown;
    memcpy(table + table_size, newtab, n * sizeof *newtab);
    table_size += n;
    return 0;
}

int
PyImport_AppendInittab(const char *name, PyObject *(*initfunc)(void))
{
    struct _inittab newtab[] = {{name, initfunc}, {NULL, NULL}};

    return PyImport_ExtendInittab(newtab);
}

static pyb_import_entry
find_builtin(PyObject *name)
{
    for (size_t i = 0; i < table_size; i++)
        if (PyUnicode_EqualToUTF8(name, table[i].name))
            return table[i].initfunc;
    return PyUnicode_EqualToUTF8(name, "gc") ? pyb_gcmodule_entry : NULL;
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

/* Makes a submodule an attribute of its parent, if that is there. */
static int
bind_to_parent(PyObject *name, PyObject *module)
{
    const char *text = PyUnicode_AsUTF8(name);
    const char *last = pyb_typenames_last(text);
    if (last == text)
        return 0;

    PyObject *parent_name = PyUnicode_FromStringAndSize(text, last - text - 1);
    if (parent_name == NULL)
        return -1;
    PyObject *parent = PyImport_GetModule(parent_name);
    int result = PyErr_Occurred() == NULL ? 0 : -1;
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
    return hooks->init != NULL ? 1 : pyb_dynload_find(name, path);
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
        return pyb_import_error(PyExc_ModuleNotFoundError, name, NULL,
                                "No module named %R", name);
    if (path == NULL || pyb_dynload_open(name, path, &hooks) == 0)
        module = pyb_moduleload_run(name, path, &hooks);
    Py_XDECREF(path);
    return module;
}

PyObject *
PyImport_Import(PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "module name must be a string");
        return NULL;
    }
    if (PyUnicode_GET_LENGTH(name) == 0) {
        PyErr_SetString(PyExc_ValueError, "Empty module name");
        return NULL;
    }

    pyb_importlock_wait(name);
    PyObject *module = PyImport_GetModule(name);
    if (module == Py_None)
        return pyb_import_error(PyExc_ModuleNotFoundError, name, NULL,
                                "import of %U halted; None in sys.modules",
                                name);
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
