/* check_gc_condemned.c: behind the API: Boehm collects while the dead are put
   into their set.

   Linked with madvise wrapped, which clears the counts of many candidates: it
   is called when the dead are condemned, and no candidates any more. */

#include "../support/node.h"
#include "../support/suite.h"

#include <gc/gc.h>
#include <pyboehm.h>

#include "gc/cycle.h"
#include "gc/heap/sidetable.h"

int __real_madvise(void *memory, size_t size, int advice);
int __wrap_madvise(void *memory, size_t size, int advice);

static int collect_then;

int
__wrap_madvise(void *memory, size_t size, int advice)
{
    if (collect_then &&
        (pyb_sidetable.states & PYB_STATE_BIT(PYB_STATE_CURRENT))) {
        collect_then = 0;
        GC_gcollect();
    }
    return __real_madvise(memory, size, advice);
}

enum { MANY = PYB_CYCLE_FEW / 2 + 1 }; /* rings of two */
static int round_now, blocks_gone;     /* those of this round */

static void
block_gone(void *Py_UNUSED(block), void *round)
{
    blocks_gone += (int)(intptr_t)round == round_now;
}

/* A ring that holds a block of the host's. */
static void
drop_a_ring(void)
{
    struct node *ring = node_ring(&node_final_type, 2);

    ring->host = GC_MALLOC_ATOMIC(16);
    strcpy(ring->host, "still here");
    GC_REGISTER_FINALIZER_NO_ORDER(ring->host, block_gone,
                                   (void *)(intptr_t)round_now, NULL, NULL);
    Py_DECREF(ring);
}

static int broken, gone_early;

static void
look_at_the_block(struct node *node)
{
    broken += node->host != NULL && strcmp(node->host, "still here") != 0;
}

/* All finalizers run before a member is cleared; once the members are gone,
   Boehm may have collected the host's blocks, too. */
static void
look_before_all_clears(struct node *node)
{
    look_at_the_block(node);
    gone_early = blocks_gone;
}

static void
condemn_meanwhile(int generation)
{
    node_reset();
    round_now++;
    blocks_gone = gone_early = 0;
    node_log.on_finalize = look_before_all_clears;
    node_log.on_clear = look_at_the_block;
    for (int i = 0; i < MANY; i++)
        drop_a_ring();
    collect_then = 1;
    ck_assert_int_eq(PyBoehm_GC_Collect(generation), 2 * MANY);
    ck_assert_int_eq(collect_then, 0);
    ck_assert_int_eq(node_log.freed, 2 * MANY);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_eq(gone_early, 0);
}

/* They, and what they lead to, are kept. */
START_TEST(boehm_collects_while_they_are_condemned)
{
    if (!suite_has("MADVISE"))
        return;
    PyGC_Disable();
    for (int generation = 0; generation < 3; generation++)
        condemn_meanwhile(generation);
}
