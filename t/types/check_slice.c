/* check_slice.c: slice objects and their arithmetic. */

#include "../support/suite.h"

/* A slice of Python values, as Py_BuildValue makes them from the format. */
static PyObject *
make(const char *format, Py_ssize_t a, Py_ssize_t b, Py_ssize_t c)
{
    PyObject *parts = suite_require(Py_BuildValue(format, a, b, c));
    PyObject *slice =
        PySlice_New(PyTuple_GetItem(parts, 0), PyTuple_GetItem(parts, 1),
                    PyTuple_GetItem(parts, 2));
    Py_DECREF(parts);
    ck_assert_ptr_nonnull(slice);
    return slice;
}

static void
check_attribute(PyObject *slice, const char *name, PyObject *expected)
{
    suite_new_same(PyObject_GetAttrString(slice, name), expected);
}

START_TEST(parts_are_members)
{
    PyObject *start = PyLong_FromLong(1000), *step = PyUnicode_FromString("s");
    PyObject *slice = PySlice_New(start, NULL, step);

    ck_assert(PySlice_Check(slice));
    ck_assert_ptr_eq(((PySliceObject *)slice)->start, start);
    check_attribute(slice, "start", start);
    check_attribute(slice, "stop", Py_None);
    check_attribute(slice, "step", step);
    suite_failed(PyObject_SetAttrString(slice, "stop", step),
                 PyExc_AttributeError, "readonly attribute");
    ck_assert_int_eq(Py_REFCNT(start), 2);
    Py_DECREF(slice);
    ck_assert_int_eq(Py_REFCNT(start), 1);
    suite_drop(start, step);
}

START_TEST(slices_can_be_called_for)
{
    PyObject *type = (PyObject *)&PySlice_Type;
    PyObject *slice = PyObject_CallFunction(type, "i", 5);
    PyObject *repr = PyObject_Repr(slice);

    ck_assert_str_eq(PyUnicode_AsUTF8(repr), "slice(None, 5, None)");
    suite_drop(repr, slice);
    slice = PyObject_CallFunction(type, "is", 1, "x");
    repr = PyObject_Repr(slice);
    ck_assert_str_eq(PyUnicode_AsUTF8(repr), "slice(1, 'x', None)");
    suite_drop(repr, slice);
    suite_refused(PyObject_CallNoArgs(type), PyExc_TypeError,
                  "slice expected at least 1 argument, got 0");
    suite_refused(PyObject_CallFunction(type, "iiii", 1, 2, 3, 4),
                  PyExc_TypeError,
                  "slice expected at most 3 arguments, got 4");
}

START_TEST(slices_compare_as_tuples)
{
    PyObject *a = make("(nnn)", 1, 2, 3), *b = make("(nnn)", 1, 2, 3);
    PyObject *c = make("(nnn)", 1, 3, 0);

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, c, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(a, c, Py_NE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, c, Py_LT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, a, Py_LE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, Py_None, Py_EQ), 0);
    suite_drop(a, b, c);
}

/* N stands for None in the table below. */
#define N PY_SSIZE_T_MIN

static PyObject *
part(Py_ssize_t value)
{
    return value == N ? Py_NewRef(Py_None) : PyLong_FromSsize_t(value);
}

static const struct {
    Py_ssize_t parts[3], length, start, stop, step, count;
} table[] = {
    {{N, N, N}, 5, 0, 5, 1, 5},
    {{N, N, N}, 0, 0, 0, 1, 0},
    {{N, N, -1}, 5, 4, -1, -1, 5},
    {{N, N, -1}, 0, -1, -1, -1, 0},
    {{1, 4, 2}, 5, 1, 4, 2, 2},
    {{1, 5, 2}, 5, 1, 5, 2, 2},
    {{0, 5, 2}, 5, 0, 5, 2, 3},
    {{-3, -1, N}, 5, 2, 4, 1, 2},
    {{-100, 100, N}, 5, 0, 5, 1, 5},
    {{100, -100, -2}, 5, 4, -1, -2, 3},
    {{4, 1, N}, 5, 4, 1, 1, 0},
    {{1, 4, -1}, 5, 1, 4, -1, 0},
    {{N, N, PY_SSIZE_T_MAX}, 5, 0, 5, PY_SSIZE_T_MAX, 1},
    {{N, N, -PY_SSIZE_T_MAX}, 5, 4, -1, -PY_SSIZE_T_MAX, 1},
    {{N, N, 1}, PY_SSIZE_T_MAX, 0, PY_SSIZE_T_MAX, 1, PY_SSIZE_T_MAX},
};

START_TEST(indices_are_fitted_to_the_length)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(table); i++) {
        const Py_ssize_t *p = table[i].parts;
        PyObject *a = part(p[0]), *b = part(p[1]), *c = part(p[2]);
        PyObject *slice = PySlice_New(a, b, c);
        Py_ssize_t start, stop, step, count;

        ck_assert_int_eq(PySlice_GetIndicesEx(slice, table[i].length, &start,
                                              &stop, &step, &count),
                         0);
        ck_assert_int_eq(start, table[i].start);
        ck_assert_int_eq(stop, table[i].stop);
        ck_assert_int_eq(step, table[i].step);
        ck_assert_int_eq(count, table[i].count);

        PyObject *indices =
            PyObject_CallMethod(slice, "indices", "n", table[i].length);
        ck_assert_int_eq(
            PyArg_ParseTuple(indices, "nnn", &start, &stop, &step), 1);
        ck_assert_int_eq(start, table[i].start);
        ck_assert_int_eq(stop, table[i].stop);
        ck_assert_int_eq(step, table[i].step);
        suite_drop(indices, slice, a, b, c);
    }
}

START_TEST(unpack_cuts_off_what_is_too_large)
{
    PyObject *one = PyLong_FromLong(1), *eighty = PyLong_FromLong(80);
    PyObject *large = PyNumber_Lshift(one, eighty);
    PyObject *small = PyNumber_Negative(large);
    PyObject *slice = PySlice_New(small, large, small);
    Py_ssize_t start, stop, step;

    ck_assert_int_eq(PySlice_Unpack(slice, &start, &stop, &step), 0);
    ck_assert_int_eq(start, PY_SSIZE_T_MIN);
    ck_assert_int_eq(stop, PY_SSIZE_T_MAX);
    ck_assert_int_eq(step, -PY_SSIZE_T_MAX);
    suite_drop(slice, small, large, eighty, one);
}

START_TEST(bad_parts_are_refused)
{
    PyObject *slice = make("(nnn)", 0, 1, 0);
    Py_ssize_t start, stop, step;

    suite_failed(PySlice_Unpack(slice, &start, &stop, &step), PyExc_ValueError,
                 "slice step cannot be zero");
    suite_refused(PyObject_CallMethod(slice, "indices", "i", 5),
                  PyExc_ValueError, "slice step cannot be zero");
    Py_DECREF(slice);

    PyObject *text = PyUnicode_FromString("x");
    slice = PySlice_New(text, NULL, NULL);
    suite_failed(
        PySlice_Unpack(slice, &start, &stop, &step), PyExc_TypeError,
        "slice indices must be integers or None or have an __index__ method");
    suite_drop(slice, text);
}

START_TEST(bad_lengths_are_refused)
{
    PyObject *slice = PySlice_New(NULL, NULL, NULL);

    suite_refused(PyObject_CallMethod(slice, "indices", "i", -1),
                  PyExc_ValueError, "length should not be negative");
    suite_refused(PyObject_CallMethod(slice, "indices", "s", "x"),
                  PyExc_TypeError,
                  "'str' object cannot be interpreted as an integer");
    Py_DECREF(slice);
}

START_TEST(the_old_form_does_not_fit)
{
    PyObject *slice = make("(nnn)", -2, 5, 1);
    Py_ssize_t start, stop, step;

    ck_assert_int_eq(PySlice_GetIndices(slice, 5, &start, &stop, &step), 0);
    ck_assert_int_eq(start, 3);
    ck_assert_int_eq(stop, 5);
    ck_assert_int_eq(step, 1);
    ck_assert_int_eq(PySlice_GetIndices(slice, 4, &start, &stop, &step), -1);
    Py_DECREF(slice);

    slice = PySlice_New(NULL, NULL, NULL);
    ck_assert_int_eq(PySlice_GetIndices(slice, 4, &start, &stop, &step), 0);
    ck_assert_int_eq(start, 0);
    ck_assert_int_eq(stop, 4);
    Py_DECREF(slice);
}

START_TEST(a_slice_in_a_cycle_is_tracked)
{
    PyObject *list = PyList_New(0);
    PyObject *slice = PySlice_New(list, NULL, NULL);

    ck_assert_int_eq(PyObject_GC_IsTracked(slice), 1);
    ck_assert_int_eq(PyList_Append(list, slice), 0);
    Py_DECREF(slice);
    PyGC_Collect();
    ck_assert_int_eq(PyList_Size(list), 1);
    Py_DECREF(list);
    ck_assert_int_eq(PyGC_Collect(), 2);
}
