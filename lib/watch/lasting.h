/* lasting.h: what lives as long as the process: static types and what they
   have, and what is immortal. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LASTING_H
#define PYB_WATCH_LASTING_H

#include "watch/census.h"
#include "watch/plain.h"

struct pyb_lasting {
    const struct pyb_census *census;
    unsigned char *is;      /* of each person: 1 or 0 */
    size_t *queue, n;       /* their numbers */
    struct pyb_plain plain; /* other objects that they have */
};

/* pyb_lasting_take: 0, or -1 with MemoryError. */
int pyb_lasting_take(struct pyb_lasting *lasting,
                     const struct pyb_census *census);
void pyb_lasting_end(struct pyb_lasting *lasting);

#endif /* PYB_WATCH_LASTING_H */
