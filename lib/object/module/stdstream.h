/* stdstream.h: sys.stdout and sys.stderr. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_STDSTREAM_H
#define PYB_OBJECT_MODULE_STDSTREAM_H

#include "Python.h"

extern PyTypeObject pyb_stdstream_type;

/* pyb_stdstream_add: gives the module sys its streams.  0, or -1 with an
   exception. */
int pyb_stdstream_add(PyObject *sys);

/* pyb_stdstream_write_stderr: printf to the C library's stream, whatever
   sys.stderr is; at most 1000 bytes of text. */
void pyb_stdstream_write_stderr(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif /* PYB_OBJECT_MODULE_STDSTREAM_H */
