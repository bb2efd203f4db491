/* map.c: the iterators that call a function for every item: map and filter. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "types/iter/iterators.h"

/* For both types: source is map's tuple of iterators, or filter's iterator.
   Both pointers are owned and visited.  There is no tp_clear, as in CPython: a
   cycle through an iterator also contains an object that has one. */
struct asking {
    PyObject_HEAD
    PyObject *source;
    PyObject *function;
};

#define IS_ASKING(op)                                                         \
    (PyObject_TypeCheck(op, &PyMap_Type) ||                                   \
     PyObject_TypeCheck(op, &PyFilter_Type))
#define ASKING(op) PYB_CAST(struct asking, IS_ASKING, op)

/* An instance, which steals source; NULL is passed on. */
static PyObject *
new_asking(PyTypeObject *type, PyObject *function, PyObject *source)
{
    if (source == NULL)
        return NULL;
    PyObject *op = type->tp_alloc(type, 0);
    if (op == NULL) {
        Py_DECREF(source);
        return NULL;
    }
    ASKING(op)->source = source;
    ASKING(op)->function = Py_NewRef(function);
    return op;
}

static void
asking_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(ASKING(op)->source);
    Py_XDECREF(ASKING(op)->function);
    Py_TYPE(op)->tp_free(op);
}

static int
asking_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(ASKING(op)->source);
    Py_VISIT(ASKING(op)->function);
    return 0;
}

/* ------------------------------------------------------------------ */
/* map                                                                 */

static PyObject *
map_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (type == &PyMap_Type && !pyb_getargs_no_keywords("map", kwargs))
        return NULL;
    if (PyTuple_GET_SIZE(args) < 2)
        return pyb_raise(PyExc_TypeError,
                         "map() must have at least two arguments.");
    return new_asking(type, PyTuple_GET_ITEM(args, 0),
                      pyb_iterators_of(args, 1));
}

static PyObject *
map_next(PyObject *op)
{
    PyObject *iterators = ASKING(op)->source, *few[6], **items = few;
    Py_ssize_t n = PyTuple_GET_SIZE(iterators), got = 0;
    PyObject *result = NULL;

    PYB_ASSERT_OBJECT(PyTuple_CheckExact(iterators) && n > 0, op);
    if (n > (Py_ssize_t)Py_ARRAY_LENGTH(few) &&
        (items = PyMem_New(PyObject *, n)) == NULL)
        return PyErr_NoMemory();
    while (got < n &&
           (items[got] = pyb_iterators_next(iterators, got)) != NULL)
        got++;
    if (got == n)
        result =
            PyObject_Vectorcall(ASKING(op)->function, items, (size_t)n, NULL);
    while (got > 0)
        Py_DECREF(items[--got]);
    if (items != few)
        PyMem_Free(items);
    return result;
}

static PyObject *
map_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyObject *first = PyTuple_Pack(1, ASKING(op)->function);

    if (first != NULL)
        Py_SETREF(first, PySequence_Concat(first, ASKING(op)->source));
    return pyb_reduce_type(op, first, NULL);
}

static PyMethodDef map_methods[] = {
    {"__reduce__", map_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyMap_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "map",
    .tp_basicsize = sizeof(struct asking),
    .tp_dealloc = asking_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("map(function, *iterables)\n"
                        "\n"
                        "What the function returns for one item of each, "
                        "until the first ends."),
    .tp_traverse = asking_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = map_next,
    .tp_methods = map_methods,
    .tp_new = map_new,
};

/* ------------------------------------------------------------------ */
/* filter                                                              */

static PyObject *
filter_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *function, *iterable;

    if ((type == &PyFilter_Type &&
         !pyb_getargs_no_keywords("filter", kwargs)) ||
        !PyArg_UnpackTuple(args, "filter", 2, 2, &function, &iterable))
        return NULL;
    return new_asking(type, function, PyObject_GetIter(iterable));
}

/* Is the function's result true, or without a function the item itself?  1, 0,
   or -1 with an exception. */
static int
is_wanted(PyObject *function, PyObject *item)
{
    if (function == Py_None || function == (PyObject *)&PyBool_Type)
        return PyObject_IsTrue(item);
    return pyb_truth_stolen(PyObject_CallOneArg(function, item));
}

static PyObject *
filter_next(PyObject *op)
{
    PyObject *it = ASKING(op)->source, *item;

    PYB_ASSERT_OBJECT(it != NULL, op);
    while ((item = pyb_iterator_step(it)) != NULL) {
        int wanted = is_wanted(ASKING(op)->function, item);
        if (wanted > 0)
            return item;
        Py_DECREF(item);
        if (wanted < 0)
            return NULL;
    }
    return NULL;
}

static PyObject *
filter_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_reduce_type(
        op, PyTuple_Pack(2, ASKING(op)->function, ASKING(op)->source), NULL);
}

static PyMethodDef filter_methods[] = {
    {"__reduce__", filter_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyFilter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "filter",
    .tp_basicsize = sizeof(struct asking),
    .tp_dealloc = asking_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("filter(function, iterable)\n"
                        "\n"
                        "The items for which the function is true; None: "
                        "those that are true themselves."),
    .tp_traverse = asking_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = filter_next,
    .tp_methods = filter_methods,
    .tp_new = filter_new,
};
