/* program.h: the instructions of the random world; see t/random/bytecode.h. */

#ifndef T_WORLD_PROGRAM_H
#define T_WORLD_PROGRAM_H

#include "../random/bytecode.h"

enum {
    WORLD_VARS = 8,   /* variables, which own what they hold */
    WORLD_EDGES = 8,  /* places for references in a thing */
    WORLD_FIELDS = 4, /* of a node: edges 0 to 3 */
    WORLD_ITEMS = 3,  /* of a node with items: edges 4 to 6 */
    WORLD_DICT = 7    /* a node's edge to its dictionary */
};

enum opcode {
    OP_NODE,      /* var a = a node; b: its type, c: its habits */
    OP_LIST,      /* var a = [...]; b: which places to fill, c: first var */
    OP_TUPLE,     /* the same */
    OP_DICT,      /* the same, of the keys a0 to a3 */
    OP_WEAKREF,   /* var c = weak reference to var a; b: callback */
    OP_SET,       /* var a, edge b = var c */
    OP_UNSET,     /* var a, edge b: none */
    OP_ATTR,      /* attribute b of var a = var c */
    OP_LOAD,      /* var a = edge c of var b */
    OP_DEREF,     /* var a = what the weak reference var b refers to */
    OP_COPY,      /* var a = var b */
    OP_DROP,      /* var a: none */
    OP_RING,      /* var a, edge c = var b and back */
    OP_TRACK,     /* var a */
    OP_UNTRACK,   /* var a */
    OP_RESIZE,    /* var a: to b items */
    OP_COLLECT,   /* generation a; b: through PyGC_Collect if it is 2 */
    OP_DISABLED,  /* PyGC_Collect while disabled */
    OP_FREEZE,    /* all */
    OP_UNFREEZE,  /* all */
    OP_TAKE,      /* var a = a thing that was saved, which is not any more */
    OP_FORGET,    /* gives up what finalizers and callbacks have saved */
    OP_GARBAGE,   /* empties gc.garbage */
    OP_OBJECTS,   /* asks which things are in generation a; 3: in any */
    OP_REFERRERS, /* asks which things refer to var a */
    OP_REFERENTS, /* asks what var a refers to */
    OP_END,       /* not in programs: ends the world */
    N_OPS = OP_END
};

/* A node's type, from operand b of OP_NODE. */
enum form {
    FORM_STATIC,
    FORM_HEAP,
    FORM_SUB, /* a heap type on a static base that does all the work */
    N_FORMS
};

struct traits {
    enum form form;
    int clear;    /* has tp_clear */
    int final;    /* has tp_finalize */
    int legacy;   /* has tp_del */
    int weak;     /* can be weakly referred to */
    int dict;     /* has a dictionary */
    int variable; /* has items */
};

/* What a node's finalizer does, and its call as a callback, beside being
   noted.  Each deals with the node's own edges and nothing else, so that it
   does not matter in which order those of several nodes are called. */
enum habit {
    HABIT_NONE,
    HABIT_RAISE,
    HABIT_SAVE,      /* saves the node itself */
    HABIT_SAVE_EDGE, /* saves what edge 0 refers to */
    HABIT_DROP_EDGE, /* gives edge 0 up */
    HABIT_DOUBLE,    /* edge 1 = edge 0, if it is empty */
    HABIT_MAKE,      /* edge 1 = a new list, if it is empty */
    HABIT_UNTRACK,   /* untracks the node */
    HABIT_PEEK,      /* asks a weak reference in edge 0 for its object */
    N_FINAL_HABITS,
    N_CALL_HABITS = HABIT_DOUBLE
};

struct habits {
    enum habit final, call;
    int clear_raises;
};

struct traits program_traits(struct insn insn);
struct habits program_habits(struct insn insn);

#endif /* T_WORLD_PROGRAM_H */
