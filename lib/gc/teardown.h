/* teardown.h: the end of a condemned set, in CPython's order.
   internals: five-steps */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_TEARDOWN_H
#define PYB_GC_TEARDOWN_H

#include "gc/condemned.h"

/* pyb_teardown: runs callbacks, finalizers and tp_clear over the set.  Members
   that turn out to live are rescued.  Counts in the set how many were dead:
   those cleared and those that cannot be. */
void pyb_teardown(struct pyb_set *set);

/* pyb_teardown_clear: of a set that pyb_teardown has left uncleared: calls
   tp_clear for so many members more.  Between two calls the program runs: what
   is left is garbage, and stays so. */
void pyb_teardown_clear(struct pyb_set *set, struct pyb_iter *rest, int n);

/* pyb_teardown_where: describes the code that was being called.
   pyb_teardown_abandon: it will not return: what the call owned, or NULL; the
   caller's from now on. */
void pyb_teardown_where(char *text, size_t size);
PyObject *pyb_teardown_abandon(void);

#endif /* PYB_GC_TEARDOWN_H */
