/* check_codecs.c: codecs and error handlers: what the oracle cannot compare,
   because CPython 3.11 does something else or crashes. */

#include "../support/suite.h"

#include <pyboehm.h>

static PyObject *
text_of(const char *utf8)
{
    return suite_require(PyUnicode_FromString(utf8));
}

/* ------------------------------------------------------------------ */
/* Encodings                                                           */

START_TEST(an_encoded_text_has_its_mark)
{
    PyObject *str = text_of("a");

    suite_new_repr(PyUnicode_AsUTF16String(str), PY_BIG_ENDIAN
                                                     ? "b'\\xfe\\xff\\x00a'"
                                                     : "b'\\xff\\xfea\\x00'");
    suite_new_repr(PyUnicode_AsEncodedString(str, "utf-16-be", NULL),
                   "b'\\x00a'");
    suite_new_repr(PyUnicode_AsEncodedString(str, "utf-32-le", NULL),
                   "b'a\\x00\\x00\\x00'");
    Py_DECREF(str);
}

START_TEST(a_mark_says_the_order)
{
    int order = 0;

    suite_new_text(PyUnicode_DecodeUTF16("\xfe\xff\0a", 4, NULL, &order), "a");
    ck_assert_int_eq(order, 1);
    order = -1; /* the mark is a character then */
    suite_new_repr(PyUnicode_DecodeUTF16("\xff\xfe", 2, NULL, &order),
                   "'\\ufeff'");
    ck_assert_int_eq(order, -1);
    order = 0;
    suite_new_text(
        PyUnicode_DecodeUTF32("\0\0\xfe\xff\0\0\0a", 8, NULL, &order), "a");
    ck_assert_int_eq(order, 1);
}

START_TEST(consumed_is_left_alone_on_failure)
{
    Py_ssize_t consumed = -7;

    suite_refused(PyUnicode_DecodeUTF8Stateful("a\xff", 2, NULL, &consumed),
                  PyExc_UnicodeDecodeError, NULL);
    suite_refused(PyUnicode_DecodeUTF7Stateful("a\xff", 2, NULL, &consumed),
                  PyExc_UnicodeDecodeError, NULL);
    suite_refused(
        PyUnicode_DecodeUTF16Stateful("\0\xdc", 2, NULL, NULL, &consumed),
        PyExc_UnicodeDecodeError, NULL);
    ck_assert_int_eq(consumed, -7);
}

START_TEST(what_is_not_a_str_is_refused)
{
    static const char bad[] = "bad argument type for built-in operation";

    suite_refused(PyUnicode_AsUTF16String(Py_None), PyExc_TypeError, bad);
    suite_refused(PyUnicode_AsUTF32String(Py_None), PyExc_TypeError, bad);
    suite_refused(PyUnicode_AsUnicodeEscapeString(Py_None), PyExc_TypeError,
                  bad);
    suite_refused(PyUnicode_AsRawUnicodeEscapeString(Py_None), PyExc_TypeError,
                  bad);
    suite_refused(PyUnicode_AsEncodedString(Py_None, "utf-7", NULL),
                  PyExc_TypeError, bad);
    suite_refused(PyUnicode_AsDecodedObject(Py_None, NULL, NULL),
                  PyExc_TypeError, bad);
    suite_refused(PyUnicode_AsEncodedObject(NULL, NULL, NULL), PyExc_TypeError,
                  bad);
}

/* ------------------------------------------------------------------ */
/* Escapes                                                             */

static int
note_warning(PyObject *category, const char *text, void *warned)
{
    ck_assert_ptr_eq(category, PyExc_DeprecationWarning);
    strcpy(warned, text);
    return 0;
}

static int
raise_warning(PyObject *category, const char *text, void *warned)
{
    (void)category, (void)text, (void)warned;
    return -1;
}

START_TEST(the_first_wrong_escape_is_warned_of)
{
    char warned[100] = "";

    PyBoehm_SetWarningHook(note_warning, warned);
    suite_new_repr(PyUnicode_DecodeUnicodeEscape("\\n\\q\\d", 6, NULL),
                   "'\\n\\\\q\\\\d'");
    ck_assert_str_eq(warned, "invalid escape sequence '\\q'");
    PyBoehm_SetWarningHook(raise_warning, NULL);
    suite_refused(PyUnicode_DecodeUnicodeEscape("\\q", 2, NULL),
                  PyExc_DeprecationWarning, "invalid escape sequence '\\q'");
    PyBoehm_SetWarningHook(NULL, NULL);
}

START_TEST(names_of_characters_are_not_known)
{
    PyObject *str = text_of("a\xc3\xa9");

    suite_refused(PyUnicode_DecodeUnicodeEscape("\\N{BULLET}", 10, NULL),
                  PyExc_UnicodeError,
                  "\\N escapes not supported (the names of characters are not "
                  "known)");
    suite_new_text(PyUnicode_DecodeUnicodeEscape("a\\N{BULL", 8, "ignore"),
                   "a");
    suite_refused(PyUnicode_DecodeUnicodeEscape("\\Nx", 3, NULL),
                  PyExc_UnicodeDecodeError,
                  "'unicodeescape' codec can't decode bytes in position 0-1: "
                  "malformed \\N character escape");
    suite_refused(PyUnicode_DecodeUnicodeEscape("\\N{}", 4, NULL),
                  PyExc_UnicodeDecodeError,
                  "'unicodeescape' codec can't decode bytes in position 0-2: "
                  "malformed \\N character escape");
    suite_refused(PyUnicode_AsEncodedString(str, "ascii", "namereplace"),
                  PyExc_NotImplementedError,
                  "namereplace: the names of characters are not known");
    suite_new_repr(PyUnicode_AsEncodedString(str, "utf-8", "namereplace"),
                   "b'a\\xc3\\xa9'");
    Py_DECREF(str);
}

/* ------------------------------------------------------------------ */
/* The registry                                                        */

static PyObject *coded; /* what the codec returns; borrowed */

static PyObject *
code(PyObject *self, PyObject *args)
{
    (void)self, (void)args;
    if (coded == NULL)
        PyErr_SetString(PyExc_ValueError, "no code");
    return Py_XNewRef(coded);
}

static PyMethodDef code_def = {"code", code, METH_VARARGS, NULL};

static PyObject *
search(PyObject *self, PyObject *name)
{
    (void)self;
    if (!PyUnicode_EqualToUTF8(name, "mine"))
        Py_RETURN_NONE;
    PyObject *function = suite_require(PyCFunction_New(&code_def, NULL));
    return Py_BuildValue("(NOOO)", function, function, function, function);
}

static PyMethodDef search_def = {"search", search, METH_O, NULL};

static void
begin_search(void)
{
    PyObject *function = suite_require(PyCFunction_New(&search_def, NULL));

    ck_assert_int_eq(PyCodec_Register(function), 0);
    Py_DECREF(function);
}

START_TEST(an_exception_of_a_codec_gets_a_note)
{
    PyObject *str = text_of("text");

    begin_search();
    coded = NULL;
    ck_assert_ptr_null(PyCodec_Encode(str, "mine", NULL));
    PyObject *error = PyErr_GetRaisedException();
    suite_new_repr(PyObject_GetAttrString(error, "__notes__"),
                   "[\"encoding with 'mine' codec failed\"]");
    Py_DECREF(error);
    ck_assert_ptr_null(PyUnicode_Decode("x", 1, "mine", NULL));
    error = PyErr_GetRaisedException();
    suite_new_repr(PyObject_GetAttrString(error, "__notes__"),
                   "[\"decoding with 'mine' codec failed\"]");
    suite_drop(error, str);
}

START_TEST(a_bytearray_becomes_bytes_with_a_warning)
{
    PyObject *str = text_of("text");
    PyObject *array = suite_require(PyByteArray_FromStringAndSize("ab", 2));

    begin_search();
    coded = suite_require(Py_BuildValue("(Ni)", array, 4));
    suite_catch_stderr();
    suite_new_repr(PyUnicode_AsEncodedString(str, "mine", NULL), "b'ab'");
    char *warned = suite_caught_stderr();
    ck_assert_str_eq(warned, "RuntimeWarning: encoder mine returned bytearray "
                             "instead of bytes; use codecs.encode() to encode "
                             "to arbitrary types\n");
    free(warned);
    suite_drop(coded, str);
}

START_TEST(a_str_to_str_decoder_must_return_a_str)
{
    PyObject *str = text_of("text");

    begin_search();
    coded = suite_require(Py_BuildValue("(ii)", 5, 4));
    suite_refused(PyUnicode_AsDecodedUnicode(str, "mine", NULL),
                  PyExc_TypeError,
                  "'mine' decoder returned 'int' instead of 'str'; use "
                  "codecs.decode() to decode to arbitrary types");
    suite_drop(coded, str);
}

/* A codec that is an object of a type of its own. */
static PyObject *
is_text(PyObject *self, void *closure)
{
    (void)self, (void)closure;
    Py_RETURN_FALSE;
}

static PyGetSetDef info_getset[] = {
    {"_is_text_encoding", is_text, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject info_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "test.Info",
    .tp_base = &PyTuple_Type,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_getset = info_getset,
};

static PyObject *
search_info(PyObject *self, PyObject *name)
{
    PyObject *items = suite_require(search(self, name));

    if (items == Py_None)
        return items;
    PyObject *info = PyObject_CallOneArg((PyObject *)&info_type, items);
    Py_DECREF(items);
    return info;
}

static PyMethodDef search_info_def = {"search", search_info, METH_O, NULL};

START_TEST(a_codec_may_say_that_it_is_not_one_of_text)
{
    PyObject *str = text_of("text"), *function;

    ck_assert_int_eq(PyType_Ready(&info_type), 0);
    function = suite_require(PyCFunction_New(&search_info_def, NULL));
    ck_assert_int_eq(PyCodec_Register(function), 0);
    coded = suite_require(Py_BuildValue("(ii)", 5, 4));
    suite_refused(PyUnicode_AsEncodedString(str, "Mine", NULL),
                  PyExc_LookupError,
                  "'Mine' is not a text encoding; use codecs.encode() to "
                  "handle arbitrary codecs");
    suite_refused(PyUnicode_Decode("x", 1, "mine", NULL), PyExc_LookupError,
                  "'mine' is not a text encoding; use codecs.decode() to "
                  "handle arbitrary codecs");
    suite_new_int(PyCodec_Encode(str, "mine", NULL), 5);
    suite_drop(coded, str, function);
}

START_TEST(a_search_function_is_held_until_it_is_removed)
{
    PyObject *function = suite_require(PyCFunction_New(&search_def, NULL));

    ck_assert_int_eq(PyCodec_Unregister(function), 0);
    ck_assert_int_eq(PyCodec_Register(function), 0);
    ck_assert_int_eq(Py_REFCNT(function), 2);
    ck_assert_int_eq(PyCodec_KnownEncoding("mine"), 1);
    ck_assert_int_eq(PyCodec_Unregister(function), 0);
    ck_assert_int_eq(Py_REFCNT(function), 1);
    ck_assert_int_eq(PyCodec_KnownEncoding("mine"), 0);
    Py_DECREF(function);
}

START_TEST(what_is_registered_ends_with_the_library)
{
    PyObject *function = suite_require(PyCFunction_New(&search_def, NULL));

    ck_assert_int_eq(PyCodec_Register(function), 0);
    ck_assert_int_eq(PyCodec_RegisterError("test.mine", function), 0);
    ck_assert_int_eq(PyCodec_KnownEncoding("mine"), 1);
    Py_DECREF(function);
    Py_Finalize();
    Py_Initialize();
    ck_assert_int_eq(PyCodec_KnownEncoding("mine"), 0);
    ck_assert_int_eq(PyCodec_KnownEncoding("utf-8"), 1);
    suite_refused(PyCodec_LookupError("test.mine"), PyExc_LookupError,
                  "unknown error handler name 'test.mine'");
}

START_TEST(own_encodings_are_tuples_with_attributes)
{
    PyObject *encoder = suite_require(PyCodec_Encoder("Latin-1"));
    PyObject *stream = text_of("");

    suite_new_repr(PyObject_CallFunction(encoder, "s", "\xc3\xa9"),
                   "(b'\\xe9', 1)");
    suite_new_repr(
        PyObject_CallFunction(encoder, "ss", "\xe2\x82\xac", "replace"),
        "(b'?', 1)");
    suite_refused(PyObject_CallFunction(encoder, "i", 1), PyExc_TypeError,
                  "encode() argument 1 must be str, not int");
    suite_refused(PyCodec_StreamReader("utf-8", stream, NULL),
                  PyExc_NotImplementedError,
                  "there are no stream readers and writers for utf-8");
    suite_refused(PyCodec_StreamWriter("utf8", stream, NULL),
                  PyExc_NotImplementedError,
                  "there are no stream readers and writers for utf-8");
    suite_drop(encoder, stream);
}

START_TEST(null_names_and_objects_are_refused)
{
    suite_failed(PyCodec_RegisterError(NULL, Py_None), PyExc_SystemError,
                 NULL);
    suite_failed(PyCodec_RegisterError("name", NULL), PyExc_SystemError, NULL);
    suite_refused(PyCodec_StrictErrors(NULL), PyExc_SystemError, NULL);
    suite_refused(PyCodec_ReplaceErrors(NULL), PyExc_SystemError, NULL);
    suite_refused(PyCodec_Encode(Py_None, NULL, NULL), PyExc_TypeError,
                  "bad argument type for built-in operation");
    suite_refused(PyCodec_IncrementalEncoder(NULL, NULL), PyExc_TypeError,
                  "bad argument type for built-in operation");
    ck_assert_int_eq(PyCodec_KnownEncoding(NULL), 0);
    ck_assert_int_eq(PyCodec_Unregister(Py_None), 0);
}

/* ------------------------------------------------------------------ */
/* Attributes of the exceptions                                        */

START_TEST(attributes_are_those_of_the_right_class)
{
    PyObject *error = suite_require(
        PyUnicodeDecodeError_Create("codec", "ab", 2, 0, 1, "why"));
    Py_ssize_t number = -7;

    suite_refused(PyUnicodeEncodeError_GetObject(error), PyExc_TypeError,
                  "expecting a UnicodeEncodeError object, got "
                  "UnicodeDecodeError");
    suite_failed(PyUnicodeTranslateError_GetStart(Py_None, &number),
                 PyExc_TypeError,
                 "expecting a UnicodeTranslateError object, got NoneType");
    suite_failed(PyUnicodeEncodeError_SetEnd(NULL, 1), PyExc_SystemError,
                 NULL);
    suite_failed(PyUnicodeDecodeError_SetReason(error, NULL),
                 PyExc_SystemError, NULL);
    suite_failed(PyUnicodeDecodeError_SetReason(error, "\xff"),
                 PyExc_UnicodeDecodeError, NULL);
    ck_assert_int_eq(number, -7);
    suite_new_text(PyUnicodeDecodeError_GetReason(error), "why");
    Py_DECREF(error);
}

START_TEST(positions_in_nothing_are_zero)
{
    PyObject *error = suite_require(
        PyUnicodeDecodeError_Create("codec", "", 0, 3, 5, "why"));
    Py_ssize_t start = -7, end = -7;

    ck_assert_int_eq(PyUnicodeDecodeError_GetStart(error, &start), 0);
    ck_assert_int_eq(PyUnicodeDecodeError_GetEnd(error, &end), 0);
    ck_assert_int_eq(start, 0);
    ck_assert_int_eq(end, 0);
    suite_new_repr(PyCodec_BackslashReplaceErrors(error), "('', 0)");
    Py_DECREF(error);
}

START_TEST(handlers_bear_positions_that_are_the_wrong_way_round)
{
    PyObject *error = suite_require(
        PyUnicodeDecodeError_Create("codec", "abcd", 4, 3, 1, "why"));

    suite_new_repr(PyCodec_BackslashReplaceErrors(error), "('', 1)");
    suite_new_repr(PyCodec_IgnoreErrors(error), "('', 1)");
    Py_DECREF(error);
}
