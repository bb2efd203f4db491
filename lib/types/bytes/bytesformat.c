/* bytesformat.c: PyBytes_FromFormat. */

#define _GNU_SOURCE 1 /* strchrnul */
#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/bytes/bytes.h"

/* A va_list that functions can share. */
struct arguments {
    va_list list;
};

/* struct unit: a unit behind its '%': the precision, -1 for none, the size
   ('l', 'z' or 0) and the letter. */
struct unit {
    int precision;
    char size, letter;
};

/* Reads a unit; a width is allowed and ignored. */
static struct unit
read_unit(const char **format)
{
    struct unit unit = {-1, '\0', '\0'};

    while (Py_ISDIGIT(**format))
        ++*format;
    if (**format == '.') {
        unit.precision = 0;
        for (++*format; Py_ISDIGIT(**format); ++*format)
            if (unit.precision < INT_MAX / 10 - 1)
                unit.precision = 10 * unit.precision + (**format - '0');
    }
    if ((**format == 'l' || **format == 'z') &&
        ((*format)[1] == 'd' || (*format)[1] == 'u'))
        unit.size = *(*format)++;
    unit.letter = **format;
    if (unit.letter != '\0')
        ++*format;
    return unit;
}

static int
write_char(struct pyb_text *out, int ch)
{
    if (ch >= 0 && ch <= 255)
        return pyb_text_repeat(out, (char)ch, 1);
    return pyb_fail(PyExc_OverflowError,
                    "PyBytes_FromFormatV(): %c format expects an integer in "
                    "range [0; 255]");
}

static int
write_string(struct pyb_text *out, struct unit unit, const char *string)
{
    size_t size = unit.precision < 0 ? strlen(string)
                                     : strnlen(string, (size_t)unit.precision);

    PYB_ASSERT(unit.precision >= -1);
    return pyb_text_bytes(out, string, (Py_ssize_t)size);
}

static int
write_signed(struct pyb_text *out, struct unit unit, struct arguments *args)
{
    PYB_ASSERT(unit.size == '\0' || unit.size == 'l' || unit.size == 'z');
    if (unit.size == 'l')
        return pyb_text_printf(out, "%ld", va_arg(args->list, long));
    if (unit.size == 'z')
        return pyb_text_printf(out, "%zd", va_arg(args->list, Py_ssize_t));
    return pyb_text_printf(out, "%d", va_arg(args->list, int));
}

static int
write_unsigned(struct pyb_text *out, struct unit unit, struct arguments *args)
{
    PYB_ASSERT(unit.size == '\0' || unit.size == 'l' || unit.size == 'z');
    if (unit.size == 'l')
        return pyb_text_printf(out, "%lu", va_arg(args->list, unsigned long));
    if (unit.size == 'z')
        return pyb_text_printf(out, "%zu", va_arg(args->list, size_t));
    return pyb_text_printf(out, "%u", va_arg(args->list, unsigned int));
}

/* Appends a unit; 1 if there is no such unit. */
static int
write_unit(struct pyb_text *out, struct unit unit, struct arguments *args)
{
    switch (unit.letter) {
    case '%':
        return pyb_text_repeat(out, '%', 1);
    case 'c':
        return write_char(out, va_arg(args->list, int));
    case 'd':
        return write_signed(out, unit, args);
    case 'u':
        return write_unsigned(out, unit, args);
    case 'i':
        return pyb_text_printf(out, "%i", va_arg(args->list, int));
    case 'x':
        return pyb_text_printf(out, "%x", va_arg(args->list, unsigned int));
    case 's':
        return write_string(out, unit, va_arg(args->list, const char *));
    case 'p':
        return pyb_text_printf(out, "0x%" PRIxPTR,
                               (uintptr_t)va_arg(args->list, void *));
    default:
        return 1;
    }
}

static int
write_units(struct pyb_text *out, const char *format, struct arguments *args)
{
    for (;;) {
        const char *percent = strchrnul(format, '%');
        if (pyb_text_bytes(out, format, percent - format) < 0)
            return -1;
        if (*percent == '\0')
            return 0;
        format = percent + 1;
        int result = write_unit(out, read_unit(&format), args);
        if (result < 0)
            return -1;
        if (result == 1)
            return pyb_text_bytes(out, percent, (Py_ssize_t)strlen(percent));
    }
}

int
pyb_bytes_format(struct pyb_text *out, const char *format, va_list vargs)
{
    struct arguments args;

    va_copy(args.list, vargs);
    int result = write_units(out, format, &args);
    va_end(args.list);
    return result;
}

PyObject *
PyBytes_FromFormatV(const char *format, va_list vargs)
{
    struct pyb_text out = {0};
    int result = pyb_bytes_format(&out, format, vargs);

    return pyb_text_end_bytes(&out, result < 0);
}

PyObject *
PyBytes_FromFormat(const char *format, ...)
{
    va_list va;

    va_start(va, format);
    PyObject *op = PyBytes_FromFormatV(format, va);
    va_end(va);
    return op;
}
