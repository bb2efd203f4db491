/* dealloc.h: what the collector's start has to tell dealloc.c. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_DEALLOC_H
#define PYB_GC_DEALLOC_H

/* pyb_dealloc_init: there are checks from now on, or there are none. */
void pyb_dealloc_init(void);

#endif /* PYB_GC_DEALLOC_H */
