/* inttext.c: 128-bit numbers as text, and back.  Pure text: no objects, no
   exceptions. */

#include "Python.h"

#include "types/inttext.h"

/* ------------------------------------------------------------------ */
/* Formatting                                                          */

static char
base_letter(int base)
{
    switch (base) {
    case 2:
        return 'b';
    case 8:
        return 'o';
    case 16:
        return 'x';
    default:
        return 0;
    }
}

char *
pyb_inttext_format(pyb_int128 v, int base, int prefix,
                   char buffer[PYB_INTTEXT_SIZE])
{
    pyb_uint128 rest = pyb_intmath_magnitude(v);
    char *p = buffer + PYB_INTTEXT_SIZE;

    *--p = '\0';
    do {
        /* Most numbers are small, and 64-bit division is much faster. */
        unsigned digit = rest >> 64 == 0 ? (unsigned)((uint64_t)rest % base)
                                         : (unsigned)(rest % (unsigned)base);
        rest = rest >> 64 == 0 ? (uint64_t)rest / base : rest / (unsigned)base;
        *--p = "0123456789abcdefghijklmnopqrstuvwxyz"[digit];
    } while (rest != 0);
    if (prefix && base_letter(base)) {
        *--p = base_letter(base);
        *--p = '0';
    }
    if (v < 0)
        *--p = '-';
    return p;
}

/* ------------------------------------------------------------------ */
/* Parsing                                                             */

/* The value of a digit, or 36 for any other character. */
static int
digit_value(char c)
{
    if (Py_ISDIGIT(c))
        return c - '0';
    return Py_ISALPHA(c) ? Py_TOLOWER(c) - 'a' + 10 : 36;
}

/* Steps over "0x" and the like where the base allows it, with the underscore
   that may follow, and settles what base 0 stands for.  *only_zero is set
   where a leading 0 forbids any other digit. */
static const char *
skip_prefix(const char *p, int *base, int *only_zero)
{
    int named = 0;

    if (p[0] == '0') {
        const char letter = (char)Py_TOLOWER(p[1]);
        named = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
    }
    *only_zero = *base == 0 && p[0] == '0' && named == 0;
    if (named != 0 && (*base == 0 || *base == named)) {
        *base = named;
        p += 2;
        return *p == '_' ? p + 1 : p;
    }
    if (*base == 0)
        *base = 10;
    return p;
}

/* Reads digits with single underscores between them.  INVALID, with *p at the
   culprit, if there is no digit or an underscore is out of place. */
static enum pyb_inttext_result
read_digits(const char **p, int base, pyb_uint128 *out)
{
    const pyb_uint128 limit = ~(pyb_uint128)0 / (unsigned)base;
    enum pyb_inttext_result result = PYB_INTTEXT_OK;

    *out = 0;
    if (digit_value(**p) >= base)
        return PYB_INTTEXT_INVALID;
    for (;; ++*p) {
        if (**p == '_' && digit_value((*p)[1]) < base)
            ++*p;
        int digit = digit_value(**p);
        if (digit >= base)
            return **p == '_' ? PYB_INTTEXT_INVALID : result;
        pyb_uint128 shifted = *out * (unsigned)base;
        if (*out > limit || shifted + (unsigned)digit < shifted)
            result = PYB_INTTEXT_TOO_LARGE;
        *out = shifted + (unsigned)digit;
    }
}

enum pyb_inttext_result
pyb_inttext_parse(const char *text, const char **end, int base,
                  pyb_int128 *out)
{
    const char *p = text;
    int negative, only_zero;
    pyb_uint128 magnitude;

    while (Py_ISSPACE(*p))
        p++;
    negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    p = skip_prefix(p, &base, &only_zero);
    enum pyb_inttext_result result = read_digits(&p, base, &magnitude);
    if (result != PYB_INTTEXT_INVALID)
        while (Py_ISSPACE(*p))
            p++;
    *end = p;
    if (result == PYB_INTTEXT_INVALID || *p != '\0')
        return PYB_INTTEXT_INVALID;
    if (only_zero && (magnitude != 0 || result != PYB_INTTEXT_OK)) {
        *end = text;
        return PYB_INTTEXT_INVALID;
    }
    if (result == PYB_INTTEXT_OK &&
        pyb_intmath_signed(magnitude, negative, out) < 0)
        result = PYB_INTTEXT_TOO_LARGE;
    return result;
}
