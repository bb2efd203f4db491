/* slots.h: where a type keeps the slot of a number of typeslots.h. */

#ifndef PYB_OBJECT_SLOTS_H
#define PYB_OBJECT_SLOTS_H

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif

#include "object.h"

/* pyb_slots_exists: is it the number of a slot? */
int pyb_slots_exists(int slot);

/* pyb_slots_get, pyb_slots_set: the content of a slot, NULL if its suite is
   not there.  The slot exists; to be set, so does its suite. */
void *pyb_slots_get(PyTypeObject *type, int slot);
void pyb_slots_set(PyTypeObject *type, int slot, void *content);

#endif /* PYB_OBJECT_SLOTS_H */
