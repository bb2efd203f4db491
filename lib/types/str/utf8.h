/* utf8.h: the encoding of the text of a str.

   Inside a str a lone surrogate is encoded like any other character of its
   size, in three bytes; everywhere else such bytes are not UTF-8.  Functions
   that take "trusted" text require the text of a str, or a part of it that
   begins and ends between characters. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_UTF8_H
#define PYB_TYPES_STR_UTF8_H

#include "Python.h"

enum { PYB_UTF8_LONGEST = 4 }; /* bytes of a character */

#define PYB_UNICODE_END ((Py_UCS4)0x110000)

/* Is the byte a continuation byte of a character? */
static inline int
pyb_utf8_is_tail(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* pyb_utf8_next: the character at *text, trusted; moves *text behind it. */
Py_UCS4 pyb_utf8_next(const char **text);

/* pyb_utf8_put: writes the encoded character, which may be a surrogate;
   returns the number of bytes. */
int pyb_utf8_put(char *out, Py_UCS4 ch);

/* pyb_utf8_count: the number of characters in trusted text. */
Py_ssize_t pyb_utf8_count(const char *text, Py_ssize_t size);

/* pyb_utf8_skip: trusted text behind its first n characters, which exist;
   pyb_utf8_skip_back: before its last n ones. */
const char *pyb_utf8_skip(const char *text, Py_ssize_t n);
const char *pyb_utf8_skip_back(const char *end, Py_ssize_t n);

/* pyb_utf8_valid: the number of bytes at the start of any text that are valid
   UTF-8.  If that is not all, *length is the number of invalid bytes after
   them, and *reason the reason as in UnicodeDecodeError. */
Py_ssize_t pyb_utf8_valid(const char *text, Py_ssize_t size,
                          Py_ssize_t *length, const char **reason);

/* pyb_utf8_incomplete: the reason for text that ends within a character. */
extern const char pyb_utf8_incomplete[];

/* pyb_utf8_ascii: the number of ASCII bytes at the start of the text. */
Py_ssize_t pyb_utf8_ascii(const char *text, Py_ssize_t size);

#endif /* PYB_TYPES_STR_UTF8_H */
