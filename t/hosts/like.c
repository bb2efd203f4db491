/* like.c: see like.h. */

#include "like.h"

void
like_fail(const char *file, int line)
{
    printf("%s:%d: does not hold\n", file, line);
    fflush(stdout);
    abort();
}

void
like_wipe(void)
{
    char stack[1 << 15];

    memset(stack, 0, sizeof stack);
    __asm__ volatile("" ::"r"(stack) : "memory");
}

void
like_test(void (*test)(void))
{
    like_wipe();
    test();
}

void *
like_block(size_t size)
{
    unsigned char *block = GC_MALLOC(size);

    like_need(block != NULL);
    for (size_t i = 0; i < size; i++)
        like_need(block[i] == 0);
    return block;
}

unsigned
like_random(unsigned n)
{
    static unsigned long long state = 88172645463325252ULL;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % n);
}
