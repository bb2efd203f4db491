/* spare.h: small blocks of plain memory that wait for their next use.

   The C allocator's malloc and free cost about 130 instructions together, and
   calloc, which passes by its cache, twice that; taking a block off a list and
   putting it back costs 20.  That is what lists and dictionaries get here for
   the memory behind them, and str and numbers for themselves: they die as fast
   as they come.

   Every block comes from PyMem_Malloc and may go back to PyMem_Free at any
   time.  Its owner knows how large it is, and so in which class it is: the
   same size has to be named when it is given back.  A few blocks of each class
   wait; Py_Finalize gives them back.  None do before Py_Initialize, and never
   with checks and under sanitizers, which are to see what becomes of each
   block.

   Only for the attached thread. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_SPARE_H
#define PYB_OBJECT_SPARE_H

#include "Python.h"

#include "gc/control.h"
#include "gc/fatal.h"

enum {
    PYB_SPARE_MAX = 1104,       /* larger blocks do not wait */
    PYB_SPARE_BYTES = 4 * 1024, /* how much of each class may, twice */
    PYB_SPARE_CLASSES = PYB_SPARE_MAX / 8 + 1
};

/* A waiting block: another type than what it was and will be. */
struct __attribute__((may_alias)) pyb_spare_block {
    struct pyb_spare_block *next;
};

/* A class: blocks of so many words.  Blocks of other sizes are not mixed, so
   that those that somebody else got from PyMem_Malloc for the same purpose do
   no harm. */
struct pyb_spare_class {
    struct pyb_spare_block *first;
    size_t room; /* how many more may wait */
};

/* Each class twice: blocks with anything in them, and blocks that are all zero
   but for the link. */
extern struct pyb_spare_class pyb_spare_any[PYB_SPARE_CLASSES];
extern struct pyb_spare_class pyb_spare_zero[PYB_SPARE_CLASSES];

/* pyb_spare_init: blocks may wait from now on. */
void pyb_spare_init(void);

/* pyb_spare_empty: gives back those that do; others may. */
void pyb_spare_empty(void);

/* pyb_spare_fini: gives back those that do; no more may. */
void pyb_spare_fini(void);

/* pyb_spare_refill, pyb_spare_refill_zero: pyb_spare_alloc and
   pyb_spare_calloc where no block waits. */
void *pyb_spare_refill(size_t size);
void *pyb_spare_refill_zero(size_t size);

/* pyb_spare_resize: a block in place of one of size bytes, NULL if that is 0,
   with as much of its content as fits; NULL, and nothing has changed, if there
   is no memory. */
void *pyb_spare_resize(void *block, size_t size, size_t new_size);

/* The number of the class whose blocks have at least that many bytes. */
static inline size_t
pyb_spare_class_of(size_t size)
{
    return (size + 7) / 8;
}

static inline void *
pyb_spare_take(struct pyb_spare_class *class)
{
    struct pyb_spare_block *block = class->first;

    if (_PyB_LIKELY(block != NULL)) {
        class->first = block->next;
        class->room++;
    }
    return block;
}

static inline void
pyb_spare_give(struct pyb_spare_class *class, void *memory)
{
    struct pyb_spare_block *block = memory;

    if (_PyB_UNLIKELY(class->room == 0)) {
        PyMem_Free(memory);
        return;
    }
    block->next = class->first;
    class->first = block;
    class->room--;
}

/* pyb_spare_alloc: a block of that many bytes, not cleared, or NULL. */
static inline void *
pyb_spare_alloc(size_t size)
{
    void *block = NULL;

    if (_PyB_LIKELY(size <= PYB_SPARE_MAX))
        block = pyb_spare_take(&pyb_spare_any[pyb_spare_class_of(size)]);
    return _PyB_LIKELY(block != NULL) ? block : pyb_spare_refill(size);
}

/* pyb_spare_calloc: the same, all zero. */
static inline void *
pyb_spare_calloc(size_t size)
{
    struct pyb_spare_block *block = NULL;

    if (_PyB_LIKELY(size <= PYB_SPARE_MAX))
        block = pyb_spare_take(&pyb_spare_zero[pyb_spare_class_of(size)]);
    if (_PyB_UNLIKELY(block == NULL))
        return pyb_spare_refill_zero(size);
    block->next = NULL;
    return block;
}

/* pyb_spare_free: gives such a block back; pyb_spare_free_zero: one that is
   all zero again. */
static inline void
pyb_spare_free(void *block, size_t size)
{
    if (_PyB_LIKELY(size <= PYB_SPARE_MAX))
        pyb_spare_give(&pyb_spare_any[pyb_spare_class_of(size)], block);
    else
        PyMem_Free(block);
}

static inline void
pyb_spare_free_zero(void *block, size_t size)
{
    if (_PyB_LIKELY(size <= PYB_SPARE_MAX))
        pyb_spare_give(&pyb_spare_zero[pyb_spare_class_of(size)], block);
    else
        PyMem_Free(block);
}

/* pyb_spare_new: a new object of that size, which is in such a block, for a
   static type that is no container; like PyObject_Malloc and PyObject_Init.
   NULL with an exception. */
static inline PyObject *
pyb_spare_new(PyTypeObject *type, size_t size)
{
    if (_PyB_UNLIKELY(!pyb_control.quick))
        return PyObject_Init(PyObject_Malloc(size), type);
    PyObject *op = pyb_spare_alloc(size);
    if (op == NULL)
        return PyErr_NoMemory();
    op->ob_refcnt = 1;
    op->ob_type = type;
    return op;
}

/* pyb_spare_del: like PyObject_Free for an exact instance of that type. */
static inline void
pyb_spare_del(PyObject *op, size_t size)
{
    if (_PyB_UNLIKELY(!pyb_control.quick))
        PyObject_Free(op);
    else
        pyb_spare_free(op, size);
}

#endif /* PYB_OBJECT_SPARE_H */
