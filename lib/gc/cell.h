/* cell.h: what the cycle pass knows of an object while it runs.

   A cell is a word of the side table for each place where an object can begin:

     CANDIDATE    the object is one of those that are decided about
     REACHED      owned from outside, directly or not; somebody has followed
                  its own references, or is about to
     PENDING      reached, but not followed yet, because the stack was full
     STICKY       owned from outside, come what may: it waits for its
                  deallocation, or is immortal, or has more references than
                  can be counted
     UNTRACKABLE  its type is one whose objects may be untracked
     the rest     a number: its references less the visits to it

   There is one set of cells for each marker: each writes to its own only, so
   none has to wait for another.  What the cells of an object say together is
   the sum of their numbers, and each flag that stands in any of them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_CELL_H
#define PYB_GC_CELL_H

#include "gc/sidetable.h"

enum {
    PYB_CELL_CANDIDATE = 1,
    PYB_CELL_REACHED = 2,
    PYB_CELL_PENDING = 4,
    PYB_CELL_STICKY = 8,
    PYB_CELL_UNTRACKABLE = 16,
    PYB_CELL_ONE = 32, /* a reference */
    PYB_CELL_FLAGS = PYB_CELL_ONE - 1,

    /* The references that can be counted, with room for as many visits that
       are too many. */
    PYB_CELL_MAX = 1 << 26
};

/* What a candidate's cell says before anybody visits it. */
static inline uint32_t
pyb_cell_begin(const PyObject *op)
{
    size_t refcnt = (size_t)op->ob_refcnt;
    uint32_t cell = (uint32_t)refcnt * PYB_CELL_ONE | PYB_CELL_CANDIDATE;

    if (_PyB_UNLIKELY(refcnt - 1 >= PYB_CELL_MAX - 1))
        cell = PYB_CELL_CANDIDATE | PYB_CELL_STICKY;
    if (_PyB_UNLIKELY(Py_TYPE(op)->tp_flags & _PyB_TPFLAGS_UNTRACKABLE))
        cell |= PYB_CELL_UNTRACKABLE;
    return cell;
}

/* Cells may be read while another marker writes to them. */
static inline uint32_t
pyb_cell_load(const uint32_t *cell)
{
    return AO_int_load((const volatile unsigned *)cell);
}

static inline void
pyb_cell_store(uint32_t *cell, uint32_t value)
{
    AO_int_store((volatile unsigned *)cell, value);
}

/* The cell of the same object that belongs to another marker. */
static inline uint32_t *
pyb_cell_of(uint32_t *first, int marker)
{
    return first + (size_t)marker * PYB_REGION_CELLS;
}

/* What the cells of n markers say together. */
static inline uint32_t
pyb_cell_sum(uint32_t *first, int n)
{
    uint32_t sum = pyb_cell_load(first);

    for (int i = 1; i < n; i++) {
        uint32_t cell = pyb_cell_load(pyb_cell_of(first, i));

        sum = (sum | (cell & PYB_CELL_FLAGS)) +
              (cell & ~(uint32_t)PYB_CELL_FLAGS);
    }
    return sum;
}

/* Is it a candidate whose references have all been seen, and which nothing has
   reached? */
static inline int
pyb_cell_is_dead(uint32_t sum)
{
    return (sum & ~(uint32_t)(PYB_CELL_PENDING | PYB_CELL_UNTRACKABLE)) ==
           PYB_CELL_CANDIDATE;
}

/* Is it a candidate that nothing has reached? */
static inline int
pyb_cell_is_unreached(uint32_t sum)
{
    return (sum & (PYB_CELL_CANDIDATE | PYB_CELL_REACHED)) ==
           PYB_CELL_CANDIDATE;
}

/* The same, and owned from outside?  If it was visited more often than it is
   referred to, nothing that hangs on it can be trusted: it counts as owned,
   too. */
static inline int
pyb_cell_is_root(uint32_t sum)
{
    return pyb_cell_is_unreached(sum) &&
           (sum >= PYB_CELL_ONE || (sum & PYB_CELL_STICKY) != 0);
}

/* What follows looks at the cells of a whole card, of candidates or not, in
   loops that compilers can turn into vector code: most passes find nothing in
   most cards. */

/* How many are dead. */
static inline size_t
pyb_cells_dead(uint32_t *first, int n)
{
    uint32_t dead = 0;

    if (n == 1)
        for (int i = 0; i < PYB_CARD_CELLS; i++)
            dead += (uint32_t)pyb_cell_is_dead(first[i]);
    else
        for (int i = 0; i < PYB_CARD_CELLS; i++)
            dead += (uint32_t)pyb_cell_is_dead(pyb_cell_sum(first + i, n));
    return dead;
}

/* Is there one that has the flag? */
static inline int
pyb_cells_flag(uint32_t *first, int n, uint32_t flag)
{
    uint32_t any = 0;

    for (int i = 0; i < PYB_CARD_CELLS; i++)
        any |= pyb_cell_sum(first + i, n);
    return (any & flag) != 0;
}

/* Is there a root? */
static inline int
pyb_cells_root(uint32_t *first, int n)
{
    uint32_t any = 0;

    for (int i = 0; i < PYB_CARD_CELLS; i++)
        any |= (uint32_t)pyb_cell_is_root(pyb_cell_sum(first + i, n));
    return any != 0;
}

#endif /* PYB_GC_CELL_H */
