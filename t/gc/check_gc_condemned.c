/* check_gc_condemned.c: behind the API: Boehm collects while the dead are put
   into their set.

   Linked with pyb_cycle_forget wrapped: the first call comes when they are no
   candidates any more, and not in the array yet. */

#include "../support/node.h"
#include "../support/suite.h"

#include <gc/gc.h>
#include <pyboehm.h>

#include "gc/cycle.h"

void __real_pyb_cycle_forget(struct pyb_walk);
void __wrap_pyb_cycle_forget(struct pyb_walk);

static int collect_then;

void
__wrap_pyb_cycle_forget(struct pyb_walk candidates)
{
    __real_pyb_cycle_forget(candidates);
    if (!collect_then)
        return;
    collect_then = 0;
    GC_gcollect();
}

enum { MANY = 1000 };
static int round_now, blocks_gone; /* those of this round */

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

static int broken;

static void
look_at_the_block(struct node *node)
{
    broken += node->host != NULL && strcmp(node->host, "still here") != 0;
}

static void
condemn_meanwhile(int generation)
{
    node_reset();
    round_now++;
    node_log.on_finalize = node_log.on_clear = look_at_the_block;
    for (int i = 0; i < MANY; i++)
        drop_a_ring();
    collect_then = 1;
    ck_assert_int_eq(PyBoehm_GC_Collect(generation), 2 * MANY);
    ck_assert_int_eq(collect_then, 0);
    ck_assert_int_eq(node_log.freed, 2 * MANY);
    ck_assert_int_eq(broken, 0);
    ck_assert_int_eq(blocks_gone, 0);
}

/* They, and what they lead to, are kept. */
START_TEST(boehm_collects_while_they_are_condemned)
{
    PyGC_Disable();
    for (int generation = 0; generation < 3; generation++)
        condemn_meanwhile(generation);
}
END_TEST

int
main(void)
{
    return suite_run("gc: condemned");
}
