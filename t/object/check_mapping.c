/* check_mapping.c: the mapping protocol: items, length hints, classes with
   subscripts, what keys() and its like return. */

#include "../support/suite.h"

/* The method of the classes below: returns answer or, if that is NULL, raises
   the exception. */
static PyObject *answer, *problem;
static char method_name[30];

static PyObject *
method(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    if (answer == NULL)
        PyErr_SetString(problem, "the method's");
    return Py_XNewRef(answer);
}

static PyMethodDef def = {method_name, method, METH_VARARGS, NULL};

/* A class derived from base with the method of that name. */
static PyObject *
class_with(const char *name, PyTypeObject *base)
{
    strcpy(method_name, name);
    PyObject *function = PyCFunction_New(&def, NULL);
    PyObject *type =
        suite_class("s(O){sN}", "C", (PyObject *)base, name, function);
    return type;
}

static PyObject *
instance_with(const char *name, PyTypeObject *base)
{
    PyObject *type = class_with(name, base), *op = PyObject_CallNoArgs(type);

    Py_DECREF(type);
    ck_assert_ptr_nonnull(op);
    return op;
}

/* Gives answer a new value. */
static void
answer_with(PyObject *op)
{
    Py_XSETREF(answer, op);
}

START_TEST(length_hints)
{
    PyObject *op = instance_with("__length_hint__", &PyBaseObject_Type);
    PyObject *list = Py_BuildValue("[ii]", 1, 2);

    ck_assert_int_eq(PyObject_LengthHint(list, 7), 2);
    ck_assert_int_eq(PyObject_LengthHint(Py_None, 7), 7);
    answer_with(PyLong_FromLong(5));
    ck_assert_int_eq(PyObject_LengthHint(op, 7), 5);
    answer_with(Py_NewRef(Py_NotImplemented));
    ck_assert_int_eq(PyObject_LengthHint(op, 7), 7);
    answer_with(PyLong_FromLong(-1));
    suite_failed(PyObject_LengthHint(op, 7), PyExc_ValueError,
                 "__length_hint__() should return >= 0");
    answer_with(PyUnicode_FromString("5"));
    suite_failed(PyObject_LengthHint(op, 7), PyExc_TypeError,
                 "__length_hint__ must be an integer, not str");
    answer_with(NULL);
    problem = PyExc_TypeError; /* as if it had no hint */
    ck_assert_int_eq(PyObject_LengthHint(op, 7), 7);
    problem = PyExc_KeyError;
    suite_failed(PyObject_LengthHint(op, 7), PyExc_KeyError, NULL);
    suite_drop(op, list);
}

static Py_ssize_t
length(PyObject *Py_UNUSED(op))
{
    if (answer == NULL) {
        PyErr_SetString(problem, "the slot's");
        return -1;
    }
    return PyLong_AsSsize_t(answer);
}

static PySequenceMethods long_as_sequence = {.sq_length = length};
static PyTypeObject Long_Type = {SUITE_TYPE("Long"),
                                 .tp_as_sequence = &long_as_sequence};

/* A length that raises TypeError gives no hint; one that raises another
   exception is heard. */
START_TEST(length_hints_from_length)
{
    ck_assert_int_eq(PyType_Ready(&Long_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Long_Type);

    answer_with(PyLong_FromLong(5));
    ck_assert_int_eq(PyObject_LengthHint(op, 7), 5);
    answer_with(NULL);
    problem = PyExc_TypeError;
    ck_assert_int_eq(PyObject_LengthHint(op, 7), 7);
    problem = PyExc_KeyError;
    suite_failed(PyObject_LengthHint(op, 7), PyExc_KeyError, "\"the slot's\"");
    Py_DECREF(op);
}

START_TEST(classes_with_subscripts)
{
    PyObject *type = class_with("__class_getitem__", &PyBaseObject_Type);
    PyObject *plain = (PyObject *)&PyFloat_Type;

    answer_with(PyLong_FromLong(3));
    suite_new_int(PyObject_GetItem(type, Py_None), 3);
    answer_with(NULL);
    problem = PyExc_KeyError;
    suite_refused(PyObject_GetItem(type, Py_None), PyExc_KeyError, NULL);
    suite_refused(PyObject_GetItem(plain, Py_None), PyExc_TypeError,
                  "type 'float' is not subscriptable");
    Py_DECREF(type);
}

START_TEST(lists_of_a_mapping)
{
    PyObject *keys = instance_with("keys", &PyDict_Type);
    PyObject *dict = Py_BuildValue("{si}", "a", 1);

    suite_new_repr(PyMapping_Keys(dict), "['a']");
    suite_new_repr(PyMapping_Values(dict), "[1]");
    suite_new_repr(PyMapping_Items(dict), "[('a', 1)]");
    answer_with(Py_BuildValue("(ii)", 1, 2));
    suite_new_repr(PyMapping_Keys(keys), "[1, 2]");
    answer_with(PyLong_FromLong(3));
    suite_refused(PyMapping_Keys(keys), PyExc_TypeError,
                  "C.keys() returned a non-iterable (type int)");
    answer_with(NULL);
    problem = PyExc_KeyError;
    suite_refused(PyMapping_Keys(keys), PyExc_KeyError, NULL);
    suite_refused(PyMapping_Keys(Py_None), PyExc_AttributeError,
                  "'NoneType' object has no attribute 'keys'");
    suite_drop(keys, dict);
}

START_TEST(string_keys)
{
    PyObject *dict = PyDict_New(), *list = PyList_New(0);

    ck_assert_int_eq(PyMapping_SetItemString(dict, "a", Py_True), 0);
    suite_new_repr(PyMapping_GetItemString(dict, "a"), "True");
    suite_refused(PyMapping_GetItemString(dict, "b"), PyExc_KeyError, "'b'");
    suite_refused(PyMapping_GetItemString(dict, "\377"),
                  PyExc_UnicodeDecodeError, NULL);
    suite_failed(PyMapping_SetItemString(dict, "\377", Py_True),
                 PyExc_UnicodeDecodeError, NULL);
    suite_failed(PyObject_DelItemString(dict, "\377"),
                 PyExc_UnicodeDecodeError, NULL);
    ck_assert_int_eq(PyObject_DelItemString(dict, "a"), 0);
    suite_failed(PyObject_DelItemString(dict, "a"), PyExc_KeyError, "'a'");
    suite_failed(PyMapping_SetItemString(list, "a", Py_True), PyExc_TypeError,
                 "list indices must be integers or slices, not str");
    suite_refused(PyMapping_GetItemString(Py_None, "a"), PyExc_TypeError,
                  "'NoneType' object is not subscriptable");
    suite_failed(PyMapping_SetItemString(Py_None, "a", Py_True),
                 PyExc_TypeError,
                 "'NoneType' object does not support item assignment");
    suite_failed(PyObject_DelItemString(Py_None, "a"), PyExc_TypeError,
                 "'NoneType' object does not support item deletion");
    suite_drop(dict, list);
}

START_TEST(missing_keys)
{
    PyObject *op = instance_with("__missing__", &PyDict_Type);
    PyObject *key = PyLong_FromLong(1);

    answer_with(PyLong_FromLong(3));
    suite_new_int(PyObject_GetItem(op, key), 3);
    ck_assert_int_eq(PyObject_Size(op), 0);
    answer_with(NULL);
    problem = PyExc_ValueError;
    suite_refused(PyObject_GetItem(op, key), PyExc_ValueError, "the method's");
    suite_drop(op, key);
}

/* ------------------------------------------------------------------ */
/* dir()                                                               */

START_TEST(names_of_an_object)
{
    PyObject *op = instance_with("__dir__", &PyBaseObject_Type);

    answer_with(Py_BuildValue("(sss)", "b", "c", "a"));
    suite_new_repr(PyObject_Dir(op), "['a', 'b', 'c']");
    answer_with(Py_BuildValue("[is]", 1, "a"));
    suite_refused(PyObject_Dir(op), PyExc_TypeError,
                  "'<' not supported between instances of 'str' and 'int'");
    answer_with(PyLong_FromLong(1));
    suite_refused(PyObject_Dir(op), PyExc_TypeError,
                  "'int' object is not iterable");
    answer_with(NULL);
    problem = PyExc_KeyError;
    suite_refused(PyObject_Dir(op), PyExc_KeyError, NULL);
    Py_DECREF(op);
}

/* The names of an instance's own attributes and of its classes'. */
START_TEST(names_of_an_instance)
{
    PyObject *op = instance_with("shout", &PyBaseObject_Type);
    PyObject *name = PyUnicode_FromString("whisper");
    PyObject *shout = PyUnicode_FromString("shout");

    ck_assert_int_eq(PyObject_SetAttr(op, name, Py_None), 0);
    PyObject *names = PyObject_Dir(op);
    ck_assert_int_eq(PySequence_Contains(names, name), 1);
    ck_assert_int_eq(PySequence_Contains(names, shout), 1);
    Py_SETREF(names, PyObject_Dir((PyObject *)Py_TYPE(op)));
    ck_assert_int_eq(PySequence_Contains(names, name), 0);
    ck_assert_int_eq(PySequence_Contains(names, shout), 1);
    suite_drop(names, name, shout, op);
}
