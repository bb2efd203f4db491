/* overvisit.h: with checks or an audit: which types visit an object more often
   than they refer to it, or than it is referred to at all. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_OVERVISIT_H
#define PYB_GC_CHECK_OVERVISIT_H

#include "gc/heap/walk.h"

/* Visits of one instance of a type to an object, and the references to that
   object in the instance's body.  That is no proof: a type may own what its
   body has once, or not at all.  The reference counts decide. */
enum {
    PYB_SUSPICION_TYPE = 64,
    PYB_SUSPICION_FIELD = 110,
    PYB_SUSPICION_BYTES = 2 * PYB_SUSPICION_TYPE + PYB_SUSPICION_FIELD + 64
};
struct pyb_suspicion {
    size_t visits, references;
    const void *traverse;
    char type[PYB_SUSPICION_TYPE], to[PYB_SUSPICION_TYPE];
    char field[PYB_SUSPICION_FIELD]; /* as struct pyb_events has it */
};

/* pyb_suspicion_text: "visits list more often than it refers to it: 2 visits,
   1 reference: custom.Custom+24 (first)". */
const char *pyb_suspicion_text(const struct pyb_suspicion *suspicion,
                               char text[PYB_SUSPICION_BYTES]);

/* pyb_overvisit_look: members of a set are about to be cleared; notes which of
   them seem to visit another one more often than they refer to it, in place of
   what was noted of the set before.
   pyb_overvisit_suspected: what was noted of visits to objects of that type,
   or NULL. */
void pyb_overvisit_look(struct pyb_walk members);
const struct pyb_suspicion *pyb_overvisit_suspected(const PyObject *to);

/* pyb_overvisit: names the candidates that visit op, by type, and dies
   with the names of the types that pay the most visits. */
_Py_NO_RETURN void pyb_overvisit(PyObject *op, struct pyb_walk candidates);

#endif /* PYB_GC_CHECK_OVERVISIT_H */
