/* check_bytes.c: bytes, bytearray, and hashing. */

#include "../support/suite.h"

#include <pyboehm.h>
#include <string.h>

/* Does op, whose reference is stolen, have these bytes? */
static void
expect(PyObject *op, const char *bytes, Py_ssize_t size)
{
    if (op == NULL)
        PyErr_Print();
    ck_assert_ptr_nonnull(op);
    ck_assert(PyBytes_CheckExact(op));
    ck_assert_int_eq(PyBytes_GET_SIZE(op), size);
    ck_assert_mem_eq(PyBytes_AS_STRING(op), bytes, (size_t)size + 1);
    Py_DECREF(op);
}

static void
expect_array(PyObject *op, const char *bytes)
{
    ck_assert_ptr_nonnull(op);
    ck_assert(PyByteArray_Check(op));
    ck_assert_str_eq(PyByteArray_AsString(op), bytes);
    ck_assert_int_eq(PyByteArray_Size(op), (Py_ssize_t)strlen(bytes));
}

/* type(...) with arguments as for Py_BuildValue. */
#define MAKE(type, ...) PyObject_CallFunction((PyObject *)&(type), __VA_ARGS__)

/* ------------------------------------------------------------------ */
/* bytes                                                               */

START_TEST(bytes_from_c)
{
    expect(PyBytes_FromString("abc"), "abc", 3);
    expect(PyBytes_FromString(""), "", 0);
    expect(PyBytes_FromStringAndSize("a\0b", 3), "a\0b", 3);

    PyObject *op = suite_require(PyBytes_FromStringAndSize(NULL, 2));
    memcpy(PyBytes_AS_STRING(op), "xy", 2);
    expect(op, "xy", 2);

    suite_refused(PyBytes_FromStringAndSize("", -1), PyExc_SystemError,
                  "Negative size passed to PyBytes_FromStringAndSize");
    suite_refused(PyBytes_FromStringAndSize(NULL, PY_SSIZE_T_MAX),
                  PyExc_OverflowError, "byte string is too large");
}

/* What the last warning said; 1 makes it an error. */
static char warned[100];
static int refuse;

static int
note_warning(PyObject *category, const char *message, void *Py_UNUSED(arg))
{
    ck_assert_ptr_eq(category, PyExc_DeprecationWarning);
    snprintf(warned, sizeof warned, "%s", message);
    return refuse ? -1 : 0;
}

START_TEST(bytes_from_a_literal)
{
    PyBoehm_SetWarningHook(note_warning, NULL);
    expect(PyBytes_DecodeEscape("a\\q\\z\\n", 7, NULL, 0, NULL), "a\\q\\z\n",
           6);
    ck_assert_str_eq(warned, "invalid escape sequence '\\q'");
    expect(PyBytes_DecodeEscape("\\400\\q", 6, NULL, 0, NULL), "\0\\q", 3);
    ck_assert_str_eq(warned, "invalid octal escape sequence '\\400'");
    refuse = 1;
    suite_refused(PyBytes_DecodeEscape("\\q", 2, NULL, 0, NULL),
                  PyExc_DeprecationWarning, "invalid escape sequence '\\q'");
}

START_TEST(bytes_to_c)
{
    PyObject *op = PyBytes_FromStringAndSize("a\0b", 3);
    char *data;
    Py_ssize_t size;

    ck_assert_int_eq(PyBytes_AsStringAndSize(op, &data, &size), 0);
    ck_assert_ptr_eq(data, PyBytes_AsString(op));
    ck_assert_int_eq(size, 3);
    ck_assert_int_eq(PyBytes_Size(op), 3);
    suite_failed(PyBytes_AsStringAndSize(op, &data, NULL), PyExc_ValueError,
                 "embedded null byte");
    Py_DECREF(op);

    suite_failed(PyBytes_Size(Py_None), PyExc_TypeError,
                 "expected bytes, NoneType found");
    suite_refused(PyBytes_AsString(Py_None), PyExc_TypeError,
                  "expected bytes, NoneType found");
}

START_TEST(bytes_from_objects)
{
    PyObject *list = Py_BuildValue("[iii]", 1, 2, 255);
    PyObject *str = PyUnicode_FromString("x");
    PyObject *bytes = PyBytes_FromString("abc");

    expect(PyBytes_FromObject(list), "\x01\x02\xff", 3);
    ck_assert_int_eq(PyList_Append(list, str), 0);
    suite_refused(PyBytes_FromObject(list), PyExc_TypeError,
                  "'str' object cannot be interpreted as an integer");
    suite_refused(PyBytes_FromObject(str), PyExc_TypeError,
                  "cannot convert 'str' object to bytes");
    suite_refused(PyBytes_FromObject(Py_None), PyExc_TypeError,
                  "cannot convert 'NoneType' object to bytes");
    PyObject *same = PyBytes_FromObject(bytes);
    ck_assert_ptr_eq(same, bytes);
    suite_drop(same, list, str, bytes);

    list = Py_BuildValue("[i]", 256);
    suite_refused(PyBytes_FromObject(list), PyExc_ValueError,
                  "bytes must be in range(0, 256)");
    Py_DECREF(list);
}

START_TEST(bytes_constructor)
{
    expect(MAKE(PyBytes_Type, NULL), "", 0);
    expect(MAKE(PyBytes_Type, "i", 3), "\0\0\0", 3);
    expect(MAKE(PyBytes_Type, "ss", "\xc3\xa9", "latin-1"), "\xe9", 1);
    expect(MAKE(PyBytes_Type, "y", "abc"), "abc", 3);
    suite_refused(MAKE(PyBytes_Type, "s", "x"), PyExc_TypeError,
                  "string argument without an encoding");
    PyObject *args = Py_BuildValue("(s)", "x");
    PyObject *errors = Py_BuildValue("{ss}", "errors", "strict");
    suite_refused(PyObject_Call((PyObject *)&PyBytes_Type, args, errors),
                  PyExc_TypeError, "string argument without an encoding");
    suite_drop(args, errors);
    suite_refused(MAKE(PyBytes_Type, "i", -1), PyExc_ValueError,
                  "negative count");
    suite_refused(MAKE(PyBytes_Type, "ys", "x", "utf-8"), PyExc_TypeError,
                  "encoding without a string argument");
}

START_TEST(bytes_concatenation)
{
    PyObject *op = PyBytes_FromString("ab");
    PyObject *part = PyBytes_FromString("cd");

    PyBytes_Concat(&op, part);
    ck_assert_int_eq(Py_REFCNT(part), 1);
    PyBytes_ConcatAndDel(&op, part);
    expect(Py_NewRef(op), "abcdcd", 6);
    PyBytes_Concat(&op, Py_None);
    suite_refused(op, PyExc_TypeError, "can't concat NoneType to bytes");
    PyBytes_Concat(&op, Py_None);
    ck_assert_ptr_null(PyErr_Occurred());

    op = PyBytes_FromString("ab");
    PyBytes_Concat(&op, op); /* it is read while it grows */
    PyObject *other = Py_NewRef(op), *empty = PyBytes_FromString("");
    PyBytes_ConcatAndDel(&op, PyBytes_FromString("cd"));
    PyBytes_Concat(&op, empty);
    expect(Py_NewRef(op), "ababcd", 6);
    expect(other, "abab", 4);
    Py_DECREF(empty);
    Py_DECREF(op);

    op = PyBytes_FromString("ab");
    PyBytes_Concat(&op, NULL);
    ck_assert_ptr_null(op);

    op = PyBytes_FromString("ab");
    expect(PySequence_Repeat(op, 3), "ababab", 6);
    expect(PySequence_Repeat(op, 0), "", 0);
    expect(PySequence_Repeat(op, -1), "", 0);
    Py_DECREF(op);
}

START_TEST(bytes_resize)
{
    PyObject *op = PyBytes_FromString("abcdef");

    ck_assert_int_eq(_PyBytes_Resize(&op, 3), 0);
    expect(Py_NewRef(op), "abc", 3);
    ck_assert_int_eq(_PyBytes_Resize(&op, 1000), 0);
    ck_assert_int_eq(PyBytes_GET_SIZE(op), 1000);
    ck_assert_mem_eq(PyBytes_AS_STRING(op), "abc", 3);
    ck_assert_int_eq(PyBytes_AS_STRING(op)[1000], '\0');
    ck_assert_int_eq(_PyBytes_Resize(&op, 0), 0);
    ck_assert_int_eq(PyBytes_GET_SIZE(op), 0);
    ck_assert_int_eq(_PyBytes_Resize(&op, 2), 0);
    ck_assert_int_eq(PyBytes_GET_SIZE(op), 2);
    Py_INCREF(op);
    PyObject *shared = op;
    suite_failed(_PyBytes_Resize(&op, 5), PyExc_SystemError, NULL);
    ck_assert_ptr_null(op);
    ck_assert_int_eq(Py_REFCNT(shared), 1);
    Py_DECREF(shared);
}

START_TEST(bytes_repr)
{
    suite_new_repr(PyBytes_FromString("abc"), "b'abc'");
    suite_new_repr(PyBytes_FromString("it's"), "b\"it's\"");
    suite_new_repr(PyBytes_FromString("'\""), "b'\\'\"'");
    suite_new_repr(PyBytes_FromStringAndSize("\0\t\n\r\\\x7f\xff", 7),
                   "b'\\x00\\t\\n\\r\\\\\\x7f\\xff'");
}

START_TEST(bytes_compare_and_hash)
{
    PyObject *a = PyBytes_FromString("abc"), *b = PyBytes_FromString("abd");
    PyObject *c = PyBytes_FromString("abc"), *s = PyUnicode_FromString("abc");

    ck_assert_int_eq(PyObject_RichCompareBool(a, c, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_LT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_GE), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(a, s, Py_EQ), 0);
    suite_failed(PyObject_RichCompareBool(a, s, Py_LT), PyExc_TypeError,
                 "'<' not supported between instances of 'bytes' and 'str'");
    ck_assert_int_eq(PyObject_Hash(a), PyObject_Hash(c));
    ck_assert_int_ne(PyObject_Hash(a), PyObject_Hash(b));
    ck_assert_int_eq(PyObject_Hash(a), Py_HashBuffer("abc", 3));
    suite_drop(a, b, c, s);
}

START_TEST(bytes_as_sequence)
{
    PyObject *op = PyBytes_FromString("abcdef");
    PyObject *part = PyBytes_FromString("cd");
    PyObject *number = PyLong_FromLong('f');

    ck_assert_int_eq(PyObject_Size(op), 6);
    suite_new_int(PySequence_GetItem(op, -1), 'f');
    suite_refused(PySequence_GetItem(op, 6), PyExc_IndexError,
                  "index out of range");
    expect(PySequence_GetSlice(op, 1, 3), "bc", 2);
    ck_assert_int_eq(PySequence_Contains(op, part), 1);
    ck_assert_int_eq(PySequence_Contains(op, number), 1);
    suite_failed(PySequence_Contains(op, Py_None), PyExc_TypeError,
                 "a bytes-like object is required, not 'NoneType'");

    PyObject *step = PyLong_FromLong(-2);
    PyObject *slice = PySlice_New(NULL, NULL, step);
    expect(PyObject_GetItem(op, slice), "fdb", 3);
    suite_refused(PyObject_GetItem(op, Py_None), PyExc_TypeError,
                  "byte indices must be integers or slices, not NoneType");
    suite_drop(slice, step, op, part, number);
}

START_TEST(bytes_iteration)
{
    PyObject *op = PyBytes_FromString("\xff\x01");
    suite_new_repr(suite_require(PySequence_List(op)), "[255, 1]");
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
}

START_TEST(bytes_buffer)
{
    PyObject *op = PyBytes_FromString("abc");
    Py_buffer view;

    ck_assert_int_eq(PyObject_GetBuffer(op, &view, PyBUF_SIMPLE), 0);
    ck_assert_int_eq(view.len, 3);
    ck_assert_int_eq(view.readonly, 1);
    ck_assert_mem_eq(view.buf, "abc", 3);
    ck_assert_int_eq(Py_REFCNT(op), 2);
    PyBuffer_Release(&view);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    suite_failed(PyObject_GetBuffer(op, &view, PyBUF_WRITABLE),
                 PyExc_BufferError, "Object is not writable.");
    Py_DECREF(op);
}

START_TEST(bytes_methods)
{
    PyObject *op = PyBytes_FromString("a,b,c");
    PyObject *sep = PyBytes_FromString("-");
    PyObject *list = Py_BuildValue("[yyy]", "x", "", "z"), *result;

    result = PyObject_CallMethod(op, "decode", "s", "ascii");
    ck_assert_int_eq(PyUnicode_CompareWithASCIIString(result, "a,b,c"), 0);
    Py_SETREF(result, PyObject_CallMethod(sep, "hex", NULL));
    ck_assert_int_eq(PyUnicode_CompareWithASCIIString(result, "2d"), 0);
    Py_DECREF(result);
    expect(PyObject_CallMethod(sep, "join", "O", list), "x--z", 4);
    expect(PyBytes_Join(sep, list), "x--z", 4);
    ck_assert_ptr_eq(PyObject_CallMethod(op, "startswith", "y", "a,"),
                     Py_True);
    ck_assert_ptr_eq(PyObject_CallMethod(op, "endswith", "y", "a,"), Py_False);
    ck_assert_ptr_eq(PyObject_CallMethod(op, "startswith", "yi", "b", 2),
                     Py_True);
    suite_new_int(PyObject_CallMethod(op, "find", "y", "b"), 2);
    suite_new_int(PyObject_CallMethod(op, "find", "yi", "b", -2), -1);

    suite_refused(
        PyObject_CallMethod(op, "find", "ys", "b", "x"), PyExc_TypeError,
        "slice indices must be integers or None or have an __index__ method");
    suite_refused(
        PyObject_CallMethod(op, "find", "O", Py_None), PyExc_TypeError,
        "argument should be integer or bytes-like object, not 'NoneType'");

    ck_assert_int_eq(PyList_Append(list, Py_None), 0);
    suite_refused(
        PyBytes_Join(sep, list), PyExc_TypeError,
        "sequence item 3: expected a bytes-like object, NoneType found");
    suite_drop(op, sep, list);
}

/* ------------------------------------------------------------------ */
/* bytearray                                                           */

START_TEST(bytearray_making)
{
    PyObject *op = PyByteArray_FromStringAndSize("abc", 3);
    expect_array(op, "abc");
    PyObject *copy = PyByteArray_FromObject(op);
    expect_array(copy, "abc");
    ck_assert_ptr_ne(op, copy);
    Py_DECREF(copy);

    PyObject *both = PyByteArray_Concat(op, op);
    expect_array(both, "abcabc");
    Py_DECREF(both);
    suite_refused(PyByteArray_Concat(op, Py_None), PyExc_TypeError,
                  "can't concat NoneType to bytearray");
    Py_DECREF(op);

    op = MAKE(PyByteArray_Type, NULL);
    expect_array(op, "");
    Py_SETREF(op, MAKE(PyByteArray_Type, "ss", "x", "ascii"));
    expect_array(op, "x");
    Py_DECREF(op);
    suite_refused(MAKE(PyByteArray_Type, "O", Py_None), PyExc_TypeError,
                  "cannot convert 'NoneType' object to bytearray");
    suite_refused(MAKE(PyByteArray_Type, "[i]", 256), PyExc_ValueError,
                  "byte must be in range(0, 256)");
    suite_refused(MAKE(PyByteArray_Type, "s", "x"), PyExc_TypeError,
                  "string argument without an encoding");
}

START_TEST(bytearray_resize)
{
    PyObject *op = PyByteArray_FromStringAndSize("abc", 3);
    Py_buffer view;

    ck_assert_int_eq(PyByteArray_Resize(op, 2), 0);
    expect_array(op, "ab");
    ck_assert_int_eq(PyByteArray_Resize(op, 100), 0);
    ck_assert_int_eq(PyByteArray_GET_SIZE(op), 100);
    ck_assert_mem_eq(PyByteArray_AS_STRING(op), "ab", 2);

    ck_assert_int_eq(PyObject_GetBuffer(op, &view, PyBUF_WRITABLE), 0);
    ((char *)view.buf)[0] = 'X';
    suite_failed(PyByteArray_Resize(op, 5), PyExc_BufferError,
                 "Existing exports of data: object cannot be re-sized");
    ck_assert_int_eq(PyByteArray_GET_SIZE(op), 100);
    PyBuffer_Release(&view);
    ck_assert_int_eq(PyByteArray_Resize(op, 1), 0);
    expect_array(op, "X");
    ck_assert_int_eq(PyByteArray_Resize(op, 0), 0);
    expect_array(op, "");
    suite_failed(PyByteArray_Resize(op, -1), PyExc_ValueError,
                 "Can only resize to positive sizes, got -1");
    Py_DECREF(op);
}

START_TEST(bytearray_may_be_too_large)
{
    PyObject *op = PyByteArray_FromStringAndSize("abc", 3);

    suite_refused(PyByteArray_FromStringAndSize(NULL, PY_SSIZE_T_MAX),
                  PyExc_MemoryError, "");
    suite_failed(PyByteArray_Resize(op, PY_SSIZE_T_MAX), PyExc_MemoryError,
                 "");
    expect_array(op, "abc");
    Py_DECREF(op);
}

/* An object whose __index__ takes the bytes of a bytearray away. */
static PyObject *victim;

static PyObject *
shrink_victim(PyObject *Py_UNUSED(self))
{
    if (PyByteArray_Resize(victim, 0) < 0)
        return NULL;
    return PyLong_FromLong('x');
}

static PyNumberMethods shrinker_as_number = {.nb_index = shrink_victim};

static PyTypeObject Shrinker_Type = {SUITE_TYPE("Shrinker"),
                                     .tp_as_number = &shrinker_as_number,
                                     .tp_new = PyType_GenericNew};

START_TEST(bytearray_stays_while_it_is_searched)
{
    char text[1000];

    memset(text, 'x', sizeof(text));
    victim = PyByteArray_FromStringAndSize(text, sizeof(text));
    ck_assert_int_eq(PyType_Ready(&Shrinker_Type), 0);
    PyObject *shrinker =
        suite_require(PyObject_CallNoArgs((PyObject *)&Shrinker_Type));

    /* The resize fails, and so __index__, which then does not count. */
    suite_failed(PySequence_Contains(victim, shrinker), PyExc_TypeError,
                 "a bytes-like object is required, not 'Shrinker'");
    ck_assert_int_eq(PyByteArray_Size(victim), sizeof(text));
    ck_assert_int_eq(PyByteArray_Resize(victim, 0), 0);
    suite_drop(shrinker, victim);
}

START_TEST(bytearray_items)
{
    PyObject *op = PyByteArray_FromStringAndSize("abcdef", 6);
    PyObject *x = PyLong_FromLong('x'), *big = PyLong_FromLong(256);

    ck_assert_int_eq(PySequence_SetItem(op, -1, x), 0);
    expect_array(op, "abcdex");
    suite_failed(PySequence_SetItem(op, 6, x), PyExc_IndexError,
                 "bytearray index out of range");
    suite_failed(PySequence_SetItem(op, 0, big), PyExc_ValueError,
                 "byte must be in range(0, 256)");
    ck_assert_int_eq(PySequence_DelItem(op, 0), 0);
    expect_array(op, "bcdex");
    suite_refused(
        PyObject_GetItem(op, Py_None), PyExc_TypeError,
        "bytearray indices must be integers or slices, not NoneType");
    ck_assert_int_eq(PySequence_Contains(op, x), 1);
    suite_drop(op, x, big);
}

START_TEST(bytearray_slices)
{
    PyObject *op = PyByteArray_FromStringAndSize("abcdef", 6);
    PyObject *part = PyBytes_FromString("XYZ");

    ck_assert_int_eq(PySequence_SetSlice(op, 1, 2, part), 0);
    expect_array(op, "aXYZcdef");
    ck_assert_int_eq(PySequence_SetSlice(op, 0, 0, op), 0);
    expect_array(op, "aXYZcdefaXYZcdef");
    ck_assert_int_eq(PySequence_DelSlice(op, 3, 16), 0);
    expect_array(op, "aXY");
    ck_assert_int_eq(PySequence_SetSlice(op, 0, 3, part), 0);
    expect_array(op, "XYZ");

    PyObject *step = PyLong_FromLong(-2);
    PyObject *slice = PySlice_New(NULL, NULL, step);
    PyObject *two = PyBytes_FromString("12");
    ck_assert_int_eq(PyObject_SetItem(op, slice, two), 0);
    expect_array(op, "2Y1");
    suite_failed(
        PyObject_SetItem(op, slice, part), PyExc_ValueError,
        "attempt to assign bytes of size 3 to extended slice of size 2");
    ck_assert_int_eq(PyObject_DelItem(op, slice), 0);
    expect_array(op, "Y");
    suite_drop(two, slice, step, op, part);
}

/* Calls a method and drops its result. */
static void
call(PyObject *op, const char *name, const char *format, PyObject *arg)
{
    PyObject *result =
        suite_require(PyObject_CallMethod(op, name, format, arg));
    Py_DECREF(result);
}

START_TEST(bytearray_growing)
{
    PyObject *op = MAKE(PyByteArray_Type, NULL);
    PyObject *x = PyLong_FromLong('x');
    PyObject *list = Py_BuildValue("[ii]", 'y', 'z');

    call(op, "append", "O", x);
    call(op, "extend", "O", list);
    expect_array(op, "xyz");
    call(op, "pop", NULL, NULL);
    expect_array(op, "xy");
    PyObject *result = PyObject_CallMethod(op, "insert", "iO", 0, x);
    ck_assert_ptr_eq(result, Py_None);
    expect_array(op, "xxy");
    for (int i = 0; i < 1000; i++)
        call(op, "append", "O", x);
    ck_assert_int_eq(PyByteArray_GET_SIZE(op), 1003);
    call(op, "clear", NULL, NULL);
    expect_array(op, "");
    suite_refused(PyObject_CallMethod(op, "pop", NULL), PyExc_IndexError,
                  "pop from empty bytearray");

    PyObject *same = PySequence_InPlaceConcat(op, list);
    suite_refused(same, PyExc_TypeError, "can't concat list to bytearray");
    suite_refused(PyObject_CallMethod(op, "extend", "i", 5), PyExc_TypeError,
                  "can't extend bytearray with int");
    suite_refused(PyObject_CallMethod(op, "extend", "s", "x"), PyExc_TypeError,
                  "expected iterable of integers; got: 'str'");
    suite_refused(PyObject_CallMethod(op, "append", "i", 256),
                  PyExc_ValueError, "byte must be in range(0, 256)");
    suite_failed(PySequence_SetSlice(op, 0, 0, Py_None), PyExc_TypeError,
                 "can assign only bytes, buffers, or iterables of ints in "
                 "range(0, 256)");
    suite_drop(op, x, list);
}

START_TEST(bytearray_in_place)
{
    PyObject *op = PyByteArray_FromStringAndSize("ab", 2);
    PyObject *result = PySequence_InPlaceConcat(op, op);

    ck_assert_ptr_eq(result, op);
    expect_array(op, "abab");
    Py_SETREF(result, PySequence_InPlaceRepeat(op, 2));
    ck_assert_ptr_eq(result, op);
    expect_array(op, "abababab");
    Py_SETREF(result, PySequence_Repeat(op, 0));
    expect_array(result, "");
    suite_drop(result, op);
}

START_TEST(bytearray_compare_repr_hash)
{
    PyObject *a = PyByteArray_FromStringAndSize("ab", 2);
    PyObject *b = PyBytes_FromString("ab"), *c = PyBytes_FromString("b");

    ck_assert_int_eq(PyObject_RichCompareBool(a, b, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(b, a, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, c, Py_LT), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(a, Py_None, Py_EQ), 0);
    suite_failed(PyObject_Hash(a), PyExc_TypeError,
                 "unhashable type: 'bytearray'");
    suite_new_repr(a, "bytearray(b'ab')");
    suite_drop(b, c);
}

START_TEST(bytearray_iteration)
{
    PyObject *op = PyByteArray_FromStringAndSize("\x01\x02", 2);
    suite_new_repr(PySequence_Tuple(op), "(1, 2)");
    Py_DECREF(op);
}

/* ------------------------------------------------------------------ */
/* Hashes                                                              */

START_TEST(hash_of_buffers)
{
    ck_assert_int_eq(Py_HashBuffer("", 0), 0);
    ck_assert_int_ne(Py_HashBuffer("\0", 1), Py_HashBuffer("\0\0", 2));
    ck_assert_int_ne(Py_HashBuffer("12345678", 8),
                     Py_HashBuffer("12345678\0", 9));
    PyHash_FuncDef *def = PyHash_GetFuncDef();
    ck_assert_int_eq(def->hash("abc", 3), Py_HashBuffer("abc", 3));
    ck_assert_int_eq(def->hash_bits, 64);
}

START_TEST(hash_of_pointers)
{
    int here[2];

    ck_assert_int_ne(Py_HashPointer((void *)(intptr_t)-1), -1);
    ck_assert_int_ne(Py_HashPointer(&here[0]), Py_HashPointer(&here[1]));
}

START_TEST(hash_of_floats)
{
    /* What CPython says. */
    ck_assert_int_eq(_Py_HashDouble(Py_None, 0.0), 0);
    ck_assert_int_eq(_Py_HashDouble(Py_None, 1.0), 1);
    ck_assert_int_eq(_Py_HashDouble(Py_None, -1.0), -2);
    ck_assert_int_eq(_Py_HashDouble(Py_None, 0.5), 1152921504606846976);
    ck_assert_int_eq(_Py_HashDouble(Py_None, 1.5), 1152921504606846977);
    ck_assert_int_eq(_Py_HashDouble(Py_None, 1e300), 1224995262755759164);
    ck_assert_int_eq(_Py_HashDouble(Py_None, -0.1), -230584300921369408);
    ck_assert_int_eq(_Py_HashDouble(Py_None, 5e-324), 16777216);
    ck_assert_int_eq(_Py_HashDouble(Py_None, Py_INFINITY), 314159);
    ck_assert_int_eq(_Py_HashDouble(Py_None, -Py_INFINITY), -314159);
}
