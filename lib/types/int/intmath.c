/* intmath.c: checked arithmetic on numbers of 128 bits, without objects. */

#include "Python.h"

#include "types/int/intmath.h"

#define UINT128_MAX (~(pyb_uint128)0)

int
pyb_intmath_bits(pyb_uint128 magnitude)
{
    uint64_t high = (uint64_t)(magnitude >> 64);
    uint64_t low = (uint64_t)magnitude;

    if (high != 0)
        return 128 - __builtin_clzll(high);
    return low != 0 ? 64 - __builtin_clzll(low) : 0;
}

int
pyb_intmath_signed(pyb_uint128 magnitude, int negative, pyb_int128 *out)
{
    if (magnitude > (pyb_uint128)PYB_INT128_MAX + (negative != 0))
        return -1;
    *out = (pyb_int128)(negative ? -magnitude : magnitude);
    return 0;
}

/* Not __builtin_mul_overflow, for which clang calls a function that libgcc
   lacks. */
static int
multiply(pyb_int128 a, pyb_int128 b, pyb_int128 *out)
{
    if ((int64_t)a == a && (int64_t)b == b) {
        *out = a * b;
        return 0;
    }
    pyb_uint128 x = pyb_intmath_magnitude(a), y = pyb_intmath_magnitude(b);
    if (x != 0 && y > UINT128_MAX / x)
        return -1;
    return pyb_intmath_signed(x * y, (a < 0) != (b < 0), out);
}

/* Squares only as long as bits of the exponent remain, so that an unneeded
   square cannot overflow. */
int
pyb_intmath_power(pyb_int128 base, int64_t exponent, pyb_int128 *out)
{
    *out = 1;
    for (;;) {
        if ((exponent & 1) && multiply(*out, base, out) < 0)
            return -1;
        exponent >>= 1;
        if (exponent == 0)
            return 0;
        if (multiply(base, base, &base) < 0)
            return -1;
    }
}
