/* bytecode.h: programs made by chance, as rows of bytes.

   A program is a row of instructions of four bytes: what to do, and three
   operands.  Every row of bytes is a program: numbers are taken modulo what
   there is, and bytes that are missing are 0.  So a program can be made by
   chance, by a fuzzer, or by leaving out parts of another.

   What the instructions are is said in the program.h of each world. */

#ifndef T_RANDOM_BYTECODE_H
#define T_RANDOM_BYTECODE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    PROGRAM_INSN_BYTES = 4,
    PROGRAM_LONGEST = 4096, /* instructions that are looked at */
    PROGRAM_ROOM = PROGRAM_LONGEST * PROGRAM_INSN_BYTES
};

struct insn {
    uint8_t op, a, b, c;
};

/* program_length: how many instructions n bytes are. */
size_t program_length(size_t n);

/* program_decode: the instruction at place i of n bytes.  program_encode:
   writes one there; returns how many bytes that takes. */
struct insn program_decode(const uint8_t *bytes, size_t n, size_t i);
size_t program_encode(struct insn insn, uint8_t *bytes);

/* program_chance: where a row of numbers begins that a seed makes.
   program_number: the next one.  program_insn: an instruction by chance. */
uint64_t program_chance(uint64_t seed);
uint32_t program_number(uint64_t *chance);
struct insn program_insn(uint64_t *chance);

/* ------------------------------------------------------------------ */
/* Of each world                                                       */

extern const struct program_language {
    const char *name; /* of the command that runs its programs */
    int n_ops;
    const uint8_t *weights; /* how often each of them is chosen, of all */
} program_language;

/* program_print: an instruction as a line of text, without its end. */
void program_print(FILE *out, struct insn insn);

/* program_random: the program of a seed; up to room bytes.  Returns how
   many. */
size_t program_random(uint64_t seed, uint8_t *bytes, size_t room);

#endif /* T_RANDOM_BYTECODE_H */
