/* gcref.h: what the cycle pass knows of an object while it runs.

   A gcref is a word of the side table for each place where an object can
   begin:

     COLLECTING   the object is a candidate: the collection decides about it
     REACHABLE    owned from outside, directly or not; it has been traversed,
                  or is about to be
     OVERFLOWED   reachable, but not traversed yet, because the stack was full
     EXTERNAL     owned from outside, come what may: it waits for its
                  deallocation, or is immortal, or has more references than
                  can be counted, or is adopted and not to be decided about
     UNTRACKABLE  its type is one whose objects may be untracked
     the rest     a number: its references less the visits to it, as CPython's
                  gc_refs */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_GCREF_H
#define PYB_GC_GCREF_H

#include "gc/heap/sidetable.h"

enum {
    PYB_GCREF_COLLECTING = 1,
    PYB_GCREF_REACHABLE = 2,
    PYB_GCREF_OVERFLOWED = 4,
    PYB_GCREF_EXTERNAL = 8,
    PYB_GCREF_UNTRACKABLE = 16,
    PYB_GCREF_ONE = 32, /* a reference */
    PYB_GCREF_FLAGS = PYB_GCREF_ONE - 1,

    /* The references that can be counted, with room for as many visits that
       are too many. */
    PYB_GCREF_MAX = 1 << 26
};

/* pyb_gcref_init_slow: pyb_gcref_init of an adopted candidate, and of one that
   has more references than can be counted, or none. */
uint32_t pyb_gcref_init_slow(const PyObject *op);

/* A candidate's gcref before any visit. */
static inline uint32_t
pyb_gcref_init(const PyObject *op)
{
    size_t refcnt = (size_t)op->ob_refcnt;
    uint32_t gcref = (uint32_t)refcnt * PYB_GCREF_ONE | PYB_GCREF_COLLECTING;

    if (_PyB_UNLIKELY(refcnt - 1 >= PYB_GCREF_MAX - 1))
        gcref = pyb_gcref_init_slow(op);
    if (_PyB_UNLIKELY(Py_TYPE(op)->tp_flags & _PyB_TPFLAGS_UNTRACKABLE))
        gcref |= PYB_GCREF_UNTRACKABLE;
    return gcref;
}

/* Is it a candidate whose references have all been seen, and which nothing has
   reached? */
static inline int
pyb_gcref_is_dead(uint32_t gcref)
{
    return (gcref &
            ~(uint32_t)(PYB_GCREF_OVERFLOWED | PYB_GCREF_UNTRACKABLE)) ==
           PYB_GCREF_COLLECTING;
}

/* Is it a candidate that nothing has reached? */
static inline int
pyb_gcref_is_unreached(uint32_t gcref)
{
    return (gcref & (PYB_GCREF_COLLECTING | PYB_GCREF_REACHABLE)) ==
           PYB_GCREF_COLLECTING;
}

/* The same, and owned from outside?  If it was visited more often than it is
   referred to, nothing that hangs on it can be trusted: it counts as owned,
   too. */
static inline int
pyb_gcref_is_root(uint32_t gcref)
{
    const uint32_t owned = ~(uint32_t)(PYB_GCREF_FLAGS & ~PYB_GCREF_EXTERNAL);

    return pyb_gcref_is_unreached(gcref) & ((gcref & owned) != 0);
}

/* Much of what an object refers to was made when it was, so it stands near by:
   in the surroundings of the object that is being traversed a gcref needs no
   lookup in the side table. */
enum { PYB_GCREF_CACHE_BYTES = 1 << 17 };

struct pyb_gcref_cache {
    uintptr_t base;
    uint32_t *gcrefs; /* of what begins there */
};

/* No object is near this address, nor anything that a broken tp_traverse may
   visit. */
#define PYB_GCREF_CACHE_EMPTY                                                 \
    ((struct pyb_gcref_cache){(uintptr_t)1 << 63, NULL})

/* Moves the cache to the surroundings of op. */
static inline void
pyb_gcref_cache_move(struct pyb_gcref_cache *cache, const PyObject *op)
{
    if ((uintptr_t)op - cache->base < PYB_GCREF_CACHE_BYTES)
        return;
    PYB_ASSERT(pyb_region_of(op) != NULL);
    cache->base = (uintptr_t)op & ~(uintptr_t)(PYB_GCREF_CACHE_BYTES - 1);
    cache->gcrefs = pyb_region_gcref(pyb_region_of(op), (void *)cache->base);
}

/* The gcref of an address, if the cache has it, or NULL. */
static inline uint32_t *
pyb_gcref_cache_find(const struct pyb_gcref_cache *cache, const PyObject *op)
{
    uintptr_t offset = (uintptr_t)op - cache->base;

    PYB_ASSERT(offset >= PYB_GCREF_CACHE_BYTES || cache->gcrefs != NULL);
    return offset < PYB_GCREF_CACHE_BYTES
               ? cache->gcrefs + (offset >> PYB_GCREF_SHIFT)
               : NULL;
}

/* What follows looks at the gcrefs of a whole line, of candidates or not, in
   loops that compilers can turn into vector code: most passes find nothing in
   most lines. */

/* How many are dead. */
static inline size_t
pyb_gcrefs_dead(const uint32_t *gcrefs)
{
    uint32_t dead = 0;

    for (int i = 0; i < PYB_LINE_GCREFS; i++)
        dead += (uint32_t)pyb_gcref_is_dead(gcrefs[i]);
    return dead;
}

/* Is there one that has the flag? */
static inline int
pyb_gcrefs_flag(const uint32_t *gcrefs, uint32_t flag)
{
    uint32_t any = 0;

    for (int i = 0; i < PYB_LINE_GCREFS; i++)
        any |= gcrefs[i];
    return (any & flag) != 0;
}

/* Is there a root? */
static inline int
pyb_gcrefs_root(const uint32_t *gcrefs)
{
    uint32_t any = 0;

    for (int i = 0; i < PYB_LINE_GCREFS; i++)
        any |= (uint32_t)pyb_gcref_is_root(gcrefs[i]);
    return any != 0;
}

#endif /* PYB_GC_GCREF_H */
