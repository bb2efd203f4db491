/* own.h: what is pyboehm's own: there in every program that starts the
   library, and of no interest where a program's objects are looked for.

   These are the permanent objects (permanent.h) and what the library's own
   modules refer to, but for sys.modules and exceptions that are kept in sys.
 */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_OWN_H
#define PYB_WATCH_WHY_OWN_H

#include "watch/why/permanent.h"

/* pyb_own_take: finds them.  Returns 0, or -1 with MemoryError.  As for
   permanent.h: own.is says it of containers, own.plain has the others. */
int pyb_own_take(struct pyb_permanent *own, const struct pyb_census *census);

/* pyb_own_end: frees what the first has found. */
static inline void
pyb_own_end(struct pyb_permanent *own)
{
    pyb_permanent_end(own);
}

#endif /* PYB_WATCH_WHY_OWN_H */
