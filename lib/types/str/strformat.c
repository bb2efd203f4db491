/* strformat.c: PyUnicode_FromFormat. */

#define _GNU_SOURCE 1 /* strchrnul, wcsnlen */
#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/dead.h"
#include "object/error/errors.h"
#include "types/str/str.h"
#include "types/str/strformat.h"
#include "types/str/utf8.h"

/* struct unit: one unit of a format, from its '%' to its letter.  width and
   precision are -1 if they are not given. */
struct unit {
    int left, zero, alternate;
    int width, precision;
    enum { INT, LONG, LONG_LONG, INTMAX, SIZE, PTRDIFF } size;
    char letter;
};

/* A va_list that functions can share. */
struct arguments {
    va_list list;
};

/* ------------------------------------------------------------------ */
/* Reading a unit                                                      */

/* A number in the format, -1 if there is none; -2 with ValueError. */
static int
read_number(const char **format, const char *too_big)
{
    int number = -1;

    for (; Py_ISDIGIT(**format); (*format)++) {
        int digit = **format - '0';
        number = Py_MAX(number, 0);
        if (number > (INT_MAX - digit) / 10) {
            PyErr_SetString(PyExc_ValueError, too_big);
            return -2;
        }
        number = 10 * number + digit;
    }
    return number;
}

static void
read_flags(const char **format, struct unit *unit)
{
    for (;; (*format)++) {
        if (**format == '-')
            unit->left = 1;
        else if (**format == '0')
            unit->zero = 1;
        else if (**format == '#')
            unit->alternate = 1;
        else
            return;
    }
}

static int
read_width(const char **format, struct unit *unit, struct arguments *args)
{
    if (**format != '*') {
        unit->width = read_number(format, "width too big");
        return unit->width == -2 ? -1 : 0;
    }
    ++*format;
    unit->width = va_arg(args->list, int);
    if (unit->width < 0) {
        unit->left = 1;
        unit->width = unit->width == INT_MIN ? INT_MAX : -unit->width;
    }
    return 0;
}

static int
read_precision(const char **format, struct unit *unit, struct arguments *args)
{
    unit->precision = -1;
    if (**format != '.')
        return 0;
    ++*format;
    if (**format == '*') {
        ++*format;
        unit->precision = va_arg(args->list, int);
        unit->precision = Py_MAX(unit->precision, -1);
        return 0;
    }
    unit->precision = read_number(format, "precision too big");
    if (unit->precision == -2)
        return -1;
    unit->precision = Py_MAX(unit->precision, 0);
    return 0;
}

static void
read_size(const char **format, struct unit *unit)
{
    unit->size = INT;
    switch (**format) {
    case 'l':
        unit->size = (*format)[1] == 'l' ? LONG_LONG : LONG;
        *format += unit->size == LONG_LONG;
        break;
    case 'j':
        unit->size = INTMAX;
        break;
    case 'z':
        unit->size = SIZE;
        break;
    case 't':
        unit->size = PTRDIFF;
        break;
    default:
        return;
    }
    ++*format;
}

/* May the unit's letter have its size?  %c has no width, and a '%' is written
   for %% alone: alone says that the letter is the unit. */
static int
is_valid(const struct unit *unit, int alone)
{
    if (unit->letter == '\0')
        return 0;
    if (unit->letter == '%')
        return alone;
    if (unit->letter == 'c' && (unit->width > 0 || unit->precision >= 0))
        return 0;
    if (strchr("diouxX", unit->letter) != NULL)
        return 1;
    if (strchr("sV", unit->letter) != NULL)
        return unit->size == INT || unit->size == LONG;
    return unit->size == INT && strchr("cpASRUTN", unit->letter) != NULL;
}

/* Reads the unit behind a '%'. */
static int
read_unit(const char **format, struct unit *unit, struct arguments *args)
{
    const char *start = *format - 1;

    *unit = (struct unit){0};
    read_flags(format, unit);
    if (read_width(format, unit, args) < 0 ||
        read_precision(format, unit, args) < 0)
        return -1;
    read_size(format, unit);
    unit->letter = **format;
    if (!is_valid(unit, *format == start + 1))
        return pyb_failf(PyExc_SystemError, "invalid format string: %s",
                         start);
    ++*format;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Writing texts                                                       */

/* Appends trusted text, filled up to the width with spaces. */
static int
write_text(struct pyb_text *out, const struct unit *unit, const char *text,
           Py_ssize_t size)
{
    Py_ssize_t fill = 0;

    PYB_ASSERT(size >= 0 && unit->width >= -1);
    if (unit->width > 0)
        fill = unit->width - pyb_utf8_count(text, size);
    if (!unit->left && pyb_text_repeat(out, ' ', fill) < 0)
        return -1;
    if (pyb_text_bytes(out, text, size) < 0)
        return -1;
    return unit->left ? pyb_text_repeat(out, ' ', fill) : 0;
}

/* Appends the str, or as many of its characters as the precision allows, and
   releases it; NULL is passed on as an error. */
static int
write_str(struct pyb_text *out, const struct unit *unit, PyObject *str)
{
    if (str == NULL)
        return -1;
    if (!PyUnicode_Check(str)) { /* of U and V */
        pyb_dead_given("PyUnicode_FromFormat", str);
        Py_DECREF(str);
        return PYB_BAD_CALL(-1);
    }
    PYB_ASSERT(unit->precision >= -1);
    const char *end = pyb_str_end(str);
    if (unit->precision >= 0 && unit->precision < PyUnicode_GET_LENGTH(str))
        end = pyb_str_at(str, unit->precision);
    int result =
        write_text(out, unit, pyb_str_text(str), end - pyb_str_text(str));
    Py_DECREF(str);
    return result;
}

/* Appends a C string of at most precision bytes; a character that is cut by
   the precision is left out, bytes that are not UTF-8 become U+FFFD. */
static int
write_utf8(struct pyb_text *out, const struct unit *unit, const char *string)
{
    struct unit whole = *unit;
    Py_ssize_t size, consumed;
    int cut = 0;

    if (unit->precision < 0) {
        size = (Py_ssize_t)strlen(string);
    } else {
        size = (Py_ssize_t)strnlen(string, (size_t)unit->precision);
        cut = size == unit->precision;
    }
    whole.precision = -1;
    return write_str(out, &whole,
                     PyUnicode_DecodeUTF8Stateful(string, size, "replace",
                                                  cut ? &consumed : NULL));
}

static int
write_wide(struct pyb_text *out, const struct unit *unit, const wchar_t *wide)
{
    struct unit whole = *unit;
    size_t size = unit->precision < 0 ? wcslen(wide)
                                      : wcsnlen(wide, (size_t)unit->precision);

    whole.precision = -1;
    return write_str(out, &whole,
                     PyUnicode_FromWideChar(wide, (Py_ssize_t)size));
}

static int
write_c_string(struct pyb_text *out, const struct unit *unit,
               struct arguments *args)
{
    if (unit->size == LONG)
        return write_wide(out, unit, va_arg(args->list, const wchar_t *));
    const char *string = va_arg(args->list, const char *);

    pyb_dead_named(string);
    return write_utf8(out, unit, string);
}

static int
write_char(struct pyb_text *out, const struct unit *unit, int ordinal)
{
    char bytes[PYB_UTF8_LONGEST];

    if (ordinal < 0 || (Py_UCS4)ordinal >= PYB_UNICODE_END)
        return pyb_fail(PyExc_OverflowError,
                        "character argument not in range(0x110000)");
    return write_text(out, unit, bytes, pyb_utf8_put(bytes, (Py_UCS4)ordinal));
}

static int
write_pointer(struct pyb_text *out, const struct unit *unit, const void *p)
{
    char text[2 + 2 * sizeof(p) + 1];

    return write_text(
        out, unit, text,
        snprintf(text, sizeof(text), "0x%" PRIxPTR, (uintptr_t)p));
}

/* ------------------------------------------------------------------ */
/* Writing integers                                                    */

static intmax_t
signed_argument(const struct unit *unit, struct arguments *args)
{
    switch (unit->size) {
    case LONG:
        return va_arg(args->list, long);
    case LONG_LONG:
        return va_arg(args->list, long long);
    /* NOLINTNEXTLINE(bugprone-branch-clone): other types elsewhere */
    case INTMAX:
        return va_arg(args->list, intmax_t);
    case SIZE:
        return va_arg(args->list, Py_ssize_t);
    case PTRDIFF:
        return va_arg(args->list, ptrdiff_t);
    default:
        return va_arg(args->list, int);
    }
}

static uintmax_t
unsigned_argument(const struct unit *unit, struct arguments *args)
{
    switch (unit->size) {
    case LONG:
        return va_arg(args->list, unsigned long);
    case LONG_LONG:
        return va_arg(args->list, unsigned long long);
    /* NOLINTNEXTLINE(bugprone-branch-clone): other types elsewhere */
    case INTMAX:
        return va_arg(args->list, uintmax_t);
    case SIZE:
        return va_arg(args->list, size_t);
    case PTRDIFF:
        return (uintmax_t)va_arg(args->list, ptrdiff_t);
    default:
        return va_arg(args->list, unsigned int);
    }
}

/* The digits of the argument, with a '-' if it is negative; returns how
   many characters. */
static int
integer_text(char *text, size_t room, const struct unit *unit,
             struct arguments *args)
{
    switch (unit->letter) {
    case 'u':
        return snprintf(text, room, "%" PRIuMAX,
                        unsigned_argument(unit, args));
    case 'o':
        return snprintf(text, room, "%" PRIoMAX,
                        unsigned_argument(unit, args));
    case 'x':
        return snprintf(text, room, "%" PRIxMAX,
                        unsigned_argument(unit, args));
    case 'X':
        return snprintf(text, room, "%" PRIXMAX,
                        unsigned_argument(unit, args));
    default:
        PYB_ASSERT(unit->letter == 'd' || unit->letter == 'i');
        return snprintf(text, room, "%" PRIdMAX, signed_argument(unit, args));
    }
}

static int
write_integer(struct pyb_text *out, const struct unit *unit,
              struct arguments *args)
{
    char text[3 * sizeof(uintmax_t) + 2];
    int size = integer_text(text, sizeof(text), unit, args);
    int sign = text[0] == '-';
    Py_ssize_t digits = Py_MAX(size - sign, unit->precision);
    Py_ssize_t fill = unit->width - sign - digits;

    PYB_ASSERT(size > sign && size < (int)sizeof(text));
    if (unit->zero && !unit->left && fill > 0) {
        digits += fill;
        fill = 0;
    }
    if (!unit->left && pyb_text_repeat(out, ' ', fill) < 0)
        return -1;
    if (pyb_text_bytes(out, text, sign) < 0 ||
        pyb_text_repeat(out, '0', digits - (size - sign)) < 0 ||
        pyb_text_bytes(out, text + sign, size - sign) < 0)
        return -1;
    return unit->left ? pyb_text_repeat(out, ' ', fill) : 0;
}

/* ------------------------------------------------------------------ */
/* Writing objects                                                     */

/* The type's name with its module, for alternate with a colon between. */
static PyObject *
type_name(PyTypeObject *type, int alternate)
{
    if (!alternate)
        return PyType_GetFullyQualifiedName(type);

    PyObject *name = PyType_GetQualName(type);
    if (name == NULL)
        return NULL;
    PyObject *module = PyType_GetModuleName(type);
    if (module == NULL) {
        Py_DECREF(name);
        return NULL;
    }
    if (PyUnicode_Check(module) &&
        !PyUnicode_EqualToUTF8(module, "builtins") &&
        !PyUnicode_EqualToUTF8(module, "__main__"))
        Py_SETREF(name, PyUnicode_FromFormat("%U:%U", module, name));
    Py_DECREF(module);
    return name;
}

static int
write_type(struct pyb_text *out, const struct unit *unit, PyObject *type)
{
    if (!PyType_Check(type))
        return pyb_fail(PyExc_TypeError, "%N argument must be a type");
    return write_str(out, unit,
                     type_name((PyTypeObject *)type, unit->alternate));
}

static int
write_object(struct pyb_text *out, const struct unit *unit,
             struct arguments *args)
{
    PyObject *op = va_arg(args->list, PyObject *);

    PYB_ASSERT(strchr("ARSTNUV", unit->letter) != NULL);
    switch (unit->letter) {
    case 'A':
        return write_str(out, unit, PyObject_ASCII(op));
    case 'R':
        return write_str(out, unit, PyObject_Repr(op));
    case 'S':
        return write_str(out, unit, PyObject_Str(op));
    case 'T':
        pyb_dead_given("PyUnicode_FromFormat", op);
        return write_str(out, unit, type_name(Py_TYPE(op), unit->alternate));
    case 'N':
        return write_type(out, unit, op);
    case 'U':
        return write_str(out, unit, Py_NewRef(op));
    default: /* V: the next argument replaces a NULL */
        if (op == NULL)
            return write_c_string(out, unit, args);
        (void)va_arg(args->list, const void *);
        return write_str(out, unit, Py_NewRef(op));
    }
}

/* ------------------------------------------------------------------ */
/* The whole                                                           */

static int
write_unit(struct pyb_text *out, const struct unit *unit,
           struct arguments *args)
{
    switch (unit->letter) {
    case '%':
        return pyb_text_repeat(out, '%', 1);
    case 'c':
        return write_char(out, unit, va_arg(args->list, int));
    case 'p':
        return write_pointer(out, unit, va_arg(args->list, void *));
    case 's':
        return write_c_string(out, unit, args);
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        return write_integer(out, unit, args);
    default:
        return write_object(out, unit, args);
    }
}

static int
check_ascii(const char *format)
{
    Py_ssize_t size = (Py_ssize_t)strlen(format);
    Py_ssize_t ascii = pyb_utf8_ascii(format, size);

    if (ascii == size)
        return 0;
    return pyb_failf(PyExc_ValueError,
                     "PyUnicode_FromFormatV() expects an ASCII-encoded format "
                     "string, got a non-ASCII byte: 0x%02x",
                     (unsigned char)format[ascii]);
}

static int
write_units(struct pyb_text *out, const char *format, struct arguments *args)
{
    struct unit unit;

    for (;;) {
        const char *percent = strchrnul(format, '%');
        if (pyb_text_bytes(out, format, percent - format) < 0)
            return -1;
        if (*percent == '\0')
            return 0;
        format = percent + 1;
        if (read_unit(&format, &unit, args) < 0 ||
            write_unit(out, &unit, args) < 0)
            return -1;
    }
}

int
pyb_strformat_write(struct pyb_text *out, const char *format, va_list va)
{
    struct arguments args;

    if (check_ascii(format) < 0)
        return -1;
    va_copy(args.list, va);
    int result = write_units(out, format, &args);
    va_end(args.list);
    return result;
}

PyObject *
PyUnicode_FromFormatV(const char *format, va_list vargs)
{
    struct pyb_text out = {0};

    return pyb_text_end(&out, pyb_strformat_write(&out, format, vargs) < 0);
}

PyObject *
PyUnicode_FromFormat(const char *format, ...)
{
    va_list va;

    va_start(va, format);
    PyObject *op = PyUnicode_FromFormatV(format, va);
    va_end(va);
    return op;
}
