/* visits.h: with checks or an audit: visits among the members of a set, and
   those that are more than the references of the visitor. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_VISITS_H
#define PYB_GC_CHECK_VISITS_H

#include "gc/heap/walk.h"

/* Visits of one instance of a type to an object, and the references to that
   object in the instance's body.  That there are more visits is no proof of a
   mistake: a type may own what its body has once, or not at all.  The
   reference counts decide. */
enum {
    PYB_VISITS_TYPE = 64,
    PYB_VISITS_FIELD = 110,
    PYB_VISITS_BYTES = 2 * PYB_VISITS_TYPE + PYB_VISITS_FIELD + 64
};
struct pyb_visits {
    size_t visits, references;
    const void *traverse;
    char type[PYB_VISITS_TYPE], to[PYB_VISITS_TYPE];
    char field[PYB_VISITS_FIELD]; /* as struct pyb_events has it */
};

/* pyb_visits_make: the visits of op to an object.
   pyb_visits_text: "visits list more often than it refers to it: 2 visits, 1
   reference: custom.Custom+24 (first)". */
struct pyb_visits pyb_visits_make(PyObject *op, PyObject *to, size_t visits,
                                  size_t references);
const char *pyb_visits_text(const struct pyb_visits *visits,
                            char text[PYB_VISITS_BYTES]);

/* pyb_visits_excess: does op's body have the address less often than is
   visited, at least once but for op itself, and nothing that could own it,
   too?  Sets how many references there are. */
int pyb_visits_excess(PyObject *op, PyObject *to, size_t visits,
                      size_t *references);

/* pyb_visits_note: members of a set are about to be cleared; notes how they
   visit one another, in place of what was noted of the set before.
   pyb_visits_suspected: too many visits that were noted, to objects of op's
   type; or NULL.
   pyb_visits_list: the fields and types that objects of op's type were visited
   by: "custom.Custom+24 (first), list". */
enum { PYB_VISITORS_BYTES = 256 };
void pyb_visits_note(struct pyb_walk members);
const struct pyb_visits *pyb_visits_suspected(const PyObject *op);
const char *pyb_visits_list(const PyObject *op, char text[PYB_VISITORS_BYTES]);

#endif /* PYB_GC_CHECK_VISITS_H */
