/* collect_counts.c: the number that PyGC_Collect returns for graphs of many
   shapes, held from outside in part or not at all.
   Manual: "Controlling the Garbage Collector State", PyGC_Collect. */

#include "oracle.h"

enum { N_MAX = 40 };

/* n actors; the caller owns one reference to each. */
static struct actor *all[N_MAX];

static void
make(int n)
{
    for (int i = 0; i < n; i++)
        all[i] = actor_new(&Actor_Type, text("%02d", i));
}

static void
drop(int from, int to)
{
    for (int i = from; i < to; i++)
        Py_CLEAR(all[i]);
}

static void
count(const char *shape)
{
    say("%s:", shape);
    collect();
}

static void
link_ring(int from, int to)
{
    for (int i = from; i < to; i++)
        actor_set(all[i], 0, all[i + 1 < to ? i + 1 : from]);
}

static void
two_and_one_hanging(void)
{
    make(3);
    link_ring(0, 2);
    actor_set(all[0], 1, all[2]);
    drop(0, 3);
    count("two in a ring, one hanging");
}

static void
rings(void)
{
    for (int n = 1; n <= N_MAX; n += 13) {
        make(n);
        link_ring(0, n);
        drop(1, n);
        count("ring held at one member");
        drop(0, 1);
        count("ring let go");
    }
}

static void
clique(void)
{
    make(4);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            actor_set(all[i], j, all[(i + j + 1) % 4]);
    drop(0, 4);
    count("four, each to each other");
}

static void
tree_with_back_edge(void)
{
    make(31);
    for (int i = 0; i < 15; i++) {
        actor_set(all[i], 0, all[2 * i + 1]);
        actor_set(all[i], 1, all[2 * i + 2]);
    }
    actor_set(all[30], 0, all[0]);
    drop(1, 30);
    count("tree, its last leaf refers to the root; both held");
    drop(0, 1);
    count("the leaf held");
    drop(30, 31);
    count("tree let go");
}

static void
two_rings(void)
{
    make(10);
    link_ring(0, 5);
    link_ring(5, 10);
    actor_set(all[2], 1, all[7]);
    drop(0, 5);
    count("first of two rings let go, the second held");
    drop(5, 10);
    count("the second");
    make(10);
    link_ring(0, 5);
    link_ring(5, 10);
    actor_set(all[2], 1, all[7]);
    drop(1, 10);
    count("second held by the first");
    drop(0, 1);
    count("both let go");
}

static void
self_and_twice(void)
{
    make(2);
    for (int i = 0; i < 3; i++)
        actor_set(all[0], i, all[0]);
    actor_set(all[1], 0, all[1]);
    drop(0, 1);
    count("three references to itself");
    Py_INCREF(all[1]);
    drop(1, 2);
    count("a reference that nobody has");
}

static void
fixed_members(void)
{
    make(3);
    Py_DECREF(all[1]);
    all[1] = actor_new(&FixedActor_Type, "");
    link_ring(0, 3);
    drop(0, 3);
    count("one of three has no tp_clear");
    make(0);
    all[0] = actor_new(&FixedActor_Type, "");
    actor_set(all[0], 0, all[0]);
    drop(0, 1);
    count("alone, no tp_clear");
    count("again");
}

void
oracle_program(void)
{
    actor_new(&Actor_Type, "");
    count("nothing");
    two_and_one_hanging();
    rings();
    clique();
    tree_with_back_edge();
    two_rings();
    self_and_twice();
    fixed_members();
}
