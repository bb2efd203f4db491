/* fuzz.c: the random world's byte code for libFuzzer: each input is a program,
   and what comes of it must be what the model says. */

#include "../random/driver.h"

#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    driver_start();
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (driver_run(bytes, n, NULL).failed)
        abort();
    return 0;
}
