/* check_int.c: int and bool: conversions, arithmetic at the edges of 128 bits,
   text. */

#include "suite.h"

static const char TOO_LARGE[] =
    "Python int too large for pyboehm's 128-bit integers";
static const char INT_MAX_TEXT[] = "170141183460469231731687303715884105727";
static const char INT_MIN_TEXT[] = "-170141183460469231731687303715884105728";

/* The int that text spells in base 10. */
static PyObject *
number(const char *text)
{
    PyObject *op = PyLong_FromString(text, NULL, 10);
    ck_assert_msg(op != NULL, "%s", text);
    return op;
}

/* function(a, b) is the number that expected spells; NULL: it does not fit. */
static void
assert_binary(binaryfunc function, const char *a, const char *b,
              const char *expected)
{
    PyObject *x = number(a), *y = number(b);
    PyObject *result = function(x, y);

    if (expected != NULL)
        suite_new_repr(result, expected);
    else {
        ck_assert_ptr_null(result);
        suite_exception(PyExc_OverflowError, TOO_LARGE);
    }
    Py_DECREF(x);
    Py_DECREF(y);
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
    Py_DECREF(a);
    Py_DECREF(b);
}
END_TEST

START_TEST(c_numbers_come_back)
{
    PyObject *op = PyLong_FromLong(LONG_MIN);
    ck_assert(PyLong_AsLong(op) == LONG_MIN && !PyErr_Occurred());
    Py_DECREF(op);
    op = PyLong_FromUnsignedLongLong(ULLONG_MAX);
    ck_assert(PyLong_AsUnsignedLongLong(op) == ULLONG_MAX);
    ck_assert(PyLong_AsUnsignedLong(op) == ULONG_MAX);
    ck_assert(PyLong_AsSize_t(op) == SIZE_MAX);
    ck_assert_ptr_null(PyErr_Occurred());
    Py_DECREF(op);
    op = PyLong_FromVoidPtr(&op);
    ck_assert_ptr_eq(PyLong_AsVoidPtr(op), &op);
    Py_DECREF(op);
    op = PyLong_FromSsize_t(PY_SSIZE_T_MIN);
    ck_assert(PyLong_AsSsize_t(op) == PY_SSIZE_T_MIN);
    ck_assert(PyLong_AsDouble(op) == -0x1p63);
    Py_DECREF(op);
}
END_TEST

START_TEST(c_numbers_out_of_range)
{
    PyObject *large = number(INT_MAX_TEXT), *minus = number("-7");

    ck_assert_int_eq(PyLong_AsLong(large), -1);
    suite_exception(PyExc_OverflowError,
                    "Python int too large to convert to C long");
    ck_assert_int_eq(PyLong_AsInt(large), -1);
    suite_exception(PyExc_OverflowError,
                    "Python int too large to convert to C int");
    ck_assert_int_eq(PyLong_AsLongLong(large), -1);
    suite_exception(PyExc_OverflowError, "int too big to convert");
    ck_assert_int_eq(PyLong_AsSsize_t(large), -1);
    suite_exception(PyExc_OverflowError,
                    "Python int too large to convert to C ssize_t");
    ck_assert(PyLong_AsSize_t(large) == (size_t)-1);
    suite_exception(PyExc_OverflowError,
                    "Python int too large to convert to C size_t");
    ck_assert(PyLong_AsUnsignedLong(large) == (unsigned long)-1);
    suite_exception(PyExc_OverflowError,
                    "Python int too large to convert to C unsigned long");
    ck_assert(PyLong_AsUnsignedLong(minus) == (unsigned long)-1);
    suite_exception(PyExc_OverflowError,
                    "can't convert negative value to unsigned int");
    ck_assert(PyLong_AsSize_t(minus) == (size_t)-1);
    suite_exception(PyExc_OverflowError,
                    "can't convert negative value to size_t");
    ck_assert(PyLong_AsUnsignedLongLong(minus) == (unsigned long long)-1);
    suite_exception(PyExc_OverflowError,
                    "can't convert negative int to unsigned");
    ck_assert(PyLong_AsUnsignedLongMask(minus) == (unsigned long)-7);
    ck_assert(PyLong_AsUnsignedLongLongMask(large) == ULLONG_MAX);
    Py_DECREF(large);
    Py_DECREF(minus);
}
END_TEST

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
    Py_DECREF(large);
    Py_DECREF(least);
}
END_TEST

START_TEST(fixed_width)
{
    PyObject *op = PyLong_FromInt64(INT64_MIN);
    int32_t i32 = 9;
    uint32_t u32 = 9;
    int64_t i64;
    uint64_t u64 = 9;

    ck_assert_int_eq(PyLong_AsInt64(op, &i64), 0);
    ck_assert(i64 == INT64_MIN);
    ck_assert_int_eq(PyLong_AsInt32(op, &i32), -1);
    suite_exception(PyExc_OverflowError,
                    "Python int too large to convert to C int32_t");
    ck_assert_int_eq(PyLong_AsUInt64(op, &u64), -1);
    suite_exception(PyExc_ValueError, "Cannot convert negative int");
    Py_DECREF(op);
    op = PyLong_FromUInt64(UINT64_MAX);
    ck_assert_int_eq(PyLong_AsUInt64(op, &u64), 0);
    ck_assert(u64 == UINT64_MAX);
    ck_assert_int_eq(PyLong_AsUInt32(op, &u32), -1);
    suite_exception(PyExc_OverflowError,
                    "Python int too large to convert to C uint32_t");
    ck_assert(i32 == 9 && u32 == 9);
    Py_DECREF(op);
}
END_TEST

START_TEST(wrong_types)
{
    PyObject *text = PyUnicode_FromString("7");
    PyObject *real = PyFloat_FromDouble(7.0);

    ck_assert_int_eq(PyLong_AsLong(text), -1);
    suite_exception(PyExc_TypeError,
                    "'str' object cannot be interpreted as an integer");
    ck_assert_int_eq(PyLong_AsLong(real), -1);
    suite_exception(PyExc_TypeError,
                    "'float' object cannot be interpreted as an integer");
    ck_assert_int_eq(PyLong_AsSsize_t(real), -1);
    suite_exception(PyExc_TypeError, "an integer is required");
    ck_assert(PyLong_AsUnsignedLong(text) == (unsigned long)-1);
    suite_exception(PyExc_TypeError, "an integer is required");
    ck_assert_int_eq(PyLong_AsLong(NULL), -1);
    suite_exception(PyExc_SystemError, NULL);
    ck_assert_int_eq(PyLong_IsZero(text), -1);
    suite_exception(PyExc_TypeError, "expected int, got str");
    Py_DECREF(text);
    Py_DECREF(real);
}
END_TEST

START_TEST(from_double)
{
    suite_new_repr(PyLong_FromDouble(-2.75), "-2");
    suite_new_repr(PyLong_FromDouble(-0x1p127), INT_MIN_TEXT);
    ck_assert_ptr_null(PyLong_FromDouble(0x1p127));
    suite_exception(PyExc_OverflowError, TOO_LARGE);
    ck_assert_ptr_null(PyLong_FromDouble(Py_NAN));
    suite_exception(PyExc_ValueError, "cannot convert float NaN to integer");
    ck_assert_ptr_null(PyLong_FromDouble(-Py_INFINITY));
    suite_exception(PyExc_OverflowError,
                    "cannot convert float infinity to integer");
}
END_TEST

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
END_TEST

START_TEST(bad_text)
{
    static const char *const bad[] = {"",    " ",   "1__0", "_1", "1_", "0x",
                                      "010", "1 2", "--1",  "9a", "0b2"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(bad); i++) {
        char expected[100];
        snprintf(expected, sizeof expected,
                 "invalid literal for int() with base 0: '%s'", bad[i]);
        ck_assert_ptr_null(PyLong_FromString(bad[i], NULL, 0));
        suite_exception(PyExc_ValueError, expected);
    }
    ck_assert_ptr_null(PyLong_FromString("1", NULL, 37));
    suite_exception(PyExc_ValueError, "int() arg 2 must be >= 2 and <= 36");

    PyObject *nul = PyUnicode_FromStringAndSize("12\0", 3);
    ck_assert_ptr_null(PyLong_FromUnicodeObject(nul, 10));
    suite_exception(PyExc_ValueError,
                    "invalid literal for int() with base 10: '12\\x00'");
    Py_DECREF(nul);
}
END_TEST

START_TEST(text_at_the_limits)
{
    suite_new_repr(number(INT_MAX_TEXT), INT_MAX_TEXT);
    suite_new_repr(number(INT_MIN_TEXT), INT_MIN_TEXT);
    ck_assert_ptr_null(PyLong_FromString(INT_MIN_TEXT + 1, NULL, 10));
    suite_exception(PyExc_OverflowError, TOO_LARGE);
    ck_assert_ptr_null(PyLong_FromString(
        "999999999999999999999999999999999999999999999999999", NULL, 10));
    suite_exception(PyExc_OverflowError, TOO_LARGE);
}
END_TEST

START_TEST(to_base)
{
    static const struct {
        int base;
        const char *text;
    } cases[] = {{2, "-0b1010"}, {8, "-0o12"}, {10, "-10"}, {16, "-0xa"}};
    PyObject *op = PyLong_FromLong(-10);

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        PyObject *text = PyNumber_ToBase(op, cases[i].base);
        ck_assert_ptr_nonnull(text);
        ck_assert_str_eq(PyUnicode_AsUTF8(text), cases[i].text);
        Py_DECREF(text);
    }
    ck_assert_ptr_null(PyNumber_ToBase(op, 7));
    suite_exception(PyExc_ValueError,
                    "PyNumber_ToBase: base must be 2, 8, 10 or 16");
    Py_DECREF(op);
}
END_TEST

START_TEST(arithmetic_never_wraps)
{
    const char *most = INT_MAX_TEXT, *least = INT_MIN_TEXT;

    assert_binary(PyNumber_Add, most, "1", NULL);
    assert_binary(PyNumber_Add, least, most, "-1");
    assert_binary(PyNumber_Subtract, least, "1", NULL);
    assert_binary(PyNumber_Multiply, "18446744073709551616",
                  "9223372036854775807",
                  "170141183460469231713240559642174554112");
    assert_binary(PyNumber_Multiply, "18446744073709551616",
                  "9223372036854775808", NULL);
    assert_binary(PyNumber_Multiply, "-18446744073709551616",
                  "9223372036854775808", least);
    assert_binary(PyNumber_FloorDivide, least, "-1", NULL);
    assert_binary(PyNumber_Remainder, least, "-1", "0");
    assert_binary(PyNumber_Lshift, "1", "126",
                  "85070591730234615865843651857942052864");
    assert_binary(PyNumber_Lshift, "1", "127", NULL);
    assert_binary(PyNumber_Lshift, "-1", "127", least);
    assert_binary(PyNumber_Lshift, "0", most, "0");
    assert_binary(PyNumber_Rshift, least, most, "-1");

    PyObject *op = number(least);
    ck_assert_ptr_null(PyNumber_Negative(op));
    suite_exception(PyExc_OverflowError, TOO_LARGE);
    ck_assert_ptr_null(PyNumber_Absolute(op));
    suite_exception(PyExc_OverflowError, TOO_LARGE);
    suite_new_repr(PyNumber_Invert(op), most);
    Py_DECREF(op);
}
END_TEST

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
END_TEST

START_TEST(division_by_zero)
{
    PyObject *one = PyLong_FromLong(1), *zero = PyLong_FromLong(0);
    PyObject *minus = PyLong_FromLong(-1);

    ck_assert_ptr_null(PyNumber_FloorDivide(one, zero));
    suite_exception(PyExc_ZeroDivisionError,
                    "integer division or modulo by zero");
    ck_assert_ptr_null(PyNumber_Divmod(one, zero));
    suite_exception(PyExc_ZeroDivisionError,
                    "integer division or modulo by zero");
    ck_assert_ptr_null(PyNumber_Remainder(one, zero));
    suite_exception(PyExc_ZeroDivisionError, "integer modulo by zero");
    ck_assert_ptr_null(PyNumber_TrueDivide(one, zero));
    suite_exception(PyExc_ZeroDivisionError, "division by zero");
    ck_assert_ptr_null(PyNumber_Lshift(one, minus));
    suite_exception(PyExc_ValueError, "negative shift count");
    ck_assert_ptr_null(PyNumber_Rshift(one, minus));
    suite_exception(PyExc_ValueError, "negative shift count");
    ck_assert_ptr_null(PyNumber_Power(zero, minus, Py_None));
    suite_exception(PyExc_ZeroDivisionError,
                    "0.0 cannot be raised to a negative power");
}
END_TEST

/* pow(a, b, c) has the repr. */
static void
assert_power(const char *a, const char *b, const char *c, const char *repr)
{
    PyObject *x = number(a), *y = number(b);
    PyObject *z = c != NULL ? number(c) : Py_NewRef(Py_None);

    suite_new_repr(PyNumber_Power(x, y, z), repr);
    Py_DECREF(x);
    Py_DECREF(y);
    Py_DECREF(z);
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
    PyObject *big = PyLong_FromLong(127);
    ck_assert_ptr_null(PyNumber_Power(two, big, Py_None));
    suite_exception(PyExc_OverflowError, TOO_LARGE);
    ck_assert_ptr_null(PyNumber_Power(two, minus, four));
    suite_exception(PyExc_ValueError,
                    "base is not invertible for the given modulus");
    ck_assert_ptr_null(PyNumber_Power(two, two, zero));
    suite_exception(PyExc_ValueError, "pow() 3rd argument cannot be 0");
}
END_TEST

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
    Py_DECREF(two63);
    Py_DECREF(near);
    Py_DECREF(same);
    Py_DECREF(inf);
}
END_TEST

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
END_TEST

START_TEST(constructor)
{
    PyObject *type = (PyObject *)&PyLong_Type;

    suite_new_repr(PyObject_CallNoArgs(type), "0");
    suite_new_repr(PyObject_CallFunction(type, "s", " 12 "), "12");
    suite_new_repr(PyObject_CallFunction(type, "si", "ff", 16), "255");
    suite_new_repr(PyObject_CallFunction(type, "d", -3.9), "-3");
    suite_new_repr(PyObject_CallFunction(type, "y", "77"), "77");
    ck_assert_ptr_null(PyObject_CallFunction(type, "ii", 1, 2));
    suite_exception(PyExc_TypeError,
                    "int() can't convert non-string with explicit base");
    ck_assert_ptr_null(PyObject_CallFunction(type, "si", "1", 1));
    suite_exception(PyExc_ValueError,
                    "int() base must be >= 2 and <= 36, or 0");
    ck_assert_ptr_null(PyObject_CallFunction(type, "[]"));
    suite_exception(PyExc_TypeError,
                    "int() argument must be a string, a bytes-like object or "
                    "a real number, not 'list'");
    ck_assert_ptr_null(PyObject_CallFunction(type, "y", "x"));
    suite_exception(PyExc_ValueError,
                    "invalid literal for int() with base 10: b'x'");
}
END_TEST

START_TEST(subtype)
{
    PyType_Slot slots[] = {{0, NULL}};
    PyType_Spec spec = {"m.Sub", sizeof(PyLongObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *type = PyType_FromSpecWithBases(&spec, (PyObject *)&PyLong_Type);
    ck_assert_ptr_nonnull(type);
    PyObject *op = PyObject_CallFunction(type, "L", 1234567890123LL);

    ck_assert_ptr_nonnull(op);
    ck_assert_ptr_eq(Py_TYPE(op), type);
    ck_assert_int_eq(PyLong_AsLongLong(op), 1234567890123LL);
    PyObject *index = PyNumber_Index(op);
    ck_assert(PyLong_CheckExact(index));
    suite_new_repr(index, "1234567890123");
    suite_new_repr(PyNumber_Add(op, op), "2469135780246");
    Py_DECREF(op);
    Py_DECREF(type);
}
END_TEST

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
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
}
END_TEST

START_TEST(native_bytes)
{
    PyObject *op = PyLong_FromLong(-2);
    unsigned char bytes[20];

    ck_assert_int_eq(
        PyLong_AsNativeBytes(op, bytes, 4, Py_ASNATIVEBYTES_BIG_ENDIAN), 1);
    ck_assert_mem_eq(bytes, "\xff\xff\xff\xfe", 4);
    ck_assert_int_eq(
        PyLong_AsNativeBytes(op, bytes, 4, Py_ASNATIVEBYTES_REJECT_NEGATIVE),
        -1);
    suite_exception(PyExc_ValueError, "Cannot convert negative int");
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
    ck_assert_ptr_null(PyLong_FromUnsignedNativeBytes(bytes, 16, 0));
    suite_exception(PyExc_OverflowError, TOO_LARGE);
}
END_TEST

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

    PyLongWriter *writer = PyLongWriter_Create(0, 6, &digits);
    ck_assert_ptr_nonnull(writer);
    ((uint32_t *)digits)[5] = 1;
    ck_assert_ptr_null(PyLongWriter_Finish(writer));
    suite_exception(PyExc_OverflowError, TOO_LARGE);
    ck_assert_ptr_null(PyLongWriter_Create(0, 0, &digits));
    suite_exception(PyExc_ValueError, "ndigits must be positive");
    PyLongWriter_Discard(PyLongWriter_Create(0, 2, &digits));
}
END_TEST

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
END_TEST

int
main(void)
{
    const struct suite_test tests[] = {
        {small_ints_are_shared_and_immortal, 0},
        {c_numbers_come_back, 0},
        {c_numbers_out_of_range, 0},
        {overflow_is_told_without_exception, 0},
        {fixed_width, 0},
        {wrong_types, 0},
        {from_double, 0},
        {text_is_read, 0},
        {bad_text, 0},
        {text_at_the_limits, 0},
        {to_base, 0},
        {arithmetic_never_wraps, 0},
        {division_rounds_down, 0},
        {division_by_zero, 0},
        {powers, 0},
        {compare_and_hash_across_types, 0},
        {bools, 0},
        {constructor, 0},
        {subtype, 0},
        {attributes_and_methods, 0},
        {native_bytes, 0},
        {digits_keep_the_number, 0},
        {signs, 0},
        {NULL, 0},
    };
    return suite_run("int", tests);
}
