/* flawed.h: objects and types that have a flaw, see gc/flaw.h. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_FLAWED_H
#define PYB_WATCH_FLAWED_H

#include "gc/flaw.h"
#include "watch/findings.h"

/* pyb_flawed_note: it has come to light; the member of struct pyb_observers,
   see gc/watching.h. */
void pyb_flawed_note(enum pyb_flaw flaw, PyObject *op);

/* pyb_flawed_find: adds the flaws that all objects have now, and, where
   somebody has looked from the start, the memory of dead ones.  0, or -1 if
   there is no memory. */
int pyb_flawed_find(struct pyb_findings *findings);

#endif /* PYB_WATCH_FLAWED_H */
