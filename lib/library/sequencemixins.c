/* sequencemixins.c: methods of collections.abc for iterators and sequences.

   Manual: Python's library, "collections.abc". */

#include "Python.h"

#include "library/mixins.h"
#include "object/error/errors.h"

int
pyb_mixins_call(PyObject *self, const char *name, const char *format, ...)
{
    PyObject *method = PyObject_GetAttrString(self, name), *result = NULL;
    PyObject *args = NULL;
    va_list values;

    va_start(values, format);
    if (method != NULL)
        args = Py_VaBuildValue(format, values);
    va_end(values);
    if (args != NULL)
        result = PyObject_Call(method, args, NULL);
    int truth = result != NULL ? PyObject_IsTrue(result) : -1;
    Py_XDECREF(result);
    Py_XDECREF(args);
    Py_XDECREF(method);
    return truth;
}

PyObject *
pyb_mixins_drain(PyObject *self, const char *name, PyObject *end)
{
    while (pyb_mixins_call(self, name, "()") >= 0)
        ;
    if (!PyErr_ExceptionMatches(end))
        return NULL;
    PyErr_Clear();
    Py_RETURN_NONE;
}

int
pyb_mixins_is(PyObject *op, const char *name)
{
    PyObject *cls = PyImport_ImportModuleAttrString("collections.abc", name);

    if (cls == NULL)
        return -1;
    int result = PyObject_IsInstance(op, cls);
    Py_DECREF(cls);
    return result;
}

/* ------------------------------------------------------------------ */
/* Iterators                                                           */

static PyObject *
return_self(PyObject *self, PyObject *Py_UNUSED(none))
{
    return Py_NewRef(self);
}

PyMethodDef pyb_mixins_iterator[] = {
    {"__iter__", return_self, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyMethodDef pyb_mixins_asynciterator[] = {
    {"__aiter__", return_self, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyObject *
generator_next(PyObject *self, PyObject *Py_UNUSED(none))
{
    return PyObject_CallMethod(self, "send", "O", Py_None);
}

/* Throws GeneratorExit into a generator or coroutine, which has to end then;
   ignored is the message if it does not. */
static PyObject *
throw_exit(PyObject *self, const char *ignored)
{
    if (pyb_mixins_call(self, "throw", "(O)", PyExc_GeneratorExit) >= 0)
        return pyb_raise(PyExc_RuntimeError, ignored);
    if (!PyErr_ExceptionMatches(PyExc_GeneratorExit) &&
        !PyErr_ExceptionMatches(PyExc_StopIteration))
        return NULL;
    PyErr_Clear();
    Py_RETURN_NONE;
}

static PyObject *
generator_close(PyObject *self, PyObject *Py_UNUSED(none))
{
    return throw_exit(self, "generator ignored GeneratorExit");
}

PyMethodDef pyb_mixins_generator[] = {
    {"__next__", generator_next, METH_NOARGS, NULL},
    {"close", generator_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyObject *
coroutine_close(PyObject *self, PyObject *Py_UNUSED(none))
{
    return throw_exit(self, "coroutine ignored GeneratorExit");
}

PyMethodDef pyb_mixins_coroutine[] = {
    {"close", coroutine_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* Sequence                                                            */

/* Over the items by their numbers. */
static PyObject *
sequence_iter(PyObject *self, PyObject *Py_UNUSED(none))
{
    return PySeqIter_New(self);
}

static PyObject *
sequence_contains(PyObject *self, PyObject *value)
{
    PyObject *it = PyObject_GetIter(self);
    int found = 0;

    PYB_MIXINS_EACH(item, it)
    {
        found = pyb_mixins_same(item, value);
        Py_DECREF(item);
        if (found != 0)
            break;
    }
    Py_XDECREF(it);
    return PyErr_Occurred() != NULL ? NULL : PyBool_FromLong(found);
}

/* map(self.__getitem__, reversed(range(len(self)))) */
static PyObject *
sequence_reversed(PyObject *self, PyObject *Py_UNUSED(none))
{
    Py_ssize_t size = PyObject_Size(self);
    PyObject *method = NULL, *numbers = NULL, *down = NULL, *result = NULL;

    if (size >= 0)
        method = PyObject_GetAttrString(self, "__getitem__");
    if (method != NULL)
        numbers = PyObject_CallFunction((PyObject *)&PyRange_Type, "n", size);
    if (numbers != NULL)
        down = PyObject_CallMethod(numbers, "__reversed__", NULL);
    if (down != NULL)
        result = PyObject_CallFunctionObjArgs((PyObject *)&PyMap_Type, method,
                                              down, NULL);
    Py_XDECREF(method);
    Py_XDECREF(numbers);
    Py_XDECREF(down);
    return result;
}

/* A bound that counts from the end is made one that counts from the start, or
   0.  It may be None. */
static int
get_bound(PyObject *self, PyObject *bound, Py_ssize_t *value)
{
    if (bound == Py_None)
        return 0;
    *value = PyNumber_AsSsize_t(bound, NULL);
    if (*value == -1 && PyErr_Occurred() != NULL)
        return -1;
    if (*value >= 0)
        return 0;
    Py_ssize_t size = PyObject_Size(self);
    if (size < 0)
        return -1;
    *value = Py_MAX(*value + size, 0);
    return 0;
}

/* The number of the first item from start to stop that is value; -1 if there
   is none, -2 with an exception. */
static Py_ssize_t
search(PyObject *self, PyObject *value, Py_ssize_t start, Py_ssize_t stop)
{
    for (Py_ssize_t i = start; i < stop; i++) {
        PyObject *item = PySequence_GetItem(self, i);
        if (item == NULL) {
            if (!PyErr_ExceptionMatches(PyExc_IndexError))
                return -2;
            PyErr_Clear();
            return -1;
        }
        int same = pyb_mixins_same(item, value);
        Py_DECREF(item);
        if (same != 0)
            return same < 0 ? -2 : i;
    }
    return -1;
}

static PyObject *
sequence_index(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"value", "start", "stop", NULL};
    PyObject *value, *first = Py_None, *last = Py_None;
    Py_ssize_t start = 0, stop = PY_SSIZE_T_MAX, i;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|OO:index", names, &value,
                                     &first, &last) ||
        get_bound(self, first, &start) < 0 || get_bound(self, last, &stop) < 0)
        return NULL;
    i = search(self, value, start, stop);
    if (i == -1)
        PyErr_SetNone(PyExc_ValueError);
    return i < 0 ? NULL : PyLong_FromSsize_t(i);
}

static PyObject *
sequence_count(PyObject *self, PyObject *value)
{
    PyObject *it = PyObject_GetIter(self);
    Py_ssize_t count = 0;

    PYB_MIXINS_EACH(item, it)
    {
        int same = pyb_mixins_same(item, value);
        Py_DECREF(item);
        if (same < 0)
            break;
        count += same;
    }
    Py_XDECREF(it);
    return PyErr_Occurred() != NULL ? NULL : PyLong_FromSsize_t(count);
}

PyMethodDef pyb_mixins_sequence[] = {
    {"__iter__", sequence_iter, METH_NOARGS, NULL},
    {"__contains__", sequence_contains, METH_O, NULL},
    {"__reversed__", sequence_reversed, METH_NOARGS, NULL},
    {"index", _PyCFunction_CAST(sequence_index), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("S.index(value, [start, [stop]]) -> the number of the first "
               "such item; ValueError\nif there is none.")},
    {"count", sequence_count, METH_O,
     PyDoc_STR("S.count(value) -> how many items are equal to value.")},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* MutableSequence                                                     */

static PyObject *
sequence_append(PyObject *self, PyObject *value)
{
    Py_ssize_t size = PyObject_Size(self);

    return pyb_result_none(
        size < 0 ? -1 : pyb_mixins_call(self, "insert", "(nO)", size, value));
}

static PyObject *
sequence_clear(PyObject *self, PyObject *Py_UNUSED(none))
{
    return pyb_mixins_drain(self, "pop", PyExc_IndexError);
}

/* Exchanges two items. */
static int
exchange(PyObject *self, Py_ssize_t i, Py_ssize_t j)
{
    PyObject *a = PySequence_GetItem(self, i);
    PyObject *b = a != NULL ? PySequence_GetItem(self, j) : NULL;
    int result = -1;

    if (b != NULL && PySequence_SetItem(self, i, b) == 0)
        result = PySequence_SetItem(self, j, a);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

static PyObject *
sequence_reverse(PyObject *self, PyObject *Py_UNUSED(none))
{
    Py_ssize_t size = PyObject_Size(self);

    if (size < 0)
        return NULL;
    for (Py_ssize_t i = 0; i < size / 2; i++)
        if (exchange(self, i, size - i - 1) < 0)
            return NULL;
    Py_RETURN_NONE;
}

/* What is added to itself is taken as it is now. */
static int
extend(PyObject *self, PyObject *values)
{
    PyObject *items =
        values == self ? PySequence_List(values) : Py_NewRef(values);
    PyObject *it = items != NULL ? PyObject_GetIter(items) : NULL;

    PYB_MIXINS_EACH(item, it)
    {
        int done = pyb_mixins_call(self, "append", "(O)", item);
        Py_DECREF(item);
        if (done < 0)
            break;
    }
    Py_XDECREF(it);
    Py_XDECREF(items);
    return PyErr_Occurred() != NULL ? -1 : 0;
}

static PyObject *
sequence_extend(PyObject *self, PyObject *values)
{
    return pyb_result_none(extend(self, values));
}

static PyObject *
sequence_iadd(PyObject *self, PyObject *values)
{
    return pyb_mixins_call(self, "extend", "(O)", values) < 0
               ? NULL
               : Py_NewRef(self);
}

static PyObject *
sequence_pop(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"index", NULL};
    PyObject *given = NULL, *index, *value;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O:pop", names, &given))
        return NULL;
    index = given != NULL ? Py_NewRef(given) : PyLong_FromLong(-1);
    if (index == NULL)
        return NULL;
    value = PyObject_GetItem(self, index);
    if (value != NULL && PyObject_DelItem(self, index) < 0)
        Py_CLEAR(value);
    Py_DECREF(index);
    return value;
}

static PyObject *
sequence_remove(PyObject *self, PyObject *value)
{
    PyObject *index = PyObject_CallMethod(self, "index", "(O)", value);

    if (index == NULL)
        return NULL;
    int result = PyObject_DelItem(self, index);
    Py_DECREF(index);
    return pyb_result_none(result);
}

PyMethodDef pyb_mixins_mutablesequence[] = {
    {"append", sequence_append, METH_O,
     PyDoc_STR("S.append(value) -- insert it at the end.")},
    {"clear", sequence_clear, METH_NOARGS,
     PyDoc_STR("S.clear() -- remove all items.")},
    {"reverse", sequence_reverse, METH_NOARGS,
     PyDoc_STR("S.reverse() -- turn the order round.")},
    {"extend", sequence_extend, METH_O,
     PyDoc_STR("S.extend(iterable) -- append its items.")},
    {"pop", _PyCFunction_CAST(sequence_pop), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("S.pop([index]) -> the item there, by default the last one, "
               "which is removed.")},
    {"remove", sequence_remove, METH_O,
     PyDoc_STR("S.remove(value) -- remove the first such item; ValueError if "
               "there is none.")},
    {"__iadd__", sequence_iadd, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
