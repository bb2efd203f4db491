/* stdstream.h: sys.stdout and sys.stderr. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_STDSTREAM_H
#define PYB_OBJECT_MODULE_STDSTREAM_H

#include "Python.h"

#include <stdio.h>

extern PyTypeObject pyb_stdstream_type;

/* pyb_stdstream_add: gives the module sys its streams.  0, or -1 with an
   exception. */
int pyb_stdstream_add(PyObject *sys);

/* A text for sys.stderr, which is written into file first.

   pyb_stdstream_open: file is the C library's stream that sys.stderr is, or,
   where the program has put another object there, memory; and the C library's
   standard error where there is nothing, or no memory, or None, which is not
   to be silent.
   pyb_stdstream_put: writes a str; -1 if it cannot be encoded.
   pyb_stdstream_close: the object gets the text by its write(), and flush() is
   called if there is one; None gets nothing.  What it does not take goes to
   the C library's standard error.  No exception is pending before these, nor
   afterwards. */
struct pyb_stdstream {
    FILE *file;
    PyObject *stream; /* NULL: file is the C library's */
    char *text;
    size_t size;
};
void pyb_stdstream_open(struct pyb_stdstream *out, int none_is_silent);
int pyb_stdstream_put(struct pyb_stdstream *out, PyObject *text);
void pyb_stdstream_close(struct pyb_stdstream *out);

/* pyb_stdstream_write_stderr: printf to the C library's stream, whatever
   sys.stderr is; at most 1000 bytes of text. */
void pyb_stdstream_write_stderr(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif /* PYB_OBJECT_MODULE_STDSTREAM_H */
