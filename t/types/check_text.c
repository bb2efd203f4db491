/* check_text.c: methods and operators of str and bytes where they have a rare
   answer: the same object, a subclass, an index out of range, a wrong type. */

#include "../support/suite.h"

static PyObject *
str(const char *text)
{
    return suite_require(PyUnicode_FromString(text));
}

static PyObject *
bytes(const char *text)
{
    return suite_require(PyBytes_FromString(text));
}

/* op[key], which is given away. */
static PyObject *
item(PyObject *op, PyObject *key)
{
    PyObject *result = PyObject_GetItem(op, key);

    Py_DECREF(key);
    return result;
}

/* An instance of a subclass of type. */
static PyObject *
subclassed(PyTypeObject *base, PyObject *value)
{
    PyObject *type = suite_class("s(O){}", "Sub", (PyObject *)base);
    PyObject *op = suite_require(PyObject_CallOneArg(type, value));
    ck_assert_ptr_eq(Py_TYPE(op), (PyTypeObject *)type);
    Py_DECREF(type);
    return op;
}

/* ------------------------------------------------------------------ */
/* str                                                                 */

START_TEST(searching_in_str)
{
    PyObject *s = str("abcabc");

    suite_new_int(PyObject_CallMethod(s, "rindex", "s", "bc"), 4);
    suite_new_int(PyObject_CallMethod(s, "rindex", "sii", "bc", 0, 5), 1);
    suite_refused(PyObject_CallMethod(s, "rindex", "s", "x"), PyExc_ValueError,
                  "substring not found");
    suite_refused(PyObject_CallMethod(s, "find", "i", 1), PyExc_TypeError,
                  NULL);
    suite_new_int(PyObject_CallMethod(s, "rfind", "s", ""), 6);
    suite_new_int(PyObject_CallMethod(s, "find", "si", "", 7), -1);
    suite_new_repr(PyObject_CallMethod(s, "startswith", "si", "", 7), "False");
    suite_new_repr(PyObject_CallMethod(s, "startswith", "((ss))", "x", "ab"),
                   "True");
    suite_new_repr(PyObject_CallMethod(s, "endswith", "sii", "b", 0, 2),
                   "True");
    suite_refused(PyObject_CallMethod(s, "endswith", "i", 1), PyExc_TypeError,
                  "endswith first arg must be str or a tuple of str, not int");
    suite_refused(PyObject_CallMethod(s, "endswith", "((i))", 1),
                  PyExc_TypeError,
                  "tuple for endswith must only contain str, not int");
    Py_DECREF(s);
}

START_TEST(splitting_and_stripping_str)
{
    PyObject *s = str("a-b");

    suite_refused(PyObject_CallMethod(s, "split", "i", 1), PyExc_TypeError,
                  "must be str or None, not int");
    suite_refused(PyObject_CallMethod(s, "split", "s", ""), PyExc_ValueError,
                  "empty separator");
    suite_new_text(PyObject_CallMethod(s, "removesuffix", "s", "-b"), "a");
    suite_new_text(PyObject_CallMethod(s, "removesuffix", "s", "x"), "a-b");
    suite_new_text(PyObject_CallMethod(s, "removeprefix", "s", "a-"), "b");
    suite_refused(PyObject_CallMethod(s, "removeprefix", "i", 1),
                  PyExc_TypeError,
                  "removeprefix() argument must be str, not int");
    suite_refused(PyObject_CallMethod(s, "strip", "i", 1), PyExc_TypeError,
                  "strip arg must be None or str");
    Py_DECREF(s);
}

START_TEST(padding_str)
{
    PyObject *s = str("ab");

    suite_new_text(PyObject_CallMethod(s, "center", "is", 5, "*"), "**ab*");
    suite_new_text(PyObject_CallMethod(s, "ljust", "is", 4, "\303\244"),
                   "ab\303\244\303\244");
    suite_new_text(PyObject_CallMethod(s, "rjust", "i", 4), "  ab");
    PyObject *same = PyObject_CallMethod(s, "center", "i", 2);
    ck_assert_ptr_eq(same, s);
    Py_SETREF(same, PyObject_CallMethod(s, "ljust", "i", -1));
    ck_assert_ptr_eq(same, s);
    Py_DECREF(same);
    suite_refused(PyObject_CallMethod(s, "center", "is", 5, "xy"),
                  PyExc_TypeError,
                  "The fill character must be exactly one character long");
    suite_refused(PyObject_CallMethod(s, "center", "ii", 5, 1),
                  PyExc_TypeError,
                  "The fill character must be a unicode character, not int");
    suite_new_text(PyObject_CallMethod(s, "zfill", "i", 4), "00ab");
    PyObject *sub = subclassed(&PyUnicode_Type, s);
    PyObject *plain = PyObject_CallMethod(sub, "center", "i", 0);
    ck_assert(PyUnicode_CheckExact(plain));
    suite_new_text(plain, "ab");
    suite_new_repr(PyObject_CallMethod(sub, "__getnewargs__", NULL),
                   "('ab',)");
    suite_drop(sub, s);
}

START_TEST(subscripts_of_str)
{
    PyObject *s = str("a\303\244c"), *it;

    suite_new_text(item(s, PyLong_FromLong(1)), "\303\244");
    suite_new_text(item(s, PyLong_FromLong(-3)), "a");
    suite_refused(item(s, PyLong_FromLong(3)), PyExc_IndexError,
                  "string index out of range");
    suite_refused(item(s, PyLong_FromLong(-4)), PyExc_IndexError,
                  "string index out of range");
    suite_refused(item(s, str("x")), PyExc_TypeError, NULL);
    suite_refused(item(s, PyLong_FromString("99999999999999999999", NULL, 10)),
                  PyExc_IndexError,
                  "cannot fit 'int' into an index-sized integer");
    it = PyObject_GetIter(s);
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 3);
    for (int i = 0; i < 3; i++)
        Py_DECREF(PyIter_Next(it));
    ck_assert_ptr_null(PyIter_Next(it));
    suite_new_int(PyObject_CallMethod(it, "__length_hint__", NULL), 0);
    suite_drop(it, s);
}

/* Sums and products that would be the operand are it. */
START_TEST(sums_of_str)
{
    PyObject *s = str("ab"), *empty = str(""), *same;
    PyObject *sub = subclassed(&PyUnicode_Type, s);

    same = PyUnicode_Concat(s, empty);
    ck_assert_ptr_eq(same, s);
    Py_SETREF(same, PyUnicode_Concat(empty, s));
    ck_assert_ptr_eq(same, s);
    Py_SETREF(same, PySequence_Repeat(s, 1));
    ck_assert_ptr_eq(same, s);
    Py_SETREF(same, PySequence_Repeat(sub, 1));
    ck_assert(PyUnicode_CheckExact(same));
    suite_new_text(same, "ab");
    same = PyUnicode_Concat(empty, sub);
    ck_assert(PyUnicode_CheckExact(same));
    suite_new_text(same, "ab");
    suite_new_text(PySequence_Repeat(s, -1), "");
    suite_refused(PySequence_Repeat(s, PY_SSIZE_T_MAX), PyExc_OverflowError,
                  "repeated string is too long");
    suite_refused(PyUnicode_Concat(s, Py_None), PyExc_TypeError,
                  "can only concatenate str (not \"NoneType\") to str");
    suite_refused(PyUnicode_Concat(Py_None, s), PyExc_TypeError, NULL);
    suite_drop(sub, s, empty);
}

START_TEST(functions_of_str)
{
    PyObject *s = str("abcab"), *b = str("b"), *none = Py_None;

    ck_assert_int_eq(PyUnicode_FindChar(s, 'b', 0, 5, 1), 1);
    ck_assert_int_eq(PyUnicode_FindChar(s, 'b', 0, 5, -1), 4);
    ck_assert_int_eq(PyUnicode_FindChar(s, 'x', 0, 5, 1), -1);
    ck_assert_int_eq(PyUnicode_FindChar(s, 'a', 4, 2, 1), -1);
    ck_assert_int_eq(PyUnicode_Count(s, b, 2, 5), 1);
    ck_assert_int_eq(PyUnicode_Count(s, b, 4, 2), 0);
    ck_assert_int_eq(PyUnicode_Tailmatch(s, b, 0, 5, 1), 1);
    ck_assert_int_eq(PyUnicode_Tailmatch(s, b, 0, 5, -1), 0);
    ck_assert_int_eq(PyUnicode_Tailmatch(s, b, 4, 2, 1), 0);
    suite_failed(PyUnicode_Count(s, none, 0, 5), PyExc_TypeError, NULL);
    suite_failed(PyUnicode_Tailmatch(s, none, 0, 5, 1), PyExc_TypeError, NULL);
    suite_new_text(PyUnicode_Replace(s, b, s, 1), "aabcabcab");
    suite_refused(PyUnicode_Replace(s, none, s, 1), PyExc_TypeError, NULL);
    ck_assert_int_eq(PyUnicode_Contains(s, b), 1);
    suite_failed(
        PyUnicode_Contains(s, none), PyExc_TypeError,
        "'in <string>' requires string as left operand, not NoneType");
    suite_drop(s, b);
}

START_TEST(digits_of_characters)
{
    static const struct {
        Py_UCS4 ch;
        int digit, decimal;
    } known[] = {
        {'7', 7, 7},     {0xb2, 2, -1},    {0xb3, 3, -1},   {0xb9, 1, -1},
        {0x2070, 0, -1}, {0x2074, 4, -1},  {0x2080, 0, -1}, {0x2089, 9, -1},
        {0x2460, 1, -1}, {0x2468, 9, -1},  {'x', -1, -1},   {0x0663, 3, 3},
        {0xff15, 5, 5},  {0x2469, -1, -1},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++) {
        ck_assert_int_eq(Py_UNICODE_TODIGIT(known[i].ch), known[i].digit);
        ck_assert_int_eq(Py_UNICODE_TODECIMAL(known[i].ch), known[i].decimal);
    }
    ck_assert_int_eq(Py_UNICODE_TOTITLE(0x1c4), 0x1c5);
    ck_assert_int_eq(Py_UNICODE_TOTITLE(0x1c6), 0x1c5);
    ck_assert_int_eq(Py_UNICODE_TOTITLE('a'), 'A');
}

START_TEST(characters_of_unicode_15_1)
{
    static const struct {
        Py_UCS4 ch;
        int printable, alpha, numeric;
    } known[] = {
        {'a', 1, 1, 0},      {'7', 1, 0, 1},        {0xbd, 1, 0, 1},
        {0x2167, 1, 0, 1},   {0xfde, 0, 0, 0},      {0x1ff83, 0, 0, 0},
        {0x4e00, 1, 1, 1},   {0x2ebf0, 1, 1, 0},    {0x11f50, 1, 0, 1},
        {0xd800, 0, 0, 0},   {0xe000, 0, 0, 0},     {0x10ffff, 0, 0, 0},
        {0x110000, 0, 0, 0}, {0xffffffff, 0, 0, 0},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++) {
        Py_UCS4 ch = known[i].ch;
        ck_assert_int_eq(Py_UNICODE_ISPRINTABLE(ch), known[i].printable);
        ck_assert_int_eq(Py_UNICODE_ISALPHA(ch), known[i].alpha);
        ck_assert_int_eq(Py_UNICODE_ISNUMERIC(ch), known[i].numeric);
        ck_assert_int_eq(Py_UNICODE_ISALNUM(ch),
                         known[i].alpha || known[i].numeric);
    }
    ck_assert(Py_UNICODE_TOLOWER(0x110000) == 0x110000);
    ck_assert(Py_UNICODE_TONUMERIC(0xbd) == 0.5);
    ck_assert(Py_UNICODE_TONUMERIC(0x663) == 3.0);
    ck_assert(Py_UNICODE_ISTITLE(0x1c5) && !Py_UNICODE_ISTITLE(0x1c4));
    suite_new_repr(str("\340\277\236\360\237\276\203"),
                   "'\\u0fde\\U0001ff83'");
}

START_TEST(cases_of_more_than_one_character)
{
    static const char *const cases[][3] = {
        {"stra\303\237e", "upper", "STRASSE"},
        {"\303\237a", "title", "Ssa"},
        {"\303\237A", "capitalize", "Ssa"},
        {"Stra\303\237e", "casefold", "strasse"},
        {"\357\254\201N", "swapcase", "FIn"},
        {"\305\211", "title", "\312\274N"},
        {"\304\260", "lower", "i\314\207"},
        {"\341\276\263", "title", "\341\276\274"},
        {"\341\276\262", "title", "\341\276\272\315\205"},
        {"\316\237\316\243 \316\237\316\243.\316\221", "lower",
         "\316\277\317\202 \316\277\317\203.\316\261"},
        {"\316\243", "lower", "\317\203"},
        {"\316\237\316\243.", "lower", "\316\277\317\202."},
        {"\317\202", "casefold", "\317\203"},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        PyObject *s = str(cases[i][0]);
        suite_new_text(PyObject_CallMethod(s, cases[i][1], NULL), cases[i][2]);
        Py_DECREF(s);
    }
}

/* ------------------------------------------------------------------ */
/* bytes                                                               */

START_TEST(subscripts_of_bytes)
{
    PyObject *b = bytes("abc");

    suite_new_int(item(b, PyLong_FromLong(0)), 'a');
    suite_new_int(item(b, PyLong_FromLong(-1)), 'c');
    suite_refused(item(b, PyLong_FromLong(3)), PyExc_IndexError,
                  "index out of range");
    suite_refused(item(b, PyLong_FromLong(-4)), PyExc_IndexError,
                  "index out of range");
    suite_refused(item(b, str("x")), PyExc_TypeError,
                  "byte indices must be integers or slices, not str");
    PyObject *same = item(b, PySlice_New(NULL, NULL, NULL));
    ck_assert_ptr_eq(same, b);
    suite_drop(same, b);
}

START_TEST(sums_of_bytes)
{
    PyObject *b = bytes("ab"), *empty = bytes(""), *same;

    same = PySequence_Concat(b, empty);
    ck_assert_ptr_eq(same, b);
    Py_SETREF(same, PySequence_Concat(empty, b));
    ck_assert_ptr_eq(same, b);
    Py_SETREF(same, PySequence_Repeat(b, 1));
    ck_assert_ptr_eq(same, b);
    Py_DECREF(same);
    suite_refused(PySequence_Repeat(b, PY_SSIZE_T_MAX), PyExc_OverflowError,
                  "repeated bytes are too long");
    suite_refused(PySequence_Concat(b, Py_None), PyExc_TypeError,
                  "can't concat NoneType to bytes");
    suite_drop(b, empty);
}

START_TEST(methods_of_bytes)
{
    PyObject *b = bytes("abcab"), *view = PyByteArray_FromObject(b);

    suite_new_repr(PyObject_CallMethod(b, "startswith", "((yy))", "x", "ab"),
                   "True");
    suite_new_repr(PyObject_CallMethod(b, "endswith", "((yy))", "x", "y"),
                   "False");
    suite_new_repr(PyObject_CallMethod(b, "endswith", "O", view), "True");
    suite_refused(
        PyObject_CallMethod(b, "endswith", "s", "x"), PyExc_TypeError,
        "endswith first arg must be bytes or a tuple of bytes, not str");
    suite_refused(PyObject_CallMethod(b, "startswith", "((s))", "x"),
                  PyExc_TypeError,
                  "a bytes-like object is required, not 'str'");
    suite_new_text(PyObject_CallMethod(b, "hex", NULL), "6162636162");
    suite_refused(PyObject_CallMethod(b, "find", "yO", "a", view),
                  PyExc_TypeError, NULL);
    suite_new_int(PyObject_CallMethod(b, "find", "yi", "a", 9), -1);
    suite_new_repr(PyObject_CallMethod(b, "__getnewargs__", NULL),
                   "(b'abcab',)");
    suite_drop(b, view);
}

static PyObject *answer; /* of the method below */

static PyObject *
get_answer(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(none))
{
    return Py_XNewRef(answer);
}

static PyMethodDef bytes_def = {"__bytes__", get_answer, METH_NOARGS, NULL};
static PyMethodDef path_def = {"__fspath__", get_answer, METH_NOARGS, NULL};

static PyObject *
answering(PyMethodDef *def)
{
    PyObject *type =
        suite_class("s(){sN}", "C", def->ml_name, PyCFunction_New(def, NULL));
    PyObject *op = PyObject_CallNoArgs(type);

    Py_DECREF(type);
    ck_assert_ptr_nonnull(op);
    return op;
}

START_TEST(bytes_of_what_has_the_method)
{
    PyObject *op = answering(&bytes_def), *b = bytes("xy");

    answer = b;
    suite_new_repr(PyObject_Bytes(op), "b'xy'");
    suite_new_repr(PyObject_CallOneArg((PyObject *)&PyBytes_Type, op),
                   "b'xy'");
    answer = Py_None;
    suite_refused(PyObject_Bytes(op), PyExc_TypeError,
                  "__bytes__ returned non-bytes (type NoneType)");
    PyObject *sub = subclassed(&PyBytes_Type, b);
    suite_new_repr(PyObject_Repr(sub), "\"b'xy'\"");
    answer = sub;
    PyObject *made = PyObject_CallOneArg((PyObject *)&PyBytes_Type, op);
    ck_assert_ptr_eq(made, sub);
    suite_drop(made, sub, b, op);
}

START_TEST(paths)
{
    PyObject *op = answering(&path_def), *path = NULL, *s = str("a/b");
    PyObject *nul = PyUnicode_FromStringAndSize("a\0b", 3);

    answer = s;
    ck_assert_int_eq(PyUnicode_FSConverter(op, &path), Py_CLEANUP_SUPPORTED);
    suite_repr(path, "b'a/b'");
    ck_assert_int_eq(PyUnicode_FSConverter(NULL, &path), 1);
    ck_assert_ptr_null(path);
    ck_assert_int_eq(PyUnicode_FSDecoder(op, &path), Py_CLEANUP_SUPPORTED);
    suite_repr(path, "'a/b'");
    ck_assert_int_eq(PyUnicode_FSDecoder(NULL, &path), 1);
    ck_assert_ptr_null(path);
    answer = Py_None;
    suite_rejected(
        PyUnicode_FSConverter(op, &path), PyExc_TypeError,
        "expected C.__fspath__() to return str or bytes, not NoneType");
    suite_rejected(PyUnicode_FSConverter(Py_None, &path), PyExc_TypeError,
                   NULL);
    suite_rejected(PyUnicode_FSDecoder(Py_None, &path), PyExc_TypeError, NULL);
    suite_rejected(PyUnicode_FSConverter(nul, &path), PyExc_ValueError,
                   "embedded null byte");
    suite_rejected(PyUnicode_FSDecoder(nul, &path), PyExc_ValueError,
                   "embedded null character");
    suite_drop(nul, s, op);
}

START_TEST(locale_and_default_encoding)
{
    PyObject *s = str("a\303\244"),
             *nul = PyUnicode_FromStringAndSize("\0", 1);

    ck_assert_str_eq(PyUnicode_GetDefaultEncoding(), "utf-8");
    PyObject *encoded = PyUnicode_EncodeLocale(s, "surrogateescape");
    PyObject *back =
        PyUnicode_DecodeLocale(PyBytes_AsString(encoded), "surrogateescape");
    suite_new_text(back, "a\303\244");
    Py_DECREF(encoded);
    suite_refused(PyUnicode_EncodeLocale(nul, "strict"), PyExc_ValueError,
                  "embedded null character");
    suite_refused(PyUnicode_EncodeLocale(s, "ignore"), PyExc_ValueError, NULL);
    suite_refused(PyUnicode_DecodeLocaleAndSize("a\0b", 3, "strict"),
                  PyExc_ValueError, "embedded null byte");
    suite_drop(s, nul);
}
