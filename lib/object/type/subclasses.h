/* subclasses.h: from a type to the types that inherit from it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_SUBCLASSES_H
#define PYB_OBJECT_TYPE_SUBCLASSES_H

#include <stdint.h>

#include "object.h"

/* pyb_subclasses_enter: enters type in the list of each of its bases.  0, or
   -1 with MemoryError and no entry. */
int pyb_subclasses_enter(PyTypeObject *type);

/* pyb_subclasses_leave: undoes pyb_subclasses_enter, if it was called. */
void pyb_subclasses_leave(PyTypeObject *type);

/* pyb_subclasses_check: fatal if what type keeps of them contradicts itself,
   see gc/base/fatal.h. */
void pyb_subclasses_check(PyTypeObject *type);

/* pyb_subclasses_free: frees a dying type's list of subclasses. */
void pyb_subclasses_free(PyTypeObject *type);

/* pyb_subclasses_each: calls visit(SUBCLASS, arg) for every direct subclass.
   visit neither makes nor releases types. */
void pyb_subclasses_each(PyTypeObject *type,
                         void (*visit)(PyTypeObject *, void *), void *arg);

/* pyb_subclasses_has_place: is this the address of an entry among the direct
   subclasses? */
int pyb_subclasses_has_place(PyTypeObject *type, uintptr_t address);

/* pyb_subclasses_list: the direct subclasses, the oldest first: a new list, or
   NULL with an exception. */
PyObject *pyb_subclasses_list(PyTypeObject *type);

#endif /* PYB_OBJECT_TYPE_SUBCLASSES_H */
