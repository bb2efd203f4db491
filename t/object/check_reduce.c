/* check_reduce.c: objects are made anew from what __reduce_ex__ returns; what
   the methods return is compared with CPython by t/oracle/object/reduce.c. */

#include "../support/suite.h"

/* An instance of type(name, (), {"__slots__": ("a", "__dict__")}) with an
   attribute of each kind. */
static PyObject *
new_instance(void)
{
    PyObject *type =
        suite_class("s(){s(ss)}", "A", "__slots__", "a", "__dict__");
    PyObject *op = suite_require(PyObject_CallNoArgs(type));

    ck_assert_int_eq(PyObject_SetAttrString(op, "a", Py_True), 0);
    ck_assert_int_eq(PyObject_SetAttrString(op, "b", Py_None), 0);
    Py_DECREF(type);
    return op;
}

/* What pickle does with function and arguments. */
static PyObject *
make_anew(PyObject *reduced)
{
    return suite_require(PyObject_Call(PyTuple_GET_ITEM(reduced, 0),
                                       PyTuple_GET_ITEM(reduced, 1), NULL));
}

START_TEST(an_instance_is_made_anew)
{
    PyObject *op = new_instance();
    PyObject *reduced =
        suite_require(PyObject_CallMethod(op, "__reduce_ex__", "i", 2));
    PyObject *again = make_anew(reduced);

    ck_assert_int_eq(PyTuple_GET_SIZE(reduced), 5);
    ck_assert_ptr_eq(Py_TYPE(again), Py_TYPE(op));
    ck_assert(!PyObject_HasAttrString(again, "a"));
    suite_repr(PyTuple_GET_ITEM(reduced, 2), "({'b': None}, {'a': True})");
    suite_drop(again, reduced, op);
    ck_assert_int_gt(PyGC_Collect(), 0); /* the class */
    ck_assert_int_eq(PyGC_Collect(), 0);
}

/* The state of an instance is its dictionary, which then counts as an
   object. */
START_TEST(the_state_keeps_the_attributes_alive)
{
    PyObject *type = suite_class("s(){}", "A");
    PyObject *op = suite_require(PyObject_CallNoArgs(type)), *state;

    ck_assert_int_eq(PyObject_SetAttrString(op, "self", op), 0);
    state = suite_require(PyObject_CallMethod(op, "__getstate__", NULL));
    ck_assert(PyObject_GC_IsTracked(state));
    suite_drop(op, type);
    ck_assert_int_eq(PyGC_Collect(), 0);
    ck_assert_int_eq(PyDict_ContainsString(state, "self"), 1);
    Py_DECREF(state);
    ck_assert_int_gt(PyGC_Collect(), 2);
}

START_TEST(a_list_is_made_anew_by_its_items)
{
    PyObject *list = suite_require(Py_BuildValue("[ii]", 1, 2));
    PyObject *reduced =
        suite_require(PyObject_CallMethod(list, "__reduce_ex__", "i", 2));
    PyObject *again = make_anew(reduced);

    suite_repr(again, "[]");
    suite_new_repr(PySequence_List(PyTuple_GET_ITEM(reduced, 3)), "[1, 2]");
    ck_assert_ptr_eq(PyTuple_GET_ITEM(reduced, 4), Py_None);
    suite_drop(list, reduced, again);
}

/* copyreg may be anything that the program puts into sys.modules. */
START_TEST(a_copyreg_without_the_functions_is_an_error)
{
    PyObject *op = new_instance(), *module = PyModule_New("copyreg");

    ck_assert_int_eq(
        PyDict_SetItemString(PyImport_GetModuleDict(), "copyreg", module), 0);
    suite_refused(PyObject_CallMethod(op, "__reduce_ex__", "i", 2),
                  PyExc_AttributeError, NULL);
    suite_refused(PyObject_CallMethod(op, "__reduce__", NULL),
                  PyExc_AttributeError, NULL);
    suite_refused(PyObject_CallMethod(op, "__getstate__", NULL),
                  PyExc_AttributeError, NULL);
    ck_assert_int_eq(
        PyModule_Add(module, "_slotnames", Py_NewRef(&PyLong_Type)), 0);
    suite_refused(PyObject_CallMethod(op, "__getstate__", NULL),
                  PyExc_TypeError, NULL);
    ck_assert_int_eq(
        PyModule_Add(module, "_slotnames", Py_NewRef(&PyType_Type)), 0);
    suite_refused(PyObject_CallMethod(op, "__getstate__", NULL),
                  PyExc_TypeError,
                  "copyreg._slotnames didn't return a list or None");
    suite_drop(op, module);
}
