/* reduce.c: object's __reduce__, __reduce_ex__ and __getstate__: what pickle
   and copy need to make an object anew.  For the protocols 0 and 1 copyreg
   has the function.

   Manual: Python's library, "pickle", section "Pickling Class Instances". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"

/* ------------------------------------------------------------------ */
/* The state                                                           */

/* The attributes of the instance's dictionary, or None if there are none. */
static PyObject *
get_attributes(PyObject *op)
{
    PyObject **slot = pyb_attr_dict_slot(op), *dict;

    if (slot == NULL || *slot == NULL)
        Py_RETURN_NONE;
    dict = PyObject_GenericGetDict(op, NULL);
    if (dict != NULL && PyDict_Check(dict) && PyDict_Size(dict) == 0)
        Py_SETREF(dict, Py_NewRef(Py_None));
    return dict;
}

static int
is_list_or_none(PyObject *op)
{
    return op == Py_None || PyList_Check(op);
}

/* The names of the slots that op's class and its bases define: a list or None.
   A new reference. */
static PyObject *
get_slotnames(PyTypeObject *type)
{
    PyObject *names;
    int found =
        PyDict_GetItemStringRef(type->tp_dict, "__slotnames__", &names);

    if (found < 0)
        return NULL;
    if (found > 0) {
        if (!is_list_or_none(names))
            Py_SETREF(names,
                      PyErr_Format(PyExc_TypeError,
                                   "%.200s.__slotnames__ should be a list or "
                                   "None, not %.200s",
                                   type->tp_name, Py_TYPE(names)->tp_name));
        return names;
    }
    PyObject *function =
        PyImport_ImportModuleAttrString("copyreg", "_slotnames");
    if (function == NULL)
        return NULL;
    names = PyObject_CallOneArg(function, (PyObject *)type);
    Py_DECREF(function);
    if (names != NULL && !is_list_or_none(names))
        Py_SETREF(names,
                  pyb_raise(PyExc_TypeError, "copyreg._slotnames didn't "
                                             "return a list or None"));
    return names;
}

/* Has an instance fields that neither its dictionary nor its slots show?
   0, or -1 with TypeError if it has. */
static int
check_fields(PyTypeObject *type, PyObject *slotnames)
{
    Py_ssize_t known = PyBaseObject_Type.tp_basicsize;

    if (type->tp_dictoffset != 0 &&
        !PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT))
        known += (Py_ssize_t)sizeof(PyObject *);
    if (type->tp_weaklistoffset > 0)
        known += (Py_ssize_t)sizeof(PyObject *);
    if (slotnames != Py_None)
        known += (Py_ssize_t)sizeof(PyObject *) * PyList_GET_SIZE(slotnames);
    if (type->tp_basicsize <= known)
        return 0;
    return pyb_failf(PyExc_TypeError, "cannot pickle '%.200s' object",
                     type->tp_name);
}

/* A dict of the slots that are set.  The list may change meanwhile. */
static PyObject *
get_slots(PyObject *op, PyObject *names)
{
    PyObject *slots = PyDict_New(), *value;
    Py_ssize_t size = PyList_GET_SIZE(names);

    for (Py_ssize_t i = 0; slots != NULL && i < PyList_GET_SIZE(names); i++) {
        PyObject *name = Py_NewRef(PyList_GET_ITEM(names, i));
        int found = PyObject_GetOptionalAttr(op, name, &value);
        if (found < 0 || (found > 0 && PyDict_SetItem(slots, name, value) < 0))
            Py_CLEAR(slots);
        Py_XDECREF(value);
        Py_DECREF(name);
        if (slots != NULL && PyList_GET_SIZE(names) != size) {
            Py_DECREF(slots);
            return pyb_raise(PyExc_RuntimeError,
                             "__slotsname__ changed size during iteration");
        }
    }
    return slots;
}

/* The state with the slots beside it, if there are some.  Steals state. */
static PyObject *
add_slots(PyObject *op, PyObject *state, PyObject *names)
{
    if (names == Py_None || PyList_GET_SIZE(names) == 0)
        return state;
    PyObject *slots = get_slots(op, names);
    if (slots != NULL && PyDict_Size(slots) > 0)
        Py_SETREF(state, PyTuple_Pack(2, state, slots));
    else if (slots == NULL)
        Py_CLEAR(state);
    Py_XDECREF(slots);
    return state;
}

/* What object.__getstate__ returns.  If the state is all that op is made of,
   it must be complete. */
static PyObject *
default_state(PyObject *op, int complete)
{
    PyTypeObject *type = Py_TYPE(op);

    if (complete && type->tp_itemsize != 0)
        return PyErr_Format(PyExc_TypeError, "cannot pickle %.200s objects",
                            type->tp_name);
    PyObject *state = get_attributes(op), *names = NULL;
    if (state != NULL)
        names = get_slotnames(type);
    if (names == NULL || (complete && check_fields(type, names) < 0))
        Py_CLEAR(state);
    else
        state = add_slots(op, state, names);
    Py_XDECREF(names);
    return state;
}

PyObject *
pyb_reduce_getstate(PyObject *self, PyObject *Py_UNUSED(none))
{
    return default_state(self, 0);
}

/* op.__getstate__(). */
static PyObject *
get_state(PyObject *op, int complete)
{
    PyObject *method = PyObject_GetAttrString(op, "__getstate__"), *state;
    PyObject *self = NULL; /* whose own it is, if it is object's */

    if (method == NULL)
        return NULL;
    if (PyCFunction_Check(method) &&
        PyCFunction_GET_FUNCTION(method) == pyb_reduce_getstate)
        self = PyCFunction_GET_SELF(method);
    if (self != NULL && self == op)
        state = default_state(op, complete);
    else
        state = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    return state;
}

/* ------------------------------------------------------------------ */
/* Arguments of __new__                                                */

/* Is op an instance of the type (flags of a class)?  The message has a %.200s
   for the name of op's type.  0, or -1 with TypeError. */
static int
check_type(PyObject *op, unsigned long flag, const char *message)
{
    if (PyType_HasFeature(Py_TYPE(op), flag))
        return 0;
    pyb_errors_type(message, op);
    return -1;
}

/* The two items that __getnewargs_ex__ returned, as new references; the tuple
   is stolen.  0, or -1 with an exception. */
static int
unpack_newargs(PyObject *pair, PyObject **args, PyObject **kwds)
{
    int result = -1;

    if (check_type(pair, Py_TPFLAGS_TUPLE_SUBCLASS,
                   "__getnewargs_ex__ should return a tuple, not '%.200s'") <
        0)
        goto done;
    if (PyTuple_GET_SIZE(pair) != 2) {
        PyErr_Format(PyExc_ValueError,
                     "__getnewargs_ex__ should return a tuple of length 2, "
                     "not %zd",
                     PyTuple_GET_SIZE(pair));
        goto done;
    }
    if (check_type(PyTuple_GET_ITEM(pair, 0), Py_TPFLAGS_TUPLE_SUBCLASS,
                   "first item of the tuple returned by __getnewargs_ex__ "
                   "must be a tuple, not '%.200s'") < 0 ||
        check_type(PyTuple_GET_ITEM(pair, 1), Py_TPFLAGS_DICT_SUBCLASS,
                   "second item of the tuple returned by __getnewargs_ex__ "
                   "must be a dict, not '%.200s'") < 0)
        goto done;
    *args = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
    *kwds = Py_NewRef(PyTuple_GET_ITEM(pair, 1));
    result = 0;
done:
    Py_DECREF(pair);
    return result;
}

/* The result of op's special method of that name: 1 with a new reference, 0
   and NULL if there is no such method, or -1. */
static int
ask(PyObject *op, const char *name, PyObject **result)
{
    PyObject *method;
    int found = pyb_attr_special(op, name, &method);

    *result = NULL;
    if (found <= 0)
        return found;
    *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    return *result != NULL ? 1 : -1;
}

/* The arguments with which __new__ makes op anew: new references, or NULL if
   there are none.  0, or -1 with an exception. */
static int
get_newargs(PyObject *op, PyObject **args, PyObject **kwds)
{
    PyObject *found;
    int status = ask(op, "__getnewargs_ex__", &found);

    *args = *kwds = NULL;
    if (status > 0)
        return unpack_newargs(found, args, kwds);
    if (status == 0)
        status = ask(op, "__getnewargs__", args);
    if (status > 0 &&
        check_type(*args, Py_TPFLAGS_TUPLE_SUBCLASS,
                   "__getnewargs__ should return a tuple, not '%.200s'") < 0) {
        Py_CLEAR(*args);
        return -1;
    }
    return status < 0 ? -1 : 0;
}

/* (cls, *args); args may be NULL. */
static PyObject *
prepend_class(PyTypeObject *cls, PyObject *args)
{
    PyObject *first = PyTuple_Pack(1, cls);

    if (first != NULL && args != NULL)
        Py_SETREF(first, PySequence_Concat(first, args));
    return first;
}

/* ------------------------------------------------------------------ */
/* The whole                                                           */

/* An iterator over the items of a list, or None. */
static PyObject *
get_items(PyObject *op)
{
    return PyList_Check(op) ? PyObject_GetIter(op) : Py_NewRef(Py_None);
}

/* An iterator over the pairs of a dict, or None. */
static PyObject *
get_pairs(PyObject *op)
{
    if (!PyDict_Check(op))
        Py_RETURN_NONE;
    PyObject *items = PyObject_CallMethod(op, "items", NULL), *it = NULL;
    if (items != NULL)
        it = PyObject_GetIter(items);
    Py_XDECREF(items);
    return it;
}

/* The tuple of five for protocol 2 and later; maker and its arguments are
   stolen, either may be NULL. */
static PyObject *
assemble(PyObject *op, PyObject *maker, PyObject *args, int complete)
{
    PyObject *state = NULL, *items = NULL, *pairs = NULL, *result = NULL;

    if (maker != NULL && args != NULL)
        state = get_state(op, complete);
    if (state != NULL)
        items = get_items(op);
    if (items != NULL)
        pairs = get_pairs(op);
    if (pairs != NULL)
        result = PyTuple_Pack(5, maker, args, state, items, pairs);
    Py_XDECREF(maker);
    Py_XDECREF(args);
    Py_XDECREF(state);
    Py_XDECREF(items);
    Py_XDECREF(pairs);
    return result;
}

static PyObject *
get_maker(const char *name)
{
    return PyImport_ImportModuleAttrString("copyreg", name);
}

static PyObject *
reduce_newobj(PyObject *op)
{
    PyTypeObject *cls = Py_TYPE(op);
    PyObject *args, *kwds, *result;

    if (cls->tp_new == NULL)
        return PyErr_Format(PyExc_TypeError, "cannot pickle '%.200s' object",
                            cls->tp_name);
    if (get_newargs(op, &args, &kwds) < 0)
        return NULL;
    if (kwds == NULL || PyDict_Size(kwds) == 0)
        result =
            assemble(op, get_maker("__newobj__"), prepend_class(cls, args),
                     args == NULL && !PyList_Check(op) && !PyDict_Check(op));
    else
        result = assemble(op, get_maker("__newobj_ex__"),
                          PyTuple_Pack(3, cls, args, kwds), 0);
    Py_XDECREF(args);
    Py_XDECREF(kwds);
    return result;
}

static PyObject *
reduce(PyObject *op, int protocol)
{
    if (protocol >= 2)
        return reduce_newobj(op);
    PyObject *function = get_maker("_reduce_ex"), *result = NULL;
    if (function != NULL)
        result = PyObject_CallFunction(function, "Oi", op, protocol);
    Py_XDECREF(function);
    return result;
}

PyObject *
pyb_reduce(PyObject *self, PyObject *Py_UNUSED(none))
{
    return reduce(self, 0);
}

/* The __reduce__ of op if its class has another one than object: 1 with a new
   reference, 0 and NULL, or -1. */
static int
own_reduce(PyObject *op, PyObject **method)
{
    PyObject *usual = PyDict_GetItemString(PyBaseObject_Type.tp_dict,
                                           "__reduce__"); /* borrowed */
    PyObject *of_class;
    int found = PyObject_GetOptionalAttrString(op, "__reduce__", method);

    if (found <= 0)
        return found;
    found = PyObject_GetOptionalAttrString((PyObject *)Py_TYPE(op),
                                           "__reduce__", &of_class);
    if (found < 0 || of_class == usual)
        Py_CLEAR(*method);
    Py_XDECREF(of_class);
    return found < 0 ? -1 : *method != NULL;
}

PyObject *
pyb_reduce_ex(PyObject *self, PyObject *protocol)
{
    PyObject *method, *result;
    int number = PyLong_AsInt(protocol);

    if (number == -1 && PyErr_Occurred() != NULL)
        return NULL;
    int found = own_reduce(self, &method);
    if (found < 0)
        return NULL;
    if (found == 0)
        return reduce(self, number);
    result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    return result;
}

/* ------------------------------------------------------------------ */
/* For types of the library                                            */

PyObject *
pyb_reduce_call(const char *name, PyObject *state, const char *format, ...)
{
    PyObject *function = PyImport_ImportModuleAttrString("builtins", name);
    PyObject *args, *result = NULL;
    va_list values;

    if (function == NULL)
        return NULL;
    va_start(values, format);
    args = Py_VaBuildValue(format, values);
    va_end(values);
    PYB_ASSERT(args == NULL || PyTuple_Check(args));
    if (args != NULL)
        result = state != NULL ? PyTuple_Pack(3, function, args, state)
                               : PyTuple_Pack(2, function, args);
    Py_DECREF(function);
    Py_XDECREF(args);
    return result;
}

PyObject *
pyb_reduce_attribute(PyObject *owner, PyObject *name)
{
    return pyb_reduce_call("getattr", NULL, "(OO)", owner, name);
}

PyObject *
pyb_reduce_type(PyObject *op, PyObject *args, PyObject *state)
{
    PyObject *result = NULL;

    if (args != NULL)
        result = state != NULL ? PyTuple_Pack(3, Py_TYPE(op), args, state)
                               : PyTuple_Pack(2, Py_TYPE(op), args);
    Py_XDECREF(args);
    Py_XDECREF(state);
    return result;
}

PyObject *
pyb_reduce_state(PyObject *op)
{
    return get_state(op, 0);
}
