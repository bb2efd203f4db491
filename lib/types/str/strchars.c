/* strchars.c: kinds of characters: space, digits, letters, cases. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/str/chardata.h"
#include "types/str/chars.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

/* The number of ch's record; *place gets its place in the run. */
static int
find(Py_UCS4 ch, Py_UCS4 *place)
{
    unsigned block =
        pyb_chardata_pages[Py_MIN(ch, PYB_CHAR_PAGED) / PYB_CHAR_PAGE];

    while (pyb_chardata_blocks[block + 1] <= ch)
        block++;
    PYB_ASSERT(ch < PYB_UNICODE_END && pyb_chardata_blocks[block] <= ch);
    const uint16_t *run = pyb_chardata_runs + 2 * PYB_CHAR_BLOCK * block;
    ch -= pyb_chardata_blocks[block];
    for (; ch >= run[0]; run += 2)
        ch -= run[0];
    *place = ch;
    return run[1];
}

/* The record of a character; for numbers that are not characters that of the
   first one, which has no properties. */
static const int32_t *
record(Py_UCS4 ch)
{
    Py_UCS4 place = 0;
    int number = ch < PYB_UNICODE_END ? find(ch, &place) : 0;
    const int32_t *found = pyb_chardata_records[number];

    if ((found[PYB_CHAR_FLAGS] & PYB_CHAR_ALTERNATE) && place % 2 == 1)
        found = pyb_chardata_records[number + 1];
    return found;
}

static int
is(Py_UCS4 ch, int32_t flags)
{
    return (record(ch)[PYB_CHAR_FLAGS] & flags) != 0;
}

/* ------------------------------------------------------------------ */
/* White space and digits                                              */

int
Py_UNICODE_ISSPACE(Py_UCS4 ch)
{
    if (ch < 0x1680)
        return (ch >= 0x9 && ch <= 0xd) || (ch >= 0x1c && ch <= 0x20) ||
               ch == 0x85 || ch == 0xa0;
    return ch == 0x1680 || (ch >= 0x2000 && ch <= 0x200a) || ch == 0x2028 ||
           ch == 0x2029 || ch == 0x202f || ch == 0x205f || ch == 0x3000;
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
    Py_UCS4 place;

    if (ch < 0x80)
        return Py_ISDIGIT(ch) ? (int)ch - '0' : -1;
    if (!is(ch, PYB_CHAR_IS_DECIMAL))
        return -1;
    find(ch, &place);
    return (int)(place % 10);
}

int
Py_UNICODE_TODIGIT(Py_UCS4 ch)
{
    for (int i = 0; i < pyb_chardata_digit_count; i++) {
        const Py_UCS4 *row = pyb_chardata_digits[i];
        if (ch >= row[0] && ch - row[0] < row[1])
            return (int)(row[2] + ch - row[0]);
    }
    return Py_UNICODE_TODECIMAL(ch);
}

/* Of numeric characters other than digits, only the quarters are known. */
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
    return is(ch, PYB_CHAR_IS_DIGIT);
}

int
Py_UNICODE_ISNUMERIC(Py_UCS4 ch)
{
    return is(ch, PYB_CHAR_IS_NUMERIC);
}

/* ------------------------------------------------------------------ */
/* Letters                                                             */

int
Py_UNICODE_ISALPHA(Py_UCS4 ch)
{
    return ch < 0x80 ? Py_ISALPHA(ch) : is(ch, PYB_CHAR_IS_ALPHA);
}

int
Py_UNICODE_ISALNUM(Py_UCS4 ch)
{
    return ch < 0x80 ? Py_ISALNUM(ch)
                     : is(ch, PYB_CHAR_IS_ALPHA | PYB_CHAR_IS_NUMERIC);
}

int
Py_UNICODE_ISLOWER(Py_UCS4 ch)
{
    return ch < 0x80 ? Py_ISLOWER(ch) : is(ch, PYB_CHAR_IS_LOWER);
}

int
Py_UNICODE_ISUPPER(Py_UCS4 ch)
{
    return ch < 0x80 ? Py_ISUPPER(ch) : is(ch, PYB_CHAR_IS_UPPER);
}

int
Py_UNICODE_ISTITLE(Py_UCS4 ch)
{
    return is(ch, PYB_CHAR_IS_TITLE);
}

int
pyb_chars_is_cased(Py_UCS4 ch)
{
    return ch < 0x80 ? Py_ISALPHA(ch)
                     : is(ch, PYB_CHAR_IS_LOWER | PYB_CHAR_IS_UPPER |
                                  PYB_CHAR_IS_TITLE);
}

int
pyb_chars_is_ignorable(Py_UCS4 ch)
{
    return is(ch, PYB_CHAR_IS_IGNORABLE);
}

/* ch plus the fields of its record. */
static Py_UCS4
map(Py_UCS4 ch, int field, int more)
{
    const int32_t *found = record(ch);

    PYB_ASSERT((int32_t)ch + found[field] + (more ? found[more] : 0) > 0);
    return (Py_UCS4)((int32_t)ch + found[field] + (more ? found[more] : 0));
}

Py_UCS4
Py_UNICODE_TOLOWER(Py_UCS4 ch)
{
    return ch < 0x80 ? (Py_UCS4)Py_TOLOWER(ch) : map(ch, PYB_CHAR_LOWER, 0);
}

Py_UCS4
Py_UNICODE_TOUPPER(Py_UCS4 ch)
{
    return ch < 0x80 ? (Py_UCS4)Py_TOUPPER(ch) : map(ch, PYB_CHAR_UPPER, 0);
}

Py_UCS4
Py_UNICODE_TOTITLE(Py_UCS4 ch)
{
    return ch < 0x80 ? (Py_UCS4)Py_TOUPPER(ch)
                     : map(ch, PYB_CHAR_UPPER, PYB_CHAR_TITLE);
}

Py_UCS4
pyb_chars_fold_one(Py_UCS4 ch)
{
    return ch < 0x80 ? (Py_UCS4)Py_TOLOWER(ch)
                     : map(ch, PYB_CHAR_LOWER, PYB_CHAR_FOLD);
}

/* ------------------------------------------------------------------ */
/* Printing and names                                                  */

int
Py_UNICODE_ISPRINTABLE(Py_UCS4 ch)
{
    return ch < 0x7f ? ch >= 0x20 : is(ch, PYB_CHAR_IS_PRINTABLE);
}

int
PyUnicode_IsIdentifier(PyObject *s)
{
    const char *p = pyb_str_text(s), *end = pyb_str_end(s);
    int first = 1;

    for (; p < end; first = 0) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        if (!is(ch, first ? PYB_CHAR_IS_START : PYB_CHAR_IS_CONTINUE) &&
            ch != '_')
            return 0;
    }
    return !first;
}
