/* slotnames.h: __slots__ of a class. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_SLOT_SLOTNAMES_H
#define PYB_OBJECT_SLOT_SLOTNAMES_H

#include "object.h"

/* The parts that instances of a new class have beyond those of its base. */
struct pyb_slotnames {
    PyObject *names; /* of the members: a sorted tuple of str, owned; NULL if
                        the class has no __slots__ */
    int dict, weakref;
};

/* pyb_slotnames_read: fills in *slots for the class called name, with the
   dictionary dict, the bases bases and the layout of base.  0, or -1 with an
   exception and nothing owned. */
int pyb_slotnames_read(PyObject *name, PyObject *dict, PyObject *bases,
                       PyTypeObject *base, struct pyb_slotnames *slots);

/* pyb_slotnames_count: the number of members. */
Py_ssize_t pyb_slotnames_count(const struct pyb_slotnames *slots);

/* pyb_slotnames_set: gives type, which must have room for them as items, the
   members behind those of base, and the reference to the names.  0, or -1 with
   an exception. */
int pyb_slotnames_set(PyHeapTypeObject *type, PyTypeObject *base,
                      struct pyb_slotnames *slots);

/* pyb_slotnames_same: do the two types add the same members to the same
   base?  1, 0, or -1 with an exception. */
int pyb_slotnames_same(PyTypeObject *a, PyTypeObject *b);

#endif /* PYB_OBJECT_SLOT_SLOTNAMES_H */
