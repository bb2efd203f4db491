/* namespace.c: types.SimpleNamespace. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "object/type/typenames.h"

/* dict is an exact dictionary; owned, visited, cleared. */
struct namespace
{
    PyObject_HEAD
    PyObject *dict;
};

#define IS_NAMESPACE(op) PyObject_TypeCheck(op, &_PyNamespace_Type)
#define DICT(op) (PYB_CAST(struct namespace, IS_NAMESPACE, op)->dict)

static PyObject *
namespace_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
              PyObject *Py_UNUSED(kwds))
{
    PyObject *dict = PyDict_New();

    if (dict == NULL)
        return NULL;
    PyObject *op = type->tp_alloc(type, 0);
    if (op == NULL)
        Py_DECREF(dict);
    else
        DICT(op) = dict;
    return op;
}

PyObject *
_PyNamespace_New(PyObject *kwds)
{
    PyObject *op = namespace_new(&_PyNamespace_Type, NULL, NULL);

    if (op != NULL && kwds != NULL && PyDict_Update(DICT(op), kwds) < 0)
        Py_CLEAR(op);
    return op;
}

/* Adds attributes; their names must be str. */
static int
add_attributes(PyObject *op, PyObject *dict)
{
    return PyArg_ValidateKeywordArguments(dict) ? PyDict_Update(DICT(op), dict)
                                                : -1;
}

/* The one positional argument, allowed since 3.13, is like that of dict(). */
static int
namespace_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *source = NULL;

    if (!PyArg_UnpackTuple(args, pyb_typenames_last(Py_TYPE(op)->tp_name), 0,
                           1, &source))
        return -1;
    if (source != NULL) {
        PyObject *dict = PyObject_CallOneArg((PyObject *)&PyDict_Type, source);
        int result = dict == NULL ? -1 : add_attributes(op, dict);
        Py_XDECREF(dict);
        if (result < 0)
            return -1;
    }
    return kwds == NULL ? 0 : add_attributes(op, kwds);
}

static void
namespace_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(DICT(op));
    Py_TYPE(op)->tp_free(op);
}

static int
namespace_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(DICT(op));
    return 0;
}

static int
namespace_clear(PyObject *op)
{
    Py_CLEAR(DICT(op));
    return 0;
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

/* Appends "name=value"; keys that cannot be names of attributes are left
   out. */
static int
append_attribute(PyObject *parts, PyObject *name, PyObject *value)
{
    if (!PyUnicode_Check(name) || PyUnicode_GetLength(name) == 0)
        return 0;
    return pyb_append_stolen(parts,
                             PyUnicode_FromFormat("%S=%R", name, value));
}

/* The list of all attributes; new.  The reprs may change the dictionary, so a
   copy is walked. */
static PyObject *
list_attributes(PyObject *dict)
{
    PyObject *parts = PyList_New(0), *items = PyDict_Items(dict);

    for (Py_ssize_t i = 0;
         parts != NULL && items != NULL && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i);
        if (append_attribute(parts, PyTuple_GET_ITEM(item, 0),
                             PyTuple_GET_ITEM(item, 1)) < 0)
            Py_CLEAR(parts);
    }
    if (items == NULL)
        Py_CLEAR(parts);
    Py_XDECREF(items);
    return parts;
}

static PyObject *
namespace_repr(PyObject *op)
{
    const char *name = Py_IS_TYPE(op, &_PyNamespace_Type)
                           ? "namespace"
                           : Py_TYPE(op)->tp_name;
    int entered = Py_ReprEnter(op);

    if (entered != 0)
        return entered > 0 ? PyUnicode_FromFormat("%s(...)", name) : NULL;
    PyObject *result =
        pyb_sequence_join(name, "(", list_attributes(DICT(op)), ")");
    Py_ReprLeave(op);
    return result;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static PyObject *
namespace_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyObject_TypeCheck(a, &_PyNamespace_Type) ||
        !PyObject_TypeCheck(b, &_PyNamespace_Type))
        Py_RETURN_NOTIMPLEMENTED;
    return PyObject_RichCompare(DICT(a), DICT(b), op);
}

static PyObject *
namespace_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return Py_BuildValue("(O()O)", Py_TYPE(op), DICT(op));
}

static PyMethodDef namespace_methods[] = {
    {"__reduce__", namespace_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef namespace_members[] = {
    {"__dict__", _Py_T_OBJECT, offsetof(struct namespace, dict), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject _PyNamespace_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "types.SimpleNamespace",
    .tp_basicsize = sizeof(struct namespace),
    .tp_dealloc = namespace_dealloc,
    .tp_repr = namespace_repr,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("An object whose attributes are the keywords that it "
                        "was made with."),
    .tp_traverse = namespace_traverse,
    .tp_clear = namespace_clear,
    .tp_richcompare = namespace_richcompare,
    .tp_methods = namespace_methods,
    .tp_members = namespace_members,
    .tp_dictoffset = offsetof(struct namespace, dict),
    .tp_init = namespace_init,
    .tp_new = namespace_new,
};
