/* check_str.c: str: making, comparing, searching, splitting, encoding. */

#include "../support/suite.h"

#include <string.h>

/* Does op, whose reference is stolen, have this text? */
static void
expect(PyObject *op, const char *text)
{
    if (op == NULL)
        PyErr_Print();
    ck_assert_ptr_nonnull(op);
    ck_assert(PyUnicode_CheckExact(op));
    suite_new_text(op, text);
}

static PyObject *
str(const char *text)
{
    return suite_require(PyUnicode_FromString(text));
}

/* Calls a method of str(text) with arguments as for Py_BuildValue. */
#define CALL(text, ...)                                                       \
    drop(PyObject_CallMethod(self = str(text), __VA_ARGS__))

static PyObject *self;

static PyObject *
drop(PyObject *result)
{
    Py_CLEAR(self);
    return result;
}

static void
expect_bool(PyObject *op, int value)
{
    ck_assert_ptr_eq(op, value ? Py_True : Py_False);
}

#define E_ACUTE "\xc3\xa9"
#define EURO "\xe2\x82\xac"
#define CLEF "\xf0\x9d\x84\x9e"

/* ------------------------------------------------------------------ */
/* Making                                                              */

START_TEST(from_utf8)
{
    PyObject *op = PyUnicode_FromStringAndSize("a\0" E_ACUTE, 4);

    ck_assert_int_eq(PyUnicode_GetLength(op), 3);
    ck_assert_int_eq(PyUnicode_GET_LENGTH(op), 3);
    Py_ssize_t size;
    ck_assert_mem_eq(PyUnicode_AsUTF8AndSize(op, &size), "a\0" E_ACUTE, 5);
    ck_assert_int_eq(size, 4);
    ck_assert_int_eq(PyUnicode_IS_ASCII(op), 0);
    Py_DECREF(op);

    expect(PyUnicode_FromString(""), "");
    expect(PyUnicode_FromStringAndSize(NULL, 0), "");
    suite_refused(PyUnicode_FromStringAndSize("", -1), PyExc_SystemError,
                  "Negative size passed to PyUnicode_FromStringAndSize");
}

START_TEST(invalid_utf8_is_refused)
{
    static const struct {
        const char *bytes, *message;
    } cases[] = {
        {"a\xff", "'utf-8' codec can't decode byte 0xff in position 1: "
                  "invalid start byte"},
        {"\xc0\x80", "'utf-8' codec can't decode byte 0xc0 in position 0: "
                     "invalid start byte"},
        {"\x80", "'utf-8' codec can't decode byte 0x80 in position 0: "
                 "invalid start byte"},
        {"ab\xc3", "'utf-8' codec can't decode byte 0xc3 in position 2: "
                   "unexpected end of data"},
        {"\xe2\x82", "'utf-8' codec can't decode bytes in position 0-1: "
                     "unexpected end of data"},
        {"\xe2\x82z", "'utf-8' codec can't decode bytes in position 0-1: "
                      "invalid continuation byte"},
        {"\xed\xa0\x80", "'utf-8' codec can't decode byte 0xed in position 0: "
                         "invalid continuation byte"},
        {"\xe0\x80\x80", "'utf-8' codec can't decode byte 0xe0 in position 0: "
                         "invalid continuation byte"},
        {"\xf4\x90\x80\x80", "'utf-8' codec can't decode byte 0xf4 in "
                             "position 0: invalid continuation byte"},
        {"\xf0\x8f\xbf\xbf", "'utf-8' codec can't decode byte 0xf0 in "
                             "position 0: invalid continuation byte"},
        {"\xf0\x9d\x84z", "'utf-8' codec can't decode bytes in "
                          "position 0-2: invalid continuation byte"},
        {"\xf0", "'utf-8' codec can't decode byte 0xf0 in position 0: "
                 "unexpected end of data"},
        {"\xf4\x8f\xbf", "'utf-8' codec can't decode bytes in position 0-2: "
                         "unexpected end of data"},
        {"\xf5", "'utf-8' codec can't decode byte 0xf5 in position 0: "
                 "invalid start byte"},
        {"0123456789\xf0\x9d\x84", "'utf-8' codec can't decode bytes in "
                                   "position 10-12: unexpected end of data"},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        suite_refused(PyUnicode_FromString(cases[i].bytes),
                      PyExc_UnicodeDecodeError, cases[i].message);
    }
}

START_TEST(from_and_to_arrays)
{
    const Py_UCS1 one[] = {'a', 0xe9};
    const Py_UCS2 two[] = {'a', 0x20ac};
    const Py_UCS4 four[] = {'a', 0x1d11e}, bad[] = {0x110000};
    Py_UCS4 buffer[4];

    expect(PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, one, 2),
           "a" E_ACUTE);
    expect(PyUnicode_FromKindAndData(PyUnicode_2BYTE_KIND, two, 2), "a" EURO);
    PyObject *op = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, four, 2);
    ck_assert_ptr_eq(PyUnicode_AsUCS4(op, buffer, 4, 1), buffer);
    ck_assert_mem_eq(buffer, four, sizeof(four));
    ck_assert_uint_eq(buffer[2], 0);
    suite_refused(PyUnicode_AsUCS4(op, buffer, 2, 1), PyExc_SystemError,
                  "string is longer than the buffer");
    Py_UCS4 *copy = PyUnicode_AsUCS4Copy(op);
    ck_assert_mem_eq(copy, four, sizeof(four));
    PyMem_Free(copy);
    expect(op, "a" CLEF);

    suite_refused(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, bad, 1),
                  PyExc_ValueError,
                  "character U+110000 is not in range [U+0000; U+10ffff]");
    suite_refused(PyUnicode_FromKindAndData(3, one, 1), PyExc_SystemError,
                  "invalid kind");
}

START_TEST(wide_characters)
{
    PyObject *op = PyUnicode_FromWideChar(L"a\u20ac", -1);
    wchar_t buffer[3] = L"zz";
    Py_ssize_t size;

    ck_assert_int_eq(PyUnicode_AsWideChar(op, NULL, 0), 3);
    ck_assert_int_eq(PyUnicode_AsWideChar(op, buffer, 1), 1);
    ck_assert_int_eq(buffer[1], L'z');
    ck_assert_int_eq(PyUnicode_AsWideChar(op, buffer, 3), 2);
    ck_assert_int_eq(wcscmp(buffer, L"a\u20ac"), 0);
    wchar_t *wide = PyUnicode_AsWideCharString(op, &size);
    ck_assert_int_eq(size, 2);
    ck_assert_int_eq(wcscmp(wide, L"a\u20ac"), 0);
    PyMem_Free(wide);
    Py_DECREF(op);

    op = PyUnicode_FromWideChar(L"a\0b", 3);
    suite_refused(PyUnicode_AsWideCharString(op, NULL), PyExc_ValueError,
                  "embedded null character");
    Py_DECREF(op);
}

START_TEST(from_ordinal)
{
    expect(PyUnicode_FromOrdinal(0x20ac), EURO);
    suite_refused(PyUnicode_FromOrdinal(0x110000), PyExc_ValueError,
                  "chr() arg not in range(0x110000)");
    suite_refused(PyUnicode_FromOrdinal(-1), PyExc_ValueError,
                  "chr() arg not in range(0x110000)");
}

START_TEST(constructor)
{
    PyObject *type = (PyObject *)&PyUnicode_Type;

    expect(PyObject_CallNoArgs(type), "");
    expect(PyObject_CallFunction(type, "i", 5), "5");
    expect(PyObject_CallFunction(type, "ys", "\xe9", "latin-1"), E_ACUTE);
    expect(PyObject_CallFunction(type, "yss", "a\xff", "ascii", "ignore"),
           "a");
    suite_refused(PyObject_CallFunction(type, "ss", "x", "ascii"),
                  PyExc_TypeError, "decoding str is not supported");
    suite_refused(PyObject_CallFunction(type, "is", 1, "ascii"),
                  PyExc_TypeError,
                  "decoding to str: need a bytes-like object, int found");
}

START_TEST(from_object)
{
    PyObject *op = str("x"), *same = PyUnicode_FromObject(op);

    ck_assert_ptr_eq(same, op);
    suite_drop(same, op);
    suite_refused(PyUnicode_FromObject(Py_None), PyExc_TypeError,
                  "Can't convert 'NoneType' object to str implicitly");
}

/* ------------------------------------------------------------------ */
/* Subtypes                                                            */

struct named {
    PyUnicodeObject str;
    int number;
};

static PyTypeObject named_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "test.Named",
    .tp_basicsize = sizeof(struct named),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_base = &PyUnicode_Type,
};

START_TEST(subtype_embeds_a_str)
{
    ck_assert_int_eq(PyType_Ready(&named_type), 0);
    PyObject *op =
        PyObject_CallFunction((PyObject *)&named_type, "s", "a" EURO);
    ck_assert_ptr_nonnull(op);
    ((struct named *)op)->number = 5;
    ck_assert(PyUnicode_Check(op));
    ck_assert(!PyUnicode_CheckExact(op));
    ck_assert_str_eq(PyUnicode_AsUTF8(op), "a" EURO);
    ck_assert_int_eq(PyUnicode_EqualToUTF8(op, "a" EURO), 1);
    expect(PyUnicode_FromObject(op), "a" EURO);
    expect(PyObject_Str(op), "a" EURO);
    PyObject *plain = str("a" EURO);
    ck_assert_int_eq(PyObject_Hash(op), PyObject_Hash(plain));
    ck_assert_int_eq(PyObject_RichCompareBool(op, plain, Py_EQ), 1);
    Py_DECREF(plain);
    expect(PyUnicode_Substring(op, 0, 2), "a" EURO);
    ck_assert_int_eq(((struct named *)op)->number, 5);
    PyObject *copy = op;
    PyUnicode_InternInPlace(&copy);
    ck_assert_ptr_eq(copy, op);
    ck_assert_uint_eq(PyUnicode_CHECK_INTERNED(op), 0);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* Interning                                                           */

enum { NAMES = 3000 };

static const char *
name_of(int i)
{
    static char name[32];

    snprintf(name, sizeof(name), "interned_%d", i);
    return name;
}

/* A str of that name is replaced by this one. */
static void
assert_interned(PyObject *first, int i)
{
    PyObject *op = str(name_of(i));

    ck_assert_ptr_ne(op, first);
    PyUnicode_InternInPlace(&op);
    ck_assert_ptr_eq(op, first);
    Py_DECREF(op);
}

START_TEST(interning)
{
    PyObject *all[NAMES];

    for (int i = 0; i < NAMES; i++) {
        all[i] = suite_require(PyUnicode_InternFromString(name_of(i)));
        ck_assert_int_eq(Py_REFCNT(all[i]), 1);
        ck_assert_uint_ne(PyUnicode_CHECK_INTERNED(all[i]), 0);
    }
    for (int i = 0; i < NAMES; i++)
        assert_interned(all[i], i);
    suite_refused(PyUnicode_InternFromString("\xff"), PyExc_UnicodeDecodeError,
                  NULL);
    for (int i = 0; i < NAMES; i++)
        Py_DECREF(all[i]);
}

/* Those that stay are found wherever others have gone; what has gone can come
   again. */
START_TEST(names_die)
{
    PyObject *all[NAMES];

    for (int i = 0; i < NAMES; i++)
        all[i] = suite_require(PyUnicode_InternFromString(name_of(i)));
    for (int step = 2; step < 6; step++) {
        for (int i = 0; i < NAMES; i += step)
            Py_CLEAR(all[i]);
        for (int i = 0; i < NAMES; i++)
            if (all[i] != NULL)
                assert_interned(all[i], i);
            else
                all[i] = suite_require(PyUnicode_InternFromString(name_of(i)));
    }
    for (int i = 0; i < NAMES; i++) {
        ck_assert_int_eq(Py_REFCNT(all[i]), 1);
        Py_DECREF(all[i]);
    }
    PyObject *kept = str("interned_forever");
    PyUnicode_InternImmortal(&kept);
    ck_assert(_Py_IsImmortal(kept));
}

/* Keys by name are one str, and no more is left of them than of others. */
START_TEST(keys_by_name_are_interned_and_die)
{
    PyObject *dict = suite_require(PyDict_New()), *key, *value;
    PyObject *error = suite_require(PyObject_CallNoArgs(PyExc_KeyError));
    PyObject *name = str("a key by name");
    Py_ssize_t at = 0;

    ck_assert_int_eq(PyDict_SetItemString(dict, "a key by name", Py_None), 0);
    ck_assert_int_eq(PyObject_SetAttr(error, name, dict), 0);
    ck_assert_int_eq(PyDict_Next(dict, &at, &key, &value), 1);
    ck_assert_int_eq(Py_REFCNT(key), 2);
    PyUnicode_InternInPlace(&name);
    ck_assert_ptr_eq(name, key);
    suite_drop(error, dict);
    ck_assert_int_eq(Py_REFCNT(name), 1);
    Py_DECREF(name);
}

/* ------------------------------------------------------------------ */
/* Comparison and hash                                                 */

START_TEST(comparison)
{
    PyObject *a = str("a"), *b = str("b"), *e = str(E_ACUTE), *ab = str("ab");

    ck_assert_int_eq(PyUnicode_Compare(a, b), -1);
    ck_assert_int_eq(PyUnicode_Compare(b, a), 1);
    ck_assert_int_eq(PyUnicode_Compare(a, a), 0);
    ck_assert_int_eq(PyUnicode_Compare(a, ab), -1);
    ck_assert_int_eq(PyUnicode_Compare(e, b), 1);
    suite_failed(PyUnicode_Compare(a, Py_None), PyExc_TypeError,
                 "Can't compare str and NoneType");

    ck_assert_int_eq(PyUnicode_CompareWithASCIIString(ab, "ab"), 0);
    ck_assert_int_eq(PyUnicode_CompareWithASCIIString(ab, "a"), 1);
    ck_assert_int_eq(PyUnicode_CompareWithASCIIString(a, "ab"), -1);
    ck_assert_int_eq(PyUnicode_CompareWithASCIIString(e, "z"), 1);

    ck_assert_int_eq(PyUnicode_Equal(a, b), 0);
    ck_assert_int_eq(PyUnicode_Equal(a, a), 1);
    suite_failed(PyUnicode_Equal(a, Py_None), PyExc_TypeError,
                 "second argument must be str, not NoneType");
    ck_assert_int_eq(PyUnicode_EqualToUTF8(e, E_ACUTE), 1);
    ck_assert_int_eq(PyUnicode_EqualToUTF8(e, "\xc3"), 0);
    ck_assert_int_eq(PyUnicode_EqualToUTF8AndSize(ab, "abc", 2), 1);

    ck_assert_ptr_eq(PyUnicode_RichCompare(a, b, Py_LT), Py_True);
    ck_assert_ptr_eq(PyUnicode_RichCompare(a, b, Py_GE), Py_False);
    ck_assert_ptr_eq(PyUnicode_RichCompare(a, b, Py_NE), Py_True);
    ck_assert_ptr_eq(PyUnicode_RichCompare(a, Py_None, Py_EQ),
                     Py_NotImplemented);
    suite_drop(a, b, e, ab);
}

START_TEST(hash)
{
    PyObject *a = str("abc" EURO), *b = str("abc" EURO), *empty = str("");

    ck_assert_int_eq(PyObject_Hash(a), PyObject_Hash(b));
    ck_assert_int_eq(PyObject_Hash(a), PyObject_Hash(a));
    ck_assert_int_ne(PyObject_Hash(a), PyObject_Hash(empty));
    suite_drop(a, b);
}

/* ------------------------------------------------------------------ */
/* Repr                                                                */

START_TEST(repr)
{
    suite_new_repr(str(""), "''");
    suite_new_repr(str("abc"), "'abc'");
    suite_new_repr(str("it's"), "\"it's\"");
    suite_new_repr(str("say \"hi\""), "'say \"hi\"'");
    suite_new_repr(str("'\""), "'\\'\"'");
    suite_new_repr(str("\t\n\r\\\x01\x7f"), "'\\t\\n\\r\\\\\\x01\\x7f'");
    suite_new_repr(str(E_ACUTE EURO CLEF), "'" E_ACUTE EURO CLEF "'");
    suite_new_repr(str("\xc2\x80\xc2\xa0\xc2\xad"), "'\\x80\\xa0\\xad'");
    suite_new_repr(str("\xe2\x80\xa8\xe3\x80\x80\xef\xbb\xbf"),
                   "'\\u2028\\u3000\\ufeff'");
    suite_new_repr(PyUnicode_FromOrdinal(0xd800), "'\\ud800'");
    suite_new_repr(PyUnicode_FromOrdinal(0x10ffff), "'\\U0010ffff'");
}

START_TEST(ascii)
{
    PyObject *op = str("a" E_ACUTE EURO CLEF);

    expect(PyObject_ASCII(op), "'a\\xe9\\u20ac\\U0001d11e'");
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* Indices and slices                                                  */

START_TEST(characters_by_index)
{
    PyObject *op = str("a" E_ACUTE EURO CLEF "z");
    static const Py_UCS4 chars[] = {'a', 0xe9, 0x20ac, 0x1d11e, 'z'};

    ck_assert_int_eq(PyUnicode_GetLength(op), 5);
    for (Py_ssize_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(PyUnicode_READ_CHAR(op, i), chars[i]);
        ck_assert_uint_eq(PyUnicode_ReadChar(op, i), chars[i]);
    }
    ck_assert_uint_eq(PyUnicode_ReadChar(op, 5), (Py_UCS4)-1);
    suite_exception(PyExc_IndexError, "string index out of range");
    ck_assert_uint_eq(PyUnicode_ReadChar(Py_None, 0), (Py_UCS4)-1);
    suite_exception(PyExc_TypeError,
                    "bad argument type for built-in operation");
    expect(PySequence_GetItem(op, -2), CLEF);
    suite_refused(PySequence_GetItem(op, 5), PyExc_IndexError,
                  "string index out of range");
    suite_refused(PySequence_GetItem(op, -6), PyExc_IndexError,
                  "string index out of range");
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(op), 0x10ffff);
    Py_DECREF(op);

    op = str("a" E_ACUTE);
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(op), 0xff);
    Py_SETREF(op, str("a" EURO));
    ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(op), 0xffff);
    Py_DECREF(op);
}

START_TEST(substring)
{
    PyObject *op = str("a" E_ACUTE EURO "z");

    expect(PyUnicode_Substring(op, 1, 3), E_ACUTE EURO);
    expect(PyUnicode_Substring(op, 2, 100), EURO "z");
    expect(PyUnicode_Substring(op, 3, 1), "");
    expect(PyUnicode_Substring(op, 9, 10), "");
    suite_new_same(PyUnicode_Substring(op, 0, 4), op);
    suite_refused(PyUnicode_Substring(op, -1, 2), PyExc_IndexError,
                  "string index out of range");
    Py_DECREF(op);
}

static PyObject *
slice_of(const char *text, PyObject *start, PyObject *stop, int step)
{
    PyObject *by = PyLong_FromLong(step), *op = str(text);
    PyObject *key = PySlice_New(start, stop, by);
    PyObject *result = PyObject_GetItem(op, key);

    suite_drop(key, by, op);
    return result;
}

START_TEST(slices)
{
    PyObject *one = PyLong_FromLong(1), *minus = PyLong_FromLong(-1);

    expect(slice_of("abcdef", NULL, NULL, -1), "fedcba");
    expect(slice_of("abcdef", one, minus, 2), "bd");
    expect(slice_of("a" E_ACUTE EURO CLEF, NULL, NULL, -1),
           CLEF EURO E_ACUTE "a");
    expect(slice_of("a" E_ACUTE EURO CLEF, one, NULL, 2), E_ACUTE CLEF);
    expect(slice_of("a" E_ACUTE EURO CLEF, one, minus, 1), E_ACUTE EURO);
    expect(slice_of("abc", minus, one, 1), "");
    suite_drop(one, minus);

    PyObject *op = str("abc");
    suite_refused(PyObject_GetItem(op, Py_None), PyExc_TypeError,
                  "string indices must be integers, not 'NoneType'");
    Py_DECREF(op);
}

START_TEST(iteration)
{
    PyObject *op = str("a" E_ACUTE CLEF), *it = PyObject_GetIter(op), *item;

    ck_assert_str_eq(Py_TYPE(it)->tp_name, "str_iterator");
    ck_assert_int_eq(PyObject_LengthHint(it, 9), 3);
    expect(PyIter_Next(it), "a");
    expect(PyIter_Next(it), E_ACUTE);
    expect(PyIter_Next(it), CLEF);
    item = PyIter_Next(it);
    ck_assert_ptr_null(item);
    ck_assert_ptr_null(PyErr_Occurred());
    ck_assert_int_eq(Py_REFCNT(op), 1);
    suite_drop(it, op);
}

/* ------------------------------------------------------------------ */
/* Operations                                                          */

START_TEST(concatenation)
{
    PyObject *a = str("a"), *e = str(E_ACUTE);

    expect(PyUnicode_Concat(a, e), "a" E_ACUTE);
    suite_refused(PyUnicode_Concat(a, Py_None), PyExc_TypeError,
                  "can only concatenate str (not \"NoneType\") to str");
    suite_refused(PyUnicode_Concat(Py_None, a), PyExc_TypeError,
                  "must be str, not NoneType");
    expect(PyNumber_Add(a, e), "a" E_ACUTE);
    expect(PySequence_Repeat(e, 3), E_ACUTE E_ACUTE E_ACUTE);
    expect(PySequence_Repeat(e, 0), "");
    PyUnicode_Append(&a, e);
    PyUnicode_AppendAndDel(&a, e);
    expect(Py_NewRef(a), "a" E_ACUTE E_ACUTE);
    PyUnicode_AppendAndDel(&a, NULL);
    suite_refused(a, PyExc_SystemError, NULL);
    PyUnicode_Append(&a, Py_None);
    suite_refused(a, PyExc_SystemError, NULL);
}

/* Appends in place and, with another reference to the text, to a copy; both
   have to be the same, whatever was known of the text before. */
static void
append_both_ways(const char *piece, PyObject *right, int look)
{
    PyObject *seed = str(piece), *grown = PySequence_Repeat(seed, 2000);
    PyObject *kept = PySequence_Repeat(seed, 2000);
    PyObject *copied = Py_NewRef(kept), *also;

    for (int i = 0; i < 3; i++) {
        if (look) { /* as an array, and in a table */
            ck_assert_int_eq(PyUnicode_ReadChar(grown, 1),
                             PyUnicode_ReadChar(kept, 1));
            ck_assert_int_ne(PyObject_Hash(grown), -1);
        }
        PyUnicode_Append(&grown, right);
        also = Py_NewRef(copied);
        PyUnicode_Append(&copied, right);
        Py_DECREF(also);
        ck_assert_int_eq(PyUnicode_Compare(grown, copied), 0);
        ck_assert_int_eq(PyUnicode_GetLength(grown),
                         2000 * PyUnicode_GetLength(seed) +
                             (i + 1) * PyUnicode_GetLength(right));
        ck_assert_int_eq(PyObject_Hash(grown), PyObject_Hash(copied));
        ck_assert_int_eq(PyUnicode_KIND(grown), PyUnicode_KIND(copied));
    }
    ck_assert_int_eq(PyUnicode_GetLength(kept),
                     2000 * PyUnicode_GetLength(seed));
    Py_DECREF(kept);
    Py_DECREF(copied);
    Py_DECREF(grown);
    Py_DECREF(seed);
}

START_TEST(long_text_grows)
{
    PyObject *rights[] = {str("z"), str(E_ACUTE), str(""),
                          PyUnicode_FromOrdinal(0xdc00)};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(rights); i++)
        for (int look = 0; look < 2; look++) {
            append_both_ways("ab", rights[i], look);
            append_both_ways(E_ACUTE "b", rights[i], look);
        }

    PyObject *twice = PySequence_Repeat(rights[0], 3000);
    PyUnicode_Append(&twice, twice); /* not in place: it is read, too */
    ck_assert_int_eq(PyUnicode_GetLength(twice), 6000);
    PyUnicode_InternInPlace(&twice);
    PyUnicode_Append(&twice, rights[0]);
    ck_assert_int_eq(PyUnicode_GetLength(twice), 6001);
    Py_DECREF(twice);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rights); i++)
        Py_DECREF(rights[i]);
}

START_TEST(join)
{
    PyObject *list = Py_BuildValue("[sss]", "a", "", E_ACUTE);
    PyObject *sep = str(", ");

    expect(PyUnicode_Join(sep, list), "a, , " E_ACUTE);
    expect(PyUnicode_Join(NULL, list), "a  " E_ACUTE);
    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    suite_refused(PyUnicode_Join(sep, list), PyExc_TypeError,
                  "sequence item 3: expected str instance, NoneType found");
    suite_refused(PyUnicode_Join(sep, Py_None), PyExc_TypeError,
                  "can only join an iterable");
    suite_refused(PyUnicode_Join(Py_None, list), PyExc_TypeError,
                  "separator: expected str instance, NoneType found");
    expect(PyUnicode_Join(sep, sep), ",,  ");
    suite_drop(list, sep);
}

START_TEST(split)
{
    PyObject *sep = str(","), *op = str("a,b,,c"), *empty = str("");

    suite_new_repr(PyUnicode_Split(op, sep, -1), "['a', 'b', '', 'c']");
    suite_new_repr(PyUnicode_Split(op, sep, 1), "['a', 'b,,c']");
    suite_new_repr(PyUnicode_Split(op, sep, 0), "['a,b,,c']");
    suite_new_repr(PyUnicode_RSplit(op, sep, -1), "['a', 'b', '', 'c']");
    suite_new_repr(PyUnicode_RSplit(op, sep, 1), "['a,b,', 'c']");
    suite_new_repr(PyUnicode_Split(empty, sep, -1), "['']");
    suite_new_repr(PyUnicode_Split(empty, NULL, -1), "[]");
    suite_refused(PyUnicode_Split(op, empty, -1), PyExc_ValueError,
                  "empty separator");
    suite_drop(op, sep);

    op = str(" \ta  b\xe2\x80\xa8" E_ACUTE "\n");
    suite_new_repr(PyUnicode_Split(op, NULL, -1), "['a', 'b', '" E_ACUTE "']");
    suite_new_repr(PyUnicode_RSplit(op, NULL, -1),
                   "['a', 'b', '" E_ACUTE "']");
    suite_new_repr(PyUnicode_RSplit(op, NULL, 1),
                   "[' \\ta  b', '" E_ACUTE "']");
    suite_new_repr(PyUnicode_Split(op, NULL, 1),
                   "['a', 'b\\u2028" E_ACUTE "\\n']");
    Py_DECREF(op);
}

START_TEST(splitlines)
{
    PyObject *op = str("a\nb\r\n\rc\xc2\x85" E_ACUTE);

    suite_new_repr(PyUnicode_Splitlines(op, 0),
                   "['a', 'b', '', 'c', '" E_ACUTE "']");
    suite_new_repr(PyUnicode_Splitlines(op, 1),
                   "['a\\n', 'b\\r\\n', '\\r', 'c\\x85', '" E_ACUTE "']");
    Py_SETREF(op, str("a\n"));
    suite_new_repr(PyUnicode_Splitlines(op, 0), "['a']");
    Py_SETREF(op, str(""));
    suite_new_repr(PyUnicode_Splitlines(op, 0), "[]");
}

START_TEST(partition)
{
    PyObject *op = str("a=" E_ACUTE "=c"), *sep = str("="), *no = str("x");

    suite_new_repr(PyUnicode_Partition(op, sep),
                   "('a', '=', '" E_ACUTE "=c')");
    suite_new_repr(PyUnicode_RPartition(op, sep),
                   "('a=" E_ACUTE "', '=', 'c')");
    suite_new_repr(PyUnicode_Partition(no, sep), "('x', '', '')");
    suite_new_repr(PyUnicode_RPartition(no, sep), "('', '', 'x')");
    suite_drop(op, sep, no);
}

START_TEST(find)
{
    PyObject *op = str(E_ACUTE "ab" E_ACUTE "ab"), *ab = str("ab");
    PyObject *empty = str("");

    ck_assert_int_eq(PyUnicode_Find(op, ab, 0, 6, 1), 1);
    ck_assert_int_eq(PyUnicode_Find(op, ab, 0, 6, -1), 4);
    ck_assert_int_eq(PyUnicode_Find(op, ab, 2, PY_SSIZE_T_MAX, 1), 4);
    ck_assert_int_eq(PyUnicode_Find(op, ab, 0, 5, -1), 1);
    ck_assert_int_eq(PyUnicode_Find(op, ab, -3, -1, 1), -1);
    ck_assert_int_eq(PyUnicode_Find(op, empty, 6, 6, 1), 6);
    ck_assert_int_eq(PyUnicode_Find(op, empty, 7, 9, 1), -1);
    ck_assert_int_eq(PyUnicode_Find(op, Py_None, 0, 6, 1), -2);
    suite_exception(PyExc_TypeError, "must be str, not NoneType");
    ck_assert_int_eq(PyUnicode_FindChar(op, 0xe9, 1, 6, 1), 3);
    ck_assert_int_eq(PyUnicode_FindChar(op, 0xe9, 0, 6, -1), 3);
    ck_assert_int_eq(PyUnicode_FindChar(op, 'z', 0, 6, 1), -1);
    ck_assert_int_eq(PyUnicode_Count(op, ab, 0, 6), 2);
    ck_assert_int_eq(PyUnicode_Count(op, empty, 0, 6), 7);
    ck_assert_int_eq(PyUnicode_Tailmatch(op, ab, 0, 6, 1), 1);
    ck_assert_int_eq(PyUnicode_Tailmatch(op, ab, 0, 6, -1), 0);
    ck_assert_int_eq(PyUnicode_Tailmatch(op, ab, 1, 6, -1), 1);
    suite_drop(op, ab);
}

START_TEST(contains)
{
    PyObject *op = str("a" EURO "b"), *euro = str(EURO), *x = str("x");
    PyObject *number = PyLong_FromLong(5);

    ck_assert_int_eq(PySequence_Contains(op, euro), 1);
    ck_assert_int_eq(PyUnicode_Contains(op, x), 0);
    suite_failed(PySequence_Contains(op, number), PyExc_TypeError,
                 "'in <string>' requires string as left operand, not int");
    suite_drop(op, euro, x, number);
}

START_TEST(replace)
{
    PyObject *op = str("aXbXc"), *x = str("X"), *to = str(E_ACUTE "-");
    PyObject *empty = str("");

    expect(PyUnicode_Replace(op, x, to, -1), "a" E_ACUTE "-b" E_ACUTE "-c");
    expect(PyUnicode_Replace(op, x, to, 1), "a" E_ACUTE "-bXc");
    expect(PyUnicode_Replace(op, x, empty, -1), "abc");
    expect(PyUnicode_Replace(op, empty, x, 3), "XaXXXbXc");
    expect(PyUnicode_Replace(x, empty, to, -1), E_ACUTE "-X" E_ACUTE "-");
    expect(PyUnicode_Replace(empty, empty, x, -1), "X");
    PyObject *same = PyUnicode_Replace(op, to, x, -1);
    ck_assert_ptr_eq(same, op);
    suite_drop(same, op, x, to);
}

/* ------------------------------------------------------------------ */
/* Codecs                                                              */

static void
expect_bytes(PyObject *op, const char *bytes)
{
    if (op == NULL)
        PyErr_Print();
    ck_assert_ptr_nonnull(op);
    ck_assert_str_eq(PyBytes_AsString(op), bytes);
    Py_DECREF(op);
}

START_TEST(encoding)
{
    PyObject *op = str("a" E_ACUTE EURO);

    expect_bytes(PyUnicode_AsUTF8String(op), "a" E_ACUTE EURO);
    suite_refused(PyUnicode_AsASCIIString(op), PyExc_UnicodeEncodeError,
                  "'ascii' codec can't encode characters in position 1-2: "
                  "ordinal not in range(128)");
    suite_refused(PyUnicode_AsLatin1String(op), PyExc_UnicodeEncodeError,
                  "'latin-1' codec can't encode character '\\u20ac' in "
                  "position 2: ordinal not in range(256)");
    expect_bytes(PyUnicode_AsEncodedString(op, "ASCII", "ignore"), "a");
    expect_bytes(PyUnicode_AsEncodedString(op, "us_ascii", "replace"), "a??");
    expect_bytes(PyUnicode_AsEncodedString(op, "Latin-1", "replace"),
                 "a\xe9?");
    expect_bytes(PyUnicode_AsEncodedString(op, "ascii", "backslashreplace"),
                 "a\\xe9\\u20ac");
    expect_bytes(PyUnicode_AsEncodedString(op, "ascii", "xmlcharrefreplace"),
                 "a&#233;&#8364;");
    suite_refused(PyUnicode_AsEncodedString(op, "klingon", NULL),
                  PyExc_LookupError, "unknown encoding: klingon");
    suite_refused(PyUnicode_AsEncodedString(op, "ascii", "never"),
                  PyExc_LookupError, "unknown error handler name 'never'");
    suite_refused(PyUnicode_AsUTF8String(Py_None), PyExc_TypeError,
                  "bad argument type for built-in operation");
    Py_DECREF(op);
}

START_TEST(surrogates_are_not_encoded)
{
    PyObject *op = PyUnicode_FromOrdinal(0xdc80);
    Py_ssize_t size = 0;

    ck_assert_int_eq(PyUnicode_GetLength(op), 1);
    ck_assert_ptr_null(PyUnicode_AsUTF8AndSize(op, &size));
    suite_failed(size, PyExc_UnicodeEncodeError,
                 "'utf-8' codec can't encode character '\\udc80' in position "
                 "0: surrogates not allowed");
    expect_bytes(PyUnicode_AsEncodedString(op, "utf-8", "surrogateescape"),
                 "\x80");
    expect_bytes(PyUnicode_AsEncodedString(op, "utf-8", "surrogatepass"),
                 "\xed\xb2\x80");
    expect_bytes(PyUnicode_AsEncodedString(op, "utf-8", "replace"), "?");
    expect_bytes(PyUnicode_EncodeFSDefault(op), "\x80");
    PyObject *again = PyUnicode_DecodeFSDefault("\x80");
    ck_assert_int_eq(PyUnicode_Equal(op, again), 1);
    Py_SETREF(again, PyUnicode_DecodeUTF8("\xed\xb2\x80", 3, "surrogatepass"));
    ck_assert_int_eq(PyUnicode_Equal(op, again), 1);
    Py_DECREF(again);
    Py_SETREF(op,
              PyUnicode_DecodeUTF8("\xed\xb2\x80" EURO, 6, "surrogatepass"));
    suite_refused(PyUnicode_AsEncodedString(op, "ascii", "surrogateescape"),
                  PyExc_UnicodeEncodeError,
                  "'ascii' codec can't encode character '\\u20ac' in "
                  "position 1: ordinal not in range(128)");
    Py_DECREF(op);
}

START_TEST(decoding)
{
    expect(PyUnicode_Decode("\xe9", 1, "iso-8859-1", NULL), E_ACUTE);
    expect(PyUnicode_Decode(E_ACUTE, 2, NULL, NULL), E_ACUTE);
    expect(PyUnicode_DecodeUTF8("a\xff\xe2\x82z", 5, "replace"),
           "a\xef\xbf\xbd\xef\xbf\xbdz");
    expect(PyUnicode_DecodeUTF8("a\xff\xe2\x82z", 5, "ignore"), "az");
    expect(PyUnicode_DecodeUTF8("\xe2\x82", 2, "backslashreplace"),
           "\\xe2\\x82");
    expect(PyUnicode_DecodeASCII("abc", 3, NULL), "abc");
    suite_refused(PyUnicode_DecodeASCII("ab\xe9", 3, NULL),
                  PyExc_UnicodeDecodeError,
                  "'ascii' codec can't decode byte 0xe9 in position 2: "
                  "ordinal not in range(128)");
    expect(PyUnicode_DecodeASCII("a\xe9z\xe9", 4, "replace"),
           "a\xef\xbf\xbdz\xef\xbf\xbd");
    suite_refused(PyUnicode_Decode("a", 1, "utf-99", NULL), PyExc_LookupError,
                  "unknown encoding: utf-99");
    expect(PyUnicode_Decode("", 0, "utf-99", "never"), "");
}

START_TEST(decoding_in_pieces)
{
    Py_ssize_t consumed;

    expect(PyUnicode_DecodeUTF8Stateful("a\xe2\x82", 3, NULL, &consumed), "a");
    ck_assert_int_eq(consumed, 1);
    expect(PyUnicode_DecodeUTF8Stateful("abc", 3, NULL, &consumed), "abc");
    ck_assert_int_eq(consumed, 3);
    /* Half a surrogate is kept for the error handler. */
    expect(PyUnicode_DecodeUTF8Stateful("a\xed\xa0", 3, NULL, &consumed), "a");
    ck_assert_int_eq(consumed, 1);
    expect(PyUnicode_DecodeUTF8Stateful("a\xed\xbf", 3, "ignore", &consumed),
           "a");
    ck_assert_int_eq(consumed, 1);
    expect(PyUnicode_DecodeUTF8Stateful("\xed\xa0"
                                        "b",
                                        3, "ignore", &consumed),
           "b");
    ck_assert_int_eq(consumed, 3);
    expect(PyUnicode_DecodeUTF8("a\xed\xa0", 3, "ignore"), "a");
    suite_refused(
        PyUnicode_DecodeUTF8Stateful("a\xff\xe2", 3, NULL, &consumed),
        PyExc_UnicodeDecodeError, NULL);
}

START_TEST(file_names)
{
    PyObject *op = str("a" E_ACUTE), *result = NULL;

    ck_assert_int_eq(PyUnicode_FSConverter(op, &result), Py_CLEANUP_SUPPORTED);
    expect_bytes(result, "a" E_ACUTE);
    Py_DECREF(op);
    suite_rejected(PyUnicode_FSConverter(Py_None, &result), PyExc_TypeError,
                   "expected str, bytes or os.PathLike object, not NoneType");
    op = PyBytes_FromString("a\xff");
    ck_assert_int_eq(PyUnicode_FSDecoder(op, &result), Py_CLEANUP_SUPPORTED);
    ck_assert_uint_eq(PyUnicode_READ_CHAR(result, 1), 0xdcff);
    suite_drop(op, result);
    op = PyUnicode_FromStringAndSize("a\0", 2);
    suite_rejected(PyUnicode_FSConverter(op, &result), PyExc_ValueError,
                   "embedded null byte");
    Py_DECREF(op);
    expect(PyUnicode_DecodeLocale("x", "strict"), "x");
    suite_refused(PyUnicode_DecodeLocale("x", "ignore"), PyExc_ValueError,
                  "unsupported error handler");
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

START_TEST(methods_of_case)
{
    expect(CALL("aB" E_ACUTE, "upper", NULL), "AB\xc3\x89");
    expect(CALL("AB\xc3\x89", "lower", NULL), "ab" E_ACUTE);
    expect(CALL("aB c", "swapcase", NULL), "Ab C");
    expect(CALL("hello wORLD's", "title", NULL), "Hello World'S");
    expect(CALL("hELLO", "capitalize", NULL), "Hello");
    expect_bool(CALL("ab1", "islower", NULL), 1);
    expect_bool(CALL("aB", "islower", NULL), 0);
    expect_bool(CALL("AB1", "isupper", NULL), 1);
    expect_bool(CALL("1", "isupper", NULL), 0);
    expect_bool(CALL("Ab Cd", "istitle", NULL), 1);
    expect_bool(CALL("Ab cd", "istitle", NULL), 0);
}

START_TEST(methods_that_ask)
{
    expect_bool(CALL("ab" E_ACUTE, "isalpha", NULL), 1);
    expect_bool(CALL("", "isalpha", NULL), 0);
    expect_bool(CALL("a1", "isalnum", NULL), 1);
    expect_bool(CALL("a 1", "isalnum", NULL), 0);
    expect_bool(CALL("12\xd9\xa3", "isdigit", NULL), 1);
    expect_bool(CALL("\xc2\xb2", "isdigit", NULL), 1);
    expect_bool(CALL("\xc2\xb2", "isdecimal", NULL), 0);
    expect_bool(CALL("\xc2\xbd", "isnumeric", NULL), 1);
    expect_bool(CALL(" \t\n\xe3\x80\x80", "isspace", NULL), 1);
    expect_bool(CALL("a_1" E_ACUTE, "isidentifier", NULL), 1);
    expect_bool(CALL("1a", "isidentifier", NULL), 0);
    expect_bool(CALL("", "isidentifier", NULL), 0);
    expect_bool(CALL("", "isascii", NULL), 1);
    expect_bool(CALL(E_ACUTE, "isascii", NULL), 0);
    expect_bool(CALL("a\n", "isprintable", NULL), 0);
    expect_bool(CALL("a ", "isprintable", NULL), 1);
}

START_TEST(methods_that_search)
{
    suite_new_int(CALL("abcabc", "find", "s", "ca"), 2);
    suite_new_int(CALL("abcabc", "find", "sOi", "a", Py_None, -5), 0);
    suite_new_int(CALL("abcabc", "rfind", "s", "a"), 3);
    suite_new_int(CALL("abcabc", "index", "si", "a", 1), 3);
    suite_new_int(CALL("aaa", "count", "s", "aa"), 1);
    suite_refused(CALL("abc", "index", "s", "x"), PyExc_ValueError,
                  "substring not found");
    suite_refused(CALL("abc", "find", "i", 5), PyExc_TypeError,
                  "must be str, not int");
    expect_bool(CALL("abc", "startswith", "s", "ab"), 1);
    expect_bool(CALL("abc", "endswith", "((ss))", "x", "bc"), 1);
    expect_bool(CALL("abc", "startswith", "si", "b", 1), 1);
    suite_refused(
        CALL("abc", "startswith", "i", 5), PyExc_TypeError,
        "startswith first arg must be str or a tuple of str, not int");
    suite_refused(CALL("abc", "endswith", "((i))", 5), PyExc_TypeError,
                  "tuple for endswith must only contain str, not int");
}

START_TEST(methods_that_change)
{
    expect(CALL(" a\n", "strip", NULL), "a");
    expect(CALL(" a\n", "lstrip", NULL), "a\n");
    expect(CALL(E_ACUTE "x" EURO E_ACUTE, "strip", "s", EURO E_ACUTE), "x");
    expect(CALL("xax", "rstrip", "s", "x"), "xa");
    suite_refused(CALL("x", "strip", "i", 5), PyExc_TypeError,
                  "strip arg must be None or str");
    expect(CALL("prefix", "removeprefix", "s", "pre"), "fix");
    expect(CALL("prefix", "removesuffix", "s", "pre"), "prefix");
    expect(CALL("aXaX", "replace", "ssi", "X", "", 1), "aaX");
    expect(CALL("-5", "zfill", "i", 4), "-005");
    expect(CALL("5", "zfill", "i", 1), "5");
    expect(CALL("a", "ljust", "is", 3, "*"), "a**");
    expect(CALL("a", "rjust", "i", 3), "  a");
    expect(CALL("a", "center", "i", 4), " a  ");
    expect(CALL("ab", "center", "i", 5), "  ab ");
    suite_refused(CALL("a", "ljust", "is", 3, "xx"), PyExc_TypeError,
                  "The fill character must be exactly one character long");
    suite_new_repr(CALL("a b", "split", NULL), "['a', 'b']");
    suite_new_repr(CALL("a,b,c", "rsplit", "si", ",", 1), "['a,b', 'c']");
    suite_new_repr(CALL("a\nb", "splitlines", "i", 1), "['a\\n', 'b']");
    expect_bytes(CALL("a" E_ACUTE, "encode", "s", "latin1"), "a\xe9");
    expect(CALL("-", "join", "((ss))", "a", "b"), "a-b");
}

/* ------------------------------------------------------------------ */
/* Writer                                                              */

START_TEST(writing_in_pieces)
{
    PyUnicodeWriter *writer = PyUnicodeWriter_Create(0);
    PyObject *op = str("a" EURO "b");

    ck_assert_ptr_nonnull(writer);
    ck_assert_int_eq(PyUnicodeWriter_WriteChar(writer, 0x20ac), 0);
    ck_assert_int_eq(PyUnicodeWriter_WriteUTF8(writer, "utf8-", 4), 0);
    ck_assert_int_eq(PyUnicodeWriter_WriteASCII(writer, " ascii", -1), 0);
    ck_assert_int_eq(PyUnicodeWriter_WriteWideChar(writer, L"\u00e9", -1), 0);
    ck_assert_int_eq(PyUnicodeWriter_WriteStr(writer, Py_None), 0);
    ck_assert_int_eq(PyUnicodeWriter_WriteRepr(writer, op), 0);
    ck_assert_int_eq(PyUnicodeWriter_WriteSubstring(writer, op, 1, 2), 0);
    ck_assert_int_eq(PyUnicodeWriter_Format(writer, "-%d", 5), 0);
    suite_failed(PyUnicodeWriter_Format(writer, "lost%y"), PyExc_SystemError,
                 "invalid format string: %y");
    suite_failed(PyUnicodeWriter_WriteUTF8(writer, "\xff", 1),
                 PyExc_UnicodeDecodeError, NULL);
    suite_failed(PyUnicodeWriter_WriteChar(writer, 0x110000), PyExc_ValueError,
                 "character must be in range(0x110000)");
    expect(PyUnicodeWriter_Finish(writer),
           EURO "utf8 ascii" E_ACUTE "None'a" EURO "b'" EURO "-5");
    Py_DECREF(op);

    suite_refused(PyUnicodeWriter_Create(-1), PyExc_ValueError,
                  "length must be positive");
    PyUnicodeWriter_Discard(PyUnicodeWriter_Create(10));
    PyUnicodeWriter_Discard(NULL);
}
