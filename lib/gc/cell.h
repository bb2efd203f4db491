/* cell.h: what the cycle pass knows of an object while it runs.

   A cell is a word of the side table for each place where an object can begin:

     CANDIDATE    the object is one of those that are decided about
     REACHED      owned from outside, directly or not; somebody has followed
                  its own references, or is about to
     PENDING      reached, but not followed yet, because the stack was full
     STICKY       owned from outside, come what may: it waits for its
                  deallocation, or is immortal, or has more references than
                  can be counted, or is adopted and not to be decided about
     UNTRACKABLE  its type is one whose objects may be untracked
     the rest     a number: its references less the visits to it

   While several markers count, each writes to cells of its own, so none has to
   wait for another.  Only the marker that takes a candidate up sets its flags;
   so what the cells of an object say together is simply their sum, which the
   first one has as soon as all are counted. */

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

/* pyb_cell_odd: the same of an adopted candidate, and of one that has more
   references than can be counted, or none. */
uint32_t pyb_cell_odd(const PyObject *op);

/* What a candidate's cell says before anybody visits it. */
static inline uint32_t
pyb_cell_begin(const PyObject *op)
{
    size_t refcnt = (size_t)op->ob_refcnt;
    uint32_t cell = (uint32_t)refcnt * PYB_CELL_ONE | PYB_CELL_CANDIDATE;

    if (_PyB_UNLIKELY(refcnt - 1 >= PYB_CELL_MAX - 1))
        cell = pyb_cell_odd(op);
    if (_PyB_UNLIKELY(Py_TYPE(op)->tp_flags & _PyB_TPFLAGS_UNTRACKABLE))
        cell |= PYB_CELL_UNTRACKABLE;
    return cell;
}

/* Cells that another marker may write to meanwhile. */
static inline uint32_t
pyb_cell_load(const uint32_t *cell)
{
    return __atomic_load_n(cell, __ATOMIC_RELAXED);
}

static inline void
pyb_cell_store(uint32_t *cell, uint32_t value)
{
    __atomic_store_n(cell, value, __ATOMIC_RELAXED);
}

/* Is it a candidate whose references have all been seen, and which nothing has
   reached? */
static inline int
pyb_cell_is_dead(uint32_t cell)
{
    return (cell & ~(uint32_t)(PYB_CELL_PENDING | PYB_CELL_UNTRACKABLE)) ==
           PYB_CELL_CANDIDATE;
}

/* Is it a candidate that nothing has reached? */
static inline int
pyb_cell_is_unreached(uint32_t cell)
{
    return (cell & (PYB_CELL_CANDIDATE | PYB_CELL_REACHED)) ==
           PYB_CELL_CANDIDATE;
}

/* The same, and owned from outside?  If it was visited more often than it is
   referred to, nothing that hangs on it can be trusted: it counts as owned,
   too. */
static inline int
pyb_cell_is_root(uint32_t cell)
{
    const uint32_t owned = ~(uint32_t)(PYB_CELL_FLAGS & ~PYB_CELL_STICKY);

    return pyb_cell_is_unreached(cell) & ((cell & owned) != 0);
}

/* Much of what an object refers to was made when it was, so it stands near by:
   in the surroundings of the object that is being traversed a cell needs no
   lookup. */
enum { PYB_WINDOW_BYTES = 1 << 16 };

struct pyb_window {
    uintptr_t base;
    uint32_t *cells; /* of what begins there, the first marker's */
};

/* Where nothing is, not even what broken types visit. */
#define PYB_WINDOW_NOWHERE ((struct pyb_window){(uintptr_t)1 << 63, NULL})

/* Puts the window where op is. */
static inline void
pyb_window_move(struct pyb_window *window, const PyObject *op)
{
    if ((uintptr_t)op - window->base < PYB_WINDOW_BYTES)
        return;
    window->base = (uintptr_t)op & ~(uintptr_t)(PYB_WINDOW_BYTES - 1);
    window->cells = pyb_region_cell(pyb_region_of(op), (void *)window->base);
}

/* The cell of an address in the window; NULL outside. */
static inline uint32_t *
pyb_window_cell(const struct pyb_window *window, const PyObject *op)
{
    uintptr_t offset = (uintptr_t)op - window->base;

    return offset < PYB_WINDOW_BYTES
               ? window->cells + (offset >> PYB_CELL_SHIFT)
               : NULL;
}

/* What follows looks at the cells of a whole card, of candidates or not, in
   loops that compilers can turn into vector code: most passes find nothing in
   most cards. */

/* Adds the cells of the other n - 1 markers to the first one's. */
static inline void
pyb_cells_join(uint32_t *first, int n)
{
    for (int j = 1; j < n; j++)
        for (int i = 0; i < PYB_CARD_CELLS; i++)
            first[i] += first[(size_t)j * PYB_REGION_CELLS + (size_t)i];
}

/* How many are dead. */
static inline size_t
pyb_cells_dead(const uint32_t *cells)
{
    uint32_t dead = 0;

    for (int i = 0; i < PYB_CARD_CELLS; i++)
        dead += (uint32_t)pyb_cell_is_dead(cells[i]);
    return dead;
}

/* Is there one that has the flag? */
static inline int
pyb_cells_flag(const uint32_t *cells, uint32_t flag)
{
    uint32_t any = 0;

    for (int i = 0; i < PYB_CARD_CELLS; i++)
        any |= cells[i];
    return (any & flag) != 0;
}

/* Is there a root? */
static inline int
pyb_cells_root(const uint32_t *cells)
{
    uint32_t any = 0;

    for (int i = 0; i < PYB_CARD_CELLS; i++)
        any |= (uint32_t)pyb_cell_is_root(cells[i]);
    return any != 0;
}

#endif /* PYB_GC_CELL_H */
