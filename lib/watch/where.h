/* where.h: where in the program a function stands. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHERE_H
#define PYB_WATCH_WHERE_H

#include <stdio.h>

/* pyb_where_print: " [NAME in LIBRARY, FILE:LINE]", as much of it as is known;
   nothing at all of NULL.  Any address will do. */
void pyb_where_print(const void *function, FILE *file);

#endif /* PYB_WATCH_WHERE_H */
