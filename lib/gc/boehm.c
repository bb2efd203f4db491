/* boehm.c: the Boehm collector, seen from here.  See boehm.h. */

#include "Python.h"

#include "gc/boehm.h"

/* Its threads, as far as to ask for their signals. */
#ifndef GC_THREADS
#define GC_THREADS
#endif
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>
#include <gc/gc_inline.h>
#include <gc/gc_mark.h>

/* Set once, before the first block exists. */
static struct {
    const struct pyb_boehm_hooks *hooks;
    unsigned kind;
    GC_push_other_roots_proc next_push_roots;
    GC_on_collection_event_proc next_event;
} boehm;

/* Boehm has one slot for this hook, and its default pushes the stacks of the
   threads: what stood there before must go on working. */
static void GC_CALLBACK
push_roots(void)
{
    if (boehm.next_push_roots != NULL)
        boehm.next_push_roots();
    boehm.hooks->roots();
}

static void GC_CALLBACK
on_event(GC_EventType event)
{
    if (event == GC_EVENT_MARK_END)
        boehm.hooks->marked();
    if (boehm.next_event != NULL)
        boehm.next_event(event);
}

void
pyb_boehm_init(const struct pyb_boehm_hooks *hooks)
{
    if (!GC_is_init_called())
        GC_INIT();
    boehm.hooks = hooks;
    /* Scanned conservatively over its length, cleared when handed out. */
    boehm.kind = GC_new_kind(GC_new_free_list(), 0 | GC_DS_LENGTH, 1, 1);
    boehm.next_push_roots = GC_get_push_other_roots();
    GC_set_push_other_roots(push_roots);
    boehm.next_event = GC_get_on_collection_event();
    GC_set_on_collection_event(on_event);
}

void *
pyb_boehm_alloc(size_t size)
{
    return GC_generic_malloc(size, (int)boehm.kind);
}

void *
pyb_boehm_alloc_many(size_t size)
{
    void *chain = NULL;

    GC_generic_malloc_many(size, (int)boehm.kind, &chain);
    if (chain != NULL)
        return chain;
    /* That did not ask the host's function for the lack of memory; this does.
     */
    chain = pyb_boehm_alloc(size);
    if (chain != NULL)
        *(void **)chain = NULL;
    return chain;
}

void
pyb_boehm_free(void *block)
{
    GC_FREE(block);
}

size_t
pyb_boehm_size(const void *block)
{
    return GC_size(block);
}

void *
pyb_boehm_alloc_array(size_t size)
{
    return GC_MALLOC(size);
}

int
pyb_boehm_finalize(void *array, void (*finalizer)(void *, void *), void *data)
{
    GC_finalization_proc old;
    void *old_data;

    /* Boehm reports its lack of memory through the old finalizer: it leaves
       the variable alone then. */
    old = finalizer;
    GC_REGISTER_FINALIZER_NO_ORDER(array, finalizer, data, &old, &old_data);
    return old == finalizer ? -1 : 0;
}

int
pyb_boehm_unfinalize(void *array)
{
    GC_finalization_proc old = NULL;
    void *old_data;

    GC_REGISTER_FINALIZER_NO_ORDER(array, 0, 0, &old, &old_data);
    return old != NULL;
}

void
pyb_boehm_push(void **begin, void **end)
{
    GC_push_all_eager(begin, end);
}

void
pyb_boehm_mark(void *block)
{
    GC_set_mark_bit(block);
}

void
pyb_boehm_unmark(void *block)
{
    GC_clear_mark_bit(block);
}

/* Boehm unmaps what has been free for some collections. */
enum { UNMAP_AGE = 4 };

void
pyb_boehm_collect(int give_back)
{
    if (!give_back)
        GC_gcollect();
    else
        for (int i = 0; i < UNMAP_AGE; i++)
            GC_gcollect_and_unmap();
}

static void *GC_CALLBACK
add_non_gc_bytes(void *bytes)
{
    ptrdiff_t sum = (ptrdiff_t)GC_get_non_gc_bytes() + *(ptrdiff_t *)bytes;

    GC_set_non_gc_bytes(sum > 0 ? (GC_word)sum : 0);
    return NULL;
}

void
pyb_boehm_count_live(ptrdiff_t bytes)
{
    /* Boehm changes the figure too, under its lock. */
    GC_call_with_alloc_lock(add_non_gc_bytes, &bytes);
}

void
pyb_boehm_let_signals(sigset_t *set)
{
    int numbers[] = {GC_get_suspend_signal(), GC_get_thr_restart_signal()};

    for (int i = 0; i < 2; i++)
        if (numbers[i] > 0)
            sigdelset(set, numbers[i]);
}

int
pyb_boehm_finalizers_on_demand(void)
{
    return GC_get_finalize_on_demand();
}

size_t
pyb_boehm_used_bytes(void)
{
    return GC_get_heap_size() - GC_get_free_bytes();
}
