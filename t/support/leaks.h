/* leaks.h: what PYBOEHM_LEAKS says, for tests that look at it. */

#ifndef T_LEAKS_H
#define T_LEAKS_H

/* leaks_mask: puts something else for addresses, and for the numbers of bytes
   of types, which are more with checks. */
void leaks_mask(char *text);

/* leaks_said: what is said of a program that does this, masked; the caller
   frees it. */
char *leaks_said(const char *wish, void (*program)(void));

/* leaks_say: where PYBOEHM_LEAKS is 1, this is a part of it. */
void leaks_say(void (*program)(void), const char *part);

#endif /* T_LEAKS_H */
