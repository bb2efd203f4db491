/* trace.h: where objects were allocated: PYBOEHM_TRACE.

   A record for each address at which an object was made, the last one counts;
   of containers whoever asks knows which are alive.  The memory is
   malloc's, which Boehm does not see, and has no address in plain sight. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_TRACE_H
#define PYB_WATCH_TRACE_H

#include <stdio.h>

#include "object.h"

/* pyb_trace_begin: from here on allocations are recorded, if PYBOEHM_TRACE
   says so.  pyb_trace_end: no longer; drops the records. */
void pyb_trace_begin(void);
void pyb_trace_end(void);

/* pyb_trace_made: an object has been made.  pyb_trace_freed: one that is no
   container has been freed, or lies elsewhere now, if moved is not NULL; or it
   is other memory, which has no record. */
void pyb_trace_made(PyObject *op);
void pyb_trace_freed(void *op, void *moved);

/* pyb_trace_of: the number of the chain of calls that made what stands at the
   address, from one on; 0 if nobody knows.  pyb_trace_chains: how many there
   are. */
size_t pyb_trace_of(const void *address);
size_t pyb_trace_chains(void);

/* pyb_trace_plain: calls each() for the objects with a record that live in
   malloc memory, as far as what stands there looks like them. */
void pyb_trace_plain(void (*each)(PyObject *op, void *arg), void *arg);

/* pyb_trace_print: writes a chain, the innermost function first, a line for
   each. */
void pyb_trace_print(size_t chain, FILE *file);

#endif /* PYB_WATCH_TRACE_H */
