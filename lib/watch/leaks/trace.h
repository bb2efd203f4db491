/* trace.h: the chains of calls that allocated objects: PYBOEHM_TRACE.

   There is one record for each address at which an object was made; a later
   object replaces it.  Records do not tell whether a container is alive; the
   callers know that.  The records are in malloc memory, which Boehm does not
   scan, and contain no plain addresses. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LEAKS_TRACE_H
#define PYB_WATCH_LEAKS_TRACE_H

#include <stdio.h>

#include "object.h"

/* pyb_trace_begin: starts to record allocations, if PYBOEHM_TRACE asks for it.
   pyb_trace_end: stops, and drops the records. */
void pyb_trace_begin(void);
void pyb_trace_end(void);

/* pyb_trace_is_on: are allocations recorded?
   pyb_trace_is_possible: could they be? */
int pyb_trace_is_on(void);
int pyb_trace_is_possible(void);

/* pyb_trace_made: an object has been made.
   pyb_trace_freed: an object that is not a container has been freed, or, if
   moved is not NULL, moved there; other memory, which has no record, is
   ignored. */
void pyb_trace_made(PyObject *op);
void pyb_trace_freed(void *op, void *moved);

/* pyb_trace_print_made: prints where the object at an address was made, if
   that was recorded. */
void pyb_trace_print_made(const void *op, FILE *file);

/* pyb_trace_unseen: an adopted object goes since Boehm has not seen it; the
   member of struct pyb_events. */
void pyb_trace_unseen(const PyObject *op);

/* pyb_trace_history: prints where the object at an address was made and freed,
   and the calls that are under way. */
void pyb_trace_history(const void *op, FILE *file);

/* pyb_trace_of: the number of the chain of calls that made the object at an
   address, counted from one; 0 if it is not known.
   pyb_trace_chains: the number of chains. */
size_t pyb_trace_of(const void *address);
size_t pyb_trace_chains(void);

/* pyb_trace_plain: calls each() for the recorded objects in malloc memory that
   still look alive. */
void pyb_trace_plain(void (*each)(PyObject *op, void *arg), void *arg);

/* pyb_trace_each: calls each() with the name of each function of a chain, the
   outermost first; a place in a file if it has none.  pyb_srclines_end
   (memory/srclines.h) is due afterwards. */
void pyb_trace_each(size_t chain, void (*each)(const char *name, void *arg),
                    void *arg);

/* pyb_trace_print: prints a chain, a line for each function, the innermost
   first. */
void pyb_trace_print(size_t chain, FILE *file);

#endif /* PYB_WATCH_LEAKS_TRACE_H */
