/* quick.h: the life of containers whose type and size the caller knows, in
   line.

   PyObject_GC_New, _Track, _UnTrack and _Del, which know nothing of the object
   that they are given, take 125 instructions in all and four calls; an empty
   list is made and freed in little more, with all that is the list's own.
   Nobody has to ask whether the type is a container's or the memory ours, and
   each half of a life finds the card once.  Where anything is unusual (no
   block is free, a collection is due, checks are on, the collector has marked
   the object) those functions do the work.

   Only for exact instances of static types without managed slots, and for
   sizes up to PYB_BLOCK_MAX. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_QUICK_H
#define PYB_OBJECT_QUICK_H

#include "gc/container.h"
#include "gc/control.h"
#include "gc/fatal.h"
#include "gc/heap.h"

/* How many granules an object of that size takes. */
static inline size_t
pyb_quick_granules(size_t size)
{
    return (size + PYB_GRANULE_BYTES - 1) >> PYB_GRANULE_SHIFT;
}

/* pyb_quick_release: gives up n references, the last one first; their places
   are NULL afterwards.  Mostly none of them is an object's last one, so that
   is where the code runs straight on.  Unrolled, as a loop of 30 rounds has
   more jumps than processors remember, and its end comes as a surprise: 47 ns
   for a tuple of 30 items became 37. */
static inline void
pyb_quick_release(PyObject **items, Py_ssize_t n)
{
    PyObject **place = items + n;

#pragma GCC unroll 4
    while (place > items) {
        PyObject *op = *--place;

        *place = NULL;
        if (_PyB_LIKELY(op != NULL) && _PyB_LIKELY(_PyB_IsMortal(op)) &&
            _PyB_UNLIKELY(--op->ob_refcnt == 0))
            _Py_Dealloc(op);
    }
}

/* pyb_quick_new: pyb_container_new for an object of that size, which is what
   the type says for nitems items. */
static inline PyObject *
pyb_quick_new(PyTypeObject *type, Py_ssize_t nitems, size_t size)
{
    PyObject *op;

    if (_PyB_UNLIKELY(pyb_control.made >= pyb_control.limit) ||
        _PyB_UNLIKELY((op = pyb_heap_pop(size)) == NULL))
        return pyb_container_new(type, nitems);
    pyb_control.made++;
    op->ob_refcnt = 1;
    op->ob_type = type;
    return op;
}

/* pyb_quick_track: PyObject_GC_Track for an object that was just made. */
static inline void
pyb_quick_track(PyObject *op)
{
    struct pyb_card *card = pyb_card_quick(op);

    if (_PyB_LIKELY(card != NULL) && _PyB_LIKELY(card->next_recent != NULL))
        card->tracked |= pyb_bit_of(op);
    else
        PyObject_GC_Track(op);
}

/* pyb_quick_untrack: the first half of the end: PyObject_GC_UnTrack.  1 if
   pyb_quick_del may be the other half; 0 if the object, still tracked, has to
   go the long way.  Since only tracked objects are condemned, and only those
   with tp_finalize finalized, the answer stays true while the object gives up
   what it holds. */
static inline int
pyb_quick_untrack(PyObject *op, size_t size)
{
    struct pyb_card *card = pyb_card_quick(op);
    uint64_t bit = pyb_bit_of(op);

    /* Where memory is short the block may be larger than the object. */
    if (_PyB_UNLIKELY(card == NULL) ||
        _PyB_UNLIKELY(card->size !=
                      &pyb_heap.sizes[pyb_quick_granules(size)]) ||
        _PyB_UNLIKELY(
            ((card->finalized | AO_load(&card->condemned)) & bit) != 0))
        return 0;
    card->tracked &= ~bit;
    card->age1 &= ~bit;
    card->age2 &= ~bit;
    return 1;
}

/* pyb_quick_del: the second half: PyObject_GC_Del.  The object is all zero by
   now, but for its head. */
static inline void
pyb_quick_del(PyObject *op, size_t size)
{
    pyb_control.made -= pyb_control.made > 0;
    pyb_heap_push(&pyb_heap.sizes[pyb_quick_granules(size)], op);
}

#endif /* PYB_OBJECT_QUICK_H */
