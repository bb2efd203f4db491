/* check_range.c: ranges. */

#include "suite.h"

static PyObject *const type = (PyObject *)&PyRange_Type;

static PyObject *
number(const char *digits)
{
    PyObject *op = PyLong_FromString(digits, NULL, 10);

    ck_assert_ptr_nonnull(op);
    return op;
}

/* range(start, stop, step). */
static PyObject *
range(const char *start, const char *stop, const char *step)
{
    PyObject *op = PyObject_CallFunction(type, "NNN", number(start),
                                         number(stop), number(step));
    ck_assert_ptr_nonnull(op);
    return op;
}

/* op as a list; steals it. */
static void
gives(PyObject *op, const char *text)
{
    ck_assert_ptr_nonnull(op);
    suite_new_repr(PySequence_List(op), text);
    Py_DECREF(op);
}

static PyObject *
reversed(PyObject *op)
{
    PyObject *it = PyObject_CallOneArg((PyObject *)&PyReversed_Type, op);

    Py_DECREF(op);
    return it;
}

/* op[start:stop:step], NULL being None; steals op. */
static PyObject *
slice(PyObject *op, const char *start, const char *stop, const char *step)
{
    PyObject *parts[3] = {start ? number(start) : NULL,
                          stop ? number(stop) : NULL,
                          step ? number(step) : NULL};
    PyObject *key = PySlice_New(parts[0], parts[1], parts[2]);
    PyObject *result = PyObject_GetItem(op, key);

    for (int i = 0; i < 3; i++)
        Py_XDECREF(parts[i]);
    Py_DECREF(key);
    Py_DECREF(op);
    return result;
}

START_TEST(arguments)
{
    PyObject *op = PyObject_CallFunction(type, "i", 5);

    ck_assert(PyRange_Check(op));
    ck_assert_int_eq(PyObject_IS_GC(op), 0);
    suite_new_int(PyObject_GetAttrString(op, "start"), 0);
    suite_new_int(PyObject_GetAttrString(op, "stop"), 5);
    suite_new_int(PyObject_GetAttrString(op, "step"), 1);
    ck_assert_int_eq(PyObject_SetAttrString(op, "start", Py_None), -1);
    suite_exception(PyExc_AttributeError, "readonly attribute");
    suite_new_repr(op, "range(0, 5)");
    suite_new_repr(PyObject_CallFunction(type, "ii", 1, 5), "range(1, 5)");
    suite_new_repr(range("1", "5", "2"), "range(1, 5, 2)");
    suite_new_repr(PyObject_CallOneArg(type, Py_True), "range(0, 1)");
}
END_TEST

START_TEST(bad_arguments)
{
    ck_assert_ptr_null(PyObject_CallFunction(type, "iii", 1, 5, 0));
    suite_exception(PyExc_ValueError, "range() arg 3 must not be zero");
    ck_assert_ptr_null(PyObject_CallNoArgs(type));
    suite_exception(PyExc_TypeError,
                    "range expected at least 1 argument, got 0");
    ck_assert_ptr_null(PyObject_CallFunction(type, "iiii", 1, 2, 3, 4));
    suite_exception(PyExc_TypeError,
                    "range expected at most 3 arguments, got 4");
    ck_assert_ptr_null(PyObject_CallFunction(type, "id", 1, 1.5));
    suite_exception(PyExc_TypeError,
                    "'float' object cannot be interpreted as an integer");
}
END_TEST

START_TEST(numbers_in_both_directions)
{
    gives(range("0", "5", "1"), "[0, 1, 2, 3, 4]");
    gives(range("5", "0", "-2"), "[5, 3, 1]");
    gives(range("5", "0", "1"), "[]");
    gives(range("0", "10", "20"), "[0]");
    gives(reversed(range("0", "10", "3")), "[9, 6, 3, 0]");
    gives(reversed(range("3", "3", "1")), "[]");
    gives(range("1180591620717411303424", "1180591620717411303426", "1"),
          "[1180591620717411303424, 1180591620717411303425]");
    gives(range("9223372036854775806", "9223372036854775809", "1"),
          "[9223372036854775806, 9223372036854775807, 9223372036854775808]");
    gives(range("-3", "170141183460469231731687303715884105727",
                "170141183460469231731687303715884105727"),
          "[-3, 170141183460469231731687303715884105724]");
    gives(reversed(range("-170141183460469231731687303715884105728",
                         "170141183460469231731687303715884105727",
                         "85070591730234615865843651857942052864")),
          "[85070591730234615865843651857942052864, 0, "
          "-85070591730234615865843651857942052864, "
          "-170141183460469231731687303715884105728]");
}
END_TEST

START_TEST(length_and_truth)
{
    PyObject *op = range("10", "0", "-3"), *it = PyObject_GetIter(op);

    ck_assert_int_eq(PyObject_Size(op), 4);
    ck_assert_int_eq(PyObject_IsTrue(op), 1);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 4);
    suite_new_int(PyIter_Next(it), 10);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 3);
    Py_DECREF(it);
    Py_DECREF(op);

    op = range("0", "0", "1");
    ck_assert_int_eq(PyObject_Size(op), 0);
    ck_assert_int_eq(PyObject_IsTrue(op), 0);
    Py_DECREF(op);

    op = range("0", "1180591620717411303424", "1");
    ck_assert_int_eq(PyObject_Size(op), -1);
    suite_exception(PyExc_OverflowError,
                    "Python int too large to convert to C ssize_t");
    ck_assert_int_eq(PyObject_IsTrue(op), 1);
    Py_DECREF(op);
}
END_TEST

START_TEST(items)
{
    PyObject *op = range("0", "10", "2"),
             *big = number("1180591620717411303424");

    suite_new_int(PySequence_GetItem(op, 2), 4);
    suite_new_int(PySequence_GetItem(op, -1), 8);
    ck_assert_ptr_null(PySequence_GetItem(op, 5));
    suite_exception(PyExc_IndexError, "range object index out of range");
    ck_assert_ptr_null(PyObject_GetItem(op, big));
    suite_exception(PyExc_IndexError, "range object index out of range");
    ck_assert_ptr_null(PyObject_GetItem(op, type));
    suite_exception(PyExc_TypeError,
                    "range indices must be integers or slices, not type");
    Py_DECREF(big);
    Py_DECREF(op);
}
END_TEST

START_TEST(slices_are_ranges)
{
    suite_new_repr(slice(range("0", "5", "1"), "1", "3", NULL), "range(1, 3)");
    suite_new_repr(slice(range("0", "10", "1"), NULL, NULL, "-2"),
                   "range(9, -1, -2)");
    suite_new_repr(slice(range("0", "10", "3"), "-3", "99", NULL),
                   "range(3, 12, 3)");
    suite_new_repr(slice(range("0", "10", "3"), "99", "-99", "-1"),
                   "range(9, -3, -3)");
    suite_new_repr(slice(range("0", "0", "1"), "1", "5", "-1"),
                   "range(-1, -1, -1)");
    suite_new_repr(
        slice(range("0", "1180591620717411303424", "1"), "-1", NULL, NULL),
        "range(1180591620717411303423, 1180591620717411303424)");
    ck_assert_ptr_null(slice(range("0", "5", "1"), NULL, NULL, "0"));
    suite_exception(PyExc_ValueError, "slice step cannot be zero");
}
END_TEST

/* Are these equal, and are their hashes if so? */
static int
equal(PyObject *a, PyObject *b)
{
    int result = PyObject_RichCompareBool(a, b, Py_EQ);

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_NE), !result);
    if (result)
        ck_assert_int_eq(PyObject_Hash(a), PyObject_Hash(b));
    Py_DECREF(a);
    Py_DECREF(b);
    return result;
}

START_TEST(equality_is_that_of_the_numbers)
{
    ck_assert(equal(range("0", "5", "2"), range("0", "6", "2")));
    ck_assert(equal(range("1", "1", "3"), range("2", "0", "1")));
    ck_assert(equal(range("1", "2", "3"), range("1", "5", "9")));
    ck_assert(!equal(range("0", "5", "2"), range("0", "7", "2")));
    ck_assert(!equal(range("0", "4", "2"), range("0", "2", "1")));
    ck_assert(!equal(range("0", "2", "1"), range("1", "3", "1")));

    PyObject *op = range("1", "5", "2");
    PyObject *parts = Py_BuildValue("(iii)", 2, 1, 2);
    ck_assert_int_eq(PyObject_Hash(op), PyObject_Hash(parts));
    ck_assert_ptr_null(PyObject_RichCompare(op, op, Py_LT));
    suite_exception(
        PyExc_TypeError,
        "'<' not supported between instances of 'range' and 'range'");
    Py_DECREF(parts);
    Py_DECREF(op);
}
END_TEST

START_TEST(searching)
{
    PyObject *op = range("10", "0", "-3"), *seven = number("7");
    PyObject *eight = number("8"), *four = PyFloat_FromDouble(4.0);

    ck_assert_int_eq(PySequence_Contains(op, seven), 1);
    ck_assert_int_eq(PySequence_Contains(op, eight), 0);
    ck_assert_int_eq(PySequence_Contains(op, four), 1);
    ck_assert_int_eq(PySequence_Contains(op, Py_True), 1);
    ck_assert_int_eq(PySequence_Contains(op, Py_None), 0);
    suite_new_int(PyObject_CallMethod(op, "index", "O", seven), 1);
    suite_new_int(PyObject_CallMethod(op, "index", "O", four), 2);
    suite_new_int(PyObject_CallMethod(op, "count", "O", seven), 1);
    suite_new_int(PyObject_CallMethod(op, "count", "O", four), 1);
    suite_new_int(PyObject_CallMethod(op, "count", "O", eight), 0);
    ck_assert_ptr_null(PyObject_CallMethod(op, "index", "O", eight));
    suite_exception(PyExc_ValueError, "8 is not in range");
    ck_assert_ptr_null(PyObject_CallMethod(op, "index", "O", Py_None));
    suite_exception(PyExc_ValueError, "sequence.index(x): x not in sequence");
    Py_DECREF(four);
    Py_DECREF(eight);
    Py_DECREF(seven);
    Py_DECREF(op);
}
END_TEST

START_TEST(parts_are_counted)
{
    PyObject *stop = number("100000"), *op = PyObject_CallOneArg(type, stop);

    ck_assert_int_eq(Py_REFCNT(stop), 2);
    PyObject *reduced = PyObject_CallMethod(op, "__reduce__", NULL);
    suite_new_repr(reduced, "(<class 'range'>, (0, 100000, 1))");
    Py_DECREF(op);
    ck_assert_int_eq(Py_REFCNT(stop), 1);
    ck_assert_ptr_null(PyObject_CallFunction(type, "OOi", stop, stop, 0));
    suite_exception(PyExc_ValueError, NULL);
    ck_assert_int_eq(Py_REFCNT(stop), 1);
    Py_DECREF(stop);
}
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {arguments, 0},
        {bad_arguments, 0},
        {numbers_in_both_directions, 0},
        {length_and_truth, 0},
        {items, 0},
        {slices_are_ranges, 0},
        {equality_is_that_of_the_numbers, 0},
        {searching, 0},
        {parts_are_counted, 0},
        {NULL, 0},
    };

    return suite_run("ranges", tests);
}
