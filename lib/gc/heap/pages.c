/* pages.c: whole pages of memory.  See pages.h.

   Manual: mmap(2), madvise(2). */

#include "Python.h"
#include "gc/base/fatal.h"
#include "gc/heap/pages.h"

#include <sys/mman.h>

/* Systems that have no such flags do without. */
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

static void *
map(void *address, size_t size, int flags)
{
    void *memory = mmap(address, size, PROT_READ | PROT_WRITE,
                        MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

    PYB_ASSERT(size > 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *
pyb_pages_map(size_t size)
{
    return map(NULL, size, MAP_PRIVATE);
}

void *
pyb_pages_map_shared(size_t size)
{
    return map(NULL, size, MAP_SHARED);
}

void
pyb_pages_unmap(void *memory, size_t size)
{
    if (size > 0)
        munmap(memory, size);
}

/* Systems that do not know the flag take the address for a hint. */
void *
pyb_pages_map_at(void *address, size_t size)
{
    void *memory = map(address, size, MAP_PRIVATE | MAP_FIXED_NOREPLACE);

    if (memory == NULL || memory == address)
        return memory;
    munmap(memory, size);
    return NULL;
}

/* Linux gives fresh pages in place of these, but for locked ones.  Elsewhere
   the same call may leave what stands in them. */
static int
renew(void *memory, size_t size)
{
#ifdef HAVE_MADVISE
    return madvise(memory, size, MADV_DONTNEED);
#else
    (void)memory;
    (void)size;
    return -1;
#endif
}

void
pyb_pages_clear(void *memory, size_t size)
{
    PYB_ASSERT(((uintptr_t)memory & 4095) == 0);
    if (renew(memory, size) != 0)
        memset(memory, 0, size);
}
