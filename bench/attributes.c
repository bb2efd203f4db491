/* attributes.c: what a look at an attribute costs, of an instance of a class
   made by type(), and at an item, where the class is derived from dict.  The
   size of a row is the number of classes between that one and object. */

#include "nodes.h"

enum { OPERATIONS = 100000 };

/* The first instance of its class, which knew no names when it was made. */
static PyObject *first;
static PyObject *instance, *own, *inherited, *method, *mapping;

static PyObject *
require(PyObject *op)
{
    if (op == NULL)
        bench_fail("no memory");
    return op;
}

static PyObject *
do_nothing(PyObject *self, PyObject *Py_UNUSED(none))
{
    return Py_NewRef(self);
}

static PyMethodDef method_def = {"method", do_nothing, METH_NOARGS, NULL};

/* The highest class has an attribute and a method, the instance an attribute
   of its own. */
static void
begin(size_t size)
{
    PyObject *type = (PyObject *)&PyType_Type;
    PyObject *cls = require(PyObject_CallFunction(type, "s(){}", "C"));

    own = require(PyUnicode_InternFromString("own"));
    inherited = require(PyUnicode_InternFromString("inherited"));
    method = require(PyUnicode_InternFromString("method"));
    if (PyObject_SetAttr(cls, inherited, Py_None) < 0 ||
        PyObject_SetAttr(
            cls, method,
            require(PyDescr_NewMethod((PyTypeObject *)cls, &method_def))) < 0)
        bench_fail("no memory");
    for (size_t i = 0; i < size; i++)
        cls = require(PyObject_CallFunction(type, "s(O){}", "C", cls));
    first = require(PyObject_CallNoArgs(cls));
    if (PyObject_SetAttr(first, own, Py_None) < 0)
        bench_fail("no memory");
    instance = require(PyObject_CallNoArgs(cls));
    cls = require(
        PyObject_CallFunction(type, "s(O){}", "D", (PyObject *)&PyDict_Type));
    mapping = require(PyObject_CallNoArgs(cls));
    if (PyObject_SetAttr(instance, own, Py_None) < 0 ||
        PyObject_SetItem(mapping, own, Py_None) < 0)
        bench_fail("no memory");
}

/* Nanoseconds for a call that returns a new reference. */
#define EACH(call)                                                            \
    double start = bench_now();                                               \
    for (int i = 0; i < OPERATIONS; i++)                                      \
        Py_DECREF(require(call));                                             \
    return (bench_now() - start) / OPERATIONS

static double
get(size_t Py_UNUSED(size))
{
    EACH(PyObject_GetAttr(instance, own));
}

static double
get_string(size_t Py_UNUSED(size))
{
    EACH(PyObject_GetAttrString(instance, "own"));
}

static double
get_inherited(size_t Py_UNUSED(size))
{
    EACH(PyObject_GetAttr(instance, inherited));
}

static double
call(size_t Py_UNUSED(size))
{
    EACH(PyObject_CallMethodNoArgs(instance, method));
}

static double
get_item(size_t Py_UNUSED(size))
{
    EACH(PyObject_GetItem(mapping, own));
}

static double
set_of(PyObject *op)
{
    double start = bench_now();

    for (int i = 0; i < OPERATIONS; i++)
        if (PyObject_SetAttr(op, own, Py_None) < 0)
            bench_fail("no memory");
    return (bench_now() - start) / OPERATIONS;
}

static double
get_first(size_t Py_UNUSED(size))
{
    EACH(PyObject_GetAttr(first, own));
}

static double
set(size_t Py_UNUSED(size))
{
    return set_of(instance);
}

static double
set_first(size_t Py_UNUSED(size))
{
    return set_of(first);
}

static const struct bench_row rows[] = {
    {"get", .begin = begin, .round = get},
    {"get-string", .begin = begin, .round = get_string},
    {"get-inherited", .begin = begin, .round = get_inherited},
    {"call-method", .begin = begin, .round = call},
    {"get-item", .begin = begin, .round = get_item},
    {"set", .begin = begin, .round = set},
    {"get-first", .begin = begin, .round = get_first},
    {"set-first", .begin = begin, .round = set_first},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
    nodes_start();
    return bench_main(argc, argv, rows);
}
