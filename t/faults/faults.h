/* faults.h: every allocation of a scenario made to fail, one after another.

   The program is linked with the linker's --wrap, so that what the library
   asks the C library and Boehm for goes through faults.c; what they, and the
   test's frame, allocate for themselves does not. */

#ifndef T_FAULTS_H
#define T_FAULTS_H

#include "../support/node.h"
#include "../support/suite.h"

/* A piece of work: 0 if it went well, -1 with an exception.  It leaves nothing
   behind, either way. */
typedef int (*faults_scenario)(void);

enum faults_outcome {
    FAULTS_RAISE,   /* a fault ends in MemoryError */
    FAULTS_TOLERATE /* or does no harm */
};

/* faults_try: runs the scenario again and again with its 1st, 2nd, 3rd ...
   allocation failing, and with all from that one on, until none is left to
   fail; and after each such run without faults.  The test fails if the
   outcome is another one, or if there are more or fewer blocks of the C
   library, or containers, than before. */
void faults_try(faults_scenario scenario, enum faults_outcome outcome);

#define FAULTS_TEST(scenario, outcome)                                        \
    START_TEST(scenario##_survives_faults)                                    \
    {                                                                         \
        faults_try(scenario, outcome);                                        \
    }

/* faults_try_once: the same for what cannot be undone: warm() once, and then
   each run in a child process, followed by one without faults. */
void faults_try_once(faults_scenario scenario, void (*warm)(void));

#define FAULTS_ONCE_TEST(scenario, warm)                                      \
    START_TEST(scenario##_survives_faults)                                    \
    {                                                                         \
        faults_try_once(scenario, warm);                                      \
    }

/* faults_node: like node_new, but NULL with MemoryError if it must be. */
struct node *faults_node(PyTypeObject *type);

/* faults_drop: gives a new reference up; the result of a scenario that was to
   make it. */
int faults_drop(void *op);

/* FAULTS_EXPECT: ck_assert for scenarios: Check itself frees what it did not
   allocate here, which would be counted. */
#define FAULTS_EXPECT(condition)                                              \
    ((condition) ? (void)0 : faults_unexpected(#condition))
void faults_unexpected(const char *condition);

#endif /* T_FAULTS_H */
