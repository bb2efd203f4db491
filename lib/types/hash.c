/* hash.c: hashes of bytes, pointers and floats.

   Bytes are hashed without a secret key: whoever chooses the keys of a
   dictionary can make them collide. */

#include "Python.h"

/* -1 means an error, so it is no hash. */
static Py_hash_t
not_error(Py_uhash_t hash)
{
    return hash == (Py_uhash_t)-1 ? -2 : (Py_hash_t)hash;
}

/* Spreads every bit of x over all of the result. */
static uint64_t
mix(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

Py_hash_t
Py_HashBuffer(const void *ptr, Py_ssize_t len)
{
    const char *p = ptr;
    uint64_t hash = (uint64_t)len * UINT64_C(0x9e3779b97f4a7c15), word;

    if (len <= 0)
        return 0;
    for (; len >= (Py_ssize_t)sizeof(word); len -= sizeof(word)) {
        memcpy(&word, p, sizeof(word));
        hash = mix(hash ^ word);
        p += sizeof(word);
    }
    word = 0;
    memcpy(&word, p, (size_t)len);
    return not_error((Py_uhash_t)mix(hash ^ word));
}

PyHash_FuncDef *
PyHash_GetFuncDef(void)
{
    static PyHash_FuncDef def = {Py_HashBuffer, "pyboehm", 64, 0};

    return &def;
}

Py_hash_t
Py_HashPointer(const void *ptr)
{
    /* Objects are aligned to 16 bytes: the low bits say nothing. */
    uintptr_t bits = (uintptr_t)ptr;

    return not_error(bits >> 4 | bits << (8 * sizeof(bits) - 4));
}

/* m * 2^shift modulo PyHASH_MODULUS, for 0 <= m <= PyHASH_MODULUS: a rotation
   of 61 bits. */
static Py_uhash_t
rotate(Py_uhash_t m, int shift)
{
    shift %= PyHASH_BITS;
    if (shift < 0)
        shift += PyHASH_BITS;
    if (shift == 0)
        return m;
    return (m << shift & PyHASH_MODULUS) | m >> (PyHASH_BITS - shift);
}

Py_hash_t
_Py_HashDouble(PyObject *inst, double value)
{
    enum { CHUNK = 28 }; /* bits taken from the mantissa at a time */
    Py_uhash_t hash = 0;
    int exponent;

    if (isinf(value))
        return value > 0 ? PyHASH_INF : -PyHASH_INF;
    if (isnan(value))
        return Py_HashPointer(inst);

    double rest = frexp(fabs(value), &exponent);
    while (rest != 0) {
        rest = ldexp(rest, CHUNK);
        exponent -= CHUNK;
        Py_uhash_t chunk = (Py_uhash_t)rest;
        rest -= (double)chunk;
        hash = rotate(hash, CHUNK) + chunk;
        if (hash >= PyHASH_MODULUS)
            hash -= PyHASH_MODULUS;
    }
    hash = rotate(hash, exponent);
    return not_error(value < 0 ? 0 - hash : hash);
}
