/* inspect.h: what can be said of one object, or of what is taken for one.

   For checks, messages and audits: nothing here is called in an ordinary build
   without PYBOEHM_CHECK=1, but by an audit and on the way to the end.

   Where blocks are inspected, each carries two facts more than the side
   table's: redzoned (the object in it ends with a redzone, which nothing
   writes to; those made before have none; of a block without an object it says
   nothing) and freed (an object died in it and no other was made).  Life of a
   block: made: redzoned; PyObject_GC_Del: freed; made again: redzoned;
   forgotten, or large and given back: not freed. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CHECK_INSPECT_H
#define PYB_GC_CHECK_INSPECT_H

#include "gc/base/fatal.h"
#include "gc/check/defect.h"
#include "gc/control.h"
#include "gc/heap/sidetable.h"

/* pyb_inspect_checking: are blocks inspected?  With checks or
   an audit.  A defect is the end with checks; the others are told, and what
   follows goes on as if there was none. */
static inline int
pyb_inspect_checking(void)
{
    return pyb_checks || pyb_control.audit;
}

/* pyb_inspect_init: that begins, or ends; what is known of blocks is
   forgotten, since it was not noted before, or will not be from here on. */
void pyb_inspect_init(void);

/* pyb_inspect_is_object: does an object stand at this address, whatever the
   address?  As far as its memory tells.
   pyb_inspect_is_live: and has it a reference? */
int pyb_inspect_is_object(const void *address);
int pyb_inspect_is_live(const void *address);

/* pyb_inspect_is_opaque: is it an address of memory that is no object? */
int pyb_inspect_is_opaque(const void *address);

/* pyb_inspect_recheck: memory may have gone since it was looked at. */
void pyb_inspect_recheck(void);

/* pyb_inspect_is_freed: is it the address of a block whose object is dead? */
int pyb_inspect_is_freed(const void *address);

/* pyb_inspect_type: the name of the type of what stands there, or lately
   stood there; "(unknown)" if that cannot be told. */
const char *pyb_inspect_type(const void *address);

/* pyb_inspect_is_weakly_referenced: op has a list of weak references that is
   not empty. */
int pyb_inspect_is_weakly_referenced(PyObject *op);

/* pyb_inspect_complain: op, or what was there, has the defect, if it is one.
 */
void pyb_inspect_complain(enum pyb_defect defect, PyObject *op);

/* pyb_inspect_reuse: a block is taken for an object; has it been written to
   it since it was freed? */
void pyb_inspect_reuse(PyObject *block);

/* pyb_inspect_made: its head has been written; does its type have parts of its
   objects lie outside of them?  Puts the redzone up behind so many bytes and,
   with checks, fills all between head and redzone with what is no object's
   address unless it is to be zero. */
void pyb_inspect_made(PyObject *op, size_t size, int zero);

/* pyb_inspect_layout: the first half of that, for any object. */
void pyb_inspect_layout(PyObject *op);

/* pyb_inspect_freeing: with checks: fatal if op may not be freed.
   pyb_inspect_freed: it is going to be. */
void pyb_inspect_freeing(PyObject *op);
void pyb_inspect_freed(PyObject *op);

/* pyb_inspect_tracked: with checks: fatal if something is wrong with a tracked
   object. */
void pyb_inspect_tracked(PyObject *op);

#endif /* PYB_GC_CHECK_INSPECT_H */
