/* sentinelobject.c: the type sentinel.

   Manual: "Sentinel objects". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"

typedef struct {
    PyObject_HEAD
    PyObject *name;
    PyObject *module;
} sentinel;

#define SENTINEL(op) PYB_CAST(sentinel, PySentinel_Check, op)

static PyObject *
new_sentinel(PyObject *name, PyObject *module)
{
    sentinel *self = PyObject_GC_New(sentinel, &PySentinel_Type);

    if (self == NULL)
        return NULL;
    self->name = Py_NewRef(name);
    self->module = Py_NewRef(module);
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

PyObject *
PySentinel_New(const char *name, const char *module_name)
{
    if (name == NULL)
        return PYB_BAD_CALL(NULL);
    PyObject *text = PyUnicode_FromString(name), *op = NULL;
    PyObject *module = module_name == NULL ? Py_NewRef(Py_None)
                                           : PyUnicode_FromString(module_name);
    if (text != NULL && module != NULL)
        op = new_sentinel(text, module);
    Py_XDECREF(text);
    Py_XDECREF(module);
    return op;
}

/* Without an interpreter there is no calling module to be named. */
static PyObject *
sentinel_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    PyObject *name;

    if (!pyb_getargs_no_keywords("sentinel", kwargs) ||
        !PyArg_ParseTuple(args, "U:sentinel", &name))
        return NULL;
    return new_sentinel(name, Py_None);
}

static int
sentinel_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(SENTINEL(op)->name);
    Py_VISIT(SENTINEL(op)->module);
    return 0;
}

static int
sentinel_clear(PyObject *op)
{
    Py_CLEAR(SENTINEL(op)->name);
    Py_CLEAR(SENTINEL(op)->module);
    return 0;
}

static void
sentinel_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    sentinel_clear(op);
    PyObject_GC_Del(op);
}

/* tp_clear may have taken the name away. */
static PyObject *
sentinel_repr(PyObject *op)
{
    PyObject *name = SENTINEL(op)->name;

    return name != NULL ? Py_NewRef(name) : PyUnicode_FromString("sentinel");
}

/* For __copy__ and __deepcopy__. */
static PyObject *
itself(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(op);
}

static PyObject *
sentinel_reduce(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return sentinel_repr(op);
}

static PyMethodDef methods[] = {
    {"__copy__", itself, METH_NOARGS, NULL},
    {"__deepcopy__", itself, METH_O, NULL},
    {"__reduce__", sentinel_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"__name__", Py_T_OBJECT_EX, offsetof(sentinel, name), Py_READONLY, NULL},
    {"__module__", Py_T_OBJECT_EX, offsetof(sentinel, module), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PySentinel_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "sentinel",
    .tp_basicsize = sizeof(sentinel),
    .tp_dealloc = sentinel_dealloc,
    .tp_repr = sentinel_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = PyDoc_STR("sentinel(name, /)\n--\n\n"
                        "An object of its own with a name."),
    .tp_traverse = sentinel_traverse,
    .tp_clear = sentinel_clear,
    .tp_methods = methods,
    .tp_members = members,
    .tp_new = sentinel_new,
};
