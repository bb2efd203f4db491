/* plainfind.c: finds objects that are not containers, and their references.
   See plainfind.h.

   There is no list of these objects.  Such an object is at the beginning of a
   block of its size, and its ob_type points to a type. */

#include "Python.h"

#include <string.h>

#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "object/type/statictypes.h"
#include "watch/why/plainfind.h"

/* malloc rounds sizes up to 16 bytes, and splits off a rest only if it has 32
   bytes or more. */
enum { SLACK = 16 + 32 };

/* The size of an object; 0 if the block is too small for it. */
static size_t
size_of(const PyObject *op, const PyTypeObject *type, size_t block)
{
    size_t n = type->tp_itemsize > 0
                   ? (size_t)Py_ABS(((const PyVarObject *)op)->ob_size)
                   : 0;
    size_t size;

    if (__builtin_mul_overflow(n, (size_t)type->tp_itemsize, &size) ||
        __builtin_add_overflow(size, (size_t)type->tp_basicsize, &size) ||
        size > block)
        return 0;
    return size;
}

/* Is this a type?  It must be certain, since its name will be read, so a
   likely look is not enough: a type that is ready is the first in its own
   tp_mro. */
static int
is_type(const PyTypeObject *type, const struct pyb_census *census)
{
    PyObject *mro = type->tp_mro;

    return pyb_census_find(census, mro) != NULL && PyTuple_Check(mro) &&
           PyTuple_GET_SIZE(mro) > 0 &&
           PyTuple_GET_ITEM(mro, 0) == (const PyObject *)type;
}

/* Can a block of this size hold an object of the type?  Objects with items may
   have room for more. */
static int
fits(PyTypeObject *type, const PyObject *op, size_t block)
{
    size_t size;

    if (PyType_IS_GC(type) || pyb_statictypes_has(type) ||
        type->tp_basicsize < (Py_ssize_t)sizeof(PyObject))
        return 0;
    size = size_of(op, type, block);
    return size != 0 && (type->tp_itemsize > 0 || block < size + SLACK);
}

/* Memory is checked anew, since other threads may have unmapped some. */
void
pyb_plain_find(struct pyb_objectset *plain, const struct pyb_blocks *blocks,
               const struct pyb_census *census)
{
    pyb_inspect_recheck();
    for (size_t i = 0; i < blocks->heap; i++) {
        uintptr_t begin = pyb_blocks_begin(blocks, i);
        PyObject *op = (PyObject *)begin;
        size_t size = pyb_blocks_end_of(blocks, i) + sizeof(begin) - begin;

        if (blocks->all[i].used && size >= sizeof *op &&
            pyb_inspect_is_live(op) && op->ob_type != NULL &&
            is_type(op->ob_type, census) && fits(op->ob_type, op, size))
            pyb_objectset_add(plain, op);
    }
}

void
pyb_plain_words(PyObject *op,
                void (*look)(uint32_t offset, uintptr_t word, void *arg),
                void *arg)
{
    size_t size = size_of(op, Py_TYPE(op), SIZE_MAX);

    PYB_ASSERT_OBJECT(size >= sizeof *op, op); /* it fits into its block */
    for (size_t i = sizeof *op; i + sizeof(uintptr_t) <= size;
         i += sizeof(uintptr_t)) {
        uintptr_t word;

        memcpy(&word, (const char *)op + i, sizeof word);
        look((uint32_t)i, word, arg);
    }
}
