/* rope.c: binary trees of pieces.

   A piece's text stands in memory that Boehm need not scan.  A rope that is
   put together from the left, piece by piece, is a chain of left arms: what
   walks over it recurs into right arms only. */

#include "rope.h"

#include <gc/gc.h>
#include <stdlib.h>
#include <string.h>

struct rope {
    size_t length;
    const char *text; /* NULL: the two arms */
    const struct rope *left, *right;
};

enum { SHORT = 64 };

static const struct rope *
new_rope(struct rope value)
{
    struct rope *rope = GC_MALLOC(sizeof *rope);

    if (rope == NULL)
        abort();
    *rope = value;
    return rope;
}

static char *
new_text(size_t length)
{
    char *text = GC_MALLOC_ATOMIC(length);

    if (text == NULL)
        abort();
    return text;
}

const struct rope *
rope_text(const char *text, size_t length)
{
    if (length == 0)
        return NULL;
    char *copy = memcpy(new_text(length), text, length);
    return new_rope((struct rope){length, copy, NULL, NULL});
}

/* Short pieces are not worth a tree. */
static const struct rope *
melt(const struct rope *a, const struct rope *b)
{
    char *text = new_text(a->length + b->length);

    memcpy(text, a->text, a->length);
    memcpy(text + a->length, b->text, b->length);
    return new_rope(
        (struct rope){a->length + b->length, text, NULL, NULL});
}

const struct rope *
rope_join(const struct rope *a, const struct rope *b)
{
    if (a == NULL || b == NULL)
        return a != NULL ? a : b;
    if (a->text != NULL && b->text != NULL && a->length + b->length <= SHORT)
        return melt(a, b);
    return new_rope((struct rope){a->length + b->length, NULL, a, b});
}

size_t
rope_length(const struct rope *rope)
{
    return rope != NULL ? rope->length : 0;
}

/* A chain of left arms is turned into an array first. */
void
rope_each(const struct rope *rope,
          void (*visit)(const char *text, size_t length, void *arg), void *arg)
{
    size_t depth = 0;

    if (rope == NULL)
        return;
    for (const struct rope *r = rope; r->text == NULL; r = r->left)
        depth++;
    const struct rope **arms = GC_MALLOC((depth + 1) * sizeof *arms);
    if (arms == NULL)
        abort();
    for (size_t i = depth; i > 0; i--, rope = rope->left)
        arms[i] = rope->right;
    visit(rope->text, rope->length, arg);
    for (size_t i = 1; i <= depth; i++)
        rope_each(arms[i], visit, arg);
}
