/* fastpath.h: inline creation and deletion of containers of a known type and
   size.

   PyObject_GC_New, _Track, _UnTrack and _Del, which know nothing of the object
   that they are given, take 125 instructions in all and four calls; an empty
   list is made and freed in little more, including the list's own work.  Here
   it is known that the type is a container's and the memory pyboehm's, and
   each of the two halves finds the line once.  Where anything is unusual (no
   block is free, a collection is due, checks are on, the collector has marked
   the object) those functions do the work.

   Only for exact instances of static types without managed slots, and for
   sizes up to PYB_BLOCK_MAX. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_RUNTIME_FASTPATH_H
#define PYB_RUNTIME_FASTPATH_H

#include "gc/base/fatal.h"
#include "gc/container.h"
#include "gc/control.h"
#include "gc/heap/heap.h"
#include "runtime/freelist.h"

/* The number of granules for an object of that size. */
static inline size_t
pyb_quick_granules(size_t size)
{
    return (size + PYB_GRANULE_BYTES - 1) >> PYB_GRANULE_SHIFT;
}

/* pyb_quick_release: releases n references, the last one first; their places
   are NULL afterwards.  The code is laid out for references that are not an
   object's last one, as most are.  The loop is unrolled: processors cannot
   predict the end of a loop of 30 rounds, and unrolled, a tuple of 30 items
   takes 37 ns in place of 47. */
static inline void
pyb_quick_release(PyObject **items, Py_ssize_t n)
{
    PyObject **place = items + n;

    PYB_ASSERT(n >= 0);
#pragma GCC unroll 4
    while (place > items) {
        PyObject *op = *--place;
        PYB_ASSERT(op == NULL || op->ob_refcnt > 0);

        *place = NULL;
        if (_PyB_LIKELY(op != NULL) && _PyB_LIKELY(_PyB_IsMortal(op)) &&
            _PyB_UNLIKELY(--op->ob_refcnt == 0))
            _Py_Dealloc(op);
    }
}

/* pyb_quick_new: pyb_container_new for an object of that size, which must be
   the type's size for nitems items. */
static inline PyObject *
pyb_quick_new(PyTypeObject *type, Py_ssize_t nitems, size_t size)
{
    PyObject *op;

    PYB_ASSERT(size <= PYB_BLOCK_MAX);
    PYB_ASSERT(
        !(type->tp_flags & (Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_MANAGED_DICT |
                            Py_TPFLAGS_MANAGED_WEAKREF)));
    PYB_ASSERT(size ==
               (size_t)(type->tp_basicsize + nitems * type->tp_itemsize));
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
    struct pyb_line *line = pyb_line_fast(op);

    PYB_ASSERT_OBJECT(!PyObject_GC_IsTracked(op), op);
    if (_PyB_LIKELY(line != NULL) && _PyB_LIKELY(line->next_recent != NULL))
        line->tracked |= pyb_bit_of(op);
    else
        PyObject_GC_Track(op);
}

/* pyb_quick_untrack: the first half of deletion: PyObject_GC_UnTrack.  1 if
   pyb_quick_del may be the other half; 0 if the object, still tracked, must be
   deleted by the general functions.  Since only tracked objects are condemned,
   and only those with tp_finalize finalized, the answer stays true while the
   object releases its references. */
static inline int
pyb_quick_untrack(PyObject *op, size_t size)
{
    struct pyb_line *line = pyb_line_fast(op);
    uint64_t bit = pyb_bit_of(op);

    /* When memory is short, the block may be larger than the object. */
    if (_PyB_UNLIKELY(line == NULL) ||
        _PyB_UNLIKELY(line->size !=
                      &pyb_heap.sizes[pyb_quick_granules(size)]) ||
        _PyB_UNLIKELY(((line->finalized | AO_load(&line->condemned)) & bit) !=
                      0))
        return 0;
    line->tracked &= ~bit;
    line->age1 &= ~bit;
    line->age2 &= ~bit;
    return 1;
}

/* pyb_quick_del: the second half: PyObject_GC_Del.  The object, except for its
   head, must be zero. */
static inline void
pyb_quick_del(PyObject *op, size_t size)
{
    PYB_ASSERT(pyb_line_of(op)->size ==
               &pyb_heap.sizes[pyb_quick_granules(size)]);
    PYB_ASSERT(!PyObject_GC_IsTracked(op) && !PyObject_GC_IsFinalized(op));
    PYB_EXPENSIVE(pyb_freelist_check_zero(op, sizeof(PyObject), size));
    pyb_control.made -= pyb_control.made > 0;
    pyb_heap_push(&pyb_heap.sizes[pyb_quick_granules(size)], op);
}

#endif /* PYB_RUNTIME_FASTPATH_H */
