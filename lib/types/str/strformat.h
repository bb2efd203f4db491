/* strformat.h: functions of strformat.c besides the API. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STR_STRFORMAT_H
#define PYB_TYPES_STR_STRFORMAT_H

#include "types/str/text.h"

/* pyb_strformat_write: appends the text of PyUnicode_FromFormat.  0, or -1
   with an exception, and then a part may be appended. */
int pyb_strformat_write(struct pyb_text *out, const char *format, va_list va);

#endif /* PYB_TYPES_STR_STRFORMAT_H */
