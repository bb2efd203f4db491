/* marking.c: the two passes over the candidates of a collection.  See
   marking.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/aligned.h"
#include "gc/base/fatal.h"
#include "gc/gcref.h"
#include "gc/heap/pages.h"
#include "gc/marking.h"

#include <sys/mman.h>

enum {
    QUEUE_SIZE = 16, /* prefetches under way; a power of two */
    DIRECT_MAX = 8,  /* with so few on the stack, bodies are not prefetched */
    BODY = 48,       /* what is prefetched of one: often parts of two lines */
};

struct visit {
    PyObject *op;
    uint32_t *gcref;
};

struct marker {
    struct pyb_gcref_cache cache;
    PyObject **stack; /* marked objects that are not traversed yet */
    size_t depth;
    int overflowed;    /* an object did not fit: its gcref says so */
    unsigned n_bodies; /* grows until the queue of bodies is emptied */
    /* Objects off the stack, while their bodies are being fetched. */
    PyObject *bodies[QUEUE_SIZE];
    /* Visits of either pass, while their gcrefs are being fetched. */
    struct visit visits[QUEUE_SIZE];
    uint32_t *subtractions[QUEUE_SIZE];
    unsigned tail; /* only grows */
    unsigned n_visits;
    uint32_t sink; /* what an empty place of subtractions refers to */
};

static struct marker marker;

/* Between passes nothing is left to do. */
static int
is_idle(void)
{
    return marker.depth == 0 && marker.n_bodies == 0 && marker.n_visits == 0 &&
           !marker.overflowed;
}

static void
clear_queues(struct marker *m)
{
    memset(m->bodies, 0, sizeof m->bodies);
    memset(m->visits, 0, sizeof m->visits);
    m->n_bodies = m->n_visits = 0;
    for (int i = 0; i < QUEUE_SIZE; i++)
        m->subtractions[i] = &m->sink;
}

int
pyb_marking_init(void)
{
    const size_t bytes = PYB_STACK_SIZE * sizeof(PyObject *);
    void *memory = pyb_pages_map(bytes + PYB_STACK_GUARD);

    if (memory == NULL)
        return -1;
    /* An overflow faults instead of writing to other memory. */
    (void)mprotect((char *)memory + bytes, PYB_STACK_GUARD, PROT_NONE);
    marker.stack = memory;
    marker.cache = PYB_GCREF_CACHE_EMPTY;
    clear_queues(&marker);
    return 0;
}

void
pyb_marking_drop_caches(void)
{
    marker.cache = PYB_GCREF_CACHE_EMPTY;
}

/* What it refers to is not to be found in it.  Clean pages in place of those
   that were used cost nothing. */
void
pyb_marking_clear_stack(void)
{
    if (marker.stack != NULL)
        pyb_pages_clear(marker.stack, PYB_STACK_SIZE * sizeof(PyObject *));
}

/* A full collection does not count Boehm's reference to an adopted object. */
uint32_t
pyb_gcref_init_slow(const PyObject *op)
{
    if (pyb_adoption.uncounted && pyb_is_adopted(op)) {
        Py_ssize_t references = pyb_adoption_references(op);

        if (references >= 0 && references < PYB_GCREF_MAX)
            return (uint32_t)references * PYB_GCREF_ONE | PYB_GCREF_COLLECTING;
    }
    return PYB_GCREF_COLLECTING | PYB_GCREF_EXTERNAL;
}

/* ------------------------------------------------------------------ */
/* Step 1: subtract_refs                                               */

PYB_LINE_ALIGNED static int
visit_subtract(PyObject *op, void *arg)
{
    struct marker *m = arg;
    uint32_t *gcref = pyb_gcref_cache_find(&m->cache, op);

    if (_PyB_UNLIKELY(gcref == NULL)) {
        struct pyb_region *region = pyb_region_of(op);

        if (region == NULL)
            return 0;
        gcref = pyb_region_gcref(region, op);
    }
    if (*gcref & PYB_GCREF_COLLECTING)
        *gcref -= PYB_GCREF_ONE;
    return 0;
}

void
pyb_marking_subtract_refs(struct pyb_walk candidates)
{
    struct marker *m = &marker;
    struct pyb_walk walk = candidates;
    struct pyb_batch batch;
    PyObject *op;

    PYB_ASSERT(is_idle());
    while (pyb_walk_next(&walk, &batch))
        while ((op = pyb_batch_take(&batch)) != NULL)
            *pyb_batch_gcref(&batch, op) = pyb_gcref_init(op);
    while (pyb_walk_next(&candidates, &batch)) {
        pyb_gcref_cache_move(&m->cache, pyb_batch_first(&batch));
        while ((op = pyb_batch_take(&batch)) != NULL)
            Py_TYPE(op)->tp_traverse(op, visit_subtract, m);
    }
}

/* Whether op is a candidate is not known yet.  Its gcref is changed when it
   comes out of the queue again, unless it is in the cache. */
PYB_LINE_ALIGNED static int
visit_subtract_unchecked(PyObject *op, void *arg)
{
    struct marker *m = arg;
    uint32_t *gcref = pyb_gcref_cache_find(&m->cache, op);

    if (_PyB_LIKELY(gcref != NULL)) {
        *gcref -= PYB_GCREF_ONE;
        return 0;
    }
    struct pyb_region *region = pyb_region_of(op);
    if (_PyB_UNLIKELY(region == NULL))
        return 0;
    uint32_t **place = &m->subtractions[m->tail++ % QUEUE_SIZE];

    gcref = pyb_region_gcref(region, op);
    __builtin_prefetch(gcref, 1);
    **place -= PYB_GCREF_ONE;
    *place = gcref;
    return 0;
}

/* Changes what is left in the queue. */
static void
finish_subtractions(struct marker *m)
{
    for (int i = 0; i < QUEUE_SIZE; i++)
        *m->subtractions[i] -= PYB_GCREF_ONE;
    clear_queues(m);
}

/* A visit that came before, from another candidate, has taken from a gcref
   already when it is set up. */
void
pyb_marking_subtract_refs_of_many(struct pyb_walk candidates)
{
    struct marker *m = &marker;
    struct pyb_batch batch;
    PyObject *op;

    PYB_ASSERT(is_idle());
    while (pyb_walk_next(&candidates, &batch)) {
        pyb_gcref_cache_move(&m->cache, pyb_batch_first(&batch));
        while ((op = pyb_batch_take(&batch)) != NULL) {
            *pyb_batch_gcref(&batch, op) += pyb_gcref_init(op);
            Py_TYPE(op)->tp_traverse(op, visit_subtract_unchecked, m);
        }
    }
    finish_subtractions(m);
}

/* ------------------------------------------------------------------ */
/* Step 2: mark_reachable                                              */

static inline void
mark(struct marker *m, struct visit visit)
{
    uint32_t gcref = *visit.gcref;

    if (!pyb_gcref_is_unreached(gcref))
        return;
    PYB_ASSERT_OBJECT(!(gcref & PYB_GCREF_OVERFLOWED), visit.op);
    gcref |= PYB_GCREF_REACHABLE;
    if (_PyB_LIKELY(m->depth < PYB_STACK_SIZE)) {
        m->stack[m->depth++] = visit.op;
    } else {
        gcref |= PYB_GCREF_OVERFLOWED;
        m->overflowed = 1;
    }
    *visit.gcref = gcref;
}

/* A visit waits in the queue until its gcref is there, unless that is in the
   cache. */
PYB_LINE_ALIGNED static int
visit_mark(PyObject *op, void *arg)
{
    struct marker *m = arg;
    struct visit visit = {op, pyb_gcref_cache_find(&m->cache, op)};

    if (_PyB_LIKELY(visit.gcref != NULL)) {
        mark(m, visit);
        return 0;
    }
    struct pyb_region *region = pyb_region_of(op);
    if (_PyB_UNLIKELY(region == NULL))
        return 0;
    struct visit *place = &m->visits[m->tail++ % QUEUE_SIZE];
    struct visit oldest = *place;

    visit.gcref = pyb_region_gcref(region, op);
    __builtin_prefetch(visit.gcref, 1);
    *place = visit;
    if (_PyB_LIKELY(m->n_visits == QUEUE_SIZE))
        mark(m, oldest);
    else
        m->n_visits++;
    return 0;
}

static inline void
traverse(struct marker *m, PyObject *op)
{
    PYB_ASSERT_OBJECT(Py_TYPE(op)->tp_traverse != NULL, op);
    pyb_gcref_cache_move(&m->cache, op);
    Py_TYPE(op)->tp_traverse(op, visit_mark, m);
}

/* Puts an object into the queue of bodies, and returns the one that has been
   there longest, or NULL. */
static inline PyObject *
exchange_body(struct marker *m, PyObject *op)
{
    PyObject **place = &m->bodies[m->n_bodies++ % QUEUE_SIZE];
    PyObject *oldest = *place;

    PYB_ASSERT(op != NULL);
    __builtin_prefetch(op);
    __builtin_prefetch((const char *)op + BODY - 1);
    *place = op;
    return oldest;
}

/* Traverses what is on the stack.  Where that is a lot, the last few objects
   stay in the queue of bodies; with little under way, a chain for instance, an
   object goes straight to its traversal. */
static void
empty_stack(struct marker *m)
{
    while (m->depth > 0) {
        PyObject *op = m->stack[--m->depth];

        if (m->depth < DIRECT_MAX || (op = exchange_body(m, op)) != NULL)
            traverse(m, op);
    }
}

static void
empty_bodies(struct marker *m)
{
    m->n_bodies = 0;
    for (int i = 0; i < QUEUE_SIZE; i++) {
        PyObject *op = m->bodies[i];

        m->bodies[i] = NULL;
        if (op != NULL)
            traverse(m, op);
    }
}

/* Post-condition: queues and stack are empty, and all that was in them is
   traversed. */
static void
drain(struct marker *m)
{
    for (;;) {
        empty_stack(m);
        if (m->n_bodies > 0)
            empty_bodies(m);
        else if (m->n_visits > 0)
            mark(m, m->visits[(m->tail - m->n_visits--) % QUEUE_SIZE]);
        else
            break;
    }
    PYB_ASSERT(m->depth == 0 && m->n_bodies == 0 && m->n_visits == 0);
    clear_queues(m);
}

/* Marks and traverses what is referred to from outside.  A look at a whole
   line tells whether there is anything to mark in it. */
static void
mark_roots(struct marker *m, struct pyb_walk candidates)
{
    struct pyb_batch batch;
    PyObject *op;

    while (pyb_walk_next(&candidates, &batch)) {
        if (!pyb_gcrefs_root(batch.gcrefs))
            continue;
        while ((op = pyb_batch_take(&batch)) != NULL) {
            uint32_t *gcref = pyb_batch_gcref(&batch, op);

            if (!pyb_gcref_is_root(*gcref))
                continue;
            mark(m, (struct visit){op, gcref});
            empty_stack(m);
        }
    }
}

/* Traverses what did not fit on the stack. */
static void
traverse_overflowed(struct marker *m, struct pyb_walk candidates)
{
    m->overflowed = 0;
    PYB_FOR_EACH (op, i, candidates) {
        uint32_t *gcref = pyb_batch_gcref(&i.batch, op);

        if (!(*gcref & PYB_GCREF_OVERFLOWED))
            continue;
        PYB_ASSERT_OBJECT(*gcref & PYB_GCREF_REACHABLE, op);
        PYB_ASSERT(m->depth == 0);
        *gcref &= ~(uint32_t)PYB_GCREF_OVERFLOWED;
        m->stack[m->depth++] = op;
        empty_stack(m);
    }
    drain(m);
}

/* Traverses all that is marked.  Post-condition: no candidate is overflowed.
 */
static void
finish_marking(struct marker *m, struct pyb_walk candidates)
{
    drain(m);
    while (m->overflowed)
        traverse_overflowed(m, candidates);
    PYB_ASSERT(is_idle());
}

void
pyb_marking_mark_reachable(struct pyb_walk candidates)
{
    PYB_ASSERT(is_idle());
    mark_roots(&marker, candidates);
    finish_marking(&marker, candidates);
}

void
pyb_marking_resurrect(PyObject *op, struct pyb_walk candidates)
{
    PYB_ASSERT(is_idle());
    PYB_ASSERT_OBJECT(pyb_sidetable_holds(op), op);
    mark(&marker, (struct visit){op, pyb_region_gcref(pyb_region_of(op), op)});
    finish_marking(&marker, candidates);
}

void
pyb_marking_abandon(void)
{
    marker.depth = 0;
    marker.overflowed = 0;
    clear_queues(&marker);
    pyb_marking_drop_caches();
}
