/* bigstack.h: calls that need more stack than a host's threads and fibers may
   have. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_BIGSTACK_H
#define PYB_WATCH_BIGSTACK_H

/* pyb_bigstack_call: calls function(arg) with at least PYB_BIGSTACK bytes of
   stack: here if they are left, else in a thread that is made for it and has
   ended when this returns.  That one is neither attached nor known to Boehm,
   so the function leaves objects and Boehm's heap alone.  -1 if the system
   has no thread; the function was not called then. */
enum { PYB_BIGSTACK = 512 * 1024 }; /* libdw wants more than 128 KiB */
int pyb_bigstack_call(void (*function)(void *), void *arg);

#endif /* PYB_WATCH_BIGSTACK_H */
