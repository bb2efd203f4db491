/* intmath.h: arithmetic on numbers of 64 and 128 bits, without objects.

   A function that returns int returns 0 for success and -1 if the result does
   not fit; *out is then unspecified.  Divisors are never 0. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_INTMATH_H
#define PYB_INTMATH_H

#include "gc/base/fatal.h"

__extension__ typedef __int128 pyb_int128;
__extension__ typedef unsigned __int128 pyb_uint128;

#define PYB_INT128_MAX ((pyb_int128)(~(pyb_uint128)0 >> 1))
#define PYB_INT128_MIN (-PYB_INT128_MAX - 1)

/* pyb_intmath_magnitude: the absolute value, which always fits. */
static inline pyb_uint128
pyb_intmath_magnitude(pyb_int128 v)
{
    return v < 0 ? -(pyb_uint128)v : (pyb_uint128)v;
}

/* pyb_intmath_signed: the number of this magnitude and sign. */
int pyb_intmath_signed(pyb_uint128 magnitude, int negative, pyb_int128 *out);

/* pyb_intmath_floordiv: a // b, rounded towards minus infinity;
   pyb_intmath_floormod: a % b with the sign of b.  b is not -1. */
static inline int64_t
pyb_intmath_floordiv(int64_t a, int64_t b)
{
    PYB_ASSERT(b != 0 && b != -1);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t
pyb_intmath_floormod(int64_t a, int64_t b)
{
    PYB_ASSERT(b != 0 && b != -1);
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* pyb_intmath_power: base ** exponent, exponent >= 0. */
int pyb_intmath_power(pyb_int128 base, int64_t exponent, pyb_int128 *out);

/* pyb_intmath_bits: the number of bits of the magnitude. */
int pyb_intmath_bits(pyb_uint128 magnitude);

#endif /* PYB_INTMATH_H */
