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

Py_ssize_t
pyb_utf8_count(const char *text, Py_ssize_t size)
{
    Py_ssize_t count = 0;

    PYB_ASSERT(size == 0 || (size > 0 && !pyb_utf8_is_tail(text[0])));
    for (Py_ssize_t i = 0; i < size; i++)
        count += !pyb_utf8_is_tail(text[i]);
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

/* The number of bytes of a character with this first byte; 0 if no character
   begins with it.  *low and *high become the bounds of the second byte, which
   exclude overlong forms and surrogates. */
static int
sequence_length(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xbf;
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    if (lead < 0xe0)
        return 2;
    if (lead == 0xe0)
        *low = 0xa0;
    else if (lead == 0xed)
        *high = 0x9f;
    else if (lead == 0xf0)
        *low = 0x90;
    else if (lead == 0xf4)
        *high = 0x8f;
    return lead < 0xf0 ? 3 : 4;
}

/* The number of bytes of the valid character at p; or 0, and *fault is the
   number of invalid bytes, *reason the reason. */
static int
check_sequence(const unsigned char *p, Py_ssize_t room, Py_ssize_t *fault,
               const char **reason)
{
    unsigned char low, high;
    int length = sequence_length(p[0], &low, &high);

    *fault = 1;
    *reason = "invalid start byte";
    for (int i = 1; i < length; i++) {
        *fault = i;
        if (i == room) {
            *reason = pyb_utf8_incomplete;
            return 0;
        }
        if (p[i] < low || p[i] > high) {
            *reason = "invalid continuation byte";
            return 0;
        }
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

Py_ssize_t
pyb_utf8_valid(const char *text, Py_ssize_t size, Py_ssize_t *length,
               const char **reason)
{
    Py_ssize_t i = 0;

    while (i < size) {
        i += pyb_utf8_ascii(text + i, size - i);
        if (i == size)
            break;
        int step = check_sequence((const unsigned char *)text + i, size - i,
                                  length, reason);
        PYB_ASSERT(step > 0 || (*length > 0 && *length <= size - i));
        if (step == 0)
            return i;
        i += step;
    }
    return size;
}
