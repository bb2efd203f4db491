/* numbers.c: numbers for addresses.  See numbers.h. */

#include "Python.h"

#include <stdlib.h>

#include "watch/report/numbers.h"
#include "watch/rows.h"

/* The slot of an address, or the free one where it belongs. */
static uint32_t *
slot_of(const struct pyb_numbers *numbers, uintptr_t hidden)
{
    size_t i =
        ((hidden >> 4) * 0x9e3779b97f4a7c15u >> 20) & (numbers->slots - 1);

    PYB_ASSERT((numbers->slots & (numbers->slots - 1)) == 0);
    PYB_ASSERT(numbers->n < numbers->slots); /* one is free: the search ends */
    while (numbers->table[i] != 0 &&
           numbers->hidden[numbers->table[i] - 1] != hidden)
        i = (i + 1) & (numbers->slots - 1);
    return &numbers->table[i];
}

/* Returns 0, or -1 if there is no memory; then all is as it was. */
static int
grow_table(struct pyb_numbers *numbers)
{
    size_t slots = numbers->slots != 0 ? 2 * numbers->slots : 256;
    uint32_t *table = calloc(slots, sizeof *table);

    if (table == NULL)
        return -1;
    free(numbers->table);
    numbers->table = table;
    numbers->slots = slots;
    for (size_t i = 0; i < numbers->n; i++)
        *slot_of(numbers, numbers->hidden[i]) = (uint32_t)i + 1;
    PYB_EXPENSIVE(pyb_numbers_check(numbers));
    return 0;
}

void
pyb_numbers_check(const struct pyb_numbers *numbers)
{
    size_t n = 0;

    PYB_ALWAYS(numbers->n <= numbers->room && 2 * numbers->n <= numbers->slots,
               NULL, "there are more numbers than room");
    for (size_t i = 0; i < numbers->slots; i++) {
        PYB_ALWAYS(numbers->table[i] <= numbers->n, NULL,
                   "a table has a number that was not given");
        n += numbers->table[i] != 0;
    }
    PYB_ALWAYS(n == numbers->n, NULL,
               "a table has not as many numbers as were given");
    for (size_t i = 0; i < numbers->n; i++)
        PYB_ALWAYS(*slot_of(numbers, numbers->hidden[i]) == i + 1, NULL,
                   "an address has not the number that it was given");
}

ptrdiff_t
pyb_numbers_find(const struct pyb_numbers *numbers, const void *address)
{
    if (numbers->slots == 0)
        return -1;
    return (ptrdiff_t)*slot_of(numbers, ~(uintptr_t)address) - 1;
}

ptrdiff_t
pyb_numbers_of(struct pyb_numbers *numbers, const void *address)
{
    uintptr_t hidden = ~(uintptr_t)address, *grown;
    uint32_t *slot;

    if (numbers->n >= UINT32_MAX - 1 ||
        (2 * numbers->n >= numbers->slots && grow_table(numbers) < 0))
        return -1;
    slot = slot_of(numbers, hidden);
    if (*slot != 0)
        return (ptrdiff_t)*slot - 1;
    grown = pyb_rows_grow(numbers->hidden, numbers->n, &numbers->room,
                          sizeof *grown);
    if (grown == NULL)
        return -1;
    numbers->hidden = grown;
    grown[numbers->n++] = hidden;
    *slot = (uint32_t)numbers->n;
    return (ptrdiff_t)numbers->n - 1;
}

void
pyb_numbers_end(struct pyb_numbers *numbers)
{
    free(numbers->hidden);
    free(numbers->table);
    *numbers = (struct pyb_numbers){0};
}
