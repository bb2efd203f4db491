/* intmath.h: checked arithmetic on 128-bit numbers, without objects.

   A function that returns int says 0 for success and -1 if the result does
   not fit; *out is then unspecified.  Divisors are never 0. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_INTMATH_H
#define PYB_INTMATH_H

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

int pyb_intmath_multiply(pyb_int128 a, pyb_int128 b, pyb_int128 *out);

/* pyb_intmath_floordiv: a // b, rounded towards minus infinity. */
int pyb_intmath_floordiv(pyb_int128 a, pyb_int128 b, pyb_int128 *out);

/* pyb_intmath_floormod: a % b with the sign of b. */
pyb_int128 pyb_intmath_floormod(pyb_int128 a, pyb_int128 b);

/* pyb_intmath_truediv: a / b, rounded once and correctly. */
double pyb_intmath_truediv(pyb_int128 a, pyb_int128 b);

/* Shifts by count >= 0. */
int pyb_intmath_lshift(pyb_int128 a, pyb_int128 count, pyb_int128 *out);
pyb_int128 pyb_intmath_rshift(pyb_int128 a, pyb_int128 count);

/* pyb_intmath_power: base ** exponent, exponent >= 0. */
int pyb_intmath_power(pyb_int128 base, pyb_int128 exponent, pyb_int128 *out);

/* pyb_intmath_powmod: base ** exponent % modulus, 0 <= base < modulus and
   exponent >= 0. */
pyb_uint128 pyb_intmath_powmod(pyb_uint128 base, pyb_int128 exponent,
                               pyb_uint128 modulus);

/* pyb_intmath_inverse: the x with a * x % modulus == 1, 0 <= a < modulus.  -1
   if there is none. */
int pyb_intmath_inverse(pyb_uint128 a, pyb_uint128 modulus, pyb_uint128 *out);

/* pyb_intmath_bits: how many bits the magnitude has. */
int pyb_intmath_bits(pyb_uint128 magnitude);

#endif /* PYB_INTMATH_H */
