/* bigconv.c: big ints to and from doubles, bytes and text.  See bigint.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/int/bigint.h"
#include "types/int/int.h"

/* ------------------------------------------------------------------ */
/* Doubles                                                             */

static int
too_large_for_double(void)
{
    return pyb_fail(PyExc_OverflowError, "int too large to convert to float");
}

/* The highest 64 bits, of which the lowest is also set if any bit below is,
   make the conversion to 53 bits round correctly. */
int
pyb_int_as_double(PyObject *op, double *d)
{
    struct pyb_bigint_view view;

    if (_PyB_LIKELY(pyb_int_is_compact(op))) {
        *d = (double)pyb_int_compact(op);
        return 0;
    }
    mpz_srcptr z = pyb_bigint_see(op, &view);
    size_t bits = mpz_sizeinbase(z, 2), n = mpz_size(z);
    PYB_ASSERT(bits >= 64);
    if (bits > DBL_MAX_EXP)
        return too_large_for_double();
    int gap = (int)(n * 64 - bits), exponent = (int)bits - 64;
    uint64_t top = mpz_getlimbn(z, (mp_size_t)n - 1) << gap;
    if (gap != 0 && n > 1)
        top |= mpz_getlimbn(z, (mp_size_t)n - 2) >> (64 - gap);
    top |= mpz_scan1(z, 0) < (mp_bitcnt_t)exponent;
    *d = ldexp((double)top, exponent);
    if (isinf(*d))
        return too_large_for_double();
    if (mpz_sgn(z) < 0)
        *d = -*d;
    return 0;
}

int
pyb_int_compare_double(PyObject *op, double d)
{
    struct pyb_bigint_view view;
    int order = mpz_cmp_d(pyb_bigint_see(op, &view), d);

    return order < 0 ? -1 : order > 0;
}

/* q without its lowest bits; half a unit is rounded to the even number. */
static uint64_t
drop_bits(uint64_t q, int count)
{
    uint64_t half = (uint64_t)1 << (count - 1);
    uint64_t rest = q & (2 * half - 1), rounded = q >> count;

    return rounded + (rest > half || (rest == half && rounded % 2 != 0));
}

/* The whole part of x / y / 2 ** shift, which must have 64 bits at most; the
   lowest bit is also set if the division leaves a rest. */
static int
scaled_quotient(mpz_srcptr x, mpz_srcptr y, long shift, uint64_t *quotient)
{
    size_t distance = (size_t)Py_ABS(shift);
    mpz_t scaled, q, rest;

    if (pyb_bigint_room(mpz_size(x) + mpz_size(y) + distance / 16) < 0)
        return -1;
    mpz_inits(scaled, q, rest, NULL);
    mpz_mul_2exp(scaled, shift < 0 ? x : y, distance);
    mpz_tdiv_qr(q, rest, shift < 0 ? scaled : x, shift < 0 ? y : scaled);
    PYB_ASSERT(mpz_size(q) <= 1);
    *quotient = mpz_getlimbn(q, 0) | (mpz_sgn(rest) != 0);
    mpz_clears(scaled, q, rest, NULL);
    return 0;
}

/* The quotient is computed with two bits more than the double has, three at
   most, so that it is rounded only once. */
int
pyb_bigint_truediv(PyObject *a, PyObject *b, double *d)
{
    struct pyb_bigint_view x, y;
    long size = (long)pyb_int_bits(a) - (long)pyb_int_bits(b);
    int negative = (pyb_int_sign(a) < 0) != (pyb_int_sign(b) < 0);
    uint64_t q;

    *d = negative ? -0.0 : 0.0;
    if (pyb_int_sign(a) == 0 || size < DBL_MIN_EXP - DBL_MANT_DIG - 1)
        return 0;
    if (size > DBL_MAX_EXP)
        goto overflow;
    long shift = Py_MAX(size, DBL_MIN_EXP) - DBL_MANT_DIG - 2;
    if (scaled_quotient(pyb_bigint_see_magnitude(a, &x),
                        pyb_bigint_see_magnitude(b, &y), shift, &q) < 0)
        return -1;
    int extra =
        Py_MAX(pyb_intmath_bits(q), (int)(DBL_MIN_EXP - shift)) - DBL_MANT_DIG;
    *d = ldexp((double)drop_bits(q, extra), (int)shift + extra);
    if (isinf(*d))
        goto overflow;
    if (negative)
        *d = -*d;
    return 0;
overflow:
    return pyb_fail(PyExc_OverflowError,
                    "integer division result too large for a float");
}

/* ------------------------------------------------------------------ */
/* Bytes                                                               */

PyObject *
pyb_bigint_from_bytes(const unsigned char *bytes, size_t n, int little,
                      int is_signed)
{
    int negative = n != 0 && is_signed && bytes[little ? n - 1 : 0] >= 0x80;
    size_t size = n / sizeof(mp_limb_t) + 1;
    mp_limb_t *limbs = NULL;

    if (n <= PY_SSIZE_T_MAX - sizeof(mp_limb_t))
        limbs = PyMem_New(mp_limb_t, size);
    if (limbs == NULL)
        return PYB_MEMORY_ERROR(NULL);
    memset(limbs, negative ? 0xff : 0, size * sizeof *limbs);
    for (size_t i = 0; i < n; i++) {
        mp_limb_t byte = bytes[little ? i : n - 1 - i];
        unsigned at = (unsigned)(i % sizeof byte) * 8;
        limbs[i / sizeof byte] &= ~((mp_limb_t)0xff << at);
        limbs[i / sizeof byte] |= byte << at;
    }
    if (negative)
        mpn_neg(limbs, limbs, (mp_size_t)size);
    PyObject *op = pyb_bigint_from_limbs(limbs, size, negative);
    PyMem_Free(limbs);
    return op;
}

void
pyb_bigint_to_bytes(PyObject *op, unsigned char *bytes, size_t n, int little)
{
    struct pyb_bigint_view view;
    mpz_srcptr z = pyb_bigint_see(op, &view);
    const mp_limb_t *limbs = mpz_limbs_read(z);
    size_t size = mpz_size(z) * sizeof(mp_limb_t);
    unsigned mask = mpz_sgn(z) < 0 ? 0xff : 0, carry = mask & 1;

    for (size_t i = 0; i < n; i++) {
        mp_limb_t limb = i < size ? limbs[i / sizeof limb] : 0;
        unsigned byte = (unsigned)(limb >> i % sizeof limb * 8) & 0xff;
        carry += byte ^ mask;
        bytes[little ? i : n - 1 - i] = (unsigned char)carry;
        carry >>= 8;
    }
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

PyObject *
pyb_bigint_from_digits(const unsigned char *digits, size_t count, int base,
                       int negative)
{
    unsigned bits = (unsigned)pyb_intmath_bits((pyb_uint128)base - 1);

    while (count > 0 && *digits == 0) {
        digits++;
        count--;
    }
    if (count == 0)
        return pyb_int_from(0);
    size_t size = count / 64 * bits + bits + 2;
    if (pyb_bigint_room(size) < 0)
        return NULL;
    mp_limb_t *limbs = PyMem_New(mp_limb_t, size);
    if (limbs == NULL)
        return PYB_MEMORY_ERROR(NULL);
    mp_size_t n = mpn_set_str(limbs, digits, count, base);
    PYB_ASSERT(n >= 0 && (size_t)n <= size);
    PyObject *op = pyb_bigint_from_limbs(limbs, (size_t)n, negative);
    PyMem_Free(limbs);
    return op;
}

static void
too_many_digits(void)
{
    PyErr_Format(PyExc_ValueError,
                 "Exceeds the limit (%d digits) for integer string "
                 "conversion; use sys.set_int_max_str_digits() to increase "
                 "the limit",
                 pyb_int_max_str_digits);
}

/* Puts the prefix and the sign before the digits; returns where they begin. */
static char *
put_before(char *start, int base, int prefix, int negative)
{
    if (prefix && (base == 2 || base == 8 || base == 16)) {
        *--start = base == 2 ? 'b' : base == 8 ? 'o' : 'x';
        *--start = '0';
    }
    if (negative)
        *--start = '-';
    return start;
}

/* Three bits of ten are fewer than a decimal digit has: a number that is far
   too long is not converted. */
PyObject *
pyb_bigint_text(PyObject *op, int base, int prefix)
{
    enum { BEFORE = 3 }; /* sign and prefix */
    struct pyb_bigint_view view;
    mpz_srcptr z = pyb_bigint_see_magnitude(op, &view);
    size_t most = (size_t)pyb_int_max_str_digits;
    PyObject *result = NULL;

    if ((base & (base - 1)) == 0)
        most = 0;
    if (most != 0 && (mpz_sizeinbase(z, 2) - 1) / 10 * 3 > most) {
        too_many_digits();
        return NULL;
    }
    if (pyb_bigint_room(4 * mpz_size(z)) < 0)
        return NULL;
    char *text = PyMem_Malloc(BEFORE + mpz_sizeinbase(z, base) + 2);
    if (text == NULL)
        return PYB_MEMORY_ERROR(NULL);
    char *digits = mpz_get_str(text + BEFORE, base, z);
    if (most != 0 && strlen(digits) > most)
        too_many_digits();
    else
        result = PyUnicode_FromString(
            put_before(digits, base, prefix, pyb_int_sign(op) < 0));
    PyMem_Free(text);
    return result;
}
