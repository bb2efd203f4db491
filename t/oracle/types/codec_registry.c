/* codec_registry.c: codecs and error handlers that a program registers, those
   that are there, and the attributes of the exceptions.  Manual: "Codec
   registry and support functions", "Unicode Exception Objects". */

#include "oracle.h"

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

static void
attributes(PyObject *exc, const char *class, int place)
{
#define ALL(CLASS)                                                            \
    {                                                                         \
        PyUnicode##CLASS##Error_GetObject, PyUnicode##CLASS##Error_GetReason, \
            PyUnicode##CLASS##Error_GetStart, PyUnicode##CLASS##Error_GetEnd, \
            PyUnicode##CLASS##Error_SetStart, PyUnicode##CLASS##Error_SetEnd, \
            PyUnicode##CLASS##Error_SetReason                                 \
    }
    static const struct {
        PyObject *(*get_object)(PyObject *), *(*get_reason)(PyObject *);
        int (*get_start)(PyObject *, Py_ssize_t *);
        int (*get_end)(PyObject *, Py_ssize_t *);
        int (*set_start)(PyObject *, Py_ssize_t);
        int (*set_end)(PyObject *, Py_ssize_t);
        int (*set_reason)(PyObject *, const char *);
    } functions[] = {ALL(Encode), ALL(Decode), ALL(Translate)};
    static const Py_ssize_t numbers[] = {-5, 0, 1, 2, 3, 4, 100};
    Py_ssize_t number = -77;

    say("%s", class);
    show("object", functions[place].get_object(exc));
    show("reason", functions[place].get_reason(exc));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(numbers); i++) {
        result("set start", functions[place].set_start(exc, numbers[i]));
        result("get start", functions[place].get_start(exc, &number));
        say("start %zd", number);
        result("set end", functions[place].set_end(exc, numbers[i]));
        result("get end", functions[place].get_end(exc, &number));
        say("end %zd", number);
        show("str", PyObject_Str(exc));
    }
    result("set reason", functions[place].set_reason(exc, "another"));
    show("reason", functions[place].get_reason(exc));
    PyObject_SetAttrString(exc, "reason", Py_None);
    show("reason", functions[place].get_reason(exc));
    PyObject_SetAttrString(exc, "object", Py_None);
    show("object", functions[place].get_object(exc));
    result("get start", functions[place].get_start(exc, &number));
    PyObject_DelAttrString(exc, "object");
    PyObject_DelAttrString(exc, "reason");
    show("object", functions[place].get_object(exc));
    show("reason", functions[place].get_reason(exc));
    result("get end", functions[place].get_end(exc, &number));
}

static PyObject *
make_error(int place, Py_ssize_t start, Py_ssize_t end)
{
    static const Py_UCS4 text[] = {'a', 0xe9, 0xdc80, 0x1f600};
    PyObject *str =
        need(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, 4));
    PyObject *exc;

    if (place == 0)
        exc = PyObject_CallFunction(PyExc_UnicodeEncodeError, "sOnns", "codec",
                                    str, start, end, "why");
    else if (place == 1)
        exc = PyUnicodeDecodeError_Create("codec", "a\xe9\xed\xa0", 4, start,
                                          end, "why");
    else
        exc = PyObject_CallFunction(PyExc_UnicodeTranslateError, "Onns", str,
                                    start, end, "why");
    Py_DECREF(str);
    return need(exc);
}

static void
errors_of_codecs(void)
{
    static const char *const classes[] = {"encode", "decode", "translate"};

    for (int i = 0; i < 3; i++) {
        PyObject *exc = make_error(i, 1, 3);
        if (i == 0)
            show("encoding", PyUnicodeEncodeError_GetEncoding(exc));
        if (i == 1)
            show("encoding", PyUnicodeDecodeError_GetEncoding(exc));
        attributes(exc, classes[i], i);
        Py_DECREF(exc);
    }
}

/* ------------------------------------------------------------------ */
/* The handlers that are there                                         */

static void
call_handlers(PyObject *exc)
{
    static const char *const names[] = {
        NULL,
        "strict",
        "ignore",
        "replace",
        "xmlcharrefreplace",
        "backslashreplace",
        "surrogateescape",
        "surrogatepass",
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        PyObject *handler = need(PyCodec_LookupError(names[i]));
        show(names[i] ? names[i] : "none", PyObject_CallOneArg(handler, exc));
        Py_DECREF(handler);
    }
    SHOW(PyCodec_StrictErrors(exc));
    SHOW(PyCodec_IgnoreErrors(exc));
    SHOW(PyCodec_ReplaceErrors(exc));
    SHOW(PyCodec_XMLCharRefReplaceErrors(exc));
    SHOW(PyCodec_BackslashReplaceErrors(exc));
}

static void
known_handlers(void)
{
    for (int place = 0; place < 3; place++)
        for (Py_ssize_t start = 0; start < 4; start++)
            for (Py_ssize_t end = start + 1; end < 5; end++) {
                PyObject *exc = make_error(place, start, end);
                say("%d: %zd to %zd", place, start, end);
                call_handlers(exc);
                Py_DECREF(exc);
            }
    PyObject *other = need(PyObject_CallNoArgs(PyExc_ValueError));
    call_handlers(other);
    call_handlers(Py_None);
    Py_DECREF(other);
    SHOW(PyCodec_LookupError("nonsense"));
}

/* ------------------------------------------------------------------ */
/* Handlers of the program                                             */

/* What the handler returns, or raises if that is an exception; borrowed.  Some
   replies lead back to the fault: each tenth call ends that. */
static PyObject *reply;
static int calls;

static PyObject *
handle(PyObject *self, PyObject *exc)
{
    show("handler called with", PyObject_Str(exc));
    if (++calls % 10 == 0) {
        PyErr_SetString(PyExc_RuntimeError, "enough");
        return NULL;
    }
    if (PyExceptionInstance_Check(reply)) {
        PyErr_SetObject((PyObject *)Py_TYPE(reply), reply);
        return NULL;
    }
    return Py_NewRef(reply);
}

static PyMethodDef handle_def = {"handle", handle, METH_O, NULL};

static void
try_reply(PyObject *value)
{
    static const char *const encodings[] = {
        "utf-8",     "ascii", "latin-1",       "utf-16",
        "utf-32-be", "utf-7", "unicode-escape"};
    static const Py_UCS4 text[] = {'a', 0xd800, 0x20ac, 0xdc80, 'b'};
    PyObject *str =
        need(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, 5));
    PyObject *table = need(
        Py_BuildValue("{iiiOiO}", 'a', 'A', 0xd800, Py_None, 0x20ac, Py_None));

    reply = need(value);
    show_kept("reply", reply);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(encodings); i++) {
        say("%s", encodings[i]);
        SHOW_INNER(
            PyUnicode_AsEncodedString(str, encodings[i], "test.handle"));
        SHOW_INNER(
            PyUnicode_Decode("a\xff+\\u1", 6, encodings[i], "test.handle"));
    }
    SHOW(PyUnicode_Translate(str, table, "test.handle"));
    SHOW(PyUnicode_DecodeCharmap("ab", 2, table, "test.handle"));
    drop_all(str, table, reply);
}

static void
own_handlers(void)
{
    PyObject *handler = need(PyCFunction_New(&handle_def, NULL));

    RESULT(PyCodec_RegisterError("test.handle", Py_None));
    RESULT(PyCodec_RegisterError("test.handle", handler));
    SHOW(PyCodec_LookupError("test.handle"));
    try_reply(Py_BuildValue("sn", "<>", (Py_ssize_t)2));
    try_reply(Py_BuildValue("sn", "\xc3\xa9", (Py_ssize_t)-1));
    try_reply(Py_BuildValue("sn", "\xe2\x82\xac", (Py_ssize_t)4));
    try_reply(Py_BuildValue("yn", "byte", (Py_ssize_t)4));
    try_reply(Py_BuildValue("yn", "odd", (Py_ssize_t)4));
    try_reply(Py_BuildValue("sn", "", (Py_ssize_t)100));
    try_reply(Py_BuildValue("sn", "", (Py_ssize_t)-100));
    try_reply(Py_BuildValue("(s)", "one"));
    try_reply(Py_BuildValue("sss", "a", "b", "c"));
    try_reply(Py_BuildValue("ss", "a", "b"));
    try_reply(Py_BuildValue("in", 5, (Py_ssize_t)2));
    try_reply(Py_BuildValue("s", "text"));
    try_reply(Py_NewRef(Py_None));
    try_reply(PyObject_CallFunction(PyExc_ValueError, "s", "raised"));
    Py_DECREF(handler);
}

/* A handler that puts other bytes in place of the input. */
static PyObject *
replace_input(PyObject *self, PyObject *exc)
{
    PyObject *bytes = need(PyBytes_FromString("other \xff"));
    Py_ssize_t start;

    if (PyUnicodeDecodeError_GetStart(exc, &start) < 0)
        return NULL;
    PyObject_SetAttrString(exc, "object", bytes);
    Py_DECREF(bytes);
    return Py_BuildValue("sn", "!", start == 6 ? (Py_ssize_t)7 : 0);
}

static PyMethodDef input_def = {"replace_input", replace_input, METH_O, NULL};

static void
other_input(void)
{
    PyObject *handler = need(PyCFunction_New(&input_def, NULL));

    RESULT(PyCodec_RegisterError("test.input", handler));
    SHOW(PyUnicode_DecodeUTF8("ab\xff", 3, "test.input"));
    SHOW(PyUnicode_DecodeASCII("ab\xff", 3, "test.input"));
    SHOW(PyUnicode_DecodeUTF7("ab\xff", 3, "test.input"));
    Py_DECREF(handler);
}

/* ------------------------------------------------------------------ */
/* Codecs of the program                                               */

static PyObject *coded; /* what encoder and decoder return; borrowed */

static PyObject *
code(PyObject *self, PyObject *args)
{
    PyObject *first = need(PySequence_GetItem(args, 0));

    say("%zd arguments, a %s", PyTuple_GET_SIZE(args),
        Py_TYPE(first)->tp_name);
    Py_DECREF(first);
    return Py_NewRef(coded);
}

static PyMethodDef code_def = {"code", code, METH_VARARGS, NULL};

static PyObject *
search(PyObject *self, PyObject *name)
{
    show_kept("search", name);
    if (PyUnicode_CompareWithASCIIString(name, "wrong") == 0)
        return PyLong_FromLong(1);
    if (PyUnicode_CompareWithASCIIString(name, "raises") == 0) {
        PyErr_SetString(PyExc_ValueError, "while searching");
        return NULL;
    }
    if (PyUnicode_CompareWithASCIIString(name, "own_1") != 0)
        Py_RETURN_NONE;
    PyObject *function = need(PyCFunction_New(&code_def, NULL));
    return Py_BuildValue("NOOO", function, function, function, function);
}

static PyMethodDef search_def = {"search", search, METH_O, NULL};

static void
try_coded(PyObject *value)
{
    PyObject *str = need(PyUnicode_FromString("text"));

    coded = need(value);
    show_kept("coded", coded);
    SHOW_INNER(PyCodec_Encode(str, "own 1", NULL));
    SHOW_INNER(PyCodec_Decode(str, "OWN--1", "ignore"));
    SHOW_INNER(PyUnicode_AsEncodedString(str, "own-1", "strict"));
    SHOW_INNER(PyUnicode_Decode("abc", 3, "own_1", NULL));
    SHOW(PyObject_CallMethod(str, "encode", "s", "own 1"));
    SHOW_INNER(PyUnicode_AsDecodedObject(str, "own_1", NULL));
    /* 3.11 names the wrong type where this is no str. */
    if (PyTuple_Check(coded) && PyUnicode_Check(PyTuple_GetItem(coded, 0)))
        SHOW_INNER(PyUnicode_AsDecodedUnicode(str, "own_1", NULL));
    SHOW_INNER(PyUnicode_AsEncodedObject(str, "own_1", NULL));
    SHOW_INNER(PyUnicode_AsEncodedUnicode(str, "own_1", NULL));
    SHOW(PyCodec_StreamReader("own_1", str, NULL));
    SHOW(PyCodec_StreamWriter("own_1", str, "strict"));
    drop_all(str, coded);
}

static void
own_codecs(void)
{
    PyObject *function = need(PyCFunction_New(&search_def, NULL));

    RESULT(PyCodec_KnownEncoding("own 1"));
    RESULT(PyCodec_Register(NULL));
    RESULT(PyCodec_Register(Py_None));
    RESULT(PyCodec_Register(function));
    RESULT(PyCodec_KnownEncoding("nonsense"));
    RESULT(PyCodec_KnownEncoding("wrong"));
    SHOW(PyCodec_Encoder("wrong"));
    SHOW(PyCodec_Decoder("raises"));
    SHOW(PyCodec_Encoder("No Such!"));
    SHOW(PyCodec_Encoder(NULL));
    RESULT(PyCodec_KnownEncoding("utf-8"));
    RESULT(PyCodec_KnownEncoding("own 1"));
    SHOW(PyCodec_Encoder("own 1"));
    SHOW(PyCodec_IncrementalEncoder("own 1", NULL));
    SHOW(PyCodec_IncrementalDecoder("nonsense", NULL));
    SHOW(PyCodec_StreamReader("nonsense", function, NULL));
    try_coded(Py_BuildValue("si", "result", 6));
    try_coded(Py_BuildValue("yi", "result", 6));
    try_coded(Py_BuildValue("ii", 5, 6));
    try_coded(Py_BuildValue("(i)", 5));
    try_coded(PyLong_FromLong(3));
    RESULT(PyCodec_Unregister(Py_None));
    RESULT(PyCodec_Unregister(function));
    RESULT(PyCodec_KnownEncoding("own 1"));
    Py_DECREF(function);
}

/* ------------------------------------------------------------------ */
/* The library's encodings through the registry                        */

static void
feed(PyObject *decoder, const char *text, Py_ssize_t size)
{
    for (Py_ssize_t i = 0; i < size; i++) {
        SHOW(PyObject_CallMethod(decoder, "decode", "y#", text + i,
                                 (Py_ssize_t)1));
        SHOW(PyObject_CallMethod(decoder, "getstate", NULL));
    }
    SHOW(PyObject_CallMethod(decoder, "decode", "yi", "", 1));
    SHOW(PyObject_CallMethod(decoder, "reset", NULL));
    SHOW(PyObject_CallMethod(decoder, "getstate", NULL));
}

static void
pieces(const char *encoding)
{
    PyObject *str = need(PyUnicode_FromString("a\xc3\xa9\xf0\x9f\x98\x80"));
    PyObject *encoder = need(PyCodec_IncrementalEncoder(encoding, "replace"));
    PyObject *decoder = need(PyCodec_IncrementalDecoder(encoding, "replace"));
    PyObject *bytes = need(PyCodec_Encode(str, encoding, "replace"));

    say("%s", encoding);
    show_kept("bytes", bytes);
    SHOW_INNER(PyCodec_Decode(bytes, encoding, NULL));
    SHOW(PyObject_GetAttrString(encoder, "errors"));
    SHOW(PyObject_CallMethod(encoder, "encode", "O", str));
    SHOW(PyObject_CallMethod(encoder, "encode", "Oi", str, 1));
    SHOW(PyObject_CallMethod(encoder, "reset", NULL));
    SHOW(PyObject_CallMethod(encoder, "encode", "O", str));
    feed(decoder, PyBytes_AsString(bytes), PyBytes_Size(bytes));
    feed(decoder, "\xff\xfe\x01\xd8", 4);
    drop_all(str, encoder, decoder, bytes);
}

/* Encoders and decoders go on from the states of others. */
static void
states(const char *encoding)
{
    PyObject *encoder = need(PyCodec_IncrementalEncoder(encoding, NULL));
    PyObject *decoder = need(PyCodec_IncrementalDecoder(encoding, NULL));

    say("states of %s", encoding);
    SHOW(PyObject_CallMethod(encoder, "getstate", NULL));
    SHOW(PyObject_CallMethod(encoder, "encode", "s", "a"));
    SHOW(PyObject_CallMethod(encoder, "getstate", NULL));
    SHOW(PyObject_CallMethod(encoder, "setstate", "i", 2));
    SHOW(PyObject_CallMethod(encoder, "encode", "s", "a"));
    SHOW(PyObject_CallMethod(encoder, "setstate", "i", 0));
    SHOW(PyObject_CallMethod(encoder, "encode", "s", "a"));
    for (int order = 0; order < 3; order++) {
        SHOW(PyObject_CallMethod(decoder, "setstate", "((yi))", "", order));
        SHOW(PyObject_CallMethod(decoder, "decode", "y#", "\xfe\xff\0a",
                                 (Py_ssize_t)4));
        SHOW(PyObject_CallMethod(decoder, "getstate", NULL));
    }
    drop_all(encoder, decoder);
}

static void
own_encodings(void)
{
    static const char *const encodings[] = {
        "utf-8",     "ascii",     "latin-1", "utf-7",     "utf-16",
        "utf-16-le", "utf-16-be", "utf-32",  "utf-32-le", "utf-32-be",
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(encodings); i++)
        pieces(encodings[i]);
    states("utf-16");
    states("utf-16-le");
    PyObject *decoder = need(PyCodec_IncrementalDecoder("utf-16", NULL));
    SHOW(PyObject_CallMethod(decoder, "decode", "y", "abcd"));
    Py_DECREF(decoder);
    decoder = need(PyCodec_IncrementalDecoder("utf-8", NULL));
    SHOW(PyObject_CallMethod(decoder, "setstate", "((yi))", "\xe2\x82", 0));
    SHOW(PyObject_CallMethod(decoder, "decode", "y", "\xac!"));
    Py_DECREF(decoder);
}

void
oracle_program(void)
{
    errors_of_codecs();
    known_handlers();
    own_handlers();
    other_input();
    own_codecs();
    own_encodings();
}
