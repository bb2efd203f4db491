/* effects.h: what tp_traverse does beside visiting.

   It runs in the middle of collections, and of audits, so it must do nothing
   else.  It is called of each container once, and what changes meanwhile is
   its doing; some of that only observers see (gc/watching.h). */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_EFFECTS_H
#define PYB_WATCH_EFFECTS_H

#include "watch/findings.h"

/* Of several only the first is told: the others come with it. */
enum pyb_effect {
    PYB_EFFECT_RAISES,
    PYB_EFFECT_MAKES,  /* or frees */
    PYB_EFFECT_TRACKS, /* or untracks */
    PYB_EFFECT_COLLECTS,
    PYB_EFFECT_COUNTS,
    PYB_EFFECTS
};

/* pyb_effects_note: somebody does that now, perhaps tp_traverse. */
void pyb_effects_note(enum pyb_effect effect);

/* pyb_effects_look: calls op's tp_traverse and notices what it does; the
   member of struct pyb_observers, see gc/watching.h. */
void pyb_effects_look(PyObject *op);

/* pyb_effects_find: adds the types whose tp_traverse has effects.  0, or -1 if
   there is no memory. */
int pyb_effects_find(struct pyb_findings *findings);

#endif /* PYB_WATCH_EFFECTS_H */
