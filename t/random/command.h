/* command.h: what the command lines of all worlds have in common. */

#ifndef T_RANDOM_COMMAND_H
#define T_RANDOM_COMMAND_H

#include "bytecode.h"

/* The program at hand. */
struct program {
    uint8_t bytes[PROGRAM_ROOM];
    size_t n;
};
extern struct program program;

/* command_number: that an argument says. */
uint64_t command_number(const char *text);

/* command_seed: takes the program of a seed for the one at hand.
   command_hex: the bytes that text says. */
void command_seed(uint64_t seed);
void command_hex(const char *text);

/* command_again: runs the program at hand in this process; 1 if it fails. */
int command_again(void *unused);

/* command_print: the program at hand. */
void command_print(void);

/* command_shrink: the program at hand, which fails, as short as can be;
   against as in child.h. */
void command_shrink(const char *against);

struct seeds {
    uint64_t first, end;
    void *arg;
};

/* command_run: has run(seeds) run the programs of so many seeds, some thousand
   at a time, in processes of their own; ends with the first that does not
   return 0.  Then the program at hand is that of progress->seed; returns 1. */
int command_run(struct seeds all, int (*run)(void *seeds));

/* command_other: does the commands that all worlds have, beside run:

     print SEED              prints a program
     shrink SEED [OTHER]     prints the shortest program that fails, or that is
                             seen in another way on the other side, whose
                             driver is OTHER

   Returns the exit status. */
int command_other(int argc, char **argv);

#endif /* T_RANDOM_COMMAND_H */
