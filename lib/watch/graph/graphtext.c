/* graphtext.c: texts in pictures: values, and their quoting.  See graph.h. */

#include "Python.h"
#include "pyboehm.h"

#include "gc/base/fatal.h"
#include "types/str/str.h"
#include "watch/graph/graph.h"

enum {
    TEXT_MAX = 24,       /* characters of a str or bytes */
    REPLACEMENT = 0xfffd /* replaces a character that is not text */
};

/* Letters of four bytes, quotes and the dots of a text that is cut. */
_Static_assert(1 + 1 + 4 * TEXT_MAX + 1 + 3 + 1 <= PYB_GRAPH_VALUE,
               "a value has room for a text");

/* Is the character allowed in JSON, and in the XML that Graphviz makes of
   DOT? */
static int
is_text(Py_UCS4 c)
{
    return c >= ' ' && c != 0x7f && (c < 0xd800 || c >= 0xe000) &&
           c != 0xfffe && c != 0xffff && c <= 0x10ffff;
}

/* Appends a character as UTF-8. */
static char *
put(char *to, Py_UCS4 c)
{
    PYB_ASSERT(c <= 0x10ffff); /* four bytes are enough */
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c >= 0x10000) {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3f));
    } else if (c >= 0x800) {
        *to++ = (char)(0xe0 | c >> 12);
    } else {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3f));
        return to;
    }
    *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

static char *
end_text(char *to, int cut)
{
    *to++ = '\'';
    if (cut)
        to = put(to, 0x2026); /* ... */
    *to = '\0';
    return to;
}

static void
value_of_str(PyObject *op, char *to)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(op);

    *to++ = '\'';
    for (Py_ssize_t i = 0; i < Py_MIN(n, TEXT_MAX); i++) {
        Py_UCS4 c = pyb_str_read(op, i);

        to = put(to, is_text(c) ? c : REPLACEMENT);
    }
    end_text(to, n > TEXT_MAX);
}

static void
value_of_bytes(PyObject *op, char *to)
{
    Py_ssize_t n = PyBytes_GET_SIZE(op);

    to = stpcpy(to, "b'");
    for (Py_ssize_t i = 0; i < Py_MIN(n, TEXT_MAX); i++) {
        unsigned char c = (unsigned char)PyBytes_AS_STRING(op)[i];

        *to++ = c < ' ' || c > '~' ? '.' : (char)c;
    }
    end_text(to, n > TEXT_MAX);
}

char *
pyb_graph_value(PyObject *op, char to[PYB_GRAPH_VALUE])
{
    int overflow = 0;

    if (PyUnicode_Check(op))
        value_of_str(op, to);
    else if (PyBytes_Check(op))
        value_of_bytes(op, to);
    else if (op == Py_None || op == Py_True || op == Py_False)
        strcpy(to, op == Py_None ? "None" : op == Py_True ? "True" : "False");
    else if (PyFloat_Check(op))
        snprintf(to, PYB_GRAPH_VALUE, "%.12g", PyFloat_AS_DOUBLE(op));
    else if (PyLong_Check(op) &&
             (PyLong_AsLongAndOverflow(op, &overflow), overflow == 0))
        snprintf(to, PYB_GRAPH_VALUE, "%ld",
                 PyLong_AsLongAndOverflow(op, &overflow));
    else if (PyType_Check(op))
        snprintf(to, PYB_GRAPH_VALUE, "<type %.100s>",
                 ((PyTypeObject *)op)->tp_name);
    else
        snprintf(to, PYB_GRAPH_VALUE, "<%.100s>", Py_TYPE(op)->tp_name);
    return to;
}

/* Reads a character into *c; returns the number of its bytes, or 0 if it is
   not UTF-8. */
static int
read_character(const unsigned char *text, Py_UCS4 *c)
{
    static const Py_UCS4 least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = *text < 0x80             ? 1
            : (*text & 0xe0) == 0xc0 ? 2
            : (*text & 0xf0) == 0xe0 ? 3
            : (*text & 0xf8) == 0xf0 ? 4
                                     : 0;

    *c = n == 1 ? *text : *text & (0x7fU >> n);
    for (int i = 1; i < n; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *c = *c << 6 | (text[i] & 0x3f);
    }
    return *c >= least[n] ? n : 0;
}

static void
write_character(FILE *file, int format, Py_UCS4 c)
{
    char utf8[5];

    if (format == PYB_GRAPH_SCRIPT && (c == '<' || c == '>' || c == '&')) {
        fprintf(file, "\\u%04x", (unsigned)c);
        return;
    }
    if (c == '"' || c == '\\')
        putc('\\', file);
    *put(utf8, c) = '\0';
    /* Graphviz replaces entities, as in HTML. */
    fputs(c == '&' && format == PyBoehm_GRAPH_DOT ? "&amp;" : utf8, file);
}

void
pyb_graph_escape(FILE *file, int format, const char *text)
{
    const unsigned char *next = (const unsigned char *)text;

    while (*next != '\0') {
        Py_UCS4 c;
        int n = read_character(next, &c);

        write_character(file, format, n > 0 && is_text(c) ? c : REPLACEMENT);
        next += Py_MAX(n, 1);
    }
}
