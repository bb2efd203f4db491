/* check_pybind.c: the module that pybind11 makes of pybind_shapes.cpp. */

#include "extension.h"

static PyObject *module;

static void
begin(void)
{
    module = suite_require(PyImport_ImportModule("pybind_shapes"));
}

START_TEST(classes_have_instances)
{
    PyObject *square;

    begin();
    square = suite_require(call(module, "Square", "(d)", 3.0));
    ck_assert_double_eq(take_double(call(square, "area", "()")), 9);
    suite_new_text(call(square, "describe", "()"), "square of 9");
    suite_new_text(PyObject_GetAttrString(square, "name"), "square");
    suite_new_int(call(module, "count_living", "()"), 1);
    suite_drop(square);
    suite_new_int(call(module, "count_living", "()"), 0);
    suite_drop(module);
}

START_TEST(arguments_have_names_and_defaults)
{
    PyObject *type, *arguments, *names, *rectangle;

    begin();
    type = suite_require(PyObject_GetAttrString(module, "Rectangle"));
    arguments = PyTuple_New(0);
    names = suite_require(Py_BuildValue("{sd}", "side", 6.0));
    rectangle = suite_require(PyObject_Call(type, arguments, names));
    ck_assert_double_eq(take_double(call(rectangle, "area", "()")), 6);
    suite_failed(PyObject_SetAttrString(rectangle, "height", Py_None),
                 PyExc_AttributeError, NULL);
    suite_refused(call(module, "Rectangle", "(s)", "x"), PyExc_TypeError,
                  NULL);
    suite_drop(type, arguments, names, rectangle, module);
}

START_TEST(holders_are_shared)
{
    PyObject *squares, *base;

    begin();
    squares = suite_require(call(module, "squares", "([dd])", 1.0, 2.0));
    suite_new_int(call(module, "count_living", "()"), 2);
    base = suite_require(PyObject_GetAttrString(module, "Shape"));
    ck_assert_int_eq(PyObject_IsInstance(PyList_GetItem(squares, 1), base), 1);
    ck_assert_double_eq(take_double(call(module, "area_of", "(O)",
                                         PyList_GetItem(squares, 1))),
                        4);
    suite_drop(squares, base);
    suite_new_int(call(module, "count_living", "()"), 0);
    suite_drop(module);
}

static PyObject *
seven(PyObject *Py_UNUSED(type), PyObject *Py_UNUSED(self))
{
    return PyFloat_FromDouble(7);
}

static PyMethodDef area_def = {"area", seven, METH_O, NULL};

/* type("Seven", (Shape,), {"area": ...}): C++ calls what it overrides, unless
   that is a built-in function. */
START_TEST(subclasses_override_what_cpp_calls)
{
    PyObject *base, *functools, *function, *area, *type, *shape;

    begin();
    base = suite_require(PyObject_GetAttrString(module, "Shape"));
    function = suite_require(PyCFunction_New(&area_def, NULL));
    functools = suite_require(PyImport_ImportModule("functools"));
    area =
        suite_require(call(functools, "partial", "(OO)", function, Py_None));
    type = suite_require(PyObject_CallFunction(
        (PyObject *)Py_TYPE(base), "s(O){sO}", "Seven", base, "area", area));
    shape = suite_require(PyObject_CallFunction(type, "s", "seven"));
    ck_assert_double_eq(take_double(call(module, "area_of", "(O)", shape)), 7);
    suite_drop(base, functools, function, area, type, shape, module);
}

START_TEST(exceptions_are_translated)
{
    PyObject *own;

    begin();
    suite_refused(call(module, "Square", "(d)", -1.0), PyExc_ValueError,
                  "a side is negative");
    suite_refused(call(module, "fail", "(s)", "on purpose"),
                  PyExc_RuntimeError, "on purpose");
    own = suite_require(PyObject_GetAttrString(module, "OutOfRange"));
    suite_refused(call(module, "throw_out_of_range", "()"), own,
                  "out of range");
    ck_assert(PyErr_GivenExceptionMatches(own, PyExc_LookupError));
    suite_drop(own, module);
}

START_TEST(containers_of_the_library_are_converted)
{
    begin();
    ck_assert_double_eq(
        take_double(call(module, "total", "([ddi])", 1.0, 2.5, 3)), 6.5);
    ck_assert_double_eq(take_double(call(module, "total", "((dd))", 1.0, 2.0)),
                        3);
    suite_refused(call(module, "total", "([s])", "x"), PyExc_TypeError, NULL);
    suite_drop(module);
}

START_TEST(buffers_go_both_ways)
{
    PyObject *matrix, *view;

    begin();
    matrix = suite_require(call(module, "Matrix", "(ii)", 2, 3));
    view = suite_require(PyMemoryView_FromObject(matrix));
    suite_new_repr(PyObject_GetAttrString(view, "shape"), "(2, 3)");
    suite_new_text(PyObject_GetAttrString(view, "format"), "d");
    ck_assert_double_eq(
        take_double(call(module, "sum_of_buffer", "(O)", matrix)), 0);
    suite_refused(call(module, "sum_of_buffer", "(y)", "bytes"),
                  PyExc_TypeError, "no buffer of doubles");
    suite_drop(matrix, view, module);
}

START_TEST(weak_references_are_cleared)
{
    PyObject *square, *weak, *referent;

    begin();
    square = suite_require(call(module, "Square", "(d)", 3.0));
    weak = suite_require(PyWeakref_NewRef(square, NULL));
    suite_drop(square);
    ck_assert_int_eq(PyWeakref_GetRef(weak, &referent), 0);
    suite_drop(weak, module);
}

START_TEST(functions_call_back)
{
    PyObject *type, *result;

    begin();
    type = suite_require(PyObject_GetAttrString(module, "Square"));
    result = suite_require(call(module, "call", "(Od)", type, 2.0));
    ck_assert_double_eq(take_double(call(result, "area", "()")), 4);
    suite_drop(type, result, module);
}

/* custom_type_setup gave the class its tp_traverse and tp_clear. */
START_TEST(instances_that_traverse_die_in_cycles)
{
    PyObject *box, *weak, *referent;

    begin();
    box = suite_require(call(module, "Box", "()"));
    weak = suite_require(PyWeakref_NewRef(box, NULL));
    dies_in_a_cycle(box, "content");
    ck_assert_int_eq(PyWeakref_GetRef(weak, &referent), 0);
    suite_drop(weak, module);
}
