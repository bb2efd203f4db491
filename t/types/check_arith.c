/* check_arith.c: reckoning with int and float: rounding, signs, types that
   return others' numbers; iterators that count. */

#include "../support/suite.h"

#include <math.h>

/* The int that text spells. */
static PyObject *
whole(const char *text)
{
    return suite_require(PyLong_FromString(text, NULL, 0));
}

/* The result of function(a, b), both of which are given away. */
static PyObject *
of_two(PyObject *(*function)(PyObject *, PyObject *), PyObject *a, PyObject *b)
{
    PyObject *result = function(a, b);

    suite_drop(a, b);
    return result;
}

/* What the slots below return. */
static PyObject *answer;

/* An instance of a class derived from base; args is given away. */
static PyObject *
instance_of(PyTypeObject *base, PyObject *args)
{
    PyObject *type = suite_class("s(O){}", "Sub", (PyObject *)base);
    PyObject *op = PyObject_CallObject(type, args);
    Py_DECREF(type);
    Py_XDECREF(args);
    ck_assert_ptr_nonnull(op);
    return op;
}

/* ------------------------------------------------------------------ */
/* int                                                                 */

START_TEST(quotients_of_ints)
{
    static const struct {
        const char *a, *b, *quotient;
    } cases[] = {
        {"1", "3", "0.3333333333333333"},
        {"-2", "3", "-0.6666666666666666"},
        {"7", "-2", "-3.5"},
        {"-7", "-2", "3.5"},
        {"10", "5", "2.0"},
        {"9007199254740993", "1", "9007199254740992.0"}, /* a tie: to even */
        {"9007199254740995", "1", "9007199254740996.0"},
        {"18014398509481987", "2", "9007199254740994.0"},
        {"18014398509481985", "2", "9007199254740992.0"}, /* 2^53 + 1/2 */
        {"123456789012345678901234567890", "7", "1.763668414462081e+28"},
        {"1", "170141183460469231731687303715884105727",
         "5.877471754111438e-39"},
        {"0", "-5", "-0.0"},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++)
        suite_new_repr(
            of_two(PyNumber_TrueDivide, whole(cases[i].a), whole(cases[i].b)),
            cases[i].quotient);
    suite_refused(of_two(PyNumber_TrueDivide, whole("1"), whole("0")),
                  PyExc_ZeroDivisionError, "division by zero");
}

static PyObject *
power(const char *base, const char *exponent, const char *modulus)
{
    PyObject *a = whole(base), *b = whole(exponent), *m = whole(modulus);
    PyObject *result = PyNumber_Power(a, b, m);

    suite_drop(a, b, m);
    return result;
}

START_TEST(powers_to_a_modulus)
{
    suite_new_int(power("-3", "3", "10"), 3);
    suite_new_int(power("-3", "2", "10"), 9);
    suite_new_int(power("-3", "3", "-10"), -7);
    suite_new_int(power("-20", "3", "10"), 0);
    suite_new_int(power("3", "-1", "7"), 5);
    suite_new_int(power("-3", "-1", "7"), 2);
    suite_new_int(power("3", "0", "1"), 0);
    suite_new_int(power("0x7fffffffffffffffffff", "0xffff", "1000003"),
                  893688);
    suite_refused(power("2", "-1", "4"), PyExc_ValueError,
                  "base is not invertible for the given modulus");
    suite_refused(power("2", "1", "0"), PyExc_ValueError,
                  "pow() 3rd argument cannot be 0");
}

static PyObject *
make_int(PyObject *x, int base)
{
    return PyObject_CallFunction((PyObject *)&PyLong_Type, "Ni", x, base);
}

START_TEST(ints_from_bytes)
{
    suite_new_int(make_int(PyBytes_FromString(" -7f_f "), 16), -0x7ff);
    suite_new_int(make_int(PyByteArray_FromStringAndSize("0b11", 4), 0), 3);
    suite_refused(make_int(PyBytes_FromStringAndSize("1\0", 2), 10),
                  PyExc_ValueError,
                  "invalid literal for int() with base 10: b'1\\x00'");
    suite_refused(make_int(PyBytes_FromString("12"), 2), PyExc_ValueError,
                  "invalid literal for int() with base 2: b'12'");
    suite_refused(make_int(PyLong_FromLong(1), 10), PyExc_TypeError,
                  "int() can't convert non-string with explicit base");
    suite_refused(make_int(PyUnicode_FromString("1"), 37), PyExc_ValueError,
                  "int() base must be >= 2 and <= 36, or 0");
    PyObject *kwargs = Py_BuildValue("{si}", "base", 3);
    PyObject *args = PyTuple_New(0);
    suite_refused(PyObject_Call((PyObject *)&PyLong_Type, args, kwargs),
                  PyExc_TypeError, "int() missing string argument");
    suite_drop(args, kwargs);
}

/* ------------------------------------------------------------------ */
/* float                                                               */

static int
compares(double a, const char *b, int op)
{
    PyObject *x = PyFloat_FromDouble(a), *y = whole(b);
    int one = PyObject_RichCompareBool(x, y, op);

    suite_drop(x, y);
    return one;
}

static int
compares_back(const char *a, double b, int op)
{
    PyObject *x = whole(a), *y = PyFloat_FromDouble(b);
    int one = PyObject_RichCompareBool(x, y, op);

    suite_drop(x, y);
    return one;
}

/* Exactly: 2^53 + 1 is no float. */
START_TEST(floats_and_ints_in_order)
{
    static const char big[] = "9007199254740993";
    const double near = 9007199254740992.0;

    ck_assert_int_eq(compares(near, big, Py_LT), 1);
    ck_assert_int_eq(compares(near, big, Py_LE), 1);
    ck_assert_int_eq(compares(near, big, Py_GT), 0);
    ck_assert_int_eq(compares(near, big, Py_EQ), 0);
    ck_assert_int_eq(compares_back(big, near, Py_GT), 1);
    ck_assert_int_eq(compares_back(big, near, Py_GE), 1);
    ck_assert_int_eq(compares_back(big, near, Py_LE), 0);
    ck_assert_int_eq(compares_back(big, near, Py_LT), 0);
    ck_assert_int_eq(compares_back(big, near, Py_NE), 1);
    ck_assert_int_eq(compares(INFINITY, big, Py_GT), 1);
    ck_assert_int_eq(compares(-INFINITY, big, Py_GE), 0);
    ck_assert_int_eq(compares(NAN, big, Py_NE), 1);
    ck_assert_int_eq(compares(NAN, big, Py_LE), 0);
    ck_assert_int_eq(compares_back(big, NAN, Py_GE), 0);
}

static PyObject *
fraction(double v)
{
    return PyFloat_FromDouble(v);
}

START_TEST(floor_division_of_floats)
{
    suite_new_repr(of_two(PyNumber_FloorDivide, fraction(1), fraction(0.1)),
                   "9.0");
    suite_new_repr(of_two(PyNumber_Divmod, fraction(-7), fraction(2)),
                   "(-4.0, 1.0)");
    suite_new_repr(of_two(PyNumber_Divmod, fraction(7), fraction(-2)),
                   "(-4.0, -1.0)");
    suite_new_repr(of_two(PyNumber_Divmod, fraction(-6), fraction(2)),
                   "(-3.0, 0.0)");
    suite_new_repr(of_two(PyNumber_Divmod, fraction(6), fraction(-2)),
                   "(-3.0, -0.0)");
    suite_new_repr(of_two(PyNumber_Divmod, fraction(-0.0), fraction(2)),
                   "(-0.0, 0.0)");
    suite_new_repr(of_two(PyNumber_Divmod, fraction(5), fraction(INFINITY)),
                   "(0.0, 5.0)");
    suite_new_repr(of_two(PyNumber_Divmod, fraction(-5), fraction(INFINITY)),
                   "(-1.0, inf)");
    suite_new_repr(of_two(PyNumber_Remainder, fraction(-1e-20), fraction(3)),
                   "3.0");
    suite_refused(of_two(PyNumber_Divmod, fraction(1), fraction(0)),
                  PyExc_ZeroDivisionError, NULL);
}

START_TEST(parts_of_a_float)
{
    PyObject *x = fraction(-1.5), *args = Py_BuildValue("(d)", -1.5);
    PyObject *sub = instance_of(&PyFloat_Type, args);

    suite_new_repr(PyNumber_Absolute(x), "1.5");
    suite_new_repr(PyObject_GetAttrString(x, "real"), "-1.5");
    suite_new_repr(PyObject_GetAttrString(x, "imag"), "0.0");
    suite_new_same(PyObject_CallMethod(x, "conjugate", NULL), x);
    PyObject *plain = PyObject_CallMethod(sub, "conjugate", NULL);
    ck_assert(PyFloat_CheckExact(plain));
    Py_SETREF(plain, PyNumber_Float(sub));
    ck_assert(PyFloat_CheckExact(plain));
    suite_drop(plain, sub, x);
}

/* ------------------------------------------------------------------ */
/* Types whose slots return others' numbers                            */

static PyObject *
slot_answer(PyObject *Py_UNUSED(op))
{
    return Py_XNewRef(answer);
}

static PyNumberMethods odd_as_number = {
    .nb_int = slot_answer, .nb_index = slot_answer, .nb_float = slot_answer};
static PyTypeObject Odd_Type = {SUITE_TYPE("Odd"),
                                .tp_as_number = &odd_as_number};

/* A subclass's instance is taken; if warnings are shown there is one. */
START_TEST(numbers_of_a_subclass)
{
    ck_assert_int_eq(PyType_Ready(&Odd_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Odd_Type);

    answer = instance_of(&PyFloat_Type, Py_BuildValue("(d)", 2.5));
    suite_catch_stderr();
    ck_assert(PyFloat_AsDouble(op) == 2.5);
    free(suite_caught_stderr());
    Py_DECREF(answer);

    answer = instance_of(&PyLong_Type, Py_BuildValue("(i)", 7));
    suite_catch_stderr();
    PyObject *seven = PyNumber_Long(op);
    free(suite_caught_stderr());
    ck_assert(PyLong_CheckExact(seven));
    suite_new_int(seven, 7);
    suite_catch_stderr();
    seven = PyNumber_Index(op);
    free(suite_caught_stderr());
    ck_assert(PyLong_CheckExact(seven));
    suite_new_int(seven, 7);
    Py_DECREF(answer);
    answer = NULL;
    PyErr_SetString(PyExc_KeyError, "x");
    ck_assert(PyFloat_AsDouble(op) == -1.0);
    suite_exception(PyExc_KeyError, NULL);
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* Iterators and slices                                                */

static Py_ssize_t item_count; /* -1: no length */

static Py_ssize_t
items_length(PyObject *Py_UNUSED(op))
{
    return item_count;
}

static PyObject *item_problem; /* raised behind the last item */

static PyObject *
items_item(PyObject *Py_UNUSED(op), Py_ssize_t i)
{
    if (i >= 0 && i < 2)
        return PyLong_FromSsize_t(i);
    PyErr_SetString(item_problem, "no item");
    return NULL;
}

static PySequenceMethods items_as_sequence = {.sq_item = items_item};
static PyTypeObject Items_Type = {SUITE_TYPE("Items"),
                                  .tp_as_sequence = &items_as_sequence};

START_TEST(iterators_over_items)
{
    ck_assert_int_eq(PyType_Ready(&Items_Type), 0);
    PyObject *op = PyObject_New(PyObject, &Items_Type);
    PyObject *it = PyObject_GetIter(op);

    suite_new_repr(PyObject_CallMethod(it, "__length_hint__", NULL),
                   "NotImplemented");
    items_as_sequence.sq_length = items_length;
    item_count = 5;
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 5);
    suite_new_int(PyIter_Next(it), 0);
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 4);
    item_count = 0;
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 0);
    suite_new_int(PyIter_Next(it), 1);
    item_problem = PyExc_KeyError;
    suite_refused(PyIter_Next(it), PyExc_KeyError, NULL);
    item_problem = PyExc_IndexError;
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 0);
    Py_DECREF(it);

    item_count = 5; /* more than there are */
    it = PyObject_CallOneArg((PyObject *)&PyReversed_Type, op);
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(it);
    item_problem = PyExc_KeyError;
    it = PyObject_CallOneArg((PyObject *)&PyReversed_Type, op);
    suite_refused(PyIter_Next(it), PyExc_KeyError, NULL);
    ck_assert_ptr_null(PyIter_Next(it)); /* over */
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(it);
    items_as_sequence.sq_length = NULL;
    Py_DECREF(op);
}

START_TEST(iterators_in_step)
{
    PyObject *zip = (PyObject *)&PyZip_Type;
    PyObject *kwargs = Py_BuildValue("{sO}", "strict", Py_True);
    PyObject *args = Py_BuildValue("([ii](i))", 1, 2, 3);
    PyObject *it = PyObject_Call(zip, args, kwargs);

    suite_new_repr(PyIter_Next(it), "(1, 3)");
    suite_refused(PyIter_Next(it), PyExc_ValueError,
                  "zip() argument 2 is shorter than argument 1");
    suite_drop(it, args);
    args = Py_BuildValue("((i)[ii])", 1, 2, 3);
    it = PyObject_Call(zip, args, kwargs);
    suite_new_repr(PyIter_Next(it), "(1, 2)");
    suite_refused(PyIter_Next(it), PyExc_ValueError,
                  "zip() argument 2 is longer than argument 1");
    suite_drop(it, args);
    args = Py_BuildValue("((i)(i))", 1, 2);
    it = PyObject_Call(zip, args, kwargs);
    suite_new_repr(PyIter_Next(it), "(1, 2)");
    ck_assert_ptr_null(PyIter_Next(it));
    ck_assert_ptr_null(PyErr_Occurred());
    suite_drop(it, args, kwargs);
}

START_TEST(contained_in_tuples)
{
    PyObject *tuple = Py_BuildValue("(iis)", 1, 2, "x");
    PyObject *x = PyUnicode_FromString("x"), *empty = PyTuple_New(0);

    ck_assert_int_eq(PySequence_Contains(tuple, x), 1);
    ck_assert_int_eq(PySequence_Contains(tuple, Py_None), 0);
    PyObject *same = PySequence_Concat(tuple, empty);
    ck_assert_ptr_eq(same, tuple);
    Py_SETREF(same, PySequence_Concat(empty, tuple));
    ck_assert_ptr_eq(same, tuple);
    suite_drop(same, tuple, x, empty);
    ck_assert_int_eq(Py_IsTrue(Py_True), 1);
    ck_assert_int_eq(Py_IsTrue(Py_None), 0);
    ck_assert_int_eq(Py_IsFalse(Py_False), 1);
    ck_assert_int_eq(Py_IsFalse(Py_True), 0);
}
