/* hooks.h: the hooks that Boehm calls, whatever the host does with the
   slots that they stand in.
   internals: hooks */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BOEHM_HOOKS_H
#define PYB_GC_BOEHM_HOOKS_H

#include "gc/boehm/private.h"

/* All are called with Boehm's lock held. */
struct pyb_hook_calls {
    void (*begun)(void);  /* marking begins, or begins again */
    void (*roots)(void);  /* push the roots; perhaps several times */
    void (*marked)(void); /* marking is done, nothing is reclaimed yet */
    void (*done)(void);   /* what is reclaimed is */
};

/* pyb_hooks_begin: has Boehm call these from here on.
   pyb_hooks_end: no longer; pyb_hooks_begin may follow. */
void pyb_hooks_begin(const struct pyb_hook_calls *calls);
void pyb_hooks_end(void);

/* pyb_hooks_repair: before our code has Boehm make blocks or collect: puts
   right what the hooks have noticed of a host that took their slots, and warns
   its author, once. */
void pyb_hooks_repair(void);

/* pyb_hooks_see_mark: in roots: has begun been called, so that marked will be
   called, too? */
int pyb_hooks_see_mark(void);

#endif /* PYB_GC_BOEHM_HOOKS_H */
