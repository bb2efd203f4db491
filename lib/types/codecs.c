/* codecs.c: str from and to bytes in UTF-8, ASCII and Latin-1.

   There is no registry: these encodings are all there are. */

#include "Python.h"

#include "object/attr.h"
#include "types/codecs.h"
#include "types/str.h"
#include "types/utf8.h"

static const struct pyb_codec utf8 = {"utf-8", 0, "surrogates not allowed"};
static const struct pyb_codec ascii = {"ascii", 0x80,
                                       "ordinal not in range(128)"};
static const struct pyb_codec latin1 = {"latin-1", 0x100,
                                        "ordinal not in range(256)"};

/* Copies the name in lower case, each run of other characters than letters,
   digits and dots as one '-'.  Returns 0 if it is too long. */
static int
normalize(const char *name, char *out, size_t room)
{
    size_t n = 0;

    for (; *name != '\0'; name++) {
        int letter = Py_ISALNUM(*name) || *name == '.';
        if (!letter && n > 0 && out[n - 1] == '-')
            continue;
        if (n + 1 == room)
            return 0;
        out[n++] = letter ? (char)Py_TOLOWER(*name) : '-';
    }
    out[n] = '\0';
    return 1;
}

/* The encoding by any of its names, NULL is UTF-8; NULL with LookupError. */
static const struct pyb_codec *
find(const char *encoding)
{
    static const struct {
        const char *name;
        const struct pyb_codec *codec;
    } names[] = {
        {"utf-8", &utf8},     {"utf8", &utf8},         {"u8", &utf8},
        {"utf", &utf8},       {"cp65001", &utf8},      {"ascii", &ascii},
        {"us-ascii", &ascii}, {"646", &ascii},         {"latin-1", &latin1},
        {"latin1", &latin1},  {"iso-8859-1", &latin1}, {"iso8859-1", &latin1},
        {"8859", &latin1},    {"cp819", &latin1},      {"latin", &latin1},
        {"l1", &latin1},
    };
    char name[32];

    if (encoding == NULL)
        return &utf8;
    if (normalize(encoding, name, sizeof(name)))
        for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
            if (strcmp(name, names[i].name) == 0)
                return names[i].codec;
    PyErr_Format(PyExc_LookupError, "unknown encoding: %s", encoding);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

/* surrogatepass: is there a surrogate, encoded like other characters? */
static int
passes_surrogate(const char *p, Py_ssize_t size, const char *errors)
{
    return errors != NULL && strcmp(errors, "surrogatepass") == 0 &&
           size >= 3 && (unsigned char)p[0] == 0xed &&
           (unsigned char)p[1] >= 0xa0 && pyb_utf8_is_tail(p[1]) &&
           pyb_utf8_is_tail(p[2]);
}

/* Is this all there is of a surrogate, but for its last byte?  An error
   handler may have use for that. */
static int
begins_surrogate(const char *p, Py_ssize_t size)
{
    return size == 2 && (unsigned char)p[0] == 0xed &&
           (unsigned char)p[1] >= 0xa0 && pyb_utf8_is_tail(p[1]);
}

/* Decodes what is not all valid, from the first fault on.  A character that
   is incomplete at the end is left if partial.  Returns how much was decoded,
   or -1 with an exception. */
static Py_ssize_t
decode_utf8(struct pyb_text *out, struct pyb_decode_fault *fault,
            const char *errors, int partial)
{
    Py_ssize_t done = 0;

    for (;;) {
        const char *p = fault->bytes + done;
        Py_ssize_t left = fault->size - done;
        Py_ssize_t valid =
            pyb_utf8_valid(p, left, &fault->length, &fault->reason);
        if (pyb_text_bytes(out, p, valid) < 0)
            return -1;
        done += valid;
        if (valid == left)
            return done;
        if (partial && (fault->reason == pyb_utf8_incomplete ||
                        begins_surrogate(p + valid, left - valid)))
            return done;
        fault->start = done;
        if (passes_surrogate(p + valid, left - valid, errors)) {
            fault->length = 3;
            if (pyb_text_bytes(out, p + valid, 3) < 0)
                return -1;
        } else if (pyb_codecs_decode_error(out, errors, fault) < 0) {
            return -1;
        }
        done += fault->length;
    }
}

PyObject *
PyUnicode_DecodeUTF8Stateful(const char *s, Py_ssize_t size,
                             const char *errors, Py_ssize_t *consumed)
{
    struct pyb_text out = {0};
    struct pyb_decode_fault fault = {&utf8, s, size, 0, 0, NULL};

    if (consumed != NULL)
        *consumed = size;
    if (pyb_utf8_valid(s, size, &fault.length, &fault.reason) == size)
        return pyb_str_new(s, size);
    Py_ssize_t done = decode_utf8(&out, &fault, errors, consumed != NULL);
    if (done < 0) {
        pyb_text_drop(&out);
        return NULL;
    }
    if (consumed != NULL)
        *consumed = done;
    return pyb_text_finish(&out);
}

PyObject *
PyUnicode_DecodeUTF8(const char *s, Py_ssize_t size, const char *errors)
{
    return PyUnicode_DecodeUTF8Stateful(s, size, errors, NULL);
}

PyObject *
PyUnicode_DecodeASCII(const char *s, Py_ssize_t size, const char *errors)
{
    struct pyb_text out = {0};
    struct pyb_decode_fault fault = {&ascii, s, size, 0, 1, ascii.reason};
    Py_ssize_t valid = pyb_utf8_ascii(s, size);

    if (valid == size)
        return pyb_str_new(s, size);
    for (Py_ssize_t i = 0;;) {
        if (pyb_text_bytes(&out, s + i, valid) < 0)
            goto error;
        i += valid;
        if (i == size)
            return pyb_text_finish(&out);
        fault.start = i++;
        if (pyb_codecs_decode_error(&out, errors, &fault) < 0)
            goto error;
        valid = pyb_utf8_ascii(s + i, size - i);
    }

error:
    pyb_text_drop(&out);
    return NULL;
}

PyObject *
PyUnicode_DecodeLatin1(const char *s, Py_ssize_t size,
                       const char *Py_UNUSED(errors))
{
    return PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, s, size);
}

PyObject *
PyUnicode_Decode(const char *s, Py_ssize_t size, const char *encoding,
                 const char *errors)
{
    const struct pyb_codec *codec = find(encoding);

    if (codec == NULL)
        return NULL;
    if (codec == &utf8)
        return PyUnicode_DecodeUTF8(s, size, errors);
    if (codec == &ascii)
        return PyUnicode_DecodeASCII(s, size, errors);
    return PyUnicode_DecodeLatin1(s, size, errors);
}

PyObject *
PyUnicode_FromEncodedObject(PyObject *obj, const char *encoding,
                            const char *errors)
{
    Py_buffer view;

    if (obj == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyUnicode_Check(obj)) {
        PyErr_SetString(PyExc_TypeError, "decoding str is not supported");
        return NULL;
    }
    if (!PyObject_CheckBuffer(obj))
        return PyErr_Format(PyExc_TypeError,
                            "decoding to str: need a bytes-like object, "
                            "%.80s found",
                            Py_TYPE(obj)->tp_name);
    if (PyObject_GetBuffer(obj, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    PyObject *op =
        view.len == 0 ? pyb_str_new("", 0)
                      : PyUnicode_Decode(view.buf, view.len, encoding, errors);
    PyBuffer_Release(&view);
    return op;
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

static int
has_char(const struct pyb_codec *codec, Py_UCS4 ch)
{
    return codec->limit == 0 ? !Py_UNICODE_IS_SURROGATE(ch)
                             : ch < codec->limit;
}

static int
put_char(struct pyb_text *out, const struct pyb_codec *codec, Py_UCS4 ch)
{
    char byte = (char)ch;

    return codec->limit == 0 ? pyb_text_char(out, ch)
                             : pyb_text_bytes(out, &byte, 1);
}

/* Appends the encoded str, character by character. */
static int
encode_chars(struct pyb_text *out, PyObject *str,
             const struct pyb_codec *codec, const char *errors)
{
    const char *p = pyb_str_text(str), *end = pyb_str_end(str);

    for (Py_ssize_t i = 0; p < end;) {
        const char *run = p;
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (has_char(codec, ch)) {
            if (put_char(out, codec, ch) < 0)
                return -1;
            i++;
            continue;
        }
        struct pyb_encode_fault fault = {codec, str, i, i};
        for (p = run; p < end; fault.end++) {
            const char *after = p;
            if (has_char(codec, pyb_utf8_next(&after)))
                break;
            p = after;
        }
        if (pyb_codecs_encode_error(out, errors, &fault) < 0)
            return -1;
        i = fault.end;
    }
    return 0;
}

static PyObject *
encode(PyObject *str, const struct pyb_codec *codec, const char *errors)
{
    struct pyb_text out = {0};

    if (pyb_str_check(str) < 0)
        return NULL;
    if (PyUnicode_IS_ASCII(str) ||
        (codec == &utf8 && !(pyb_str_flags(str) & PYB_STR_SURROGATES)))
        return PyBytes_FromStringAndSize(pyb_str_text(str), pyb_str_size(str));
    if (encode_chars(&out, str, codec, errors) < 0) {
        pyb_text_drop(&out);
        return NULL;
    }
    return pyb_text_finish_bytes(&out);
}

PyObject *
PyUnicode_AsUTF8String(PyObject *unicode)
{
    return encode(unicode, &utf8, NULL);
}

PyObject *
PyUnicode_AsASCIIString(PyObject *unicode)
{
    return encode(unicode, &ascii, NULL);
}

PyObject *
PyUnicode_AsLatin1String(PyObject *unicode)
{
    return encode(unicode, &latin1, NULL);
}

PyObject *
PyUnicode_AsEncodedString(PyObject *unicode, const char *encoding,
                          const char *errors)
{
    const struct pyb_codec *codec;

    if (pyb_str_check(unicode) < 0 || (codec = find(encoding)) == NULL)
        return NULL;
    return encode(unicode, codec, errors);
}

const char *
PyUnicode_GetDefaultEncoding(void)
{
    return utf8.name;
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
    return PyUnicode_AsEncodedString(unicode, NULL, "surrogateescape");
}

/* The locale's functions take few error handlers.  0, or -1 with
   ValueError. */
static int
check_locale_errors(const char *errors)
{
    if (errors == NULL || strcmp(errors, "strict") == 0 ||
        strcmp(errors, "surrogateescape") == 0 ||
        strcmp(errors, "surrogatepass") == 0)
        return 0;
    PyErr_SetString(PyExc_ValueError, "unsupported error handler");
    return -1;
}

PyObject *
PyUnicode_DecodeLocaleAndSize(const char *str, Py_ssize_t len,
                              const char *errors)
{
    if (check_locale_errors(errors) < 0)
        return NULL;
    if (str[len] != '\0' || (size_t)len != strlen(str)) {
        PyErr_SetString(PyExc_ValueError, "embedded null byte");
        return NULL;
    }
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
    if (memchr(pyb_str_text(unicode), '\0', (size_t)pyb_str_size(unicode))) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return NULL;
    }
    return encode(unicode, &utf8, errors);
}

/* str or bytes for a path; a new reference, or NULL with an exception. */
static PyObject *
fs_path(PyObject *path)
{
    if (PyUnicode_Check(path) || PyBytes_Check(path))
        return Py_NewRef(path);
    PyObject *method;
    int found = pyb_attr_special(path, "__fspath__", &method);
    if (found < 0)
        return NULL;
    if (found == 0)
        return PyErr_Format(PyExc_TypeError,
                            "expected str, bytes or os.PathLike object, "
                            "not %.200s",
                            Py_TYPE(path)->tp_name);
    PyObject *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (result == NULL || PyUnicode_Check(result) || PyBytes_Check(result))
        return result;
    PyErr_Format(PyExc_TypeError,
                 "expected %.200s.__fspath__() to return str or bytes, "
                 "not %.200s",
                 Py_TYPE(path)->tp_name, Py_TYPE(result)->tp_name);
    Py_DECREF(result);
    return NULL;
}

int
PyUnicode_FSConverter(PyObject *arg, void *result)
{
    if (arg == NULL) {
        Py_CLEAR(*(PyObject **)result);
        return 1;
    }
    PyObject *path = fs_path(arg);
    if (path == NULL)
        return 0;
    if (PyUnicode_Check(path))
        Py_SETREF(path, PyUnicode_EncodeFSDefault(path));
    if (path == NULL)
        return 0;
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
    PyObject *path = fs_path(arg);
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
