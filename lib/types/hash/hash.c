/* hash.c: hashes of bytes, pointers and floats. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/hash/hashsecret.h"

/* -1 means an error, so it becomes -2. */
static Py_hash_t
not_error(Py_uhash_t hash)
{
    return hash == (Py_uhash_t)-1 ? -2 : (Py_hash_t)hash;
}

/* ------------------------------------------------------------------ */
/* Bytes: SipHash-1-3 (Aumasson and Bernstein), as CPython             */

struct sip {
    uint64_t v0, v1, v2, v3;
};

static inline uint64_t
rotate_left(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline struct sip
sip_round(struct sip s)
{
    s.v0 += s.v1;
    s.v2 += s.v3;
    s.v1 = rotate_left(s.v1, 13) ^ s.v0;
    s.v3 = rotate_left(s.v3, 16) ^ s.v2;
    s.v0 = rotate_left(s.v0, 32);
    s.v2 += s.v1;
    s.v0 += s.v3;
    s.v1 = rotate_left(s.v1, 17) ^ s.v2;
    s.v3 = rotate_left(s.v3, 21) ^ s.v0;
    s.v2 = rotate_left(s.v2, 32);
    return s;
}

static inline struct sip
sip_word(struct sip s, uint64_t word)
{
    s.v3 ^= word;
    s = sip_round(s);
    s.v0 ^= word;
    return s;
}

/* Both read in little-endian order on all machines. */
static inline uint64_t
word_at(const unsigned char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Byte by byte: the processor would wait for what memcpy has just written. */
static inline uint64_t
rest_at(const unsigned char *p, size_t n)
{
    uint64_t rest = 0;

    PYB_ASSERT(n < sizeof rest);
    for (size_t i = 0; i < n; i++)
        rest |= (uint64_t)p[i] << 8 * i;
    return rest;
}

Py_hash_t
Py_HashBuffer(const void *ptr, Py_ssize_t len)
{
    enum { WORD = sizeof(uint64_t) };
    const struct pyb_hashsecret *secret = pyb_hashsecret_get();
    const unsigned char *p = ptr;
    size_t n = (size_t)len;
    struct sip s = {secret->k0 ^ UINT64_C(0x736f6d6570736575),
                    secret->k1 ^ UINT64_C(0x646f72616e646f6d),
                    secret->k0 ^ UINT64_C(0x6c7967656e657261),
                    secret->k1 ^ UINT64_C(0x7465646279746573)};

    if (len <= 0)
        return 0;
    for (; n >= WORD; n -= WORD, p += WORD)
        s = sip_word(s, word_at(p));
    s = sip_word(s, (uint64_t)len << 56 | rest_at(p, n));
    s.v2 ^= 0xff;
    s = sip_round(sip_round(sip_round(s)));
    return not_error(s.v0 ^ s.v1 ^ s.v2 ^ s.v3);
}

PyHash_FuncDef *
PyHash_GetFuncDef(void)
{
    static PyHash_FuncDef def = {Py_HashBuffer, "siphash13", 64, 128};

    return &def;
}

/* ------------------------------------------------------------------ */
/* Pointers and floats                                                 */

Py_hash_t
Py_HashPointer(const void *ptr)
{
    /* Objects are aligned to 16 bytes, so the low bits carry no
       information. */
    uintptr_t bits = (uintptr_t)ptr;

    return not_error(bits >> 4 | bits << (8 * sizeof(bits) - 4));
}

/* m * 2^shift modulo PyHASH_MODULUS, for 0 <= m <= PyHASH_MODULUS: a rotation
   of 61 bits. */
static Py_uhash_t
rotate(Py_uhash_t m, int shift)
{
    PYB_ASSERT(m <= PyHASH_MODULUS);
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
        PYB_ASSERT(hash < PyHASH_MODULUS);
    }
    hash = rotate(hash, exponent);
    return not_error(value < 0 ? 0 - hash : hash);
}
