/* heaplines.h: visits all of the heap's lines, whatever they contain. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LINES_H
#define PYB_WATCH_LINES_H

#include "gc/heap/sidetable.h"

/* pyb_heaplines_each: calls each() for all lines that may have blocks of
   pyboehm's, until a call returns another number than 0; returns that
   number. */
int pyb_heaplines_each(int (*each)(const struct pyb_line *line, void *arg),
                       void *arg);

#endif /* PYB_WATCH_LINES_H */
