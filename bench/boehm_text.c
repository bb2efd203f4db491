/* boehm_text.c: a program of Boehm's with weak entries, ropes and finalizers
   (examples/host), without the library, and with the library initialised but
   not called. */

#ifdef BENCH_PLAIN
#include "bench.h"
#else
#include "nodes.h"
#endif

#include "../examples/host/intern.h"
#include "../examples/host/rope.h"

#include <gc/gc.h>
#include <stdio.h>

enum { KEPT = 64, LINES = 200, WORDS = 10 };

/* The oldest page is dropped for each new one. */
struct page {
    const struct rope *text;
    const char *words[LINES * WORDS];
};
static struct page *pages[KEPT];
static size_t made, closed;

static void GC_CALLBACK
close_page(void *page, void *data)
{
    (void)page;
    (void)data;
    closed++;
}

static struct page *
make_page(size_t vocabulary)
{
    struct page *page = GC_MALLOC(sizeof *page);

    if (page == NULL)
        bench_fail("no memory");
    GC_REGISTER_FINALIZER_NO_ORDER(page, close_page, NULL, NULL, NULL);
    for (int i = 0; i < LINES * WORDS; i++) {
        char word[30];
        size_t length = (size_t)snprintf(word, sizeof word, "word-%zu ",
                                         bench_random(vocabulary));

        page->words[i] = intern(word, length - 1);
        page->text = rope_join(page->text, rope_text(word, length));
    }
    return page;
}

/* For each word; the size is how many different ones there are. */
static double
text(size_t vocabulary)
{
    double start = bench_now();
    size_t length = 0;

    for (int i = 0; i < KEPT; i++)
        pages[i] = make_page(vocabulary);
    made += KEPT;
    GC_gcollect();
    for (int i = 0; i < KEPT; i++)
        length += rope_length(pages[i]->text);
    if (length < (size_t)KEPT * LINES * WORDS || closed > made - KEPT ||
        intern_count() > vocabulary)
        bench_fail("a page has changed");
    return (bench_now() - start) / ((double)KEPT * LINES * WORDS);
}

static const struct bench_row rows[] = {
    {"text", .round = text},
    {.name = NULL},
};

int
main(int argc, char **argv)
{
#ifdef BENCH_PLAIN
    GC_INIT();
#else
    nodes_start();
#endif
    return bench_main(argc, argv, rows);
}
