/* check_enumerate.c: enumerate, reversed, and the reverse iterators. */

#include "../support/suite.h"

static PyObject *
call(PyTypeObject *type, PyObject *arg)
{
    return PyObject_CallOneArg((PyObject *)type, arg);
}

/* The iterator gives what the text says; steals it. */
static void
gives(PyObject *it, const char *text)
{
    ck_assert_ptr_nonnull(it);
    suite_new_repr(PySequence_List(it), text);
    Py_DECREF(it);
}

static PyObject *
reversed(PyObject *of)
{
    return call(&PyReversed_Type, of);
}

/* ------------------------------------------------------------------ */
/* enumerate                                                           */

START_TEST(enumerate_counts)
{
    PyObject *list = Py_BuildValue("[sss]", "a", "b", "c");

    gives(call(&PyEnum_Type, list), "[(0, 'a'), (1, 'b'), (2, 'c')]");
    gives(PyObject_CallFunction((PyObject *)&PyEnum_Type, "Oi", list, -1),
          "[(-1, 'a'), (0, 'b'), (1, 'c')]");
    gives(PyObject_CallFunction((PyObject *)&PyEnum_Type, "Oi", PyTuple_New(0),
                                7),
          "[]");
    Py_DECREF(list);
}

START_TEST(enumerate_takes_keywords)
{
    PyObject *kwargs =
        Py_BuildValue("{s:[s],s:i}", "iterable", "a", "start", 5);
    PyObject *args = PyTuple_New(0);

    gives(PyObject_Call((PyObject *)&PyEnum_Type, args, kwargs), "[(5, 'a')]");
    suite_drop(kwargs, args);
}

START_TEST(enumerate_goes_beyond_ssize_t)
{
    PyObject *list = Py_BuildValue("[sss]", "a", "b", "c");

    gives(PyObject_CallFunction((PyObject *)&PyEnum_Type, "On", list,
                                PY_SSIZE_T_MAX - 1),
          "[(9223372036854775806, 'a'), (9223372036854775807, 'b'), "
          "(9223372036854775808, 'c')]");
    PyObject *start = PyLong_FromString("100000000000000000000", NULL, 10);
    PyObject *it = PyObject_CallFunctionObjArgs((PyObject *)&PyEnum_Type, list,
                                                start, NULL);
    Py_DECREF(start);
    gives(it, "[(100000000000000000000, 'a'), (100000000000000000001, 'b'), "
              "(100000000000000000002, 'c')]");
    Py_DECREF(list);
}

START_TEST(enumerate_refuses)
{
    PyObject *list = PyList_New(0);

    suite_refused(call(&PyEnum_Type, Py_None), PyExc_TypeError,
                  "'NoneType' object is not iterable");
    suite_refused(
        PyObject_CallFunction((PyObject *)&PyEnum_Type, "Os", list, "x"),
        PyExc_TypeError, "'str' object cannot be interpreted as an integer");
    suite_refused(PyObject_CallNoArgs((PyObject *)&PyEnum_Type),
                  PyExc_TypeError, NULL);
    ck_assert_int_eq(Py_REFCNT(list), 1);
    Py_DECREF(list);
}

/* A pair that was given back is given again; one that was kept is not. */
START_TEST(pairs_are_used_again)
{
    PyObject *list = Py_BuildValue("[sss]", "a", "b", "c");
    PyObject *it = call(&PyEnum_Type, list);

    PyObject *first = PyIter_Next(it);
    suite_repr(first, "(0, 'a')");
    PyObject *second = PyIter_Next(it);
    ck_assert_ptr_ne(first, second);
    suite_repr(first, "(0, 'a')");
    suite_new_repr(second, "(1, 'b')");

    PyGC_Collect();
    ck_assert_int_eq(PyObject_GC_IsTracked(first), 0);
    PyObject *address = first;
    Py_DECREF(first);
    first = PyIter_Next(it);
    ck_assert_ptr_eq(first, address);
    ck_assert_int_eq(PyObject_GC_IsTracked(first), 1);
    suite_repr(first, "(2, 'c')");
    ck_assert_int_eq(Py_REFCNT(first), 2);
    Py_DECREF(first);
    ck_assert_ptr_null(PyIter_Next(it));
    suite_drop(it, list);
}

/* The pair was untracked while it held atoms only, and is in a cycle now. */
START_TEST(pair_in_a_cycle_is_collected)
{
    PyObject *list = Py_BuildValue("[s]", "a"), *dict = PyDict_New();
    PyObject *it = call(&PyEnum_Type, list), *pair = PyIter_Next(it);

    PyGC_Collect();
    ck_assert_int_eq(PyObject_GC_IsTracked(pair), 0);
    Py_DECREF(pair);
    PyList_Append(list, dict);
    pair = PyIter_Next(it);
    PyDict_SetItemString(dict, "pair", pair);
    suite_drop(it, pair, list);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(dict);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

/* ------------------------------------------------------------------ */
/* reversed                                                            */

START_TEST(reversed_goes_through_numbered_items)
{
    PyObject *tuple = Py_BuildValue("(iii)", 1, 2, 3), *it = reversed(tuple);

    ck_assert(Py_IS_TYPE(it, &PyReversed_Type));
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 3);
    suite_new_int(PyIter_Next(it), 3);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 2);
    suite_new_int(PyIter_Next(it), 2);
    suite_new_int(PyIter_Next(it), 1);
    ck_assert_int_eq(Py_REFCNT(tuple), 2);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(Py_REFCNT(tuple), 1);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 0);
    suite_drop(it, tuple);
    gives(reversed(PyTuple_New(0)), "[]");
}

START_TEST(reversed_asks_the_type_first)
{
    PyObject *list = Py_BuildValue("[ii]", 1, 2), *it = reversed(list);

    ck_assert(Py_IS_TYPE(it, &PyListRevIter_Type));
    gives(it, "[2, 1]");
    Py_DECREF(list);
}

START_TEST(reversed_refuses)
{
    PyObject *number = PyLong_FromLong(1);

    suite_refused(reversed(number), PyExc_TypeError,
                  "'int' object is not reversible");
    Py_DECREF(number);
    suite_refused(PyObject_CallNoArgs((PyObject *)&PyReversed_Type),
                  PyExc_TypeError, "reversed expected 1 argument, got 0");

    PyObject *args = PyTuple_New(0), *kwargs = Py_BuildValue("{s:i}", "x", 1);
    suite_refused(PyObject_Call((PyObject *)&PyReversed_Type, args, kwargs),
                  PyExc_TypeError, "reversed() takes no keyword arguments");
    suite_drop(kwargs, args);
}

/* ------------------------------------------------------------------ */
/* Lists and dicts                                                     */

START_TEST(list_may_change_under_its_reverse_iterator)
{
    PyObject *list = Py_BuildValue("[iii]", 1, 2, 3), *it = reversed(list);

    ck_assert_int_eq(PyObject_LengthHint(it, 9), 3);
    suite_new_int(PyIter_Next(it), 3);
    PyList_Append(list, Py_None);
    suite_new_int(PyIter_Next(it), 2);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 1);
    ck_assert_int_eq(PyList_SetSlice(list, 0, 4, NULL), 0);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 0);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(Py_REFCNT(list), 1);
    suite_drop(it, list);
}

START_TEST(dicts_and_views_are_reversible)
{
    PyObject *dict = Py_BuildValue("{s:i,s:i,s:i}", "a", 1, "b", 2, "c", 3);
    PyObject *proxy = PyDictProxy_New(dict);
    const struct {
        const char *method, *text;
    } views[] = {
        {"keys", "['d', 'c', 'a']"},
        {"values", "[4, 3, 1]"},
        {"items", "[('d', 4), ('c', 3), ('a', 1)]"},
    };

    gives(reversed(dict), "['c', 'b', 'a']");
    ck_assert_int_eq(PyDict_DelItemString(dict, "b"), 0);
    PyObject *four = PyLong_FromLong(4);
    ck_assert_int_eq(PyDict_SetItemString(dict, "d", four), 0);
    Py_DECREF(four);
    gives(reversed(proxy), "['d', 'c', 'a']");
    for (size_t i = 0; i < Py_ARRAY_LENGTH(views); i++) {
        PyObject *view = PyObject_CallMethod(dict, views[i].method, NULL);
        PyObject *it = reversed(view);
        ck_assert_int_eq(PyObject_LengthHint(it, 9), 3);
        gives(it, views[i].text);
        Py_DECREF(view);
    }
    Py_DECREF(proxy);
    PyDict_Clear(dict);
    gives(reversed(dict), "[]");
    Py_DECREF(dict);
}

START_TEST(dict_must_not_change_its_size)
{
    PyObject *dict = Py_BuildValue("{s:i,s:i}", "a", 1, "b", 2);
    PyObject *it = reversed(dict);

    suite_new_text(PyIter_Next(it), "b");
    ck_assert_int_eq(PyDict_DelItemString(dict, "b"), 0);
    for (int i = 0; i < 2; i++) {
        suite_refused(PyIter_Next(it), PyExc_RuntimeError,
                      "dictionary changed size during iteration");
    }
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 0);
    suite_drop(it, dict);
}
