/* inspect.h: what can be said of one object, or of what is taken for one.

   For checks, messages and audits: nothing here is called in an ordinary build
   without PYBOEHM_CHECK=1, but by an audit and on the way to the end.

   With checks each block carries two facts more than the side table's: fenced
   (the object in it ends with a fence, which nobody writes to; those made
   without checks have none; of a block without an object it says nothing) and
   freed (an object died in it and no other was made).  Life of a block: made:
   fenced; PyObject_GC_Del: freed; made again: fenced; forgotten, or large and
   given back: not freed. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_INSPECT_H
#define PYB_GC_INSPECT_H

#include "gc/sidetable.h"

/* pyb_inspect_init: checks begin; what is known of blocks is forgotten, since
   without checks nobody noted it. */
void pyb_inspect_init(void);

/* pyb_inspect_is_object: does an object stand at this address, whatever the
   address?  As far as its memory tells.
   pyb_inspect_is_live: and has it a reference? */
int pyb_inspect_is_object(const void *address);
int pyb_inspect_is_live(const void *address);

/* pyb_inspect_recheck: memory may have gone since it was looked at. */
void pyb_inspect_recheck(void);

/* pyb_inspect_is_freed: is it the address of a block whose object is dead? */
int pyb_inspect_is_freed(const void *address);

/* pyb_inspect_type: the name of the type of what stands there, or lately
   stood there; "(unknown)" if that cannot be told. */
const char *pyb_inspect_type(const void *address);

/* How many bytes more a block needs for the fence. */
enum { PYB_FENCE_BYTES = 16 };

/* pyb_inspect_reuse: a block is taken for an object; fatal if somebody has
   written to it since it was freed. */
void pyb_inspect_reuse(PyObject *block);

/* pyb_inspect_made: its head has been written; fatal if the type has parts of
   its objects lie outside of them.  Puts the fence up, and fills all between
   head and fence with what is nobody's address unless it is to be zero. */
void pyb_inspect_made(PyObject *op, int zero);

/* pyb_inspect_layout: the first half of that, for any object. */
void pyb_inspect_layout(PyObject *op);

/* pyb_inspect_freeing: fatal if op may not be freed; else notes that it is. */
void pyb_inspect_freeing(PyObject *op);

/* pyb_inspect_forget: the blocks of a card are nobody's any more. */
void pyb_inspect_forget(struct pyb_card *card, uint64_t bits);

/* pyb_inspect_tracked: fatal if something is wrong with a tracked object. */
void pyb_inspect_tracked(PyObject *op);

#endif /* PYB_GC_INSPECT_H */
