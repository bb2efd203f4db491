/* check_cell.c: cells. */

#include "../support/suite.h"

START_TEST(new_holds_and_releases)
{
    PyObject *list = PyList_New(0), *cell = PyCell_New(list);

    ck_assert(PyCell_Check(cell));
    ck_assert(!PyCell_Check(list));
    ck_assert_int_eq(PyObject_GC_IsTracked(cell), 1);
    ck_assert_int_eq(Py_REFCNT(cell), 1);
    ck_assert_int_eq(Py_REFCNT(list), 2);
    ck_assert_ptr_eq(PyCell_GET(cell), list);
    ck_assert_int_eq(Py_REFCNT(list), 2);
    ck_assert_ptr_eq(PyCell_Get(cell), list);
    ck_assert_int_eq(Py_REFCNT(list), 3);
    suite_drop(list, cell);
    ck_assert_int_eq(Py_REFCNT(list), 1);
    Py_DECREF(list);
}

START_TEST(empty_cells)
{
    PyObject *cell = suite_require(PyCell_New(NULL));
    ck_assert_int_eq(PyObject_GC_IsTracked(cell), 1);
    ck_assert_ptr_null(PyCell_GET(cell));
    ck_assert_ptr_null(PyCell_Get(cell));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_refused(PyObject_GetAttrString(cell, "cell_contents"),
                  PyExc_ValueError, "Cell is empty");
    Py_DECREF(cell);
}

START_TEST(set_replaces)
{
    PyObject *a = PyList_New(0), *b = PyList_New(0), *cell = PyCell_New(a);

    ck_assert_int_eq(PyCell_Set(cell, b), 0);
    ck_assert_int_eq(Py_REFCNT(a), 1);
    ck_assert_int_eq(Py_REFCNT(b), 2);
    ck_assert_int_eq(PyCell_Set(cell, b), 0);
    ck_assert_int_eq(Py_REFCNT(b), 2);
    ck_assert_int_eq(PyCell_Set(cell, NULL), 0);
    ck_assert_int_eq(Py_REFCNT(b), 1);
    ck_assert_ptr_null(PyCell_GET(cell));
    PyCell_SET(cell, a); /* stolen */
    ck_assert_int_eq(Py_REFCNT(a), 1);
    ck_assert_ptr_eq(PyCell_GET(cell), a);
    suite_drop(b, cell);
}

START_TEST(other_objects_are_refused)
{
    suite_refused(PyCell_Get(Py_None), PyExc_SystemError, NULL);
    suite_failed(PyCell_Set(Py_None, Py_True), PyExc_SystemError, NULL);
}

START_TEST(contents_are_an_attribute)
{
    PyObject *cell = PyCell_New(NULL), *value = PyList_New(0);

    ck_assert_int_eq(PyObject_SetAttrString(cell, "cell_contents", value), 0);
    ck_assert_int_eq(Py_REFCNT(value), 2);
    suite_new_repr(PyObject_GetAttrString(cell, "cell_contents"), "[]");
    ck_assert_int_eq(PyObject_DelAttrString(cell, "cell_contents"), 0);
    ck_assert_int_eq(PyObject_DelAttrString(cell, "cell_contents"), 0);
    ck_assert_int_eq(Py_REFCNT(value), 1);
    ck_assert_ptr_null(PyCell_GET(cell));
    suite_failed(PyObject_SetAttrString(cell, "x", value),
                 PyExc_AttributeError, NULL);
    suite_drop(value, cell);
}

START_TEST(repr_names_the_type_of_the_contents)
{
    PyObject *cell = PyCell_New(NULL), *value = PyLong_FromLong(7);
    char text[128];

    snprintf(text, sizeof text, "<cell at %p: empty>", (void *)cell);
    suite_repr(cell, text);
    PyCell_Set(cell, value);
    snprintf(text, sizeof text, "<cell at %p: int object at %p>", (void *)cell,
             (void *)value);
    suite_repr(cell, text);
    suite_drop(value, cell);
}

/* What a op b is for cells of two ints; a negative one: an empty cell. */
static int
compare(long a, long b, int op)
{
    PyObject *x = a < 0 ? NULL : PyLong_FromLong(a);
    PyObject *y = b < 0 ? NULL : PyLong_FromLong(b);
    PyObject *left = PyCell_New(x), *right = PyCell_New(y);
    int result = PyObject_RichCompareBool(left, right, op);

    suite_drop(left, right);
    Py_XDECREF(x);
    Py_XDECREF(y);
    return result;
}

START_TEST(comparison_is_that_of_the_contents)
{
    ck_assert_int_eq(compare(1, 1, Py_EQ), 1);
    ck_assert_int_eq(compare(1, 2, Py_EQ), 0);
    ck_assert_int_eq(compare(1, 2, Py_LT), 1);
    ck_assert_int_eq(compare(1, 2, Py_GE), 0);
    ck_assert_int_eq(compare(-1, -1, Py_EQ), 1);
    ck_assert_int_eq(compare(-1, -1, Py_LT), 0);
    ck_assert_int_eq(compare(-1, 0, Py_LT), 1);
    ck_assert_int_eq(compare(-1, 0, Py_NE), 1);
    ck_assert_int_eq(compare(0, -1, Py_GT), 1);

    PyObject *cell = PyCell_New(Py_True);
    ck_assert_int_eq(PyObject_RichCompareBool(cell, Py_True, Py_EQ), 0);
    suite_refused(PyObject_RichCompare(cell, Py_True, Py_LT), PyExc_TypeError,
                  "'<' not supported between instances of 'cell' and 'bool'");
    suite_failed(PyObject_Hash(cell), PyExc_TypeError,
                 "unhashable type: 'cell'");
    Py_DECREF(cell);
}

START_TEST(type_is_callable)
{
    PyObject *type = (PyObject *)&PyCell_Type;
    PyObject *cell = PyObject_CallNoArgs(type);

    ck_assert(PyCell_Check(cell));
    ck_assert_ptr_null(PyCell_GET(cell));
    Py_SETREF(cell, PyObject_CallOneArg(type, Py_True));
    ck_assert_ptr_eq(PyCell_GET(cell), Py_True);
    Py_DECREF(cell);
    suite_refused(PyObject_CallFunctionObjArgs(type, Py_True, Py_True, NULL),
                  PyExc_TypeError, "cell expected at most 1 argument, got 2");

    PyObject *args = PyTuple_New(0);
    PyObject *kwargs = Py_BuildValue("{s:i}", "contents", 1);
    suite_refused(PyObject_Call(type, args, kwargs), PyExc_TypeError,
                  "cell() takes no keyword arguments");
    suite_drop(kwargs, args);
}

START_TEST(cycles_are_collected)
{
    PyGC_Collect();
    PyObject *self = PyCell_New(NULL);
    PyCell_Set(self, self);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(self);
    ck_assert_int_eq(PyGC_Collect(), 1);

    PyObject *cell = PyCell_New(NULL), *tuple = PyTuple_Pack(1, cell);
    PyCell_Set(cell, tuple);
    Py_DECREF(tuple);
    ck_assert_int_eq(PyGC_Collect(), 0);
    Py_DECREF(cell);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(PyGC_Collect(), 0);
}
