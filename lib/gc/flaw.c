/* flaw.c: what can be wrong with an object.  See flaw.h. */

#include "Python.h"

#include <stdio.h>
#include <string.h>

#include "gc/flaw.h"
#include "gc/heap.h"

/* The text may have room for a number, see number_of. */
static const struct {
    const char *slot, *text;
} flaws[PYB_FLAWS] = {
    [PYB_SOUND] = {"", ""},
    [PYB_SMALL] = {"tp_basicsize", "%zd is smaller than an object's head"},
    [PYB_FAR_WEAKLIST] = {"tp_weaklistoffset", "%zd lies outside its objects"},
    [PYB_FAR_DICT] = {"tp_dictoffset", "%zd lies outside its objects"},
    [PYB_OVERRUN] = {"tp_basicsize",
                     "something was written past the object's end"},
    [PYB_NO_TRAVERSE] = {"tp_traverse",
                         "is NULL though the type has Py_TPFLAGS_HAVE_GC"},
    [PYB_NO_GC] = {"tp_is_gc", "denies that a tracked object can be tracked"},
    [PYB_MISCOUNTED] = {"Py_DECREF",
                        "a tracked object's reference count is %zd"},
    [PYB_DEAD_COUNTED] = {"Py_DECREF",
                          "its count was changed after its death"},
    [PYB_DEAD_WRITTEN] = {"tp_dealloc", "it was written to after its death"},
    [PYB_DEAD_TRACKED] = {"PyObject_GC_Track", "the object is free already"},
    [PYB_DEAD_UNTRACKED] = {"PyObject_GC_UnTrack",
                            "the object is free already"},
    [PYB_DEAD_FREED] = {"PyObject_GC_Del", "the object is free already"},
};

const char *
pyb_flaw_slot(enum pyb_flaw flaw)
{
    return flaws[flaw].slot;
}

static Py_ssize_t
number_of(enum pyb_flaw flaw, const PyObject *op)
{
    switch (flaw) {
    case PYB_SMALL:
        return op->ob_type->tp_basicsize;
    case PYB_FAR_WEAKLIST:
        return op->ob_type->tp_weaklistoffset;
    case PYB_FAR_DICT:
        return op->ob_type->tp_dictoffset;
    case PYB_MISCOUNTED:
        return op->ob_refcnt;
    default:
        return 0;
    }
}

void
pyb_flaw_text(enum pyb_flaw flaw, const PyObject *op,
              char text[PYB_FLAW_BYTES])
{
    snprintf(text, PYB_FLAW_BYTES, flaws[flaw].text, number_of(flaw, op));
}

/* ------------------------------------------------------------------ */
/* The fence                                                           */

static const unsigned char fence_byte = 0xfe;

unsigned char *
pyb_fence_begin(PyObject *op)
{
    size_t size = pyb_heap_block_size(op);

    if (Py_TYPE(op)->tp_flags &
        (Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_MANAGED_WEAKREF))
        size -= 2 * sizeof(PyObject *);
    return (unsigned char *)op + size - PYB_FENCE_BYTES;
}

void
pyb_fence_raise(PyObject *op)
{
    memset(pyb_fence_begin(op), fence_byte, PYB_FENCE_BYTES);
    *pyb_region_word(pyb_region_of(op)->fenced, op) |= pyb_bit_of(op);
}

int
pyb_fence_is_broken(PyObject *op)
{
    const unsigned char *fence = pyb_fence_begin(op);

    if (!(*pyb_region_word(pyb_region_of(op)->fenced, op) & pyb_bit_of(op)))
        return 0;
    for (int i = 0; i < PYB_FENCE_BYTES; i++)
        if (fence[i] != fence_byte)
            return 1;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Types and objects                                                   */

static int
is_far(const PyTypeObject *type, Py_ssize_t offset)
{
    return offset > 0 &&
           ((size_t)offset < sizeof(PyObject) ||
            (size_t)offset % sizeof(PyObject *) != 0 ||
            offset + (Py_ssize_t)sizeof(PyObject *) > type->tp_basicsize);
}

enum pyb_flaw
pyb_flaw_of_type(const PyTypeObject *type)
{
    if (type->tp_basicsize < (Py_ssize_t)sizeof(PyObject))
        return PYB_SMALL;
    if (is_far(type, type->tp_weaklistoffset))
        return PYB_FAR_WEAKLIST;
    return is_far(type, type->tp_dictoffset) ? PYB_FAR_DICT : PYB_SOUND;
}

/* An object that waits for its deallocation has a count far below zero. */
enum pyb_flaw
pyb_flaw_of_tracked(PyObject *op)
{
    if (!PyObject_IS_GC(op))
        return PYB_NO_GC;
    if (Py_TYPE(op)->tp_traverse == NULL)
        return PYB_NO_TRAVERSE;
    if (pyb_fence_is_broken(op))
        return PYB_OVERRUN;
    return op->ob_refcnt <= 0 && op->ob_refcnt > -9 ? PYB_MISCOUNTED
                                                    : PYB_SOUND;
}

/* It is zero but for its head, and the count in that is known. */
enum pyb_flaw
pyb_flaw_of_dead(const PyObject *block)
{
    const char *body = (const char *)(block + 1);
    size_t size = pyb_heap_block_size(block) - sizeof *block;

    if (block->ob_refcnt != PYB_DEAD_REFCNT)
        return PYB_DEAD_COUNTED;
    while (size > 0)
        if (body[--size] != 0)
            return PYB_DEAD_WRITTEN;
    return PYB_SOUND;
}
