/* private.h: what the files of this directory share: Boehm's headers, and the
   state that all of them look at. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BOEHM_PRIVATE_H
#define PYB_GC_BOEHM_PRIVATE_H

#include <atomic_ops.h>

/* Its threads: they are registered, and asked for their signals. */
#ifndef GC_THREADS
#define GC_THREADS
#endif
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/gc_inline.h>
#include <gc/gc_mark.h>

#include "gc/boehm/boehm.h"

struct pyb_boehm {
    const struct pyb_boehm_client *client;
    int marked; /* a mark has ended, and Boehm still has its lock */
};
extern struct pyb_boehm pyb_boehm;

/* pyb_boehm_make_kinds: once, before the first block; with the mark procedure
   of tokens. */
void pyb_boehm_make_kinds(GC_mark_proc mark_token);

/* pyb_boehm_new_token: a cleared block that our own mark procedure is called
   for, or NULL. */
GC_word *pyb_boehm_new_token(void);

/* pyb_mallocscan_end: the library ends: pyb_boehm_scans_malloc need not be
   known any more. */
void pyb_mallocscan_end(void);

#endif /* PYB_GC_BOEHM_PRIVATE_H */
