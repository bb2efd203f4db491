/* model.h: what must come of a program: sets and edges, and nothing of any
   collector.

   The model does each instruction before it is done for good, and says what
   must be seen: the result, the calls of finalizers, callbacks and tp_clear,
   what is freed, and the state of each thing afterwards.  Within a phase of a
   collection it promises no order; nothing that it expects depends on one. */

#ifndef T_WORLD_MODEL_H
#define T_WORLD_MODEL_H

#include "program.h"

enum { MODEL_THINGS = 64, NONE = -1 };

enum kind { KIND_NODE, KIND_LIST, KIND_TUPLE, KIND_DICT, KIND_WEAKREF };

enum { YOUNG, MIDDLE, OLD, FROZEN };

/* One bit for each thing. */
typedef uint64_t model_set;

struct thing {
    enum kind kind;
    int alive, tracked, generation, finalized;
    int emptied; /* a list or dict: tp_clear was there; it stays empty */
    int size;    /* a node's items */
    long name;   /* tells it from others that had its place */
    struct traits traits;
    struct habits habits;
    int edges[WORLD_EDGES]; /* of a weak reference: 0 is the callback */
    int target;             /* of a weak reference; NONE: dead */
    int refs;               /* all references to it */
    int saved, garbage;     /* of these, from what is saved, gc.garbage */
};

/* What may be seen happen to a thing. */
enum event {
    EVENT_CALLBACK, /* of a weak reference */
    EVENT_FINAL,    /* tp_finalize; its value: what IsFinalized says in it */
    EVENT_PEEK,     /* its value: is the weak reference alive? */
    EVENT_CLEAR,    /* tp_clear of a node */
    EVENT_FREE,     /* a node's tp_dealloc; the contents of a container */
    N_EVENTS
};

enum certainty { NEVER, PERHAPS, SURELY };

struct expected {
    enum certainty certainty;
    int phase; /* of a collection: 1 callbacks, 2 finalizers, 3 clearing */
    int value; /* -1: any */
};

/* Where CPython 3.11 is not as the manual, and as newer versions.  The model
   follows one or the other, and notes where it matters. */
struct model_rules {
    /* 3.11 clears all weak references to dead things, and those that are dead
       themselves, before the finalizers run; the manual has finalizers find
       them intact, except for those that have callbacks. */
    int weakrefs_first;
    /* In 3.11 a weak reference keeps the callback that the collector has
       called, and goes to the survivors' generation, even if it was older or
       frozen, or is uncollectable, when it is not counted any more; the manual
       of weakref has __callback__ None when the object is gone, and ours lets
       go of the callback.  On that side the driver has it let go when the
       collection is over. */
    int called_weakrefs_last;
    /* 3.11 untracks a tuple of tuples in the same collection as these, or in
       the next one, which depends on the order of its lists: the driver tells
       the model what it saw. */
    int tuples_later;
};

/* A weak reference as it was when the phase began. */
struct snapshot {
    int target, callback;
};

struct model {
    struct model_rules rules;
    struct thing things[MODEL_THINGS];
    int vars[WORLD_VARS];
    long names;
    int diverged; /* a rule has mattered: the two sides go on differently */

    /* Of the last instruction. */
    int done;         /* 0: it did not apply, and nothing is to be done */
    int made;         /* the thing that it made; NONE */
    int found;        /* the saved thing that it took; NONE */
    int dict_made;    /* the dictionary that it made; NONE */
    long result;      /* what the call returns */
    model_set answer; /* of a query */
    int counts[MODEL_THINGS];   /* how often each stands in an answer */
    int children[MODEL_THINGS]; /* what each node's finalizer makes; NONE */
    model_set unsure; /* tuples and dicts that may be tracked or not */
    model_set called; /* weak references whose callbacks a collection
                         called */
    model_set taken;  /* places that are in use until its end */
    int phase;
    struct snapshot before[MODEL_THINGS];
    int peeked[MODEL_THINGS]; /* the weak reference that each one saw */
    struct expected expected[N_EVENTS][MODEL_THINGS];
};

void model_init(struct model *model, struct model_rules rules);

/* model_step: does one instruction. */
void model_step(struct model *model, struct insn insn);

/* model_alive: how many things there are. */
int model_alive(const struct model *model);

/* ------------------------------------------------------------------ */
/* Between the model's two files                                       */

/* model_collect: a collection; its result is the model's. */
void model_collect(struct model *model, int oldest);

/* model_expect: that an event will be seen. */
void model_expect(struct model *model, enum event event, int thing,
                  enum certainty certainty);

void model_ref(struct model *model, int thing);
void model_unref(struct model *model, int thing);
void model_cut(struct model *model, int thing, int edge);
void model_empty(struct model *model, int thing);
void model_finalize(struct model *model, int thing, int by_collector);
void model_act(struct model *model, int weakref);

/* model_begin, model_settle: around each phase; the latter decides what is
   certain of what weak references did in it. */
void model_begin(struct model *model, int phase);
void model_settle(struct model *model);

/* model_atomic: is a tuple or dict without what could be part of a cycle?
   deep: as ours finds it; else as 3.11 does. */
int model_atomic(const struct model *model, int thing, int deep);

#define MODEL_BIT(thing) (UINT64_C(1) << (thing))

#endif /* T_WORLD_MODEL_H */
