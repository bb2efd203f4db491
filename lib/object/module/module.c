/* module.c: module objects: their life, their attributes, and queries. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/dir.h"
#include "object/error/errors.h"
#include "object/module/module.h"

/* ------------------------------------------------------------------ */
/* Life                                                                */

void
pyb_module_check(PyObject *op)
{
    const struct pyb_module *self = PYB_MODULE(op);

    PYB_ALWAYS(self->dict == NULL || PyDict_Check(self->dict), op,
               "a module's dictionary is none");
    PYB_ALWAYS(!self->has_def || self->token != NULL, op,
               "a module has no definition");
    PYB_ALWAYS(!self->has_def || self->exec == NULL, op,
               "a module with a definition has an exec slot of its own");
    PYB_ALWAYS(self->name == NULL || PyUnicode_CheckExact(self->name), op,
               "a module's name is no str");
}

/* May the module's traverse, clear and free functions be called?  Only if the
   state that they use exists. */
static int
state_is_ready(const struct pyb_module *self)
{
    return self->state_size <= 0 || self->state != NULL;
}

static int
module_traverse(PyObject *op, visitproc visit, void *arg)
{
    struct pyb_module *self = PYB_MODULE(op);

    if (self->traverse_state != NULL && state_is_ready(self)) {
        int result = self->traverse_state(op, visit, arg);
        if (result != 0)
            return result;
    }
    Py_VISIT(self->dict);
    return 0;
}

static int
module_clear(PyObject *op)
{
    struct pyb_module *self = PYB_MODULE(op);

    if (self->clear_state != NULL && state_is_ready(self)) {
        int result = self->clear_state(op);
        if (PyErr_Occurred() != NULL)
            PyErr_FormatUnraisable(
                "Exception ignored in m_clear of module%s%V",
                self->name ? " " : "", self->name, "");
        if (result != 0)
            return result;
    }
    Py_CLEAR(self->dict);
    return 0;
}

void
pyb_module_drop_state(PyObject *op)
{
    struct pyb_module *self = PYB_MODULE(op);

    if (self->free_state != NULL && state_is_ready(self))
        self->free_state(op);
    PyMem_Free(self->state);
    self->state = NULL;
}

static void
module_dealloc(PyObject *op)
{
    struct pyb_module *self = PYB_MODULE(op);

    PYB_EXPENSIVE(pyb_module_check(op));
    PyObject_GC_UnTrack(op);
    if (self->weaklist != NULL)
        PyObject_ClearWeakRefs(op);
    pyb_module_drop_state(op);
    Py_CLEAR(self->dict);
    Py_CLEAR(self->name);
    Py_TYPE(op)->tp_free(op);
}

static PyObject *
module_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
           PyObject *Py_UNUSED(kwargs))
{
    PyObject *op = type->tp_alloc(type, 0);
    if (op == NULL)
        return NULL;
    PYB_MODULE(op)->dict = PyDict_New();
    if (PYB_MODULE(op)->dict == NULL)
        Py_CLEAR(op);
    return op;
}

/* Sets the module's name and the attributes of every module. */
static int
begin(struct pyb_module *self, PyObject *name, PyObject *doc)
{
    PyObject *dict = self->dict;

    PYB_ASSERT(PyDict_Check(dict));
    if (PyDict_SetItemString(dict, "__name__", name) < 0 ||
        PyDict_SetItemString(dict, "__doc__", doc) < 0 ||
        PyDict_SetItemString(dict, "__package__", Py_None) < 0 ||
        PyDict_SetItemString(dict, "__loader__", Py_None) < 0 ||
        PyDict_SetItemString(dict, "__spec__", Py_None) < 0)
        return -1;
    Py_XSETREF(self->name,
               PyUnicode_CheckExact(name) ? Py_NewRef(name) : NULL);
    PYB_EXPENSIVE(pyb_module_check((PyObject *)self));
    return 0;
}

static int
module_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "doc", NULL};
    struct pyb_module *self = PYB_MODULE(op);
    PyObject *name, *doc = Py_None;

    if (!pyb_getargs_named(args, kwargs, "U|O:module", names, &name, &doc))
        return -1;
    if (self->dict == NULL) {
        self->dict = PyDict_New();
        if (self->dict == NULL)
            return -1;
    }
    return begin(self, name, doc);
}

PyObject *
PyModule_NewObject(PyObject *name)
{
    PyObject *op = module_new(&PyModule_Type, NULL, NULL);

    if (op != NULL && begin(PYB_MODULE(op), name, Py_None) < 0)
        Py_CLEAR(op);
    return op;
}

PyObject *
PyModule_New(const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL)
        return NULL;
    PyObject *op = PyModule_NewObject(text);
    Py_DECREF(text);
    return op;
}

void
pyb_module_wipe(PyObject *module)
{
    PyObject *dict = PYB_MODULE(module)->dict;
    if (dict == NULL)
        return;

    for (int underscored = 1; underscored >= 0; underscored--) {
        PyObject *key, *value;
        Py_ssize_t pos = 0;

        /* Setting existing keys does not disturb the iteration. */
        while (PyDict_Next(dict, &pos, &key, &value)) {
            if (value == Py_None || !PyUnicode_Check(key) ||
                PyUnicode_EqualToUTF8(key, "__builtins__"))
                continue;
            const char *name = PyUnicode_AsUTF8(key);
            int private = name != NULL && name[0] == '_' && name[1] != '_';
            if ((!underscored || private) &&
                PyDict_SetItem(dict, key, Py_None) < 0)
                PyErr_FormatUnraisable("Exception ignored while clearing a "
                                       "module dict");
        }
    }
    PyErr_Clear();
}

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

/* Calls the module's own __getattr__, or raises AttributeError. */
static PyObject *
missing_attribute(struct pyb_module *self, PyObject *name)
{
    PyObject *getattr = NULL, *own_name = NULL, *result = NULL;

    if (self->dict != NULL &&
        PyDict_GetItemStringRef(self->dict, "__getattr__", &getattr) < 0)
        return NULL;
    if (getattr != NULL) {
        result = PyObject_CallOneArg(getattr, name);
        Py_DECREF(getattr);
        return result;
    }

    if (self->dict != NULL &&
        PyDict_GetItemStringRef(self->dict, "__name__", &own_name) < 0)
        return NULL;
    if (own_name != NULL && PyUnicode_Check(own_name))
        PyErr_Format(PyExc_AttributeError, "module '%U' has no attribute '%U'",
                     own_name, name);
    else
        PyErr_Format(PyExc_AttributeError, "module has no attribute '%U'",
                     name);
    Py_XDECREF(own_name);
    return NULL;
}

static PyObject *
module_getattro(PyObject *op, PyObject *name)
{
    PyObject *value = PyObject_GenericGetAttr(op, name);

    if (value != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    PyErr_Clear();
    return missing_attribute(PYB_MODULE(op), name);
}

static PyObject *
module_repr(PyObject *op)
{
    PyObject *dict = PYB_MODULE(op)->dict, *name = NULL, *file = NULL;
    PyObject *text = NULL;

    if (dict == NULL)
        return PyUnicode_FromString("<module '?'>");
    if (PyDict_GetItemStringRef(dict, "__name__", &name) < 0 ||
        PyDict_GetItemStringRef(dict, "__file__", &file) < 0)
        goto done;
    if (name == NULL)
        name = PyUnicode_FromString("?");
    if (name == NULL)
        goto done;
    text = file != NULL && file != Py_None
               ? PyUnicode_FromFormat("<module %R from %R>", name, file)
               : PyUnicode_FromFormat("<module %R>", name);
done:
    Py_XDECREF(name);
    Py_XDECREF(file);
    return text;
}

static PyObject *
get_dict(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *dict = PYB_MODULE(op)->dict;

    return Py_NewRef(dict == NULL ? Py_None : dict);
}

/* A module that has none gets an empty dictionary for them. */
static PyObject *
get_annotations(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *dict = PYB_MODULE(op)->dict, *value;

    if (dict == NULL)
        return pyb_raise(PyExc_AttributeError, "__annotations__");
    if (PyDict_GetItemStringRef(dict, "__annotations__", &value) != 0)
        return value;
    value = PyDict_New();
    if (value != NULL &&
        PyDict_SetItemString(dict, "__annotations__", value) < 0)
        Py_CLEAR(value);
    return value;
}

static int
set_annotations(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    PyObject *dict = PYB_MODULE(op)->dict;

    if (dict == NULL)
        return pyb_fail(PyExc_AttributeError, "__annotations__");
    if (value != NULL)
        return PyDict_SetItemString(dict, "__annotations__", value);
    if (PyDict_DelItemString(dict, "__annotations__") == 0)
        return 0;
    if (PyErr_ExceptionMatches(PyExc_KeyError))
        PyErr_SetString(PyExc_AttributeError, "__annotations__");
    return -1;
}

static PyGetSetDef getset[] = {
    {"__annotations__", get_annotations, set_annotations, NULL, NULL},
    {"__dict__", get_dict, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"__dir__", pyb_dir_module, METH_NOARGS,
     PyDoc_STR("__dir__() -> list\n\nThe names in the module.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyModule_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "module",
    .tp_basicsize = sizeof(struct pyb_module),
    .tp_dealloc = module_dealloc,
    .tp_repr = module_repr,
    .tp_getattro = module_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                _PyB_TPFLAGS_CLEAR_FIRST,
    .tp_doc = PyDoc_STR("Create a module object."),
    .tp_traverse = module_traverse,
    .tp_clear = module_clear,
    .tp_weaklistoffset = offsetof(struct pyb_module, weaklist),
    .tp_methods = methods,
    .tp_getset = getset,
    .tp_dictoffset = offsetof(struct pyb_module, dict),
    .tp_init = module_init,
    .tp_new = module_new,
};

/* ------------------------------------------------------------------ */
/* Queries                                                             */

/* Is it a module?  TypeError if not. */
static int
require_module(PyObject *op)
{
    if (PyModule_Check(op))
        return 1;
    PyErr_BadArgument();
    return 0;
}

PyObject *
PyModule_GetDict(PyObject *module)
{
    if (!PyModule_Check(module))
        return PYB_BAD_CALL(NULL);
    return PYB_MODULE(module)->dict;
}

/* The str of that name in the module's dictionary; a new reference. */
static PyObject *
get_text(PyObject *module, const char *name, const char *complaint)
{
    PyObject *value = NULL;

    if (!require_module(module))
        return NULL;
    PyObject *dict = PYB_MODULE(module)->dict;
    if (dict != NULL && PyDict_GetItemStringRef(dict, name, &value) < 0)
        return NULL;
    if (value == NULL || !PyUnicode_Check(value)) {
        Py_XDECREF(value);
        return pyb_raise(PyExc_SystemError, complaint);
    }
    return value;
}

PyObject *
PyModule_GetNameObject(PyObject *module)
{
    return get_text(module, "__name__", "nameless module");
}

PyObject *
PyModule_GetFilenameObject(PyObject *module)
{
    return get_text(module, "__file__", "module filename missing");
}

/* The UTF-8 text of a str, which the module's dictionary also owns; drops this
   reference. */
static const char *
borrowed_text(PyObject *text)
{
    if (text == NULL)
        return NULL;
    const char *bytes = PyUnicode_AsUTF8(text);
    Py_DECREF(text);
    return bytes;
}

const char *
PyModule_GetName(PyObject *module)
{
    return borrowed_text(PyModule_GetNameObject(module));
}

const char *
PyModule_GetFilename(PyObject *module)
{
    return borrowed_text(PyModule_GetFilenameObject(module));
}

PyModuleDef *
PyModule_GetDef(PyObject *module)
{
    if (!require_module(module) || !PYB_MODULE(module)->has_def)
        return NULL;
    return PYB_MODULE(module)->token;
}

void *
PyModule_GetState_DuringGC(PyObject *module)
{
    return PyModule_Check(module) ? PYB_MODULE(module)->state : NULL;
}

void *
PyModule_GetState(PyObject *module)
{
    return require_module(module) ? PYB_MODULE(module)->state : NULL;
}

int
PyModule_GetStateSize(PyObject *module, Py_ssize_t *result)
{
    int is_module = require_module(module);

    *result = is_module ? PYB_MODULE(module)->state_size : -1;
    return is_module ? 0 : -1;
}

int
PyModule_GetToken_DuringGC(PyObject *module, void **result)
{
    int is_module = PyModule_Check(module);

    *result = is_module ? PYB_MODULE(module)->token : NULL;
    return is_module ? 0 : -1;
}

int
PyModule_GetToken(PyObject *module, void **result)
{
    int status = PyModule_GetToken_DuringGC(module, result);

    if (status < 0)
        PyErr_BadArgument();
    return status;
}
