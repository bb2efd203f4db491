/* numbers.h: numbers for addresses, in the order in which they come.

   The table holds the complements of addresses: a search of all memory for
   owners must not take it for references. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_REPORT_NUMBERS_H
#define PYB_WATCH_REPORT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "gc/base/fatal.h"

struct pyb_numbers {
    size_t n, room;
    uintptr_t *hidden; /* for each number the complement of its address */
    uint32_t *table;   /* numbers, from one; 0: free */
    size_t slots;      /* of the table; a power of two, at least 2 n */
};

/* pyb_numbers_of: the number of an address, counted from zero: a new one if it
   has none.  -1 if there is no memory. */
ptrdiff_t pyb_numbers_of(struct pyb_numbers *numbers, const void *address);

/* pyb_numbers_find: the same; -1 if it has none. */
ptrdiff_t pyb_numbers_find(const struct pyb_numbers *numbers,
                           const void *address);

/* pyb_numbers_address: the address with a number. */
static inline void *
pyb_numbers_address(const struct pyb_numbers *numbers, size_t i)
{
    PYB_ASSERT(i < numbers->n);
    return (void *)~numbers->hidden[i];
}

/* pyb_numbers_check: fatal if an address is not found, or a number is twice in
   the table, see gc/base/fatal.h. */
void pyb_numbers_check(const struct pyb_numbers *numbers);

void pyb_numbers_end(struct pyb_numbers *numbers);

#endif /* PYB_WATCH_REPORT_NUMBERS_H */
