/* blocks.h: the blocks of malloc's first heap, and others beside.

   An object may keep its references in malloc'ed memory.  Which blocks there
   are can be read off glibc's heap: each begins with its size, and the next
   one says whether it is in use.  Where it does not look so, with another
   malloc for instance, there are none: nothing here takes anything for
   granted. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_BLOCKS_H
#define PYB_WATCH_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

struct pyb_block_span {
    /* In granules from the heap's beginning, so that a list of them looks like
       no list of addresses to those who read all memory. */
    uintptr_t begin, end;
    int used;
};

/* Those of the heap in the order of their addresses, one next to the other;
   then those of mapped.h, in order, too. */
struct pyb_blocks {
    uintptr_t begin, end; /* addresses, of the heap */
    struct pyb_block_span *all;
    size_t n, heap; /* how many there are, and are the heap's */
};

/* pyb_blocks_span: of two addresses. */
struct pyb_block_span pyb_blocks_span(const struct pyb_blocks *blocks,
                                      uintptr_t begin, uintptr_t end,
                                      int used);

/* pyb_blocks_take: the heap's, as they are now.  0, or -1 if there is no
 * memory. */
int pyb_blocks_take(struct pyb_blocks *blocks);
void pyb_blocks_end(struct pyb_blocks *blocks);

/* pyb_blocks_find: the number of the block that an address lies in; -1 if that
   is none of them.
   pyb_blocks_target: and that somebody may point to.  Malloc itself points to
   the next block's head, which is the last word of this one. */
ptrdiff_t pyb_blocks_find(const struct pyb_blocks *blocks, uintptr_t address);
ptrdiff_t pyb_blocks_target(const struct pyb_blocks *blocks,
                            uintptr_t pointer);

/* Where a block's contents begin, and where their last word does. */
uintptr_t pyb_blocks_begin(const struct pyb_blocks *blocks, size_t i);
uintptr_t pyb_blocks_end_of(const struct pyb_blocks *blocks, size_t i);

/* pyb_blocks_alone: how large a block of malloc's is that begins there and is
   in another heap, or has pages of its own; 0 if it does not look like one, or
   if it was another malloc: it has no first heap that looks like glibc's. */
size_t pyb_blocks_alone(const struct pyb_blocks *blocks, uintptr_t address);

#endif /* PYB_WATCH_BLOCKS_H */
