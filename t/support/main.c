/* main.c: the main of a test program that has none of its own. */

#include "suite.h"

int
main(int Py_UNUSED(argc), char **argv)
{
    return suite_run(argv[0]);
}
