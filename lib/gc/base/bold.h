/* bold.h: headlines on a terminal. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_BOLD_H
#define PYB_GC_BASE_BOLD_H

#include <stdio.h>

/* pyb_bold, pyb_regular: what begins and ends bold text in a file that is a
   terminal; empty, if it is none, if TERM is dumb or unset, or if NO_COLOR is
   set.  Static; errno stays. */
const char *pyb_bold(FILE *file);
const char *pyb_regular(FILE *file);

#endif /* PYB_GC_BASE_BOLD_H */
