/* slotreader.h: reading arrays of slots. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_SLOT_SLOTREADER_H
#define PYB_OBJECT_SLOT_SLOTREADER_H

#include "Python.h"

/* The owners of slots; bits. */
enum { PYB_SLOTS_OF_TYPE = 1, PYB_SLOTS_OF_MODULE = 2 };

/* The type of an array's elements. */
enum pyb_slotreader_layout {
    PYB_SLOTS_PLAIN, /* PySlot */
    PYB_SLOTS_TYPE,  /* PyType_Slot */
    PYB_SLOTS_MODULE /* PyModuleDef_Slot */
};

enum { PYB_SLOTREADER_DEPTH = 5, PYB_SLOT_COUNT = 111 };

/* A place in an array that is being read. */
struct pyb_slotreader_level {
    enum pyb_slotreader_layout layout;
    union {
        const PySlot *plain;
        const PyType_Slot *type;
        const PyModuleDef_Slot *module;
    };
};

/* levels[depth] is the place being read; seen marks the numbers read so far;
   slot is the result. */
struct pyb_slotreader {
    struct pyb_slotreader_level levels[PYB_SLOTREADER_DEPTH];
    int depth;
    int owner;
    const char *name; /* the owner's, for messages; NULL: not known yet */
    PySlot slot;
    unsigned char seen[PYB_SLOT_COUNT];
};

/* pyb_slotreader_begin: starts to read an array for such an owner; NULL is an
   empty array. */
void pyb_slotreader_begin(struct pyb_slotreader *reader, const void *array,
                          enum pyb_slotreader_layout layout, int owner);

/* pyb_slotreader_next: puts the next slot that the owner knows into
   reader->slot: numbered as in the headers, with the value in the member of
   the union that belongs to the number; nested arrays are entered.  1, 0 at
   the end, -1 with an exception. */
int pyb_slotreader_next(struct pyb_slotreader *reader);

/* The properties of a slot number. */
enum pyb_slot_content {
    PYB_SLOT_POINTER,
    PYB_SLOT_FUNCTION,
    PYB_SLOT_SIZE,
    PYB_SLOT_NUMBER,
    PYB_SLOT_ARRAY /* of more slots */
};
enum pyb_slot_rule { PYB_SLOT_REFUSE, PYB_SLOT_WARN, PYB_SLOT_ALLOW };

struct pyb_slotinfo {
    const char *name; /* NULL: no such slot */
    unsigned char owners, content;
    unsigned char null, twice; /* rules for NULL and for a second one */
    unsigned char must_be_static;
};

extern const struct pyb_slotinfo pyb_slotinfo[PYB_SLOT_COUNT];

#endif /* PYB_OBJECT_SLOT_SLOTREADER_H */
