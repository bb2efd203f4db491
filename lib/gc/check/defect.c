/* defect.c: what can be wrong with an object.  See defect.h. */

#include "Python.h"

#include <stdio.h>
#include <string.h>

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/check/dead.h"
#include "gc/check/defect.h"
#include "gc/heap/heap.h"

/* The text may have room for a number, see number_of. */
static const struct {
    const char *slot, *text;
} defects[PYB_DEFECTS] = {
    [PYB_SOUND] = {"", ""},
    [PYB_SMALL] = {"tp_basicsize", "%zd is smaller than an object's head"},
    [PYB_FAR_WEAKLIST] = {"tp_weaklistoffset", "%zd lies outside its objects"},
    [PYB_FAR_DICT] = {"tp_dictoffset", "%zd lies outside its objects"},
    [PYB_OVERRUN] = {"tp_basicsize",
                     "something was written past the object's end, at +%zd"},
    [PYB_NO_TRAVERSE] = {"tp_traverse",
                         "is NULL though the type has Py_TPFLAGS_HAVE_GC"},
    [PYB_NO_GC] = {"tp_is_gc", "denies that a tracked object can be tracked"},
    [PYB_MISCOUNTED] = {"Py_DECREF",
                        "a tracked object's reference count is %zd"},
    [PYB_BOEHMS_RELEASED] = {"Py_DECREF",
                             "Boehm's reference was released: "
                             "PyBoehm_Adopt takes over the caller's"},
    [PYB_DEAD_COUNTED] = {"Py_DECREF",
                          "its count was changed after its death"},
    [PYB_DEAD_WRITTEN] = {"tp_dealloc", "it was written to after its death"},
    [PYB_DEAD_TRACKED] = {"PyObject_GC_Track", "the object is free already"},
    [PYB_DEAD_UNTRACKED] = {"PyObject_GC_UnTrack",
                            "the object is free already"},
    [PYB_DEAD_FREED] = {"PyObject_GC_Del", "the object is free already"},
};

const char *
pyb_defect_slot(enum pyb_defect defect, const PyObject *op)
{
    PYB_ASSERT(defect < PYB_DEFECTS && defects[defect].slot != NULL);
    return defect == PYB_OVERRUN ? pyb_defect_size(op) : defects[defect].slot;
}

const char *
pyb_defect_size(const PyObject *op)
{
    return Py_TYPE(op)->tp_itemsize != 0 ? "tp_basicsize + n * tp_itemsize"
                                         : "tp_basicsize";
}

static Py_ssize_t
number_of(enum pyb_defect defect, const PyObject *op)
{
    switch (defect) {
    case PYB_SMALL:
        return op->ob_type->tp_basicsize;
    case PYB_FAR_WEAKLIST:
        return op->ob_type->tp_weaklistoffset;
    case PYB_FAR_DICT:
        return op->ob_type->tp_dictoffset;
    case PYB_MISCOUNTED:
        return op->ob_refcnt;
    case PYB_OVERRUN:
        return pyb_redzone_broken_at(op);
    default:
        return 0;
    }
}

void
pyb_defect_text(enum pyb_defect defect, const PyObject *op,
                char text[PYB_DEFECT_BYTES])
{
    PYB_ASSERT(defect < PYB_DEFECTS && defects[defect].text != NULL);
    snprintf(text, PYB_DEFECT_BYTES, defects[defect].text,
             number_of(defect, op));
}

/* ------------------------------------------------------------------ */
/* The redzone                                                           */

static const unsigned char fence_byte = 0xfe;

/* Where the block ends, but for its managed slots.  The last bytes before that
   say how long the redzone is: it begins where the object ends, which the
   object itself may no longer tell. */
static unsigned char *
redzone_end(const PyObject *op)
{
    size_t size = pyb_heap_block_size(op);

    if (Py_TYPE(op)->tp_flags &
        (Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_MANAGED_WEAKREF))
        size -= 2 * sizeof(PyObject *);
    PYB_ASSERT(size >= sizeof(PyObject) + PYB_REDZONE_BYTES);
    return (unsigned char *)(uintptr_t)op + size;
}

/* What stands at an offset of a redzone that begins at another one.  Without
   checks the bytes up to the next multiple of 16 are zero: a program whose
   tp_basicsize is a little short reads NULL there, and goes on. */
static unsigned char
fence_at(size_t begin, size_t at)
{
    size_t rounded = (begin + PYB_GRANULE_BYTES - 1) & -PYB_GRANULE_BYTES;

    return !pyb_checks && at < rounded ? 0 : fence_byte;
}

/* Has the redzone that size, in an object's block? */
static int
is_size(const PyObject *op, uint32_t size)
{
    size_t room = (size_t)(redzone_end(op) - (unsigned char *)(uintptr_t)op);

    return size >= PYB_REDZONE_BYTES && size <= room - sizeof(PyObject);
}

void
pyb_redzone_raise(PyObject *op, size_t size)
{
    unsigned char *end = redzone_end(op), *begin = (unsigned char *)op + size;
    uint32_t length = (uint32_t)(end - begin);

    PYB_ASSERT(pyb_sidetable_holds(op) && is_size(op, length));
    for (size_t at = size; at < size + length; at++)
        begin[at - size] = fence_at(size, at);
    memcpy(end - sizeof length, &length, sizeof length);
    *pyb_region_word(pyb_region_of(op)->redzoned, op) |= pyb_bit_of(op);
}

Py_ssize_t
pyb_redzone_broken_at(const PyObject *op)
{
    const unsigned char *begin = (unsigned char *)(uintptr_t)op;
    const unsigned char *end;
    size_t first, at;
    uint32_t length;

    if (!(*pyb_region_word(pyb_region_of(op)->redzoned, op) & pyb_bit_of(op)))
        return -1;
    end = redzone_end(op);
    memcpy(&length, end - sizeof length, sizeof length);
    if (!is_size(op, length))
        return end - begin - PYB_REDZONE_BYTES;
    first = (size_t)(end - begin) - length;
    for (at = first; begin + at < end - sizeof length; at++)
        if (begin[at] != fence_at(first, at))
            return (Py_ssize_t)at;
    return -1;
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

enum pyb_defect
pyb_defect_of_type(const PyTypeObject *type)
{
    if (type->tp_basicsize < (Py_ssize_t)sizeof(PyObject))
        return PYB_SMALL;
    if (is_far(type, type->tp_weaklistoffset))
        return PYB_FAR_WEAKLIST;
    return is_far(type, type->tp_dictoffset) ? PYB_FAR_DICT : PYB_SOUND;
}

/* An object that waits for its deallocation has a count far below zero. */
enum pyb_defect
pyb_defect_of_tracked(PyObject *op)
{
    if (!PyObject_IS_GC(op))
        return PYB_NO_GC;
    if (Py_TYPE(op)->tp_traverse == NULL)
        return PYB_NO_TRAVERSE;
    if (pyb_redzone_broken_at(op) >= 0)
        return PYB_OVERRUN;
    if (pyb_is_adopted(op) && pyb_adoption_references(op) < 0)
        return PYB_BOEHMS_RELEASED;
    return op->ob_refcnt <= 0 && op->ob_refcnt > -9 ? PYB_MISCOUNTED
                                                    : PYB_SOUND;
}

/* It is zero but for its head, and the count in that is known; or it is in
   quarantine, which looks after it. */
enum pyb_defect
pyb_defect_of_dead(const PyObject *block)
{
    const char *body = (const char *)(block + 1);
    size_t size = pyb_heap_block_size(block) - sizeof *block;

    PYB_ASSERT(pyb_sidetable_holds(block));
    if (pyb_is_dead(block))
        return PYB_SOUND;
    if (block->ob_refcnt != PYB_DEAD_REFCNT)
        return PYB_DEAD_COUNTED;
    while (size > 0)
        if (body[--size] != 0)
            return PYB_DEAD_WRITTEN;
    return PYB_SOUND;
}
