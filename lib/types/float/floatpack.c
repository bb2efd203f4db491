/* floatpack.c: floats as bytes of IEEE 754, of either order: binary16,
   binary32 and binary64, the last two of which are the machine's.

   Manual: "Floating-Point Objects". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"

/* Copies size bytes of the machine's order to or from bytes of an order. */
static void
copy(void *to, const void *from, size_t size, int le)
{
    if ((le == 0) == PY_BIG_ENDIAN) {
        memcpy(to, from, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[size - 1 - i];
}

static int
too_large(char letter)
{
    return pyb_failf(PyExc_OverflowError,
                     "float too large to pack with %c format", letter);
}

/* ------------------------------------------------------------------ */
/* binary16: a sign, 5 bits of exponent, 10 of fraction                 */

enum { HALF_SIGN = 0x8000, HALF_INFINITY = 0x7c00, HALF_QUIET = 0x0200 };

/* The bits of a NaN: of the fraction those that fit. */
static unsigned
half_nan(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    unsigned fraction = (unsigned)(bits >> (DBL_MANT_DIG - 1 - 10)) & 0x3ff;
    return HALF_INFINITY | (fraction == 0 ? HALF_QUIET : fraction);
}

/* The bits of the binary16 next to a magnitude; HALF_INFINITY or more if it is
   too large.  A fraction that rounds up to 2048 carries into the exponent. */
static unsigned
half_number(double value)
{
    int exponent;

    PYB_ASSERT(value >= 0);
    if (value == 0)
        return 0;
    frexp(value, &exponent); /* value is 2**exponent times 0.5 to 1 */
    if (exponent > 16)
        return HALF_INFINITY;
    exponent = Py_MAX(exponent, -13);
    unsigned fraction = (unsigned)nearbyint(ldexp(value, 11 - exponent));
    return ((unsigned)(exponent + 13) << 10) + fraction;
}

int
PyFloat_Pack2(double x, char *p, int le)
{
    unsigned bits = HALF_INFINITY;

    if (isnan(x))
        bits = half_nan(x);
    else if (!isinf(x)) {
        bits = half_number(fabs(x));
        if (bits >= HALF_INFINITY)
            return too_large('e');
    }
    uint16_t half = (uint16_t)(bits | (signbit(x) ? HALF_SIGN : 0));
    copy(p, &half, sizeof half, le);
    return 0;
}

double
PyFloat_Unpack2(const char *p, int le)
{
    uint16_t half;

    copy(&half, p, sizeof half, le);
    int exponent = half >> 10 & 0x1f;
    double fraction = half & 0x3ff, value;
    if (exponent == 0x1f)
        value = fraction == 0 ? Py_INFINITY : Py_NAN;
    else if (exponent == 0)
        value = ldexp(fraction, -24);
    else
        value = ldexp(fraction + 1024, exponent - 25);
    return half & HALF_SIGN ? -value : value;
}

/* ------------------------------------------------------------------ */
/* binary32, binary64                                                  */

int
PyFloat_Pack4(double x, char *p, int le)
{
    float value = (float)x;

    if (isinf(value) && !isinf(x))
        return too_large('f');
    copy(p, &value, sizeof value, le);
    return 0;
}

double
PyFloat_Unpack4(const char *p, int le)
{
    float value;

    copy(&value, p, sizeof value, le);
    return value;
}

int
PyFloat_Pack8(double x, char *p, int le)
{
    copy(p, &x, sizeof x, le);
    return 0;
}

double
PyFloat_Unpack8(const char *p, int le)
{
    double value;

    copy(&value, p, sizeof value, le);
    return value;
}
