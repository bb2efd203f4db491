/* place.h: prints a place in memory that has an object's address. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_WHY_PLACE_H
#define PYB_WATCH_WHY_PLACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "object.h"

enum pyb_place_kind {
    PYB_PLACE_DATA,   /* variables of the program or a library */
    PYB_PLACE_HOST,   /* a block of the host's in Boehm's heap */
    PYB_PLACE_OBJECT, /* a container that does not visit the object, or an
                         object of the program's that is no container */
    PYB_PLACE_MALLOC, /* a block of malloc's */
    PYB_PLACE_STACK,  /* of a thread */
    PYB_PLACE_OTHER
};

struct pyb_place {
    enum pyb_place_kind kind;
    uintptr_t address;
    size_t target;       /* the number of the object in the request */
    PyObject *owner;     /* for OBJECT; for MALLOC, may be NULL; borrowed */
    int visited;         /* for MALLOC: the owner visits the object, but less
                            often than it has the address */
    size_t offset, size; /* for HOST, MALLOC and OBJECT: offset in the block,
                            and the block's size */
    long thread;         /* for STACK; 0: the calling thread */
};

/* pyb_place_print: prints address and kind, "0x7ffe10 on the stack of this
   thread", without a newline. */
void pyb_place_print(const struct pyb_place *place, FILE *file);

#endif /* PYB_WATCH_WHY_PLACE_H */
