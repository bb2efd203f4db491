/* spare.c: small blocks of plain memory that wait for their next use.  See
   spare.h. */

#include "object/spare.h"

/* Would a tool that looks after memory be misled? */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||    \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

struct pyb_spare_class pyb_spare_any[PYB_SPARE_CLASSES];
struct pyb_spare_class pyb_spare_zero[PYB_SPARE_CLASSES];

/* How large the blocks of a class are. */
static size_t
block_size(size_t class)
{
    return class * 8;
}

void
pyb_spare_init(void)
{
    if (SANITIZED || pyb_checks)
        return;
    for (size_t i = 1; i < PYB_SPARE_CLASSES; i++) {
        pyb_spare_any[i].room = PYB_SPARE_BYTES / block_size(i);
        pyb_spare_zero[i].room = PYB_SPARE_BYTES / block_size(i);
    }
}

static void
empty(struct pyb_spare_class *class)
{
    void *block;

    while ((block = pyb_spare_take(class)) != NULL)
        PyMem_Free(block);
}

void
pyb_spare_empty(void)
{
    for (size_t i = 0; i < PYB_SPARE_CLASSES; i++) {
        empty(&pyb_spare_any[i]);
        empty(&pyb_spare_zero[i]);
    }
}

void
pyb_spare_fini(void)
{
    pyb_spare_empty();
    for (size_t i = 0; i < PYB_SPARE_CLASSES; i++)
        pyb_spare_any[i].room = pyb_spare_zero[i].room = 0;
}

/* What to ask of the C allocator for a block of that many bytes. */
static size_t
full_size(size_t size)
{
    return size <= PYB_SPARE_MAX ? block_size(pyb_spare_class_of(size)) : size;
}

void *
pyb_spare_refill(size_t size)
{
    return PyMem_Malloc(full_size(size));
}

/* PyMem_Calloc is worth its price where much is asked for. */
void *
pyb_spare_refill_zero(size_t size)
{
    if (size > PYB_SPARE_MAX)
        return PyMem_Calloc(1, size);
    void *block = PyMem_Malloc(full_size(size));
    return block != NULL ? memset(block, 0, full_size(size)) : NULL;
}

void *
pyb_spare_resize(void *block, size_t size, size_t new_size)
{
    if (size > PYB_SPARE_MAX && new_size > PYB_SPARE_MAX)
        return PyMem_Realloc(block, new_size);
    if (size != 0 && full_size(size) == full_size(new_size))
        return block;
    void *moved = pyb_spare_alloc(new_size);
    if (moved != NULL && size != 0) {
        memcpy(moved, block, Py_MIN(size, new_size));
        pyb_spare_free(block, size);
    }
    return moved;
}
