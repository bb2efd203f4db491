/* tally.h: what types have been seen to do, each with a number.

   A slot's doings are entered for the type that the slot comes from: those of
   instances of subclasses count for the base that has the function.  A tally
   lives as long as its type, and as whoever has said that he uses it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_TALLY_H
#define PYB_WATCH_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "gc/watching.h"

enum { PYB_SLOTS = PYB_SLOT_CLEAR + 1 };

/* What is wrong with a slot. */
enum pyb_fault {
    PYB_FAULT_FREES_TRACKED,
    PYB_FAULT_COLLECTS_TRACKED,
    PYB_FAULT_LEAVES_TRACKED,
    PYB_FAULT_FREES_TWICE,
    PYB_FAULT_FREES_PLAINLY,
    PYB_FAULT_FREES_OWNED,
    PYB_FAULT_LEAKS,
    PYB_FAULT_DEALLOC_RAISES,
    PYB_FAULT_DEALLOC_LOSES,
    PYB_FAULT_FINALIZE_RAISES,
    PYB_FAULT_FINALIZE_LOSES,
    PYB_FAULT_FINALIZE_FREES,
    PYB_FAULT_FINALIZE_GIVES,
    PYB_FAULT_REVIVES,
    PYB_FAULT_CLEAR_RAISES,
    PYB_FAULT_CLEAR_LOSES,
    PYB_FAULT_CLEAR_FREES,
    PYB_FAULT_CLEAR_GIVES,
    PYB_FAULT_CLEAR_KEEPS,
    PYB_FAULTS
};

struct pyb_tally {
    struct pyb_tally *link;
    struct pyb_tally **bucket; /* whose list it is on */
    uintptr_t hidden; /* the complement of the type's address, which an
                         audit that reads memory must not find here; 0: it
                         is gone */
    size_t users;
    const void *slots[PYB_SLOTS];
    const void *maker;         /* where objects are made, or near it */
    size_t calls[PYB_SLOTS];   /* of each slot */
    size_t faults[PYB_FAULTS]; /* so many calls showed it */
    size_t finalized;          /* instances when nobody could reach them */
    size_t revived;            /* of these, while they are counted */
    int stuck;                 /* some stay alive for another reason */
    /* Of this very type. */
    size_t unfreed;       /* that tp_dealloc has not freed */
    size_t unused;        /* of these, while they are counted */
    size_t made_since;    /* while there were such ones */
    size_t made;          /* by PyObject_GC_New */
    size_t early;         /* tracked before they were set */
    size_t tried;         /* whether they are */
    uint64_t early_words; /* that tp_traverse read too early */
    char *early_fields;   /* their names, of the first one; or NULL */
    char name[];
};

/* pyb_tally_of: the type's own; NULL if there is no memory. */
struct pyb_tally *pyb_tally_of(PyTypeObject *type);

/* pyb_tally_find: the same of any address; NULL of what has none. */
struct pyb_tally *pyb_tally_find(const PyTypeObject *type);

/* pyb_tally_of_slot: that of the type from which this one has the slot. */
struct pyb_tally *pyb_tally_of_slot(PyTypeObject *type, enum pyb_slot slot);

/* pyb_tally_each: calls each() for all of them. */
void pyb_tally_each(void (*each)(struct pyb_tally *tally));

/* pyb_tally_forget: the type ends; another one may get its address. */
void pyb_tally_forget(const PyTypeObject *type);

/* pyb_tally_use: a tally, or NULL, is used from now on; returns it.
   pyb_tally_leave: no longer. */
struct pyb_tally *pyb_tally_use(struct pyb_tally *tally);
void pyb_tally_leave(struct pyb_tally *tally);

/* pyb_tally_fault: a call has shown the fault, which is noticed. */
void pyb_tally_fault(struct pyb_tally *tally, enum pyb_fault fault);

/* pyb_tally_note: notices that of so many of the calls, whatever was counted
   before. */
void pyb_tally_note(const struct pyb_tally *tally, enum pyb_fault fault,
                    size_t n, size_t of);

void pyb_tally_end(void);

#endif /* PYB_WATCH_TALLY_H */
