/* driver.h: what the driver of each world does: it runs programs, and compares
   what comes of them with the model. */

#ifndef T_RANDOM_DRIVER_H
#define T_RANDOM_DRIVER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct driver_result {
    int failed;
    unsigned long steps;    /* instructions that did something */
    unsigned long compared; /* of these, those in the transcript */
    uint64_t digest;        /* of the transcript */
};

/* driver_start: starts the library; call it once, before all else. */
void driver_start(void);

/* driver_run: runs a program of n bytes in a new world.  What goes wrong is
   said on standard error; the process can run no other program then.  With
   transcript, it goes there as text. */
struct driver_result driver_run(const uint8_t *bytes, size_t n,
                                FILE *transcript);

#endif /* T_RANDOM_DRIVER_H */
