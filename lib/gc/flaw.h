/* flaw.h: what can be wrong with an object, whatever is done about it.

   With checks a flaw is the end, see inspect.h; an audit tells of it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_FLAW_H
#define PYB_GC_FLAW_H

#include <stddef.h>

#include "object.h"

enum pyb_flaw {
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
    /* Of a dead one. */
    PYB_DEAD_COUNTED,
    PYB_DEAD_WRITTEN,
    PYB_DEAD_TRACKED,
    PYB_DEAD_UNTRACKED,
    PYB_DEAD_FREED,
    PYB_FLAWS
};

/* pyb_flaw_slot: the slot or the function in which it came about. */
const char *pyb_flaw_slot(enum pyb_flaw flaw);

/* pyb_flaw_text: says it in a few words; op is who has it. */
enum { PYB_FLAW_BYTES = 80 };
void pyb_flaw_text(enum pyb_flaw flaw, const PyObject *op,
                   char text[PYB_FLAW_BYTES]);

/* pyb_flaw_of_type, pyb_flaw_of_tracked, pyb_flaw_of_dead: the first flaw of a
   type's objects, of a tracked object (one whose tp_dealloc is under way has a
   count of 0, and that is none), of a free block that nobody may have written
   to. */
enum pyb_flaw pyb_flaw_of_type(const PyTypeObject *type);
enum pyb_flaw pyb_flaw_of_tracked(PyObject *op);
enum pyb_flaw pyb_flaw_of_dead(const PyObject *block);

/* How many bytes more a block needs for the fence, which stands at its end but
   before the managed slots. */
enum { PYB_FENCE_BYTES = 16 };

/* pyb_fence_raise: puts it up.  pyb_fence_begin: where the body ends.
   pyb_fence_is_broken: has somebody written to it? */
void pyb_fence_raise(PyObject *op);
unsigned char *pyb_fence_begin(PyObject *op);
int pyb_fence_is_broken(PyObject *op);

#endif /* PYB_GC_FLAW_H */
