/* collections.c: Boehm's collections, from their beginning to their end.  See
   boehm.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/ownlibrary.h"
#include "gc/base/probes.h"
#include "gc/base/threadstack.h"
#include "gc/boehm/hooks.h"
#include "gc/boehm/query.h"
#include "gc/boehm/sentinel.h"

/* ------------------------------------------------------------------ */
/* Pauses                                                              */

/* Boehm's lock guards them. */
static struct {
    struct timespec begun; /* the mark; 0 while there is none */
    double total, longest;
} pauses;

static void
pause_begins(void)
{
    PYB_PROBE(boehm__start);
    clock_gettime(CLOCK_MONOTONIC, &pauses.begun);
}

static void
pause_ends(void)
{
    struct timespec end;
    double duration;

    if (pauses.begun.tv_sec == 0) /* we came in the middle of it */
        return;
    clock_gettime(CLOCK_MONOTONIC, &end);
    duration = (double)(end.tv_sec - pauses.begun.tv_sec) +
               1e-9 * (double)(end.tv_nsec - pauses.begun.tv_nsec);
    PYB_ASSERT(duration >= 0);
    pauses.begun.tv_sec = 0;
    pauses.total += duration;
    pauses.longest = Py_MAX(pauses.longest, duration);
    PYB_PROBE(boehm__done);
}

static void *GC_CALLBACK
read_figures(void *figures)
{
    PyBoehm_BoehmStats *stats = figures;
    struct GC_prof_stats_s prof;

    GC_get_prof_stats_unsafe(&prof, sizeof prof);
    PYB_ASSERT(prof.unmapped_bytes <= prof.free_bytes_full &&
               prof.free_bytes_full <= prof.heapsize_full);
    *stats = (PyBoehm_BoehmStats){
        .collections = prof.gc_no,
        .heap_bytes = prof.heapsize_full - prof.unmapped_bytes,
        .free_bytes = prof.free_bytes_full - prof.unmapped_bytes,
        .unmapped_bytes = prof.unmapped_bytes,
        .allocated_bytes = prof.bytes_allocd_since_gc,
        .total_bytes =
            prof.allocd_bytes_before_gc + prof.bytes_allocd_since_gc,
        .non_gc_bytes = prof.non_gc_bytes,
        .duration = pauses.total,
        .longest = pauses.longest,
    };
    return NULL;
}

void
pyb_boehm_stats(PyBoehm_BoehmStats *stats)
{
    GC_call_with_alloc_lock(read_figures, stats);
}

static void *GC_CALLBACK
forget_pauses(void *Py_UNUSED(unused))
{
    memset(&pauses, 0, sizeof pauses);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* Beginning and end                                                   */

static void
mark_begins(void)
{
    PYB_ASSERT(pyb_boehm.client != NULL);
    pyb_boehm.marked = 0;
    pyb_query_mark_begins();
    pause_begins();
}

static void
push_blocks(void)
{
    PYB_ASSERT(pyb_boehm.client != NULL);
    if (pyb_query_roots())
        pyb_boehm.client->roots();
}

static void
mark_ends(void)
{
    PYB_ASSERT(pyb_boehm.client != NULL);
    pyb_boehm.marked = 1;
    pyb_query_mark_ended();
    pyb_sentinel_unmark();
}

static void
collection_ends(void)
{
    pyb_boehm.marked = 0;
    pyb_query_collection_ended();
    pause_ends();
}

static const struct pyb_hook_calls calls = {
    .begun = mark_begins,
    .roots = push_blocks,
    .marked = mark_ends,
    .done = collection_ends,
};

static void
exclude(void *begin, void *end)
{
    if (begin < end)
        GC_exclude_static_roots(begin, end);
}

/* Where malloc is Boehm's, what our variables alone refer to must be seen. */
static int
malloc_is_boehms(void)
{
    void *block = malloc(1);
    int is = block != NULL && GC_base(block) != NULL;

    free(block);
    return is;
}

/* Once in a process: Boehm does not take it twice, nor back, and the library
   is never unloaded. */
static void
exclude_variables(void)
{
    static int excluded;

    if (!excluded && !malloc_is_boehms())
        pyb_ownlibrary_each(exclude);
    excluded = 1;
}

/* Boehm ends the program if it has no memory for the first finalizer, or the
   first disappearing link, that is registered. */
static void
register_first(void)
{
    void *block = GC_MALLOC_ATOMIC(sizeof(GC_word));
    void *link = block;

    if (pyb_boehm_set_sentinel() == 0)
        pyb_boehm_drop_sentinel();
    if (block != NULL &&
        GC_general_register_disappearing_link(&link, block) == GC_SUCCESS)
        GC_unregister_disappearing_link(&link);
    GC_FREE(block); /* a host that looks for leaks would hear of it */
}

void
pyb_boehm_init(const struct pyb_boehm_client *client)
{
    PYB_ASSERT(client->roots != NULL && client->seen != NULL &&
               client->keep != NULL && client->found != NULL);
    exclude_variables();
    pyb_boehm_make_kinds(pyb_query_mark_token);
    pyb_boehm.client = client;
    register_first();
    GC_call_with_alloc_lock(forget_pauses, NULL);
    pyb_hooks_begin(&calls);
}

void
pyb_boehm_fini(void)
{
    PYB_ASSERT(pyb_boehm.client != NULL);
    pyb_hooks_end();
    pyb_query_fini();
    pyb_mallocscan_end();
}

/* ------------------------------------------------------------------ */
/* Collections that are asked for, and switches                        */

/* The first collection frees, and the second one after it unmaps what has been
   free since. */
enum { COLLECTIONS_TO_UNMAP = 3 };

void
pyb_boehm_collect(int give_back)
{
    PYB_ASSERT(pyb_gil_is_held());
    pyb_hooks_repair();
    pyb_threadstack_clear();
    if (!give_back)
        GC_gcollect();
    else
        for (int i = 0; i < COLLECTIONS_TO_UNMAP; i++)
            GC_gcollect_and_unmap();
}

int
pyb_boehm_calls_back(void)
{
    return !GC_is_disabled() && !GC_get_finalize_on_demand() &&
           !GC_get_find_leak();
}

int
pyb_boehm_finalizers_on_demand(void)
{
    return GC_get_finalize_on_demand();
}

int
pyb_boehm_tells_host(void)
{
    return GC_should_invoke_finalizers() && GC_get_finalize_on_demand() &&
           GC_get_finalizer_notifier() != 0;
}
