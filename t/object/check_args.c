/* check_args.c: every unit of the argument formats: values at the limits, one
   beyond them, and objects of a wrong type. */

#define PY_SSIZE_T_CLEAN
#include "../support/suite.h"

#include <float.h>
#include <limits.h>
#include <string.h>

/* Parses f(arg), stealing arg; a length goes nowhere. */
static int
parse(const char *format, PyObject *arg, void *variable)
{
    ck_assert_ptr_nonnull(arg);
    PyObject *args = suite_require(PyTuple_Pack(1, arg));
    Py_ssize_t length;
    int ok = PyArg_ParseTuple(args, format, variable, &length);
    suite_drop(args, arg);
    return ok;
}

#define INT(n) PyLong_FromLongLong(n)
#define UINT(n) PyLong_FromUnsignedLongLong(n)
#define STR(s) PyUnicode_FromString(s)
#define BYTES(s) PyBytes_FromString(s)
#define NONE Py_NewRef(Py_None)

/* The argument must give that value; the variable's neighbour stays. */
#define ACCEPTS(TYPE, format, arg, expected)                                  \
    do {                                                                      \
        struct {                                                              \
            TYPE value;                                                       \
            unsigned char guard[8];                                           \
        } v;                                                                  \
        memset(&v, 0x5a, sizeof(v));                                          \
        ck_assert_int_eq(parse(format, arg, &v.value), 1);                    \
        ck_assert(v.value == (TYPE)(expected));                               \
        for (size_t i = 0; i < sizeof(v.guard); i++)                          \
            ck_assert_uint_eq(v.guard[i], 0x5a);                              \
    } while (0)

/* The argument must raise that. */
#define REJECTS(format, arg, exception, text)                                 \
    do {                                                                      \
        Py_buffer v;                                                          \
        suite_rejected(parse(format, arg, &v), exception, text);              \
    } while (0)

/* 2 to the n-th. */
static PyObject *
power_of_two(int n)
{
    PyObject *one = INT(1), *shift = INT(n);
    PyObject *result = PyNumber_Lshift(one, shift);

    suite_drop(one, shift);
    ck_assert_ptr_nonnull(result);
    return result;
}

/* ~op; op is stolen. */
static PyObject *
inverse(PyObject *op)
{
    PyObject *result = PyNumber_Invert(op);

    Py_DECREF(op);
    ck_assert_ptr_nonnull(result);
    return result;
}

static const char no_int_str[] =
    "'str' object cannot be interpreted as an integer";
static const char no_int_float[] =
    "'float' object cannot be interpreted as an integer";

/* What every integer unit does with objects that are none. */
static void
check_no_integer(const char *format)
{
    REJECTS(format, STR("1"), PyExc_TypeError, no_int_str);
    REJECTS(format, PyFloat_FromDouble(1.0), PyExc_TypeError, no_int_float);
    REJECTS(format, NONE, PyExc_TypeError,
            "'NoneType' object cannot be interpreted as an integer");
}

START_TEST(unit_b_checks_unsigned_char)
{
    ACCEPTS(unsigned char, "b:f", INT(0), 0);
    ACCEPTS(unsigned char, "b:f", INT(UCHAR_MAX), UCHAR_MAX);
    ACCEPTS(unsigned char, "b:f", Py_NewRef(Py_True), 1);
    REJECTS("b:f", INT(-1), PyExc_OverflowError,
            "unsigned byte integer is less than minimum");
    REJECTS("b:f", INT(UCHAR_MAX + 1), PyExc_OverflowError,
            "unsigned byte integer is greater than maximum");
    REJECTS("b:f", power_of_two(64), PyExc_OverflowError,
            "Python int too large to convert to C long");
    check_no_integer("b:f");
}

START_TEST(unit_h_checks_short)
{
    ACCEPTS(short, "h:f", INT(SHRT_MIN), SHRT_MIN);
    ACCEPTS(short, "h:f", INT(SHRT_MAX), SHRT_MAX);
    REJECTS("h:f", INT(SHRT_MIN - 1), PyExc_OverflowError,
            "signed short integer is less than minimum");
    REJECTS("h:f", INT(SHRT_MAX + 1), PyExc_OverflowError,
            "signed short integer is greater than maximum");
    check_no_integer("h:f");
}

START_TEST(unit_i_checks_int)
{
    ACCEPTS(int, "i:f", INT(INT_MIN), INT_MIN);
    ACCEPTS(int, "i:f", INT(INT_MAX), INT_MAX);
    ACCEPTS(int, "i:f", INT(-1), -1);
    REJECTS("i:f", INT((long long)INT_MIN - 1), PyExc_OverflowError,
            "signed integer is less than minimum");
    REJECTS("i:f", INT((long long)INT_MAX + 1), PyExc_OverflowError,
            "signed integer is greater than maximum");
    REJECTS("i:f", power_of_two(63), PyExc_OverflowError,
            "Python int too large to convert to C long");
    check_no_integer("i:f");
}

START_TEST(unit_l_checks_long)
{
    ACCEPTS(long, "l:f", INT(LONG_MIN), LONG_MIN);
    ACCEPTS(long, "l:f", INT(LONG_MAX), LONG_MAX);
    ACCEPTS(long, "l:f", INT(-1), -1);
    REJECTS("l:f", power_of_two(63), PyExc_OverflowError,
            "Python int too large to convert to C long");
    REJECTS("l:f", inverse(power_of_two(63)), PyExc_OverflowError,
            "Python int too large to convert to C long");
    check_no_integer("l:f");
}

START_TEST(unit_L_checks_long_long)
{
    ACCEPTS(long long, "L:f", INT(LLONG_MIN), LLONG_MIN);
    ACCEPTS(long long, "L:f", INT(LLONG_MAX), LLONG_MAX);
    ACCEPTS(long long, "L:f", INT(-1), -1);
    REJECTS("L:f", power_of_two(63), PyExc_OverflowError,
            "int too big to convert");
    check_no_integer("L:f");
}

START_TEST(unit_n_checks_ssize)
{
    ACCEPTS(Py_ssize_t, "n:f", INT(PY_SSIZE_T_MIN), PY_SSIZE_T_MIN);
    ACCEPTS(Py_ssize_t, "n:f", INT(PY_SSIZE_T_MAX), PY_SSIZE_T_MAX);
    ACCEPTS(Py_ssize_t, "n:f", INT(-1), -1);
    REJECTS("n:f", power_of_two(63), PyExc_OverflowError,
            "Python int too large to convert to C ssize_t");
    check_no_integer("n:f");
}

START_TEST(units_B_H_I_cut_off_silently)
{
    ACCEPTS(unsigned char, "B:f", INT(UCHAR_MAX), UCHAR_MAX);
    ACCEPTS(unsigned char, "B:f", INT(UCHAR_MAX + 2), 1);
    ACCEPTS(unsigned char, "B:f", INT(-1), UCHAR_MAX);
    ACCEPTS(unsigned short, "H:f", INT(USHRT_MAX), USHRT_MAX);
    ACCEPTS(unsigned short, "H:f", INT(USHRT_MAX + 2), 1);
    ACCEPTS(unsigned short, "H:f", INT(-1), USHRT_MAX);
    ACCEPTS(unsigned int, "I:f", INT(UINT_MAX), UINT_MAX);
    ACCEPTS(unsigned int, "I:f", INT((long long)UINT_MAX + 2), 1);
    ACCEPTS(unsigned int, "I:f", INT(-1), UINT_MAX);
    ACCEPTS(unsigned int, "I:f", power_of_two(80), 0);
    check_no_integer("B:f");
    check_no_integer("H:f");
    check_no_integer("I:f");
}

START_TEST(units_k_K_cut_off_silently)
{
    ACCEPTS(unsigned long, "k:f", UINT(ULONG_MAX), ULONG_MAX);
    ACCEPTS(unsigned long, "k:f", INT(-1), ULONG_MAX);
    ACCEPTS(unsigned long, "k:f", power_of_two(64), 0);
    ACCEPTS(unsigned long long, "K:f", UINT(ULLONG_MAX), ULLONG_MAX);
    ACCEPTS(unsigned long long, "K:f", INT(-2), ULLONG_MAX - 1);
    ACCEPTS(unsigned long long, "K:f", power_of_two(100), 0);
    REJECTS("k:f", STR("1"), PyExc_TypeError,
            "f() argument 1 must be int, not str");
    REJECTS("K:f", PyFloat_FromDouble(1), PyExc_TypeError,
            "f() argument 1 must be int, not float");
    REJECTS("K:f", NONE, PyExc_TypeError,
            "f() argument 1 must be int, not None");
}

START_TEST(units_f_d_take_real_numbers)
{
    ACCEPTS(double, "d:f", PyFloat_FromDouble(DBL_MAX), DBL_MAX);
    ACCEPTS(double, "d:f", PyFloat_FromDouble(-1.0), -1.0);
    ACCEPTS(double, "d:f", INT(7), 7.0);
    ACCEPTS(float, "f:f", PyFloat_FromDouble(0.5), 0.5);
    ACCEPTS(float, "f:f", PyFloat_FromDouble(FLT_MAX), FLT_MAX);
    REJECTS("d:f", STR("1"), PyExc_TypeError, "must be real number, not str");
    REJECTS("f:f", NONE, PyExc_TypeError, "must be real number, not NoneType");
}

START_TEST(unit_D_takes_any_number)
{
    Py_complex value;

    ck_assert_int_eq(parse("D:f", PyComplex_FromDoubles(-1, 2), &value), 1);
    ck_assert_double_eq(value.real, -1);
    ck_assert_double_eq(value.imag, 2);
    ck_assert_int_eq(parse("D:f", INT(3), &value), 1);
    ck_assert_double_eq(value.real, 3);
    ck_assert_double_eq(value.imag, 0);
    REJECTS("D:f", STR("1"), PyExc_TypeError, "must be real number, not str");
}

START_TEST(unit_p_takes_any_object)
{
    ACCEPTS(int, "p:f", INT(5), 1);
    ACCEPTS(int, "p:f", INT(0), 0);
    ACCEPTS(int, "p:f", STR(""), 0);
    ACCEPTS(int, "p:f", STR("0"), 1);
    ACCEPTS(int, "p:f", NONE, 0);
}

START_TEST(unit_c_takes_one_byte)
{
    ACCEPTS(char, "c:f", BYTES("x"), 'x');
    ACCEPTS(char, "c:f", PyBytes_FromStringAndSize("\xff", 1), '\xff');
    ACCEPTS(char, "c:f", PyByteArray_FromStringAndSize("y", 1), 'y');
    REJECTS("c:f", STR("x"), PyExc_TypeError,
            "f() argument 1 must be a byte string of length 1, not str");
    REJECTS("c:f", BYTES("xy"), PyExc_TypeError,
            "f() argument 1 must be a byte string of length 1, not bytes");
    REJECTS("c:f", BYTES(""), PyExc_TypeError,
            "f() argument 1 must be a byte string of length 1, not bytes");
}

START_TEST(unit_C_takes_one_character)
{
    ACCEPTS(int, "C:f", STR("x"), 'x');
    ACCEPTS(int, "C:f", STR("\xf4\x8f\xbf\xbf"), 0x10ffff);
    REJECTS("C:f", STR("xy"), PyExc_TypeError,
            "f() argument 1 must be a unicode character, not str");
    REJECTS("C:f", STR(""), PyExc_TypeError,
            "f() argument 1 must be a unicode character, not str");
    REJECTS("C:f", INT(65), PyExc_TypeError,
            "f() argument 1 must be a unicode character, not int");
}

/* ------------------------------------------------------------------ */
/* Strings and buffers                                                 */

/* Keeps arg alive for the test's duration, where the result points into it. */
static int
parse_kept(const char *format, PyObject *arg, void *variable, void *second)
{
    PyObject *args = suite_require(PyTuple_Pack(1, arg));
    int ok = PyArg_ParseTuple(args, format, variable, second);
    Py_DECREF(args);
    return ok;
}

START_TEST(units_s_z_give_the_utf8_text)
{
    PyObject *arg = STR("gr\xc3\xbc\xc3\x9f");
    const char *text = NULL;

    ck_assert_int_eq(parse_kept("s:f", arg, &text, NULL), 1);
    ck_assert_ptr_eq(text, PyUnicode_AsUTF8(arg));
    text = NULL;
    ck_assert_int_eq(parse_kept("z:f", arg, &text, NULL), 1);
    ck_assert_str_eq(text, "gr\xc3\xbc\xc3\x9f");
    ck_assert_int_eq(parse_kept("z:f", Py_None, &text, NULL), 1);
    ck_assert_ptr_null(text);
    Py_DECREF(arg);
}

START_TEST(units_s_z_reject_others)
{
    REJECTS("s:f", INT(1), PyExc_TypeError,
            "f() argument 1 must be str, not int");
    REJECTS("s", INT(1), PyExc_TypeError, "argument 1 must be str, not int");
    REJECTS("s:f", NONE, PyExc_TypeError,
            "f() argument 1 must be str, not None");
    REJECTS("s:f", BYTES("x"), PyExc_TypeError,
            "f() argument 1 must be str, not bytes");
    REJECTS("z:f", INT(1), PyExc_TypeError,
            "f() argument 1 must be str or None, not int");
    REJECTS("s:f", PyUnicode_FromStringAndSize("a\0b", 3), PyExc_ValueError,
            "embedded null character");
    REJECTS("z:f", PyUnicode_FromStringAndSize("\0", 1), PyExc_ValueError,
            "embedded null character");
}

START_TEST(units_s_hash_z_hash_give_the_length)
{
    PyObject *text = PyUnicode_FromStringAndSize("a\0b", 3);
    PyObject *bytes = PyBytes_FromStringAndSize("\0\xff", 2);
    const char *start = NULL;
    Py_ssize_t length = -1;

    ck_assert_int_eq(parse_kept("s#:f", text, &start, &length), 1);
    ck_assert_int_eq(length, 3);
    ck_assert_mem_eq(start, "a\0b", 4);
    ck_assert_int_eq(parse_kept("z#:f", text, &start, &length), 1);
    ck_assert_int_eq(length, 3);
    ck_assert_int_eq(parse_kept("s#:f", bytes, &start, &length), 1);
    ck_assert_int_eq(length, 2);
    ck_assert_ptr_eq(start, PyBytes_AS_STRING(bytes));
    ck_assert_int_eq(parse_kept("z#:f", Py_None, &start, &length), 1);
    ck_assert_int_eq(length, 0);
    ck_assert_ptr_null(start);
    suite_drop(text, bytes);
}

START_TEST(units_with_hash_reject_memory_that_may_move)
{
    REJECTS("s#:f", INT(1), PyExc_TypeError,
            "a bytes-like object is required, not 'int'");
    REJECTS("s#:f", NONE, PyExc_TypeError,
            "a bytes-like object is required, not 'NoneType'");
    REJECTS("z#:f", PyByteArray_FromStringAndSize("x", 1), PyExc_TypeError,
            "f() argument 1 must be read-only bytes-like object, "
            "not bytearray");
    REJECTS("y#:f", STR("x"), PyExc_TypeError,
            "a bytes-like object is required, not 'str'");
    REJECTS("y#:f", PyByteArray_FromStringAndSize("x", 1), PyExc_TypeError,
            "f() argument 1 must be read-only bytes-like object, "
            "not bytearray");
}

START_TEST(unit_y_gives_the_bytes)
{
    PyObject *arg = BYTES("abc");
    const char *start = NULL;
    Py_ssize_t length = -1;

    ck_assert_int_eq(parse_kept("y:f", arg, &start, NULL), 1);
    ck_assert_ptr_eq(start, PyBytes_AS_STRING(arg));
    start = NULL;
    ck_assert_int_eq(parse_kept("y#:f", arg, &start, &length), 1);
    ck_assert_int_eq(length, 3);
    ck_assert_str_eq(start, "abc");
    Py_DECREF(arg);

    arg = PyBytes_FromStringAndSize("a\0b", 3);
    suite_rejected(parse_kept("y:f", arg, &start, NULL), PyExc_ValueError,
                   "embedded null byte");
    Py_DECREF(arg);
    REJECTS("y:f", STR("x"), PyExc_TypeError,
            "a bytes-like object is required, not 'str'");
    REJECTS("y:f", PyByteArray_FromStringAndSize("x", 1), PyExc_TypeError,
            "f() argument 1 must be read-only bytes-like object, "
            "not bytearray");
}

/* The unit must give a view of that content that owns a reference. */
static void
check_view(const char *format, PyObject *arg, const char *content,
           Py_ssize_t length)
{
    Py_buffer view;
    Py_ssize_t count = Py_REFCNT(arg);

    ck_assert_int_eq(parse_kept(format, arg, &view, NULL), 1);
    ck_assert_int_eq(view.len, length);
    ck_assert_mem_eq(view.buf, content, (size_t)length);
    ck_assert_ptr_eq(view.obj, arg);
    ck_assert_int_eq(Py_REFCNT(arg), count + 1);
    PyBuffer_Release(&view);
    ck_assert_ptr_null(view.obj);
    ck_assert_int_eq(Py_REFCNT(arg), count);
    Py_DECREF(arg);
}

START_TEST(units_with_star_fill_a_view)
{
    Py_buffer view;

    check_view("s*:f", PyUnicode_FromStringAndSize("a\0bc", 4), "a\0bc", 4);
    check_view("z*:f", STR("a long text"), "a long text", 11);
    check_view("s*:f", BYTES("a few bytes"), "a few bytes", 11);
    check_view("y*:f", BYTES("a few bytes"), "a few bytes", 11);
    check_view("y*:f", PyByteArray_FromStringAndSize("xy", 2), "xy", 2);
    check_view("w*:f", PyByteArray_FromStringAndSize("xy", 2), "xy", 2);

    ck_assert_int_eq(parse_kept("z*:f", Py_None, &view, NULL), 1);
    ck_assert_ptr_null(view.buf);
    ck_assert_ptr_null(view.obj);
    ck_assert_int_eq(view.len, 0);
    PyBuffer_Release(&view);
}

/* The same without a look at the view, which may be written to. */
static void
check_no_view(const char *format, PyObject *arg, const char *text)
{
    Py_buffer view;

    suite_rejected(parse(format, arg, &view), PyExc_TypeError, text);
}

START_TEST(units_with_star_reject_others)
{
    check_no_view("s*:f", INT(1),
                  "a bytes-like object is required, not 'int'");
    check_no_view("s*:f", NONE,
                  "a bytes-like object is required, not 'NoneType'");
    check_no_view("z*:f", INT(1),
                  "a bytes-like object is required, not 'int'");
    check_no_view("y*:f", STR("x"),
                  "a bytes-like object is required, not 'str'");
    check_no_view("w*:f", BYTES("xy"),
                  "f() argument 1 must be read-write bytes-like object, "
                  "not bytes");
    check_no_view("w*:f", INT(1),
                  "f() argument 1 must be read-write bytes-like object, "
                  "not int");
}

/* ------------------------------------------------------------------ */
/* Encoded strings                                                     */

static int
parse_encoded(const char *format, PyObject *arg, const char *encoding,
              char **buffer, Py_ssize_t *length)
{
    PyObject *args = suite_require(PyTuple_Pack(1, arg));
    int ok = PyArg_ParseTuple(args, format, encoding, buffer, length);
    suite_drop(args, arg);
    return ok;
}

START_TEST(unit_es_allocates_the_encoded_text)
{
    char *buffer = NULL;

    ck_assert_int_eq(
        parse_encoded("es:f", STR("\xc3\xbc"), "latin-1", &buffer, NULL), 1);
    ck_assert_str_eq(buffer, "\xfc");
    PyMem_Free(buffer);
    buffer = NULL;
    ck_assert_int_eq(
        parse_encoded("es:f", STR("\xc3\xbc"), NULL, &buffer, NULL), 1);
    ck_assert_str_eq(buffer, "\xc3\xbc");
    PyMem_Free(buffer);
}

START_TEST(unit_et_passes_bytes_through)
{
    char *buffer = NULL;

    ck_assert_int_eq(
        parse_encoded("et:f", BYTES("\xfe"), "ascii", &buffer, NULL), 1);
    ck_assert_str_eq(buffer, "\xfe");
    PyMem_Free(buffer);
    ck_assert_int_eq(parse_encoded("et:f",
                                   PyByteArray_FromStringAndSize("ab", 2),
                                   "ascii", &buffer, NULL),
                     1);
    ck_assert_str_eq(buffer, "ab");
    PyMem_Free(buffer);
    ck_assert_int_eq(
        parse_encoded("et:f", STR("text"), "ascii", &buffer, NULL), 1);
    ck_assert_str_eq(buffer, "text");
    PyMem_Free(buffer);
}

START_TEST(unit_es_hash_allocates_or_fills_a_buffer)
{
    char own[5] = "....", *buffer = own;
    Py_ssize_t length = sizeof(own);

    ck_assert_int_eq(
        parse_encoded("es#:f", STR("abcd"), "utf-8", &buffer, &length), 1);
    ck_assert_ptr_eq(buffer, own);
    ck_assert_str_eq(own, "abcd");
    ck_assert_int_eq(length, 4);

    length = sizeof(own);
    suite_rejected(
        parse_encoded("es#:f", STR("abcde"), "utf-8", &buffer, &length),
        PyExc_ValueError, "encoded string too long (5, maximum length 4)");
    ck_assert_str_eq(own, "abcd");

    buffer = NULL;
    ck_assert_int_eq(parse_encoded("et#:f",
                                   PyBytes_FromStringAndSize("a\0b", 3),
                                   "utf-8", &buffer, &length),
                     1);
    ck_assert_int_eq(length, 3);
    ck_assert_mem_eq(buffer, "a\0b", 4);
    PyMem_Free(buffer);
}

START_TEST(units_es_et_reject_others)
{
    char *buffer = NULL;
    Py_ssize_t length = 0;

    suite_rejected(parse_encoded("es:f", BYTES("x"), "utf-8", &buffer, NULL),
                   PyExc_TypeError, "f() argument 1 must be str, not bytes");
    suite_rejected(parse_encoded("et:f", INT(1), "utf-8", &buffer, NULL),
                   PyExc_TypeError,
                   "f() argument 1 must be str, bytes or bytearray, not int");
    suite_rejected(
        parse_encoded("es:f", PyUnicode_FromStringAndSize("a\0", 2), "utf-8",
                      &buffer, NULL),
        PyExc_TypeError,
        "f() argument 1 must be encoded string without null bytes, not str");
    suite_rejected(
        parse_encoded("es:f", STR("\xc3\xbc"), "ascii", &buffer, NULL),
        PyExc_UnicodeEncodeError, NULL);
    suite_rejected(
        parse_encoded("es:f", STR("x"), "no-such-code", &buffer, NULL),
        PyExc_LookupError, "unknown encoding: no-such-code");
    ck_assert_ptr_null(buffer);

    suite_rejected(parse_encoded("es:f", STR("x"), "utf-8", NULL, NULL),
                   PyExc_SystemError, "f() argument 1 (buffer is NULL)");
    suite_rejected(parse_encoded("es#:f", STR("x"), "utf-8", &buffer, NULL),
                   PyExc_SystemError, "f() argument 1 (buffer_len is NULL)");
    suite_rejected(parse_encoded("ex:f", STR("x"), "utf-8", &buffer, &length),
                   PyExc_SystemError,
                   "f() argument 1 (unknown parser marker combination)");
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

START_TEST(units_O_S_Y_U_borrow_the_object)
{
    PyObject *bytes = BYTES("bytes"), *text = STR("some text");
    PyObject *array = PyByteArray_FromStringAndSize("xy", 2);
    PyObject *op = NULL;
    Py_ssize_t count = Py_REFCNT(bytes);

    ck_assert_int_eq(parse_kept("O:f", bytes, &op, NULL), 1);
    ck_assert_ptr_eq(op, bytes);
    ck_assert_int_eq(parse_kept("S:f", bytes, &op, NULL), 1);
    ck_assert_ptr_eq(op, bytes);
    ck_assert_int_eq(Py_REFCNT(bytes), count);
    ck_assert_int_eq(parse_kept("Y:f", array, &op, NULL), 1);
    ck_assert_ptr_eq(op, array);
    ck_assert_int_eq(parse_kept("U:f", text, &op, NULL), 1);
    ck_assert_ptr_eq(op, text);
    suite_drop(bytes, text, array);
    REJECTS("S:f", STR("x"), PyExc_TypeError,
            "f() argument 1 must be bytes, not str");
    REJECTS("Y:f", BYTES("x"), PyExc_TypeError,
            "f() argument 1 must be bytearray, not bytes");
    REJECTS("U:f", BYTES("x"), PyExc_TypeError,
            "f() argument 1 must be str, not bytes");
}

START_TEST(unit_O_with_a_type_checks_it)
{
    PyObject *list = PyList_New(0), *op = NULL;

    ck_assert_int_eq(parse_kept("O!:f", list, &PyList_Type, &op), 1);
    ck_assert_ptr_eq(op, list);
    op = NULL;
    ck_assert_int_eq(parse_kept("O!:f", Py_True, &PyLong_Type, &op), 1);
    ck_assert_ptr_eq(op, Py_True);
    op = NULL;
    suite_rejected(parse_kept("O!:f", list, &PyTuple_Type, &op),
                   PyExc_TypeError, "f() argument 1 must be tuple, not list");
    suite_rejected(parse_kept("O!:f", Py_None, &PyTuple_Type, &op),
                   PyExc_TypeError, "f() argument 1 must be tuple, not None");
    ck_assert_ptr_null(op);
    Py_DECREF(list);
}

static int
double_it(PyObject *op, void *address)
{
    long value = PyLong_AsLong(op);

    if (value == -1 && PyErr_Occurred())
        return 0;
    *(long *)address = 2 * value;
    return 1;
}

static int
fail_silently(PyObject *Py_UNUSED(op), void *Py_UNUSED(address))
{
    return 0;
}

START_TEST(unit_O_with_a_function_calls_it)
{
    PyObject *number = INT(21), *text = STR("x");
    long value = 0;

    ck_assert_int_eq(parse_kept("O&:f", number, (void *)double_it, &value), 1);
    ck_assert_int_eq(value, 42);
    suite_rejected(parse_kept("O&:f", text, (void *)double_it, &value),
                   PyExc_TypeError, no_int_str);
    suite_rejected(parse_kept("O&:f", text, (void *)fail_silently, &value),
                   PyExc_SystemError, "f() argument 1 (unspecified)");
    ck_assert_int_eq(value, 42);
    suite_drop(number, text);
}

/* ------------------------------------------------------------------ */
/* (items)                                                             */

static int
parse_items(const char *format, PyObject *arg, int *a, int *b, int *c)
{
    PyObject *args = suite_require(PyTuple_Pack(1, arg));
    int ok = PyArg_ParseTuple(args, format, a, b, c);
    suite_drop(args, arg);
    return ok;
}

START_TEST(items_may_nest)
{
    int a = 0, b = 0, c = 0;

    ck_assert_int_eq(parse_items("(i(ii)):f",
                                 Py_BuildValue("(i(ii))", 1, 2, 3), &a, &b,
                                 &c),
                     1);
    ck_assert_int_eq(a, 1);
    ck_assert_int_eq(b, 2);
    ck_assert_int_eq(c, 3);
    ck_assert_int_eq(
        parse_items("(iii):f", Py_BuildValue("[iii]", 4, 5, 6), &a, &b, &c),
        1);
    ck_assert_int_eq(a + b + c, 15);
    ck_assert_int_eq(parse_items("():f", PyTuple_New(0), &a, &b, &c), 1);
}

START_TEST(items_must_be_a_sequence_of_their_number)
{
    int a, b, c;

    suite_rejected(parse_items("(iii):f", INT(1), &a, &b, &c), PyExc_TypeError,
                   "f() argument 1 must be 3-item sequence, not int");
    suite_rejected(parse_items("(iii):f", NONE, &a, &b, &c), PyExc_TypeError,
                   "f() argument 1 must be 3-item sequence, not None");
    suite_rejected(parse_items("(iii):f", BYTES("abc"), &a, &b, &c),
                   PyExc_TypeError,
                   "f() argument 1 must be 3-item sequence, not bytes");
    suite_rejected(
        parse_items("(iii):f", Py_BuildValue("(ii)", 1, 2), &a, &b, &c),
        PyExc_TypeError, "f() argument 1 must be sequence of length 3, not 2");
    suite_rejected(
        parse_items("(i(ii)):f", Py_BuildValue("(i(i))", 1, 2), &a, &b, &c),
        PyExc_TypeError,
        "f() argument 1, item 1 must be sequence of length 2, not 1");
}

START_TEST(a_bad_item_is_named_by_its_path)
{
    const char *a, *b, *c;
    PyObject *args = Py_BuildValue("((s(si)))", "a", "b", 3);

    suite_rejected(PyArg_ParseTuple(args, "(s(ss)):f", &a, &b, &c),
                   PyExc_TypeError,
                   "f() argument 1, item 1, item 1 must be str, not int");
    Py_DECREF(args);
}

START_TEST(unknown_units_are_errors_of_the_format)
{
    REJECTS("x:f", INT(1), PyExc_SystemError,
            "f() argument 1 (impossible<bad format char>)");
    REJECTS("x", INT(1), PyExc_SystemError,
            "argument 1 (impossible<bad format char>)");
    REJECTS("w:f", INT(1), PyExc_SystemError,
            "f() argument 1 (invalid use of 'w' format character)");
    REJECTS("i#:f", INT(1), PyExc_SystemError, "bad format string: i#:f");
}
