/* strformat.h: what strformat.c offers besides the API. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STRFORMAT_H
#define PYB_TYPES_STRFORMAT_H

#include "types/text.h"

/* pyb_strformat_write: appends what PyUnicode_FromFormat makes.  0, or -1 with
   an exception and part of it appended. */
int pyb_strformat_write(struct pyb_text *out, const char *format, va_list va);

#endif /* PYB_TYPES_STRFORMAT_H */
