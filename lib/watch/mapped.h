/* mapped.h: the large blocks of malloc's, which have mappings of their own. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_MAPPED_H
#define PYB_WATCH_MAPPED_H

#include "watch/blocks.h"

/* pyb_mapped_add: enters the block whose contents begin at the address, if it
   is one; no block is found until pyb_mapped_settle.  0, or -1 if there is no
   memory. */
int pyb_mapped_add(struct pyb_blocks *blocks, uintptr_t contents);

/* pyb_mapped_settle: those that were entered are found from now on. */
void pyb_mapped_settle(struct pyb_blocks *blocks);

#endif /* PYB_WATCH_MAPPED_H */
