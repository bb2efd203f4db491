/* codecs.h: the table of encodings; what codecs.c knows of each of them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CODECS_H
#define PYB_TYPES_CODECS_H

#include "types/text.h"

/* struct pyb_codec: an encoding.  limit is the first character that it does
   not have, the bytes are then the characters; or 0 for UTF-8. */
struct pyb_codec {
    const char *name; /* as exceptions have it */
    Py_UCS4 limit;
    const char *reason; /* why a character cannot be encoded */
};

/* pyb_codecs_decode_error: handles length bytes at start that cannot be
   decoded, appending what the error handler puts in their place.  0, or -1
   with UnicodeDecodeError, LookupError or MemoryError. */
struct pyb_decode_fault {
    const struct pyb_codec *codec;
    const char *bytes; /* all of the input */
    Py_ssize_t size;
    Py_ssize_t start, length; /* what is at fault */
    const char *reason;
};
int pyb_codecs_decode_error(struct pyb_text *out, const char *errors,
                            const struct pyb_decode_fault *fault);

/* pyb_codecs_encode_error: the same for the characters start to end of the str
   that cannot be encoded; what is appended are bytes. */
struct pyb_encode_fault {
    const struct pyb_codec *codec;
    PyObject *str;
    Py_ssize_t start, end;
};
int pyb_codecs_encode_error(struct pyb_text *out, const char *errors,
                            const struct pyb_encode_fault *fault);

#endif /* PYB_TYPES_CODECS_H */
