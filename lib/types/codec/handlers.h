/* handlers.h: error handlers, which say what stands in place of bytes and
   characters that an encoding does not have. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CODEC_HANDLERS_H
#define PYB_TYPES_CODEC_HANDLERS_H

#include "Python.h"

/* The handlers that a codec can apply without making an exception.  All others
   are called through the registry. */
enum pyb_handler {
    PYB_HANDLER_UNSET, /* not looked for yet */
    PYB_HANDLER_OTHER,
    PYB_HANDLER_IGNORE,
    PYB_HANDLER_REPLACE,
    PYB_HANDLER_BACKSLASHREPLACE,
    PYB_HANDLER_XMLCHARREFREPLACE,
    PYB_HANDLER_SURROGATEESCAPE
};

/* pyb_handlers_kind: the handler by its name; NULL is strict. */
enum pyb_handler pyb_handlers_kind(const char *errors);

/* pyb_handlers_escape: writes the ASCII text, without a NUL, that stands for a
   character with replace ("?"), xmlcharrefreplace ("&#233;") or
   backslashreplace ("\xe9",
   "\u20ac", "\U0001f600"); returns its length. */
enum { PYB_ESCAPE_LONGEST = 10 };
int pyb_handlers_escape(char out[PYB_ESCAPE_LONGEST + 1], Py_UCS4 ch,
                        enum pyb_handler handler);

/* surrogateescape: a byte of 128 or more that cannot be decoded becomes the
   surrogate of the same number above U+DC00, and that one the byte again. */
static inline int
pyb_handlers_is_escaped(Py_UCS4 ch)
{
    return ch >= 0xdc80 && ch <= 0xdcff;
}

/* pyb_handlers_fini: forgets the handlers that were registered. */
void pyb_handlers_fini(void);

#endif /* PYB_TYPES_CODEC_HANDLERS_H */
