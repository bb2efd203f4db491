/* intern.h: one copy of each word, for as long as it is in use. */

#ifndef INTERN_H
#define INTERN_H

#include <stddef.h>

/* intern: the copy of the text; equal texts have the same.  It lives while
   Boehm sees a pointer to it. */
const char *intern(const char *text, size_t length);

/* intern_count: how many words there are; those no longer in use count until
   Boehm has collected. */
size_t intern_count(void);

#endif /* INTERN_H */
