/* pool.c: records of one size.  See pool.h. */

#include "Python.h"
#include "gc/base/fatal.h"
#include "gc/heap/pages.h"
#include "gc/heap/pool.h"

enum { RECORDS = 1000 };

void *
pyb_pool_take(struct pyb_pool *pool)
{
    void *record = pool->spare;

    PYB_ASSERT(pool->size >= sizeof(void *) && pool->n_used <= RECORDS);
    if (record != NULL) {
        pool->spare = *(void **)record;
        return record;
    }
    if (pool->memory == NULL)
        pool->memory = pyb_pages_map(RECORDS * pool->size);
    if (pool->memory == NULL || pool->n_used == RECORDS)
        return NULL;
    return pool->memory + pool->n_used++ * pool->size;
}

void
pyb_pool_give(struct pyb_pool *pool, void *record)
{
    PYB_ASSERT((size_t)((char *)record - pool->memory) <
               pool->n_used * pool->size);
    PYB_ASSERT(record != pool->spare);
    *(void **)record = pool->spare;
    pool->spare = record;
}
