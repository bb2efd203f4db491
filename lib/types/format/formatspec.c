/* formatspec.c: reading format specifiers; padding.

   Specifiers are short, and their characters are read one by one through the
   API.  Python: "Format Specification Mini-Language". */

#include "Python.h"

#include "object/error/errors.h"
#include "types/format/formatspec.h"

/* struct reader: a specifier and the index of what comes next. */
struct reader {
    PyObject *spec;
    Py_ssize_t p, end;
};

/* The character so many places on; 0 behind the end: no flag is 0. */
static Py_UCS4
peek(const struct reader *in, Py_ssize_t ahead)
{
    return in->p + ahead < in->end
               ? PyUnicode_ReadChar(in->spec, in->p + ahead)
               : 0;
}

/* Is the next character ch?  Then it is read. */
static int
accept(struct reader *in, Py_UCS4 ch)
{
    if (peek(in, 0) != ch)
        return 0;
    in->p++;
    return 1;
}

static int
is_align(Py_UCS4 ch)
{
    return ch == '<' || ch == '>' || ch == '=' || ch == '^';
}

int
pyb_formatspec_is_empty(PyObject *spec)
{
    if (PyUnicode_Check(spec))
        return PyUnicode_GET_LENGTH(spec) == 0;
    return pyb_failf(PyExc_TypeError,
                     "__format__() argument must be str, not %.50s",
                     spec == Py_None ? "None" : Py_TYPE(spec)->tp_name);
}

/* ------------------------------------------------------------------ */
/* The parts                                                           */

int
pyb_formatspec_digit(Py_UCS4 ch, Py_ssize_t *number)
{
    int digit = Py_UNICODE_TODECIMAL(ch);

    if (digit < 0)
        return 0;
    if (*number > (PY_SSIZE_T_MAX - digit) / 10)
        return pyb_fail(PyExc_ValueError,
                        "Too many decimal digits in format string");
    *number = *number * 10 + digit;
    return 1;
}

/* Reads a number; *number stays if there is none.  0, or -1 with
   ValueError. */
static int
read_number(struct reader *in, Py_ssize_t *number)
{
    Py_ssize_t read = 0, start = in->p;
    int result = 1;

    while (in->p < in->end &&
           (result = pyb_formatspec_digit(peek(in, 0), &read)) > 0)
        in->p++;
    if (in->p > start)
        *number = read;
    return result < 0 ? -1 : 0;
}

/* [[fill]align][sign][z][#][0]; a 0 here is a fill that goes between the sign
   and the digits, unless there is another fill. */
static void
read_flags(struct reader *in, struct pyb_formatspec *self)
{
    const Py_UCS4 normal = self->align;
    int filled = 0, aligned = 0;

    if (in->end - in->p >= 2 && is_align(peek(in, 1))) {
        self->fill = peek(in, 0);
        self->align = peek(in, 1);
        in->p += 2;
        filled = aligned = 1;
    } else if (is_align(peek(in, 0))) {
        self->align = peek(in, 0);
        in->p++;
        aligned = 1;
    }
    if (accept(in, '+'))
        self->sign = '+';
    else if (accept(in, '-'))
        self->sign = '-';
    else if (accept(in, ' '))
        self->sign = ' ';
    self->no_negative_zero = accept(in, 'z');
    self->alternate = accept(in, '#');
    if (!filled && accept(in, '0')) {
        self->fill = '0';
        if (!aligned && normal == '>')
            self->align = '=';
    }
}

/* [,|_] */
static int
read_separator(struct reader *in, struct pyb_formatspec *self)
{
    if (accept(in, ','))
        self->separator = ',';
    else if (accept(in, '_'))
        self->separator = '_';
    if ((self->separator == ',' && peek(in, 0) == '_') ||
        (self->separator == '_' && peek(in, 0) == ','))
        return pyb_fail(PyExc_ValueError, "Cannot specify both ',' and '_'.");
    return 0;
}

/* Numbers in base 10 have separators between three digits; those in the others
   have underscores between four. */
static int
check_separator(struct pyb_formatspec *self)
{
    const Py_UCS4 type = self->type;

    self->group = 3;
    if (self->separator == 0 || type == 0 ||
        (type < 128 && strchr("deEfFgG%", (int)type) != NULL))
        return 0;
    if (self->separator == '_' && type < 128 &&
        strchr("boxX", (int)type) != NULL) {
        self->group = 4;
        return 0;
    }
    if (type > 32 && type < 128)
        return pyb_failf(PyExc_ValueError, "Cannot specify '%c' with '%c'.",
                         (int)self->separator, (int)type);
    return pyb_failf(PyExc_ValueError, "Cannot specify '%c' with '\\x%x'.",
                     (int)self->separator, (unsigned)type);
}

int
pyb_formatspec_parse(struct pyb_formatspec *self, PyObject *spec, PyObject *op,
                     char type, char align)
{
    struct reader in = {spec, 0, PyUnicode_GET_LENGTH(spec)};

    *self = (struct pyb_formatspec){.fill = ' ',
                                    .align = (Py_UCS4)align,
                                    .width = -1,
                                    .precision = -1,
                                    .type = (Py_UCS4)type};
    read_flags(&in, self);
    if (read_number(&in, &self->width) < 0 || read_separator(&in, self) < 0)
        return -1;
    if (accept(&in, '.')) {
        if (read_number(&in, &self->precision) < 0)
            return -1;
        if (self->precision < 0)
            return pyb_fail(PyExc_ValueError,
                            "Format specifier missing precision");
    }
    if (in.end - in.p > 1)
        return pyb_failf(PyExc_ValueError,
                         "Invalid format specifier '%U' for object of type "
                         "'%.200s'",
                         spec, Py_TYPE(op)->tp_name);
    if (in.end - in.p == 1)
        self->type = peek(&in, 0);
    return check_separator(self);
}

PyObject *
pyb_formatspec_unknown(const struct pyb_formatspec *self, PyObject *op)
{
    const char *name = Py_TYPE(op)->tp_name;

    if (self->type > 32 && self->type < 128)
        return PyErr_Format(PyExc_ValueError,
                            "Unknown format code '%c' for object of type "
                            "'%.200s'",
                            (int)self->type, name);
    return PyErr_Format(PyExc_ValueError,
                        "Unknown format code '\\x%x' for object of type "
                        "'%.200s'",
                        (unsigned)self->type, name);
}

/* ------------------------------------------------------------------ */
/* Padding                                                             */

struct pyb_padding
pyb_formatspec_padding(const struct pyb_formatspec *self, Py_ssize_t length)
{
    Py_ssize_t missing = Py_MAX(self->width - length, 0);
    Py_ssize_t left = self->align == '<'   ? 0
                      : self->align == '^' ? missing / 2
                                           : missing;

    return (struct pyb_padding){left, missing - left};
}

int
pyb_formatspec_fill(PyUnicodeWriter *writer, Py_UCS4 ch, Py_ssize_t count)
{
    for (; count > 0; count--)
        if (PyUnicodeWriter_WriteChar(writer, ch) < 0)
            return -1;
    return 0;
}

PyObject *
pyb_formatspec_pad(const struct pyb_formatspec *self, PyObject *str,
                   Py_ssize_t length)
{
    struct pyb_padding padding = pyb_formatspec_padding(self, length);
    PyUnicodeWriter *writer =
        PyUnicodeWriter_Create(Py_MAX(self->width, length));

    if (writer == NULL)
        return NULL;
    if (pyb_formatspec_fill(writer, self->fill, padding.left) == 0 &&
        PyUnicodeWriter_WriteSubstring(writer, str, 0, length) == 0 &&
        pyb_formatspec_fill(writer, self->fill, padding.right) == 0)
        return PyUnicodeWriter_Finish(writer);
    PyUnicodeWriter_Discard(writer);
    return NULL;
}
