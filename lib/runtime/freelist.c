/* freelist.c: free lists of small blocks of plain memory.  See freelist.h. */

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "runtime/freelist.h"

/* Does the build have a sanitizer that free lists would mislead? */
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

struct pyb_freelist_class pyb_freelist_any[PYB_FREELIST_CLASSES];
struct pyb_freelist_class pyb_freelist_zero[PYB_FREELIST_CLASSES];

/* The size of a class's blocks. */
static size_t
block_size(size_t class)
{
    PYB_ASSERT(class > 0 && class < PYB_FREELIST_CLASSES);
    return class * 8;
}

void
pyb_freelist_init(void)
{
    if (SANITIZED || pyb_checks || pyb_control.malloc_only)
        return;
    for (size_t i = 1; i < PYB_FREELIST_CLASSES; i++) {
        PYB_ASSERT(pyb_freelist_any[i].first == NULL &&
                   pyb_freelist_zero[i].first == NULL);
        pyb_freelist_any[i].room = PYB_FREELIST_BYTES / block_size(i);
        pyb_freelist_zero[i].room = PYB_FREELIST_BYTES / block_size(i);
    }
}

static void
empty(struct pyb_freelist_class *class)
{
    void *block;

    while ((block = pyb_freelist_take(class)) != NULL)
        PyMem_Free(block);
    PYB_ASSERT(class->room <= PYB_FREELIST_BYTES / 8);
}

static void
check_class(const struct pyb_freelist_class *class, size_t size)
{
    size_t most = PYB_FREELIST_BYTES / size, n = class->room;

    PYB_ALWAYS(n <= most, NULL, "a free list has too much room");
    for (const struct pyb_freelist_block *block = class->first; block != NULL;
         block = block->next)
        PYB_ALWAYS(n++ < most, NULL, "a free list has more blocks than room");
    PYB_ALWAYS(n == 0 || n == most, NULL, "a free list has lost blocks");
}

void
pyb_freelist_check(void)
{
    for (size_t i = 1; i < PYB_FREELIST_CLASSES; i++) {
        check_class(&pyb_freelist_any[i], block_size(i));
        check_class(&pyb_freelist_zero[i], block_size(i));
    }
}

void
pyb_freelist_empty(void)
{
    PYB_EXPENSIVE(pyb_freelist_check());
    for (size_t i = 0; i < PYB_FREELIST_CLASSES; i++) {
        empty(&pyb_freelist_any[i]);
        empty(&pyb_freelist_zero[i]);
    }
}

void
pyb_freelist_fini(void)
{
    pyb_freelist_empty();
    for (size_t i = 0; i < PYB_FREELIST_CLASSES; i++)
        pyb_freelist_any[i].room = pyb_freelist_zero[i].room = 0;
}

void
pyb_freelist_check_zero(const void *memory, size_t from, size_t size)
{
    const char *bytes = memory;

    for (size_t i = from; i < size; i++)
        PYB_ALWAYS(bytes[i] == 0, NULL, "memory to be zero has a content");
}

/* The size to be requested from the C allocator for a block of size bytes. */
static size_t
full_size(size_t size)
{
    return size <= PYB_FREELIST_MAX ? block_size(pyb_freelist_class_of(size))
                                    : size;
}

void *
pyb_freelist_refill(size_t size)
{
    PYB_ASSERT(size > 0);
    return PyMem_Malloc(full_size(size));
}

/* PyMem_Calloc pays only for large blocks. */
void *
pyb_freelist_refill_zero(size_t size)
{
    PYB_ASSERT(size > 0);
    if (size > PYB_FREELIST_MAX)
        return PyMem_Calloc(1, size);
    void *block = PyMem_Malloc(full_size(size));
    return block != NULL ? memset(block, 0, full_size(size)) : NULL;
}

void *
pyb_freelist_resize(void *block, size_t size, size_t new_size)
{
    PYB_ASSERT((block == NULL) == (size == 0) && new_size > 0);
    PYB_ASSERT(pyb_gil_is_held());
    if (size > PYB_FREELIST_MAX && new_size > PYB_FREELIST_MAX)
        return PyMem_Realloc(block, new_size);
    if (size != 0 && full_size(size) == full_size(new_size))
        return block;
    void *moved = pyb_freelist_alloc(new_size);
    if (moved != NULL && size != 0) {
        memcpy(moved, block, Py_MIN(size, new_size));
        pyb_freelist_free(block, size);
    }
    return moved;
}
