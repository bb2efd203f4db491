/* adoption.h: references that are Boehm's.
   internals: adoption

   An adopted object's count is PYB_ADOPTED higher than the number of counted
   references to it, and its bit of adopted in the side table is set.  So no
   Py_DECREF brings it to zero, one too many neither; it stays below the count
   of immortal objects; and what is done with counts needs no question more.

   Young collections take the difference for a reference from outside.  In a
   full one, and when a set is counted again, it is none: what nothing else
   keeps is condemned, and revalidate.c asks Boehm.

   An adopted object is tracked, for only candidates are decided about, and
   stays so: the code that untracks it keeps it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_ADOPTION_H
#define PYB_GC_ADOPTION_H

#include "gc/base/threadstack.h"
#include "gc/heap/sidetable.h"

#define PYB_ADOPTED ((Py_ssize_t)1 << 29)

struct pyb_adoption {
    size_t n; /* adopted objects */
    /* When Boehm has collected that often since it was asked last, a full
       collection is due. */
    unsigned long asked, query_backoff;
    int uncounted; /* Boehm's references do not count: a full collection, or
                      a set that is counted again */
    /* How often a condemned object was given out, by a weak reference for
       instance, or adopted: whoever has got it may keep a plain pointer. */
    unsigned long given_out;
};
extern struct pyb_adoption pyb_adoption;

/* The word of the side table that has the bits of op's line. */
static inline uint64_t *
pyb_adopted_word(const PyObject *op)
{
    struct pyb_region *region = pyb_region_of(op);

    PYB_ASSERT(pyb_sidetable_holds(op));
    return &region->adopted[pyb_line_held(op) - region->lines];
}

/* pyb_is_adopted: is it?  Of a block that is ours. */
static inline int
pyb_is_adopted(const PyObject *op)
{
    return _PyB_UNLIKELY(pyb_adoption.n > 0) &&
           (*pyb_adopted_word(op) & pyb_bit_of(op)) != 0;
}

/* pyb_adoption_references: how many counted references there are to an adopted
   object; negative if one was given up too many. */
static inline Py_ssize_t
pyb_adoption_references(const PyObject *op)
{
    PYB_ASSERT_OBJECT(pyb_is_adopted(op), (PyObject *)(uintptr_t)op);
    return op->ob_refcnt - PYB_ADOPTED;
}

/* pyb_adoption_note: an object is given out. */
static inline void
pyb_adoption_note(PyObject *op)
{
    if (_PyB_UNLIKELY(pyb_adoption.n > 0) && pyb_is_condemned(op))
        pyb_adoption.given_out++;
}

/* pyb_adoption_clear_stack: before a function is called in which Boehm will be
   asked: a frame has words that are never written, and what earlier calls left
   in them would be seen. */
static inline void
pyb_adoption_clear_stack(void)
{
    if (_PyB_UNLIKELY(pyb_adoption.n > 0))
        pyb_threadstack_clear();
}

/* pyb_adoption_take_back: Boehm's reference becomes the caller's. */
void pyb_adoption_take_back(PyObject *op);

/* pyb_adoption_init: Boehm has not been asked yet. */
void pyb_adoption_init(void);

/* pyb_adoption_due: has Boehm collected often enough to be asked what it still
   sees? */
int pyb_adoption_due(void);

/* pyb_adoption_looked: a full collection is past that point; did anything
   adopted die?  If not, the next one waits longer. */
void pyb_adoption_looked(int found);

#endif /* PYB_GC_ADOPTION_H */
