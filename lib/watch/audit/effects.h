/* effects.h: side effects of tp_traverse.

   tp_traverse runs in the middle of collections and of audits, and must do
   nothing but visit.  Here it is called once for each container, and any
   change meanwhile is its effect; some effects are visible only in an audit
   (gc/base/events.h). */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_EFFECTS_H
#define PYB_WATCH_AUDIT_EFFECTS_H

#include "watch/audit/findings.h"

/* If a call has several effects, only the first in this list is reported; the
   others usually follow from it. */
enum pyb_effect {
    PYB_EFFECT_RAISES,
    PYB_EFFECT_MAKES,  /* or frees */
    PYB_EFFECT_TRACKS, /* or untracks */
    PYB_EFFECT_COLLECTS,
    PYB_EFFECT_COUNTS,
    PYB_EFFECTS
};

/* pyb_effects_note: an effect occurs now; it counts if tp_traverse is under
   way. */
void pyb_effects_note(enum pyb_effect effect);

/* pyb_effects_look: calls op's tp_traverse and notices its effects.  The
   member of struct pyb_events; see gc/base/events.h. */
void pyb_effects_look(PyObject *op);

/* pyb_effects_find: adds the types with a tp_traverse that has effects.
   Returns 0, or -1 if there is no memory. */
int pyb_effects_find(struct pyb_findings *findings);

#endif /* PYB_WATCH_AUDIT_EFFECTS_H */
