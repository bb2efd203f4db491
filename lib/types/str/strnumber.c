/* strnumber.c: strs that contain numbers. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/str/str.h"
#include "types/str/text.h"
#include "types/str/utf8.h"

/* The ASCII character for ch in the text of a number.  '?' ends the number: no
   number contains one, and the text behind it does not matter. */
static char
in_ascii(Py_UCS4 ch)
{
    if (ch < 0x80)
        return (char)ch;
    if (Py_UNICODE_ISSPACE(ch))
        return ' ';
    int digit = Py_UNICODE_TODECIMAL(ch);
    PYB_ASSERT(digit >= -1 && digit <= 9);
    return digit < 0 ? '?' : (char)('0' + digit);
}

PyObject *
pyb_str_number(PyObject *s)
{
    struct pyb_text out = {0};
    char last = '\0';

    if (pyb_str_check(s) < 0)
        return NULL;
    if (PyUnicode_IS_ASCII(s))
        return Py_NewRef(s);
    for (const char *p = pyb_str_text(s); p < pyb_str_end(s) && last != '?';) {
        last = in_ascii(pyb_utf8_next(&p));
        PYB_ASSERT_OBJECT(p <= pyb_str_end(s), s);
        if (pyb_text_repeat(&out, last, 1) < 0) {
            pyb_text_drop(&out);
            return NULL;
        }
    }
    return pyb_text_finish(&out);
}
