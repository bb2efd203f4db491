/* moduleload.c: from a hook, PyModExport_NAME or PyInit_NAME, to a finished
   module. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/import.h"
#include "object/module/module.h"
#include "object/type/typenames.h"
#include "runtime/threadstate.h"

/* ------------------------------------------------------------------ */
/* Specs                                                               */

typedef struct {
    PyObject_HEAD
    PyObject *name;
    PyObject *origin; /* a file, or "built-in" */
    PyObject *parent; /* "" for a module of the top level */
} modulespec;

#define IS_SPEC(op) Py_IS_TYPE(op, &pyb_modulespec_type)
#define SPEC(op) PYB_CAST(modulespec, IS_SPEC, op)

static void
modulespec_dealloc(PyObject *op)
{
    modulespec *self = SPEC(op);

    Py_XDECREF(self->name);
    Py_XDECREF(self->origin);
    Py_XDECREF(self->parent);
    PyObject_Free(op);
}

static PyObject *
modulespec_repr(PyObject *op)
{
    modulespec *self = SPEC(op);

    return PyUnicode_FromFormat("ModuleSpec(name=%R, loader=None, origin=%R)",
                                self->name, self->origin);
}

static PyMemberDef modulespec_members[] = {
    {"name", _Py_T_OBJECT, offsetof(modulespec, name), Py_READONLY, NULL},
    {"origin", _Py_T_OBJECT, offsetof(modulespec, origin), Py_READONLY, NULL},
    {"parent", _Py_T_OBJECT, offsetof(modulespec, parent), Py_READONLY, NULL},
    {"loader", _Py_T_NONE, 0, Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject pyb_modulespec_type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "ModuleSpec",
    .tp_basicsize = sizeof(modulespec),
    .tp_dealloc = modulespec_dealloc,
    .tp_repr = modulespec_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = PyDoc_STR("Where a module comes from."),
    .tp_members = modulespec_members,
    .tp_free = PyObject_Free,
};

/* A new reference, or NULL with an exception. */
static PyObject *
make_spec(PyObject *name, PyObject *path)
{
    const char *text = PyUnicode_AsUTF8(name);
    if (text == NULL)
        return NULL;
    modulespec *self = PyObject_New(modulespec, &pyb_modulespec_type);
    if (self == NULL)
        return NULL;

    Py_ssize_t before = pyb_typenames_last(text) - text;
    self->name = Py_NewRef(name);
    self->origin =
        path != NULL ? Py_NewRef(path) : PyUnicode_FromString("built-in");
    self->parent = PyUnicode_FromStringAndSize(text, Py_MAX(before - 1, 0));
    if (self->origin == NULL || self->parent == NULL)
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* Sets the attributes that tell a module's origin. */
static int
set_origin(PyObject *module, PyObject *spec, PyObject *path)
{
    if (PyObject_SetAttrString(module, "__spec__", spec) < 0 ||
        PyObject_SetAttrString(module, "__package__", SPEC(spec)->parent) < 0)
        return -1;
    return path == NULL ? 0 : PyObject_SetAttrString(module, "__file__", path);
}

/* The same, with a spec that is made for it. */
static int
set_new_spec(PyObject *module, PyObject *name, PyObject *path)
{
    PyObject *spec = make_spec(name, path);
    int result = spec != NULL ? set_origin(module, spec, path) : -1;

    Py_XDECREF(spec);
    return result;
}

/* ------------------------------------------------------------------ */
/* The PyInit function                                                 */

const char *
pyb_import_full_name(const char *name)
{
    if (pyb_threadstate_importing == NULL ||
        strcmp(pyb_typenames_last(pyb_threadstate_importing), name) != 0)
        return name;
    name = pyb_threadstate_importing;
    pyb_threadstate_importing = NULL;
    return name;
}

/* Calls the function and checks its result: a module or a definition, or NULL
   with an exception. */
static PyObject *
call_entry(const char *name, pyb_import_entry entry)
{
    const char *saved = pyb_threadstate_importing;
    pyb_threadstate_importing = strchr(name, '.') != NULL ? name : NULL;
    PyObject *result = entry();
    pyb_threadstate_importing = saved;

    if (result == NULL) {
        if (PyErr_Occurred() == NULL)
            PyErr_Format(
                PyExc_SystemError,
                "initialization of %s failed without raising an exception",
                name);
        return NULL;
    }
    if (Py_TYPE(result) == NULL) {
        PyErr_Clear();
        return PyErr_Format(PyExc_SystemError,
                            "init function of %s returned uninitialized "
                            "object",
                            name);
    }
    if (PyErr_Occurred() != NULL) {
        pyb_errors_from_cause(
            PyExc_SystemError,
            "initialization of %s raised unreported exception", name);
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

/* ------------------------------------------------------------------ */
/* One phase                                                           */

/* Completes a module of one phase; def is NULL if it has none. */
static int
finish(PyObject *module, PyModuleDef *def, PyObject *name, PyObject *path)
{
    if (set_new_spec(module, name, path) < 0)
        return -1;
    if (def != NULL && PyState_FindModule(def) != module &&
        PyState_AddModule(module, def) < 0)
        return -1;
    return PyDict_SetItem(PyImport_GetModuleDict(), name, module);
}

/* Checks and completes a module that the entry function made in one phase. */
static int
finish_first(PyObject *module, PyObject *name, PyObject *path,
             pyb_import_entry entry)
{
    if (!PyUnicode_IS_ASCII(name))
        return pyb_failf(PyExc_SystemError,
                         "initialization of %U did not return PyModuleDef",
                         name);
    if (!PyModule_Check(module))
        return pyb_failf(
            PyExc_SystemError,
            "initialization of %U did not return an extension module", name);
    PyModuleDef *def = PyModule_GetDef(module);
    if (def != NULL) {
        def->m_base.m_init = entry;
        if (pyb_modulecache_keep(module, def, name, path) < 0)
            return -1;
    }
    return finish(module, def, name, path);
}

/* ------------------------------------------------------------------ */
/* Several phases                                                      */

/* Calls the export hook and creates a module from its slots. */
static PyObject *
call_export(PyObject *name, PyObject *spec, pyb_import_export export)
{
    PySlot *slots = export();

    if (slots == NULL && PyErr_Occurred() == NULL)
        PyErr_Format(PyExc_SystemError,
                     "module export hook for module %R failed without setting "
                     "an exception",
                     name);
    if (slots == NULL)
        return NULL;
    if (PyErr_Occurred() != NULL)
        return pyb_errors_from_cause(PyExc_SystemError,
                                     "module export hook for module %R raised "
                                     "unreported exception",
                                     name);
    return pyb_module_from_slots(slots, spec, slots);
}

/* Executes a created module with its entry in sys.modules, which it may
   replace.  A new reference to the entry's final value. */
static PyObject *
execute(PyObject *module, PyObject *name)
{
    if (PyDict_SetItem(PyImport_GetModuleDict(), name, module) < 0)
        return NULL;
    if (PyModule_Check(module) && PyModule_Exec(module) < 0) {
        pyb_import_forget(name);
        return NULL;
    }
    PyObject *entered = PyImport_GetModule(name);
    if (entered == NULL && PyErr_Occurred() == NULL)
        entered = Py_NewRef(module);
    return entered;
}

/* Creates and executes a module from a definition, or with an export hook. */
static PyObject *
load_in_phases(PyObject *name, PyObject *path, PyModuleDef *def,
               pyb_import_export export)
{
    PyObject *module, *result = NULL;
    PyObject *spec = make_spec(name, path);
    if (spec == NULL)
        return NULL;

    PYB_ASSERT((def != NULL) != (export != NULL));
    module = def != NULL ? PyModule_FromDefAndSpec(def, spec)
                         : call_export(name, spec, export);
    if (module != NULL && set_origin(module, spec, path) == 0)
        result = execute(module, name);
    Py_XDECREF(module);
    Py_DECREF(spec);
    return result;
}

/* ------------------------------------------------------------------ */

/* Makes a module with a PyInit function. */
static PyObject *
run_entry(PyObject *name, PyObject *path, pyb_import_entry entry)
{
    const char *text = PyUnicode_AsUTF8(name);
    PyObject *module = text != NULL ? call_entry(text, entry) : NULL;
    if (module == NULL)
        return NULL;

    /* A definition is static: there is no reference to give back. */
    if (Py_IS_TYPE(module, &PyModuleDef_Type))
        return load_in_phases(name, path, (PyModuleDef *)(void *)module, NULL);
    if (finish_first(module, name, path, entry) < 0)
        Py_CLEAR(module);
    return module;
}

PyObject *
PyImport_CreateModuleFromInitfunc(PyObject *spec, PyObject *(*initfunc)(void))
{
    if (spec == NULL || initfunc == NULL)
        return pyb_errors_null_argument();
    PyObject *name = PyObject_GetAttrString(spec, "name"), *module = NULL;
    if (name == NULL)
        return NULL;
    const char *text = PyUnicode_AsUTF8(name); /* TypeError if it is no str */
    if (text != NULL)
        module = call_entry(text, initfunc);
    if (module != NULL && Py_IS_TYPE(module, &PyModuleDef_Type))
        module = PyModule_FromDefAndSpec((PyModuleDef *)(void *)module, spec);
    else if (module != NULL && finish_first(module, name, NULL, initfunc) < 0)
        Py_CLEAR(module);
    Py_DECREF(name);
    return module;
}

PyObject *
pyb_moduleload_run(PyObject *name, PyObject *path,
                   const struct pyb_import_hooks *hooks)
{
    PyModuleDef *def = hooks->def;

    if (def != NULL) {
        PyModuleDef_Init(def);
        return load_in_phases(name, path, def, NULL);
    }
    if (hooks->export != NULL)
        return load_in_phases(name, path, NULL, hooks->export);
    PYB_ASSERT(hooks->init != NULL);
    PyObject *module = pyb_modulecache_again(name, path, &def);
    if (module == NULL)
        return PyErr_Occurred() != NULL ? NULL
                                        : run_entry(name, path, hooks->init);
    if (finish(module, def, name, path) < 0)
        Py_CLEAR(module);
    return module;
}

int
pyb_moduleload_again(PyObject *module, PyObject *name, PyObject *path)
{
    if (set_new_spec(module, name, path) < 0)
        return -1;
    return PYB_MODULE(module)->state == NULL ? PyModule_Exec(module) : 0;
}

/* ------------------------------------------------------------------ */
/* Packages                                                            */

/* A package's own package is itself, and it has no file. */
static int
fill_package(PyObject *module, PyObject *name, PyObject *directory)
{
    PyObject *path = Py_BuildValue("[O]", directory);
    int result = -1;

    if (path != NULL &&
        PyObject_SetAttrString(module, "__path__", path) == 0 &&
        PyObject_SetAttrString(module, "__package__", name) == 0)
        result = PyDict_SetItem(PyImport_GetModuleDict(), name, module);
    Py_XDECREF(path);
    return result;
}

PyObject *
pyb_moduleload_package(PyObject *name, PyObject *directory)
{
    PyObject *module = PyModule_NewObject(name);

    if (module != NULL && fill_package(module, name, directory) < 0)
        Py_CLEAR(module);
    return module;
}
