/* bytesescape.c: PyBytes_DecodeEscape: bytes written as in a literal.

   Manual: none; the stable ABI has it. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/str/text.h"

/* struct scan: what is left of the text, and what became of the rest.  wrong
   is the first escape that is none, from behind its backslash, or NULL. */
struct scan {
    const char *begin, *at, *end, *errors, *wrong;
    struct pyb_text out;
};

static int
put(struct scan *scan, int byte)
{
    return pyb_text_repeat(&scan->out, (char)byte, 1);
}

/* The value of the hexadecimal digit at a place; -1 if none stands there. */
static int
hex_digit(const struct scan *scan, Py_ssize_t i)
{
    if (i >= scan->end - scan->at || !Py_ISXDIGIT(scan->at[i]))
        return -1;
    char c = scan->at[i];
    return Py_ISDIGIT(c) ? c - '0' : Py_TOLOWER(c) - 'a' + 10;
}

/* \x without two digits: at is behind the x. */
static int
bad_hex(struct scan *scan)
{
    int one = hex_digit(scan, 0) >= 0;

    if (scan->errors == NULL || strcmp(scan->errors, "strict") == 0)
        return pyb_failf(PyExc_ValueError,
                         "invalid \\x escape at position %zd",
                         (Py_ssize_t)(scan->at - 2 - scan->begin));
    if (strcmp(scan->errors, "replace") == 0) {
        if (put(scan, '?') < 0)
            return -1;
    } else if (strcmp(scan->errors, "ignore") != 0)
        return pyb_failf(PyExc_ValueError,
                         "decoding error; unknown error handling code: %.400s",
                         scan->errors);
    scan->at += one;
    return 0;
}

static int
take_hex(struct scan *scan)
{
    int high = hex_digit(scan, 0), low = high < 0 ? -1 : hex_digit(scan, 1);

    if (low < 0)
        return bad_hex(scan);
    scan->at += 2;
    return put(scan, high << 4 | low);
}

/* Up to three digits, of which the first is at.  Of a value that a byte cannot
   have the low bits count. */
static int
take_octal(struct scan *scan)
{
    const char *first = scan->at;
    int value = 0;

    for (int i = 0;
         i < 3 && scan->at < scan->end && *scan->at >= '0' && *scan->at <= '7';
         i++)
        value = value << 3 | (*scan->at++ - '0');
    PYB_ASSERT(scan->at > first);
    if (value > 0xff && scan->wrong == NULL)
        scan->wrong = first;
    return put(scan, value & 0xff);
}

/* An escape, from behind its backslash. */
static int
take_escape(struct scan *scan)
{
    static const char letters[] = "btnfrva\\'\"",
                      bytes[] = "\b\t\n\f\r\v\a\\'\"";

    if (scan->at == scan->end)
        return pyb_fail(PyExc_ValueError, "Trailing \\ in string");
    char c = *scan->at;
    if (c >= '0' && c <= '7')
        return take_octal(scan);
    const char *letter = c == '\0' ? NULL : strchr(letters, c);
    if (letter == NULL && c != '\n' && c != 'x') {
        if (scan->wrong == NULL)
            scan->wrong = scan->at;
        return put(scan, '\\');
    }
    scan->at++;
    if (c == 'x')
        return take_hex(scan);
    return letter == NULL ? 0 : put(scan, bytes[letter - letters]);
}

static int
decode(struct scan *scan)
{
    while (scan->at < scan->end) {
        char c = *scan->at++;
        if ((c == '\\' ? take_escape(scan) : put(scan, c)) < 0)
            return -1;
    }
    return 0;
}

/* 0, or -1 if the warning is an error. */
static int
warn(const char *wrong)
{
    if (*wrong >= '0' && *wrong <= '7')
        return PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                                "invalid octal escape sequence '\\%.3s'",
                                wrong);
    return PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                            "invalid escape sequence '\\%c'",
                            (unsigned char)*wrong);
}

PyObject *
PyBytes_DecodeEscape(const char *s, Py_ssize_t len, const char *errors,
                     Py_ssize_t Py_UNUSED(unicode),
                     const char *Py_UNUSED(recode_encoding))
{
    struct scan scan = {.begin = s, .at = s, .errors = errors};

    if (s == NULL || len < 0)
        return PYB_BAD_CALL(NULL);
    scan.end = s + len;
    PyObject *op = pyb_text_end_bytes(&scan.out, decode(&scan) < 0);
    if (op != NULL && scan.wrong != NULL && warn(scan.wrong) < 0)
        Py_CLEAR(op);
    return op;
}
