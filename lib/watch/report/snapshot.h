/* snapshot.h: the whole heap in arrays, at one moment.

   The objects are all containers, and the plain objects that these visit; with
   PYBOEHM_TRACE also plain ones that no container visits.  Immortal plain
   objects, None and static types for instance, are left out: nothing keeps
   them.  As long as a snapshot is open so is its census: see census.h. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REPORT_SNAPSHOT_H
#define PYB_WATCH_REPORT_SNAPSHOT_H

#include "object.h"

#include "watch/report/flow.h"
#include "watch/report/numbers.h"
#include "watch/why/chains.h"
#include "watch/why/own.h"

/* What is true of an object. */
enum {
    PYB_THING_OWN = 1, /* pyboehm's: see own.h */
    PYB_THING_GARBAGE = 2,
    PYB_THING_ADOPTED = 4,
    PYB_THING_UNTRACKED = 8,
    PYB_THING_FROZEN = 16,
    PYB_THING_IMMORTAL = 32,
    PYB_THING_PLAIN = 64,   /* no container */
    PYB_THING_OUTSIDE = 128 /* has references that no container answers for */
};

struct pyb_snapshot {
    struct pyb_census census;
    struct pyb_permanent own;
    struct pyb_chains chains;
    struct pyb_numbers plain; /* the plain objects, which are numbered behind
                                 the containers */
    struct pyb_numbers types;
    size_t n;             /* objects */
    struct pyb_flow flow; /* their references */
    size_t *bytes;
    uint32_t *type; /* numbers of types */
    unsigned char *state;
    unsigned char *is_root; /* is kept by other things than objects, or by
                               nothing */
    size_t edges_room;
};

/* pyb_snapshot_take: looks at all objects.  Returns 0, or -1 with MemoryError;
   it must not be called in the middle of a collection. */
int pyb_snapshot_take(struct pyb_snapshot *snapshot);
void pyb_snapshot_end(struct pyb_snapshot *snapshot);

/* pyb_snapshot_check: fatal if its arrays contradict one another, see
   gc/base/fatal.h. */
void pyb_snapshot_check(const struct pyb_snapshot *snapshot);

/* pyb_snapshot_object: the object with a number; borrowed. */
PyObject *pyb_snapshot_object(const struct pyb_snapshot *snapshot, size_t i);

/* pyb_snapshot_find: the number of an object; -1 if it has none. */
ptrdiff_t pyb_snapshot_find(const struct pyb_snapshot *snapshot,
                            const PyObject *op);

/* pyb_snapshot_type: the type with a number. */
PyTypeObject *pyb_snapshot_type(const struct pyb_snapshot *snapshot,
                                size_t number);

#endif /* PYB_WATCH_REPORT_SNAPSHOT_H */
