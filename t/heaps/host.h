/* host.h: the host's side: blocks in Boehm's heap, with finalizers of their
   own, roots, and another thread. */

#ifndef T_HEAPS_HOST_H
#define T_HEAPS_HOST_H

#include "objects.h"

struct block {
    struct identity id;
    void *slots[EDGES];
};

struct host_hooks {
    void (*final)(struct identity id); /* a block's finalizer is called */
    /* Boehm begins a collection; its lock is held. */
    void (*marking)(void);
    void (*after)(void); /* see host_after_each */
    /* Boehm asks what a toggle reference is from now on; its lock is held. */
    enum toggle (*toggled)(const void *thing);
};
extern struct host_hooks host_hooks;

/* host_init: for the hooks that are set. */
void host_init(void);

/* block_new: a block with a finalizer. */
struct block *block_new(struct identity id, enum pending finalizer);

/* host_watch: a long link: *hidden is cleared when Boehm reclaims the block or
   the object; host_unwatch: not any more.  host_watched: what a link of any
   thread's has, which Boehm may be about to clear. */
void host_watch(void *thing, uintptr_t *hidden);
void host_unwatch(uintptr_t *hidden);
uintptr_t host_watched(uintptr_t *hidden);

/* host_toggle: makes a toggle reference to a block or an object. */
void host_toggle(void *thing, enum toggle toggle);

/* host_array: n pointers, which Boehm scans. */
void *host_array(size_t n);

/* host_roots: n pointers that Boehm takes for roots, until host_forget. */
void **host_roots(size_t n);
void host_forget(void **roots);

/* host_collect: has Boehm collect. */
void host_collect(void);

/* host_grow: has Boehm map one more chunk of its heap. */
void host_grow(void);

/* host_after_each: with 1, host_hooks.after is called after each collection of
   Boehm's, by a finalizer that registers itself again; with 0, no longer. */
void host_after_each(int wish);

/* host_run_finalizers: those that Boehm has queued.  host_waits: does Boehm
   still have finalizers to call?  Where a collection is asked for in one, it
   may leave the next ones for later. */
void host_run_finalizers(void);
int host_waits(void);

/* host_on_demand: with 1, finalizers wait until it is called with 0;
   host_turn: turns that switch, and runs nothing; host_is_on_demand: how it
   stands. */
void host_on_demand(int wish);
void host_turn(void);
int host_is_on_demand(void);

/* host_let_in: detaches, while another thread attaches, calls the function and
   detaches. */
void host_let_in(void (*function)(void));

#endif /* T_HEAPS_HOST_H */
