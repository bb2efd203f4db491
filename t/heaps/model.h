/* model.h: what the host can reach: edges and bits, and nothing of either
   collector.

   The model is changed together with what it is a model of, never before a
   call that may collect, and before references are given up: so whatever a
   collector does in between can be held against it. */

#ifndef T_HEAPS_MODEL_H
#define T_HEAPS_MODEL_H

#include "program.h"

enum { PLACES = 40, EDGES = 3, ROOTS = 3, NONE = -1 };

/* What a thing is.  Objects own their edges by count, and have a place for a
   pointer to a block if they are nodes; a block's edges are plain pointers. */
enum kind {
    KIND_BODY,    /* a node: edges in its body */
    KIND_MALLOC,  /* in malloc memory, where Boehm does not look */
    KIND_SCANNED, /* in a block of Boehm's */
    KIND_MANAGED, /* in a managed dict */
    KIND_LIST,
    KIND_DICT,
    KIND_TUPLE,
    KIND_CELL,
    KIND_BLOCK, /* of the host */
    N_KINDS,
    N_NODES = KIND_LIST,
    N_OBJECTS = KIND_BLOCK
};

/* A block's finalizer, as long as it has not been called. */
enum pending { PENDING_NOT, PENDING_NO_ORDER, PENDING_ORDERED, N_PENDING };

/* The host's toggle reference to a block or an adopted object: a strong one
   keeps it. */
enum toggle { TOGGLE_NONE, TOGGLE_WEAK, TOGGLE_STRONG };

/* One bit for each thing. */
typedef uint64_t model_set;
#define MODEL_BIT(thing) (UINT64_C(1) << (thing))

#define FOR_SET(i, set)                                                       \
    for (int i = 0; i < PLACES; i++)                                          \
        if ((set)&MODEL_BIT(i))

struct thing {
    enum kind kind;
    enum habit habit;
    enum pending pending; /* of a block */
    int adopted;
    int count; /* references counted by the host */
    int owned; /* of these, how many are blocks' */
    int owns;  /* of a block: to what it has a counted reference */
    int edges[EDGES];
    int block; /* a node's pointer */
    int finalized, cleared;
    enum toggle toggle;
    int strengthen; /* a weak one becomes strong when Boehm asks next */
};

struct model {
    struct thing things[PLACES];
    int n;            /* how many there ever were */
    model_set there;  /* not freed, not reclaimed */
    model_set blocks; /* of all */
    int roots[ROOTS]; /* of Boehm's */
};

void model_init(struct model *model);

/* model_add: a new thing without edges; its place, or NONE if all are in
   use. */
int model_add(struct model *model, enum kind kind, enum habit habit);

/* model_remove: it is freed, or reclaimed. */
void model_remove(struct model *model, int thing);

/* model_is_held: may the host have a pointer to it in Boehm's memory?  It is a
   block, or adopted, or counted. */
int model_is_held(const struct model *model, int thing);

/* model_reached: a set, with all that it leads to. */
model_set model_reached(const struct model *model, model_set from);

/* model_visible: what the host can reach. */
model_set model_visible(const struct model *model);

/* model_alive: what must live: with what blocks reach whose finalizer was not
   called. */
model_set model_alive(const struct model *model);

/* model_finalizable: the blocks whose finalizers Boehm may queue. */
model_set model_finalizable(const struct model *model);

/* model_exact: the garbage that is found without Boehm: nothing adopted leads
   to it. */
model_set model_exact(const struct model *model);

/* model_references: how many counted references there are to each thing. */
void model_references(const struct model *model, int counts[PLACES]);

/* model_print: all of it, as text. */
void model_print(FILE *out, const struct model *model);

#endif /* T_HEAPS_MODEL_H */
