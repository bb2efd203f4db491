/* pool.h: records of one size, of which there are few at a time.

   They are not malloc's, so that what is noted of a program, in them, changes
   nothing of what it gets from malloc; and Boehm does not look at them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_HEAP_POOL_H
#define PYB_GC_HEAP_POOL_H

#include <stddef.h>

struct pyb_pool {
    size_t size; /* of a record, which begins with a pointer */
    char *memory;
    size_t n_used;
    void *spare; /* records that were given back, one refers to the next */
};

#define PYB_POOL(type)                                                        \
    {                                                                         \
        .size = sizeof(type)                                                  \
    }

/* pyb_pool_take: a record; NULL if there are too many, or no memory.
   pyb_pool_give: gives it back. */
void *pyb_pool_take(struct pyb_pool *pool);
void pyb_pool_give(struct pyb_pool *pool, void *record);

#endif /* PYB_GC_HEAP_POOL_H */
