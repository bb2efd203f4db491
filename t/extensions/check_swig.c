/* check_swig.c: the module that SWIG -builtin makes of shapes.i. */

#include "extension.h"

static PyObject *module;

static void
begin(void)
{
    module = suite_require(PyImport_ImportModule("_shapes"));
}

START_TEST(classes_have_instances)
{
    PyObject *square;

    begin();
    square = suite_require(call(module, "Square", "(d)", 3.0));
    ck_assert_double_eq(take_double(call(square, "area", "()")), 9);
    ck_assert_double_eq(take_double(PyObject_GetAttrString(square, "side")),
                        3);
    suite_new_text(call(square, "describe", "()"), "square of 9");
    suite_new_int(call(module, "count_living", "()"), 1);
    suite_drop(square);
    suite_new_int(call(module, "count_living", "()"), 0);
    suite_drop(module);
}

START_TEST(attributes_are_those_of_the_object)
{
    PyObject *square, *four = PyFloat_FromDouble(4);

    begin();
    square = suite_require(call(module, "Square", "(d)", 3.0));
    ck_assert_int_eq(PyObject_SetAttrString(square, "side", four), 0);
    ck_assert_double_eq(take_double(call(module, "area_of", "(O)", square)),
                        16);
    suite_failed(PyObject_SetAttrString(square, "side", Py_None),
                 PyExc_TypeError, NULL);
    suite_drop(square, four, module);
}

START_TEST(classes_inherit)
{
    PyObject *rectangle, *type;

    begin();
    rectangle = suite_require(call(module, "Rectangle", "(dd)", 2.0, 5.0));
    type = suite_require(PyObject_GetAttrString(module, "Square"));
    ck_assert_int_eq(PyObject_IsInstance(rectangle, type), 1);
    suite_new_text(call(rectangle, "describe", "()"), "rectangle of 10");
    ck_assert_double_eq(take_double(call(module, "area_of", "(O)", rectangle)),
                        10);
    suite_drop(rectangle, type, module);
}

START_TEST(exceptions_of_cpp_are_exceptions_here)
{
    begin();
    suite_refused(call(module, "Square", "(d)", -1.0), PyExc_ValueError,
                  "a side is negative");
    suite_refused(call(module, "fail", "(s)", "on purpose"),
                  PyExc_RuntimeError, "on purpose");
    suite_refused(call(module, "area_of", "(i)", 1), PyExc_TypeError, NULL);
    suite_refused(call(module, "Shape", "()"), PyExc_TypeError, NULL);
    suite_drop(module);
}

START_TEST(sequences_become_vectors)
{
    PyObject *numbers;

    begin();
    ck_assert_double_eq(
        take_double(call(module, "total", "([ddd])", 1.0, 2.0, 3.5)), 6.5);
    numbers = suite_require(call(module, "Numbers", "([dd])", 1.0, 2.0));
    ck_assert_int_eq(PyObject_Size(numbers), 2);
    ck_assert_double_eq(take_double(call(numbers, "__getitem__", "(i)", 1)),
                        2);
    suite_new_same(call(numbers, "append", "(d)", 4.0), Py_None);
    ck_assert_double_eq(take_double(call(module, "total", "(O)", numbers)), 7);
    suite_refused(call(module, "total", "([s])", "x"), PyExc_TypeError, NULL);
    suite_drop(numbers, module);
}

/* SWIG's classes are no containers, so a cycle may only lead to one. */
START_TEST(instances_die_with_cycles)
{
    PyObject *square, *list = PyList_New(0);

    begin();
    square = suite_require(call(module, "Square", "(d)", 3.0));
    ck_assert_int_eq(PyList_Append(list, list), 0);
    ck_assert_int_eq(PyList_Append(list, square), 0);
    suite_drop(list, square);
    suite_new_int(call(module, "count_living", "()"), 1);
    ck_assert_int_eq(PyGC_Collect(), 1);
    suite_new_int(call(module, "count_living", "()"), 0);
    suite_drop(module);
}

static PyObject *
seven(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(op))
{
    return PyFloat_FromDouble(7);
}

static PyMethodDef area_def = {"area", seven, METH_O, NULL};

/* type("Seven", (Shape,), {"area": ...}): a director calls what it
   overrides. */
START_TEST(subclasses_override_what_cpp_calls)
{
    PyObject *base, *function, *area, *type, *shape;

    begin();
    base = suite_require(PyObject_GetAttrString(module, "Shape"));
    function = suite_require(PyCFunction_New(&area_def, NULL));
    area = suite_require(PyInstanceMethod_New(function));
    type = suite_require(PyObject_CallFunction(
        (PyObject *)Py_TYPE(base), "s(O){sO}", "Seven", base, "area", area));
    shape = suite_require(PyObject_CallFunction(type, "s", "seven"));
    ck_assert_double_eq(take_double(call(module, "area_of", "(O)", shape)), 7);
    suite_drop(base, function, area, type, shape, module);
}
