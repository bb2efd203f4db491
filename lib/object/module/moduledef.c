/* moduledef.c: modules made from definitions and from slots, in one phase or
   in several.

   Manual: "Module Objects", "Defining extension modules". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/import.h"
#include "object/module/module.h"
#include "object/module/moduleslots.h"

PyTypeObject PyModuleDef_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "moduledef",
    .tp_basicsize = sizeof(PyModuleDef),
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
    PYB_ASSERT(def->m_base.m_index > 0 && def->m_base.m_index <= last_index);
    return (PyObject *)def;
}

/* Allocates the state, zeroed.  Even an empty state is not NULL: a state means
   that the module was executed. */
static int
make_state(struct pyb_module *self, Py_ssize_t size)
{
    PYB_ASSERT_OBJECT(self->state == NULL && size >= 0, (PyObject *)self);
    self->state = PyMem_Calloc(1, (size_t)Py_MAX(size, 1));
    if (self->state == NULL)
        return PYB_MEMORY_ERROR(-1);
    return 0;
}

/* Copies the plan's members into the module.  A create slot may return a
   module that has a state already; a state with the same token is kept. */
static void
adopt(PyObject *module, const struct pyb_moduleplan *plan)
{
    struct pyb_module *self = PYB_MODULE(module);
    void *token = plan->token != NULL ? plan->token : plan->default_token;

    if (self->state != NULL && self->token != token)
        pyb_module_drop_state(module);
    self->token = token;
    self->has_def = plan->def != NULL;
    self->state_size = plan->size;
    self->traverse_state = plan->traverse;
    self->clear_state = plan->clear;
    self->free_state = plan->free;
    self->exec = plan->exec;
    PYB_EXPENSIVE(pyb_module_check(module));
}

/* Adds the functions and the doc string of the plan. */
static int
add_contents(PyObject *module, const struct pyb_moduleplan *plan)
{
    if (plan->methods != NULL &&
        PyModule_AddFunctions(module, plan->methods) < 0)
        return -1;
    if (plan->doc != NULL && PyModule_SetDocString(module, plan->doc) < 0)
        return -1;
    return 0;
}

/* PYTHON_API_VERSION of CPython's headers, from 2.7 to this day. */
enum { CPYTHON_API_VERSION = 1013 };

/* Refuses code that was compiled with CPython's headers and reaches into its
   structures, and warns of code for an unknown API. */
static int
check_version(const char *name, int version)
{
    if (version == PYTHON_API_VERSION || version == PYTHON_ABI_VERSION)
        return 0;
    if (version == CPYTHON_API_VERSION)
        return pyb_failf(PyExc_ImportError,
                         "module %.100s was compiled with CPython's own "
                         "headers and without Py_LIMITED_API",
                         name);
    return PyErr_WarnFormat(
        PyExc_RuntimeWarning, 1,
        "Python C API version mismatch for module %.100s: This Python has API "
        "version %d, module %.100s has version %d.",
        name, PYTHON_API_VERSION, name, version);
}

/* ------------------------------------------------------------------ */
/* One phase                                                           */

PyObject *
PyModule_Create2(PyModuleDef *def, int module_api_version)
{
    if (PyModuleDef_Init(def) == NULL)
        return NULL;
    struct pyb_moduleplan plan = pyb_moduleslots_of_def(def);
    if (check_version(def->m_name, module_api_version) < 0)
        return NULL;
    if (def->m_slots != NULL)
        return PyErr_Format(
            PyExc_SystemError,
            "module %s: PyModule_Create is incompatible with m_slots",
            def->m_name);

    PyObject *module = PyModule_New(pyb_import_full_name(def->m_name));
    if (module == NULL)
        return NULL;
    if (add_contents(module, &plan) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    adopt(module, &plan);
    if (def->m_size > 0 && make_state(PYB_MODULE(module), def->m_size) < 0)
        Py_CLEAR(module);
    return module;
}

/* ------------------------------------------------------------------ */
/* Several phases: creation                                            */

/* Runs the create slot. */
static PyObject *
run_create(const struct pyb_moduleplan *plan, PyObject *spec, const char *name)
{
    PyObject *module = plan->create(spec, plan->def);

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

/* An object that is not a module can have neither state nor exec slots nor
   token. */
static int
check_other(const struct pyb_moduleplan *plan, const char *name)
{
    const char *problem = NULL;

    if (plan->size > 0 || plan->traverse != NULL || plan->clear != NULL ||
        plan->free != NULL)
        problem = "is not a module object, but requests module state";
    else if (plan->executes)
        problem = "specifies execution slots, but did not create a ModuleType "
                  "instance";
    else if (plan->token != NULL && plan->def == NULL)
        problem = "specifies a token, but did not create a ModuleType "
                  "instance";
    if (problem == NULL)
        return 0;
    return pyb_failf(PyExc_SystemError, "module %s %s", name, problem);
}

/* Adds functions and doc string to an object that need not be a module. */
static int
add_to_object(PyObject *object, const struct pyb_moduleplan *plan,
              PyObject *name)
{
    for (PyMethodDef *m = plan->methods; m && m->ml_name != NULL; m++) {
        PyObject *function = PyCFunction_NewEx(m, object, name);
        if (function == NULL)
            return -1;
        int result = PyObject_SetAttrString(object, m->ml_name, function);
        Py_DECREF(function);
        if (result < 0)
            return -1;
    }
    return plan->doc == NULL ? 0 : PyModule_SetDocString(object, plan->doc);
}

/* Completes a created module or object according to the plan. */
static int
furnish(PyObject *module, const struct pyb_moduleplan *plan, PyObject *name)
{
    PYB_ASSERT_OBJECT(PyUnicode_Check(name), name);
    if (!PyModule_Check(module))
        return check_other(plan, PyUnicode_AsUTF8(name)) < 0
                   ? -1
                   : add_to_object(module, plan, name);
    adopt(module, plan);
    PYB_MODULE(module)->phased = 1;
    return add_contents(module, plan);
}

/* The module of a complete plan. */
static PyObject *
create(const struct pyb_moduleplan *plan, PyObject *spec, PyObject *name)
{
    PyObject *module = plan->create != NULL
                           ? run_create(plan, spec, PyUnicode_AsUTF8(name))
                           : PyModule_NewObject(name);

    if (module != NULL && furnish(module, plan, name) < 0)
        Py_CLEAR(module);
    return module;
}

/* The name that a spec gives, also as UTF-8; a new reference. */
static PyObject *
get_name(PyObject *spec, const char **text)
{
    PyObject *name = PyObject_GetAttrString(spec, "name");

    *text = name != NULL ? PyUnicode_AsUTF8(name) : NULL;
    if (*text == NULL)
        Py_CLEAR(name);
    return name;
}

PyObject *
PyModule_FromDefAndSpec2(PyModuleDef *def, PyObject *spec,
                         int module_api_version)
{
    const char *text;
    PyObject *module = NULL;

    PyModuleDef_Init(def);
    struct pyb_moduleplan plan = pyb_moduleslots_of_def(def);
    PyObject *name = get_name(spec, &text);
    if (name != NULL && check_version(text, module_api_version) == 0 &&
        pyb_moduleslots_read_def(&plan, text) == 0)
        module = create(&plan, spec, name);
    Py_XDECREF(name);
    return module;
}

PyObject *
pyb_module_from_slots(const PySlot *slots, PyObject *spec, void *token)
{
    struct pyb_moduleplan plan = {.default_token = token};
    const char *text;
    PyObject *module = NULL;

    PyObject *name = get_name(spec, &text);
    if (name != NULL && pyb_moduleslots_read(&plan, slots, text) == 0)
        module = create(&plan, spec, name);
    Py_XDECREF(name);
    return module;
}

PyObject *
PyModule_FromSlotsAndSpec(const PySlot *slots, PyObject *spec)
{
    if (slots == NULL)
        return pyb_raise(PyExc_SystemError,
                         "PyModule_FromSlotsAndSpec called with NULL slots");
    return pyb_module_from_slots(slots, spec, NULL);
}

/* ------------------------------------------------------------------ */
/* Several phases: execution                                           */

/* Checks that a slot's result and the exception agree. */
static int
judge_exec(int result, PyObject *name)
{
    PYB_ASSERT_OBJECT(PyUnicode_Check(name), name);
    if (result != 0 && PyErr_Occurred() == NULL)
        PyErr_Format(
            PyExc_SystemError,
            "execution of module %U failed without setting an exception",
            name);
    if (result == 0 && PyErr_Occurred() != NULL) {
        pyb_errors_from_cause(
            PyExc_SystemError,
            "execution of module %U raised unreported exception", name);
        result = -1;
    }
    return result == 0 ? 0 : -1;
}

/* Runs one exec slot. */
static int
run_exec(PyObject *module, pyb_module_exec exec)
{
    PyObject *name = PyModule_GetNameObject(module);
    if (name == NULL)
        return -1;
    int result = judge_exec(exec(module), name);
    Py_DECREF(name);
    return result;
}

/* Makes the state unless there is one. */
static int
ensure_state(PyObject *module, Py_ssize_t size)
{
    struct pyb_module *self = PYB_MODULE(module);

    if (size < 0 || self->state != NULL)
        return 0;
    self->state_size = size;
    return make_state(self, size);
}

int
PyModule_ExecDef(PyObject *module, PyModuleDef *def)
{
    if (!PyModule_Check(module)) {
        PyErr_BadArgument();
        return -1;
    }
    if (ensure_state(module, def->m_size) < 0)
        return -1;
    return pyb_moduleslots_each_exec(def, module, run_exec);
}

int
PyModule_Exec(PyObject *module)
{
    if (!PyModule_Check(module)) {
        PyErr_BadArgument();
        return -1;
    }
    struct pyb_module *self = PYB_MODULE(module);
    if (!self->phased)
        return 0;
    if (self->has_def) /* then it is the token */
        return PyModule_ExecDef(module, self->token);
    if (ensure_state(module, self->state_size) < 0)
        return -1;
    return self->exec == NULL ? 0 : run_exec(module, self->exec);
}
