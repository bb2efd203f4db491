/* check_namespace.c: types.SimpleNamespace, and sys.implementation. */

#include "../support/suite.h"

static PyObject *const type = (PyObject *)&_PyNamespace_Type;

/* type(**kwargs); steals kwargs. */
static PyObject *
call(PyObject *callable, PyObject *kwargs)
{
    PyObject *args = PyTuple_New(0);
    PyObject *op = PyObject_Call(callable, args, kwargs);

    suite_drop(args, kwargs);
    return op;
}

static PyObject *
with_a(int value)
{
    return suite_require(call(type, Py_BuildValue("{s:i}", "a", value)));
}

START_TEST(new_is_tracked)
{
    PyObject *op = _PyNamespace_New(NULL),
             *kwds = Py_BuildValue("{s:i}", "a", 1);

    ck_assert(Py_IS_TYPE(op, &_PyNamespace_Type));
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 1);
    suite_new_repr(op, "namespace()");
    op = _PyNamespace_New(kwds);
    ck_assert_int_eq(PyObject_GC_IsTracked(op), 1);
    suite_new_repr(op, "namespace(a=1)");
    suite_new_repr(kwds, "{'a': 1}");
}

START_TEST(attributes_live_in_the_dict)
{
    PyObject *op = with_a(1), *dict = PyObject_GetAttrString(op, "__dict__");

    ck_assert(PyDict_CheckExact(dict));
    ck_assert_int_eq(Py_REFCNT(dict), 2);
    ck_assert_int_eq(PyObject_GC_IsTracked(dict), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "b", op), 0);
    ck_assert_int_eq(PyObject_GC_IsTracked(dict), 1);
    ck_assert_ptr_eq(PyDict_GetItemString(dict, "b"), op);
    suite_new_int(PyObject_GetAttrString(op, "a"), 1);
    ck_assert_int_eq(PyObject_DelAttrString(op, "b"), 0);
    suite_refused(PyObject_GetAttrString(op, "b"), PyExc_AttributeError,
                  "'types.SimpleNamespace' object has no attribute 'b'");
    suite_failed(PyObject_SetAttrString(op, "__dict__", dict),
                 PyExc_AttributeError, "readonly attribute");
    suite_drop(dict, op);
}

START_TEST(repr_shows_what_can_be_shown)
{
    PyObject *op =
        call(type, Py_BuildValue("{s:i,s:s,s:i}", "b", 1, "a", "x", "1 2", 2));
    PyObject *dict = PyObject_GetAttrString(op, "__dict__");

    suite_repr(op, "namespace(b=1, a='x', 1 2=2)");
    ck_assert_int_eq(PyDict_SetItem(dict, Py_None, Py_True), 0);
    ck_assert_int_eq(PyDict_SetItemString(dict, "", Py_True), 0);
    suite_repr(op, "namespace(b=1, a='x', 1 2=2)");
    ck_assert_int_eq(PyObject_SetAttrString(op, "b", op), 0);
    suite_repr(op, "namespace(b=namespace(...), a='x', 1 2=2)");
    PyDict_Clear(dict);
    suite_drop(dict, op);
}

static PyType_Slot sub_slots[] = {{0, NULL}};
static PyType_Spec sub_spec = {"Sub", 0, 0, Py_TPFLAGS_DEFAULT, sub_slots};

START_TEST(subtypes_show_their_name)
{
    PyObject *sub = PyType_FromSpecWithBases(&sub_spec, type);
    PyObject *op = call(sub, Py_BuildValue("{s:i}", "a", 1));
    PyObject *plain = with_a(1);

    suite_repr(op, "Sub(a=1)");
    ck_assert_int_eq(PyObject_RichCompareBool(op, plain, Py_EQ), 1);
    suite_drop(plain, op, sub);
}

START_TEST(comparison_is_that_of_the_dicts)
{
    PyObject *a = with_a(1), *b = with_a(1), *c = with_a(2);

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_NE), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(a, c, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(a, Py_None, Py_EQ), 0);
    suite_refused(PyObject_RichCompare(a, c, Py_LT), PyExc_TypeError,
                  "'<' not supported between instances of 'dict' and 'dict'");
    suite_failed(PyObject_Hash(a), PyExc_TypeError,
                 "unhashable type: 'types.SimpleNamespace'");
    suite_drop(c, b, a);
}

START_TEST(constructor_checks_names)
{
    PyObject *kwargs = PyDict_New();

    ck_assert_int_eq(PyDict_SetItem(kwargs, Py_None, Py_True), 0);
    suite_refused(call(type, kwargs), PyExc_TypeError,
                  "keywords must be strings");
}

/* Since 3.13. */
START_TEST(constructor_takes_a_mapping_or_pairs)
{
    PyObject *dict = Py_BuildValue("{s:i,s:i}", "a", 1, "b", 2);
    PyObject *pairs = Py_BuildValue("[(si)]", "c", 3);
    PyObject *args = PyTuple_Pack(1, dict);

    suite_new_repr(PyObject_CallOneArg(type, pairs), "namespace(c=3)");
    PyObject *kwargs = Py_BuildValue("{s:i}", "a", 4);
    suite_new_repr(PyObject_Call(type, args, kwargs), "namespace(a=4, b=2)");
    suite_new_repr(dict, "{'a': 1, 'b': 2}");
    suite_refused(PyObject_CallFunctionObjArgs(type, pairs, pairs, NULL),
                  PyExc_TypeError,
                  "SimpleNamespace expected at most 1 argument, got 2");
    suite_drop(kwargs, args, pairs);

    PyObject *numbers = Py_BuildValue("{i:i}", 1, 2);
    suite_refused(PyObject_CallOneArg(type, numbers), PyExc_TypeError,
                  "keywords must be strings");
    Py_DECREF(numbers);
}

START_TEST(reduce_says_how_to_make_another)
{
    PyObject *op = with_a(1);
    PyObject *parts =
        suite_require(PyObject_CallMethod(op, "__reduce__", NULL));
    ck_assert_int_eq(PyTuple_Size(parts), 3);
    ck_assert_ptr_eq(PyTuple_GET_ITEM(parts, 0), type);
    suite_repr(PyTuple_GET_ITEM(parts, 1), "()");
    suite_repr(PyTuple_GET_ITEM(parts, 2), "{'a': 1}");
    suite_drop(parts, op);
}

START_TEST(cycles_are_collected)
{
    PyGC_Collect();
    PyObject *op = with_a(1);
    ck_assert_int_eq(PyObject_SetAttrString(op, "self", op), 0);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(op);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
}

START_TEST(sys_implementation_is_one)
{
    PyObject *op = PySys_GetObject("implementation");

    ck_assert(Py_IS_TYPE(op, &_PyNamespace_Type));
    suite_new_text(PyObject_GetAttrString(op, "name"), "pyboehm");
    suite_new_int(PyObject_GetAttrString(op, "hexversion"), PY_VERSION_HEX);
    ck_assert_int_eq(PyObject_HasAttrString(op, "cache_tag"), 1);
    PyObject *version = PyObject_GetAttrString(op, "version");
    suite_new_int(PySequence_GetItem(version, 0), PY_MAJOR_VERSION);
    Py_DECREF(version);
}
