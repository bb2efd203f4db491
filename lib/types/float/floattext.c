/* floattext.c: C doubles as text, and back, in any locale: digits come from
   the C library, which rounds correctly, under the locale "C"; these functions
   turn them into Python's spelling. */

#include "Python.h"

#include <locale.h>

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/float/float.h"

/* ------------------------------------------------------------------ */
/* The locale                                                          */

/* enter_c_locale and leave_c_locale are called around strtod and snprintf.  If
   there is no memory for the locale, the current one is used. */
static locale_t
enter_c_locale(void)
{
    static locale_t c_locale;

    if (c_locale == (locale_t)0)
        c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return uselocale(c_locale);
}

static void
leave_c_locale(locale_t previous)
{
    uselocale(previous);
}

/* ------------------------------------------------------------------ */
/* Reading                                                             */

double
pyb_float_strtod(const char *text)
{
    locale_t previous = enter_c_locale();
    double v = strtod(text, NULL);

    leave_c_locale(previous);
    return v;
}

/* The length of the name of an infinity or NaN at p; 0 if there is none. */
static size_t
special_length(const char *p)
{
    if (PyOS_strnicmp(p, "infinity", 8) == 0)
        return 8;
    if (PyOS_strnicmp(p, "inf", 3) == 0 || PyOS_strnicmp(p, "nan", 3) == 0)
        return 3;
    return 0;
}

/* The length of the decimal number at p, with its sign; 0 if there is none. */
static size_t
number_length(const char *p)
{
    const char *start = p;
    int digits = 0;

    if (*p == '-' || *p == '+')
        p++;
    for (; Py_ISDIGIT(*p); p++)
        digits = 1;
    if (*p == '.')
        for (p++; Py_ISDIGIT(*p); p++)
            digits = 1;
    if (!digits)
        return 0;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1;
        if (*exponent == '-' || *exponent == '+')
            exponent++;
        if (Py_ISDIGIT(*exponent))
            for (p = exponent; Py_ISDIGIT(*p);)
                p++;
    }
    return (size_t)(p - start);
}

/* The number at the beginning of s; *end is s if there is none.  Only Python's
   spellings count; strtod would also read others, hexadecimal numbers for
   instance. */
static double
read_double(const char *s, const char **end)
{
    const char *name = s + (*s == '-' || *s == '+');
    size_t length = special_length(name);

    if (length != 0) {
        double v = Py_TOLOWER(*name) == 'i' ? Py_INFINITY : Py_NAN;
        *end = name + length;
        return copysign(v, *s == '-' ? -1.0 : 1.0);
    }
    length = number_length(s);
    *end = s + length;
    if (length == 0)
        return -1.0;
    /* "0x10" counts as its first 0. */
    if (*name == '0' && Py_TOLOWER(name[1]) == 'x')
        return *s == '-' ? -0.0 : 0.0;
    return pyb_float_strtod(s);
}

double
PyOS_string_to_double(const char *s, char **endptr,
                      PyObject *overflow_exception)
{
    const char *end;
    const int saved = errno;

    errno = 0;
    double v = read_double(s, &end);
    const int out_of_range = errno == ERANGE && fabs(v) >= 1.0;
    errno = saved;
    if (endptr != NULL)
        *endptr = (char *)(uintptr_t)end;
    if (end == s || (endptr == NULL && *end != '\0')) {
        PyErr_Format(PyExc_ValueError,
                     "could not convert string to float: '%.200s'", s);
        return -1.0;
    }
    if (out_of_range && overflow_exception != NULL) {
        PyErr_Format(overflow_exception,
                     "value too large to convert to float: '%.200s'", s);
        return -1.0;
    }
    return v;
}

/* ------------------------------------------------------------------ */
/* Writing                                                             */

/* Prints a finite value with printf.  The caller frees the text; NULL with
   MemoryError. */
static char *
print_double(double v, char code, int precision, int alternate)
{
    char format[] = "%#.*f";
    char *start = alternate ? format : format + 1;

    start[0] = '%';
    format[4] = code;
    locale_t previous = enter_c_locale();
    int length = snprintf(NULL, 0, start, precision, v);
    /* Room for a sign, ".0" and the dot that may be put in later. */
    char *text = length < 0 ? NULL : (char *)PyMem_Malloc((size_t)length + 8);
    if (text != NULL)
        snprintf(text, (size_t)length + 1, start, precision, v);
    leave_c_locale(previous);
    if (text == NULL)
        PyErr_NoMemory();
    return text;
}

/* Does v with this many digits read back as v?  text gets it in the form
   d.ddde+xx. */
static int
round_trips(double v, int digits, char text[32])
{
    PYB_ASSERT(digits >= 1 && digits <= 17 && v >= 0);
    snprintf(text, 32, "%.*e", digits - 1, v);
    return strtod(text, NULL) == v;
}

/* round_trips for the next larger number of 16 digits after the one in text.
   The doubles below a power of two are closer to each other than those above
   it, so the nearest decimal may be too far below while the next one is not.
   There is no carry out of the first digit, since it would make a number of
   one digit. */
static int
neighbour_round_trips(double v, char text[32])
{
    char *p = strchr(text, 'e') - 1;

    PYB_ASSERT(p > text && *p >= '0' && *p <= '9');
    for (; *p == '9' && p > text + 2; p--)
        *p = '0';
    ++*p;
    return strtod(text, NULL) == v;
}

/* The fewest digits that read back as v, which is finite and not negative, as
   d.ddde+xx.  A double keeps 15 digits, so shorter numbers are found by
   dropping zeros from those; only subnormal numbers have less precision and
   need a search from one digit on. */
static void
shortest_digits(double v, char text[32])
{
    int digits = v < DBL_MIN ? 1 : 15;
    locale_t previous = enter_c_locale();

    while (digits < 17 && !round_trips(v, digits, text))
        digits++;
    if (digits == 17) {
        round_trips(v, 16, text);
        if (!neighbour_round_trips(v, text))
            round_trips(v, 17, text);
    }
    leave_c_locale(previous);
}

/* Digits as a decimal fraction; point is the place of the dot among them; it
   is in front of them if it is not positive. */
static char *
lay_out(char *out, const char *digits, int count, int point)
{
    PYB_ASSERT(count > 0 && count <= 17 && point >= -3 && point <= 16);
    if (point <= 0) {
        out += sprintf(out, "0.");
        for (; point < 0; point++)
            *out++ = '0';
    }
    for (int i = 0; i < count || i < point; i++) {
        if (i == point && i > 0)
            *out++ = '.';
        *out++ = i < count ? digits[i] : '0';
    }
    *out = '\0';
    return out;
}

/* Puts a dot behind the digits, before the exponent, if there is none; there
   is room for it. */
static void
add_dot(char *text)
{
    char *end = text + strcspn(text, "e");

    if (memchr(text, '.', (size_t)(end - text)) != NULL)
        return;
    memmove(end + 1, end, strlen(end) + 1);
    *end = '.';
}

/* The repr without ".0": the shortest digits, with an exponent outside 1e-4 to
   1e16, and with a dot in the alternate form.  The caller frees it; NULL with
   MemoryError. */
static char *
print_shortest(double v, int alternate)
{
    char text[32], digits[20];
    int count = 0;
    char *out, *start = (char *)PyMem_Malloc(40);

    if (start == NULL)
        return PYB_MEMORY_ERROR(NULL);
    shortest_digits(fabs(v), text);
    const char *p = text;
    for (; *p != 'e'; p++)
        if (*p != '.')
            digits[count++] = *p;
    PYB_ASSERT(count > 0 && count <= 17);
    /* It is what printf wrote. NOLINTNEXTLINE(cert-err34-c) */
    const int exponent = atoi(p + 1);
    while (count > 1 && digits[count - 1] == '0')
        count--;

    out = start;
    if (signbit(v))
        *out++ = '-';
    if (-4 <= exponent && exponent < 16) {
        lay_out(out, digits, count, exponent + 1);
    } else {
        out = lay_out(out, digits, count, 1);
        PYB_ASSERT(out - start < 40 - (int)sizeof("e+308"));
        sprintf(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    }
    if (alternate)
        add_dot(start);
    return start;
}

/* An infinity or a NaN. */
static char *
print_special(double v, int upper)
{
    char *text = (char *)PyMem_Malloc(8);

    PYB_ASSERT(!isfinite(v));
    if (text == NULL)
        PyErr_NoMemory();
    else if (isnan(v))
        strcpy(text, upper ? "NAN" : "nan");
    else
        sprintf(text, "%s%s", v < 0 ? "-" : "", upper ? "INF" : "inf");
    return text;
}

/* Removes trailing zeros of the digits, before the exponent. */
static void
strip_zeros(char *text)
{
    char *exponent = strpbrk(text, "eE"), *end = exponent;

    PYB_ASSERT(exponent > text); /* not NULL */
    if (memchr(text, '.', (size_t)(exponent - text)) == NULL)
        return;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    memmove(end, exponent, strlen(exponent) + 1);
}

/* 'g' or 'G' with Py_DTSF_ADD_DOT_0 or Py_DTSF_ALT.  There must be room for
   the ".0" among the digits: an integer part with as many digits as the
   precision allows is written with an exponent.  In the alternate form glibc's
   %g loses the zeros of a number that it rounds up to a power of ten. */
static char *
print_general(double v, char code, int precision, int flags)
{
    const int digits = precision > 0 ? precision : 1;
    const int alternate = flags & Py_DTSF_ALT;
    const int limit = flags & Py_DTSF_ADD_DOT_0 ? digits - 1 : digits;
    const char e = code == 'g' ? 'e' : 'E';
    char *text = print_double(v, e, digits - 1, alternate);

    if (text == NULL)
        return NULL;
    /* It is what printf wrote. NOLINTNEXTLINE(cert-err34-c) */
    const int exponent = atoi(strchr(text, e) + 1);
    if (-4 <= exponent && exponent < limit) {
        PyMem_Free(text);
        return alternate ? print_double(v, 'f', digits - 1 - exponent, 1)
                         : print_double(v, code, precision, 0);
    }
    if (!alternate)
        strip_zeros(text);
    return text;
}

/* Changes text in place according to the Py_DTSF_ flags; there is room for
   three more characters. */
static void
apply_flags(char *text, int flags, int finite)
{
    if ((flags & Py_DTSF_NO_NEG_0) && finite && *text == '-' &&
        strspn(text + 1, "0.") == strcspn(text + 1, "eE"))
        memmove(text, text + 1, strlen(text));
    if ((flags & Py_DTSF_SIGN) && *text != '-') {
        memmove(text + 1, text, strlen(text) + 1);
        *text = '+';
    }
    if ((flags & Py_DTSF_ADD_DOT_0) && finite && !strpbrk(text, "eE")) {
        const char *dot = strchr(text, '.');

        if (dot == NULL)
            strcat(text, ".0");
        else if (dot[1] == '\0')
            strcat(text, "0");
    }
}

char *
PyOS_double_to_string(double val, char format_code, int precision, int flags,
                      int *ptype)
{
    const int upper = Py_ISUPPER(format_code);
    const int finite = isfinite(val);
    char *text;

    if (format_code == '\0' || strchr("eEfFgGr", format_code) == NULL ||
        (format_code == 'r' && precision != 0))
        return PYB_BAD_CALL(NULL);
    if (ptype != NULL)
        *ptype = isnan(val)   ? Py_DTST_NAN
                 : isinf(val) ? Py_DTST_INFINITE
                              : Py_DTST_FINITE;
    if (!finite)
        text = print_special(val, upper);
    else if (format_code == 'r')
        text = print_shortest(val, flags & Py_DTSF_ALT);
    else if ((flags & (Py_DTSF_ADD_DOT_0 | Py_DTSF_ALT)) &&
             Py_TOLOWER(format_code) == 'g')
        text = print_general(val, format_code, precision, flags);
    else
        text = print_double(val, format_code, precision, flags & Py_DTSF_ALT);
    if (text != NULL)
        apply_flags(text, flags, finite);
    return text;
}
