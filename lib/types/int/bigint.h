/* bigint.h: what needs GMP: ints of more than 63 bits, and operations whose
   result may be one.

   GMP ends the program when it finds no memory.  Before each call that may
   allocate, pyb_bigint_room asks the C library for as much at once and gives
   it back; without that much the call is not made.  What GMP allocates never
   outlives the call: an int's limbs are in memory of our own, since the host
   may have given GMP allocation functions whose memory a collector owns.

   Where nothing else is said, operands are ints of any size, and the result is
   a new reference, or NULL with MemoryError. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_BIGINT_H
#define PYB_BIGINT_H

#include <gmp.h>

/* ------------------------------------------------------------------ */
/* Seeing and making them                                              */

/* A number for GMP to read, valid as long as the int and the view are. */
struct pyb_bigint_view {
    mpz_t z;
    mp_limb_t limb; /* of a compact int */
};

/* pyb_bigint_see: op's number; pyb_bigint_see_magnitude: without its sign. */
mpz_srcptr pyb_bigint_see(PyObject *op, struct pyb_bigint_view *view);
mpz_srcptr pyb_bigint_see_magnitude(PyObject *op,
                                    struct pyb_bigint_view *view);

/* pyb_bigint_room: is there memory for numbers of that many limbs together,
   and for what GMP needs beside them?  0, or -1 with MemoryError. */
int pyb_bigint_room(size_t limbs);

/* pyb_bigint_finish: an int of z, which is cleared. */
PyObject *pyb_bigint_finish(mpz_ptr z);

/* pyb_bigint_from_limbs: an int of the magnitude in n limbs, of which the
   highest ones may be 0. */
PyObject *pyb_bigint_from_limbs(const mp_limb_t *limbs, size_t n,
                                int negative);

/* pyb_bigint_copy: gives op, a new instance of int or of a subtype, the number
   of a big int.  0, or -1 with MemoryError. */
int pyb_bigint_copy(PyObject *op, PyObject *from);

/* pyb_bigint_drop: frees what a big int has; it must not be used any more. */
void pyb_bigint_drop(PyObject *op);

/* ------------------------------------------------------------------ */
/* Arithmetic                                                          */

PyObject *pyb_bigint_add(PyObject *a, PyObject *b);
PyObject *pyb_bigint_subtract(PyObject *a, PyObject *b);
PyObject *pyb_bigint_multiply(PyObject *a, PyObject *b);
PyObject *pyb_bigint_and(PyObject *a, PyObject *b);
PyObject *pyb_bigint_or(PyObject *a, PyObject *b);
PyObject *pyb_bigint_xor(PyObject *a, PyObject *b);
PyObject *pyb_bigint_negative(PyObject *op);
PyObject *pyb_bigint_invert(PyObject *op);

/* Divisors are not 0. */
PyObject *pyb_bigint_floordiv(PyObject *a, PyObject *b);
PyObject *pyb_bigint_floormod(PyObject *a, PyObject *b);

/* Shifts by count >= 0. */
PyObject *pyb_bigint_lshift(PyObject *op, size_t count);
PyObject *pyb_bigint_rshift(PyObject *op, size_t count);

/* pyb_bigint_power: base ** exponent, exponent >= 0. */
PyObject *pyb_bigint_power(PyObject *base, PyObject *exponent);

/* pyb_bigint_powmod: base ** exponent % modulus, which is not 0; ValueError if
   the exponent is negative and base has no inverse. */
PyObject *pyb_bigint_powmod(PyObject *base, PyObject *exponent,
                            PyObject *modulus);

/* pyb_bigint_round: op rounded to a multiple of 10 ** zeros; of two equally
   near ones the even one. */
PyObject *pyb_bigint_round(PyObject *op, size_t zeros);

/* pyb_bigint_compare: less than, equal to or greater than 0 as a is less than,
   equal to or greater than b. */
int pyb_bigint_compare(PyObject *a, PyObject *b);

/* ------------------------------------------------------------------ */
/* Conversion                                                          */

/* pyb_bigint_truediv: sets *d to a / b, rounded once and correctly; b is not
   0.  0, or -1 with OverflowError or MemoryError. */
int pyb_bigint_truediv(PyObject *a, PyObject *b, double *d);

/* pyb_bigint_from_bytes: the int of n bytes, in two's complement if is_signed
   is not 0. */
PyObject *pyb_bigint_from_bytes(const unsigned char *bytes, size_t n,
                                int little, int is_signed);

/* pyb_bigint_to_bytes: the lowest n bytes of a big int's two's complement. */
void pyb_bigint_to_bytes(PyObject *op, unsigned char *bytes, size_t n,
                         int little);

/* pyb_bigint_from_digits: the int of count digits, values below the base and
   the most significant first. */
PyObject *pyb_bigint_from_digits(const unsigned char *digits, size_t count,
                                 int base, int negative);

/* pyb_bigint_text: a str of the number in base 2 to 36, with "0b", "0o" or
   "0x" if prefix is set and the base has one.  ValueError if it has too many
   digits. */
PyObject *pyb_bigint_text(PyObject *op, int base, int prefix);

#endif /* PYB_BIGINT_H */
