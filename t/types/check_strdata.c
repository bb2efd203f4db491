/* check_strdata.c: the characters of a str as an array, strings that are
   filled in, and writers. */

#include "../support/suite.h"

#include <string.h>

#ifndef PyUnicode_KIND
#error "sources ask for the macro"
#endif

/* A character of each width, and the bounds that PyUnicode_New knows. */
static const Py_UCS4 widths[] = {'a', 0xe9, 0x20ac, 0x1d11e};
static const Py_UCS4 bounds[] = {0x7f, 0xff, 0xffff, 0x10ffff};
static const int kinds[] = {1, 1, 2, 4};

enum { WIDTHS = 4, LENGTH = 200 };

static PyObject *
made_of(const Py_UCS4 *chars, Py_ssize_t length)
{
    return suite_require(
        PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, chars, length));
}

/* A str of that bound, filled in through its array. */
static PyObject *
filled(Py_UCS4 maxchar, const Py_UCS4 *chars, Py_ssize_t length)
{
    PyObject *op = suite_require(PyUnicode_New(length, maxchar));
    const int kind = PyUnicode_KIND(op);
    void *data = PyUnicode_DATA(op);

    for (Py_ssize_t i = 0; i < length; i++)
        PyUnicode_WRITE(kind, data, i, chars[i]);
    return op;
}

/* Both are the same to all that asks; drops both. */
static void
expect_same(PyObject *op, PyObject *other)
{
    PyObject *dict = PyDict_New();

    ck_assert_int_eq(PyObject_Hash(op), PyObject_Hash(other));
    ck_assert_int_eq(PyUnicode_Compare(op, other), 0);
    ck_assert_str_eq(PyUnicode_AsUTF8(op), PyUnicode_AsUTF8(other));
    ck_assert_int_eq(PyDict_SetItem(dict, op, Py_None), 0);
    ck_assert_ptr_eq(PyDict_GetItemWithError(dict, other), Py_None);
    Py_DECREF(dict);
    suite_drop(op, other);
}

START_TEST(the_hash_is_kept_when_asked_for)
{
    PyObject *op = PyUnicode_FromFormat("%s", "hashed");

    ck_assert_int_eq(((PyASCIIObject *)op)->hash, -1);
    Py_hash_t hash = PyObject_Hash(op);
    ck_assert_int_ne(hash, -1);
    ck_assert_int_eq(((PyASCIIObject *)op)->hash, hash);
    Py_DECREF(op);
}

START_TEST(an_array_has_the_least_kind)
{
    for (int w = 0; w < WIDTHS; w++) {
        const Py_UCS4 chars[] = {'x', widths[w], 'y'};
        PyObject *op = made_of(chars, 3);
        ck_assert_int_eq(PyUnicode_READY(op), 0);
        ck_assert_int_eq(PyUnicode_KIND(op), kinds[w]);
        ck_assert_uint_eq(PyUnicode_MAX_CHAR_VALUE(op), bounds[w]);
        void *data = PyUnicode_DATA(op);
        ck_assert_ptr_eq(PyUnicode_DATA(op), data);
        for (Py_ssize_t i = 0; i < 3; i++)
            ck_assert_uint_eq(PyUnicode_READ(kinds[w], data, i), chars[i]);
        ck_assert_uint_eq(PyUnicode_READ(kinds[w], data, 3), 0);
        Py_DECREF(op);
    }
}

START_TEST(characters_far_from_the_ends_are_found)
{
    Py_UCS4 chars[LENGTH];
    for (Py_UCS4 i = 0; i < LENGTH; i++)
        chars[i] = 0x20a0 + i * 7;
    PyObject *op = made_of(chars, LENGTH);
    for (Py_ssize_t i = 0; i < LENGTH; i++) {
        ck_assert_uint_eq(PyUnicode_READ_CHAR(op, i), chars[i]);
        expect_same(PySequence_GetItem(op, i), made_of(chars + i, 1));
    }
    Py_DECREF(op);
}

START_TEST(what_is_filled_in_is_the_text)
{
    for (int w = 0; w < WIDTHS; w++)
        for (int with = 0; with <= w; with++) {
            const Py_UCS4 chars[] = {'x', widths[with], 'z'};
            PyObject *op = filled(bounds[w], chars, 3);
            ck_assert_int_eq(PyUnicode_KIND(op), kinds[w]);
            ck_assert_int_eq(PyUnicode_IS_ASCII(op), w == 0);
            expect_same(op, made_of(chars, 3));
        }
}

START_TEST(lone_surrogates_are_kept)
{
    const Py_UCS4 chars[] = {'x', 0xd800};
    PyObject *op = filled(0xffff, chars, 2), *same = made_of(chars, 2);

    ck_assert_ptr_null(PyUnicode_AsUTF8(op));
    suite_exception(
        PyExc_UnicodeEncodeError,
        "'utf-8' codec can't encode character '\\ud800' in position "
        "1: surrogates not allowed");
    ck_assert_int_eq(PyUnicode_Compare(op, same), 0);
    ck_assert_uint_eq(PyUnicode_READ_CHAR(same, 1), 0xd800);
    suite_drop(op, same);
}

START_TEST(what_is_no_character_is_replaced)
{
    const Py_UCS4 wild[] = {'x', 0x110000, 0xffffffff};
    const Py_UCS4 mended[] = {'x', 0xfffd, 0xfffd};
    PyObject *op = filled(0x10ffff, wild, 3);
    expect_same(op, made_of(mended, 3));

    op = suite_require(PyUnicode_New(3, 127));
    memcpy(PyUnicode_1BYTE_DATA(op), "a\xf0\xff", 3);
    suite_new_text(op, "a??");
}

START_TEST(unshared_strings_change)
{
    for (int w = 0; w < WIDTHS; w++) {
        const Py_UCS4 before[] = {'x', widths[w], 'y'};
        const Py_UCS4 after[] = {widths[w], widths[w], 'b'};
        PyObject *op = made_of(before, 3);
        for (int again = 0; again < 2; again++) { /* after its text was made */
            ck_assert_int_eq(PyUnicode_WriteChar(op, 2, 'b'), 0);
            ck_assert_int_eq(PyUnicode_Fill(op, 0, 1, widths[w]), 1);
            ck_assert_int_eq(PyUnicode_Tailmatch(op, op, 0, 3, 1), 1);
        }
        expect_same(op, made_of(after, 3));
    }
}

START_TEST(shared_strings_do_not_change)
{
    static const char refused[] = "Cannot modify a string currently used";
    PyObject *op = PyUnicode_FromString("abc"), *second = Py_NewRef(op);

    ck_assert_int_eq(PyUnicode_WriteChar(op, 0, 'x'), -1);
    suite_exception(PyExc_SystemError, refused);
    Py_DECREF(second);
    ck_assert_int_eq(PyUnicode_WriteChar(op, 0, 'x'), 0);
    PyObject_Hash(op);
    ck_assert_int_eq(PyUnicode_Fill(op, 0, 1, 'y'), -1);
    suite_exception(PyExc_SystemError, refused);
    ck_assert_int_eq(PyUnicode_CopyCharacters(op, 0, op, 1, 1), -1);
    suite_exception(PyExc_SystemError, refused);
    suite_new_text(op, "xbc");
}

START_TEST(copying_does_not_end_the_filling)
{
    PyObject *from = suite_require(PyUnicode_New(2, 0xffff));
    PyObject *to = suite_require(PyUnicode_New(2, 0x10ffff));
    Py_UCS2 *data = PyUnicode_2BYTE_DATA(from);

    data[0] = 0x20ac;
    data[1] = 'a';
    ck_assert_int_eq(PyUnicode_CopyCharacters(to, 0, from, 0, 2), 2);
    data[1] = 'b';
    suite_new_text(from, "\xe2\x82\xac"
                         "b");
    suite_new_text(to, "\xe2\x82\xac"
                       "a");
}

/* It is ASCII if its characters are, whatever its parts were made for. */
START_TEST(sums_of_wide_parts_are_exact)
{
    const Py_UCS4 chars[] = {'x', 'y', 'z'};
    PyObject *ascii = PyUnicode_FromString("ab");

    for (int w = 0; w < WIDTHS; w++) {
        PyObject *wide = suite_require(PyUnicode_New(3, widths[w]));
        for (int i = 0; i < 3; i++)
            ck_assert_int_eq(PyUnicode_WriteChar(wide, i, chars[i]), 0);
        PyObject *sum = suite_require(PyUnicode_Concat(wide, ascii));
        ck_assert_int_ne(PyUnicode_IS_ASCII(sum), 0);
        suite_new_text(sum, "xyzab");
        suite_new_text(PyUnicode_Concat(ascii, wide), "abxyz");
        suite_new_text(PyUnicode_Concat(wide, wide), "xyzxyz");
        Py_DECREF(wide);
    }
    Py_DECREF(ascii);
}

START_TEST(resizing_keeps_what_fits)
{
    ck_assert_int_eq(PyUnicode_Resize(NULL, 1), -1);
    ck_assert(PyErr_ExceptionMatches(PyExc_SystemError));
    PyErr_Clear();
    for (int w = 0; w < WIDTHS; w++) {
        const Py_UCS4 chars[] = {'x', widths[w], 'y', 'z'};
        PyObject *op = made_of(chars, 3);
        ck_assert_int_eq(PyUnicode_Resize(&op, 4), 0);
        ck_assert_int_eq(PyUnicode_KIND(op), kinds[w]);
        ck_assert_int_eq(PyUnicode_WriteChar(op, 3, 'z'), 0);
        ck_assert_int_eq(PyUnicode_Resize(&op, 4), 0);
        PyObject *shorter = Py_NewRef(op);
        ck_assert_int_eq(PyUnicode_Resize(&shorter, 2), 0);
        expect_same(op, made_of(chars, 4));
        expect_same(shorter, made_of(chars, 2));
    }
}

START_TEST(writers)
{
    PyUnicodeWriter *writer = PyUnicodeWriter_Create(4);
    const Py_UCS4 bad[] = {0x110000};
    Py_ssize_t consumed;

    ck_assert_int_eq(PyUnicodeWriter_WriteUCS4(writer, widths, 2), 0);
    ck_assert_int_eq(PyUnicodeWriter_WriteUCS4(writer, bad, 1), -1);
    suite_exception(PyExc_ValueError,
                    "character U+110000 is not in range [U+0000; U+10ffff]");
    ck_assert_int_eq(PyUnicodeWriter_WriteUCS4(writer, widths, -1), -1);
    suite_exception(PyExc_ValueError, "size must be positive");
    ck_assert_int_eq(PyUnicodeWriter_DecodeUTF8Stateful(writer, "-\xe2\x82",
                                                        -1, NULL, &consumed),
                     0);
    ck_assert_int_eq(consumed, 1);
    suite_new_text(PyUnicodeWriter_Finish(writer), "a\xc3\xa9-");
}

START_TEST(old_writers)
{
    _PyUnicodeWriter writer;
    PyObject *str = PyUnicode_FromString("hello");

    _PyUnicodeWriter_Init(&writer);
    suite_new_text(_PyUnicodeWriter_Finish(&writer), "");
    _PyUnicodeWriter_Init(&writer);
    writer.overallocate = 1;
    ck_assert_int_eq(_PyUnicodeWriter_Prepare(&writer, 3, 127), 0);
    ck_assert_int_eq(_PyUnicodeWriter_WriteChar(&writer, 0x20ac), 0);
    ck_assert_int_eq(_PyUnicodeWriter_WriteStr(&writer, str), 0);
    ck_assert_int_eq(_PyUnicodeWriter_WriteSubstring(&writer, str, 1, 3), 0);
    ck_assert_int_eq(_PyUnicodeWriter_WriteASCIIString(&writer, "xyz", -1), 0);
    ck_assert_int_eq(_PyUnicodeWriter_WriteLatin1String(&writer, "\xe9", 1),
                     0);
    ck_assert_int_eq(_PyUnicodeWriter_WriteStr(&writer, Py_None), -1);
    suite_exception(PyExc_TypeError,
                    "bad argument type for built-in operation");
    suite_new_text(_PyUnicodeWriter_Finish(&writer),
                   "\xe2\x82\xachelloelxyz\xc3\xa9");
    _PyUnicodeWriter_Init(&writer);
    ck_assert_int_eq(
        _PyUnicodeWriter_PrepareKind(&writer, PyUnicode_2BYTE_KIND), 0);
    _PyUnicodeWriter_Dealloc(&writer);
    Py_DECREF(str);
}
