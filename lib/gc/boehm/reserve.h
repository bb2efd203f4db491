/* reserve.h: what a query needs, taken while there is memory. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BOEHM_RESERVE_H
#define PYB_GC_BOEHM_RESERVE_H

#include "gc/boehm/private.h"

/* The token, the same one for all queries; and that of a final query, with its
   finalizer. */
enum pyb_reserved { PYB_RESERVED_TOKEN, PYB_RESERVED_FINAL, PYB_RESERVES };

/* pyb_reserve_has: a look, without Boehm's lock.
   pyb_reserve_take: takes it out; NULL if there is none.
   pyb_reserve_keep: puts a block in, or NULL.  Until then it is on this
   thread's stack, where Boehm sees it, should another thread collect. */
int pyb_reserve_has(enum pyb_reserved which);
void *pyb_reserve_take(enum pyb_reserved which);
void pyb_reserve_keep(enum pyb_reserved which, void *block);

/* In Boehm's hooks, with its lock.  pyb_reserve_return_final: puts one in that
   was not used, unless there is another one.
   pyb_reserve_mark: at the end of a mark; the token is marked by Boehm as long
   as it is a toggle reference.
   pyb_reserve_collection_ended: a collection of which we saw that end. */
void pyb_reserve_return_final(void *final);
void pyb_reserve_mark(int token_too);
void pyb_reserve_collection_ended(void);

/* pyb_reserve_cancel_final: it has no finalizer any more. */
void pyb_reserve_cancel_final(void *final);

#endif /* PYB_GC_BOEHM_RESERVE_H */
