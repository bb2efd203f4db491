/* pyhash.h: hashing of bytes, pointers and numbers.

   The functions here may be called at any time and from any thread.

   Manual: "PyHash API". */

#ifndef Py_HASH_H
#define Py_HASH_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers that are equal hash equal, whatever their types: the hash is the
   value modulo the prime 2^61 - 1. */
#define PyHASH_BITS 61
#define PyHASH_MODULUS (((size_t)1 << PyHASH_BITS) - 1)
#define PyHASH_INF 314159
#define PyHASH_MULTIPLIER 1000003UL
#define PyHASH_IMAG PyHASH_MULTIPLIER
#define _PyHASH_BITS PyHASH_BITS
#define _PyHASH_MODULUS PyHASH_MODULUS
#define _PyHASH_INF PyHASH_INF
#define _PyHASH_MULTIPLIER PyHASH_MULTIPLIER
#define _PyHASH_IMAG PyHASH_IMAG

/* Py_HASH_CUTOFF: strings shorter than this would be hashed in another way. */
#define Py_HASH_CUTOFF 0

/* Which function hashes bytes. */
#define Py_HASH_EXTERNAL 0
#define Py_HASH_SIPHASH24 1
#define Py_HASH_FNV 2
#define Py_HASH_SIPHASH13 3
#define Py_HASH_ALGORITHM Py_HASH_SIPHASH13

/* PyHash_FuncDef: the function that hashes bytes, and facts about it. */
typedef struct {
    Py_hash_t (*const hash)(const void *ptr, Py_ssize_t size);
    const char *name;
    const int hash_bits;
    const int seed_bits;
} PyHash_FuncDef;

/* PyHash_GetFuncDef: the function in use; never NULL. */
PyAPI_FUNC(PyHash_FuncDef *) PyHash_GetFuncDef(void);

/* Py_HashBuffer: the hash of len bytes, the same as of a bytes object that
   has them.  Never -1; 0 for none.  It depends on a secret that each process
   has its own of, unless the environment has PYBOEHM_HASHSEED=NUMBER; without
   random numbers for one, and where that is no number, it ends the process. */
PyAPI_FUNC(Py_hash_t) Py_HashBuffer(const void *ptr, Py_ssize_t len);
#define _Py_HashBytes(ptr, len) Py_HashBuffer((ptr), (len))

/* Py_HashPointer: the hash of an address.  Never -1. */
PyAPI_FUNC(Py_hash_t) Py_HashPointer(const void *ptr);
#define _Py_HashPointer(ptr) Py_HashPointer(ptr)

/* _Py_HashDouble: the hash of a float; inst, whose value it is, gives its
   identity to the hash of a NaN.  Never -1. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(Py_hash_t) _Py_HashDouble(PyObject *inst, double value);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_HASH_H */
