/* slotwrap.c: the functions in slots, called as methods: the arguments come as
   a tuple, the result goes as an object. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/slot/slotdefs.h"

/* `wrapped' as the function that it is.  C has no cast between pointers to
   data and to functions; POSIX has them alike. */
#define FUNCTION(TYPE, function)                                              \
    TYPE function;                                                            \
    memcpy(&(function), &wrapped, sizeof(function))

/* Are there n arguments?  1, or 0 with TypeError. */
static int
count_is(PyObject *args, Py_ssize_t n)
{
    Py_ssize_t given = PyTuple_GET_SIZE(args);

    if (given == n)
        return 1;
    PyErr_Format(PyExc_TypeError, "expected %zd argument%s, got %zd", n,
                 n == 1 ? "" : "s", given);
    return 0;
}

/* Are there two?  CPython has another text for them. */
static int
are_two(PyObject *args)
{
    PyObject *first, *second;

    return PyArg_UnpackTuple(args, "", 2, 2, &first, &second);
}

#define FIRST(args) PyTuple_GET_ITEM(args, 0)
#define SECOND(args) PyTuple_GET_ITEM(args, 1)

/* ------------------------------------------------------------------ */
/* Objects in, an object out                                           */

PyObject *
pyb_wrap_unary(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(unaryfunc, function);

    return count_is(args, 0) ? function(self) : NULL;
}

PyObject *
pyb_wrap_binary(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(binaryfunc, function);

    return count_is(args, 1) ? function(self, FIRST(args)) : NULL;
}

PyObject *
pyb_wrap_reflected(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(binaryfunc, function);

    return count_is(args, 1) ? function(FIRST(args), self) : NULL;
}

/* The one or two arguments of pow; 1, or 0 with TypeError. */
static int
parse_power(PyObject *args, PyObject **other, PyObject **third)
{
    *third = Py_None;
    return PyArg_UnpackTuple(args, "", 1, 2, other, third);
}

PyObject *
pyb_wrap_ternary(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(ternaryfunc, function);
    PyObject *other, *third;

    return parse_power(args, &other, &third) ? function(self, other, third)
                                             : NULL;
}

PyObject *
pyb_wrap_ternary_reflected(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(ternaryfunc, function);
    PyObject *other, *third;

    return parse_power(args, &other, &third) ? function(other, self, third)
                                             : NULL;
}

PyObject *
pyb_wrap_next(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(unaryfunc, function);

    if (!count_is(args, 0))
        return NULL;
    PyObject *item = function(self);
    if (item == NULL && PyErr_Occurred() == NULL)
        PyErr_SetNone(PyExc_StopIteration);
    return item;
}

PyObject *
pyb_wrap_call(PyObject *self, PyObject *args, void *wrapped, PyObject *kwds)
{
    FUNCTION(ternaryfunc, function);

    return function(self, args, kwds);
}

PyObject *
pyb_wrap_init(PyObject *self, PyObject *args, void *wrapped, PyObject *kwds)
{
    FUNCTION(initproc, function);

    return pyb_result_none(function(self, args, kwds));
}

/* ------------------------------------------------------------------ */
/* Numbers                                                             */

PyObject *
pyb_wrap_length(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(lenfunc, function);

    if (!count_is(args, 0))
        return NULL;
    Py_ssize_t length = function(self);
    return length < 0 && PyErr_Occurred() ? NULL : PyLong_FromSsize_t(length);
}

PyObject *
pyb_wrap_bool(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(inquiry, function);

    if (!count_is(args, 0))
        return NULL;
    int truth = function(self);
    return truth < 0 && PyErr_Occurred() ? NULL : PyBool_FromLong(truth);
}

PyObject *
pyb_wrap_hash(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(hashfunc, function);

    if (!count_is(args, 0))
        return NULL;
    Py_hash_t hash = function(self);
    return hash == -1 && PyErr_Occurred() ? NULL : PyLong_FromSsize_t(hash);
}

PyObject *
pyb_wrap_contains(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(objobjproc, function);

    if (!count_is(args, 1))
        return NULL;
    int found = function(self, FIRST(args));
    return found < 0 && PyErr_Occurred() ? NULL : PyBool_FromLong(found);
}

/* ------------------------------------------------------------------ */
/* Items and keys                                                      */

PyObject *
pyb_wrap_repeat(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(ssizeargfunc, function);

    if (!count_is(args, 1))
        return NULL;
    Py_ssize_t n = PyNumber_AsSsize_t(FIRST(args), PyExc_OverflowError);
    return n == -1 && PyErr_Occurred() ? NULL : function(self, n);
}

/* The index that arg means, one from the end made one from the start; -1 with
   an exception. */
static Py_ssize_t
get_index(PyObject *self, PyObject *arg)
{
    Py_ssize_t i = PyNumber_AsSsize_t(arg, PyExc_OverflowError);
    PySequenceMethods *suite = Py_TYPE(self)->tp_as_sequence;

    if (i < 0 && PyErr_Occurred() == NULL && suite != NULL &&
        suite->sq_length != NULL) {
        Py_ssize_t length = suite->sq_length(self);
        i = length < 0 ? -1 : i + length;
    }
    return i;
}

PyObject *
pyb_wrap_item(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(ssizeargfunc, function);

    if (!count_is(args, 1))
        return NULL;
    Py_ssize_t i = get_index(self, FIRST(args));
    return i == -1 && PyErr_Occurred() ? NULL : function(self, i);
}

static PyObject *
assign_item(PyObject *self, PyObject *args, void *wrapped, PyObject *value)
{
    FUNCTION(ssizeobjargproc, function);
    Py_ssize_t i = get_index(self, FIRST(args));

    if (i == -1 && PyErr_Occurred())
        return NULL;
    return pyb_result_none(function(self, i, value));
}

PyObject *
pyb_wrap_set_item(PyObject *self, PyObject *args, void *wrapped)
{
    if (!are_two(args))
        return NULL;
    return assign_item(self, args, wrapped, SECOND(args));
}

PyObject *
pyb_wrap_delete_item(PyObject *self, PyObject *args, void *wrapped)
{
    return count_is(args, 1) ? assign_item(self, args, wrapped, NULL) : NULL;
}

/* Also of descriptors, whose slot is a function of the same type. */
PyObject *
pyb_wrap_set_key(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(objobjargproc, function);

    if (!are_two(args))
        return NULL;
    return pyb_result_none(function(self, FIRST(args), SECOND(args)));
}

PyObject *
pyb_wrap_delete_key(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(objobjargproc, function);

    if (!count_is(args, 1))
        return NULL;
    return pyb_result_none(function(self, FIRST(args), NULL));
}

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

/* A method of C must not be gone round: object.__setattr__(list, "x", 1) would
   change what cannot be changed.  So the function has to be that of the first
   type from self's on that is not a class.  1, or 0 with TypeError. */
static int
may_set(PyObject *self, setattrofunc function, const char *what)
{
    PyTypeObject *type = Py_TYPE(self);

    while (type != NULL && type->tp_setattro == pyb_slot_tp_setattro)
        type = type->tp_base;
    if (type == NULL || type->tp_setattro == function)
        return 1;
    PyErr_Format(PyExc_TypeError, "can't apply this %s to %s object", what,
                 type->tp_name);
    return 0;
}

PyObject *
pyb_wrap_setattr(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(setattrofunc, function);

    if (!are_two(args) || !may_set(self, function, "__setattr__"))
        return NULL;
    return pyb_result_none(function(self, FIRST(args), SECOND(args)));
}

PyObject *
pyb_wrap_delattr(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(setattrofunc, function);

    if (!count_is(args, 1) || !may_set(self, function, "__delattr__"))
        return NULL;
    return pyb_result_none(function(self, FIRST(args), NULL));
}

PyObject *
pyb_wrap_get(PyObject *self, PyObject *args, void *wrapped)
{
    FUNCTION(descrgetfunc, function);
    PyObject *op, *type = NULL;

    if (!PyArg_UnpackTuple(args, "", 1, 2, &op, &type))
        return NULL;
    if (op == Py_None)
        op = NULL;
    if (type == Py_None)
        type = NULL;
    if (op == NULL && type == NULL)
        return pyb_raise(PyExc_TypeError, "__get__(None, None) is invalid");
    return function(self, op, type);
}

/* ------------------------------------------------------------------ */
/* Comparison                                                          */

#define COMPARISON(NAME, OP)                                                  \
    PyObject *pyb_wrap_##NAME(PyObject *self, PyObject *args, void *wrapped)  \
    {                                                                         \
        FUNCTION(richcmpfunc, function);                                      \
                                                                              \
        return count_is(args, 1) ? function(self, FIRST(args), OP) : NULL;    \
    }

COMPARISON(lt, Py_LT)
COMPARISON(le, Py_LE)
COMPARISON(eq, Py_EQ)
COMPARISON(ne, Py_NE)
COMPARISON(gt, Py_GT)
COMPARISON(ge, Py_GE)

/* ------------------------------------------------------------------ */
/* __new__                                                             */

/* Would type.__new__ leave parts of an instance of sub unfilled?  The tp_new
   of a class calls a method; that of the first other type is the right one. */
static int
leaves_parts(PyTypeObject *type, PyTypeObject *sub)
{
    PyTypeObject *base = sub;

    while (base != NULL && base->tp_new == pyb_slot_tp_new)
        base = base->tp_base;
    if (base == NULL || base->tp_new == type->tp_new)
        return 0;
    PyErr_Format(PyExc_TypeError,
                 "%s.__new__(%s) is not safe, use %s.__new__()", type->tp_name,
                 sub->tp_name, base->tp_name);
    return 1;
}

static int
check_new(PyTypeObject *type, PyObject *args)
{
    if (PyTuple_GET_SIZE(args) < 1)
        return pyb_failf(PyExc_TypeError, "%s.__new__(): not enough arguments",
                         type->tp_name);
    PyObject *arg = FIRST(args);
    if (!PyType_Check(arg))
        return pyb_failf(PyExc_TypeError,
                         "%s.__new__(X): X is not a type object (%s)",
                         type->tp_name, Py_TYPE(arg)->tp_name);
    PyTypeObject *sub = (PyTypeObject *)arg;
    if (!PyType_IsSubtype(sub, type))
        return pyb_failf(
            PyExc_TypeError, "%s.__new__(%s): %s is not a subtype of %s",
            type->tp_name, sub->tp_name, sub->tp_name, type->tp_name);
    return leaves_parts(type, sub) ? -1 : 0;
}

static PyObject *
call_new(PyObject *self, PyObject *args, PyObject *kwds)
{
    PyTypeObject *type = (PyTypeObject *)self;

    PYB_ASSERT(PyType_Check(self));
    if (type->tp_new == NULL)
        return PyErr_Format(PyExc_TypeError, "cannot create '%s' instances",
                            type->tp_name);
    if (check_new(type, args) < 0)
        return NULL;
    PyTypeObject *sub = (PyTypeObject *)FIRST(args);
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    if (rest == NULL)
        return NULL;
    PyObject *result = type->tp_new(sub, rest, kwds);
    Py_DECREF(rest);
    return result;
}

static PyMethodDef new_method = {
    "__new__", _PyCFunction_CAST(call_new), METH_VARARGS | METH_KEYWORDS,
    PyDoc_STR("__new__($type, *args, **kwargs)\n--\n\n"
              "Create and return a new object.  See help(type) for accurate "
              "signature.")};

PyObject *
pyb_slot_new(PyTypeObject *type)
{
    return PyCFunction_NewEx(&new_method, (PyObject *)type, NULL);
}

int
pyb_slot_is_new(PyObject *op)
{
    return PyCFunction_CheckExact(op) &&
           ((PyCFunctionObject *)op)->m_ml == &new_method;
}
