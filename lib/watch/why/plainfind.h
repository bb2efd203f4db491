/* plainfind.h: finds objects that are not containers, and their references. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_PLAINFIND_H
#define PYB_WATCH_WHY_PLAINFIND_H

#include "watch/memory/blocks.h"
#include "watch/why/census.h"
#include "watch/why/objectset.h"

/* pyb_plain_find: adds the objects, of types other than pyboehm's own, at the
   beginning of malloc blocks.  The census tells which types exist. */
void pyb_plain_find(struct pyb_objectset *plain,
                    const struct pyb_blocks *blocks,
                    const struct pyb_census *census);

/* pyb_plain_words: calls look for each word of the object that may be a
   reference, with its offset. */
void pyb_plain_words(PyObject *op,
                     void (*look)(uint32_t offset, uintptr_t word, void *arg),
                     void *arg);

#endif /* PYB_WATCH_WHY_PLAINFIND_H */
