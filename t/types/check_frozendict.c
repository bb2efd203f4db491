/* check_frozendict.c: dictionaries that do not change. */

#include "../support/suite.h"

#include <pyboehm.h>

static PyObject *
frozen(const char *format, ...)
{
    va_list values;
    PyObject *dict, *op;

    va_start(values, format);
    dict = suite_require(Py_VaBuildValue(format, values));
    va_end(values);
    op = suite_require(PyFrozenDict_New(dict));
    Py_DECREF(dict);
    return op;
}

START_TEST(it_is_made_of_mappings_and_pairs)
{
    PyObject *op = frozen("{s:i,s:i}", "a", 1, "b", 2), *other;

    suite_repr(op, "frozendict({'a': 1, 'b': 2})");
    suite_new_repr(PyFrozenDict_New(NULL), "frozendict()");
    ck_assert(PyFrozenDict_CheckExact(op) && PyAnyDict_CheckExact(op));
    ck_assert(!PyDict_Check(op) && PyAnyDict_Check(op));
    ck_assert(Py_IS_TYPE(op, &PyFrozenDict_Type));
    ck_assert_ptr_eq(PyFrozenDict_Type.tp_base, &PyBaseObject_Type);
    other = PyFrozenDict_New(op);
    ck_assert_ptr_eq(other, op);
    Py_DECREF(other);
    other = Py_BuildValue("[(si)]", "k", 1);
    suite_new_repr(PyFrozenDict_New(other), "frozendict({'k': 1})");
    suite_refused(PyFrozenDict_New(Py_None), PyExc_TypeError,
                  "'NoneType' object is not iterable");
    suite_drop(op, other);
}

static PyObject *
call_with(PyObject *type, PyObject *argument, const char *keyword)
{
    PyObject *args = PyTuple_Pack(1, argument);
    PyObject *kwds = Py_BuildValue("{s:i}", keyword, 7);
    PyObject *op = PyObject_Call(type, args, kwds);

    suite_drop(args, kwds);
    return op;
}

START_TEST(it_is_called)
{
    PyObject *type = (PyObject *)&PyFrozenDict_Type;
    PyObject *op = frozen("{s:i}", "a", 1);

    suite_new_repr(call_with(type, op, "b"), "frozendict({'a': 1, 'b': 7})");
    suite_repr(op, "frozendict({'a': 1})");
    suite_refused(PyObject_CallFunction(type, "OO", op, op), PyExc_TypeError,
                  "frozendict expected at most 1 argument, got 2");
    suite_new_repr(PyObject_CallMethod(type, "fromkeys", "si", "ab", 3),
                   "frozendict({'a': 3, 'b': 3})");
    Py_DECREF(op);
}

START_TEST(it_is_read_as_a_dict)
{
    PyObject *op = frozen("{s:i,s:i}", "a", 1, "b", 2), *key, *value;
    Py_ssize_t pos = 0;

    ck_assert_int_eq(PyDict_Size(op), 2);
    ck_assert_int_eq(PyObject_Size(op), 2);
    ck_assert_int_eq(PyDict_ContainsString(op, "a"), 1);
    ck_assert_int_eq(PyDict_GetItemStringRef(op, "b", &value), 1);
    suite_new_int(value, 2);
    ck_assert_ptr_null(PyDict_GetItemString(op, "c"));
    suite_new_repr(PyDict_Keys(op), "['a', 'b']");
    suite_new_repr(PyDict_Values(op), "[1, 2]");
    suite_new_repr(PyDict_Items(op), "[('a', 1), ('b', 2)]");
    suite_new_repr(PyObject_CallMethod(op, "items", NULL),
                   "dict_items([('a', 1), ('b', 2)])");
    suite_new_repr(PyObject_CallMethod(op, "get", "si", "x", 5), "5");
    suite_new_repr(PySequence_List(op), "['a', 'b']");
    suite_new_repr(PyDictProxy_New(op),
                   "mappingproxy(frozendict({'a': 1, 'b': 2}))");
    ck_assert_int_eq(PyDict_Next(op, &pos, &key, &value), 1);
    suite_repr(key, "'a'");
    suite_refused(PyObject_GetItem(op, Py_None), PyExc_KeyError, "None");
    Py_DECREF(op);
}

START_TEST(it_is_not_written)
{
    PyObject *op = frozen("{s:i}", "a", 1), *value = NULL;

    suite_failed(PyDict_SetItemString(op, "a", op), PyExc_SystemError, NULL);
    suite_failed(PyDict_DelItemString(op, "a"), PyExc_SystemError, NULL);
    suite_failed(PyDict_PopString(op, "a", &value), PyExc_SystemError, NULL);
    suite_failed(PyDict_Merge(op, op, 1), PyExc_SystemError, NULL);
    suite_refused(PyDict_Copy(op), PyExc_SystemError, NULL);
    suite_failed(PyObject_SetItem(op, Py_None, Py_None), PyExc_TypeError,
                 "'frozendict' object does not support item assignment");
    PyDict_Clear(op);
    suite_repr(op, "frozendict({'a': 1})");
    Py_DECREF(op);
}

START_TEST(it_is_joined_and_compared)
{
    PyObject *op = frozen("{s:i}", "a", 1), *before = op;
    PyObject *dict = Py_BuildValue("{s:i}", "b", 2), *same;

    suite_new_repr(PyNumber_Or(op, dict), "frozendict({'a': 1, 'b': 2})");
    suite_new_repr(PyNumber_Or(dict, op), "{'b': 2, 'a': 1}");
    suite_new_repr(PyNumber_InPlaceOr(op, dict),
                   "frozendict({'a': 1, 'b': 2})");
    suite_repr(before, "frozendict({'a': 1})");
    ck_assert_int_eq(PyDict_Update(dict, op), 0);
    suite_repr(dict, "{'b': 2, 'a': 1}");
    ck_assert_int_eq(PyDict_DelItemString(dict, "b"), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(op, dict, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(dict, op, Py_EQ), 1);
    same = PyObject_CallMethod(op, "copy", NULL);
    ck_assert_ptr_eq(same, op);
    suite_drop(op, dict, same);
}

START_TEST(it_is_hashed_as_a_frozenset_of_its_pairs)
{
    PyObject *op = frozen("{s:i,s:i}", "a", 1, "b", 2);
    PyObject *other = frozen("{s:i,s:i}", "b", 2, "a", 1);
    PyObject *items = PyDict_Items(op), *set = PyFrozenSet_New(items);

    ck_assert_int_eq(PyObject_Hash(op), PyObject_Hash(set));
    ck_assert_int_eq(PyObject_Hash(op), PyObject_Hash(op));
    ck_assert_int_eq(PyObject_Hash(op), PyObject_Hash(other));
    suite_drop(op, other, set);
    op = frozen("{s:O}", "a", items);
    suite_failed(PyObject_Hash(op) == -1 ? -1 : 0, PyExc_TypeError,
                 "unhashable type: 'list'");
    suite_drop(op, items);
}

START_TEST(cycles_through_it_are_collected)
{
    PyObject *list = PyList_New(0), *op = frozen("{s:O}", "list", list);

    PyGC_Collect();
    ck_assert_int_eq(PyList_Append(list, op), 0);
    suite_repr(op, "frozendict({'list': [frozendict({...})]})");
    suite_drop(op, list);
    ck_assert_int_eq(PyGC_Collect(), 2);
}

START_TEST(subtypes_have_their_name)
{
    PyObject *type = suite_class("s(O){}", "Mine", &PyFrozenDict_Type);
    PyObject *op = suite_require(PyObject_CallFunction(type, "{s:i}", "a", 1));

    suite_repr(op, "Mine({'a': 1})");
    ck_assert(PyFrozenDict_Check(op) && !PyFrozenDict_CheckExact(op));
    suite_new_repr(PyObject_CallMethod(op, "copy", NULL),
                   "frozendict({'a': 1})");
    suite_new_repr(PyObject_CallMethod(op, "__getnewargs__", NULL),
                   "({'a': 1},)");
    suite_drop(op, type);
}
