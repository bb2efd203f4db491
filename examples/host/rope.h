/* rope.h: strings that are put together without being copied, as Boehm's
   cords are. */

#ifndef ROPE_H
#define ROPE_H

#include <stddef.h>

/* NULL is the empty rope.  Ropes never change. */
struct rope;

/* rope_text: a rope of a copy of the text. */
const struct rope *rope_text(const char *text, size_t length);

/* rope_join: one after the other. */
const struct rope *rope_join(const struct rope *a, const struct rope *b);

size_t rope_length(const struct rope *rope);

/* rope_each: hands the pieces to visit, in their order. */
void rope_each(const struct rope *rope,
               void (*visit)(const char *text, size_t length, void *arg),
               void *arg);

#endif /* ROPE_H */
