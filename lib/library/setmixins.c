/* setmixins.c: methods of collections.abc for sets.

   Manual: Python's library, "collections.abc". */

#include "Python.h"

#include "library/mixins.h"
#include "object/error/errors.h"
#include "types/set/sethash.h"

/* ------------------------------------------------------------------ */
/* Comparison                                                          */

/* Are all items of a in b?  1, 0, or -1 with an exception. */
static int
is_within(PyObject *a, PyObject *b)
{
    PyObject *it = PyObject_GetIter(a);
    int found = 1;

    PYB_MIXINS_EACH(item, it)
    {
        found = PySequence_Contains(b, item);
        Py_DECREF(item);
        if (found <= 0)
            break;
    }
    Py_XDECREF(it);
    return PyErr_Occurred() != NULL ? -1 : found;
}

/* a <= b, a < b and a == b.  The sizes decide first. */
static PyObject *
compare(PyObject *self, PyObject *other, int op)
{
    int is_set = pyb_mixins_is(other, "Set");

    if (is_set <= 0)
        return is_set < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    int down = op == Py_GT || op == Py_GE;
    PyObject *less = down ? other : self, *more = down ? self : other;
    Py_ssize_t a = PyObject_Size(less), b = a < 0 ? -1 : PyObject_Size(more);
    if (a < 0 || b < 0)
        return NULL;
    if (op == Py_EQ ? a != b : op == Py_LT || op == Py_GT ? a >= b : a > b)
        Py_RETURN_FALSE;
    int within = is_within(less, more);
    return pyb_result_bool(within);
}

#define DEFINE_COMPARISON(NAME, OP)                                           \
    static PyObject *set_##NAME(PyObject *self, PyObject *other)              \
    {                                                                         \
        return compare(self, other, OP);                                      \
    }
DEFINE_COMPARISON(lt, Py_LT)
DEFINE_COMPARISON(le, Py_LE)
DEFINE_COMPARISON(eq, Py_EQ)
DEFINE_COMPARISON(gt, Py_GT)
DEFINE_COMPARISON(ge, Py_GE)

static PyObject *
set_isdisjoint(PyObject *self, PyObject *other)
{
    PyObject *it = PyObject_GetIter(other);
    int found = 0;

    PYB_MIXINS_EACH(item, it)
    {
        found = PySequence_Contains(self, item);
        Py_DECREF(item);
        if (found != 0)
            break;
    }
    Py_XDECREF(it);
    return PyErr_Occurred() != NULL ? NULL : PyBool_FromLong(!found);
}

static PyObject *
set_hash(PyObject *self, PyObject *Py_UNUSED(none))
{
    Py_ssize_t n = PyObject_Size(self);
    size_t hash = pyb_sethash_begin(n);
    PyObject *it = n >= 0 ? PyObject_GetIter(self) : NULL;

    PYB_MIXINS_EACH(item, it)
    {
        Py_hash_t one = PyObject_Hash(item);
        Py_DECREF(item);
        if (one == -1)
            break;
        hash = pyb_sethash_add(hash, one);
    }
    Py_XDECREF(it);
    if (PyErr_Occurred() != NULL)
        return NULL;
    return PyLong_FromSsize_t(pyb_sethash_end(hash));
}

/* ------------------------------------------------------------------ */
/* Operators                                                           */

/* cls(iterable); subclasses whose constructor differs override it. */
static PyObject *
from_iterable(PyObject *cls, PyObject *iterable)
{
    return PyObject_CallOneArg(cls, iterable);
}

/* self._from_iterable(list); steals the list, which may be NULL. */
static PyObject *
make(PyObject *self, PyObject *list)
{
    PyObject *result = NULL;

    if (list != NULL)
        result = PyObject_CallMethod(self, "_from_iterable", "(O)", list);
    Py_XDECREF(list);
    return result;
}

/* Appends the items of a that are in b, or are not; all if b is NULL.  0, or
   -1 with an exception. */
static int
select_items(PyObject *list, PyObject *a, PyObject *b, int wanted)
{
    PyObject *it = PyObject_GetIter(a);
    int result = 0;

    PYB_MIXINS_EACH(item, it)
    {
        int found = b != NULL ? PySequence_Contains(b, item) : wanted;
        if (found == wanted)
            result = PyList_Append(list, item);
        Py_DECREF(item);
        if (found < 0 || result < 0)
            break;
    }
    Py_XDECREF(it);
    return PyErr_Occurred() != NULL ? -1 : 0;
}

static PyObject *
selected(PyObject *a, PyObject *b, int wanted)
{
    PyObject *list = PyList_New(0);

    if (list != NULL && select_items(list, a, b, wanted) < 0)
        Py_CLEAR(list);
    return list;
}

/* Is other iterable?  If not, *result is NotImplemented, or NULL with an
   exception. */
static int
is_iterable(PyObject *other, PyObject **result)
{
    int found = pyb_mixins_is(other, "Iterable");

    *result = found == 0 ? Py_NewRef(Py_NotImplemented) : NULL;
    return found > 0;
}

/* other as a set: a new reference, NotImplemented if it is not iterable, or
   NULL with an exception. */
static PyObject *
as_set(PyObject *self, PyObject *other)
{
    int found = pyb_mixins_is(other, "Set");
    PyObject *result;

    if (found != 0)
        return found < 0 ? NULL : Py_NewRef(other);
    if (!is_iterable(other, &result))
        return result;
    return PyObject_CallMethod(self, "_from_iterable", "(O)", other);
}

static PyObject *
set_and(PyObject *self, PyObject *other)
{
    PyObject *result;

    if (!is_iterable(other, &result))
        return result;
    return make(self, selected(other, self, 1));
}

static PyObject *
set_or(PyObject *self, PyObject *other)
{
    PyObject *result, *list;

    if (!is_iterable(other, &result))
        return result;
    list = selected(self, NULL, 1);
    if (list != NULL && select_items(list, other, NULL, 1) < 0)
        Py_CLEAR(list);
    return make(self, list);
}

/* The items of one operand that are not in the other. */
static PyObject *
subtract(PyObject *self, PyObject *other, int reflected)
{
    PyObject *set = as_set(self, other), *list;

    if (set == NULL || set == Py_NotImplemented)
        return set;
    list = reflected ? selected(set, self, 0) : selected(self, set, 0);
    Py_DECREF(set);
    return make(self, list);
}

static PyObject *
set_sub(PyObject *self, PyObject *other)
{
    return subtract(self, other, 0);
}

static PyObject *
set_rsub(PyObject *self, PyObject *other)
{
    return subtract(self, other, 1);
}

/* (self - other) | (other - self) */
static PyObject *
set_xor(PyObject *self, PyObject *other)
{
    PyObject *set = as_set(self, other), *a = NULL, *b = NULL, *result = NULL;

    if (set == NULL || set == Py_NotImplemented)
        return set;
    a = PyNumber_Subtract(self, set);
    if (a != NULL)
        b = PyNumber_Subtract(set, self);
    if (b != NULL)
        result = PyNumber_Or(a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_DECREF(set);
    return result;
}

PyMethodDef pyb_mixins_set[] = {
    {"__lt__", set_lt, METH_O, NULL},
    {"__le__", set_le, METH_O, NULL},
    {"__eq__", set_eq, METH_O, NULL},
    {"__gt__", set_gt, METH_O, NULL},
    {"__ge__", set_ge, METH_O, NULL},
    {"__and__", set_and, METH_O, NULL},
    {"__rand__", set_and, METH_O, NULL},
    {"__or__", set_or, METH_O, NULL},
    {"__ror__", set_or, METH_O, NULL},
    {"__sub__", set_sub, METH_O, NULL},
    {"__rsub__", set_rsub, METH_O, NULL},
    {"__xor__", set_xor, METH_O, NULL},
    {"__rxor__", set_xor, METH_O, NULL},
    {"isdisjoint", set_isdisjoint, METH_O,
     PyDoc_STR("Tell whether no element is in both.")},
    {"_hash", set_hash, METH_NOARGS,
     PyDoc_STR("The hash of a set that does not change.")},
    {"_from_iterable", from_iterable, METH_O | METH_CLASS,
     PyDoc_STR("A set of the class with these elements.")},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* MutableSet                                                          */

static PyObject *
set_remove(PyObject *self, PyObject *value)
{
    int found = PySequence_Contains(self, value);

    if (found == 0)
        PyErr_SetObject(PyExc_KeyError, value);
    return pyb_result_none(
        found <= 0 ? -1 : pyb_mixins_call(self, "discard", "(O)", value));
}

static PyObject *
set_pop(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *it = PyObject_GetIter(self), *value;

    if (it == NULL)
        return NULL;
    value = PyIter_Next(it);
    Py_DECREF(it);
    if (value == NULL && PyErr_Occurred() == NULL)
        PyErr_SetNone(PyExc_KeyError);
    if (value != NULL && pyb_mixins_call(self, "discard", "(O)", value) < 0)
        Py_CLEAR(value);
    return value;
}

static PyObject *
set_clear(PyObject *self, PyObject *Py_UNUSED(none))
{
    return pyb_mixins_drain(self, "pop", PyExc_KeyError);
}

/* self.name(item) for each item; self, a new reference, or NULL. */
static PyObject *
call_each(PyObject *self, const char *name, PyObject *items)
{
    PyObject *it = PyObject_GetIter(items);

    PYB_MIXINS_EACH(item, it)
    {
        int done = pyb_mixins_call(self, name, "(O)", item);
        Py_DECREF(item);
        if (done < 0)
            break;
    }
    Py_XDECREF(it);
    return PyErr_Occurred() != NULL ? NULL : Py_NewRef(self);
}

static PyObject *
set_ior(PyObject *self, PyObject *other)
{
    return call_each(self, "add", other);
}

static PyObject *
set_iand(PyObject *self, PyObject *other)
{
    PyObject *surplus = PyNumber_Subtract(self, other), *result;

    if (surplus == NULL)
        return NULL;
    result = call_each(self, "discard", surplus);
    Py_DECREF(surplus);
    return result;
}

/* self.clear(), and self. */
static PyObject *
cleared(PyObject *self)
{
    return pyb_mixins_call(self, "clear", "()") < 0 ? NULL : Py_NewRef(self);
}

static PyObject *
set_isub(PyObject *self, PyObject *other)
{
    return other == self ? cleared(self) : call_each(self, "discard", other);
}

/* Each element of the other is taken out if it is there, or else added. */
static PyObject *
set_ixor(PyObject *self, PyObject *other)
{
    if (other == self)
        return cleared(self);
    PyObject *set = as_set(self, other);
    if (set == Py_NotImplemented) { /* ends with an error, as in CPython */
        Py_DECREF(set);
        set = PyObject_CallMethod(self, "_from_iterable", "(O)", other);
    }
    PyObject *it = set != NULL ? PyObject_GetIter(set) : NULL;
    PYB_MIXINS_EACH(item, it)
    {
        int found = PySequence_Contains(self, item);
        if (found >= 0)
            found =
                pyb_mixins_call(self, found ? "discard" : "add", "(O)", item);
        Py_DECREF(item);
        if (found < 0)
            break;
    }
    Py_XDECREF(it);
    Py_XDECREF(set);
    return PyErr_Occurred() != NULL ? NULL : Py_NewRef(self);
}

PyMethodDef pyb_mixins_mutableset[] = {
    {"remove", set_remove, METH_O,
     PyDoc_STR("Remove an element; KeyError if it is not there.")},
    {"pop", set_pop, METH_NOARGS,
     PyDoc_STR("An element, which is removed; KeyError if there is none.")},
    {"clear", set_clear, METH_NOARGS, PyDoc_STR("Remove all elements.")},
    {"__ior__", set_ior, METH_O, NULL},
    {"__iand__", set_iand, METH_O, NULL},
    {"__isub__", set_isub, METH_O, NULL},
    {"__ixor__", set_ixor, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};
