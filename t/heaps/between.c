/* between.c: what comes between a verdict and what follows from it: hosts look
   up what they have lost, another thread is attached, a switch is turned; see
   heaps.h. */

#include "heaps.h"

static int
one_in(uint32_t n)
{
    return program_number(&heaps.chance) % n == 0;
}

static void
look_around(void)
{
    static void (*const ways[])(struct graph *, unsigned) = {
        graph_look_up, graph_walk, graph_read_link};

    for (int i = 0; i < heaps.n; i++) {
        uint32_t number = program_number(&heaps.chance);
        struct graph *graph = &heaps.graphs[i];

        if (number % 8 > 2)
            continue;
        graph->ran++;
        ways[number % 8](graph, number / 8);
        if (one_in(16))
            graph_strengthen(graph, (int)(number / 8 % PLACES));
    }
}

static void
turn_switch(void)
{
    heaps.on_demand = 1;
    host_turn();
}

static void
come_between(void)
{
    if (one_in(host_is_on_demand() ? 2 : 32))
        turn_switch();
    else if (one_in(4))
        host_run_finalizers();
    else
        look_around();
}

/* The other thread may end a set that waits; the one whose turn it was goes on
   with its own. */
static void
let_other_in(void)
{
    static int is_in;
    int phase = heaps.phase;

    if (is_in)
        return;
    is_in = 1;
    host_let_in(come_between);
    is_in = 0;
    heaps.phase = phase;
}

void
between_calls(void)
{
    if (heaps.comes_between && one_in(8))
        let_other_in();
}

void
between_collections(void)
{
    if (one_in(3))
        let_other_in();
    else
        come_between();
}

void
between_marks(void)
{
    if (heaps.comes_between && one_in(host_is_on_demand() ? 4 : 32))
        turn_switch();
}
