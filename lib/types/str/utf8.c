/* utf8.c: reading, writing and checking UTF-8; see utf8.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/str/utf8.h"

const char pyb_utf8_incomplete[] = "unexpected end of data";

Py_UCS4
pyb_utf8_next(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    Py_UCS4 ch = *p++;

    if (ch >= 0xf0) {
        ch = (ch & 0x07) << 18 | (p[0] & 0x3fU) << 12 | (p[1] & 0x3fU) << 6 |
             (p[2] & 0x3fU);
        p += 3;
    } else if (ch >= 0xe0) {
        ch = (ch & 0x0f) << 12 | (p[0] & 0x3fU) << 6 | (p[1] & 0x3fU);
        p += 2;
    } else if (ch >= 0x80) {
        ch = (ch & 0x1f) << 6 | (p[0] & 0x3fU);
        p += 1;
    }
    PYB_ASSERT(ch < PYB_UNICODE_END && !pyb_utf8_is_tail(**text));
    *text = (const char *)p;
    return ch;
}

int
pyb_utf8_put(char *out, Py_UCS4 ch)
{
    PYB_ASSERT(ch < PYB_UNICODE_END);
    if (ch < 0x80) {
        out[0] = (char)ch;
        return 1;
    }
    if (ch < 0x800) {
        out[0] = (char)(0xc0 | ch >> 6);
        out[1] = (char)(0x80 | (ch & 0x3f));
        return 2;
    }
    if (ch < 0x10000) {
        out[0] = (char)(0xe0 | ch >> 12);
        out[1] = (char)(0x80 | (ch >> 6 & 0x3f));
        out[2] = (char)(0x80 | (ch & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | ch >> 18);
    out[1] = (char)(0x80 | (ch >> 12 & 0x3f));
    out[2] = (char)(0x80 | (ch >> 6 & 0x3f));
    out[3] = (char)(0x80 | (ch & 0x3f));
    return 4;
}

/* Of eight bytes, the tails have their highest bit set, and the next one
   clear. */
static inline int
count_tails(uint64_t bytes)
{
    uint64_t ones = UINT64_C(0x0101010101010101);

    return (int)(((bytes >> 7 & ~bytes >> 6 & ones) * ones) >> 56);
}

Py_ssize_t
pyb_utf8_count(const char *text, Py_ssize_t size)
{
    Py_ssize_t count = size, i = 0;
    uint64_t bytes;

    PYB_ASSERT(size == 0 || (size > 0 && !pyb_utf8_is_tail(text[0])));
    for (; size - i >= (Py_ssize_t)sizeof(bytes); i += sizeof(bytes)) {
        memcpy(&bytes, text + i, sizeof(bytes));
        count -= count_tails(bytes);
    }
    for (; i < size; i++)
        count -= pyb_utf8_is_tail(text[i]);
    return count;
}

const char *
pyb_utf8_skip(const char *text, Py_ssize_t n)
{
    PYB_ASSERT(n >= 0);
    for (; n > 0; n--)
        do
            text++;
        while (pyb_utf8_is_tail(*text));
    return text;
}

const char *
pyb_utf8_skip_back(const char *end, Py_ssize_t n)
{
    PYB_ASSERT(n >= 0);
    for (; n > 0; n--)
        do
            end--;
        while (pyb_utf8_is_tail(*end));
    return end;
}

Py_ssize_t
pyb_utf8_ascii(const char *text, Py_ssize_t size)
{
    Py_ssize_t i = 0;
    uint64_t word;

    for (; size - i >= (Py_ssize_t)sizeof(word); i += sizeof(word)) {
        memcpy(&word, text + i, sizeof(word));
        if (word & UINT64_C(0x8080808080808080))
            break;
    }
    while (i < size && (unsigned char)text[i] < 0x80)
        i++;
    return i;
}

static inline int
are_tails(const unsigned char *p, int n)
{
    unsigned other = 0;

    for (int i = 0; i < n; i++)
        other |= (p[i] & 0xc0U) ^ 0x80;
    return other == 0;
}

/* The number of bytes of the valid character at p, which is not ASCII; 0 if
   there is none.  `high` is what its first two bytes say: the others have 6
   bits each.  So overlong forms, surrogates and what is beyond the last
   character are excluded. */
static inline int
sequence_length(const unsigned char *p, Py_ssize_t room)
{
    unsigned high;

    PYB_ASSERT(room > 0 && p[0] >= 0x80);
    if (room < 2)
        return 0;
    high = (p[0] & 0x0fU) << 6 | (p[1] & 0x3f);
    if (p[0] < 0xe0)
        return p[0] >= 0xc2 && are_tails(p + 1, 1) ? 2 : 0;
    if (p[0] < 0xf0)
        return room > 2 && are_tails(p + 1, 2) && high >= 0x800 >> 6 &&
                       (high & 0x3e0) != 0xd800 >> 6
                   ? 3
                   : 0;
    return room > 3 && are_tails(p + 1, 3) && high >= 0x10000 >> 12 &&
                   high < PYB_UNICODE_END >> 12
               ? 4
               : 0;
}

/* The number of bytes of which it is said that they are invalid, where no
   valid character is: all with which one could begin.  What can be completed
   at all can be so with the lowest or with the highest tails. */
static Py_ssize_t
fault_length(const unsigned char *p, Py_ssize_t room, const char **reason)
{
    unsigned char lowest[] = {0x80, 0x80, 0x80, 0x80},
                  highest[] = {0xbf, 0xbf, 0xbf, 0xbf};
    Py_ssize_t n = 0;

    for (; n < room; n++) {
        lowest[n] = highest[n] = p[n];
        if (sequence_length(lowest, PYB_UTF8_LONGEST) == 0 &&
            sequence_length(highest, PYB_UTF8_LONGEST) == 0)
            break;
    }
    PYB_ASSERT(n < PYB_UTF8_LONGEST);
    *reason = n == 0      ? "invalid start byte"
              : n == room ? pyb_utf8_incomplete
                          : "invalid continuation byte";
    return Py_MAX(n, 1);
}

Py_ssize_t
pyb_utf8_valid(const char *text, Py_ssize_t size, Py_ssize_t *length,
               const char **reason)
{
    Py_ssize_t i = 0;

    while (i < size) {
        if ((unsigned char)text[i] < 0x80) {
            i += pyb_utf8_ascii(text + i, size - i);
            continue;
        }
        int step = sequence_length((const unsigned char *)text + i, size - i);
        if (step == 0) {
            *length = fault_length((const unsigned char *)text + i, size - i,
                                   reason);
            PYB_ASSERT(*length > 0 && *length <= size - i);
            return i;
        }
        i += step;
    }
    return size;
}
