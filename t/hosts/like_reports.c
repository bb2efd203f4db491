/* like_reports.c: what Boehm reports: leaks, if it is told to find them, and
   writes behind the end of a block.  Only lines that name this file count. */

#define GC_DEBUG

#include "like.h"

#include <stdint.h>
#include <unistd.h>

static FILE *said;
static int err; /* standard error is said meanwhile, where Boehm writes */

static void
begin_listening(void)
{
    said = tmpfile();
    err = dup(STDERR_FILENO);
    like_need(said != NULL && err >= 0);
    like_need(dup2(fileno(said), STDERR_FILENO) >= 0);
}

static void
end_listening(void)
{
    dup2(err, STDERR_FILENO);
    close(err);
    fclose(said);
}

/* How many lines have both texts. */
static int
lines(const char *what, const char *where)
{
    char line[1000];
    int n = 0;

    rewind(said);
    while (fgets(line, sizeof line, said))
        n += strstr(line, what) != NULL && strstr(line, where) != NULL;
    return n;
}

enum { MANY = 10 };
static void *blocks[MANY];

/* Not the first of a page, which Boehm may keep; see steady.c. */
static void *
new_block(size_t size)
{
    enum { PAGE = 4096 };
    void *block = GC_MALLOC_ATOMIC(size), *other = block;

    like_need(block != NULL);
    if ((uintptr_t)GC_base(block) % PAGE == 0) {
        other = new_block(size);
        GC_FREE(block);
    }
    return other;
}

static APART void
lose(int n)
{
    for (int i = 0; i < MANY; i++)
        blocks[i] = new_block((size_t)(4 + i));
    for (int i = n; i < MANY; i++)
        GC_FREE(blocks[i]);
    memset(blocks, 0, sizeof blocks);
}

/* Boehm names forty at a time. */
static void
test_leaks(void)
{
    lose(0);
    like_collect();
    int none = lines("sz=", __FILE__);
    lose(3);
    for (int i = 0; i < 5; i++)
        like_collect();
    printf("leaks: %d, %d\n", none, lines("sz=", __FILE__));
}

/* Boehm looks at those that are alive, in each collection.  The word behind a
   block is made of its address: any one value of a byte may be the right one.
 */
static APART void
smash(void)
{
    for (int i = 0; i < MANY; i++) {
        char *volatile block = blocks[i] = new_block(100);

        if (i % 4 == 0)
            block[104 + i / 4] ^= 42; /* whole words of it are the block's */
    }
}

/* Is the block named? */
static int
is_named(const void *block)
{
    char name[40];

    snprintf(name, sizeof name, "near object at %p (", block);
    return lines(name, __FILE__) > 0;
}

static void
test_smashed(void)
{
    int smashed = 0, others = 0;

    smash();
    like_collect();
    for (int i = 0; i < MANY; i++)
        *(i % 4 ? &others : &smashed) += is_named(blocks[i]);
    printf("smashed: %d, %d\n", smashed, others);
}

int
main(int argc, char **argv)
{
    (void)argv;
    GC_set_find_leak(argc > 1);
    GC_INIT();
    begin_listening();
    if (argc > 1)
        like_test(test_leaks);
    else
        like_test(test_smashed);
    end_listening();
    return 0;
}
