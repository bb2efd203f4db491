/* mallocscan.c: does Boehm look at malloc's memory?  See boehm.h.

   It should not.  One that was built with --enable-redirect-malloc does:
   malloc is its own there, or all memory that can be written is a root.  No
   name or address tells all of them apart, so it is tried: blocks of Boehm's
   to which only malloc's memory refers have to go.  A stale word on a stack
   may keep one of them, but not all. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/boehm/private.h"

enum { BLOCKS = 32, COLLECTIONS = 2 };

static struct {
    void **blocks; /* malloc's memory */
    int begun;
    unsigned long collections; /* Boehm's number of them then */
    GC_word there[BLOCKS];     /* Boehm clears these when it takes a block */
    int known, scans;
} trial;

static void **
link_of(size_t i)
{
    return (void **)(void *)&trial.there[i];
}

void
pyb_boehm_prepare_scan(void)
{
    if (!trial.known && trial.blocks == NULL)
        trial.blocks = calloc(BLOCKS, sizeof *trial.blocks);
}

/* 0, or -1 if there is no memory.  A finalizer that runs meanwhile may end the
   library, and with it the trial. */
static int
make_block(size_t i)
{
    void *block = GC_MALLOC_ATOMIC(sizeof(GC_word));

    PYB_ASSERT(i < BLOCKS && trial.there[i] == 0);
    if (block == NULL || trial.blocks == NULL)
        return -1;
    trial.there[i] = 1;
    trial.blocks[i] = block;
    return GC_general_register_disappearing_link(link_of(i), block) ==
                   GC_SUCCESS
               ? 0
               : -1;
}

void
pyb_boehm_begin_scan(void)
{
    if (trial.blocks == NULL || trial.begun || pyb_boehm_finds_leaks())
        return;
    PYB_ASSERT(!trial.known);
    trial.begun = 1;
    trial.collections = pyb_boehm_collections();
    for (size_t i = 0; i < BLOCKS; i++)
        if (make_block(i) < 0) {
            pyb_mallocscan_end();
            return;
        }
}

/* Post-condition: nothing is tried; the result says whether all blocks were
   there. */
static int
end(void)
{
    int all = trial.begun;

    PYB_ASSERT(trial.blocks != NULL || !trial.begun);
    for (size_t i = 0; i < BLOCKS; i++) {
        all &= trial.there[i] != 0;
        GC_unregister_disappearing_link(link_of(i));
        trial.there[i] = 0;
    }
    free(trial.blocks);
    trial.blocks = NULL;
    trial.begun = 0;
    return all;
}

void
pyb_mallocscan_end(void)
{
    (void)end();
}

int
pyb_boehm_scans_malloc(void)
{
    if (trial.begun &&
        pyb_boehm_collections() - trial.collections >= COLLECTIONS) {
        trial.scans = end();
        trial.known = 1;
    }
    return trial.known && trial.scans;
}
