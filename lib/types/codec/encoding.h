/* encoding.h: what all encoders that can fail have in common. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CODEC_ENCODING_H
#define PYB_TYPES_CODEC_ENCODING_H

#include "types/codec/handlers.h"
#include "types/str/text.h"

/* struct pyb_encoder: an encoding.  put appends the bytes of a character and
   returns 1, or 0 if the encoding does not have it.  has does not append; its
   NULL says that each character without bytes is treated alone, and not
   together with those that follow.  Both return -1 with an exception. */
struct pyb_encoding;
struct pyb_encoder {
    const char *name;   /* as exceptions have it */
    const char *reason; /* why a character has no bytes */
    int unit;           /* the size of a replacement is a multiple of that */
    Py_UCS4 plain;      /* replacements have only characters below that */
    int (*has)(const struct pyb_encoding *encoding, Py_UCS4 ch);
    int (*put)(struct pyb_encoding *encoding, Py_UCS4 ch);
};

/* struct pyb_encoding: a str that becomes bytes.  The caller sets the first
   five fields, and may have begun out; the others are zero. */
struct pyb_encoding {
    const struct pyb_encoder *encoder;
    const char *errors; /* the handler's name; NULL is strict */
    PyObject *str;      /* borrowed */
    PyObject *mapping;  /* borrowed; only a charmap has one */
    int big;            /* are code units big endian?  See units.h */
    struct pyb_text out;
    Py_UCS4 *chars;
    Py_ssize_t length;
    enum pyb_handler kind;
    PyObject *handler, *exception; /* owned; NULL before the first call */
};

/* pyb_encoding_run: encodes it; frees what it owns and returns the bytes, or
   NULL with an exception. */
PyObject *pyb_encoding_run(struct pyb_encoding *encoding);

#endif /* PYB_TYPES_CODEC_ENCODING_H */
