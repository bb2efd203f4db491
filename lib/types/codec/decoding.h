/* decoding.h: what all decoders have in common. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CODEC_DECODING_H
#define PYB_TYPES_CODEC_DECODING_H

#include "types/codec/handlers.h"
#include "types/str/text.h"

/* struct pyb_decoding: bytes that become a str.  A decoder sets the first four
   fields and leaves the others zero. */
struct pyb_decoding {
    const char *encoding; /* as exceptions have it */
    const char *errors;   /* the handler's name; NULL is strict */
    const char *bytes;    /* the input, which a handler may replace */
    Py_ssize_t size;
    struct pyb_text out;
    Py_ssize_t length; /* characters in out */
    enum pyb_handler kind;
    PyObject *handler, *exception; /* owned; NULL before the first call */
};

/* pyb_decoding_char: appends a character; 0, or -1 with MemoryError. */
static inline int
pyb_decoding_char(struct pyb_decoding *decoding, Py_UCS4 ch)
{
    decoding->length++;
    return pyb_text_char(&decoding->out, ch);
}

/* pyb_decoding_fault: has the error handler treat the bytes from start to end,
   which cannot be decoded for that reason, and appends its replacement.
   Returns the position to go on from, or -1 with an exception.  bytes and size
   may be others afterwards. */
Py_ssize_t pyb_decoding_fault(struct pyb_decoding *decoding, Py_ssize_t start,
                              Py_ssize_t end, const char *reason);

/* pyb_decoding_end: frees what the decoding owns and returns the str; NULL if
   it failed. */
PyObject *pyb_decoding_end(struct pyb_decoding *decoding, int failed);

#endif /* PYB_TYPES_CODEC_DECODING_H */
