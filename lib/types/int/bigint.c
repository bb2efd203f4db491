/* bigint.c: big ints: their limbs and their arithmetic.  See bigint.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "runtime/freelist.h"
#include "types/int/bigint.h"
#include "types/int/int.h"

_Static_assert(GMP_NUMB_BITS == 64 && sizeof(mp_limb_t) == sizeof(uint64_t),
               "GMP's limbs are those of PyLongObject");

#define LONG(op) ((PyLongObject *)(op))

/* GMP counts limbs in an int, and ends the program beyond. */
#define MOST_LIMBS ((size_t)INT_MAX / 8)
#define MOST_BITS (MOST_LIMBS * GMP_NUMB_BITS)

/* ------------------------------------------------------------------ */
/* Seeing and making them                                              */

static size_t
limbs_of(PyObject *op)
{
    return (size_t)Py_ABS(LONG(op)->_pyb_size);
}

static mpz_srcptr
see(PyObject *op, struct pyb_bigint_view *view, int sign)
{
    if (!pyb_int_is_compact(op))
        return mpz_roinit_n(view->z,
                            (mp_srcptr)LONG(op)->_pyb_number._pyb_limbs,
                            sign * (mp_size_t)limbs_of(op));
    view->limb = (mp_limb_t)pyb_intmath_magnitude(pyb_int_compact(op));
    return mpz_roinit_n(view->z, &view->limb, sign);
}

mpz_srcptr
pyb_bigint_see(PyObject *op, struct pyb_bigint_view *view)
{
    return see(op, view, pyb_int_sign(op) < 0 ? -1 : 1);
}

mpz_srcptr
pyb_bigint_see_magnitude(PyObject *op, struct pyb_bigint_view *view)
{
    return see(op, view, 1);
}

/* Multiplication and division take a few times the size of their operands. */
int
pyb_bigint_room(size_t limbs)
{
    void *room = NULL;

    if (limbs <= MOST_LIMBS)
        room = PyMem_Malloc((4 * limbs + 64) * sizeof(mp_limb_t));
    if (room == NULL)
        return PYB_MEMORY_ERROR(-1);
    PyMem_Free(room);
    return 0;
}

static int
give_limbs(PyObject *op, const mp_limb_t *limbs, size_t n, int negative)
{
    uint64_t *copy = NULL;

    PYB_ASSERT(n > 0 && limbs[n - 1] != 0);
    if (n <= MOST_LIMBS)
        copy = pyb_freelist_alloc(n * sizeof *copy);
    if (copy == NULL)
        return PYB_MEMORY_ERROR(-1);
    memcpy(copy, limbs, n * sizeof *copy);
    LONG(op)->_pyb_size = negative ? -(Py_ssize_t)n : (Py_ssize_t)n;
    LONG(op)->_pyb_number._pyb_limbs = copy;
    return 0;
}

int
pyb_bigint_copy(PyObject *op, PyObject *from)
{
    return give_limbs(op, (mp_srcptr)LONG(from)->_pyb_number._pyb_limbs,
                      limbs_of(from), LONG(from)->_pyb_size < 0);
}

void
pyb_bigint_drop(PyObject *op)
{
    pyb_freelist_free(LONG(op)->_pyb_number._pyb_limbs,
                      limbs_of(op) * sizeof(mp_limb_t));
}

PyObject *
pyb_bigint_from_limbs(const mp_limb_t *limbs, size_t n, int negative)
{
    while (n > 0 && limbs[n - 1] == 0)
        n--;
    if (n == 0)
        return pyb_int_from(0);
    if (n == 1 && limbs[0] <= (mp_limb_t)INT64_MAX + (negative != 0))
        return pyb_int_from((int64_t)(negative ? -limbs[0] : limbs[0]));
    PyObject *op = pyb_freelist_new(&PyLong_Type, sizeof(PyLongObject));
    if (op == NULL)
        return NULL;
    LONG(op)->_pyb_size = 0; /* for int_dealloc */
    if (give_limbs(op, limbs, n, negative) < 0)
        Py_CLEAR(op);
    return op;
}

PyObject *
pyb_bigint_finish(mpz_ptr z)
{
    PyObject *op =
        pyb_bigint_from_limbs(mpz_limbs_read(z), mpz_size(z), mpz_sgn(z) < 0);

    mpz_clear(z);
    return op;
}

size_t
pyb_int_bits(PyObject *op)
{
    struct pyb_bigint_view view;

    if (pyb_int_is_compact(op))
        return (size_t)pyb_intmath_bits(
            pyb_intmath_magnitude(pyb_int_compact(op)));
    return mpz_sizeinbase(pyb_bigint_see(op, &view), 2);
}

int
pyb_int_is_power_of_two(PyObject *op)
{
    struct pyb_bigint_view view;

    return mpz_popcount(pyb_bigint_see_magnitude(op, &view)) == 1;
}

/* Sets *v to the number; 0, or -1 if it has more than 128 bits. */
static int
wide(PyObject *op, pyb_int128 *v)
{
    Py_ssize_t size = LONG(op)->_pyb_size;
    const uint64_t *limbs = LONG(op)->_pyb_number._pyb_limbs;

    if (size == 0) {
        *v = pyb_int_compact(op);
        return 0;
    }
    if (size < -2 || size > 2)
        return -1;
    pyb_uint128 magnitude = limbs[0];
    if (size == 2 || size == -2)
        magnitude |= (pyb_uint128)limbs[1] << 64;
    return pyb_intmath_signed(magnitude, size < 0, v);
}

pyb_int128
pyb_int_clamped_big(PyObject *op)
{
    pyb_int128 v;

    if (wide(op, &v) == 0)
        return v;
    return pyb_int_sign(op) < 0 ? PYB_INT128_MIN : PYB_INT128_MAX;
}

/* ------------------------------------------------------------------ */
/* One function of GMP's                                               */

typedef void unary(mpz_ptr, mpz_srcptr);
typedef void binary(mpz_ptr, mpz_srcptr, mpz_srcptr);

static PyObject *
apply(binary *function, PyObject *a, PyObject *b)
{
    struct pyb_bigint_view x, y;
    mpz_t z;

    /* GMP ends the process where a divisor is 0. */
    PYB_ASSERT_OBJECT((function != mpz_fdiv_q && function != mpz_fdiv_r) ||
                          pyb_int_sign(b) != 0,
                      b);
    if (pyb_bigint_room(limbs_of(a) + limbs_of(b)) < 0)
        return NULL;
    mpz_init(z);
    function(z, pyb_bigint_see(a, &x), pyb_bigint_see(b, &y));
    return pyb_bigint_finish(z);
}

#define BINARY(NAME, FUNCTION)                                                \
    PyObject *NAME(PyObject *a, PyObject *b)                                  \
    {                                                                         \
        return apply(FUNCTION, a, b);                                         \
    }

BINARY(pyb_bigint_add, mpz_add)
BINARY(pyb_bigint_subtract, mpz_sub)
BINARY(pyb_bigint_multiply, mpz_mul)
BINARY(pyb_bigint_and, mpz_and)
BINARY(pyb_bigint_or, mpz_ior)
BINARY(pyb_bigint_xor, mpz_xor)
BINARY(pyb_bigint_floordiv, mpz_fdiv_q)
BINARY(pyb_bigint_floormod, mpz_fdiv_r)

static PyObject *
apply_unary(unary *function, PyObject *op)
{
    struct pyb_bigint_view x;
    mpz_t z;

    if (pyb_bigint_room(limbs_of(op)) < 0)
        return NULL;
    mpz_init(z);
    function(z, pyb_bigint_see(op, &x));
    return pyb_bigint_finish(z);
}

PyObject *
pyb_bigint_negative(PyObject *op)
{
    return apply_unary(mpz_neg, op);
}

PyObject *
pyb_bigint_invert(PyObject *op)
{
    return apply_unary(mpz_com, op);
}

int
pyb_bigint_compare(PyObject *a, PyObject *b)
{
    struct pyb_bigint_view x, y;

    return mpz_cmp(pyb_bigint_see(a, &x), pyb_bigint_see(b, &y));
}

/* ------------------------------------------------------------------ */
/* Shifts                                                              */

static PyObject *
shift_left(mpz_srcptr x, size_t count)
{
    mpz_t z;

    if (count > MOST_BITS)
        return PYB_MEMORY_ERROR(NULL);
    if (pyb_bigint_room(mpz_size(x) + count / GMP_NUMB_BITS) < 0)
        return NULL;
    mpz_init(z);
    mpz_mul_2exp(z, x, count);
    return pyb_bigint_finish(z);
}

PyObject *
pyb_bigint_lshift(PyObject *op, size_t count)
{
    struct pyb_bigint_view x;

    return shift_left(pyb_bigint_see(op, &x), count);
}

PyObject *
pyb_int_shifted(int64_t v, size_t count)
{
    mp_limb_t limb = (mp_limb_t)pyb_intmath_magnitude(v);
    mpz_t x;

    return shift_left(mpz_roinit_n(x, &limb, v < 0 ? -1 : 1), count);
}

PyObject *
pyb_bigint_rshift(PyObject *op, size_t count)
{
    struct pyb_bigint_view x;
    mpz_t z;

    if (pyb_bigint_room(limbs_of(op)) < 0)
        return NULL;
    mpz_init(z);
    mpz_fdiv_q_2exp(z, pyb_bigint_see(op, &x), count);
    return pyb_bigint_finish(z);
}

/* ------------------------------------------------------------------ */
/* Powers                                                              */

/* -1, 0 or 1 to any power. */
static PyObject *
power_of_unit(int base, PyObject *exponent)
{
    struct pyb_bigint_view y;
    int odd = mpz_odd_p(pyb_bigint_see(exponent, &y)) != 0;

    return pyb_int_from(pyb_int_sign(exponent) == 0 ? 1
                        : odd                       ? base
                                                    : base != 0);
}

PyObject *
pyb_bigint_power(PyObject *base, PyObject *exponent)
{
    struct pyb_bigint_view x;
    size_t bits;
    mpz_t z;

    if (pyb_int_bits(base) <= 1)
        return power_of_unit(pyb_int_sign(base), exponent);
    if (!pyb_int_is_compact(exponent) ||
        __builtin_mul_overflow(pyb_int_bits(base), pyb_int_compact(exponent),
                               &bits) ||
        bits > MOST_BITS)
        return PYB_MEMORY_ERROR(NULL);
    if (pyb_bigint_room(bits / GMP_NUMB_BITS) < 0)
        return NULL;
    mpz_init(z);
    mpz_pow_ui(z, pyb_bigint_see(base, &x),
               (unsigned long)pyb_int_compact(exponent));
    return pyb_bigint_finish(z);
}

/* The result has the sign of the modulus. */
PyObject *
pyb_bigint_powmod(PyObject *base, PyObject *exponent, PyObject *modulus)
{
    struct pyb_bigint_view x, y, m;
    mpz_t z;

    PYB_ASSERT_OBJECT(pyb_int_sign(modulus) != 0, modulus);
    pyb_bigint_see_magnitude(modulus, &m);
    if (mpz_cmp_ui(m.z, 1) == 0)
        return pyb_int_from(0);
    if (pyb_bigint_room(2 * limbs_of(base) + 16 * limbs_of(modulus)) < 0)
        return NULL;
    mpz_init(z);
    if (pyb_int_sign(exponent) >= 0)
        mpz_powm(z, pyb_bigint_see(base, &x), pyb_bigint_see(exponent, &y),
                 m.z);
    else if (mpz_invert(z, pyb_bigint_see(base, &x), m.z))
        mpz_powm(z, z, pyb_bigint_see_magnitude(exponent, &y), m.z);
    else {
        mpz_clear(z);
        return pyb_raise(PyExc_ValueError, "base is not invertible for the "
                                           "given modulus");
    }
    if (pyb_int_sign(modulus) < 0 && mpz_sgn(z) != 0)
        mpz_sub(z, z, m.z);
    return pyb_bigint_finish(z);
}

/* ------------------------------------------------------------------ */
/* Rounding                                                            */

PyObject *
pyb_bigint_round(PyObject *op, size_t zeros)
{
    struct pyb_bigint_view x;
    mpz_t unit, z, rest;

    if (zeros > pyb_int_bits(op) / 3 + 1)
        return pyb_int_from(0); /* 10 ** zeros > 8 ** zeros > 2 * op */
    if (pyb_bigint_room(4 * (limbs_of(op) + 2)) < 0)
        return NULL;
    mpz_inits(unit, z, rest, NULL);
    mpz_ui_pow_ui(unit, 10, zeros);
    mpz_fdiv_qr(z, rest, pyb_bigint_see(op, &x), unit);
    mpz_mul_2exp(rest, rest, 1);
    int order = mpz_cmp(rest, unit);
    if (order > 0 || (order == 0 && mpz_odd_p(z)))
        mpz_add_ui(z, z, 1);
    mpz_mul(z, z, unit);
    mpz_clears(unit, rest, NULL);
    return pyb_bigint_finish(z);
}
