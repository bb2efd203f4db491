/* zip.c: the iterator that steps through several others together. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "types/iter/iterators.h"
#include "types/iter/row.h"

/* Both tuples are owned and visited.  There is no tp_clear, as in CPython: a
   cycle through an iterator also contains an object that has one. */
struct zip {
    PyObject_HEAD
    PyObject *iterators;
    PyObject *row; /* see row.h */
    int strict;    /* must all end together? */
};

#define IS_ZIP(op) PyObject_TypeCheck(op, &PyZip_Type)
#define ZIP(op) PYB_CAST(struct zip, IS_ZIP, op)

/* The keyword strict.  0, or -1 with an exception. */
static int
parse_strict(PyObject *kwargs, int *strict)
{
    static char *names[] = {"strict", NULL};

    *strict = 0;
    if (kwargs == NULL)
        return 0;
    PyObject *none = PyTuple_New(0);
    int ok =
        PyArg_ParseTupleAndKeywords(none, kwargs, "|$p:zip", names, strict);
    Py_DECREF(none);
    return ok ? 0 : -1;
}

static PyObject *
zip_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *iterators, *row, *op = NULL;
    int strict;

    if (parse_strict(kwargs, &strict) < 0 ||
        (iterators = pyb_iterators_of(args, 0)) == NULL)
        return NULL;
    row = pyb_row_new(PyTuple_GET_SIZE(iterators));
    if (row != NULL)
        op = type->tp_alloc(type, 0);
    if (op == NULL) {
        Py_XDECREF(row);
        Py_DECREF(iterators);
        return NULL;
    }
    ZIP(op)->iterators = iterators;
    ZIP(op)->row = row;
    ZIP(op)->strict = strict;
    return op;
}

static void
zip_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(ZIP(op)->iterators);
    Py_XDECREF(ZIP(op)->row);
    Py_TYPE(op)->tp_free(op);
}

static int
zip_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(ZIP(op)->iterators);
    Py_VISIT(ZIP(op)->row);
    return 0;
}

/* Raises ValueError: iterator number i ended sooner or later than those before
   it. */
static void
complain(Py_ssize_t i, const char *how)
{
    PYB_ASSERT(i > 0);
    PyErr_Format(PyExc_ValueError,
                 "zip() argument %zd is %s than argument%s%zd", i + 1, how,
                 i == 1 ? " " : "s 1-", i);
}

/* Iterator number i of a strict zip has ended: have all the others?  Raises
   ValueError if not. */
static void
check_ends(struct zip *self, Py_ssize_t i)
{
    PYB_ASSERT(self->strict && i >= 0);
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_StopIteration))
            return;
        PyErr_Clear();
    }
    if (i > 0) {
        complain(i, "shorter");
        return;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(self->iterators);
    for (i = 1; i < n && !PyErr_Occurred(); i++) {
        PyObject *item = pyb_iterators_next(self->iterators, i);
        if (item == NULL)
            continue;
        Py_DECREF(item);
        complain(i, "longer");
    }
}

static PyObject *
zip_next(PyObject *op)
{
    struct zip *self = ZIP(op);
    Py_ssize_t n = PyTuple_GET_SIZE(self->iterators);
    PyObject *taken;

    PYB_ASSERT_OBJECT(PyTuple_GET_SIZE(self->row) == n, op);
    if (n == 0 || (taken = pyb_row_take(self->row)) == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = pyb_iterators_next(self->iterators, i);
        if (item == NULL) {
            if (self->strict)
                check_ends(self, i);
            Py_DECREF(pyb_row_give(taken));
            return NULL;
        }
        pyb_row_set(taken, i, item);
    }
    return pyb_row_give(taken);
}

static PyObject *
zip_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_reduce_type(op, Py_NewRef(ZIP(op)->iterators),
                           ZIP(op)->strict ? Py_NewRef(Py_True) : NULL);
}

static PyObject *
zip_setstate(PyObject *op, PyObject *state)
{
    int strict = PyObject_IsTrue(state);

    if (strict < 0)
        return NULL;
    ZIP(op)->strict = strict;
    Py_RETURN_NONE;
}

static PyMethodDef zip_methods[] = {
    {"__reduce__", zip_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {"__setstate__", zip_setstate, METH_O,
     PyDoc_STR("Set state information for unpickling.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyZip_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "zip",
    .tp_basicsize = sizeof(struct zip),
    .tp_dealloc = zip_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("zip(*iterables, strict=False)\n"
                        "\n"
                        "Tuples of one item of each, until the first ends; if "
                        "strict, all must end then."),
    .tp_traverse = zip_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = zip_next,
    .tp_methods = zip_methods,
    .tp_new = zip_new,
};
