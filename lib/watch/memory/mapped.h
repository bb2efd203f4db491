/* mapped.h: malloc's large blocks, which have mappings of their own. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MEMORY_MAPPED_H
#define PYB_WATCH_MEMORY_MAPPED_H

#include "watch/memory/blocks.h"

/* pyb_mapped_add: enters the block with contents that begin at the address, if
   there is one; searches find it after pyb_mapped_settle.  Returns 0, or -1 if
   there is no memory. */
int pyb_mapped_add(struct pyb_blocks *blocks, uintptr_t contents);

/* pyb_mapped_settle: sorts the entered blocks; then searches find them. */
void pyb_mapped_settle(struct pyb_blocks *blocks);

#endif /* PYB_WATCH_MEMORY_MAPPED_H */
