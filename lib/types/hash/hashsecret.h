/* hashsecret.h: the secret for hashes of str and bytes.

   With known hashes, an attacker could choose many strings that hash alike,
   and make a dictionary take quadratic time.  So each process has its own
   secret of 16 random bytes from the system.  With PYBOEHM_HASHSEED=N it is
   made from the number N as CPython makes it from PYTHONHASHSEED=N, and N = 0
   switches it off: for tests, and for programs that must behave the same in
   each run. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_HASH_HASHSECRET_H
#define PYB_TYPES_HASH_HASHSECRET_H

#include "Python.h"

struct pyb_hashsecret {
    uint64_t k0, k1;
};

/* The result of pyb_hashsecret_get, and whether it has been made. */
extern struct pyb_hashsecret pyb_hashsecret_made;
extern int pyb_hashsecret_is_made;

/* pyb_hashsecret_make: makes the secret, once; ends the process if there are
   no random numbers, or PYBOEHM_HASHSEED is invalid.  Any thread may call
   it. */
void pyb_hashsecret_make(void);

/* pyb_hashsecret_get: the secret, which never changes in a process. */
static inline const struct pyb_hashsecret *
pyb_hashsecret_get(void)
{
    if (_PyB_UNLIKELY(
            !__atomic_load_n(&pyb_hashsecret_is_made, __ATOMIC_ACQUIRE)))
        pyb_hashsecret_make();
    return &pyb_hashsecret_made;
}

#endif /* PYB_TYPES_HASH_HASHSECRET_H */
