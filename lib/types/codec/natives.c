/* natives.c: the encodings that the library has by itself, by their names. */

#include "Python.h"

#include "types/codec/natives.h"

/* ------------------------------------------------------------------ */
/* With the signature of those that have a byte order                  */

#define STATELESS(NAME, ENCODE, DECODE)                                       \
    static PyObject *encode_##NAME(PyObject *str, const char *errors,         \
                                   int byteorder)                             \
    {                                                                         \
        (void)errors, (void)byteorder;                                        \
        return ENCODE;                                                        \
    }                                                                         \
    static PyObject *decode_##NAME(const char *bytes, Py_ssize_t size,        \
                                   const char *errors, int *byteorder,        \
                                   Py_ssize_t *consumed)                      \
    {                                                                         \
        (void)byteorder;                                                      \
        if (consumed != NULL)                                                 \
            *consumed = size;                                                 \
        return DECODE;                                                        \
    }
STATELESS(utf8, pyb_utf8_encode(str, errors),
          PyUnicode_DecodeUTF8Stateful(bytes, size, errors, consumed))
STATELESS(ascii, pyb_ascii_encode(str, errors),
          PyUnicode_DecodeASCII(bytes, size, errors))
STATELESS(latin1, pyb_latin1_encode(str, errors),
          PyUnicode_DecodeLatin1(bytes, size, errors))
STATELESS(utf7, pyb_utf7_encode(str),
          PyUnicode_DecodeUTF7Stateful(bytes, size, errors, consumed))
STATELESS(escape, PyUnicode_AsUnicodeEscapeString(str),
          pyb_escape_decode(bytes, size, errors, consumed))
STATELESS(rawescape, PyUnicode_AsRawUnicodeEscapeString(str),
          pyb_rawescape_decode(bytes, size, errors, consumed))

/* With a mark that says nothing of an order: byteorder is not 0 behind it. */
static const char utf8_mark[] = "\xef\xbb\xbf";
enum { MARK_BYTES = sizeof utf8_mark - 1 };

static PyObject *
encode_utf8sig(PyObject *str, const char *errors, int byteorder)
{
    PyObject *bytes = pyb_utf8_encode(str, errors);

    if (bytes == NULL || byteorder != 0)
        return bytes;
    PyObject *marked = PyBytes_FromStringAndSize(utf8_mark, MARK_BYTES);
    PyBytes_ConcatAndDel(&marked, bytes);
    return marked;
}

static PyObject *
decode_utf8sig(const char *bytes, Py_ssize_t size, const char *errors,
               int *byteorder, Py_ssize_t *consumed)
{
    Py_ssize_t mark = 0;

    if (*byteorder == 0 && consumed != NULL && size < MARK_BYTES &&
        memcmp(bytes, utf8_mark, (size_t)size) == 0) {
        *consumed = 0;
        return PyUnicode_FromString("");
    }
    if (*byteorder == 0 && size >= MARK_BYTES &&
        memcmp(bytes, utf8_mark, MARK_BYTES) == 0)
        mark = MARK_BYTES;
    PyObject *str = PyUnicode_DecodeUTF8Stateful(bytes + mark, size - mark,
                                                 errors, consumed);
    if (consumed != NULL)
        *consumed += mark;
    *byteorder = PY_BIG_ENDIAN ? 1 : -1;
    return str;
}

/* ------------------------------------------------------------------ */
/* Names                                                               */

/* The order is that of enum native. */
enum native {
    UTF8,
    UTF8SIG,
    ASCII,
    LATIN1,
    UTF7,
    UTF16,
    UTF16LE,
    UTF16BE,
    UTF32,
    UTF32LE,
    UTF32BE,
    ESCAPE,
    RAWESCAPE
};
static const struct pyb_native natives[] = {
    [UTF8] = {.name = "utf-8",
              .unit = 3,
              .encode = encode_utf8,
              .decode = decode_utf8},
    [UTF8SIG] = {.name = "utf-8-sig",
                 .unit = 3,
                 .marked = 1,
                 .encode = encode_utf8sig,
                 .decode = decode_utf8sig},
    [ASCII] = {.name = "ascii",
               .encode = encode_ascii,
               .decode = decode_ascii},
    [LATIN1] = {.name = "iso8859-1",
                .encode = encode_latin1,
                .decode = decode_latin1},
    [UTF7] = {.name = "utf-7", .encode = encode_utf7, .decode = decode_utf7},
    [UTF16] = {.name = "utf-16",
               .unit = 2,
               .marked = 1,
               .encode = pyb_utf16_encode,
               .decode = PyUnicode_DecodeUTF16Stateful},
    [UTF16LE] = {.name = "utf-16-le",
                 .byteorder = -1,
                 .unit = 2,
                 .encode = pyb_utf16_encode,
                 .decode = PyUnicode_DecodeUTF16Stateful},
    [UTF16BE] = {.name = "utf-16-be",
                 .byteorder = 1,
                 .unit = 2,
                 .encode = pyb_utf16_encode,
                 .decode = PyUnicode_DecodeUTF16Stateful},
    [UTF32] = {.name = "utf-32",
               .unit = 4,
               .marked = 1,
               .encode = pyb_utf32_encode,
               .decode = PyUnicode_DecodeUTF32Stateful},
    [UTF32LE] = {.name = "utf-32-le",
                 .byteorder = -1,
                 .unit = 4,
                 .encode = pyb_utf32_encode,
                 .decode = PyUnicode_DecodeUTF32Stateful},
    [UTF32BE] = {.name = "utf-32-be",
                 .byteorder = 1,
                 .unit = 4,
                 .encode = pyb_utf32_encode,
                 .decode = PyUnicode_DecodeUTF32Stateful},
    [ESCAPE] = {.name = "unicode-escape",
                .encode = encode_escape,
                .decode = decode_escape},
    [RAWESCAPE] = {.name = "raw-unicode-escape",
                   .encode = encode_rawescape,
                   .decode = decode_rawescape},
};

/* Normalized, with '_' for dots, too. */
static const struct {
    const char *name;
    enum native native;
} names[] = {
    {"utf_8", UTF8},
    {"utf8", UTF8},
    {"u8", UTF8},
    {"utf", UTF8},
    {"utf8_ucs2", UTF8},
    {"utf8_ucs4", UTF8},
    {"cp65001", UTF8},
    {"utf_8_sig", UTF8SIG},
    {"ascii", ASCII},
    {"us_ascii", ASCII},
    {"646", ASCII},
    {"ansi_x3_4_1968", ASCII},
    {"ansi_x3_4_1986", ASCII},
    {"cp367", ASCII},
    {"csascii", ASCII},
    {"ibm367", ASCII},
    {"iso646_us", ASCII},
    {"iso_646_irv_1991", ASCII},
    {"iso_ir_6", ASCII},
    {"us", ASCII},
    {"latin_1", LATIN1},
    {"latin1", LATIN1},
    {"iso_8859_1", LATIN1},
    {"iso8859_1", LATIN1},
    {"iso_8859_1_1987", LATIN1},
    {"iso_ir_100", LATIN1},
    {"iso8859", LATIN1},
    {"8859", LATIN1},
    {"cp819", LATIN1},
    {"csisolatin1", LATIN1},
    {"ibm819", LATIN1},
    {"latin", LATIN1},
    {"l1", LATIN1},
    {"utf_7", UTF7},
    {"utf7", UTF7},
    {"u7", UTF7},
    {"unicode_1_1_utf_7", UTF7},
    {"utf_16", UTF16},
    {"utf16", UTF16},
    {"u16", UTF16},
    {"utf_16_le", UTF16LE},
    {"utf_16le", UTF16LE},
    {"unicodelittleunmarked", UTF16LE},
    {"utf_16_be", UTF16BE},
    {"utf_16be", UTF16BE},
    {"unicodebigunmarked", UTF16BE},
    {"utf_32", UTF32},
    {"utf32", UTF32},
    {"u32", UTF32},
    {"utf_32_le", UTF32LE},
    {"utf_32le", UTF32LE},
    {"utf_32_be", UTF32BE},
    {"utf_32be", UTF32BE},
    {"unicode_escape", ESCAPE},
    {"raw_unicode_escape", RAWESCAPE},
};

int
pyb_codec_normalize(const char *name, char *out, size_t room)
{
    size_t n = 0;

    for (int gap = 0; *name != '\0'; name++) {
        if (!Py_ISALNUM(*name) && *name != '.') {
            gap = n > 0;
            continue;
        }
        if (n + (size_t)gap + 1 >= room)
            return 0;
        if (gap)
            out[n++] = '_';
        out[n++] = (char)Py_TOLOWER(*name);
        gap = 0;
    }
    out[n] = '\0';
    return 1;
}

int
pyb_native_name(const char *encoding, char *out)
{
    if (!pyb_codec_normalize(encoding, out, PYB_NATIVE_NAME_BYTES))
        return 0;
    for (char *p = out; *p != '\0'; p++)
        if (*p == '.')
            *p = '_';
    return 1;
}

const struct pyb_native *
pyb_native_find(const char *encoding)
{
    char name[PYB_NATIVE_NAME_BYTES];

    if (!pyb_native_name(encoding, name))
        return NULL;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        if (strcmp(name, names[i].name) == 0)
            return &natives[names[i].native];
    return pyb_charset_known(name);
}

/* ------------------------------------------------------------------ */
/* Coding                                                              */

PyObject *
pyb_native_encode(const struct pyb_native *native, PyObject *str,
                  const char *errors, int byteorder)
{
    return native->charset != NULL
               ? pyb_charset_encode(native->charset, str, errors)
               : native->encode(str, errors, byteorder);
}

PyObject *
pyb_native_decode(const struct pyb_native *native, const char *bytes,
                  Py_ssize_t size, const char *errors, int *byteorder,
                  Py_ssize_t *consumed)
{
    return native->charset != NULL
               ? pyb_charset_decode(native->charset, bytes, size, errors,
                                    consumed)
               : native->decode(bytes, size, errors, byteorder, consumed);
}
