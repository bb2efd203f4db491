/* gcsnapshot.h: full collections beside the program.
   internals: snapshots

   Garbage stays garbage.  So a child process, which has all memory as it was
   at one moment, can look for the dead while the program runs on: it does
   steps 1 and 2 of a full collection, and hands back which objects it has
   found dead (found.h).  What has happened meanwhile, a weak reference that
   was asked or a block that was used again, is found out by counting just
   those once more.

   The child calls tp_traverse and nothing else of the program's.  It has no
   file, gets no signal, sends none when it ends, and ends when the thread that
   made it does.  Whatever is in its way (no clone, no memory, a limit, a
   signal that kills it) costs a collection in place. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_GCSNAPSHOT_H
#define PYB_GC_GCSNAPSHOT_H

#include "gc/condemned.h"

enum pyb_gcsnapshot {
    PYB_GCSNAPSHOT_NONE,
    PYB_GCSNAPSHOT_OUT,   /* the child is at work */
    PYB_GCSNAPSHOT_READY, /* it is done */
    PYB_GCSNAPSHOT_FAILED /* it has ended before that */
};

/* pyb_gcsnapshot_init: reads PYBOEHM_SNAPSHOTS. */
void pyb_gcsnapshot_init(void);

/* pyb_gcsnapshot_wanted: should a full collection of so many objects be one?
 */
int pyb_gcsnapshot_wanted(size_t objects);

/* pyb_gcsnapshot_begin: in a collection: makes the child.  0, or -1 if that
   cannot be; then there is none. */
int pyb_gcsnapshot_begin(void);

/* pyb_gcsnapshot_look: what has become of it; one that has failed is told of
   once. */
enum pyb_gcsnapshot pyb_gcsnapshot_look(void);

/* pyb_gcsnapshot_take: of one that is ready: condemns what it has found dead,
   as far as that is still a candidate: the current set, which is to be counted
   again.  *candidates becomes the number of objects that it has looked at. */
struct pyb_set pyb_gcsnapshot_take(size_t *candidates);

/* pyb_gcsnapshot_next_group: members of the set that waits, found by the
   snapshot that was taken last, which may be torn down by themselves: the
   current set, to be counted again, or an empty one.  The array is that of
   pyb_found_next_group.
   pyb_gcsnapshot_forget_groups: they will not be. */
struct pyb_set pyb_gcsnapshot_next_group(struct pyb_line **lines);
void pyb_gcsnapshot_forget_groups(void);

/* pyb_gcsnapshot_drop: ends the child, and forgets what it has found. */
void pyb_gcsnapshot_drop(void);

#endif /* PYB_GC_GCSNAPSHOT_H */
