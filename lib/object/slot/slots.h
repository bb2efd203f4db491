/* slots.h: finding a slot of a type: by its number in typeslots.h, or by its
   name in a suite that may be missing. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_SLOT_SLOTS_H
#define PYB_OBJECT_SLOT_SLOTS_H

#include "object.h"

/* pyb_slots_exists: is this the number of a slot? */
int pyb_slots_exists(int slot);

/* pyb_slots_set: gives a slot its content.  The slot and its suite exist. */
void pyb_slots_set(PyTypeObject *type, int slot, void *content);

/* PYB_SLOTS_NB, PYB_SLOTS_SQ, PYB_SLOTS_MP: the slot of that name in the
   suite of an object's type; NULL if it is not there. */
#define PYB_SLOTS_NB(op, slot) PYB_SLOTS_FIND(op, tp_as_number, slot)
#define PYB_SLOTS_SQ(op, slot) PYB_SLOTS_FIND(op, tp_as_sequence, slot)
#define PYB_SLOTS_MP(op, slot) PYB_SLOTS_FIND(op, tp_as_mapping, slot)
#define PYB_SLOTS_FIND(op, suite, slot)                                       \
    (Py_TYPE(op)->suite != NULL ? Py_TYPE(op)->suite->slot : NULL)

#endif /* PYB_OBJECT_SLOT_SLOTS_H */
