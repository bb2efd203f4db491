/* defect.h: what can be wrong with an object, whatever is done about it.

   With checks a defect is the end, see inspect.h; an audit tells of it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_DEFECT_H
#define PYB_GC_CHECK_DEFECT_H

#include <stddef.h>

#include "object.h"

enum pyb_defect {
    PYB_SOUND,
    /* Of a type: parts of its objects lie outside of them. */
    PYB_SMALL,
    PYB_FAR_WEAKLIST,
    PYB_FAR_DICT,
    /* Of a living object. */
    PYB_OVERRUN,
    PYB_NO_TRAVERSE,
    PYB_NO_GC,
    PYB_MISCOUNTED,
    PYB_BOEHMS_RELEASED,
    /* Of a dead one. */
    PYB_DEAD_COUNTED,
    PYB_DEAD_WRITTEN,
    PYB_DEAD_TRACKED,
    PYB_DEAD_UNTRACKED,
    PYB_DEAD_FREED,
    PYB_DEFECTS
};

/* pyb_defect_slot: the slot or the function in which the defect of op came
   about.
   pyb_defect_size: what its type says of the size of op. */
const char *pyb_defect_slot(enum pyb_defect defect, const PyObject *op);
const char *pyb_defect_size(const PyObject *op);

/* pyb_defect_text: says in a few words what the defect of op is. */
enum { PYB_DEFECT_BYTES = 80 };
void pyb_defect_text(enum pyb_defect defect, const PyObject *op,
                     char text[PYB_DEFECT_BYTES]);

/* pyb_defect_of_type, pyb_defect_of_tracked, pyb_defect_of_dead: the first
   defect of a type's objects, of a tracked object (one whose tp_dealloc is
   under way has a count of 0, and that is none), of a free block that
   must not have been written to. */
enum pyb_defect pyb_defect_of_type(const PyTypeObject *type);
enum pyb_defect pyb_defect_of_tracked(PyObject *op);
enum pyb_defect pyb_defect_of_dead(const PyObject *block);

/* How many bytes more a block needs for the redzone, which stands between the
   object's exact end and the block's, but before the managed slots. */
enum { PYB_REDZONE_BYTES = 16 };

/* What a word of the redzone is, with checks. */
#define PYB_REDZONE_WORD ((uintptr_t)-1 / 0xff * 0xfe)

/* pyb_redzone_raise: puts it up behind an object of so many bytes.
   pyb_redzone_broken_at: the offset in the object at which it was written to,
   or a lower one in it; -1 if it was not, or if there is none. */
void pyb_redzone_raise(PyObject *op, size_t size);
Py_ssize_t pyb_redzone_broken_at(const PyObject *op);

#endif /* PYB_GC_CHECK_DEFECT_H */
