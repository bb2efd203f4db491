/* aligned.h: functions that begin a cache line. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_ALIGNED_H
#define PYB_GC_BASE_ALIGNED_H

/* For a function that is called, or loops, for each reference in a collection:
   a change elsewhere, which moves it, would be felt by a tenth in a list of
   many references. */
#define PYB_LINE_ALIGNED __attribute__((aligned(64)))

#endif /* PYB_GC_BASE_ALIGNED_H */
