/* formatnumber.c: __format__ of int, float and complex.

   A number is ASCII text: a sign, a prefix like "0x", digits in groups, and a
   rest, which is a fraction, an exponent, '%', or a name like "inf". */

#include "Python.h"

#include "object/error/errors.h"
#include "types/format/format.h"
#include "types/format/formatspec.h"

struct number {
    int negative;
    const char *prefix; /* "" or like "0x" */
    const char *digits;
    Py_ssize_t count; /* of digits */
    const char *rest; /* behind the digits, up to a NUL */
};

/* ------------------------------------------------------------------ */
/* Writing                                                             */

/* How many digits, with zeros before them, take at least width characters
   together with their separators. */
static Py_ssize_t
digits_for_width(const struct pyb_formatspec *spec, Py_ssize_t width)
{
    if (spec->separator == 0 || width <= 0)
        return width;
    /* A separator and the group behind it, as often as they fit; the first of
       the digits cannot be a separator. */
    Py_ssize_t groups = width / (spec->group + 1);
    return width - groups + (width % (spec->group + 1) == 0);
}

/* Writes the digits with zeros before them, total in all, with separators. */
static int
write_digits(PyUnicodeWriter *writer, const struct pyb_formatspec *spec,
             const struct number *number, Py_ssize_t total)
{
    const Py_ssize_t zeros = total - number->count;

    for (Py_ssize_t i = 0; i < total; i++) {
        char ch = i < zeros ? '0' : number->digits[i - zeros];
        if (spec->separator != 0 && i > 0 && (total - i) % spec->group == 0 &&
            PyUnicodeWriter_WriteChar(writer, spec->separator) < 0)
            return -1;
        if (spec->type == 'X')
            ch = (char)Py_TOUPPER(ch);
        if (PyUnicodeWriter_WriteChar(writer, (Py_UCS4)ch) < 0)
            return -1;
    }
    return 0;
}

static char
shown_sign(const struct pyb_formatspec *spec, const struct number *number)
{
    if (number->negative)
        return '-';
    return spec->sign == '+' || spec->sign == ' ' ? (char)spec->sign : '\0';
}

/* The number as the specifier wants it.  A new reference, or NULL with an
   exception. */
static PyObject *
lay_out(const struct pyb_formatspec *spec, const struct number *number)
{
    const char sign = shown_sign(spec, number);
    const Py_ssize_t fixed =
        (sign != '\0') +
        (Py_ssize_t)(strlen(number->prefix) + strlen(number->rest));
    const int inside = spec->align == '=';
    Py_ssize_t total = number->count;

    if (inside && spec->fill == '0' && total > 0)
        total = Py_MAX(total, digits_for_width(spec, spec->width - fixed));
    Py_ssize_t length = fixed + total;
    if (spec->separator != 0 && total > 0)
        length += (total - 1) / spec->group;
    struct pyb_padding padding = pyb_formatspec_padding(spec, length);

    PyUnicodeWriter *writer =
        PyUnicodeWriter_Create(length + padding.left + padding.right);
    if (writer == NULL)
        return NULL;
    if ((inside ||
         pyb_formatspec_fill(writer, spec->fill, padding.left) == 0) &&
        (sign == '\0' ||
         PyUnicodeWriter_WriteChar(writer, (Py_UCS4)sign) == 0) &&
        PyUnicodeWriter_WriteASCII(writer, number->prefix, -1) == 0 &&
        (!inside ||
         pyb_formatspec_fill(writer, spec->fill, padding.left) == 0) &&
        write_digits(writer, spec, number, total) == 0 &&
        PyUnicodeWriter_WriteASCII(writer, number->rest, -1) == 0 &&
        pyb_formatspec_fill(writer, spec->fill, padding.right) == 0)
        return PyUnicodeWriter_Finish(writer);
    PyUnicodeWriter_Discard(writer);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* Floats                                                              */

static const char float_types[] = "eEfFgGn";

/* Does the specifier have one of the types, or, with allow_none, none? */
static int
has_type(const struct pyb_formatspec *spec, const char *types, int allow_none)
{
    if (spec->type == 0)
        return allow_none;
    return spec->type < 128 && strchr(types, (int)spec->type) != NULL;
}

/* A double as the specifier's type wants it, without sign, padding and
   separators; flags are added to those of the specifier.  The caller frees it;
   NULL with an exception. */
static char *
double_text(const struct pyb_formatspec *spec, double value, int flags)
{
    char code = spec->type == 'n'   ? 'g'
                : spec->type == '%' ? 'f'
                                    : (char)spec->type;
    int precision = (int)spec->precision;

    if (spec->alternate)
        flags |= Py_DTSF_ALT;
    if (spec->no_negative_zero)
        flags |= Py_DTSF_NO_NEG_0;
    if (code == '\0') {
        code = precision < 0 ? 'r' : 'g';
        precision = Py_MAX(precision, 0);
    } else if (precision < 0) {
        precision = 6;
    }
    return PyOS_double_to_string(value, code, precision, flags, NULL);
}

/* The parts of a text made by double_text. */
static struct number
parts(const char *text)
{
    struct number number = {.prefix = ""};

    number.negative = *text == '-';
    number.digits = text + number.negative;
    number.count = (Py_ssize_t)strspn(number.digits, "0123456789");
    number.rest = number.digits + number.count;
    return number;
}

static int
check_precision(const struct pyb_formatspec *spec)
{
    return spec->precision <= INT_MAX
               ? 0
               : pyb_fail(PyExc_ValueError, "precision too big");
}

static PyObject *
format_double(const struct pyb_formatspec *spec, double value)
{
    const int percent = spec->type == '%';

    if (check_precision(spec) < 0)
        return NULL;
    char *text = double_text(spec, percent ? value * 100 : value,
                             spec->type == 0 ? Py_DTSF_ADD_DOT_0 : 0);
    if (text == NULL)
        return NULL;
    if (percent) {
        size_t size = strlen(text);
        char *larger = PyMem_Realloc(text, size + 2);
        if (larger == NULL) {
            PyMem_Free(text);
            return PyErr_NoMemory();
        }
        text = larger;
        strcpy(text + size, "%");
    }
    struct number number = parts(text);
    PyObject *result = lay_out(spec, &number);
    PyMem_Free(text);
    return result;
}

/* Reads the specification; type is for one that names none.  1 to go on, or 0
   with the result in *plain: str() if the specification is empty, or NULL with
   an exception. */
static int
parse(struct pyb_formatspec *spec, PyObject *spec_text, PyObject *self,
      char type, PyObject **plain)
{
    int empty = pyb_formatspec_is_empty(spec_text);

    *plain = empty > 0 ? PyObject_Str(self) : NULL;
    return empty == 0 &&
           pyb_formatspec_parse(spec, spec_text, self, type, '>') == 0;
}

PyObject *
pyb_format_float(PyObject *self, PyObject *spec_text)
{
    struct pyb_formatspec spec;
    PyObject *plain;

    if (!parse(&spec, spec_text, self, '\0', &plain))
        return plain;
    if (!has_type(&spec, float_types, 1) && spec.type != '%')
        return pyb_formatspec_unknown(&spec, self);
    return format_double(&spec, PyFloat_AS_DOUBLE(self));
}

/* ------------------------------------------------------------------ */
/* Ints                                                                */

static PyObject *
format_char(const struct pyb_formatspec *spec, PyObject *self)
{
    if (spec->sign != 0)
        return pyb_raise(PyExc_ValueError, "Sign not allowed with integer "
                                           "format specifier 'c'");
    if (spec->alternate)
        return pyb_raise(PyExc_ValueError,
                         "Alternate form (#) not allowed with integer format "
                         "specifier 'c'");
    long ch = PyLong_AsLong(self);
    if (ch == -1 && PyErr_Occurred())
        return NULL;
    if (ch < 0 || ch > 0x10ffff)
        return pyb_raise(PyExc_OverflowError, "%c arg not in range(0x110000)");
    PyObject *str = PyUnicode_FromOrdinal((int)ch);
    if (str == NULL)
        return NULL;
    PyObject *result = pyb_formatspec_pad(spec, str, 1);
    Py_DECREF(str);
    return result;
}

static PyObject *
format_digits(const struct pyb_formatspec *spec, PyObject *self)
{
    const int base = spec->type == 'b'                        ? 2
                     : spec->type == 'o'                      ? 8
                     : spec->type == 'x' || spec->type == 'X' ? 16
                                                              : 10;
    const char prefix[] = {'0', (char)spec->type, '\0'};
    PyObject *str = PyNumber_ToBase(self, base);

    if (str == NULL)
        return NULL;
    const char *text = PyUnicode_AsUTF8(str);
    PyObject *result = NULL;
    if (text != NULL) {
        struct number number = {.negative = *text == '-', .rest = ""};
        number.prefix = spec->alternate && base != 10 ? prefix : "";
        number.digits = text + number.negative + (base != 10 ? 2 : 0);
        number.count = (Py_ssize_t)strlen(number.digits);
        result = lay_out(spec, &number);
    }
    Py_DECREF(str);
    return result;
}

PyObject *
pyb_format_int(PyObject *self, PyObject *spec_text)
{
    struct pyb_formatspec spec;
    PyObject *plain;

    if (!parse(&spec, spec_text, self, 'd', &plain))
        return plain;
    if (has_type(&spec, "eEfFgG%", 0)) {
        double value = PyLong_AsDouble(self);
        return value == -1 && PyErr_Occurred() ? NULL
                                               : format_double(&spec, value);
    }
    if (!has_type(&spec, "bcdoxXn", 0))
        return pyb_formatspec_unknown(&spec, self);
    if (spec.precision >= 0)
        return pyb_raise(PyExc_ValueError,
                         "Precision not allowed in integer format specifier");
    if (spec.no_negative_zero)
        return pyb_raise(PyExc_ValueError,
                         "Negative zero coercion (z) not allowed in integer "
                         "format specifier");
    return spec.type == 'c' ? format_char(&spec, self)
                            : format_digits(&spec, self);
}

/* ------------------------------------------------------------------ */
/* Complex numbers                                                     */

/* One part of a complex number, not padded. */
static PyObject *
format_part(const struct pyb_formatspec *spec, double value, int always_signed)
{
    struct pyb_formatspec plain = *spec;

    plain.width = -1;
    plain.align = '<';
    if (always_signed)
        plain.sign = '+';
    char *text = double_text(spec, value, 0);
    if (text == NULL)
        return NULL;
    struct number number = parts(text);
    PyObject *result = lay_out(&plain, &number);
    PyMem_Free(text);
    return result;
}

/* Without a type it looks like str(): in parentheses, or without a real part
   that is a positive zero. */
static PyObject *
both_parts(const struct pyb_formatspec *spec, Py_complex value)
{
    const int only_imag =
        spec->type == 0 && value.real == 0.0 && !signbit(value.real);
    const char *format = spec->type == 0 && !only_imag ? "(%U%Uj)" : "%U%Uj";
    PyObject *real = only_imag ? PyUnicode_FromString("")
                               : format_part(spec, value.real, 0);
    if (real == NULL)
        return NULL;
    PyObject *imag = format_part(spec, value.imag, !only_imag);
    PyObject *result =
        imag == NULL ? NULL : PyUnicode_FromFormat(format, real, imag);
    Py_DECREF(real);
    Py_XDECREF(imag);
    return result;
}

PyObject *
pyb_format_complex(PyObject *self, PyObject *spec_text)
{
    struct pyb_formatspec spec;
    PyObject *plain;

    if (!parse(&spec, spec_text, self, '\0', &plain))
        return plain;
    if (!has_type(&spec, float_types, 1))
        return pyb_formatspec_unknown(&spec, self);
    if (check_precision(&spec) < 0)
        return NULL;
    if (spec.fill == '0')
        return pyb_raise(PyExc_ValueError, "Zero padding is not allowed in "
                                           "complex format specifier");
    if (spec.align == '=')
        return pyb_raise(PyExc_ValueError,
                         "'=' alignment flag is not allowed in complex format "
                         "specifier");
    PyObject *text = both_parts(&spec, PyComplex_AsCComplex(self));
    if (text == NULL)
        return NULL;
    PyObject *result =
        pyb_formatspec_pad(&spec, text, PyUnicode_GET_LENGTH(text));
    Py_DECREF(text);
    return result;
}
