/* program.h: programs for two heaps: what is done to a small graph of objects
   and of blocks of the host.

   A program is any string of bytes, four to an instruction: opcode and
   operands a, b, c.  Operands choose among what the host can reach, by number
   modulo how many there are; an instruction that finds nothing to choose does
   nothing.  So each program is right, and each part of one is, too. */

#ifndef T_HEAPS_PROGRAM_H
#define T_HEAPS_PROGRAM_H

#include "../random/bytecode.h"

/* Seeds of one batch have the same collections in the same order. */
enum { PROGRAM_BATCH = 400 };

enum opcode {
    OP_OBJECT,  /* make one of kind a; b: its habit, c: how it is held */
    OP_BLOCK,   /* make one in root c; a: its finalizer, b: its habit */
    OP_LINK,    /* object a, edge c = object b, by count */
    OP_UNLINK,  /* object a, edge c = none */
    OP_BODY,    /* object a's pointer to a block = block b */
    OP_BARE,    /* object a's pointer to a block = none */
    OP_SLOT,    /* block a, slot c = b, a block or an object */
    OP_EMPTY,   /* block a, slot c = none */
    OP_ROOT,    /* root c = b */
    OP_UNROOT,  /* root c = none */
    OP_COUNT,   /* the host takes a counted reference to object a */
    OP_DROP,    /* and gives one up */
    OP_ADOPT,   /* gives one to Boehm */
    OP_DISOWN,  /* takes it back from Boehm */
    OP_WEAKREF, /* a weak reference to object a; b: with a callback */
    /* Counts what weak reference a refers to; b & 1: root c = it; b & 2: root
       c = an adopted object that a walk shows, b & 4: that a long link has. */
    OP_DEREF,
    OP_COLLECT, /* collection of kind a */
    OP_TOGGLE, /* the host's toggle reference to a is weak, or with b strong */
    OP_OWN,    /* block a owns a counted reference to object b, until its
                  finalizer has run */
    N_OPS
};

/* For all graphs that share a heap at the same time. */
enum collection {
    COLLECT_BOEHM,
    COLLECT_YOUNG,
    COLLECT_MIDDLE,
    COLLECT_OLD,
    COLLECT_PYGC,
    COLLECT_ALL,
    COLLECT_AUTO,   /* from now on automatic ones, too */
    COLLECT_MANUAL, /* not any more */
    COLLECT_DEMAND, /* from now on finalizers run on demand */
    COLLECT_INVOKE, /* they run, and not on demand any more */
    N_COLLECTIONS
};

/* What a finalizer does, after it has looked at all that it reaches. */
enum habit {
    HABIT_NONE,
    HABIT_COUNT_SELF, /* the host counts the object that is finalized; a
                         block's finalizer looks up another one by a weak
                         reference, or a walk over all objects */
    HABIT_ROOT_SELF,  /* puts it, adopted, into a root; or the block */
    HABIT_COUNT_EDGE, /* the same with what edge 0 refers to */
    HABIT_ROOT_EDGE,
    HABIT_LINK_BACK, /* links what edge 0 refers to back to itself */
    HABIT_DROP_EDGE, /* empties edge 0 */
    HABIT_UNROOT,    /* empties a root */
    HABIT_DISOWN,    /* an adopted object is the host's again, by count */
    HABIT_COLLECT,   /* has Boehm collect, then does as HABIT_ROOT_EDGE */
    N_HABITS
};

#endif /* T_HEAPS_PROGRAM_H */
