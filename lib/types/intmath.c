/* intmath.c: checked arithmetic on 128-bit numbers, without objects. */

#include "Python.h"

#include "types/intmath.h"

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

/* Not __builtin_mul_overflow: clang makes it a call that libgcc lacks. */
int
pyb_intmath_multiply(pyb_int128 a, pyb_int128 b, pyb_int128 *out)
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

int
pyb_intmath_floordiv(pyb_int128 a, pyb_int128 b, pyb_int128 *out)
{
    if (b == -1)
        return pyb_intmath_signed(pyb_intmath_magnitude(a), a > 0, out);
    *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return 0;
}

pyb_int128
pyb_intmath_floormod(pyb_int128 a, pyb_int128 b)
{
    if (b == -1)
        return 0; /* the most negative number % -1 is undefined in C */
    pyb_int128 rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* Long division yields 64 bits of the quotient at least, more than a double
   has; a last bit that says whether anything follows makes the conversion
   round as the exact quotient would. */
double
pyb_intmath_truediv(pyb_int128 a, pyb_int128 b)
{
    pyb_uint128 x = pyb_intmath_magnitude(a), y = pyb_intmath_magnitude(b);
    pyb_uint128 quotient = x / y, rest = x % y;
    int exponent = 0;

    if (x == 0)
        return b < 0 ? -0.0 : 0.0;
    while (rest != 0 && pyb_intmath_bits(quotient) < 64) {
        rest <<= 1; /* fits: rest < y <= 2^127 */
        quotient = quotient << 1 | (rest >= y);
        if (rest >= y)
            rest -= y;
        exponent--;
    }
    quotient |= rest != 0;
    double result = ldexp((double)quotient, exponent);
    return (a < 0) != (b < 0) ? -result : result;
}

int
pyb_intmath_lshift(pyb_int128 a, pyb_int128 count, pyb_int128 *out)
{
    pyb_uint128 magnitude = pyb_intmath_magnitude(a);

    if (magnitude == 0) {
        *out = 0;
        return 0;
    }
    if (count > 127 || magnitude > UINT128_MAX >> (int)count)
        return -1;
    return pyb_intmath_signed(magnitude << (int)count, a < 0, out);
}

pyb_int128
pyb_intmath_rshift(pyb_int128 a, pyb_int128 count)
{
    return a >> (count > 127 ? 127 : (int)count);
}

/* Squares only as long as bits of the exponent remain, so that a square that
   nobody needs cannot overflow. */
int
pyb_intmath_power(pyb_int128 base, pyb_int128 exponent, pyb_int128 *out)
{
    *out = 1;
    for (;;) {
        if ((exponent & 1) && pyb_intmath_multiply(*out, base, out) < 0)
            return -1;
        exponent >>= 1;
        if (exponent == 0)
            return 0;
        if (pyb_intmath_multiply(base, base, &base) < 0)
            return -1;
    }
}

/* a * b % modulus for a, b < modulus <= 2^127, by doubling where the product
   would not fit. */
static pyb_uint128
multiply_mod(pyb_uint128 a, pyb_uint128 b, pyb_uint128 modulus)
{
    pyb_uint128 result = 0;

    if (modulus >> 64 == 0)
        return a * b % modulus;
    for (; b != 0; b >>= 1) {
        if (b & 1)
            result = (result + a) % modulus;
        a = (a << 1) % modulus;
    }
    return result;
}

pyb_uint128
pyb_intmath_powmod(pyb_uint128 base, pyb_int128 exponent, pyb_uint128 modulus)
{
    pyb_uint128 result = 1 % modulus;

    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = multiply_mod(result, base, modulus);
        base = multiply_mod(base, base, modulus);
    }
    return result;
}

/* Euclid's algorithm; invariant: old == a * x and now == a * next, both modulo
   the modulus. */
int
pyb_intmath_inverse(pyb_uint128 a, pyb_uint128 modulus, pyb_uint128 *out)
{
    pyb_uint128 old = modulus, now = a;
    pyb_uint128 x = 0, next = 1 % modulus;

    while (now != 0) {
        pyb_uint128 quotient = old / now, rest = old % now;
        pyb_uint128 step = multiply_mod(quotient % modulus, next, modulus);
        pyb_uint128 after = x >= step ? x - step : x + (modulus - step);
        old = now;
        now = rest;
        x = next;
        next = after;
    }
    *out = x;
    return old == 1 ? 0 : -1;
}
