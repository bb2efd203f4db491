/* adopted.h: adopted objects, many at a time.

   Boehm may take a stale word for a pointer.  So where something must die
   there are MANY of it, in no relation to one another, and nearly all must;
   what must live is counted exactly.  Where one thing hangs on many, its
   address is kept complemented. */

#ifndef T_ADOPTED_H
#define T_ADOPTED_H

#include "node.h"

enum { MANY = 1000, NEARLY = MANY - MANY / 50 };

/* What the host refers to, MANY words: a root of Boehm's. */
extern void **host;

/* adopted_begin: the host has its root, and nothing is collected by itself. */
void adopted_begin(void);

/* collect: a full collection, with the finalizers of hosts that run them on
   demand; nothing is left on the stack before.  Returns what was found. */
Py_ssize_t collect(void);

/* make_many: has make(i) done MANY times in frames that are gone afterwards.
 */
void make_many(void (*make)(int i));

struct node *adopt(struct node *node);

/* For make_many: make_one: adopted, and not referred to.  make_visible: in a
   block that the host refers to.  make_hidden: Boehm sees a list only; what
   that owns in malloc memory leads on, to a block that count_finalizer is the
   finalizer of. */
void make_one(int i);
void make_visible(int i);
void make_hidden(int i);

/* Finalizers of the host's. */
extern long host_finalizers; /* have been called: count_finalizer */
enum { CHAIN = 4 };          /* of them, at most, for one of MANY */
void count_finalizer(void *block, void *data);
void no_finalizer(void *block, void *data);

/* grow_table_of_finalizers: has Boehm's table be as large as it will have to
   be: while it grows, old tables lie about, and a stale word that leads to one
   leads to all that is in it. */
void grow_table_of_finalizers(void);

/* next_is_full: allocates until a collection comes by itself: is it a full
   one? */
int next_is_full(void);

#endif /* T_ADOPTED_H */
