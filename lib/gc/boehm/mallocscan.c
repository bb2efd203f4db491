/* mallocscan.c: does Boehm look at malloc's memory?  See boehm.h.

   It should not.  One that was built with --enable-redirect-malloc does:
   malloc is its own there, or all memory that can be written is a root.  No
   name or address tells all of them apart, so it is tried: blocks of Boehm's
   to which only malloc's memory refers have to go.  A stale word on a stack
   may keep one of them, but not all. */

#include "Python.h"

#include "gc/boehm/private.h"

enum { BLOCKS = 32, COLLECTIONS = 2 };

static struct {
    void **blocks;         /* malloc's memory; NULL: none is asked about */
    unsigned long begun;   /* collections of Boehm's before it */
    GC_word there[BLOCKS]; /* Boehm clears these when it takes a block */
    int known, scans;
} trial;

static void **
link_of(size_t i)
{
    return (void **)(void *)&trial.there[i];
}

void
pyb_boehm_try_malloc(void)
{
    if (trial.known || trial.blocks != NULL || pyb_boehm_finds_leaks())
        return;
    trial.blocks = calloc(BLOCKS, sizeof *trial.blocks);
    trial.begun = pyb_boehm_collections();
    for (size_t i = 0; i < BLOCKS && trial.blocks != NULL; i++) {
        void *block = GC_MALLOC_ATOMIC(sizeof(GC_word));

        trial.there[i] = 1;
        trial.blocks[i] = block;
        if (block == NULL || GC_general_register_disappearing_link(
                                 link_of(i), block) != GC_SUCCESS)
            pyb_mallocscan_end();
    }
}

/* Post-condition: nothing is asked about; trial.scans is what is known now. */
void
pyb_mallocscan_end(void)
{
    trial.scans = trial.blocks != NULL;
    for (size_t i = 0; i < BLOCKS && trial.blocks != NULL; i++) {
        trial.scans &= trial.there[i] != 0;
        GC_unregister_disappearing_link(link_of(i));
        trial.there[i] = 0;
    }
    free(trial.blocks);
    trial.blocks = NULL;
}

int
pyb_boehm_scans_malloc(void)
{
    if (trial.blocks != NULL &&
        pyb_boehm_collections() - trial.begun >= COLLECTIONS) {
        pyb_mallocscan_end();
        trial.known = 1;
    }
    return trial.known && trial.scans;
}
