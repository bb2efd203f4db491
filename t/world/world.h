/* world.h: what the parts of the random world's driver share. */

#ifndef T_WORLD_WORLD_H
#define T_WORLD_WORLD_H

#include <Python.h>

#include "../random/driver.h"
#include "model.h"

struct world {
    struct model model;
    struct insn insn;                /* under way */
    size_t at;                       /* its number */
    int at_end;                      /* it is none of the program's */
    model_set alive;                 /* the things before it */
    PyObject *objects[MODEL_THINGS]; /* what the things are; borrowed */
    PyObject *vars[WORLD_VARS];      /* owned, like what is saved */
    PyObject **saved;
    size_t n_saved, saved_room;

    /* Seen of this instruction. */
    int phase; /* of the last event */
    int seen[N_EVENTS][MODEL_THINGS], values[N_EVENTS][MODEL_THINGS];
    int counts[MODEL_THINGS];
    long seen_result;

    /* Since the program began. */
    long raised, unraisable;
    struct driver_result result;
    FILE *transcript;
};
extern struct world world;

/* world_fail: says what is not as expected; the program ends. */
void world_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* world_init: prepares for instructions; 0, or -1 with an exception. */
int world_init(void);

/* world_freeze: takes all that is there out of the collector's sight. */
void world_freeze(void);

/* world_do: does an instruction for good. */
void world_do(struct insn insn);

/* world_act: what a node's finalizer or call does. */
struct node;
void world_act(struct node *node, enum habit habit);

/* world_place: the place of an object in the model; NONE. */
int world_place(PyObject *op);

#endif /* T_WORLD_WORLD_H */
