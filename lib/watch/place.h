/* place.h: a place in memory that has an object's address, in words. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_PLACE_H
#define PYB_WATCH_PLACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "object.h"

enum pyb_place_kind {
    PYB_PLACE_DATA,   /* variables of the program or a library */
    PYB_PLACE_HOST,   /* a block of Boehm's heap that is the host's */
    PYB_PLACE_OBJECT, /* a container that does not visit it */
    PYB_PLACE_MALLOC, /* a block of malloc's */
    PYB_PLACE_STACK,  /* of a thread */
    PYB_PLACE_OTHER
};

struct pyb_place {
    enum pyb_place_kind kind;
    uintptr_t address;
    size_t target;       /* which of the objects that were asked about */
    PyObject *owner;     /* of OBJECT; of MALLOC, or NULL; borrowed */
    size_t offset, size; /* of HOST, MALLOC and OBJECT: in which block */
    long thread;         /* of STACK; 0: the one that asks */
};

/* pyb_place_print: "0x7ffe10 on the stack of this thread". */
void pyb_place_print(const struct pyb_place *place, FILE *file);

#endif /* PYB_WATCH_PLACE_H */
