/* blocks.h: the blocks of malloc's first heap, and some others.

   An object may keep its references in malloc'ed memory.  glibc's heap shows
   which blocks there are: each begins with its size, and the next one says
   whether it is in use.  Everything read is checked: with another malloc, or
   where the heap looks different, there are no blocks. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_BLOCKS_H
#define PYB_WATCH_MEMORY_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

struct pyb_block_span {
    /* In granules from the heap's beginning: a search of all memory must not
       take this table for a list of addresses. */
    uintptr_t begin, end;
    int used;
};

/* First the heap's blocks in the order of their addresses, without gaps; then
   the blocks that mapped.h adds, also in order. */
struct pyb_blocks {
    uintptr_t begin, end; /* addresses of the heap */
    struct pyb_block_span *all;
    size_t n, heap; /* how many blocks; how many in the heap */
};

/* pyb_blocks_span: the span between two addresses. */
struct pyb_block_span pyb_blocks_span(const struct pyb_blocks *blocks,
                                      uintptr_t begin, uintptr_t end,
                                      int used);

/* pyb_blocks_take: reads the heap's blocks as they are now.  Returns 0, or -1
   if there is no memory. */
int pyb_blocks_take(struct pyb_blocks *blocks);
void pyb_blocks_end(struct pyb_blocks *blocks);

/* pyb_blocks_check: fatal if the heap's blocks do not lie one behind the other
   from its beginning to its end, or the others, once they are settled,
   overlap, see gc/base/fatal.h. */
void pyb_blocks_check(const struct pyb_blocks *blocks);

/* pyb_blocks_find: the number of the block that an address lies in; -1 if it
   is in none.

   pyb_blocks_target: like pyb_blocks_find, but only for addresses that a
   program may point to.  malloc itself points to the next block's head, which
   is the last word of this one. */
ptrdiff_t pyb_blocks_find(const struct pyb_blocks *blocks, uintptr_t address);
ptrdiff_t pyb_blocks_target(const struct pyb_blocks *blocks,
                            uintptr_t pointer);

/* The address of a block's contents, and the address of their last word. */
uintptr_t pyb_blocks_begin(const struct pyb_blocks *blocks, size_t i);
uintptr_t pyb_blocks_end_of(const struct pyb_blocks *blocks, size_t i);

/* pyb_blocks_alone: the size of the malloc block that begins at an address
   outside of the first heap: a block in another heap, or one with pages of its
   own.  0 if there is no such block, or if malloc is not glibc's, which shows
   in the first heap. */
size_t pyb_blocks_alone(const struct pyb_blocks *blocks, uintptr_t address);

#endif /* PYB_WATCH_MEMORY_BLOCKS_H */
