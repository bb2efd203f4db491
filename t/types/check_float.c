/* check_float.c: float and complex, and the PyOS_ functions behind them. */

#include "../support/suite.h"

#include <locale.h>

/* function(a, b) has the repr. */
static void
assert_binary(binaryfunc function, double a, double b, const char *repr)
{
    PyObject *x = PyFloat_FromDouble(a), *y = PyFloat_FromDouble(b);

    suite_new_repr(function(x, y), repr);
    suite_drop(x, y);
}

START_TEST(repr_is_the_shortest)
{
    static const struct {
        double value;
        const char *repr;
    } cases[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {1.0, "1.0"},
        {0.1, "0.1"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {1e-4, "0.0001"},
        {1e-5, "1e-05"},
        {1.0 / 3, "0.3333333333333333"},
        {5e-324, "5e-324"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {7.120236347223045e-307, "7.120236347223045e-307"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++)
        suite_new_repr(PyFloat_FromDouble(cases[i].value), cases[i].repr);
}

/* PyOS_double_to_string gives the text. */
static void
assert_text(double v, char code, int precision, int flags, const char *text)
{
    int type = -1;
    char *got =
        suite_require(PyOS_double_to_string(v, code, precision, flags, &type));
    ck_assert_str_eq(got, text);
    ck_assert_int_eq(type, isnan(v)   ? Py_DTST_NAN
                           : isinf(v) ? Py_DTST_INFINITE
                                      : Py_DTST_FINITE);
    PyMem_Free(got);
}

START_TEST(double_to_string)
{
    assert_text(3.14159, 'f', 2, 0, "3.14");
    assert_text(3.14159, 'e', 3, Py_DTSF_SIGN, "+3.142e+00");
    assert_text(100.0, 'g', 6, Py_DTSF_ADD_DOT_0, "100.0");
    assert_text(100.0, 'G', 6, Py_DTSF_ALT, "100.000");
    assert_text(-0.001, 'f', 1, Py_DTSF_NO_NEG_0, "0.0");
    assert_text(-0.1, 'f', 1, Py_DTSF_NO_NEG_0, "-0.1");
    assert_text(5.0, 'r', 0, 0, "5");
    assert_text(Py_INFINITY, 'E', 3, Py_DTSF_SIGN, "+INF");
    assert_text(Py_NAN, 'r', 0, Py_DTSF_ADD_DOT_0, "nan");
    suite_refused(PyOS_double_to_string(1.0, 'x', 0, 0, NULL),
                  PyExc_SystemError, NULL);
    suite_refused(PyOS_double_to_string(1.0, 'r', 3, 0, NULL),
                  PyExc_SystemError, NULL);
}

START_TEST(string_to_double)
{
    char *end;

    ck_assert(PyOS_string_to_double("-1.5e3", NULL, NULL) == -1500.0);
    ck_assert(PyOS_string_to_double("2.5e", &end, NULL) == 2.5);
    ck_assert_str_eq(end, "e");
    ck_assert(PyOS_string_to_double("0x10", &end, NULL) == 0.0);
    ck_assert_str_eq(end, "x10");
    ck_assert(PyOS_string_to_double("-Infinity", NULL, NULL) == -INFINITY);
    ck_assert(isnan(PyOS_string_to_double("nan", NULL, NULL)));
    ck_assert(PyOS_string_to_double("1e999", NULL, NULL) == HUGE_VAL);
    ck_assert(PyOS_string_to_double("1e999", NULL, PyExc_OverflowError) ==
              -1.0);
    suite_exception(PyExc_OverflowError,
                    "value too large to convert to float: '1e999'");
    ck_assert(PyOS_string_to_double(" 1", NULL, NULL) == -1.0);
    suite_exception(PyExc_ValueError,
                    "could not convert string to float: ' 1'");
}

START_TEST(locale_does_not_matter)
{
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL &&
        setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL)
        ck_assert_ptr_nonnull(setlocale(LC_NUMERIC, "C"));
    ck_assert(PyOS_string_to_double("1.5", NULL, NULL) == 1.5);
    assert_text(1.5, 'f', 2, 0, "1.50");
    assert_text(1.5, 'r', 0, 0, "1.5");
    suite_new_repr(PyObject_CallMethod((PyObject *)&PyFloat_Type, "fromhex",
                                       "s", "0x1.8"),
                   "1.5");
}

START_TEST(from_string)
{
    static const char *const good[] = {" 12.5\n", "1_2.5", "+12.50e0",
                                       "125e-1"};
    static const char *const bad[] = {"",     "1__0", "_1",  "1_",
                                      "1._5", "abc",  "1 2", "0x1"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(good); i++) {
        PyObject *text = PyUnicode_FromString(good[i]);
        suite_new_repr(PyFloat_FromString(text), "12.5");
        Py_DECREF(text);
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(bad); i++) {
        char expected[100];
        PyObject *text = PyUnicode_FromString(bad[i]);
        snprintf(expected, sizeof expected,
                 "could not convert string to float: '%s'", bad[i]);
        suite_refused(PyFloat_FromString(text), PyExc_ValueError, expected);
        Py_DECREF(text);
    }
    PyObject *list = PyList_New(0);
    suite_refused(
        PyFloat_FromString(list), PyExc_TypeError,
        "float() argument must be a string or a real number, not 'list'");
    Py_DECREF(list);
}

START_TEST(as_double)
{
    PyObject *seven = PyLong_FromLong(7), *text = PyUnicode_FromString("7");

    ck_assert(PyFloat_AsDouble(seven) == 7.0);
    ck_assert(PyFloat_AsDouble(Py_True) == 1.0);
    ck_assert(PyFloat_AsDouble(text) == -1.0);
    suite_exception(PyExc_TypeError, "must be real number, not str");
    ck_assert(PyFloat_AsDouble(NULL) == -1.0);
    suite_exception(PyExc_TypeError,
                    "bad argument type for built-in operation");
    ck_assert(PyFloat_GetMax() == DBL_MAX && PyFloat_GetMin() == DBL_MIN);
    Py_DECREF(text);
}

START_TEST(floor_division_and_modulo)
{
    assert_binary(PyNumber_FloorDivide, 7.0, -2.0, "-4.0");
    assert_binary(PyNumber_Remainder, 7.0, -2.0, "-1.0");
    assert_binary(PyNumber_FloorDivide, -1.0, 10.0, "-1.0");
    assert_binary(PyNumber_Remainder, -1e-20, 3.0, "3.0");
    assert_binary(PyNumber_Remainder, -6.0, 3.0, "0.0");
    assert_binary(PyNumber_Remainder, 6.0, -3.0, "-0.0");
    assert_binary(PyNumber_FloorDivide, 0.0, -3.0, "-0.0");
    assert_binary(PyNumber_FloorDivide, 1.0, 0.1, "9.0");
    assert_binary(PyNumber_Divmod, -7.5, 2.0, "(-4.0, 0.5)");
    assert_binary(PyNumber_Remainder, -1.0, INFINITY, "inf");
}

START_TEST(arithmetic_errors)
{
    PyObject *x = PyFloat_FromDouble(3.14), *zero = PyLong_FromLong(0);
    PyObject *large = PyFloat_FromDouble(1e300);
    PyObject *minus = PyLong_FromLong(-1), *nil = PyFloat_FromDouble(0.0);

    suite_refused(PyNumber_TrueDivide(x, zero), PyExc_ZeroDivisionError,
                  "float division by zero");
    suite_refused(PyNumber_FloorDivide(x, zero), PyExc_ZeroDivisionError,
                  "float floor division by zero");
    suite_refused(PyNumber_Remainder(x, zero), PyExc_ZeroDivisionError,
                  "float modulo");
    suite_refused(PyNumber_Divmod(x, zero), PyExc_ZeroDivisionError,
                  "float divmod()");
    suite_refused(PyNumber_Power(nil, minus, Py_None), PyExc_ZeroDivisionError,
                  "0.0 cannot be raised to a negative power");
    suite_refused(PyNumber_Power(large, large, Py_None), PyExc_OverflowError,
                  NULL);
    suite_refused(
        PyNumber_Power(x, x, x), PyExc_TypeError,
        "pow() 3rd argument not allowed unless all arguments are integers");
    suite_refused(PyNumber_Lshift(x, zero), PyExc_TypeError,
                  "unsupported operand type(s) for <<: 'float' and 'int'");
    suite_drop(x, large, nil);
}

START_TEST(mixed_arithmetic)
{
    PyObject *two = PyLong_FromLong(2), *half = PyFloat_FromDouble(0.5);

    suite_new_repr(PyNumber_Add(two, half), "2.5");
    suite_new_repr(PyNumber_Subtract(half, two), "-1.5");
    suite_new_repr(PyNumber_Multiply(Py_True, half), "0.5");
    suite_new_repr(PyNumber_TrueDivide(two, half), "4.0");
    suite_new_repr(PyNumber_Power(two, half, Py_None), "1.4142135623730951");
    suite_new_repr(PyNumber_Negative(half), "-0.5");
    suite_new_repr(PyNumber_Long(half), "0");
    PyObject *zero = PyLong_FromLong(0);
    PyObject *infinity = PyFloat_FromDouble(-Py_INFINITY);
    suite_new_repr(PyNumber_Power(zero, infinity, Py_None), "inf");
    Py_DECREF(infinity);
    ck_assert_int_eq(PyObject_IsTrue(half), 1);
    ck_assert_int_eq(Py_REFCNT(half), 1);
    Py_DECREF(half);
}

START_TEST(nan_compares_unequal)
{
    PyObject *nan = PyFloat_FromDouble(Py_NAN), *one = PyLong_FromLong(1);
    static const int operators[] = {Py_LT, Py_LE, Py_EQ, Py_GT, Py_GE};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(operators); i++) {
        ck_assert_ptr_eq(PyObject_RichCompare(nan, nan, operators[i]),
                         Py_False);
        ck_assert_ptr_eq(PyObject_RichCompare(nan, one, operators[i]),
                         Py_False);
        ck_assert_ptr_eq(PyObject_RichCompare(one, nan, operators[i]),
                         Py_False);
    }
    ck_assert_ptr_eq(PyObject_RichCompare(nan, one, Py_NE), Py_True);
    Py_DECREF(nan);
}

START_TEST(hashing)
{
    static const struct {
        double value;
        Py_hash_t hash;
    } cases[] = {{1.5, 1152921504606846977},
                 {-1.0, -2},
                 {INFINITY, 314159},
                 {-INFINITY, -314159},
                 {0x1p61, 1},
                 {0x1p100, 549755813888},
                 {0.0, 0},
                 {-0.0, 0}};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        PyObject *op = PyFloat_FromDouble(cases[i].value);
        ck_assert_int_eq(PyObject_Hash(op), cases[i].hash);
        Py_DECREF(op);
    }
}

START_TEST(ratios_are_exact)
{
    PyObject *op = PyFloat_FromDouble(-0x1p-126);

    suite_new_repr(PyObject_CallMethod(op, "as_integer_ratio", NULL),
                   "(-1, 85070591730234615865843651857942052864)");
    Py_SETREF(op, PyFloat_FromDouble(-0x1p127));
    suite_new_repr(PyObject_CallMethod(op, "as_integer_ratio", NULL),
                   "(-170141183460469231731687303715884105728, 1)");
    Py_SETREF(op, PyFloat_FromDouble(0x1p-130));
    suite_new_repr(PyObject_CallMethod(op, "as_integer_ratio", NULL),
                   "(1, 1361129467683753853853498429727072845824)");
    Py_SETREF(op, PyFloat_FromDouble(NAN));
    suite_refused(PyObject_CallMethod(op, "as_integer_ratio", NULL),
                  PyExc_ValueError, "cannot convert NaN to integer ratio");
    Py_SETREF(op, PyFloat_FromDouble(0.0));
    suite_new_repr(PyObject_CallMethod(op, "as_integer_ratio", NULL),
                   "(0, 1)");
    Py_DECREF(op);
}

START_TEST(rounding)
{
    static const struct {
        double value;
        const char *method, *repr;
    } to_int[] = {
        {2.5, "__round__", "2"},   {-1.5, "__round__", "-2"},
        {0.75, "__round__", "1"},  {-1.5, "__trunc__", "-1"},
        {-1.5, "__floor__", "-2"}, {-1.5, "__ceil__", "-1"},
    };
    static const struct {
        double value;
        int digits;
        const char *repr;
    } to_digits[] = {
        {2.675, 2, "2.67"},     {-0.25, 1, "-0.2"},    {1e22, 400, "1e+22"},
        {-0.0, 1, "-0.0"},      {NAN, 1, "nan"},       {1234.5, -2, "1200.0"},
        {-55.0, -1, "-60.0"},   {500.0, -3, "0.0"},    {500.5, -3, "1000.0"},
        {501.0, -3, "1000.0"},  {600.0, -3, "1000.0"}, {500.0, -4, "0.0"},
        {1.7e308, -400, "0.0"},
    };
    PyObject *op = PyFloat_FromDouble(DBL_MAX);

    suite_refused(PyObject_CallMethod(op, "__round__", "i", -308),
                  PyExc_OverflowError, "rounded value too large to represent");
    suite_refused(PyObject_CallMethod(op, "__round__", "s", "1"),
                  PyExc_TypeError, NULL);
    suite_refused(PyObject_CallMethod(op, "__round__", "ii", 1, 2),
                  PyExc_TypeError, NULL);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(to_int); i++) {
        Py_SETREF(op, PyFloat_FromDouble(to_int[i].value));
        suite_new_repr(PyObject_CallMethod(op, to_int[i].method, NULL),
                       to_int[i].repr);
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(to_digits); i++) {
        Py_SETREF(op, PyFloat_FromDouble(to_digits[i].value));
        suite_new_repr(
            PyObject_CallMethod(op, "__round__", "i", to_digits[i].digits),
            to_digits[i].repr);
    }
    Py_DECREF(op);
}

START_TEST(hexadecimal)
{
    static const struct {
        double value;
        const char *repr;
    } written[] = {
        {-0.0, "'-0x0.0p+0'"},
        {INFINITY, "'inf'"},
        {-1.5, "'-0x1.8000000000000p+0'"},
        {5e-324, "'0x0.0000000000001p-1022'"},
    };
    static const char *const read[][2] = {
        {" -0x1.8P+1\n", "-3.0"},        {".8", "0.5"},      {"+inf", "inf"},
        {"0x1.00000000000008p0", "1.0"}, {"1p-9999", "0.0"},
    };
    static const char *const bad[] = {"", "0x", "1p", "1.8.", "nonsense", "g"};
    PyObject *type = (PyObject *)&PyFloat_Type;

    for (size_t i = 0; i < Py_ARRAY_LENGTH(written); i++) {
        PyObject *op = PyFloat_FromDouble(written[i].value);
        suite_new_repr(PyObject_CallMethod(op, "hex", NULL), written[i].repr);
        Py_DECREF(op);
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(read); i++)
        suite_new_repr(PyObject_CallMethod(type, "fromhex", "s", read[i][0]),
                       read[i][1]);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(bad); i++)
        suite_refused(PyObject_CallMethod(type, "fromhex", "s", bad[i]),
                      PyExc_ValueError,
                      "invalid hexadecimal floating-point string");
    suite_refused(PyObject_CallMethod(type, "fromhex", "s", "1p1024"),
                  PyExc_OverflowError,
                  "hexadecimal value too large to represent as a float");
    suite_refused(PyObject_CallMethod(type, "fromhex", "i", 1),
                  PyExc_TypeError, NULL);
}

START_TEST(float_constructor_and_subtype)
{
    PyObject *type = (PyObject *)&PyFloat_Type;
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"m.Sub", sizeof(PyFloatObject), 0, Py_TPFLAGS_DEFAULT,
                        slots};

    suite_new_repr(PyObject_CallNoArgs(type), "0.0");
    suite_new_repr(PyObject_CallFunction(type, "s", " 1e3 "), "1000.0");
    suite_new_repr(PyObject_CallFunction(type, "y", "2.5"), "2.5");
    suite_new_repr(PyObject_CallFunction(type, "i", 3), "3.0");
    suite_refused(
        PyObject_CallFunction(type, "[]"), PyExc_TypeError,
        "float() argument must be a string or a real number, not 'list'");

    PyObject *sub = suite_require(PyType_FromSpecWithBases(&spec, type));
    PyObject *op = PyObject_CallFunction(sub, "d", 2.5);
    ck_assert_ptr_eq(Py_TYPE(op), sub);
    PyObject *plain = PyNumber_Float(op);
    ck_assert(PyFloat_CheckExact(plain));
    suite_new_repr(plain, "2.5");
    suite_new_repr(PyObject_CallMethod(op, "is_integer", NULL), "False");
    suite_new_repr(PyObject_GetAttrString(op, "imag"), "0.0");
    Py_SETREF(op, PyObject_CallMethod(sub, "fromhex", "s", "-a"));
    ck_assert_ptr_eq(Py_TYPE(op), sub);
    ck_assert(PyFloat_AS_DOUBLE(op) == -10.0);
    Py_DECREF(op);

    PyObject *none = PyTuple_New(0), *kwds = Py_BuildValue("{s:i}", "a", 1);
    suite_refused(PyObject_Call(sub, none, kwds), PyExc_TypeError,
                  "float() takes no keyword arguments");
    suite_drop(none, kwds, sub);
}

START_TEST(complex_repr)
{
    suite_new_repr(PyComplex_FromDoubles(1, -0.0), "(1-0j)");
    suite_new_repr(PyComplex_FromDoubles(0, 2), "2j");
    suite_new_repr(PyComplex_FromDoubles(-0.0, 2), "(-0+2j)");
    suite_new_repr(PyComplex_FromDoubles(Py_NAN, -Py_INFINITY), "(nan-infj)");
}

START_TEST(complex_arithmetic)
{
    PyObject *j = PyComplex_FromDoubles(0, 1), *two = PyLong_FromLong(2);
    PyObject *z = PyComplex_FromDoubles(3, -4), *zero = PyLong_FromLong(0);
    PyObject *minus = PyFloat_FromDouble(-8.0);
    PyObject *half = PyFloat_FromDouble(0.5);

    suite_new_repr(PyNumber_Power(j, two, Py_None), "(-1+0j)");
    suite_new_repr(PyNumber_Multiply(z, j), "(4+3j)");
    suite_new_repr(PyNumber_TrueDivide(z, two), "(1.5-2j)");
    suite_new_repr(PyNumber_Subtract(two, z), "(-1+4j)");
    suite_new_repr(PyNumber_Absolute(z), "5.0");
    suite_new_repr(PyNumber_Power(minus, half, Py_None),
                   "(1.7319121124709868e-16+2.8284271247461903j)");
    suite_refused(PyNumber_TrueDivide(z, zero), PyExc_ZeroDivisionError,
                  "complex division by zero");
    suite_refused(PyNumber_Power(z, two, two), PyExc_ValueError,
                  "complex modulo");
    PyObject *tiny = PyComplex_FromDoubles(1e-300, 0);
    suite_refused(PyNumber_Power(tiny, PyLong_FromLong(-4), Py_None),
                  PyExc_ZeroDivisionError,
                  "0.0 to a negative or complex power");
    Py_DECREF(tiny);
    suite_refused(PyNumber_FloorDivide(z, two), PyExc_TypeError,
                  "unsupported operand type(s) for //: 'complex' and 'int'");
    suite_refused(
        PyObject_RichCompare(z, two, Py_LT), PyExc_TypeError,
        "'<' not supported between instances of 'complex' and 'int'");
    ck_assert_int_eq(PyObject_Hash(j), 1000003);
    suite_drop(j, z, minus, half);
}

START_TEST(complex_equals_other_numbers)
{
    PyObject *z = PyComplex_FromDoubles(2, 0), *two = PyLong_FromLong(2);
    PyObject *real = PyFloat_FromDouble(2.0);

    ck_assert_int_eq(PyObject_RichCompareBool(z, two, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(real, z, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(z, Py_True, Py_NE), 1);
    ck_assert_int_eq(PyObject_Hash(z), PyObject_Hash(two));
    ck_assert(PyComplex_RealAsDouble(two) == 2.0);
    ck_assert(PyComplex_ImagAsDouble(two) == 0.0);
    ck_assert(PyComplex_AsCComplex(z).real == 2.0);
    ck_assert(PyComplex_RealAsDouble(Py_None) == -1.0);
    suite_exception(PyExc_TypeError, "must be real number, not NoneType");
    suite_drop(z, real);
}

START_TEST(complex_constructor)
{
    static const char *const texts[][2] = {
        {"1", "(1+0j)"},          {"1+2j", "(1+2j)"}, {" (1-2j) ", "(1-2j)"},
        {"1e5-j", "(100000-1j)"}, {"-infj", "-infj"}, {"j", "1j"},
    };
    static const char *const bad[] = {"",   "x",  "1+",  "1+2",
                                      "(1", "1)", "1 +j"};
    PyObject *type = (PyObject *)&PyComplex_Type;

    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++)
        suite_new_repr(PyObject_CallFunction(type, "s", texts[i][0]),
                       texts[i][1]);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(bad); i++) {
        suite_refused(PyObject_CallFunction(type, "s", bad[i]),
                      PyExc_ValueError, "complex() arg is a malformed string");
    }
    suite_new_repr(PyObject_CallNoArgs(type), "0j");
    suite_new_repr(PyObject_CallFunction(type, "dd", 1.0, -0.0), "(1-0j)");
    suite_refused(PyObject_CallFunction(type, "si", "1", 2), PyExc_TypeError,
                  "complex() can't take second arg if first is a string");
    suite_refused(PyObject_CallFunction(type, "is", 1, "2"), PyExc_TypeError,
                  "complex() second arg can't be a string");
    suite_refused(
        PyObject_CallFunction(type, "[]"), PyExc_TypeError,
        "complex() first argument must be a string or a number, not 'list'");
}

START_TEST(c_strings)
{
    char text[4];
    char *end;

    ck_assert_int_eq(PyOS_snprintf(text, sizeof text, "%d", 12345), 5);
    ck_assert_str_eq(text, "123");
    ck_assert_int_eq(PyOS_stricmp("Infinity", "iNFINITY"), 0);
    ck_assert_int_lt(PyOS_stricmp("a", "B"), 0);
    ck_assert_int_eq(PyOS_strnicmp("abX", "ABy", 2), 0);
    ck_assert_int_eq(PyOS_strtol(" -0x1F.", &end, 0), -31);
    ck_assert_str_eq(end, ".");
    ck_assert_int_eq(PyOS_strtol("0o17", NULL, 0), 15);
    ck_assert_int_eq(PyOS_strtol("-0b11", NULL, 2), -3);
    ck_assert_int_eq(PyOS_strtol("--1", &end, 10), 0);
    ck_assert_str_eq(end, "--1");
    ck_assert(PyOS_strtol("-9223372036854775808", NULL, 10) == LONG_MIN);
    ck_assert(PyOS_strtoul("18446744073709551615", NULL, 10) == ULONG_MAX);
}
