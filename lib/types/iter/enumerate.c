/* enumerate.c: the iterator that counts the items of another one. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "types/iter/iterators.h"
#include "types/iter/row.h"

/* Every pointer is owned and visited.  There is no tp_clear, as in CPython: a
   cycle through an iterator also contains an object that has one. */
struct enumerate {
    PyObject_HEAD
    Py_ssize_t number; /* of the next item, unless it is large */
    PyObject *iterator;
    PyObject *pair;  /* see row.h */
    PyObject *large; /* the number when it does not fit; else NULL */
};

#define IS_ENUMERATE(op) PyObject_TypeCheck(op, &PyEnum_Type)
#define ENUMERATE(op) PYB_CAST(struct enumerate, IS_ENUMERATE, op)

/* Converts the first number; NULL is 0.  It is stored in *number, or in *large
   if it does not fit. */
static int
set_start(PyObject *start, Py_ssize_t *number, PyObject **large)
{
    *number = 0;
    *large = NULL;
    if (start == NULL)
        return 0;
    start = PyNumber_Index(start);
    if (start == NULL)
        return -1;
    *number = PyLong_AsSsize_t(start);
    if (*number == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        *number = PY_SSIZE_T_MAX;
        PYB_ASSERT_OBJECT(PyLong_Check(start), start);
        *large = start;
    } else {
        Py_DECREF(start);
    }
    return 0;
}

/* Mistakes of which CPython's enumerate() tells in words of its own.  0, or -1
   with TypeError. */
static int
check_arguments(PyObject *args, PyObject *kwargs)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args), pos = 0;
    Py_ssize_t named = kwargs != NULL ? PyDict_GET_SIZE(kwargs) : 0;
    PyObject *key, *value;

    if (n == 0 && (named == 0 || named > 2))
        return pyb_fail(PyExc_TypeError, "enumerate() missing required "
                                         "argument 'iterable'");
    while (n + named <= 2 && named > 0 &&
           PyDict_Next(kwargs, &pos, &key, &value))
        if (PyUnicode_Check(key) &&
            !(PyUnicode_EqualToUTF8(key, "start") && n + named == 2) &&
            !(PyUnicode_EqualToUTF8(key, "iterable") && n == 0))
            return pyb_failf(PyExc_TypeError,
                             "'%.400U' is an invalid keyword argument for "
                             "enumerate()",
                             key);
    return 0;
}

static PyObject *
enumerate_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"iterable", "start", NULL};
    PyObject *iterable, *start = NULL, *large, *op = NULL;
    Py_ssize_t number;

    if (check_arguments(args, kwargs) < 0 ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:enumerate", names,
                                     &iterable, &start) ||
        set_start(start, &number, &large) < 0)
        return NULL;
    PyObject *iterator = PyObject_GetIter(iterable);
    PyObject *pair = iterator != NULL ? pyb_row_new(2) : NULL;
    if (pair != NULL)
        op = type->tp_alloc(type, 0);
    if (op == NULL) {
        Py_XDECREF(pair);
        Py_XDECREF(iterator);
        Py_XDECREF(large);
        return NULL;
    }
    ENUMERATE(op)->number = number;
    ENUMERATE(op)->iterator = iterator;
    ENUMERATE(op)->pair = pair;
    ENUMERATE(op)->large = large;
    return op;
}

static void
enumerate_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(ENUMERATE(op)->iterator);
    Py_XDECREF(ENUMERATE(op)->pair);
    Py_XDECREF(ENUMERATE(op)->large);
    Py_TYPE(op)->tp_free(op);
}

static int
enumerate_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(ENUMERATE(op)->iterator);
    Py_VISIT(ENUMERATE(op)->pair);
    Py_VISIT(ENUMERATE(op)->large);
    return 0;
}

/* Returns the number, a new reference, and increments it. */
static PyObject *
count(struct enumerate *self)
{
    PYB_ASSERT(self->large == NULL || self->number == PY_SSIZE_T_MAX);
    if (self->number < PY_SSIZE_T_MAX)
        return PyLong_FromSsize_t(self->number++);
    if (self->large == NULL &&
        (self->large = PyLong_FromSsize_t(self->number)) == NULL)
        return NULL;

    PyObject *one = PyLong_FromLong(1), *number = self->large;
    PyObject *next = one != NULL ? PyNumber_Add(number, one) : NULL;
    Py_XDECREF(one);
    if (next == NULL)
        return NULL;
    self->large = next;
    return number;
}

static PyObject *
enumerate_next(PyObject *op)
{
    struct enumerate *self = ENUMERATE(op);
    PYB_ASSERT_OBJECT(self->iterator != NULL && self->pair != NULL, op);
    PyObject *item = pyb_iterator_step(self->iterator);

    if (item == NULL)
        return NULL;
    PyObject *number = count(self);
    if (number == NULL) {
        Py_DECREF(item);
        return NULL;
    }
    return pyb_row_pair(self->pair, number, item);
}

static PyObject *
enumerate_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct enumerate *self = ENUMERATE(op);

    return pyb_reduce_type(
        op,
        self->large != NULL
            ? Py_BuildValue("(OO)", self->iterator, self->large)
            : Py_BuildValue("(On)", self->iterator, self->number),
        NULL);
}

static PyMethodDef enumerate_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"__reduce__", enumerate_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyEnum_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "enumerate",
    .tp_basicsize = sizeof(struct enumerate),
    .tp_dealloc = enumerate_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("enumerate(iterable, start=0)\n"
                        "\n"
                        "Pairs of a number, from start on, and an item."),
    .tp_traverse = enumerate_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = enumerate_next,
    .tp_methods = enumerate_methods,
    .tp_new = enumerate_new,
};
