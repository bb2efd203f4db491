/* watch_text.h: comparing texts that have addresses. */

#ifndef T_WATCH_TEXT_H
#define T_WATCH_TEXT_H

#include <string.h>

/* Puts "0x#" for all that stands there as an address. */
static inline void
mask_addresses(char *at)
{
    while ((at = strstr(at, "0x")) != NULL) {
        size_t n = strspn(at + 2, "0123456789abcdef");

        at[2] = '#';
        memmove(at + 3, at + 2 + n, strlen(at + 2 + n) + 1);
        at += 3;
    }
}

#endif /* T_WATCH_TEXT_H */
