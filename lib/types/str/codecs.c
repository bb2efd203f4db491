/* codecs.c: str from and to bytes in UTF-8, ASCII and Latin-1, as file names
   and in the locale. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/codec/decoding.h"
#include "types/codec/encoding.h"
#include "types/codec/natives.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

/* Is this the end of the text, and a surrogate without its last byte?  An
   error handler may use that. */
static int
begins_surrogate(const char *p, Py_ssize_t size)
{
    return size == 2 && (unsigned char)p[0] == 0xed &&
           (unsigned char)p[1] >= 0xa0 && pyb_utf8_is_tail(p[1]);
}

/* Decodes text that is not all valid.  With partial, an incomplete character
   at the end is left.  Returns the number of bytes decoded, or -1 with an
   exception. */
static Py_ssize_t
decode_faulty(struct pyb_decoding *in, int partial)
{
    Py_ssize_t done = 0, length;
    const char *reason;

    while (done >= 0) {
        const char *p = in->bytes + done;
        Py_ssize_t left = in->size - done;
        Py_ssize_t valid = pyb_utf8_valid(p, left, &length, &reason);
        if (pyb_text_bytes(&in->out, p, valid) < 0)
            return -1;
        done += valid;
        if (valid == left)
            return done;
        if (partial && (reason == pyb_utf8_incomplete ||
                        begins_surrogate(p + valid, left - valid)))
            return done;
        done = pyb_decoding_fault(in, done, done + length, reason);
    }
    return -1;
}

/* The same as a str; *done becomes the number of bytes. */
static PyObject *
str_of_faulty(const char *s, Py_ssize_t size, const char *errors, int partial,
              Py_ssize_t *done)
{
    struct pyb_decoding in = {"utf-8", errors, s, size, .length = 0};

    *done = decode_faulty(&in, partial);
    return pyb_decoding_end(&in, *done < 0);
}

PyObject *
PyUnicode_DecodeUTF8Stateful(const char *s, Py_ssize_t size,
                             const char *errors, Py_ssize_t *consumed)
{
    Py_ssize_t length, done = size;
    const char *reason;
    PyObject *str;

    if (pyb_utf8_valid(s, size, &length, &reason) == size)
        str = pyb_str_new(s, size);
    else
        str = str_of_faulty(s, size, errors, consumed != NULL, &done);
    if (str != NULL && consumed != NULL)
        *consumed = done;
    return str;
}

PyObject *
PyUnicode_DecodeUTF8(const char *s, Py_ssize_t size, const char *errors)
{
    return PyUnicode_DecodeUTF8Stateful(s, size, errors, NULL);
}

PyObject *
PyUnicode_DecodeASCII(const char *s, Py_ssize_t size, const char *errors)
{
    struct pyb_decoding in = {"ascii", errors, s, size, .length = 0};
    Py_ssize_t i = 0;

    if (pyb_utf8_ascii(s, size) == size)
        return pyb_str_new(s, size);
    while (i >= 0 && i < in.size) {
        Py_ssize_t valid = pyb_utf8_ascii(in.bytes + i, in.size - i);
        if (pyb_text_bytes(&in.out, in.bytes + i, valid) < 0)
            i = -1;
        else if (i + valid == in.size)
            break;
        else
            i = pyb_decoding_fault(&in, i + valid, i + valid + 1,
                                   "ordinal not in range(128)");
    }
    return pyb_decoding_end(&in, i < 0);
}

PyObject *
PyUnicode_DecodeLatin1(const char *s, Py_ssize_t size,
                       const char *Py_UNUSED(errors))
{
    return PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, s, size);
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

static int
has_utf8(const struct pyb_encoding *Py_UNUSED(encoding), Py_UCS4 ch)
{
    return !Py_UNICODE_IS_SURROGATE(ch);
}

static int
put_utf8(struct pyb_encoding *encoding, Py_UCS4 ch)
{
    char bytes[PYB_UTF8_LONGEST];

    if (Py_UNICODE_IS_SURROGATE(ch))
        return 0;
    return pyb_text_bytes(&encoding->out, bytes, pyb_utf8_put(bytes, ch)) < 0
               ? -1
               : 1;
}

/* ASCII and Latin-1: plain is the first character that they do not have. */
static int
has_byte(const struct pyb_encoding *encoding, Py_UCS4 ch)
{
    return ch < encoding->encoder->plain;
}

static int
put_byte(struct pyb_encoding *encoding, Py_UCS4 ch)
{
    char byte = (char)ch;

    if (!has_byte(encoding, ch))
        return 0;
    return pyb_text_bytes(&encoding->out, &byte, 1) < 0 ? -1 : 1;
}

static const struct pyb_encoder utf8 = {
    "utf-8", "surrogates not allowed", 1, 0x80, has_utf8, put_utf8};
static const struct pyb_encoder ascii = {
    "ascii", "ordinal not in range(128)", 1, 0x80, has_byte, put_byte};
static const struct pyb_encoder latin1 = {
    "latin-1", "ordinal not in range(256)", 1, 0x100, has_byte, put_byte};

static PyObject *
encode(PyObject *str, const struct pyb_encoder *encoder, const char *errors)
{
    struct pyb_encoding encoding = {encoder, errors, str, .length = 0};

    if (pyb_str_check(str) < 0)
        return NULL;
    if (PyUnicode_IS_ASCII(str) ||
        (encoder == &utf8 && !(pyb_str_flags(str) & PYB_STR_SURROGATES)))
        return PyBytes_FromStringAndSize(pyb_str_text(str), pyb_str_size(str));
    return pyb_encoding_run(&encoding);
}

PyObject *
pyb_utf8_encode(PyObject *str, const char *errors)
{
    return encode(str, &utf8, errors);
}

PyObject *
pyb_ascii_encode(PyObject *str, const char *errors)
{
    return encode(str, &ascii, errors);
}

PyObject *
pyb_latin1_encode(PyObject *str, const char *errors)
{
    return encode(str, &latin1, errors);
}

PyObject *
PyUnicode_AsUTF8String(PyObject *unicode)
{
    return pyb_utf8_encode(unicode, NULL);
}

PyObject *
PyUnicode_AsASCIIString(PyObject *unicode)
{
    return pyb_ascii_encode(unicode, NULL);
}

PyObject *
PyUnicode_AsLatin1String(PyObject *unicode)
{
    return pyb_latin1_encode(unicode, NULL);
}

const char *
PyUnicode_GetDefaultEncoding(void)
{
    return "utf-8";
}

/* ------------------------------------------------------------------ */
/* File names and the locale                                           */

PyObject *
PyUnicode_DecodeFSDefaultAndSize(const char *s, Py_ssize_t size)
{
    return PyUnicode_DecodeUTF8(s, size, "surrogateescape");
}

PyObject *
PyUnicode_DecodeFSDefault(const char *s)
{
    return PyUnicode_DecodeFSDefaultAndSize(s, (Py_ssize_t)strlen(s));
}

PyObject *
PyUnicode_EncodeFSDefault(PyObject *unicode)
{
    return pyb_utf8_encode(unicode, "surrogateescape");
}

/* The locale's functions accept few error handlers.  0, or -1 with
   ValueError. */
static int
check_locale_errors(const char *errors)
{
    if (errors == NULL || strcmp(errors, "strict") == 0 ||
        strcmp(errors, "surrogateescape") == 0 ||
        strcmp(errors, "surrogatepass") == 0)
        return 0;
    return pyb_fail(PyExc_ValueError, "unsupported error handler");
}

PyObject *
PyUnicode_DecodeLocaleAndSize(const char *str, Py_ssize_t len,
                              const char *errors)
{
    if (check_locale_errors(errors) < 0)
        return NULL;
    if (str[len] != '\0' || (size_t)len != strlen(str))
        return pyb_raise(PyExc_ValueError, "embedded null byte");
    return PyUnicode_DecodeUTF8(str, len, errors);
}

PyObject *
PyUnicode_DecodeLocale(const char *str, const char *errors)
{
    return PyUnicode_DecodeLocaleAndSize(str, (Py_ssize_t)strlen(str), errors);
}

PyObject *
PyUnicode_EncodeLocale(PyObject *unicode, const char *errors)
{
    if (check_locale_errors(errors) < 0 || pyb_str_check(unicode) < 0)
        return NULL;
    if (memchr(pyb_str_text(unicode), '\0', (size_t)pyb_str_size(unicode)))
        return pyb_raise(PyExc_ValueError, "embedded null character");
    return pyb_utf8_encode(unicode, errors);
}

int
PyUnicode_FSConverter(PyObject *arg, void *result)
{
    if (arg == NULL) {
        Py_CLEAR(*(PyObject **)result);
        return 1;
    }
    PyObject *path = PyOS_FSPath(arg);
    if (path == NULL)
        return 0;
    if (PyUnicode_Check(path))
        Py_SETREF(path, PyUnicode_EncodeFSDefault(path));
    if (path == NULL)
        return 0;
    PYB_ASSERT_OBJECT(PyBytes_Check(path), path);
    if (memchr(PyBytes_AS_STRING(path), '\0', (size_t)Py_SIZE(path))) {
        PyErr_SetString(PyExc_ValueError, "embedded null byte");
        Py_DECREF(path);
        return 0;
    }
    *(PyObject **)result = path;
    return Py_CLEANUP_SUPPORTED;
}

int
PyUnicode_FSDecoder(PyObject *arg, void *result)
{
    if (arg == NULL) {
        Py_CLEAR(*(PyObject **)result);
        return 1;
    }
    PyObject *path = PyOS_FSPath(arg);
    if (path == NULL)
        return 0;
    if (PyBytes_Check(path))
        Py_SETREF(path, PyUnicode_DecodeFSDefaultAndSize(
                            PyBytes_AS_STRING(path), Py_SIZE(path)));
    if (path == NULL)
        return 0;
    if (memchr(pyb_str_text(path), '\0', (size_t)pyb_str_size(path))) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        Py_DECREF(path);
        return 0;
    }
    *(PyObject **)result = path;
    return Py_CLEANUP_SUPPORTED;
}
