/* sequencefuncs.c: the functions of builtins that go over an iterable.

   Manual: Python's library, "Built-in Functions". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"

static PyObject *
builtin_len(PyObject *Py_UNUSED(module), PyObject *op)
{
    Py_ssize_t length = PyObject_Size(op);

    return length < 0 ? NULL : PyLong_FromSsize_t(length);
}

static PyObject *
builtin_iter(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *op, *sentinel = NULL;

    if (!PyArg_UnpackTuple(args, "iter", 1, 2, &op, &sentinel))
        return NULL;
    if (sentinel == NULL)
        return PyObject_GetIter(op);
    if (!PyCallable_Check(op))
        return pyb_raise(PyExc_TypeError, "iter(v, w): v must be callable");
    return PyCallIter_New(op, sentinel);
}

static PyObject *
builtin_aiter(PyObject *Py_UNUSED(module), PyObject *op)
{
    return PyObject_GetAIter(op);
}

static PyObject *
builtin_next(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *it, *otherwise = NULL;

    if (!PyArg_UnpackTuple(args, "next", 1, 2, &it, &otherwise))
        return NULL;
    if (!PyIter_Check(it))
        return pyb_errors_type("'%.200s' object is not an iterator", it);
    PyObject *item = Py_TYPE(it)->tp_iternext(it);
    if (item != NULL)
        return item;
    if (otherwise == NULL) {
        if (PyErr_Occurred() == NULL)
            PyErr_SetNone(PyExc_StopIteration);
        return NULL;
    }
    if (PyErr_Occurred() != NULL) {
        if (!PyErr_ExceptionMatches(PyExc_StopIteration))
            return NULL;
        PyErr_Clear();
    }
    return Py_NewRef(otherwise);
}

/* Is there an item of that truth?  1, 0, or -1 with an exception. */
static int
has_item(PyObject *iterable, int truth)
{
    PyObject *it = PyObject_GetIter(iterable), *item;
    int found = 0;

    if (it == NULL)
        return -1;
    while (found == 0 && (item = PyIter_Next(it)) != NULL) {
        int is_true = PyObject_IsTrue(item);
        Py_DECREF(item);
        found = is_true < 0 ? -1 : is_true == truth;
    }
    Py_DECREF(it);
    return PyErr_Occurred() != NULL ? -1 : found;
}

static PyObject *
builtin_any(PyObject *Py_UNUSED(module), PyObject *iterable)
{
    return pyb_result_bool(has_item(iterable, 1));
}

static PyObject *
builtin_all(PyObject *Py_UNUSED(module), PyObject *iterable)
{
    int found = has_item(iterable, 0);

    return found < 0 ? NULL : PyBool_FromLong(!found);
}

/* ------------------------------------------------------------------ */
/* sum, sorted                                                         */

/* Are there better ways to join such things?  0, or -1 with TypeError. */
static int
check_start(PyObject *start)
{
    if (PyUnicode_Check(start))
        return pyb_fail(PyExc_TypeError,
                        "sum() can't sum strings [use ''.join(seq) instead]");
    if (PyBytes_Check(start))
        return pyb_fail(PyExc_TypeError,
                        "sum() can't sum bytes [use b''.join(seq) instead]");
    if (PyByteArray_Check(start))
        return pyb_fail(
            PyExc_TypeError,
            "sum() can't sum bytearray [use b''.join(seq) instead]");
    return 0;
}

static PyObject *
builtin_sum(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"", "start", NULL};
    PyObject *iterable, *start = NULL, *item;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:sum", names, &iterable,
                                     &start))
        return NULL;
    PyObject *it = PyObject_GetIter(iterable);
    if (it == NULL)
        return NULL;
    PyObject *total = start == NULL             ? PyLong_FromLong(0)
                      : check_start(start) == 0 ? Py_NewRef(start)
                                                : NULL;
    while (total != NULL && (item = PyIter_Next(it)) != NULL) {
        Py_SETREF(total, PyNumber_Add(total, item));
        Py_DECREF(item);
    }
    Py_DECREF(it);
    if (PyErr_Occurred() != NULL)
        Py_CLEAR(total);
    return total;
}

static PyObject *
builtin_sorted(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    PyObject *iterable;

    if (!PyArg_UnpackTuple(args, "sorted", 1, 1, &iterable))
        return NULL;
    PyObject *list = PySequence_List(iterable);
    PyObject *none = PyTuple_New(0);
    PyObject *sort =
        list != NULL ? PyObject_GetAttrString(list, "sort") : NULL;
    PyObject *done = NULL;
    if (sort != NULL && none != NULL)
        done = PyObject_Call(sort, none, kwds);
    if (done == NULL)
        Py_CLEAR(list);
    Py_XDECREF(done);
    Py_XDECREF(sort);
    Py_XDECREF(none);
    return list;
}

/* ------------------------------------------------------------------ */
/* min, max                                                            */

/* A search for the best item: name and op say which is the better one. */
struct search {
    const char *name;
    int op;                    /* Py_LT or Py_GT */
    PyObject *key, *otherwise; /* NULL: none */
    PyObject *item, *value;    /* the best so far and its key; owned */
};

/* Compares an item, which is stolen, with the best one. */
static int
consider(struct search *s, PyObject *item)
{
    PyObject *value =
        s->key != NULL ? PyObject_CallOneArg(s->key, item) : Py_NewRef(item);
    int better = value == NULL ? -1
                 : s->item == NULL
                     ? 1
                     : PyObject_RichCompareBool(value, s->value, s->op);

    if (better <= 0) {
        Py_DECREF(item);
        Py_XDECREF(value);
        return better;
    }
    Py_XSETREF(s->item, item);
    Py_XSETREF(s->value, value);
    return 0;
}

/* The best item of an iterable, or the default; a new reference. */
static PyObject *
best_of(struct search *s, PyObject *iterable)
{
    PyObject *it = PyObject_GetIter(iterable), *item;

    if (it == NULL)
        return NULL;
    while ((item = PyIter_Next(it)) != NULL && consider(s, item) == 0)
        ;
    Py_DECREF(it);
    Py_XDECREF(s->value);
    if (PyErr_Occurred() != NULL) {
        Py_XDECREF(s->item);
        return NULL;
    }
    if (s->item != NULL || s->otherwise != NULL)
        return s->item != NULL ? s->item : Py_NewRef(s->otherwise);
    return PyErr_Format(PyExc_ValueError, "%s() arg is an empty sequence",
                        s->name);
}

/* The keywords; 0, or -1 with TypeError. */
static int
parse_keywords(struct search *s, PyObject *kwds)
{
    static char *names[] = {"key", "default", NULL};
    const char *format = s->op == Py_LT ? "|$OO:min" : "|$OO:max";
    PyObject *none = PyTuple_New(0);

    if (none == NULL)
        return -1;
    int ok = PyArg_ParseTupleAndKeywords(none, kwds, format, names, &s->key,
                                         &s->otherwise);
    Py_DECREF(none);
    if (s->key == Py_None)
        s->key = NULL;
    return ok ? 0 : -1;
}

static PyObject *
find_best(struct search s, PyObject *args, PyObject *kwds)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);

    if (n == 0)
        return PyErr_Format(PyExc_TypeError,
                            "%s expected at least 1 argument, got 0", s.name);
    if (parse_keywords(&s, kwds) < 0)
        return NULL;
    if (n > 1 && s.otherwise != NULL)
        return PyErr_Format(PyExc_TypeError,
                            "Cannot specify a default for %s() with multiple "
                            "positional arguments",
                            s.name);
    return best_of(&s, n > 1 ? args : PyTuple_GET_ITEM(args, 0));
}

static PyObject *
builtin_min(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    return find_best((struct search){.name = "min", .op = Py_LT}, args, kwds);
}

static PyObject *
builtin_max(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    return find_best((struct search){.name = "max", .op = Py_GT}, args, kwds);
}

PyMethodDef pyb_sequencefuncs[] = {
    {"aiter", builtin_aiter, METH_O,
     PyDoc_STR("aiter($module, async_iterable, /)\n--\n\n"
               "An asynchronous iterator over the object.")},
    {"all", builtin_all, METH_O,
     PyDoc_STR("all($module, iterable, /)\n--\n\n"
               "Tell whether all items are true.")},
    {"any", builtin_any, METH_O,
     PyDoc_STR("any($module, iterable, /)\n--\n\n"
               "Tell whether an item is true.")},
    {"iter", builtin_iter, METH_VARARGS,
     PyDoc_STR("iter(iterable) -> iterator\n"
               "iter(callable, sentinel) -> iterator\n\n"
               "An iterator over an object, or over what the callable returns "
               "until that is\nthe sentinel.")},
    {"len", builtin_len, METH_O,
     PyDoc_STR("len($module, obj, /)\n--\n\nThe number of items.")},
    {"max", _PyCFunction_CAST(builtin_max), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("max(iterable, *[, default=obj, key=func]) -> value\n"
               "max(arg1, arg2, *args, *[, key=func]) -> value\n\n"
               "The largest item.")},
    {"min", _PyCFunction_CAST(builtin_min), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("min(iterable, *[, default=obj, key=func]) -> value\n"
               "min(arg1, arg2, *args, *[, key=func]) -> value\n\n"
               "The smallest item.")},
    {"next", builtin_next, METH_VARARGS,
     PyDoc_STR("next(iterator[, default])\n\n"
               "The next item; at the end the default, if there is one.")},
    {"sorted", _PyCFunction_CAST(builtin_sorted), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("sorted($module, iterable, /, *, key=None, reverse=False)\n"
               "--\n\nA new list of the items in ascending order.")},
    {"sum", _PyCFunction_CAST(builtin_sum), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("sum($module, iterable, /, start=0)\n--\n\n"
               "The sum of start and all items.")},
    {NULL, NULL, 0, NULL},
};
