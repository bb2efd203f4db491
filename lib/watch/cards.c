/* cards.c: going over all memory that is ours.  See cards.h. */

#include "Python.h"

#include "watch/cards.h"

static int
each_of_page(const struct pyb_card *cards,
             int (*each)(const struct pyb_card *card, void *arg), void *arg)
{
    int result = 0;

    for (int i = 0; i < PYB_PAGE_CARDS && result == 0; i++)
        result = each(&cards[i], arg);
    return result;
}

int
pyb_cards_each(int (*each)(const struct pyb_card *card, void *arg), void *arg)
{
    const struct pyb_region *region = pyb_sidetable.first;
    int result = 0;

    for (; region != NULL; region = region->next)
        for (size_t page = region->pages_begin;
             page < region->pages_end && result == 0; page++)
            if (region->pages[page] != 0)
                result = each_of_page(&region->cards[page * PYB_PAGE_CARDS],
                                      each, arg);
    return result;
}
