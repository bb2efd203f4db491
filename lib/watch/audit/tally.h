/* tally.h: what types have been observed to do, as numbers.

   A slot's calls are counted for the type that defines the slot: calls for
   instances of subclasses count for the base that has the function.  A tally
   lives as long as its type, or as long as a caller of pyb_tally_use needs
   it. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_TALLY_H
#define PYB_WATCH_AUDIT_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "gc/base/events.h"

enum { PYB_SLOTS = PYB_SLOT_CLEAR + 1 };

/* The faults of slots. */
enum pyb_fault {
    PYB_FAULT_FREES_TRACKED,
    PYB_FAULT_COLLECTS_TRACKED,
    PYB_FAULT_LEAVES_TRACKED,
    PYB_FAULT_FREES_TWICE,
    PYB_FAULT_FREES_PLAINLY,
    PYB_FAULT_FREES_OWNED,
    PYB_FAULT_FREES_REFERRED,
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
    PYB_FAULTS
};

struct pyb_tally {
    struct pyb_tally *link;
    struct pyb_tally **bucket; /* the list that the tally is on */
    uintptr_t hidden; /* the complement of the type's address, so that an audit
                         that reads memory does not find the address here; 0:
                         the type is gone */
    size_t users;
    const void *slots[PYB_SLOTS];
    const void *maker;         /* the constructor, or a function near it */
    size_t calls[PYB_SLOTS];   /* calls of each slot */
    size_t faults[PYB_FAULTS]; /* the calls that showed each fault */
    size_t finalized;          /* instances that were finalized when they were
                                  unreachable */
    size_t revived; /* of these, those alive now; valid during a count */
    int examined;   /* an audit has found an instance, or a subclass's */
    int stuck;      /* some finalized ones stay alive because
                       tp_clear did not break their cycle */
    /* For instances of exactly this type. */
    size_t unfreed;    /* instances that tp_dealloc has not freed */
    size_t unused;     /* of these, those still there; valid during a count */
    size_t made_since; /* made while there were unfreed ones */
    size_t made;       /* made by PyObject_GC_New */
    size_t early;      /* tracked before their fields were set */
    size_t tried;      /* tried by pyb_unset_tracking */
    uint64_t early_words; /* words that tp_traverse read before they were
                             set */
    char *early_fields;   /* the names of these fields in the first instance;
                             or NULL */
    char name[];
};

/* pyb_tally_of: the type's tally; NULL if there is no memory. */
struct pyb_tally *pyb_tally_of(PyTypeObject *type);

/* pyb_tally_find: the tally of the type at an address; NULL if there is
   none. */
struct pyb_tally *pyb_tally_find(const PyTypeObject *type);

/* pyb_tally_of_slot: the tally of the type that defines the slot of this
   type. */
struct pyb_tally *pyb_tally_of_slot(PyTypeObject *type, enum pyb_slot slot);

/* pyb_tally_each: calls each() for all tallies. */
void pyb_tally_each(void (*each)(struct pyb_tally *tally));

/* pyb_tally_forget: the type is freed; another one may get its address. */
void pyb_tally_forget(const PyTypeObject *type);

/* pyb_tally_use: marks a tally, which may be NULL, as in use; returns it.
   pyb_tally_leave: ends the use. */
struct pyb_tally *pyb_tally_use(struct pyb_tally *tally);
void pyb_tally_leave(struct pyb_tally *tally);

/* pyb_tally_culprit: the function to be mended where a slot's call is at
   fault; NULL for pyboehm's own types, whose functions are right. */
const void *pyb_tally_culprit(const struct pyb_tally *tally,
                              enum pyb_slot slot);

/* pyb_tally_fault: notices that a call has shown the fault. */
void pyb_tally_fault(struct pyb_tally *tally, enum pyb_fault fault);

/* pyb_tally_note: notices that n of a number of calls have shown the fault,
   whatever was counted before. */
void pyb_tally_note(const struct pyb_tally *tally, enum pyb_fault fault,
                    size_t n, size_t of);

/* pyb_tally_check: fatal if a tally is not found where its type's is looked
   for, or of no use to anyone, see gc/base/fatal.h. */
void pyb_tally_check(void);

/* pyb_tally_end: forgets all counts. */
void pyb_tally_end(void);

#endif /* PYB_WATCH_AUDIT_TALLY_H */
