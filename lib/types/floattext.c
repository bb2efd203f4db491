/* floattext.c: C doubles as text, and back, in any locale: digits come from
   the C library, which rounds correctly, under the locale "C"; Python's
   spelling is made of them here. */

#include "Python.h"

#include <locale.h>

/* ------------------------------------------------------------------ */
/* The locale                                                          */

/* These two bracket calls of strtod and snprintf.  If there is no memory for
   the locale they run in the one in force. */
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

/* How long the name of an infinity or NaN is that p begins with; 0 if it does
   not. */
static size_t
special_length(const char *p)
{
    if (PyOS_strnicmp(p, "infinity", 8) == 0)
        return 8;
    if (PyOS_strnicmp(p, "inf", 3) == 0 || PyOS_strnicmp(p, "nan", 3) == 0)
        return 3;
    return 0;
}

/* How long the decimal number is that p begins with, sign included; 0 if there
   is none. */
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

/* The number that s begins with; *end is s if there is none.  What strtod
   would read beyond Python's spellings, hexadecimal numbers for instance, is
   hidden from it. */
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
    locale_t previous = enter_c_locale();
    double v = strtod(s, NULL);
    leave_c_locale(previous);
    return v;
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

/* What printf makes of a finite value.  The caller frees it; NULL with
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
    snprintf(text, 32, "%.*e", digits - 1, v);
    return strtod(text, NULL) == v;
}

/* The same for the next larger number of 16 digits after the one in text.  The
   doubles below a power of two are closer than those above it, so that the
   decimal nearest to it may be too far below while the one above is not.  A
   carry out of the first digit cannot be: it would make a number of one
   digit. */
static int
neighbour_round_trips(double v, char text[32])
{
    char *p = strchr(text, 'e') - 1;

    for (; *p == '9' && p > text + 2; p--)
        *p = '0';
    ++*p;
    return strtod(text, NULL) == v;
}

/* The fewest digits that read back as v, which is finite and not negative, as
   d.ddde+xx.  15 digits survive the way through a double, so fewer are found
   among those by dropping zeros; only subnormal numbers have less precision
   and need the search from below. */
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

/* Digits as a decimal fraction; point says where the dot stands among them, in
   front of them if it is not positive. */
static char *
lay_out(char *out, const char *digits, int count, int point)
{
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

/* The repr without ".0": the shortest digits, with an exponent outside 1e-4 to
   1e16.  The caller frees it; NULL with MemoryError. */
static char *
print_shortest(double v)
{
    char text[32], digits[20];
    int count = 0;
    char *out, *start = (char *)PyMem_Malloc(40);

    if (start == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    shortest_digits(fabs(v), text);
    const char *p = text;
    for (; *p != 'e'; p++)
        if (*p != '.')
            digits[count++] = *p;
    /* It is what printf wrote. NOLINTNEXTLINE(cert-err34-c) */
    const int exponent = atoi(p + 1);
    while (count > 1 && digits[count - 1] == '0')
        count--;

    out = start;
    if (signbit(v))
        *out++ = '-';
    if (-4 <= exponent && exponent < 16) {
        lay_out(out, digits, count, exponent + 1);
        return start;
    }
    out = lay_out(out, digits, count, 1);
    sprintf(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    return start;
}

/* An infinity or a NaN. */
static char *
print_special(double v, int upper)
{
    char *text = (char *)PyMem_Malloc(8);

    if (text == NULL)
        PyErr_NoMemory();
    else if (isnan(v))
        strcpy(text, upper ? "NAN" : "nan");
    else
        sprintf(text, "%s%s", v < 0 ? "-" : "", upper ? "INF" : "inf");
    return text;
}

/* Takes the zeros at the end of the digits away, before the exponent. */
static void
strip_zeros(char *text)
{
    char *exponent = strpbrk(text, "eE"), *end = exponent;

    if (memchr(text, '.', (size_t)(exponent - text)) == NULL)
        return;
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    memmove(end, exponent, strlen(exponent) + 1);
}

/* 'g' or 'G' with room for the ".0" of Py_DTSF_ADD_DOT_0 among its digits: the
   exponent is written where printf would write as many digits as there may be.
 */
static char *
print_with_dot(double v, char code, int precision, int alternate)
{
    const int digits = precision > 0 ? precision : 1;
    const char e = code == 'g' ? 'e' : 'E';
    char *text = print_double(v, e, digits - 1, alternate);

    if (text == NULL)
        return NULL;
    /* It is what printf wrote. NOLINTNEXTLINE(cert-err34-c) */
    if (atoi(strchr(text, e) + 1) != digits - 1) {
        PyMem_Free(text);
        return print_double(v, code, precision, alternate);
    }
    if (!alternate)
        strip_zeros(text);
    return text;
}

/* Changes text in place as the Py_DTSF_ flags ask; there is room for three
   more characters. */
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
        (format_code == 'r' && precision != 0)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (ptype != NULL)
        *ptype = isnan(val)   ? Py_DTST_NAN
                 : isinf(val) ? Py_DTST_INFINITE
                              : Py_DTST_FINITE;
    if (!finite)
        text = print_special(val, upper);
    else if (format_code == 'r')
        text = print_shortest(val);
    else if ((flags & Py_DTSF_ADD_DOT_0) && Py_TOLOWER(format_code) == 'g')
        text =
            print_with_dot(val, format_code, precision, flags & Py_DTSF_ALT);
    else
        text = print_double(val, format_code, precision, flags & Py_DTSF_ALT);
    if (text != NULL)
        apply_flags(text, flags, finite);
    return text;
}
