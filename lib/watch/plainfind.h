/* plainfind.h: objects that are no containers, and what they refer to. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_PLAINFIND_H
#define PYB_WATCH_PLAINFIND_H

#include "watch/blocks.h"
#include "watch/census.h"
#include "watch/plain.h"

/* pyb_plain_find: adds those, of types that are not ours, that stand at the
   beginning of blocks of malloc's.  The census tells which types there are. */
void pyb_plain_find(struct pyb_plain *plain, const struct pyb_blocks *blocks,
                    const struct pyb_census *census);

/* pyb_plain_words: calls look for each word of the object that might refer to
   another one, with its offset. */
void pyb_plain_words(PyObject *op,
                     void (*look)(uint32_t offset, uintptr_t word, void *arg),
                     void *arg);

#endif /* PYB_WATCH_PLAINFIND_H */
