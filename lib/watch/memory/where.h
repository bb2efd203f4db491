/* where.h: the place of a function in the program. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_WHERE_H
#define PYB_WATCH_MEMORY_WHERE_H

#include <stdio.h>

/* pyb_where_print: prints " [NAME in LIBRARY, FILE:LINE]", as far as it is
   known; nothing for NULL.  The address may be any number. */
void pyb_where_print(const void *function, FILE *file);

#endif /* PYB_WATCH_MEMORY_WHERE_H */
