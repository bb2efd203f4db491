/* heap.h: memory for containers: blocks of Boehm's heap, in batches.

   Requirements: a block is popped and pushed in a handful of instructions;
   Boehm sees every block that is ours as long as it is ours; a dead object
   keeps nothing alive; memory that is not needed goes back.
   Not required: being called from two threads at once.

   A free list per size keeps blocks that are ours and wait for an object.  A
   waiting block is all zero but for its head, a count that no Py_DECREF brings
   down to zero and the link: it keeps nothing alive, a reference too many that
   is given up to the object that was there does no harm, and an object made in
   it starts out zeroed.

   Memory goes back to Boehm by forgetting it, a page at a time: its bits are
   cleared, and Boehm's next sweep takes it.

   The two managed slots of a type with Py_TPFLAGS_MANAGED_DICT or
   _MANAGED_WEAKREF are the last two words of the object's block, so that an
   object's address is always its block's. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_HEAP_HEAP_H
#define PYB_GC_HEAP_HEAP_H

#include <string.h>

#include "gc/heap/sidetable.h"

enum {
    PYB_BLOCK_MAX = 2048, /* Boehm gives larger blocks pages of their own */
    PYB_SIZES = PYB_BLOCK_MAX / PYB_GRANULE_BYTES + 1,
    PYB_GRANULES_MIN = 2, /* of a block: a gcref of the side table for each */
    PYB_FEW_GRANULES = 16
};

/* Of the count of a dead object: Py_DECREF takes it further down, and pairs of
   Py_INCREF and Py_DECREF leave it. */
#define PYB_DEAD_REFCNT (-((Py_ssize_t)1 << 30))

/* How near: as many references too many, or too few, do not hide that a block
   is free. */
#define PYB_DEAD_SLACK ((Py_ssize_t)1 << 29)

/* A free block; its head lies where an object has its own.  What the block was
   and will be are other types. */
struct __attribute__((may_alias)) pyb_block {
    Py_ssize_t refcnt; /* PYB_DEAD_REFCNT or near */
    struct pyb_block *next;
};

/* pyb_block_is_free: does a block of ours hold no object?  Its head says so.
 */
static inline int
pyb_block_is_free(const void *block)
{
    Py_ssize_t refcnt = ((const struct pyb_block *)block)->refcnt;

    return (size_t)(refcnt - PYB_DEAD_REFCNT + PYB_DEAD_SLACK) <
           2 * (size_t)PYB_DEAD_SLACK;
}

/* A word of what the block was, or will be. */
typedef uint64_t __attribute__((may_alias)) pyb_block_word;

/* All blocks of one size. */
struct pyb_size {
    struct pyb_block *free;
    size_t nfree;    /* how long that list is */
    size_t nheld;    /* how many blocks are ours, free or not */
    size_t nleft;    /* how long the list was after the last look */
    size_t trim_at;  /* nfree at which giving memory back is worth a look; the
                        first look sets it */
    size_t granules; /* of each; 0 until there is one, and of large blocks */
};

struct pyb_heap {
    struct pyb_size sizes[PYB_SIZES]; /* by granules; none below the least */
    struct pyb_size large;  /* names the blocks above PYB_BLOCK_MAX */
    size_t large_bytes;     /* held in blocks above PYB_BLOCK_MAX */
    size_t held_bytes;      /* in all */
    size_t waiting_bytes;   /* of the set that waits, as Boehm was told */
    size_t forgotten_bytes; /* since Boehm's last collection */
};
extern struct pyb_heap pyb_heap;

/* The block in a line that the lowest of the bits stands for. */
static inline struct pyb_block *
pyb_block_at(char *base, uint64_t bits)
{
    PYB_ASSERT(bits != 0);
    return (struct pyb_block *)(void *)(base + (size_t)__builtin_ctzll(bits) *
                                                   PYB_GRANULE_BYTES);
}

/* pyb_heap_refill: pyb_heap_alloc where the free list is empty or the block
   is large. */
void *pyb_heap_refill(size_t size);

/* pyb_heap_trim: forgets pages that hold no object, where free lists have
   grown long, and puts what is left on the lists in the order of a walk. */
void pyb_heap_trim(void);

/* pyb_heap_empty: forgets all free blocks. */
void pyb_heap_empty(void);

/* pyb_heap_release: has Boehm collect if much of what it holds is forgotten;
   with give_back, and if little else is ours, the memory goes to the system.
 */
void pyb_heap_release(int give_back);

/* pyb_heap_reclaim: has Boehm collect if anything is forgotten; 0 if nothing
   is. */
int pyb_heap_reclaim(void);

/* pyb_heap_block_size: the size in bytes of a block that is ours. */
size_t pyb_heap_block_size(const void *block);

/* pyb_heap_push_roots: in Boehm's roots hook: pushes every block that is held,
   but for weak ones. */
void pyb_heap_push_roots(void);

/* pyb_heap_weaken: from here on the members of the set in the state are
   weak, where Boehm's keep hook will be called; PYB_STATE_NONE: none are. */
void pyb_heap_weaken(enum pyb_state state);

/* pyb_heap_managed_dict, pyb_heap_managed_weaklist: where an object of a type
   with managed slots keeps its dict and the head of its weak references. */
static inline PyObject **
pyb_heap_managed_end(PyObject *op)
{
    size_t granules = pyb_line_held(op)->size->granules;
    size_t size = _PyB_LIKELY(granules != 0) ? granules * PYB_GRANULE_BYTES
                                             : pyb_heap_block_size(op);

    PYB_ASSERT_OBJECT(Py_TYPE(op)->tp_flags & (Py_TPFLAGS_MANAGED_DICT |
                                               Py_TPFLAGS_MANAGED_WEAKREF),
                      op);
    return (PyObject **)(void *)((char *)op + size);
}

static inline PyObject **
pyb_heap_managed_dict(PyObject *op)
{
    return pyb_heap_managed_end(op) - 1;
}

static inline PyObject **
pyb_heap_managed_weaklist(PyObject *op)
{
    return pyb_heap_managed_end(op) - 2;
}

/* pyb_heap_pop: the first block on the free list for so many bytes, zeroed but
   for its first two words; NULL if there is none. */
static inline void *
pyb_heap_pop(size_t size)
{
    size_t granules = (size + PYB_GRANULE_BYTES - 1) >> PYB_GRANULE_SHIFT;

    if (_PyB_UNLIKELY(size > PYB_BLOCK_MAX))
        return NULL;
    struct pyb_size *s = &pyb_heap.sizes[granules];
    struct pyb_block *block = s->free;

    if (_PyB_LIKELY(block != NULL)) {
        PYB_ASSERT(s->nfree > 0);
        PYB_ASSERT(pyb_sidetable_holds(block));
        PYB_ASSERT(pyb_block_is_free(block));
        s->free = block->next;
        s->nfree--;
    }
    return block;
}

/* pyb_heap_alloc: the same; a new one, or NULL if there is no memory, where no
   block waits.  May run finalizers. */
static inline void *
pyb_heap_alloc(size_t size)
{
    void *block = pyb_heap_pop(size);

    return _PyB_LIKELY(block != NULL) ? block : pyb_heap_refill(size);
}

/* Zeroes so many granules of a block but for its head: with a few stores,
   where a call of memset would be the larger part of the work. */
static inline void
pyb_heap_clear(void *block, size_t granules)
{
    pyb_block_word *word = block, *end = word + 2 * granules;

    PYB_ASSERT(granules >= PYB_GRANULES_MIN && granules < PYB_SIZES);
    if (_PyB_UNLIKELY(granules > PYB_FEW_GRANULES))
        memset(word + 2, 0, (granules - 1) * PYB_GRANULE_BYTES);
    else
        while ((word += 2) < end) {
            word[0] = 0;
            word[1] = 0;
        }
}

/* Puts a block in front of a free list, its body zero. */
static inline void
pyb_heap_push(struct pyb_size *s, void *block)
{
    PYB_ASSERT(s->granules != 0 && s->nfree < s->nheld);
    PYB_ASSERT(pyb_sidetable_holds(block));
    ((struct pyb_block *)block)->refcnt = PYB_DEAD_REFCNT;
    ((struct pyb_block *)block)->next = s->free;
    s->free = block;
    if (_PyB_UNLIKELY(++s->nfree > s->trim_at))
        pyb_heap_trim();
}

/* pyb_heap_free_other: pyb_heap_free of a block that is not of the least size.
 */
void pyb_heap_free_other(struct pyb_size *s, void *block);

/* pyb_heap_free: takes back a block of the line whose facts, but for held, are
   gone. */
static inline void
pyb_heap_free(struct pyb_line *line, void *block)
{
    struct pyb_size *s = line->size;
    pyb_block_word *word = block;

    PYB_ASSERT(((line->tracked | line->finalized | AO_load(&line->condemned)) &
                pyb_bit_of(block)) == 0);
    if (_PyB_UNLIKELY(s->granules != PYB_GRANULES_MIN)) {
        pyb_heap_free_other(s, block);
        return;
    }
    word[2] = 0;
    word[3] = 0;
    pyb_heap_push(s, block);
}

#endif /* PYB_GC_HEAP_HEAP_H */
