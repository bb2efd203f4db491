/* check_int.c: int and bool: conversions, arithmetic at the edges of 64 and
   128 bits and beyond, text. */

#include "../support/suite.h"

static const char INT_MAX_TEXT[] = "170141183460469231731687303715884105727";
static const char INT_MAX_1_TEXT[] = "170141183460469231731687303715884105728";
static const char INT_MIN_TEXT[] = "-170141183460469231731687303715884105728";

/* The int that text spells in base 10. */
static PyObject *
number(const char *text)
{
    PyObject *op = PyLong_FromString(text, NULL, 10);
    ck_assert_msg(op != NULL, "%s", text);
    return op;
}

/* function(a, b) has the repr. */
static void
assert_binary(binaryfunc function, const char *a, const char *b,
              const char *expected)
{
    PyObject *x = number(a), *y = number(b);
    PyObject *result = function(x, y);

    suite_new_repr(result, expected);
    suite_drop(x, y);
}

START_TEST(small_ints_are_shared_and_immortal)
{
    for (long v = -5; v <= 256; v++) {
        PyObject *op = PyLong_FromLong(v);
        ck_assert_ptr_eq(op, PyLong_FromLongLong(v));
        ck_assert(_Py_IsImmortal(op));
        ck_assert_int_eq(PyLong_AsLong(op), v);
    }
    PyObject *a = PyLong_FromLong(257), *b = PyLong_FromLong(257);
    ck_assert_ptr_ne(a, b);
    ck_assert_int_eq(Py_REFCNT(a), 1);
    suite_drop(a, b);
}

START_TEST(c_numbers_come_back)
{
    PyObject *op = PyLong_FromLong(LONG_MIN);
    ck_assert(PyLong_AsLong(op) == LONG_MIN && !PyErr_Occurred());
    Py_SETREF(op, PyLong_FromUnsignedLongLong(ULLONG_MAX));
    ck_assert(PyLong_AsUnsignedLongLong(op) == ULLONG_MAX);
    ck_assert(PyLong_AsUnsignedLong(op) == ULONG_MAX);
    ck_assert(PyLong_AsSize_t(op) == SIZE_MAX);
    ck_assert_ptr_null(PyErr_Occurred());
    Py_SETREF(op, PyLong_FromVoidPtr(&op));
    ck_assert_ptr_eq(PyLong_AsVoidPtr(op), &op);
    Py_SETREF(op, PyLong_FromSsize_t(PY_SSIZE_T_MIN));
    ck_assert(PyLong_AsSsize_t(op) == PY_SSIZE_T_MIN);
    ck_assert(PyLong_AsDouble(op) == -0x1p63);
    Py_DECREF(op);
}

START_TEST(c_numbers_out_of_range)
{
    PyObject *large = number(INT_MAX_TEXT), *minus = number("-7");

    suite_failed(PyLong_AsLong(large), PyExc_OverflowError,
                 "Python int too large to convert to C long");
    suite_failed(PyLong_AsInt(large), PyExc_OverflowError,
                 "Python int too large to convert to C int");
    suite_failed(PyLong_AsLongLong(large), PyExc_OverflowError,
                 "int too big to convert");
    suite_failed(PyLong_AsSsize_t(large), PyExc_OverflowError,
                 "Python int too large to convert to C ssize_t");
    suite_failed((intmax_t)PyLong_AsSize_t(large), PyExc_OverflowError,
                 "Python int too large to convert to C size_t");
    suite_failed((intmax_t)PyLong_AsUnsignedLong(large), PyExc_OverflowError,
                 "Python int too large to convert to C unsigned long");
    suite_failed((intmax_t)PyLong_AsUnsignedLong(minus), PyExc_OverflowError,
                 "can't convert negative value to unsigned int");
    suite_failed((intmax_t)PyLong_AsSize_t(minus), PyExc_OverflowError,
                 "can't convert negative value to size_t");
    suite_failed((intmax_t)PyLong_AsUnsignedLongLong(minus),
                 PyExc_OverflowError,
                 "can't convert negative int to unsigned");
    ck_assert(PyLong_AsUnsignedLongMask(minus) == (unsigned long)-7);
    ck_assert(PyLong_AsUnsignedLongLongMask(large) == ULLONG_MAX);
    suite_drop(large, minus);
}

START_TEST(overflow_is_told_without_exception)
{
    PyObject *large = number(INT_MAX_TEXT), *least = number(INT_MIN_TEXT);
    int overflow = 5;

    ck_assert_int_eq(PyLong_AsLongAndOverflow(large, &overflow), -1);
    ck_assert_int_eq(overflow, 1);
    ck_assert_int_eq(PyLong_AsLongLongAndOverflow(least, &overflow), -1);
    ck_assert_int_eq(overflow, -1);
    ck_assert_int_eq(PyLong_AsLongAndOverflow(Py_True, &overflow), 1);
    ck_assert_int_eq(overflow, 0);
    ck_assert_ptr_null(PyErr_Occurred());
    suite_drop(large, least);
}

START_TEST(fixed_width)
{
    PyObject *op = PyLong_FromInt64(INT64_MIN);
    int32_t i32 = 9;
    uint32_t u32 = 9;
    int64_t i64;
    uint64_t u64 = 9;

    ck_assert_int_eq(PyLong_AsInt64(op, &i64), 0);
    ck_assert(i64 == INT64_MIN);
    suite_failed(PyLong_AsInt32(op, &i32), PyExc_OverflowError,
                 "Python int too large to convert to C int32_t");
    suite_failed(PyLong_AsUInt64(op, &u64), PyExc_ValueError,
                 "Cannot convert negative int");
    Py_SETREF(op, PyLong_FromUInt64(UINT64_MAX));
    ck_assert_int_eq(PyLong_AsUInt64(op, &u64), 0);
    ck_assert(u64 == UINT64_MAX);
    suite_failed(PyLong_AsUInt32(op, &u32), PyExc_OverflowError,
                 "Python int too large to convert to C uint32_t");
    ck_assert(i32 == 9 && u32 == 9);
    Py_DECREF(op);
}

START_TEST(wrong_types)
{
    PyObject *text = PyUnicode_FromString("7");
    PyObject *real = PyFloat_FromDouble(7.0);

    suite_failed(PyLong_AsLong(text), PyExc_TypeError,
                 "'str' object cannot be interpreted as an integer");
    suite_failed(PyLong_AsLong(real), PyExc_TypeError,
                 "'float' object cannot be interpreted as an integer");
    suite_failed(PyLong_AsSsize_t(real), PyExc_TypeError,
                 "an integer is required");
    suite_failed((intmax_t)PyLong_AsUnsignedLong(text), PyExc_TypeError,
                 "an integer is required");
    suite_failed(PyLong_AsLong(NULL), PyExc_SystemError, NULL);
    suite_failed(PyLong_IsZero(text), PyExc_TypeError,
                 "expected int, got str");
    suite_drop(text, real);
}

START_TEST(from_double)
{
    suite_new_repr(PyLong_FromDouble(-2.75), "-2");
    suite_new_repr(PyLong_FromDouble(-0x1p127), INT_MIN_TEXT);
    suite_new_repr(PyLong_FromDouble(0x1p127), INT_MAX_1_TEXT);
    suite_new_repr(PyLong_FromDouble(-0x1p63), "-9223372036854775808");
    suite_new_repr(PyLong_FromDouble(0x1p63), "9223372036854775808");
    suite_new_repr(PyLong_FromDouble(1e23), "99999999999999991611392");
    suite_refused(PyLong_FromDouble(Py_NAN), PyExc_ValueError,
                  "cannot convert float NaN to integer");
    suite_refused(PyLong_FromDouble(-Py_INFINITY), PyExc_OverflowError,
                  "cannot convert float infinity to integer");
}

START_TEST(text_is_read)
{
    static const struct {
        const char *text;
        int base;
        long value;
    } cases[] = {
        {"0", 0, 0},          {"00_0", 0, 0},    {" \t-12\n", 10, -12},
        {"+1_000", 10, 1000}, {"0x_fF", 0, 255}, {"0xff", 16, 255},
        {"0B101", 0, 5},      {"-0o17", 8, -15}, {"zz", 36, 35 * 37},
        {"0b1", 16, 0xb1},    {"010", 10, 10},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        char *end;
        PyObject *op = PyLong_FromString(cases[i].text, &end, cases[i].base);
        ck_assert_msg(op != NULL, "%s", cases[i].text);
        ck_assert_int_eq(PyLong_AsLong(op), cases[i].value);
        ck_assert_int_eq(*end, '\0');
        Py_DECREF(op);
    }
}

START_TEST(bad_text)
{
    static const struct {
        const char *text;
        int base; /* the one that the text names */
    } bad[] = {
        {"", 10},   {" ", 10},   {"1__0", 10}, {"_1", 10},
        {"1_", 10}, {"0x", 16},  {"010", 0},   {"1 2", 10},
        {"0a", 10}, {"--1", 10}, {"9a", 10},   {"0b2", 2},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(bad); i++) {
        char expected[100];
        snprintf(expected, sizeof expected,
                 "invalid literal for int() with base %d: '%s'", bad[i].base,
                 bad[i].text);
        suite_refused(PyLong_FromString(bad[i].text, NULL, 0),
                      PyExc_ValueError, expected);
    }
    suite_refused(PyLong_FromString("1", NULL, 37), PyExc_ValueError,
                  "int() arg 2 must be >= 2 and <= 36");

    PyObject *nul = PyUnicode_FromStringAndSize("12\0", 3);
    suite_refused(PyLong_FromUnicodeObject(nul, 10), PyExc_ValueError,
                  "invalid literal for int() with base 10: '12\\x00'");
    Py_DECREF(nul);
    suite_refused(PyLong_FromString("\xff", NULL, 10),
                  PyExc_UnicodeDecodeError, NULL);
}

START_TEST(text_in_other_scripts)
{
    PyObject *op = PyUnicode_FromString("\u3000-\uff11_\u0662");

    suite_new_int(PyNumber_Long(op), -12);
    suite_new_repr(PyFloat_FromString(op), "-12.0");
    suite_new_repr(PyObject_CallOneArg((PyObject *)&PyComplex_Type, op),
                   "(-12+0j)");
    Py_SETREF(op, PyUnicode_FromString("1\u00b2"));
    suite_refused(PyNumber_Long(op), PyExc_ValueError,
                  "invalid literal for int() with base 10: '1\u00b2'");
    Py_DECREF(op);
    suite_refused(PyLong_FromUnicodeObject(Py_None, 10), PyExc_TypeError,
                  NULL);
}

START_TEST(text_at_the_limits)
{
    suite_new_repr(number(INT_MAX_TEXT), INT_MAX_TEXT);
    suite_new_repr(number(INT_MIN_TEXT), INT_MIN_TEXT);
    suite_new_repr(number(INT_MIN_TEXT + 1), INT_MAX_1_TEXT);
    suite_new_repr(number("18446744073709551615"), "18446744073709551615");
    suite_new_repr(number("-18446744073709551616"), "-18446744073709551616");
    suite_new_repr(number("0009_99999999999999999999999999999999999999999999"),
                   "999999999999999999999999999999999999999999999");
}

START_TEST(to_base)
{
    static const struct {
        int base;
        const char *text;
    } cases[] = {{2, "-0b1010"}, {8, "-0o12"}, {10, "-10"}, {16, "-0xa"}};
    PyObject *op = PyLong_FromLong(-10);

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        suite_new_text(PyNumber_ToBase(op, cases[i].base), cases[i].text);
    }
    suite_refused(PyNumber_ToBase(op, 7), PyExc_SystemError,
                  "PyNumber_ToBase: base must be 2, 8, 10 or 16");
    Py_DECREF(op);
}

START_TEST(arithmetic_has_no_limit)
{
    const char *most = INT_MAX_TEXT, *least = INT_MIN_TEXT;

    assert_binary(PyNumber_Add, most, "1", INT_MAX_1_TEXT);
    assert_binary(PyNumber_Add, least, most, "-1");
    assert_binary(PyNumber_Subtract, least, "1",
                  "-170141183460469231731687303715884105729");
    assert_binary(PyNumber_Add, "9223372036854775807", "1",
                  "9223372036854775808");
    assert_binary(PyNumber_Subtract, "9223372036854775808", "1",
                  "9223372036854775807");
    assert_binary(PyNumber_Multiply, "18446744073709551616",
                  "9223372036854775807",
                  "170141183460469231713240559642174554112");
    assert_binary(PyNumber_Multiply, "18446744073709551616",
                  "9223372036854775808", INT_MAX_1_TEXT);
    assert_binary(PyNumber_Multiply, "-18446744073709551616",
                  "9223372036854775808", least);
    assert_binary(PyNumber_FloorDivide, least, "-1", INT_MAX_1_TEXT);
    assert_binary(PyNumber_FloorDivide, "-9223372036854775808", "-1",
                  "9223372036854775808");
    assert_binary(PyNumber_Remainder, "-9223372036854775808", "-1", "0");
    assert_binary(PyNumber_Remainder, least, "-1", "0");
    assert_binary(PyNumber_Lshift, "1", "126",
                  "85070591730234615865843651857942052864");
    assert_binary(PyNumber_Lshift, "1", "127", INT_MAX_1_TEXT);
    assert_binary(PyNumber_Lshift, "-1", "127", least);
    assert_binary(PyNumber_Lshift, "0", most, "0");
    assert_binary(PyNumber_Rshift, least, most, "-1");

    PyObject *op = number(least);
    suite_new_repr(PyNumber_Negative(op), INT_MAX_1_TEXT);
    suite_new_repr(PyNumber_Absolute(op), INT_MAX_1_TEXT);
    suite_new_repr(PyNumber_Invert(op), most);
    Py_DECREF(op);
}

START_TEST(division_rounds_down)
{
    assert_binary(PyNumber_FloorDivide, "7", "-2", "-4");
    assert_binary(PyNumber_Remainder, "7", "-2", "-1");
    assert_binary(PyNumber_FloorDivide, "-7", "2", "-4");
    assert_binary(PyNumber_Remainder, "-7", "2", "1");
    assert_binary(PyNumber_FloorDivide, "-8", "2", "-4");
    assert_binary(PyNumber_Divmod, "-7", "2", "(-4, 1)");
    assert_binary(PyNumber_TrueDivide, "1000000000000000000000000000000", "3",
                  "3.333333333333333e+29");
    assert_binary(PyNumber_TrueDivide, "0", "-5", "-0.0");
    assert_binary(PyNumber_And, "-4", "6", "4");
    assert_binary(PyNumber_Or, "-4", "1", "-3");
    assert_binary(PyNumber_Xor, "-4", "6", "-6");
}

START_TEST(division_by_zero)
{
    PyObject *one = PyLong_FromLong(1), *zero = PyLong_FromLong(0);
    PyObject *minus = PyLong_FromLong(-1);

    suite_refused(PyNumber_FloorDivide(one, zero), PyExc_ZeroDivisionError,
                  "integer division or modulo by zero");
    suite_refused(PyNumber_Divmod(one, zero), PyExc_ZeroDivisionError,
                  "integer division or modulo by zero");
    suite_refused(PyNumber_Remainder(one, zero), PyExc_ZeroDivisionError,
                  "integer modulo by zero");
    suite_refused(PyNumber_TrueDivide(one, zero), PyExc_ZeroDivisionError,
                  "division by zero");
    suite_refused(PyNumber_Lshift(one, minus), PyExc_ValueError,
                  "negative shift count");
    suite_refused(PyNumber_Rshift(one, minus), PyExc_ValueError,
                  "negative shift count");
    suite_refused(PyNumber_Power(zero, minus, Py_None),
                  PyExc_ZeroDivisionError,
                  "0.0 cannot be raised to a negative power");
}

/* pow(a, b, c) has the repr. */
static void
assert_power(const char *a, const char *b, const char *c, const char *repr)
{
    PyObject *x = number(a), *y = number(b);
    PyObject *z = c != NULL ? number(c) : Py_NewRef(Py_None);

    suite_new_repr(PyNumber_Power(x, y, z), repr);
    suite_drop(x, y, z);
}

START_TEST(powers)
{
    assert_power("3", "5", NULL, "243");
    assert_power("-2", "127", NULL, INT_MIN_TEXT);
    assert_power("2", "-2", NULL, "0.25");
    assert_power("0", "0", NULL, "1");
    assert_power("-1", INT_MAX_TEXT, NULL, "-1");
    assert_power("3", "200", "1000", "1");
    assert_power("3", "5", "-7", "-2");
    assert_power("3", "-1", "7", "5");
    assert_power("2", "100000", INT_MAX_TEXT, "2251799813685248");

    PyObject *two = PyLong_FromLong(2), *four = PyLong_FromLong(4);
    PyObject *minus = PyLong_FromLong(-1), *zero = PyLong_FromLong(0);
    assert_power("2", "127", NULL, INT_MAX_1_TEXT);
    suite_refused(PyNumber_Power(two, minus, four), PyExc_ValueError,
                  "base is not invertible for the given modulus");
    suite_refused(PyNumber_Power(two, two, zero), PyExc_ValueError,
                  "pow() 3rd argument cannot be 0");
}

START_TEST(compare_and_hash_across_types)
{
    PyObject *two63 = number("9223372036854775809");
    PyObject *near = PyFloat_FromDouble(0x1p63);

    ck_assert_int_eq(PyObject_RichCompareBool(two63, near, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(two63, near, Py_GT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(near, two63, Py_LT), 1);
    PyObject *same = PyLong_FromDouble(0x1p63);
    ck_assert_int_eq(PyObject_RichCompareBool(same, near, Py_EQ), 1);
    ck_assert_int_eq(PyObject_Hash(same), PyObject_Hash(near));
    ck_assert_int_eq(PyObject_Hash(PyLong_FromLong(-1)), -2);
    ck_assert_int_eq(PyObject_Hash(Py_True), 1);
    PyObject *inf = PyFloat_FromDouble(-Py_INFINITY);
    ck_assert_int_eq(PyObject_RichCompareBool(two63, inf, Py_GT), 1);
    suite_drop(two63, near, same, inf);
}

START_TEST(bools)
{
    PyObject *two = PyLong_FromLong(2);

    ck_assert(PyLong_Check(Py_True) && !PyLong_CheckExact(Py_True));
    ck_assert_ptr_eq(PyBool_FromLong(-3), Py_True);
    ck_assert_ptr_eq(PyNumber_And(Py_True, Py_False), Py_False);
    ck_assert_ptr_eq(PyNumber_Xor(Py_True, Py_False), Py_True);
    ck_assert_ptr_eq(PyNumber_Or(Py_False, two), two);
    suite_new_repr(PyNumber_Add(Py_True, Py_True), "2");
    suite_new_repr(Py_NewRef(Py_False), "False");
    suite_new_repr(PyNumber_Positive(Py_True), "1");
    ck_assert_ptr_eq(PyObject_CallNoArgs((PyObject *)&PyBool_Type), Py_False);
    ck_assert_ptr_eq(PyObject_CallOneArg((PyObject *)&PyBool_Type, two),
                     Py_True);
    ck_assert(Py_IsTrue(Py_True) && !Py_IsFalse(Py_True));
}

START_TEST(constructor)
{
    PyObject *type = (PyObject *)&PyLong_Type;

    suite_new_repr(PyObject_CallNoArgs(type), "0");
    suite_new_repr(PyObject_CallFunction(type, "s", " 12 "), "12");
    suite_new_repr(PyObject_CallFunction(type, "si", "ff", 16), "255");
    suite_new_repr(PyObject_CallFunction(type, "d", -3.9), "-3");
    suite_new_repr(PyObject_CallFunction(type, "y", "77"), "77");
    suite_refused(PyObject_CallFunction(type, "ii", 1, 2), PyExc_TypeError,
                  "int() can't convert non-string with explicit base");
    suite_refused(PyObject_CallFunction(type, "si", "1", 1), PyExc_ValueError,
                  "int() base must be >= 2 and <= 36, or 0");
    suite_refused(PyObject_CallFunction(type, "[]"), PyExc_TypeError,
                  "int() argument must be a string, a bytes-like object or a "
                  "real number, not 'list'");
    suite_refused(PyObject_CallFunction(type, "y", "x"), PyExc_ValueError,
                  "invalid literal for int() with base 10: b'x'");
}

START_TEST(subtype)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"m.Sub", sizeof(PyLongObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *type = suite_require(
        PyType_FromSpecWithBases(&spec, (PyObject *)&PyLong_Type));
    PyObject *op =
        suite_require(PyObject_CallFunction(type, "L", 1234567890123LL));
    ck_assert_ptr_eq(Py_TYPE(op), type);
    ck_assert_int_eq(PyLong_AsLongLong(op), 1234567890123LL);
    PyObject *index = PyNumber_Index(op);
    ck_assert(PyLong_CheckExact(index));
    suite_new_repr(index, "1234567890123");
    suite_new_repr(PyNumber_Add(op, op), "2469135780246");
    Py_SETREF(op, PyObject_CallFunction(type, "s", INT_MIN_TEXT));
    ck_assert_ptr_eq(Py_TYPE(op), type);
    suite_new_repr(PyNumber_Index(op), INT_MIN_TEXT);
    Py_SETREF(op, PyObject_CallMethod(type, "from_bytes", "y", "a"));
    ck_assert_ptr_eq(Py_TYPE(op), type);
    ck_assert_int_eq(PyLong_AsLong(op), 'a');
    suite_drop(op, type);
}

START_TEST(attributes_and_methods)
{
    PyObject *op = PyLong_FromLong(-1000);

    suite_new_repr(PyObject_GetAttrString(op, "real"), "-1000");
    suite_new_repr(PyObject_GetAttrString(op, "imag"), "0");
    suite_new_repr(PyObject_GetAttrString(op, "numerator"), "-1000");
    suite_new_repr(PyObject_GetAttrString(op, "denominator"), "1");
    suite_new_repr(PyObject_CallMethod(op, "bit_length", NULL), "10");
    suite_new_repr(PyObject_CallMethod(op, "bit_count", NULL), "6");
    suite_new_repr(PyObject_CallMethod(op, "conjugate", NULL), "-1000");
    suite_new_repr(PyObject_CallMethod(op, "is_integer", NULL), "True");
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
}

START_TEST(methods_at_the_limits)
{
    PyObject *large = number(INT_MAX_TEXT), *least = number(INT_MIN_TEXT);

    suite_new_repr(PyObject_CallMethod(large, "__round__", "i", -37),
                   "170000000000000000000000000000000000000");
    suite_new_repr(PyObject_CallMethod(least, "__round__", "i", -38),
                   "-200000000000000000000000000000000000000");
    suite_new_repr(PyObject_CallMethod(least, "__round__", "i", -39), "0");
    suite_new_repr(PyObject_CallMethod(large, "to_bytes", "i", 16),
                   "b'"
                   "\\x7f\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x"
                   "ff\\xff\\xff\\xff\\xff'");
    suite_refused(PyObject_CallMethod(large, "to_bytes", "i", 15),
                  PyExc_OverflowError, "int too big to convert");
    suite_new_repr(PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes",
                                       "y", "\x7f\xff\xff"),
                   "8388607");
    suite_drop(large, least);
}

START_TEST(methods_for_bytes)
{
    PyObject *op = PyLong_FromLong(-2), *type = (PyObject *)&PyLong_Type;

    suite_refused(PyObject_CallMethod(op, "to_bytes", NULL),
                  PyExc_OverflowError,
                  "can't convert negative int to unsigned");
    suite_refused(PyObject_CallMethod(op, "to_bytes", "i", -1),
                  PyExc_ValueError, "length argument must be non-negative");
    suite_refused(PyObject_CallMethod(op, "to_bytes", "is", 1, "middle"),
                  PyExc_ValueError,
                  "byteorder must be either 'little' or 'big'");
    Py_SETREF(op, PyLong_FromLong(0x102));
    suite_new_repr(PyObject_CallMethod(op, "to_bytes", "is", 3, "little"),
                   "b'\\x02\\x01\\x00'");
    suite_new_repr(
        PyObject_CallMethod(type, "from_bytes", "ys", "\1\2", "little"),
        "513");
    suite_refused(PyObject_CallMethod(type, "from_bytes", "i", 1),
                  PyExc_TypeError, "cannot convert 'int' object to bytes");
    suite_refused(PyObject_CallMethod(type, "from_bytes", NULL),
                  PyExc_TypeError, NULL);
    Py_DECREF(op);
}

START_TEST(rounding)
{
    static const long cases[][3] = {
        {25, -1, 20},    {35, -1, 40}, {-26, -1, -30},
        {24, -1, 20},    {499, -3, 0}, {500, -3, 0},
        {501, -3, 1000}, {7, 0, 7},    {7, -1000, 0},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        PyObject *op = PyLong_FromLong(cases[i][0]);
        suite_new_int(PyObject_CallMethod(op, "__round__", "l", cases[i][1]),
                      cases[i][2]);
        suite_new_int(PyObject_CallMethod(op, "__round__", NULL), cases[i][0]);
        suite_new_int(PyObject_CallMethod(op, "__floor__", NULL), cases[i][0]);
        Py_DECREF(op);
    }
    suite_refused(PyObject_CallMethod(Py_True, "__round__", "s", "1"),
                  PyExc_TypeError,
                  "'str' object cannot be interpreted as an integer");
    suite_refused(PyObject_CallMethod(Py_True, "__round__", "ii", 1, 2),
                  PyExc_TypeError, NULL);
    suite_new_repr(PyObject_CallMethod(Py_True, "as_integer_ratio", NULL),
                   "(1, 1)");
}

START_TEST(native_bytes)
{
    PyObject *op = PyLong_FromLong(-2);
    unsigned char bytes[20];

    ck_assert_int_eq(
        PyLong_AsNativeBytes(op, bytes, 4, Py_ASNATIVEBYTES_BIG_ENDIAN), 1);
    ck_assert_mem_eq(bytes, "\xff\xff\xff\xfe", 4);
    suite_failed(
        PyLong_AsNativeBytes(op, bytes, 4, Py_ASNATIVEBYTES_REJECT_NEGATIVE),
        PyExc_ValueError, "Cannot convert negative int");
    Py_DECREF(op);

    op = PyLong_FromLong(128);
    ck_assert_int_eq(PyLong_AsNativeBytes(op, NULL, 0, 1), 2);
    ck_assert_int_eq(PyLong_AsNativeBytes(op, bytes, 1, -1), 1);
    ck_assert_int_eq(bytes[0], 128);
    Py_DECREF(op);

    suite_new_repr(PyLong_FromNativeBytes("\x80", 1, 0), "-128");
    suite_new_repr(PyLong_FromUnsignedNativeBytes("\x80", 1, 0), "128");
    memset(bytes, 0xff, sizeof bytes);
    suite_new_repr(PyLong_FromNativeBytes(bytes, sizeof bytes, 0), "-1");
    suite_new_repr(PyLong_FromUnsignedNativeBytes(bytes, 16, 0),
                   "340282366920938463463374607431768211455");
}

/* The text survives the way through digits. */
static void
assert_digits(const char *text)
{
    PyObject *op = number(text);
    PyLongExport exported;
    void *digits;

    ck_assert_int_eq(PyLong_Export(op, &exported), 0);
    if (exported.digits == NULL) {
        suite_new_repr(PyLong_FromInt64(exported.value), text);
    } else {
        PyLongWriter *writer =
            PyLongWriter_Create(exported.negative, exported.ndigits, &digits);
        ck_assert_ptr_nonnull(writer);
        memcpy(digits, exported.digits,
               (size_t)exported.ndigits *
                   PyLong_GetNativeLayout()->digit_size);
        suite_new_repr(PyLongWriter_Finish(writer), text);
    }
    PyLong_FreeExport(&exported);
    Py_DECREF(op);
}

START_TEST(digits_keep_the_number)
{
    void *digits;

    assert_digits("0");
    assert_digits("-9223372036854775808");
    assert_digits("9223372036854775808");
    assert_digits(INT_MAX_TEXT);
    assert_digits(INT_MIN_TEXT);
    assert_digits("-1427247692705959881058285969449495136382746624");

    PyLongWriter *writer = suite_require(PyLongWriter_Create(0, 6, &digits));
    ((uint32_t *)digits)[5] = 1;
    suite_new_repr(PyLongWriter_Finish(writer),
                   "1427247692705959881058285969449495136382746624");
    suite_refused(PyLongWriter_Create(0, 0, &digits), PyExc_ValueError,
                  "ndigits must be positive");
    PyLongWriter_Discard(PyLongWriter_Create(0, 2, &digits));
}

/* A number that takes gigabytes, and one that no machine holds. */
START_TEST(no_memory_is_no_abort)
{
    PyObject *three = PyLong_FromLong(3), *zero = PyLong_FromLong(0);
    PyObject *most = PyLong_FromSsize_t(PY_SSIZE_T_MAX);
    PyObject *beyond = PyNumber_Add(most, three);

    suite_refused(PyNumber_Lshift(three, most), PyExc_MemoryError, NULL);
    suite_refused(PyNumber_Lshift(three, beyond), PyExc_OverflowError,
                  "too many digits in integer");
    suite_refused(PyNumber_Power(three, most, Py_None), PyExc_MemoryError,
                  NULL);
    suite_refused(PyNumber_Power(three, beyond, Py_None), PyExc_MemoryError,
                  NULL);
    suite_new_repr(PyNumber_Power(zero, beyond, Py_None), "0");
    suite_drop(three, zero, most, beyond);
}

START_TEST(byte_arrays)
{
    PyLongObject *op = (PyLongObject *)number(INT_MIN_TEXT);
    unsigned char bytes[20];

    ck_assert_int_eq(_PyLong_AsByteArray(op, bytes, 16, 0, 1, 1), 0);
    ck_assert_mem_eq(bytes, "\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    ck_assert_int_eq(_PyLong_AsByteArray(op, bytes, 15, 0, 1, 0), -1);
    ck_assert_ptr_null(PyErr_Occurred());
    suite_failed(_PyLong_AsByteArray(op, bytes, 15, 0, 1, 1),
                 PyExc_OverflowError, "int too big to convert");
    suite_failed(_PyLong_AsByteArray(op, bytes, 20, 0, 0, 1),
                 PyExc_OverflowError,
                 "can't convert negative int to unsigned");
    suite_failed(_PyLong_AsByteArray(NULL, bytes, 20, 0, 0, 1),
                 PyExc_SystemError, NULL);
    suite_refused(_PyLong_FromByteArray(NULL, 1, 0, 0), PyExc_SystemError,
                  NULL);
    ck_assert_int_eq(_PyLong_Sign((PyObject *)op), -1);
    ck_assert_int_eq(_PyLong_NumBits((PyObject *)op), 128);
    Py_DECREF(op);
}

START_TEST(text_has_a_limit)
{
    PyObject *get = PySys_GetObject("get_int_max_str_digits");
    PyObject *set = PySys_GetObject("set_int_max_str_digits");
    PyObject *one = PyLong_FromLong(1), *by = PyLong_FromLong(2200);
    PyObject *op = PyNumber_Lshift(one, by);

    suite_new_int(PyObject_CallNoArgs(get), 4300);
    Py_DECREF(suite_require(PyObject_CallFunction(set, "i", 640)));
    suite_refused(PyObject_Repr(op), PyExc_ValueError,
                  "Exceeds the limit (640 digits) for integer string "
                  "conversion; use sys.set_int_max_str_digits() to increase "
                  "the limit");
    Py_DECREF(suite_require(PyNumber_ToBase(op, 16)));
    Py_DECREF(suite_require(PyObject_CallFunction(set, "i", 0)));
    Py_DECREF(suite_require(PyObject_Repr(op)));
    suite_refused(PyObject_CallFunction(set, "i", 639), PyExc_ValueError,
                  "maxdigits must be 0 or larger than 640");
    Py_DECREF(suite_require(PyObject_CallFunction(set, "i", 4300)));
    suite_drop(one, by, op);
}

START_TEST(signs)
{
    PyObject *op = number(INT_MIN_TEXT);
    int sign = 7;

    ck_assert_int_eq(PyLong_GetSign(op, &sign), 0);
    ck_assert_int_eq(sign, -1);
    ck_assert_int_eq(PyLong_IsNegative(op), 1);
    ck_assert_int_eq(PyLong_IsPositive(op), 0);
    ck_assert_int_eq(PyLong_IsZero(Py_False), 1);
    ck_assert_int_eq(PyUnstable_Long_IsCompact((PyLongObject *)op), 0);
    Py_DECREF(op);
}
