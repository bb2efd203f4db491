/* strchars.c: what characters are: space, digits, letters, cases.

   ASCII, white space, decimal digits and separators are exact.  For the
   letters of the world we ask the C library, in a locale of our own. */

#include "Python.h"

#include <locale.h>
#include <wctype.h>

#include "types/str.h"
#include "types/utf8.h"

struct range {
    Py_UCS4 first, last;
};

static int
in_ranges(const struct range *ranges, size_t count, Py_UCS4 ch)
{
    size_t low = 0;

    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (ch > ranges[middle].last)
            low = middle + 1;
        else if (ch < ranges[middle].first)
            count = middle;
        else
            return 1;
    }
    return 0;
}

/* The locale that knows all letters; made once, kept for good. */
static locale_t
letters(void)
{
    static locale_t locale;

    if (locale == (locale_t)0)
        locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (locale == (locale_t)0)
        locale = newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
    return locale;
}

static int
is_letter_class(Py_UCS4 ch, int (*test)(wint_t, locale_t))
{
    locale_t locale = letters();

    return locale != (locale_t)0 && test((wint_t)ch, locale) != 0;
}

/* ------------------------------------------------------------------ */
/* White space and digits                                              */

int
Py_UNICODE_ISSPACE(Py_UCS4 ch)
{
    static const struct range ranges[] = {
        {0x9, 0xd},       {0x1c, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},
        {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f},
        {0x205f, 0x205f}, {0x3000, 0x3000},
    };
    return in_ranges(ranges, Py_ARRAY_LENGTH(ranges), ch);
}

int
Py_UNICODE_ISLINEBREAK(Py_UCS4 ch)
{
    return (ch >= 0xa && ch <= 0xd) || (ch >= 0x1c && ch <= 0x1e) ||
           ch == 0x85 || ch == 0x2028 || ch == 0x2029;
}

int
Py_UNICODE_TODECIMAL(Py_UCS4 ch)
{
    /* The zeros of all scripts; 1 to 9 follow each of them. */
    static const Py_UCS4 zeros[] = {
        0x30,    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,   0xae6,
        0xb66,   0xbe6,   0xc66,   0xce6,   0xd66,   0xde6,   0xe50,   0xed0,
        0xf20,   0x1040,  0x1090,  0x17e0,  0x1810,  0x1946,  0x19d0,  0x1a80,
        0x1a90,  0x1b50,  0x1bb0,  0x1c40,  0x1c50,  0xa620,  0xa8d0,  0xa900,
        0xa9d0,  0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066,
        0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0,
        0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0,
        0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0,
        0x1e950, 0x1fbf0,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(zeros) && zeros[i] <= ch; i++)
        if (ch - zeros[i] <= 9)
            return (int)(ch - zeros[i]);
    return -1;
}

int
Py_UNICODE_TODIGIT(Py_UCS4 ch)
{
    switch (ch) {
    case 0xb9: /* superscripts; the others follow 0x2070 */
        return 1;
    case 0xb2:
        return 2;
    case 0xb3:
        return 3;
    case 0x2070:
        return 0;
    }
    if (ch >= 0x2074 && ch <= 0x2079)
        return (int)(ch - 0x2070);
    if (ch >= 0x2080 && ch <= 0x2089) /* subscripts */
        return (int)(ch - 0x2080);
    if (ch >= 0x2460 && ch <= 0x2468) /* circled digits */
        return (int)(ch - 0x2460 + 1);
    return Py_UNICODE_TODECIMAL(ch);
}

double
Py_UNICODE_TONUMERIC(Py_UCS4 ch)
{
    if (ch >= 0xbc && ch <= 0xbe) /* quarters */
        return (ch - 0xbc + 1) / 4.0;
    return Py_UNICODE_TODIGIT(ch);
}

int
Py_UNICODE_ISDECIMAL(Py_UCS4 ch)
{
    return Py_UNICODE_TODECIMAL(ch) >= 0;
}

int
Py_UNICODE_ISDIGIT(Py_UCS4 ch)
{
    return Py_UNICODE_TODIGIT(ch) >= 0;
}

int
Py_UNICODE_ISNUMERIC(Py_UCS4 ch)
{
    return Py_UNICODE_TONUMERIC(ch) >= 0;
}

/* ------------------------------------------------------------------ */
/* Letters                                                             */

/* glibc counts the digits of other scripts as letters. */
int
Py_UNICODE_ISALPHA(Py_UCS4 ch)
{
    if (ch < 0x80)
        return Py_ISALPHA(ch);
    return is_letter_class(ch, iswalpha_l) && !Py_UNICODE_ISDIGIT(ch);
}

int
Py_UNICODE_ISALNUM(Py_UCS4 ch)
{
    return Py_UNICODE_ISALPHA(ch) || Py_UNICODE_ISNUMERIC(ch);
}

int
Py_UNICODE_ISLOWER(Py_UCS4 ch)
{
    return ch < 0x80 ? Py_ISLOWER(ch) : is_letter_class(ch, iswlower_l);
}

int
Py_UNICODE_ISUPPER(Py_UCS4 ch)
{
    return ch < 0x80 ? Py_ISUPPER(ch) : is_letter_class(ch, iswupper_l);
}

/* The pairs of Latin letters, and Greek letters with an iota below. */
int
Py_UNICODE_ISTITLE(Py_UCS4 ch)
{
    static const struct range ranges[] = {
        {0x1c5, 0x1c5},   {0x1c8, 0x1c8},   {0x1cb, 0x1cb},   {0x1f2, 0x1f2},
        {0x1f88, 0x1f8f}, {0x1f98, 0x1f9f}, {0x1fa8, 0x1faf}, {0x1fbc, 0x1fbc},
        {0x1fcc, 0x1fcc}, {0x1ffc, 0x1ffc},
    };
    return in_ranges(ranges, Py_ARRAY_LENGTH(ranges), ch);
}

Py_UCS4
Py_UNICODE_TOLOWER(Py_UCS4 ch)
{
    if (ch < 0x80)
        return Py_ISUPPER(ch) ? ch + ('a' - 'A') : ch;
    locale_t locale = letters();
    return locale ? (Py_UCS4)towlower_l((wint_t)ch, locale) : ch;
}

Py_UCS4
Py_UNICODE_TOUPPER(Py_UCS4 ch)
{
    if (ch < 0x80)
        return Py_ISLOWER(ch) ? ch - ('a' - 'A') : ch;
    locale_t locale = letters();
    return locale ? (Py_UCS4)towupper_l((wint_t)ch, locale) : ch;
}

Py_UCS4
Py_UNICODE_TOTITLE(Py_UCS4 ch)
{
    /* Letter pairs: upper, title and lower case stand next to each other. */
    static const Py_UCS4 pairs[] = {0x1c4, 0x1c7, 0x1ca, 0x1f1};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(pairs); i++)
        if (ch >= pairs[i] && ch <= pairs[i] + 2)
            return pairs[i] + 1;
    return Py_UNICODE_TOUPPER(ch);
}

/* ------------------------------------------------------------------ */
/* Printing and names                                                  */

int
Py_UNICODE_ISPRINTABLE(Py_UCS4 ch)
{
    /* Control and format characters, separators, surrogates, private use,
       and planes without characters. */
    static const struct range hidden[] = {
        {0x0, 0x1f},        {0x7f, 0xa0},        {0xad, 0xad},
        {0x600, 0x605},     {0x61c, 0x61c},      {0x6dd, 0x6dd},
        {0x70f, 0x70f},     {0x890, 0x891},      {0x8e2, 0x8e2},
        {0x1680, 0x1680},   {0x180e, 0x180e},    {0x2000, 0x200f},
        {0x2028, 0x202f},   {0x205f, 0x206f},    {0x3000, 0x3000},
        {0xd800, 0xf8ff},   {0xfdd0, 0xfdef},    {0xfeff, 0xfeff},
        {0xfff0, 0xfffb},   {0xfffe, 0xffff},    {0x110bd, 0x110bd},
        {0x110cd, 0x110cd}, {0x13430, 0x1343f},  {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a}, {0x1fffe, 0x1ffff},  {0x2fffe, 0x2ffff},
        {0x323b0, 0xe00ff}, {0xe01f0, 0x10ffff},
    };
    return !in_ranges(hidden, Py_ARRAY_LENGTH(hidden), ch);
}

int
PyUnicode_IsIdentifier(PyObject *s)
{
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);
    int first = 1;

    for (; p < end; first = 0) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (ch != '_' && !Py_UNICODE_ISALPHA(ch) &&
            (first || !Py_UNICODE_ISDECIMAL(ch)))
            return 0;
    }
    return !first;
}
