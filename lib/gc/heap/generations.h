/* generations.h: how old objects are, and how they grow old.
   internals: not-required (a write barrier) */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_HEAP_GENERATIONS_H
#define PYB_GC_HEAP_GENERATIONS_H

#include "gc/heap/sidetable.h"

/* pyb_generations_promote: after a collection: what it has looked at and not
   condemned moves on to the next generation, or stays in the last.  The lines
   of a young set stay on the list of recent ones. */
void pyb_generations_promote(enum pyb_generation oldest);

/* pyb_generations_prune_recent: takes lines without young and middle objects
   off the list of recent ones. */
void pyb_generations_prune_recent(void);

/* pyb_generations_of: the generation of a tracked object. */
enum pyb_generation pyb_generations_of(const PyObject *op);

/* pyb_generations_count: how many objects each has, PYB_FROZEN last; the
   condemned ones are in none. */
void pyb_generations_count(size_t counts[PYB_GENERATIONS + 1]);

/* pyb_generations_freeze: takes all tracked objects from the collector's view;
   pyb_generations_unfreeze: puts the frozen ones into the last generation. */
void pyb_generations_freeze(void);
void pyb_generations_unfreeze(void);

#endif /* PYB_GC_HEAP_GENERATIONS_H */
