/* escape.c: characters written as in string literals: unicode-escape, and
   raw-unicode-escape, where only \u and \U are escapes. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/codec/decoding.h"
#include "types/codec/handlers.h"
#include "types/codec/natives.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

/* struct scan: a decoding, and the position in it.  Where an escape is wrong,
   reason is set and at is behind what is wrong; incomplete says that the input
   ended too early. */
struct scan {
    struct pyb_decoding in;
    Py_ssize_t at;
    const char *reason;
    int incomplete;
    int invalid; /* the letter of the first escape that is none, or -1 */
    const char *too_large;
};

static int
more(const struct scan *scan)
{
    return scan->at < scan->in.size;
}

static unsigned char
next(struct scan *scan)
{
    return (unsigned char)scan->in.bytes[scan->at++];
}

/* Notes a fault; always 0. */
static int
wrong(struct scan *scan, const char *reason, int incomplete)
{
    scan->reason = reason;
    scan->incomplete = incomplete;
    return 0;
}

static int
put(struct scan *scan, Py_UCS4 ch)
{
    return pyb_decoding_char(&scan->in, ch);
}

/* Takes count hexadecimal digits. */
static int
take_hex(struct scan *scan, int count, const char *truncated)
{
    Py_UCS4 ch = 0;

    for (; count > 0; count--) {
        if (!more(scan))
            return wrong(scan, truncated, 1);
        unsigned char c = (unsigned char)scan->in.bytes[scan->at];
        if (!Py_ISXDIGIT(c))
            return wrong(scan, truncated, 0);
        int value = Py_ISDIGIT(c) ? c - '0' : Py_TOLOWER(c) - 'a' + 10;
        ch = ch << 4 | (Py_UCS4)value;
        scan->at++;
    }
    if (ch >= PYB_UNICODE_END)
        return wrong(scan, scan->too_large, 0);
    return put(scan, ch);
}

static int
take_u(struct scan *scan, unsigned char c)
{
    return c == 'u' ? take_hex(scan, 4, "truncated \\uXXXX escape")
                    : take_hex(scan, 8, "truncated \\UXXXXXXXX escape");
}

/* At most three octal digits, of which the first has been read. */
static int
take_octal(struct scan *scan, unsigned char first)
{
    Py_UCS4 ch = first - (Py_UCS4)'0';

    for (int i = 1; i < 3 && more(scan); i++) {
        unsigned char c = (unsigned char)scan->in.bytes[scan->at];
        if (c < '0' || c > '7')
            break;
        ch = ch << 3 | (Py_UCS4)(c - '0');
        scan->at++;
    }
    return put(scan, ch);
}

/* \N{...}: the form is looked at, the names are not known. */
static int
take_name(struct scan *scan)
{
    static const char malformed[] = "malformed \\N character escape";

    if (!more(scan))
        return wrong(scan, malformed, 1);
    if (scan->in.bytes[scan->at] != '{')
        return wrong(scan, malformed, 0);
    Py_ssize_t start = ++scan->at;
    while (more(scan) && scan->in.bytes[scan->at] != '}')
        scan->at++;
    if (!more(scan))
        return wrong(scan, malformed, 1);
    if (scan->at == start)
        return wrong(scan, malformed, 0);
    return pyb_fail(PyExc_UnicodeError,
                    "\\N escapes not supported (the names of characters are "
                    "not known)");
}

/* Takes an escape, whose backslash has been read.  0, or -1 with an
   exception. */
static int
take_escape(struct scan *scan)
{
    static const char letters[] = "btnfrva\\'\"",
                      chars[] = "\b\t\n\f\r\v\a\\'\"";

    if (!more(scan))
        return wrong(scan, "\\ at end of string", 1);
    unsigned char c = next(scan);
    const char *letter = c == '\0' ? NULL : strchr(letters, c);
    if (letter != NULL)
        return put(scan, (unsigned char)chars[letter - letters]);
    switch (c) {
    case '\n':
        return 0;
    case 'x':
        return take_hex(scan, 2, "truncated \\xXX escape");
    case 'u':
    case 'U':
        return take_u(scan, c);
    case 'N':
        return take_name(scan);
    default:
        if (c >= '0' && c <= '7')
            return take_octal(scan, c);
        if (scan->invalid < 0)
            scan->invalid = c;
        return put(scan, '\\') < 0 ? -1 : put(scan, c);
    }
}

/* The same for raw-unicode-escape, where a backslash begins an escape only
   before u and U, and makes the next character ordinary. */
static int
take_raw_escape(struct scan *scan)
{
    if (!more(scan))
        return put(scan, '\\');
    unsigned char c = next(scan);
    if (c == 'u' || c == 'U')
        return take_u(scan, c);
    return put(scan, '\\') < 0 ? -1 : put(scan, c);
}

/* Decodes all, by a function for escapes.  Returns the end of what was
   decoded, or -1. */
static Py_ssize_t
decode(struct scan *scan, int (*take)(struct scan *), int partial)
{
    while (more(scan)) {
        Py_ssize_t start = scan->at;
        unsigned char c = next(scan);
        if (c != '\\') {
            if (put(scan, c) < 0)
                return -1;
            continue;
        }
        scan->reason = NULL;
        scan->incomplete = 0;
        if (partial && !more(scan))
            return start;
        if (take(scan) < 0)
            return -1;
        if (scan->reason == NULL)
            continue;
        if (partial && scan->incomplete)
            return start;
        scan->at =
            pyb_decoding_fault(&scan->in, start, scan->at, scan->reason);
        if (scan->at < 0)
            return -1;
    }
    return scan->at;
}

/* The str that was scanned, with a warning if there was a wrong escape. */
static PyObject *
end(struct scan *scan, Py_ssize_t done, Py_ssize_t *consumed)
{
    PyObject *str = pyb_decoding_end(&scan->in, done < 0);

    if (str == NULL)
        return NULL;
    if (consumed != NULL)
        *consumed = done;
    if (scan->invalid >= 0 &&
        PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                         "invalid escape sequence '\\%c'", scan->invalid) < 0)
        Py_CLEAR(str);
    return str;
}

PyObject *
pyb_escape_decode(const char *bytes, Py_ssize_t size, const char *errors,
                  Py_ssize_t *consumed)
{
    struct scan scan = {
        .in = {"unicodeescape", errors, bytes, size, .length = 0},
        .invalid = -1,
        .too_large = "illegal Unicode character"};

    return end(&scan, decode(&scan, take_escape, consumed != NULL), consumed);
}

PyObject *
PyUnicode_DecodeUnicodeEscape(const char *string, Py_ssize_t length,
                              const char *errors)
{
    return pyb_escape_decode(string, length, errors, NULL);
}

PyObject *
pyb_rawescape_decode(const char *bytes, Py_ssize_t size, const char *errors,
                     Py_ssize_t *consumed)
{
    struct scan scan = {
        .in = {"rawunicodeescape", errors, bytes, size, .length = 0},
        .invalid = -1,
        .too_large = "\\Uxxxxxxxx out of range"};

    return end(&scan, decode(&scan, take_raw_escape, consumed != NULL),
               consumed);
}

PyObject *
PyUnicode_DecodeRawUnicodeEscape(const char *string, Py_ssize_t length,
                                 const char *errors)
{
    return pyb_rawescape_decode(string, length, errors, NULL);
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

static int
put_escape(struct pyb_text *out, Py_UCS4 ch)
{
    char text[PYB_ESCAPE_LONGEST + 1];

    int size = pyb_handlers_escape(text, ch, PYB_HANDLER_BACKSLASHREPLACE);
    return pyb_text_bytes(out, text, size);
}

static int
encode_char(struct pyb_text *out, Py_UCS4 ch)
{
    char byte = (char)ch;

    switch (ch) {
    case '\\':
        return pyb_text_bytes(out, "\\\\", 2);
    case '\t':
        return pyb_text_bytes(out, "\\t", 2);
    case '\n':
        return pyb_text_bytes(out, "\\n", 2);
    case '\r':
        return pyb_text_bytes(out, "\\r", 2);
    default:
        if (ch < ' ' || ch >= 0x7f)
            return put_escape(out, ch);
        return pyb_text_bytes(out, &byte, 1);
    }
}

static int
encode_raw_char(struct pyb_text *out, Py_UCS4 ch)
{
    char byte = (char)ch;

    return ch >= 0x100 ? put_escape(out, ch) : pyb_text_bytes(out, &byte, 1);
}

static PyObject *
encode(PyObject *str, int (*put_char)(struct pyb_text *, Py_UCS4))
{
    struct pyb_text out = {0};

    if (pyb_str_check(str) < 0)
        return NULL;
    Py_ssize_t length = PyUnicode_GET_LENGTH(str);
    Py_UCS4 *chars = PyUnicode_AsUCS4Copy(str);
    int failed = chars == NULL;
    for (Py_ssize_t i = 0; !failed && i < length; i++)
        failed = put_char(&out, chars[i]) < 0;
    PyMem_Free(chars);
    return pyb_text_end_bytes(&out, failed);
}

PyObject *
PyUnicode_AsUnicodeEscapeString(PyObject *unicode)
{
    return encode(unicode, encode_char);
}

PyObject *
PyUnicode_AsRawUnicodeEscapeString(PyObject *unicode)
{
    return encode(unicode, encode_raw_char);
}
