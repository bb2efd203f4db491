/* chain.h: our hooks among those of the host.

   Boehm has one slot for each hook, and what stood there before us goes on
   working: the default in the slot for roots pushes the stacks of the threads.
   A host that comes later may do as much for us, or may not.  Without our
   roots Boehm would free every object there is, so the hooks look after each
   other.

   When marking begins, and ours does not stand in the slot for roots, another
   one is put there until the roots are pushed.  It calls the host's hook and
   then pushes our roots, unless that hook has led to our first one.  So a host
   finds in the slot what it left there.  That marking begins an event says,
   with the world stopped; should the host have taken that slot, too, there is
   the start of full collections.

   Roots that are pushed with no event before them: the slot for events is
   lost.  Its setter takes Boehm's lock, which hooks are called with, so this
   is put right when our own code comes to Boehm again.

   What stands under somebody's hook cannot be taken out.  It stays, and only
   calls the next one once the library has ended.

   Not safe from: a host that takes the slots for roots and for events with
   incremental marking on, which has collections without a start, until our
   code comes to Boehm; one that takes all three. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHAIN_H
#define PYB_GC_CHAIN_H

/* All are called with Boehm's lock held. */
struct pyb_chain_calls {
    void (*begun)(void);  /* marking begins, or begins again */
    void (*roots)(void);  /* push the roots; perhaps several times */
    void (*marked)(void); /* marking is done, nothing is reclaimed yet */
    void (*done)(void);   /* what is reclaimed is */
};

/* pyb_chain_begin: has Boehm call these from here on. */
void pyb_chain_begin(const struct pyb_chain_calls *calls);

/* pyb_chain_end: no longer.  pyb_chain_begin may follow. */
void pyb_chain_end(void);

/* pyb_chain_mend: before our code has Boehm allocate or collect: puts right
   what hooks have noticed, and tells the host's author, once. */
void pyb_chain_mend(void);

/* pyb_chain_hears: in roots: begun has been called, and so will marked be. */
int pyb_chain_hears(void);

#endif /* PYB_GC_CHAIN_H */
