/* int.h: what the other number types know about int. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_INT_H
#define PYB_INT_H

#include "types/intmath.h"

/* pyb_int_value: the number that an int holds. */
static inline pyb_int128
pyb_int_value(PyObject *op)
{
    const PyLongObject *self = (const PyLongObject *)op;
    return (pyb_int128)((pyb_uint128)(uint64_t)self->_pyb_high << 64 |
                        self->_pyb_low);
}

/* pyb_int_from: an int of the value.  A new reference, or NULL with
   MemoryError. */
PyObject *pyb_int_from(pyb_int128 v);

/* pyb_int_too_large: raises the OverflowError of an int that does not fit in
   128 bits; always NULL. */
PyObject *pyb_int_too_large(void);

/* pyb_int_compare_double: -1, 0 or 1 as v is less than, equal to or greater
   than d, exactly.  d is not a NaN. */
int pyb_int_compare_double(pyb_int128 v, double d);

/* The ints from PYB_INT_SMALL_MIN to PYB_INT_SMALL_MAX are shared and
   immortal. */
#define PYB_INT_SMALL_MIN -5
#define PYB_INT_SMALL_MAX 256

#endif /* PYB_INT_H */
