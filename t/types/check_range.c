/* check_range.c: ranges. */

#include "../support/suite.h"

static PyObject *const type = (PyObject *)&PyRange_Type;

static PyObject *
number(const char *digits)
{
    return suite_require(PyLong_FromString(digits, NULL, 10));
}

/* range(start, stop, step). */
static PyObject *
range(const char *start, const char *stop, const char *step)
{
    return suite_require(PyObject_CallFunction(type, "NNN", number(start),
                                               number(stop), number(step)));
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
    suite_drop(key, op);
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
    suite_failed(PyObject_SetAttrString(op, "start", Py_None),
                 PyExc_AttributeError, "readonly attribute");
    suite_new_repr(op, "range(0, 5)");
    suite_new_repr(PyObject_CallFunction(type, "ii", 1, 5), "range(1, 5)");
    suite_new_repr(range("1", "5", "2"), "range(1, 5, 2)");
    suite_new_repr(PyObject_CallOneArg(type, Py_True), "range(0, 1)");
}

START_TEST(bad_arguments)
{
    suite_refused(PyObject_CallFunction(type, "iii", 1, 5, 0),
                  PyExc_ValueError, "range() arg 3 must not be zero");
    suite_refused(PyObject_CallNoArgs(type), PyExc_TypeError,
                  "range expected at least 1 argument, got 0");
    suite_refused(PyObject_CallFunction(type, "iiii", 1, 2, 3, 4),
                  PyExc_TypeError,
                  "range expected at most 3 arguments, got 4");
    suite_refused(PyObject_CallFunction(type, "id", 1, 1.5), PyExc_TypeError,
                  "'float' object cannot be interpreted as an integer");
}

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

START_TEST(numbers_of_any_size)
{
    PyObject *op = range("0",
                         "1606938044258990275541962092341162602522202993782"
                         "792835301376",
                         "803469022129495137770981046170581301261101496891396"
                         "417650688"); /* 2 ** 200 in two steps */
    PyObject *it = suite_require(PyObject_GetIter(op)), *last = number("-1");

    ck_assert(Py_IS_TYPE(it, &PyLongRangeIter_Type));
    ck_assert_int_eq(PyObject_Size(op), 2);
    suite_new_repr(PyObject_GetItem(op, last),
                   "803469022129495137770981046170581301261101496891396417650"
                   "688");
    suite_new_int(PyIter_Next(it), 0);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 1);
    suite_drop(it, last);
    gives(reversed(op), "[8034690221294951377709810461705813012611014968913964"
                        "17650688, 0]");
}

START_TEST(length_and_truth)
{
    PyObject *op = range("10", "0", "-3"), *it = PyObject_GetIter(op);

    ck_assert_int_eq(PyObject_Size(op), 4);
    ck_assert_int_eq(PyObject_IsTrue(op), 1);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 4);
    suite_new_int(PyIter_Next(it), 10);
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 3);
    suite_drop(it, op);

    op = range("0", "0", "1");
    ck_assert_int_eq(PyObject_Size(op), 0);
    ck_assert_int_eq(PyObject_IsTrue(op), 0);
    Py_DECREF(op);

    op = range("0", "1180591620717411303424", "1");
    suite_failed(PyObject_Size(op), PyExc_OverflowError,
                 "Python int too large to convert to C ssize_t");
    ck_assert_int_eq(PyObject_IsTrue(op), 1);
    Py_DECREF(op);
}

START_TEST(items)
{
    PyObject *op = range("0", "10", "2"),
             *big = number("1180591620717411303424");

    suite_new_int(PySequence_GetItem(op, 2), 4);
    suite_new_int(PySequence_GetItem(op, -1), 8);
    suite_refused(PySequence_GetItem(op, 5), PyExc_IndexError,
                  "range object index out of range");
    suite_refused(PyObject_GetItem(op, big), PyExc_IndexError,
                  "range object index out of range");
    suite_refused(PyObject_GetItem(op, type), PyExc_TypeError,
                  "range indices must be integers or slices, not type");
    suite_drop(big, op);
}

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
    suite_refused(slice(range("0", "5", "1"), NULL, NULL, "0"),
                  PyExc_ValueError, "slice step cannot be zero");
}

/* Are these equal, and are their hashes if so? */
static int
equal(PyObject *a, PyObject *b)
{
    int result = PyObject_RichCompareBool(a, b, Py_EQ);

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_NE), !result);
    if (result)
        ck_assert_int_eq(PyObject_Hash(a), PyObject_Hash(b));
    suite_drop(a, b);
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
    suite_refused(
        PyObject_RichCompare(op, op, Py_LT), PyExc_TypeError,
        "'<' not supported between instances of 'range' and 'range'");
    suite_drop(parts, op);
}

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
    suite_refused(PyObject_CallMethod(op, "index", "O", eight),
                  PyExc_ValueError, "8 is not in range");
    suite_refused(PyObject_CallMethod(op, "index", "O", Py_None),
                  PyExc_ValueError, "sequence.index(x): x not in sequence");
    suite_drop(four, eight, seven, op);
}

START_TEST(parts_are_counted)
{
    PyObject *stop = number("100000"), *op = PyObject_CallOneArg(type, stop);

    ck_assert_int_eq(Py_REFCNT(stop), 2);
    suite_new_repr(PyObject_CallMethod(op, "__reduce__", NULL),
                   "(<class 'range'>, (0, 100000, 1))");
    Py_DECREF(op);
    ck_assert_int_eq(Py_REFCNT(stop), 1);
    suite_refused(PyObject_CallFunction(type, "OOi", stop, stop, 0),
                  PyExc_ValueError, NULL);
    ck_assert_int_eq(Py_REFCNT(stop), 1);
    Py_DECREF(stop);
}
