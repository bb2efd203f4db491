/* peek.h: reads memory that may not be there. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_PEEK_H
#define PYB_GC_BASE_PEEK_H

#include <stddef.h>
#include <sys/types.h>

/* pyb_peek: copies n bytes, or as many of them from the first on as can be
   read; returns their number.  -1 with errno: EFAULT if none can be read,
   another one if the system does not tell. */
ssize_t pyb_peek(void *to, const void *from, size_t n);

#endif /* PYB_GC_BASE_PEEK_H */
