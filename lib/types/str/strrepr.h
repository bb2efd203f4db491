/* strrepr.h: functions of strrepr.c for bytes and bytearray. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_STRREPR_H
#define PYB_TYPES_STR_STRREPR_H

#include "types/str/text.h"

/* The quotes around bytes: always single ones; those that need fewer escapes;
   or the latter, with single quotes escaped in any case, as for a
   bytearray. */
enum pyb_quotes { PYB_QUOTES_SINGLE, PYB_QUOTES_SMART, PYB_QUOTES_BYTEARRAY };

/* pyb_strrepr_bytes: appends the repr of bytes.  0, or -1 with MemoryError. */
int pyb_strrepr_bytes(struct pyb_text *out, const char *bytes, Py_ssize_t size,
                      enum pyb_quotes quotes);

#endif /* PYB_TYPES_STR_STRREPR_H */
