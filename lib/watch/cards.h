/* cards.h: going over all memory that is ours, whatever is in it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_CARDS_H
#define PYB_WATCH_CARDS_H

#include "gc/sidetable.h"

/* pyb_cards_each: calls each() for all cards that may have blocks of ours,
   until one does not return 0; returns that. */
int pyb_cards_each(int (*each)(const struct pyb_card *card, void *arg),
                   void *arg);

#endif /* PYB_WATCH_CARDS_H */
