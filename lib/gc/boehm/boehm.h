/* boehm.h: all that the library asks of the Boehm collector: of its heap
   (alloc.c), its collections (collections.c; quiet.c: without finalizers), its
   marks (query.c; reserve.c: what these need), its finalizers (sentinel.c) and
   its threads (threads.c); mallocscan.c tries what it scans.

   The files of this directory are the only ones that include Boehm's headers;
   here is what they offer to the others.  Manners towards a host that uses
   Boehm itself are kept there: hooks are chained, no process-wide switch is
   changed for good. internals: hooks

   Manual of the collector: gc.h, gc_mark.h and gc_inline.h of bdwgc. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BOEHM_BOEHM_H
#define PYB_GC_BOEHM_BOEHM_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "pyboehm/watch.h"

/* A mark that is under way, from the view of the keep hook. */
struct pyb_boehm_marking;

/* The collector, as Boehm's client: what Boehm calls.  Roots, seen and keep
   run with Boehm's lock held, roots with the world stopped, too, keep with the
   world running again: they read the side table and call pyb_boehm_push,
   pyb_boehm_mark, pyb_boehm_is_marked, pyb_boehm_keep, pyb_boehm_keeps or
   pyb_boehm_size, and do nothing else, but that keep notes in the side table
   which were marked. */
struct pyb_boehm_client {
    void (*roots)(void); /* push what is strong */
    /* The mark is over, the world stopped or Boehm's lock held: does it lead
       to what a query is about?  pyb_boehm_is_marked tells. */
    int (*seen)(void);
    /* The mark is over: keep intact what a query is about. */
    void (*keep)(struct pyb_boehm_marking *marking);
    void (*found)(void); /* the sentinel's finalizer is called */
};

/* pyb_boehm_init: makes our kinds of blocks, for objects and tokens, and
   chains the hooks.  Boehm knows this thread: it may collect here. */
void pyb_boehm_init(const struct pyb_boehm_client *client);

/* pyb_boehm_fini: takes the hooks out; what stands under a host's hook only
   calls the next one from here on.  pyb_boehm_init may follow. */
void pyb_boehm_fini(void);

/* pyb_boehm_malloc_only: from here on blocks are malloc's: each is allocated
   alone, and freed at once; Boehm does not mark them, and scans what their
   bodies refer to all the same.  -1 where malloc does not tell how large a
   block is. */
int pyb_boehm_malloc_only(void);

/* pyb_boehm_alloc_many: a chain of zeroed blocks of our kind, each of size
   bytes (a multiple of 16, at most PYB_BLOCK_MAX), linked through their first
   words; NULL if there is no memory, or one block, perhaps larger, if the
   host's GC_oom_fn has one.  May collect and run finalizers. */
void *pyb_boehm_alloc_many(size_t size);

/* pyb_boehm_alloc_more: the same with what Boehm has itself: the host is not
   asked. */
void *pyb_boehm_alloc_more(size_t size);

/* pyb_boehm_alloc: one zeroed block of our kind of any size, or NULL. */
void *pyb_boehm_alloc(size_t size);

/* pyb_boehm_free: gives one block back at once. */
void pyb_boehm_free(void *block);

/* pyb_boehm_size: the size in bytes that a block really has. */
size_t pyb_boehm_size(const void *block);

/* pyb_boehm_base: the beginning of the block of Boehm's heap, ours or the
   host's, that an address lies in; NULL of any other address. */
void *pyb_boehm_base(const void *address);

/* pyb_boehm_begins_chunk: does one of the chunks that Boehm has mapped begin
   with this block?  No memory of Boehm's lies right below it. */
int pyb_boehm_begins_chunk(const void *block);

/* pyb_boehm_set_sentinel: makes the sentinel, a block without pointers that
   nothing refers to, and that has a finalizer.  When Boehm next collects, it
   finds the block unreachable, whatever stale words point there, and
   GC_invoke_finalizers calls client.found(), in any thread.  There is one at a
   time.  0, or -1 if there is no memory or Boehm takes no finalizers.  May
   collect and run finalizers. */
int pyb_boehm_set_sentinel(void);

/* pyb_boehm_drop_sentinel: the sentinel, if there is one, is not needed any
   more: client.found() is not called for it unless some thread is about to. */
void pyb_boehm_drop_sentinel(void);

/* pyb_boehm_watch_finalizers, pyb_boehm_unwatch_finalizers: between them
   pyb_boehm_host_finalized says whether a finalizer of the host's may have
   run: one was in Boehm's queue, or has come there since. */
void pyb_boehm_watch_finalizers(void);
int pyb_boehm_host_finalized(void);
void pyb_boehm_unwatch_finalizers(void);

/* pyb_boehm_abandon: calls of these functions may have been left by jumps:
   none is under way. */
void pyb_boehm_abandon(void);

/* pyb_boehm_calls_back: does Boehm run finalizers when it is asked to collect?
   Not while the host forbids collections, runs finalizers on demand, or looks
   for leaks. */
int pyb_boehm_calls_back(void);

/* pyb_boehm_mark_query: collects, with client.keep() called from the end of
   the mark on, before disappearing links are cleared or anything is finalized.
   The host's finalizers run, but for some final queries: see
   pyb_boehm_run_finalizers. */
enum pyb_answer {
    PYB_NO_MEMORY = -2,
    PYB_NO_ANSWER, /* Boehm did not collect, could not have kept anything, or
                      looks for leaks */
    PYB_SETTLED,
    PYB_FINALIZERS, /* objects of the host that can lead to others were found
                       to finalize */
    PYB_SEEN,       /* a final query: client.seen() has said so; it became an
                       ordinary one, and client.keep() was called as in one */
    PYB_HOST_RAN    /* a final query: code of the host's has run since the
                       mark; what it has got hold of is not known */
};
enum pyb_answer pyb_boehm_mark_query(void);

/* pyb_boehm_final_mark_query: the same as pyb_boehm_mark_query, with
   client.keep() called only when disappearing links to what is not marked have
   been cleared, what is to be finalized has been queued, and what ordered
   finalizers still wait for has been marked: blocks of the host's are
   finalized that only members lead to.  If one of these is seen, that would be
   too early (PYB_SEEN).  PYB_FINALIZERS, too, if Boehm has collected before it
   could be asked, or would first run finalizers.  PYB_SETTLED: no code of the
   host's has run since the mark, nor was another thread attached. */
enum pyb_answer pyb_boehm_final_mark_query(void);

/* pyb_boehm_reserve: takes what a query needs of Boehm's memory, so that there
   is an answer when that is exhausted.  May collect and run finalizers. */
void pyb_boehm_reserve(void);

/* pyb_boehm_run_finalizers: those that final queries have kept from running,
   if there are any; or tells the host of them, on demand. */
void pyb_boehm_run_finalizers(void);

/* pyb_boehm_keeps: in client.roots(): will client.keep() be called?  If
   not, what a query is about must be pushed. */
int pyb_boehm_keeps(void);

/* pyb_boehm_keep: in client.keep(): marks the blocks that the words of so many
   bytes refer to, and all they reach. */
void pyb_boehm_keep(struct pyb_boehm_marking *marking, void *begin,
                    size_t bytes);

/* pyb_boehm_add_roots: has Boehm scan memory from begin up to end, hook
   or no hook; pyb_boehm_remove_roots: no longer.  Neither runs finalizers. */
void pyb_boehm_add_roots(void **begin, void **end);
void pyb_boehm_remove_roots(void **begin, void **end);

/* pyb_boehm_push: in client.roots(): marks the blocks that the pointers from
   begin up to end refer to, and all they reach. */
void pyb_boehm_push(void **begin, void **end);

/* pyb_boehm_mark: in client.roots() and client.keep(): marks a block, but not
   what it refers to. */
void pyb_boehm_mark(void *block);

/* pyb_boehm_is_marked: in client.seen() and client.keep(): has the mark found
   a block? */
int pyb_boehm_is_marked(const void *block);

/* pyb_boehm_scans_malloc: does what stands in malloc's memory keep blocks of
   Boehm's?  0 also as long as that is not known: until Boehm has collected
   twice after pyb_boehm_begin_scan.
   pyb_boehm_prepare_scan: takes the memory that this needs of malloc's.
   pyb_boehm_begin_scan: makes blocks of Boehm's to find it out; finalizers may
   run.  Where there is no memory, a later call does. */
void pyb_boehm_prepare_scan(void);
void pyb_boehm_begin_scan(void);
int pyb_boehm_scans_malloc(void);

/* pyb_boehm_code: an address in Boehm's code. */
uintptr_t pyb_boehm_code(void);

/* pyb_boehm_collections: how many collections Boehm has done. */
unsigned long pyb_boehm_collections(void);

/* pyb_boehm_collect: a whole collection, finalizers included unless the host
   runs them on demand.  With give_back, unused memory goes back to the
   system. */
void pyb_boehm_collect(int give_back);

/* pyb_boehm_count_live: tells Boehm of so many more (or less) bytes that it
   cannot gain by collecting. */
void pyb_boehm_count_live(ptrdiff_t bytes);

/* pyb_boehm_live: the sum of these. */
ptrdiff_t pyb_boehm_live(void);

/* pyb_boehm_allow_threads: from here on a thread that Boehm does not know may
   have itself registered, whoever uses Boehm meanwhile; the thread that calls
   this is one that Boehm knows.  Boehm goes over to its manner for several
   threads, as when the host makes its first: it takes its lock, and may start
   threads that mark.  Done once. */
void pyb_boehm_allow_threads(void);

/* pyb_boehm_register_thread: makes this thread known to Boehm; 1, or 0 if it
   was.  Begins Boehm if need be.  Fatal if the thread is not known and Boehm
   has not been told of threads.
   ending: it runs the destructors of its keys; Boehm may list such a thread,
   but no longer stops it.
   pyb_boehm_unregister_thread: takes it back. */
int pyb_boehm_register_thread(int ending);
void pyb_boehm_unregister_thread(void);

/* pyb_boehm_let_signals: takes out of a set that is to be blocked the signals
   by which Boehm stops and restarts threads, and those of writes to protected
   pages. */
void pyb_boehm_let_signals(sigset_t *set);

/* pyb_boehm_finds_leaks: does the host have Boehm report what is lost, in
   place of collecting it?  Then all has to be freed by hand. */
int pyb_boehm_finds_leaks(void);

/* pyb_boehm_finalizers_on_demand: does the host run finalizers itself? */
int pyb_boehm_finalizers_on_demand(void);

/* pyb_boehm_tells_host: will the next collection tell the host, which runs
   finalizers on demand, of those that are due? */
int pyb_boehm_tells_host(void);

/* pyb_boehm_heap_bytes: the size of Boehm's heap, with what is unmapped. */
size_t pyb_boehm_heap_bytes(void);

/* pyb_boehm_used_bytes: how much of Boehm's heap is in use, as far as it
   knows: what died since its last collection counts. */
size_t pyb_boehm_used_bytes(void);

/* pyb_boehm_stats: Boehm's figures, and the pauses that its events have told
   of since pyb_boehm_init. */
void pyb_boehm_stats(PyBoehm_BoehmStats *stats);

#endif /* PYB_GC_BOEHM_BOEHM_H */
