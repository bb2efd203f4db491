/* locale.c: text of the system as wide characters, before there are objects.

   As everywhere here the system's encoding is UTF-8, and a byte that is none
   becomes a lone surrogate, 0xdc00 and the byte. */

#include "Python.h"

#include "types/str/utf8.h"

enum { ESCAPED = 0xdc00 };

/* Stores text in out, which has room for one more than its bytes; returns the
   number of wide characters. */
static size_t
widen(const char *text, wchar_t *out)
{
    const char *end = strchr(text, '\0');
    wchar_t *next = out;

    while (text < end) {
        Py_ssize_t bad = 0;
        const char *reason;
        const char *valid =
            text + pyb_utf8_valid(text, end - text, &bad, &reason);
        while (text < valid)
            *next++ = (wchar_t)pyb_utf8_next(&text);
        if (text < end)
            *next++ = (wchar_t)(ESCAPED + (unsigned char)*text++);
    }
    *next = L'\0';
    return (size_t)(next - out);
}

wchar_t *
Py_DecodeLocale(const char *text, size_t *size)
{
    size_t room = strlen(text) + 1;
    wchar_t *wide = PyMem_RawCalloc(room, sizeof(wchar_t));
    size_t length = wide != NULL ? widen(text, wide) : (size_t)-1;

    if (size != NULL)
        *size = length;
    return wide;
}

/* The bytes of a character; 0 if it has none. */
static int
narrow(char *out, Py_UCS4 ch)
{
    if (ch >= ESCAPED + 0x80 && ch <= ESCAPED + 0xff) {
        *out = (char)(ch - ESCAPED);
        return 1;
    }
    if (ch >= PYB_UNICODE_END || (ch >= 0xd800 && ch <= 0xdfff))
        return 0;
    return pyb_utf8_put(out, ch);
}

char *
Py_EncodeLocale(const wchar_t *text, size_t *error_pos)
{
    char *bytes = PyMem_Malloc(wcslen(text) * PYB_UTF8_LONGEST + 1);
    char *next = bytes;
    size_t position = (size_t)-1;

    for (size_t i = 0; bytes != NULL && text[i] != L'\0'; i++) {
        int size = narrow(next, (Py_UCS4)text[i]);
        next += size;
        if (size == 0) {
            position = i;
            PyMem_Free(bytes);
            bytes = NULL;
        }
    }
    if (bytes != NULL)
        *next = '\0';
    else if (error_pos != NULL)
        *error_pos = position;
    return bytes;
}
