/* enumerate.c: the iterator that counts what another one gives. */

#include "Python.h"

#include "types/row.h"

/* Every pointer is owned and visited.  There is no tp_clear, as in CPython:
   whoever closes a cycle through an iterator has one. */
struct enumerate {
    PyObject_HEAD
    Py_ssize_t number; /* of the next item, unless it is large */
    PyObject *iterator;
    PyObject *pair;  /* see row.h */
    PyObject *large; /* the number when it does not fit; else NULL */
};

#define ENUMERATE(op) ((struct enumerate *)(op))

/* The first number; NULL is 0.  It fits into *number, or is *large. */
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
        *large = start;
    } else {
        Py_DECREF(start);
    }
    return 0;
}

static PyObject *
enumerate_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"iterable", "start", NULL};
    PyObject *iterable, *start = NULL, *large, *op = NULL;
    Py_ssize_t number;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:enumerate", names,
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

/* The next number, a new reference, and one on. */
static PyObject *
count(struct enumerate *self)
{
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
    PyObject *item = Py_TYPE(self->iterator)->tp_iternext(self->iterator);

    if (item == NULL)
        return NULL;
    PyObject *number = count(self);
    if (number == NULL) {
        Py_DECREF(item);
        return NULL;
    }
    return pyb_row_pair(self->pair, number, item);
}

PyTypeObject PyEnum_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "enumerate",
    .tp_basicsize = sizeof(struct enumerate),
    .tp_dealloc = enumerate_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("enumerate(iterable, start=0)\n"
                        "\n"
                        "Pairs of a number, from start on, and an item."),
    .tp_traverse = enumerate_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = enumerate_next,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = enumerate_new,
    .tp_free = PyObject_GC_Del,
};
