/* inttext.c: numbers as text, and back.  Pure text: no objects, no
   exceptions. */

#include "Python.h"

#include "types/int/inttext.h"

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
pyb_inttext_format(int64_t v, int base, int prefix,
                   char buffer[PYB_INTTEXT_SIZE])
{
    uint64_t rest = v < 0 ? -(uint64_t)v : (uint64_t)v;
    char *p = buffer + PYB_INTTEXT_SIZE;

    *--p = '\0';
    do {
        *--p = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % (unsigned)base];
        rest /= (unsigned)base;
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

/* Skips "0x" and the like if the base allows it, with the underscore that may
   follow, and replaces base 0 by the actual one.  *only_zero is set if a
   leading 0 forbids any other digit. */
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

/* Reads digits with single underscores between them, from p to out->end.  -1,
   with out->end at the wrong character and no count, if there is no digit or
   an underscore is out of place. */
static int
read_digits(const char *p, struct pyb_inttext *out)
{
    const unsigned base = (unsigned)out->base;
    size_t count = 0;

    out->digits = p;
    out->end = p;
    if (digit_value(*p) >= out->base)
        return -1;
    for (;; p++, count++) {
        if (*p == '_' && digit_value(p[1]) < out->base)
            p++;
        int digit = digit_value(*p);
        out->end = p;
        if (digit >= out->base)
            break;
        out->large |=
            __builtin_mul_overflow(out->magnitude, base, &out->magnitude);
        out->large |= __builtin_add_overflow(out->magnitude, (unsigned)digit,
                                             &out->magnitude);
    }
    if (*p == '_')
        return -1;
    out->count = count;
    return 0;
}

int
pyb_inttext_parse(const char *text, int base, struct pyb_inttext *out)
{
    const char *p = text;
    int only_zero;

    while (Py_ISSPACE(*p))
        p++;
    *out = (struct pyb_inttext){.base = base, .negative = *p == '-'};
    if (*p == '-' || *p == '+')
        p++;
    p = skip_prefix(p, &out->base, &only_zero);
    if (read_digits(p, out) < 0)
        return -1;
    while (Py_ISSPACE(*out->end))
        out->end++;
    if (*out->end != '\0')
        return -1;
    if (only_zero && (out->magnitude != 0 || out->large)) {
        out->base = 0;
        return -1;
    }
    return 0;
}

void
pyb_inttext_values(const struct pyb_inttext *text, unsigned char *values)
{
    const char *p = text->digits;

    for (size_t i = 0; i < text->count; p++)
        if (*p != '_')
            values[i++] = (unsigned char)digit_value(*p);
}
