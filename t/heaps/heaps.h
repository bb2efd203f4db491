/* heaps.h: what the parts of the driver of two heaps share. */

#ifndef T_HEAPS_HEAPS_H
#define T_HEAPS_HEAPS_H

#include "host.h"
#include "model.h"
#include "objects.h"

#include <pyboehm.h>

enum {
    PLAIN,
    CALLING,
    WEAK
}; /* weak references to a node: without and with
      a callback */

/* It lies in malloc memory, and holds complements of addresses, so that Boehm
   finds none where we only keep accounts. */
struct graph {
    struct model model;
    uint64_t seed;
    int number;
    const uint8_t *bytes; /* its program */
    size_t n, at;
    uintptr_t hidden[PLACES];     /* Boehm clears that of a lost block */
    uintptr_t weak[PLACES][WEAK]; /* 0: none */
    uintptr_t links[PLACES];      /* to what is, or was, adopted; 0: none */
    model_set called_back;        /* their weak reference has called */

    /* Since the last collection began. */
    model_set doomed;      /* was found dead, unless Boehm saw it */
    model_set finalizable; /* blocks that Boehm may have queued, perhaps in
                              earlier ones, for finalizers on demand */
    model_set exact;       /* is to be gone after it */
    int ran;               /* finalizers and callbacks */

    model_set garbage; /* all that ever was unreachable */
};

struct heaps {
    int time; /* tells the graphs of one time from those before */
    int n;
    struct graph *graphs;
    void **roots;             /* of all graphs */
    int phase;                /* of the collection: 1 finalizers, 2 tp_clear */
    int is_quiet;             /* no member has told of a teardown since */
    int on_demand;            /* finalizers are, or were until this call */
    int comes_between;        /* is there what between.c does? */
    uint64_t chance;          /* which of it */
    struct identity *toggles; /* what has, or had, a toggle reference */
    size_t n_toggles;
    Py_ssize_t adopted; /* what Boehm's reference adds to a count */
};
extern struct heaps heaps;

/* graph_fail: says what is wrong with a thing; the process ends. */
_Noreturn void graph_fail(struct graph *graph, int place, const char *what);

/* graph_of: the graph of an identity, or NULL if it is of another time. */
struct graph *graph_of(struct identity id);

/* graph_do: does an instruction that is not a collection. */
void graph_do(struct graph *graph, struct insn insn);

/* graph_drop_all: the host gives up all that it can reach, and what its blocks
   own. */
void graph_drop_all(struct graph *graph);

/* graph_strengthen: the first weak toggle reference from that place on becomes
   strong when Boehm asks about it next. */
void graph_strengthen(struct graph *graph, int start);

/* graph_give_up: a block gives up what it owns. */
void graph_give_up(struct graph *graph, int block);

/* graph_act: a finalizer does what its habit is. */
void graph_act(struct graph *graph, int place);

/* Of the adopted objects that nothing leads to any more, one is in a root
   again, counted nowhere.  graph_look_up: if it has a weak reference, which
   gives the pointer; graph_walk: if a walk over all objects gives it;
   graph_read_link: its long link does. */
void graph_look_up(struct graph *graph, unsigned number);
void graph_walk(struct graph *graph, unsigned number);
void graph_read_link(struct graph *graph, unsigned number);

/* graph_object, graph_block: what stands in a place. */
static inline PyObject *
graph_object(const struct graph *graph, int place)
{
    return (PyObject *)~graph->hidden[place];
}

static inline struct block *
graph_block(const struct graph *graph, int place)
{
    return (struct block *)~graph->hidden[place];
}

/* graph_weakref: a weak reference that there is. */
static inline PyObject *
graph_weakref(const struct graph *graph, int place, int which)
{
    return (PyObject *)~graph->weak[place][which];
}

/* graph_identity: that of a place. */
static inline struct identity
graph_identity(const struct graph *graph, int place)
{
    return (struct identity){heaps.time, graph->number, place};
}

/* graph_check: all that must live is there, and is as the model says; counts:
   so are the reference counts, which they need not be within a call. */
void graph_check(struct graph *graph, model_set set, int counts);

/* graph_settle: between calls: notes what was reclaimed, and checks the
   graph. */
void graph_settle(struct graph *graph);

/* Something may come between: at the end of what the collectors call, after
   each of Boehm's collections, and when one begins, with its lock held. */
void between_calls(void);
void between_collections(void);
void between_marks(void);

/* watch_init: has everything that tells of itself be checked. */
void watch_init(void);

#endif /* T_HEAPS_HEAPS_H */
