/* moduledef.c: modules made from definitions, in one phase or in several. */

#include "Python.h"

#include "object/errors.h"
#include "object/import.h"
#include "object/module.h"

PyTypeObject PyModuleDef_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "moduledef",
    .tp_basicsize = sizeof(PyModuleDef),
    .tp_hash = PyObject_GenericHash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = PyDoc_STR("The definition of a module."),
};

/* m_index of the last definition initialised; 0 stands for none. */
static Py_ssize_t last_index;

PyObject *
PyModuleDef_Init(PyModuleDef *def)
{
    if (def->m_base.m_index == 0) {
        def->m_base.m_index = ++last_index;
        Py_SET_TYPE(def, &PyModuleDef_Type);
    }
    return (PyObject *)def;
}

/* Allocates the state, zeroed.  Even an empty one is not NULL: that it is
   there says that the module was executed. */
static int
make_state(struct pyb_module *self, Py_ssize_t size)
{
    self->state = PyMem_Calloc(1, (size_t)Py_MAX(size, 1));
    if (self->state == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

/* Copies what the definition says of the module's state. */
static void
adopt(struct pyb_module *self, PyModuleDef *def)
{
    self->token = def;
    self->has_def = 1;
    self->state_size = def->m_size;
    self->traverse_state = def->m_traverse;
    self->clear_state = def->m_clear;
    self->free_state = def->m_free;
}

/* Adds the functions and the doc string of the definition. */
static int
add_contents(PyObject *module, PyModuleDef *def)
{
    if (def->m_methods != NULL &&
        PyModule_AddFunctions(module, def->m_methods) < 0)
        return -1;
    if (def->m_doc != NULL && PyModule_SetDocString(module, def->m_doc) < 0)
        return -1;
    return 0;
}

/* ------------------------------------------------------------------ */
/* One phase                                                           */

PyObject *
PyModule_Create2(PyModuleDef *def, int Py_UNUSED(module_api_version))
{
    if (PyModuleDef_Init(def) == NULL)
        return NULL;
    if (def->m_slots != NULL) {
        PyErr_Format(PyExc_SystemError,
                     "module %s: PyModule_Create is incompatible with m_slots",
                     def->m_name);
        return NULL;
    }

    PyObject *module = PyModule_New(pyb_import_full_name(def->m_name));
    if (module == NULL)
        return NULL;
    if ((def->m_size > 0 && make_state(PYB_MODULE(module), def->m_size) < 0) ||
        add_contents(module, def) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    adopt(PYB_MODULE(module), def);
    return module;
}

/* ------------------------------------------------------------------ */
/* Several phases                                                      */

typedef PyObject *(*create_slot)(PyObject *, PyModuleDef *);
typedef int (*exec_slot)(PyObject *);

/* What the slots of a definition ask for. */
struct wishes {
    create_slot create;
    int executes;
};

/* Counts one more of a slot that may be there once. */
static int
only_once(int *count, const char *format, const char *name)
{
    if (++*count == 1)
        return 0;
    PyErr_Format(PyExc_SystemError, format, name);
    return -1;
}

/* Reads the slots; 0, or -1 with SystemError. */
static int
read_slots(PyModuleDef *def, const char *name, struct wishes *wishes)
{
    int creates = 0, interpreters = 0, gils = 0, bad = 0;

    *wishes = (struct wishes){NULL, 0};
    if (def->m_slots == NULL)
        return 0;
    for (PyModuleDef_Slot *s = def->m_slots; s->slot != 0 && !bad; s++) {
        switch (s->slot) {
        case Py_mod_create:
            bad = only_once(&creates, "module %s has multiple create slots",
                            name);
            wishes->create = (create_slot)s->value;
            break;
        case Py_mod_exec:
            wishes->executes = 1;
            break;
        case Py_mod_multiple_interpreters:
            bad = only_once(&interpreters,
                            "module %s has more than one "
                            "'multiple interpreters' slots",
                            name);
            break;
        case Py_mod_gil:
            bad = only_once(&gils, "module %s has more than one 'gil' slot",
                            name);
            break;
        default:
            PyErr_Format(PyExc_SystemError,
                         "module %s uses unknown slot ID %i", name, s->slot);
            bad = -1;
        }
    }
    return bad;
}

/* Runs the create slot. */
static PyObject *
run_create(create_slot create, PyObject *spec, PyModuleDef *def,
           const char *name)
{
    PyObject *module = create(spec, def);

    if (module == NULL && PyErr_Occurred() == NULL)
        PyErr_Format(
            PyExc_SystemError,
            "creation of module %s failed without setting an exception", name);
    if (module != NULL && PyErr_Occurred() != NULL) {
        pyb_errors_from_cause(PyExc_SystemError,
                              "creation of module %s raised unreported "
                              "exception",
                              name);
        Py_CLEAR(module);
    }
    return module;
}

/* Ties a module to its definition.  A create slot may have returned something
   else: that can have neither state nor exec slots. */
static int
tie(PyObject *module, PyModuleDef *def, const char *name, int executes)
{
    if (PyModule_Check(module)) {
        adopt(PYB_MODULE(module), def);
        return 0;
    }
    if (def->m_size > 0 || def->m_traverse != NULL || def->m_clear != NULL ||
        def->m_free != NULL) {
        PyErr_Format(PyExc_SystemError,
                     "module %s is not a module object, but requests module "
                     "state",
                     name);
        return -1;
    }
    if (executes) {
        PyErr_Format(PyExc_SystemError,
                     "module %s specifies execution slots, but did not create "
                     "a ModuleType instance",
                     name);
        return -1;
    }
    return 0;
}

/* Adds the definition's functions to what need not be a module. */
static int
add_to_object(PyObject *object, PyModuleDef *def, PyObject *name)
{
    for (PyMethodDef *m = def->m_methods; m && m->ml_name != NULL; m++) {
        PyObject *function = PyCFunction_NewEx(m, object, name);
        if (function == NULL)
            return -1;
        int result = PyObject_SetAttrString(object, m->ml_name, function);
        Py_DECREF(function);
        if (result < 0)
            return -1;
    }
    return def->m_doc == NULL ? 0 : PyModule_SetDocString(object, def->m_doc);
}

/* The same with the name at hand. */
static PyObject *
from_def(PyModuleDef *def, PyObject *spec, PyObject *name_object)
{
    const char *name = PyUnicode_AsUTF8(name_object);
    struct wishes wishes;

    if (name == NULL || read_slots(def, name, &wishes) < 0)
        return NULL;
    if (def->m_size < 0) {
        PyErr_Format(PyExc_SystemError,
                     "module %s: m_size may not be negative for multi-phase "
                     "initialization",
                     name);
        return NULL;
    }

    PyObject *module = wishes.create != NULL
                           ? run_create(wishes.create, spec, def, name)
                           : PyModule_NewObject(name_object);
    if (module == NULL)
        return NULL;
    if (tie(module, def, name, wishes.executes) < 0 ||
        (PyModule_Check(module) ? add_contents(module, def)
                                : add_to_object(module, def, name_object)) < 0)
        Py_CLEAR(module);
    return module;
}

PyObject *
PyModule_FromDefAndSpec2(PyModuleDef *def, PyObject *spec,
                         int Py_UNUSED(module_api_version))
{
    PyModuleDef_Init(def);
    PyObject *name = PyObject_GetAttrString(spec, "name");
    if (name == NULL)
        return NULL;
    PyObject *module = from_def(def, spec, name);
    Py_DECREF(name);
    return module;
}

/* Runs one exec slot. */
static int
run_exec(exec_slot exec, PyObject *module, const char *name)
{
    int result = exec(module);

    if (result != 0 && PyErr_Occurred() == NULL)
        PyErr_Format(
            PyExc_SystemError,
            "execution of module %s failed without setting an exception",
            name);
    if (result == 0 && PyErr_Occurred() != NULL) {
        pyb_errors_from_cause(
            PyExc_SystemError,
            "execution of module %s raised unreported exception", name);
        result = -1;
    }
    return result == 0 ? 0 : -1;
}

int
PyModule_ExecDef(PyObject *module, PyModuleDef *def)
{
    const char *name = PyModule_GetName(module);
    if (name == NULL)
        return -1;
    if (def->m_size >= 0 && PYB_MODULE(module)->state == NULL &&
        make_state(PYB_MODULE(module), def->m_size) < 0)
        return -1;
    if (def->m_slots == NULL)
        return 0;

    for (PyModuleDef_Slot *s = def->m_slots; s->slot != 0; s++)
        if (s->slot == Py_mod_exec &&
            run_exec((exec_slot)s->value, module, name) < 0)
            return -1;
    return 0;
}
