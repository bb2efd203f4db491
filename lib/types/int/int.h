/* int.h: declarations of int for the other number types. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_INT_H
#define PYB_INT_H

#include "types/int/intmath.h"

/* A compact int holds its number itself; any other one, a big int, has more
   than 63 bits.  See PyLongObject. */

/* pyb_int_is_compact: does op, an int, hold its number itself? */
static inline int
pyb_int_is_compact(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyLong_Check(op), op);
    return ((PyLongObject *)op)->_pyb_size == 0;
}

/* pyb_int_compact: the number of a compact int. */
static inline int64_t
pyb_int_compact(PyObject *op)
{
    PYB_ASSERT_OBJECT(pyb_int_is_compact(op), op);
    return ((PyLongObject *)op)->_pyb_number._pyb_value;
}

/* pyb_int_clamped_big: pyb_int_clamped for a big int. */
pyb_int128 pyb_int_clamped_big(PyObject *op);

/* pyb_int_clamped: the number that an int holds, or the nearest one of 128
   bits. */
static inline pyb_int128
pyb_int_clamped(PyObject *op)
{
    return pyb_int_is_compact(op) ? pyb_int_compact(op)
                                  : pyb_int_clamped_big(op);
}

/* pyb_int_sign: -1, 0 or 1. */
static inline int
pyb_int_sign(PyObject *op)
{
    Py_ssize_t size = ((PyLongObject *)op)->_pyb_size;

    if (size != 0)
        return size < 0 ? -1 : 1;
    return pyb_int_compact(op) < 0 ? -1 : pyb_int_compact(op) > 0;
}

/* pyb_int_bits: how many bits the magnitude has. */
size_t pyb_int_bits(PyObject *op);

/* pyb_int_is_power_of_two: is the magnitude one? */
int pyb_int_is_power_of_two(PyObject *op);

/* pyb_int_from, pyb_int_from_wide: an int of the value.  A new reference, or
   NULL with MemoryError. */
PyObject *pyb_int_from(int64_t v);
PyObject *pyb_int_from_wide(pyb_int128 v);

/* pyb_int_shifted: v * 2 ** count.  A new reference, or NULL with
   MemoryError. */
PyObject *pyb_int_shifted(int64_t v, size_t count);

/* pyb_int_exact: an exact int with op's value.  A new reference, or NULL with
   MemoryError. */
PyObject *pyb_int_exact(PyObject *op);

/* pyb_int_as_double: sets *d to the number, rounded to the nearest double, of
   two equally near ones to the even one.  0, or -1 with OverflowError. */
int pyb_int_as_double(PyObject *op, double *d);

/* pyb_int_compare_double: -1, 0 or 1 as op is less than, equal to or greater
   than d, exactly.  d is not a NaN. */
int pyb_int_compare_double(PyObject *op, double d);

/* The ints from PYB_INT_SMALL_MIN to PYB_INT_SMALL_MAX are shared and
   immortal. */
#define PYB_INT_SMALL_MIN -5
#define PYB_INT_SMALL_MAX 256

/* pyb_int_max_str_digits: how many digits a text in a base that is no power of
   two may have; 0: any number. */
#define PYB_INT_DEFAULT_MAX_STR_DIGITS 4300
#define PYB_INT_LEAST_MAX_STR_DIGITS 640
extern int pyb_int_max_str_digits;

/* pyb_int_init: sets it to what it is at first, and adds the functions that
   get and set it to the module sys.  0, or -1 with an exception. */
int pyb_int_init(void);

/* pyb_int_methods, pyb_int_getset: tp_methods and tp_getset. */
extern PyMethodDef pyb_int_methods[];
extern PyGetSetDef pyb_int_getset[];

#endif /* PYB_INT_H */
