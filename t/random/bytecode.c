/* bytecode.c: programs made by chance, as rows of bytes; see bytecode.h. */

#include "bytecode.h"

#include <string.h>

static uint8_t
byte_at(const uint8_t *bytes, size_t n, size_t i)
{
    return i < n ? bytes[i] : 0;
}

size_t
program_length(size_t n)
{
    size_t length = (n + PROGRAM_INSN_BYTES - 1) / PROGRAM_INSN_BYTES;

    return length < PROGRAM_LONGEST ? length : PROGRAM_LONGEST;
}

struct insn
program_decode(const uint8_t *bytes, size_t n, size_t i)
{
    struct insn insn;

    i *= PROGRAM_INSN_BYTES;
    insn.op = (uint8_t)(byte_at(bytes, n, i) % program_language.n_ops);
    insn.a = byte_at(bytes, n, i + 1);
    insn.b = byte_at(bytes, n, i + 2);
    insn.c = byte_at(bytes, n, i + 3);
    return insn;
}

size_t
program_encode(struct insn insn, uint8_t *bytes)
{
    const uint8_t code[PROGRAM_INSN_BYTES] = {insn.op, insn.a, insn.b, insn.c};

    memcpy(bytes, code, sizeof code);
    return sizeof code;
}

/* ------------------------------------------------------------------ */
/* By chance                                                           */

uint64_t
program_chance(uint64_t seed)
{
    return seed * UINT64_C(0x2545f4914f6cdd1d);
}

/* A generator with a state of 64 bits: Weyl's sequence, mixed. */
uint32_t
program_number(uint64_t *chance)
{
    uint64_t x = *chance += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 29) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(x >> 32);
}

static uint8_t
random_opcode(uint64_t *chance)
{
    const uint8_t *weights = program_language.weights;
    uint32_t sum = 0, left;
    uint8_t op = 0;

    for (int i = 0; i < program_language.n_ops; i++)
        sum += weights[i];
    left = program_number(chance) % sum;
    while (left >= weights[op])
        left -= weights[op++];
    return op;
}

struct insn
program_insn(uint64_t *chance)
{
    uint32_t r = program_number(chance);

    return (struct insn){random_opcode(chance), (uint8_t)r, (uint8_t)(r >> 8),
                         (uint8_t)(r >> 16)};
}
