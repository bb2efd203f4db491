/* sethash.h: the hash of a set that does not change: of a frozenset, and what
   collections.abc.Set._hash gives, which has to be the same.

       size_t hash = pyb_sethash_begin(n);
       for each element
           hash = pyb_sethash_add(hash, its hash);
       ... = pyb_sethash_end(hash);

   It does not depend on the order.  The steps and their constants are
   CPython's. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_SET_SETHASH_H
#define PYB_TYPES_SET_SETHASH_H

#include "pyport.h"

static inline size_t
pyb_sethash_begin(Py_ssize_t n)
{
    return (size_t)1927868237U * ((size_t)n + 1);
}

static inline size_t
pyb_sethash_add(size_t hash, Py_hash_t of_element)
{
    size_t one = (size_t)of_element;

    return hash ^ (one ^ one << 16 ^ 89869747U) * (size_t)3644798167U;
}

static inline Py_hash_t
pyb_sethash_end(size_t hash)
{
    hash ^= hash >> 11 ^ hash >> 25;
    hash = hash * 69069U + 907133923U;
    return hash == (size_t)-1 ? 590923713 : (Py_hash_t)hash;
}

#endif /* PYB_TYPES_SET_SETHASH_H */
