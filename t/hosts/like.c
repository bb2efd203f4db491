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

GC_hidden_pointer like_weak[LIKE_WEAK];

void
like_watch(int i, void *block)
{
    void **word = (void **)&like_weak[i];

    like_weak[i] = GC_HIDE_POINTER(block);
    like_need(GC_general_register_disappearing_link(word, block) ==
              GC_SUCCESS);
}

void
like_forget(void)
{
    for (int i = 0; i < LIKE_WEAK; i++)
        GC_unregister_disappearing_link((void **)&like_weak[i]);
    memset(like_weak, 0, sizeof like_weak);
}

struct like_cell *
like_cons(long number, struct like_cell *rest)
{
    struct like_cell *cell = like_block(sizeof *cell);

    cell->number = GC_MALLOC_ATOMIC(sizeof *cell->number);
    like_need(cell->number != NULL);
    *cell->number = number;
    cell->rest = rest;
    return cell;
}

struct like_cell *
like_reversed(const struct like_cell *list)
{
    struct like_cell *result = NULL;

    for (; list != NULL; list = list->rest)
        result = like_cons(*list->number, result);
    return result;
}

long
like_sum(const struct like_cell *list)
{
    long total = 0;

    for (long place = 1; list != NULL; list = list->rest)
        total += place++ * *list->number;
    return total;
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
