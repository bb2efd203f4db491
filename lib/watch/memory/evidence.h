/* evidence.h: which owner has the address of which container: the evidence
   that an audit judges by.

   For each container: the number of references in its count that no
   tp_traverse reports (the census), the words of containers that have its
   address, and the number of other places in memory that have it.  A malloc
   block that only one container leads to, by a word of its body or of another
   such block, counts as part of that container.  Objects that are not
   containers are found in malloc blocks, too.

   An owner may have the address of a part of an object instead, such as a list
   node inside of it.  Pointers that own nothing often look like that as well;
   all such places are counted.

   Memory that was freed and not used again may still look like a place
   elsewhere.  That can hide a fault, but never reports one that is not
   there. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_EVIDENCE_H
#define PYB_WATCH_MEMORY_EVIDENCE_H

#include "gc/base/fatal.h"
#include "watch/memory/blocks.h"
#include "watch/why/census.h"
#include "watch/why/objectset.h"

#define PYB_NO_NUMBER UINT32_MAX

/* The way to a block. */
struct pyb_holder {
    uint32_t owner;  /* the container it is a part of, or PYB_NO_NUMBER */
    uint32_t offset; /* of the word in the body that leads there */
    uint32_t next;   /* the container's next block, or PYB_NO_NUMBER */
    uint32_t from;   /* a container, or another block, that points to it */
    enum { PYB_UNHELD, PYB_BY_BODY, PYB_BY_BLOCK, PYB_BY_SEVERAL } kind;
    uint32_t n;     /* words in from that point to it */
    uint32_t total; /* words in all memory that point to it */
};

struct pyb_evidence {
    struct pyb_census census;
    struct pyb_blocks blocks;
    int blind;             /* memory cannot be read: nothing is proven */
    int32_t *elsewhere;    /* of each container: places with its address
                              outside of all containers */
    uint32_t *inside;      /* of each container: places with an address in
                              its body */
    uint32_t *first_block; /* of each container: a part, or PYB_NO_NUMBER */
    struct pyb_holder *holders; /* of each block */
    struct pyb_objectset plain; /* objects that are not containers */
    struct pyb_window *window;  /* on malloc's memory */
};

/* Owners are numbered: first the census, then the objects that are not
   containers. */
static inline uint32_t
pyb_evidence_owners(const struct pyb_evidence *evidence)
{
    return (uint32_t)(evidence->census.n + evidence->plain.n);
}

static inline PyObject *
pyb_evidence_owner(const struct pyb_evidence *evidence, uint32_t number)
{
    PYB_ASSERT(number < pyb_evidence_owners(evidence));
    return number < evidence->census.n
               ? evidence->census.nodes[number].op
               : evidence->plain.all[number - evidence->census.n];
}

/* pyb_evidence_take: collects the evidence.  The part of this thread's stack
   above ground is in use.  Returns 0, or -1 with MemoryError.  Until
   pyb_evidence_end only code that may run during a census may run. */
int pyb_evidence_take(struct pyb_evidence *evidence, uintptr_t ground);
void pyb_evidence_end(struct pyb_evidence *evidence);

/* pyb_evidence_check: fatal if a container has not the blocks that are a part
   of it, see gc/base/fatal.h. */
void pyb_evidence_check(const struct pyb_evidence *evidence);

/* A word of an owner, with the address of a container. */
struct pyb_word {
    uint32_t from, to; /* numbers of the owner and, in the census, of the
                          container */
    uint32_t offset;   /* in the body */
    int in_block;      /* the word is in a block, and offset is that of the
                          body's word that leads there */
    uint32_t inner;    /* the offset in a small block; 0 in others */
};

/* pyb_evidence_words: calls look for each such word of an owner.  For an owner
   that is not a container, only containers that may be part of a cycle
   count. */
void pyb_evidence_words(const struct pyb_evidence *evidence, uint32_t from,
                        void (*look)(const struct pyb_word *word, void *arg),
                        void *arg);

/* pyb_evidence_number: the number of the container at an address;
   PYB_NO_NUMBER if there is none. */
static inline uint32_t
pyb_evidence_number(const struct pyb_evidence *evidence, uintptr_t address)
{
    struct pyb_node *node =
        pyb_census_find(&evidence->census, (const void *)address);

    return node != NULL ? (uint32_t)(node - evidence->census.nodes)
                        : PYB_NO_NUMBER;
}

#endif /* PYB_WATCH_MEMORY_EVIDENCE_H */
