/* steady.c: has Boehm keep the same blocks in each run of a program; linked
   with it and the linker's --wrap.

   Boehm 8.2 leaves addresses of its pages where it takes them for references:
   in a variable of its own, the end of the memory that it had last from the
   system, and on its stack, the page that it swept last.  So the first block
   of a page may be kept without a reference, where others die.  The program
   gets none that is the first; large ones always are, and it may not care for
   those. */

#define GC_THREADS

#include <gc/gc.h>
#include <stdint.h>
#include <string.h>

/* The linker finds them used by the library as well. */
#pragma GCC visibility push(default)

void *__real_GC_malloc(size_t size);
void *__real_GC_malloc_atomic(size_t size);
void *__real_GC_realloc(void *block, size_t size);

void *__wrap_GC_malloc(size_t size);
void *__wrap_GC_malloc_atomic(size_t size);
void *__wrap_GC_realloc(void *block, size_t size);

#pragma GCC visibility pop

/* guest_turn: guest.c's, if it is there: comes before each allocation. */
void guest_turn(void) __attribute__((weak));

static int
is_first(const void *block, size_t size)
{
    enum { PAGE = 4096 };

    return block != NULL && (uintptr_t)block % PAGE == 0 && size < PAGE / 2;
}

void *
__wrap_GC_malloc(size_t size)
{
    void *block;

    if (guest_turn != NULL)
        guest_turn();
    do
        block = __real_GC_malloc(size);
    while (is_first(block, size));
    return block;
}

void *
__wrap_GC_malloc_atomic(size_t size)
{
    void *block;

    do
        block = __real_GC_malloc_atomic(size);
    while (is_first(block, size));
    return block;
}

/* Of a scanned block only: what grows in these programs is one. */
void *
__wrap_GC_realloc(void *block, size_t size)
{
    void *grown = __real_GC_realloc(block, size), *copy = grown;

    if (is_first(grown, size)) {
        copy = __wrap_GC_malloc(size);
        if (copy != NULL)
            memcpy(copy, grown, size);
        GC_FREE(grown);
    }
    return copy;
}
