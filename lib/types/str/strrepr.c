/* strrepr.c: repr of str, bytes and bytearray: quotes and escapes. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/str/str.h"
#include "types/str/strrepr.h"
#include "types/str/text.h"
#include "types/str/utf8.h"

/* Single quotes, unless the text has single quotes and no double ones. */
static char
choose_quote(const char *text, Py_ssize_t size)
{
    return memchr(text, '\'', (size_t)size) != NULL &&
                   memchr(text, '"', (size_t)size) == NULL
               ? '"'
               : '\'';
}

/* Appends the character as a backslash escape. */
static int
write_escaped(struct pyb_text *out, Py_UCS4 ch)
{
    switch (ch) {
    case '\t':
        return pyb_text_bytes(out, "\\t", 2);
    case '\n':
        return pyb_text_bytes(out, "\\n", 2);
    case '\r':
        return pyb_text_bytes(out, "\\r", 2);
    }
    return pyb_text_printf(out,
                           ch < 0x100     ? "\\x%02x"
                           : ch < 0x10000 ? "\\u%04x"
                                          : "\\U%08x",
                           ch);
}

/* Appends the character as in a repr with such quotes. */
static int
write_quoted(struct pyb_text *out, Py_UCS4 ch, char quote, int printable)
{
    PYB_ASSERT(quote == '\'' || quote == '"');
    if (ch == (Py_UCS4)quote || ch == '\\') {
        const char escaped[] = {'\\', (char)ch};
        return pyb_text_bytes(out, escaped, 2);
    }
    return printable ? pyb_text_char(out, ch) : write_escaped(out, ch);
}

PyObject *
pyb_str_repr(PyObject *op)
{
    struct pyb_text out = {0};
    const char *p = pyb_str_text(op), *end = pyb_str_end(op);
    char quote = choose_quote(p, pyb_str_size(op));
    int status = pyb_text_repeat(&out, quote, 1);

    while (status == 0 && p < end) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        status = write_quoted(&out, ch, quote, Py_UNICODE_ISPRINTABLE(ch));
    }
    return pyb_text_end(&out,
                        status < 0 || pyb_text_repeat(&out, quote, 1) < 0);
}

int
pyb_strrepr_bytes(struct pyb_text *out, const char *bytes, Py_ssize_t size,
                  enum pyb_quotes quotes)
{
    char quote =
        quotes == PYB_QUOTES_SINGLE ? '\'' : choose_quote(bytes, size);

    PYB_ASSERT(size >= 0);
    if (pyb_text_char(out, 'b') < 0 || pyb_text_repeat(out, quote, 1) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < size; i++) {
        unsigned char ch = (unsigned char)bytes[i];
        char escaped =
            ch == '\'' && quotes == PYB_QUOTES_BYTEARRAY ? '\'' : quote;
        if (write_quoted(out, ch, escaped, ch >= 0x20 && ch < 0x7f) < 0)
            return -1;
    }
    return pyb_text_repeat(out, quote, 1);
}
