/* freelist.h: free lists of small blocks of plain memory.

   The C allocator's malloc and free cost about 130 instructions together, and
   calloc, which passes by its cache, twice that; taking a block off a list and
   putting it back costs 20.  The memory of lists and dictionaries comes from
   here, and also whole str and number objects, most of which live for a short
   time only.

   Every block comes from PyMem_Malloc and may go back to PyMem_Free at any
   time.  Its owner knows its size, and so its class: the same size must be
   passed when it is freed.  A few blocks of each class are kept until
   Py_Finalize.  None are kept before Py_Initialize, or with checks or under
   sanitizers, which must see each block being freed.

   Only for the attached thread. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_SPARE_H
#define PYB_OBJECT_SPARE_H

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/control.h"

enum {
    PYB_FREELIST_MAX = 1104,       /* larger blocks are not kept */
    PYB_FREELIST_BYTES = 4 * 1024, /* kept of each class, twice */
    PYB_FREELIST_CLASSES = PYB_FREELIST_MAX / 8 + 1
};

/* A free block: another type than before and after. */
struct __attribute__((may_alias)) pyb_freelist_block {
    struct pyb_freelist_block *next;
};

/* A class: blocks of so many words.  Classes never mix sizes, so that blocks
   that came from PyMem_Malloc directly do no harm. */
struct pyb_freelist_class {
    struct pyb_freelist_block *first;
    size_t room; /* how many more may be kept */
};

/* There are two lists of each class: blocks with any content, and blocks that
   are zero except for the link. */
extern struct pyb_freelist_class pyb_freelist_any[PYB_FREELIST_CLASSES];
extern struct pyb_freelist_class pyb_freelist_zero[PYB_FREELIST_CLASSES];

/* pyb_memory_alloc: PyObject_Malloc, or PyObject_Calloc, of so many bytes for
   an object of that size, which may be smaller; in obmalloc.c. */
void *pyb_memory_alloc(size_t size, size_t bytes, int zero);

/* pyb_freelist_init: from here on blocks are kept. */
void pyb_freelist_init(void);

/* pyb_freelist_empty: frees the blocks that are kept; others may follow. */
void pyb_freelist_empty(void);

/* pyb_freelist_fini: frees the blocks that are kept; no more are. */
void pyb_freelist_fini(void);

/* pyb_freelist_refill, pyb_freelist_refill_zero: pyb_freelist_alloc and
   pyb_freelist_calloc when the list is empty. */
void *pyb_freelist_refill(size_t size);
void *pyb_freelist_refill_zero(size_t size);

/* pyb_freelist_check_zero: fatal if memory is not zero from an offset up to
   size, see gc/base/fatal.h. */
void pyb_freelist_check_zero(const void *memory, size_t from, size_t size);

/* pyb_freelist_check: fatal if a list and the room that it has left are not
   what it may keep, see gc/base/fatal.h. */
void pyb_freelist_check(void);

/* pyb_freelist_resize: a block in place of one of size bytes, NULL if that is
   0, with as much of its content as fits; NULL, and nothing has changed, if
   there is no memory. */
void *pyb_freelist_resize(void *block, size_t size, size_t new_size);

/* The class of blocks for that many bytes. */
static inline size_t
pyb_freelist_class_of(size_t size)
{
    PYB_ASSERT(size > 0 && size <= PYB_FREELIST_MAX);
    return (size + 7) / 8;
}

static inline void *
pyb_freelist_take(struct pyb_freelist_class *class)
{
    struct pyb_freelist_block *block = class->first;

    if (_PyB_LIKELY(block != NULL)) {
        class->first = block->next;
        class->room++;
    }
    return block;
}

static inline void
pyb_freelist_give(struct pyb_freelist_class *class, void *memory)
{
    struct pyb_freelist_block *block = memory;

    PYB_ASSERT(block != NULL && block != class->first);
    if (_PyB_UNLIKELY(class->room == 0)) {
        PyMem_Free(memory);
        return;
    }
    block->next = class->first;
    class->first = block;
    class->room--;
}

/* pyb_freelist_alloc: a block of that many bytes, not cleared, or NULL. */
static inline void *
pyb_freelist_alloc(size_t size)
{
    void *block = NULL;

    if (_PyB_LIKELY(size <= PYB_FREELIST_MAX))
        block =
            pyb_freelist_take(&pyb_freelist_any[pyb_freelist_class_of(size)]);
    return _PyB_LIKELY(block != NULL) ? block : pyb_freelist_refill(size);
}

/* pyb_freelist_calloc: a block of that many zero bytes, or NULL. */
static inline void *
pyb_freelist_calloc(size_t size)
{
    struct pyb_freelist_block *block = NULL;

    if (_PyB_LIKELY(size <= PYB_FREELIST_MAX))
        block =
            pyb_freelist_take(&pyb_freelist_zero[pyb_freelist_class_of(size)]);
    if (_PyB_UNLIKELY(block == NULL))
        return pyb_freelist_refill_zero(size);
    block->next = NULL;
    return block;
}

/* pyb_freelist_free: frees such a block; pyb_freelist_free_zero: one that is
   zero again. */
static inline void
pyb_freelist_free(void *block, size_t size)
{
    if (_PyB_LIKELY(size <= PYB_FREELIST_MAX))
        pyb_freelist_give(&pyb_freelist_any[pyb_freelist_class_of(size)],
                          block);
    else
        PyMem_Free(block);
}

static inline void
pyb_freelist_free_zero(void *block, size_t size)
{
    PYB_EXPENSIVE(pyb_freelist_check_zero(block, 0, size));
    if (_PyB_LIKELY(size <= PYB_FREELIST_MAX))
        pyb_freelist_give(&pyb_freelist_zero[pyb_freelist_class_of(size)],
                          block);
    else
        PyMem_Free(block);
}

/* pyb_freelist_new: a new object of that size in such a block, for a static
   type that is not a container's; like PyObject_Malloc and PyObject_Init.
   NULL with an exception. */
static inline PyObject *
pyb_freelist_new(PyTypeObject *type, size_t size)
{
    if (_PyB_UNLIKELY(!pyb_control.fast))
        return PyObject_Init(pyb_memory_alloc(size, size, 0), type);
    PYB_ASSERT(!(type->tp_flags & (Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC)));
    PyObject *op = pyb_freelist_alloc(size);
    if (op == NULL)
        return PyErr_NoMemory();
    op->ob_refcnt = 1;
    op->ob_type = type;
    return op;
}

/* pyb_freelist_del: like PyObject_Free for an exact instance of that type. */
static inline void
pyb_freelist_del(PyObject *op, size_t size)
{
    PYB_ASSERT_OBJECT(!(Py_TYPE(op)->tp_flags & Py_TPFLAGS_HEAPTYPE), op);
    if (_PyB_UNLIKELY(!pyb_control.fast))
        PyObject_Free(op);
    else
        pyb_freelist_free(op, size);
}

#endif /* PYB_OBJECT_SPARE_H */
