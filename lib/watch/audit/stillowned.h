/* stillowned.h: objects that have an owner after they were cleared as
   garbage. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_STILLOWNED_H
#define PYB_WATCH_AUDIT_STILLOWNED_H

#include "object.h"

/* pyb_stillowned_note: notices that op is one, while pyb_visits_list knows how
   the members of its set visited one another. */
void pyb_stillowned_note(PyObject *op);

#endif /* PYB_WATCH_AUDIT_STILLOWNED_H */
