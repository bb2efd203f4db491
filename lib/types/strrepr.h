/* strrepr.h: what strrepr.c offers to bytes and bytearray. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STRREPR_H
#define PYB_TYPES_STRREPR_H

#include "types/text.h"

/* pyb_strrepr_bytes: appends the repr of bytes; quotes are always single ones
   unless smart.  0, or -1 with MemoryError. */
int pyb_strrepr_bytes(struct pyb_text *out, const char *bytes, Py_ssize_t size,
                      int smart);

#endif /* PYB_TYPES_STRREPR_H */
