/* evidence.h: who has whose address: what an audit judges by.

   For each container: how many references its count has that no tp_traverse
   reports (the census), in which words of which containers its address stands,
   and how often it stands elsewhere in memory.  A block of malloc's that only
   one container leads to, by a word of its body or of another such block, is
   taken for a part of that container.  Objects that are no containers are
   found in malloc's blocks, too.

   An owner may have the address of a part: of the node in it that a list is
   made of.  As many borrow it; all of these places are counted.

   What was freed and not used again may still look like a place elsewhere;
   that hides something, and accuses nobody. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_EVIDENCE_H
#define PYB_WATCH_EVIDENCE_H

#include "watch/blocks.h"
#include "watch/census.h"
#include "watch/plain.h"

#define PYB_NOBODY UINT32_MAX

/* How one gets to a block. */
struct pyb_holder {
    uint32_t owner;  /* the container it is a part of, if known is that */
    uint32_t offset; /* of the first word of the body that leads there */
    uint32_t next;   /* the container's next block, or PYB_NOBODY */
    uint32_t from;   /* a container, or another block, that points to it */
    enum { PYB_UNHELD, PYB_BY_BODY, PYB_BY_BLOCK, PYB_BY_SEVERAL } kind;
    uint32_t n;     /* words there that point to it */
    uint32_t total; /* in all memory */
};

struct pyb_evidence {
    struct pyb_census census;
    struct pyb_blocks blocks;
    int blind;                  /* memory cannot be read: nothing is proven */
    int32_t *elsewhere;         /* of each container: places outside of them */
    uint32_t *inside;           /* places with an address in its body */
    uint32_t *first_block;      /* of each container: PYB_NOBODY, or a part */
    struct pyb_holder *holders; /* of each block */
    struct pyb_plain plain;     /* objects that are no containers */
};

/* Owners: the census, and then the objects that are no containers. */
static inline uint32_t
pyb_evidence_owners(const struct pyb_evidence *evidence)
{
    return (uint32_t)(evidence->census.n + evidence->plain.n);
}

static inline PyObject *
pyb_evidence_owner(const struct pyb_evidence *evidence, uint32_t number)
{
    return number < evidence->census.n
               ? evidence->census.people[number].op
               : evidence->plain.all[number - evidence->census.n];
}

/* pyb_evidence_take: collects it all.  The stack of this thread is in use from
   ground up.  0, or -1 with MemoryError.  What the census says of what may run
   until pyb_evidence_end holds. */
int pyb_evidence_take(struct pyb_evidence *evidence, uintptr_t ground);
void pyb_evidence_end(struct pyb_evidence *evidence);

/* A word of an owner that has the address of a container. */
struct pyb_word {
    uint32_t from, to; /* numbers, of an owner and in the census */
    uint32_t offset;   /* in the body */
    int in_block;      /* there begins the way to the block it is in */
    uint32_t inner;    /* in a small block, a structure's; 0 in others */
};

/* pyb_evidence_words: calls look for each such word of an owner; of one that
   is no container only for those that may be part of a cycle. */
void pyb_evidence_words(const struct pyb_evidence *evidence, uint32_t from,
                        void (*look)(const struct pyb_word *word, void *arg),
                        void *arg);

/* pyb_evidence_number: whose address it is; PYB_NOBODY of anything else. */
static inline uint32_t
pyb_evidence_number(const struct pyb_evidence *evidence, uintptr_t address)
{
    struct pyb_person *person =
        pyb_census_find(&evidence->census, (const void *)address);

    return person != NULL ? (uint32_t)(person - evidence->census.people)
                          : PYB_NOBODY;
}

#endif /* PYB_WATCH_EVIDENCE_H */
