/* plains.h: with checks: objects in malloc memory, which are no containers.

   Behind each of them stands a redzone, and it waits in quarantine when it was
   freed.  What is known of them stands beside them, not in front: their
   addresses are malloc's, and those that a type makes and frees in ways of its
   own do no harm. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_PLAINS_H
#define PYB_GC_CHECK_PLAINS_H

#include <stddef.h>

#include "object.h"

/* pyb_plains_alloc: malloc of so many bytes for an object of that size, which
   may be smaller; with a redzone behind that, unless it is too small for an
   object.  Zeroed, or filled with junk. */
void *pyb_plains_alloc(size_t size, size_t bytes, int zero);

/* pyb_plains_realloc: the same object with another size; NULL, and nothing has
   changed, without memory. */
void *pyb_plains_realloc(void *ptr, size_t size);

/* pyb_plains_has: was it allocated here, and is it not freed?
   pyb_plains_is_dead: was it freed, and does it wait? */
int pyb_plains_has(const void *ptr);
int pyb_plains_is_dead(const void *ptr);

/* pyb_plains_freeing: fatal if it was freed, or something was written behind
   it; nothing for what was allocated elsewhere.
   pyb_plains_free: frees it then, or has it wait. */
void pyb_plains_freeing(const void *ptr);
void pyb_plains_free(void *ptr);

/* pyb_plains_begin_visits: a collection begins to visit.  pyb_plains_visit:
   fatal if parent's visit to op is one more than its references. */
void pyb_plains_begin_visits(void);
void pyb_plains_visit(PyObject *parent, PyObject *op);

/* pyb_plains_check: fatal if something was written behind a living one. */
void pyb_plains_check(void);

#endif /* PYB_GC_CHECK_PLAINS_H */
