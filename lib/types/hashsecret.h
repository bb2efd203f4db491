/* hashsecret.h: the secret that hashes of str and bytes depend on.

   Whoever knows how strings hash can choose many that hash alike, and fill a
   dictionary with them in quadratic time.  So each process has its own secret,
   which is 16 random bytes of the system's.  With PYBOEHM_HASHSEED=N it is
   made from the number N as CPython makes it from PYTHONHASHSEED=N, and 0
   stands for none: for tests, and for programs that have to do the same in
   each run. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_HASHSECRET_H
#define PYB_TYPES_HASHSECRET_H

#include "Python.h"

struct pyb_hashsecret {
    uint64_t k0, k1;
};

/* What pyb_hashsecret_get returns, and whether it has been made. */
extern struct pyb_hashsecret pyb_hashsecret_made;
extern int pyb_hashsecret_is_made;

/* pyb_hashsecret_make: makes the secret, once; without random numbers, and
   with a PYBOEHM_HASHSEED that is none, it ends the process.  Any thread. */
void pyb_hashsecret_make(void);

/* pyb_hashsecret_get: the secret, which stays the same as long as the process
   lives. */
static inline const struct pyb_hashsecret *
pyb_hashsecret_get(void)
{
    if (_PyB_UNLIKELY(
            !__atomic_load_n(&pyb_hashsecret_is_made, __ATOMIC_ACQUIRE)))
        pyb_hashsecret_make();
    return &pyb_hashsecret_made;
}

#endif /* PYB_TYPES_HASHSECRET_H */
