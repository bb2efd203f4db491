/* program.c: programs for two heaps; see program.h. */

#include "program.h"

#include "model.h"

/* ------------------------------------------------------------------ */
/* Text                                                                */

static const char *const habits[N_HABITS] = {
    "looks",        "counts itself",      "roots itself", "counts edge 0",
    "roots edge 0", "links back",         "drops edge 0", "unroots",
    "disowns",      "lets Boehm collect",
};

static const char *const collections[N_COLLECTIONS] = {
    "GC_gcollect()",
    "PyBoehm_GC_Collect(0)",
    "PyBoehm_GC_Collect(1)",
    "PyBoehm_GC_Collect(2)",
    "PyGC_Collect()",
    "PyBoehm_GC_CollectAll()",
    "automatic collections on",
    "automatic collections off",
    "finalizers on demand",
    "GC_invoke_finalizers()",
};

static void
print_object(FILE *out, struct insn insn)
{
    static const char *const kinds[N_OBJECTS] = {
        "node",
        "node (malloc)",
        "node (GC_MALLOC)",
        "node (managed dict)",
        "list",
        "dict",
        "tuple",
        "cell",
    };

    fprintf(out, "new %s, %s", kinds[insn.a % N_OBJECTS],
            insn.c & 1 ? "adopted, in a root" : "counted");
    if (insn.a % N_OBJECTS < N_NODES)
        fprintf(out, "; finalizer %s", habits[insn.b % N_HABITS]);
}

static void
print_block(FILE *out, struct insn insn)
{
    static const char *const finalizers[N_PENDING] = {
        "no finalizer", "unordered finalizer", "ordered finalizer"};

    fprintf(out, "new block, root %d, %s", insn.c % ROOTS,
            finalizers[insn.a % N_PENDING]);
    if (insn.a % N_PENDING != PENDING_NOT)
        fprintf(out, " %s", habits[insn.b % N_HABITS]);
}

/* Which operands an instruction has is what its text says: A and B are numbers
   among what it chooses from, E is an edge, R a root. */
static const char *const texts[N_OPS] = {
    [OP_LINK] = "object A [E] = object B",
    [OP_UNLINK] = "object A [E] = none",
    [OP_BODY] = "body of A = block B",
    [OP_BARE] = "body of A = none",
    [OP_SLOT] = "block A [E] = B",
    [OP_EMPTY] = "block A [E] = none",
    [OP_ROOT] = "root R = B",
    [OP_UNROOT] = "root R = none",
    [OP_COUNT] = "count A",
    [OP_DROP] = "drop A",
    [OP_ADOPT] = "adopt A",
    [OP_DISOWN] = "disown A",
    [OP_WEAKREF] = "weak reference to A",
    [OP_DEREF] = "count what weak reference A refers to",
    [OP_TOGGLE] = "toggle reference to A",
    [OP_OWN] = "block A owns B",
};

static void
print_text(FILE *out, struct insn insn, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == 'A' || *text == 'B')
            fprintf(out, "#%d", *text == 'A' ? insn.a : insn.b);
        else if (*text == 'E' || *text == 'R')
            fprintf(out, "%d", insn.c % (*text == 'E' ? EDGES : ROOTS));
        else
            fputc(*text, out);
}

void
program_print(FILE *out, struct insn insn)
{
    if (insn.op == OP_OBJECT)
        print_object(out, insn);
    else if (insn.op == OP_BLOCK)
        print_block(out, insn);
    else if (insn.op == OP_COLLECT)
        fputs(collections[insn.a % N_COLLECTIONS], out);
    else
        print_text(out, insn, texts[insn.op]);
    if (insn.op == OP_WEAKREF && (insn.b & 1))
        fputs(" with a callback", out);
    if (insn.op == OP_TOGGLE)
        fputs(insn.b & 1 ? ", strong" : ", weak", out);
    if (insn.op == OP_DEREF && (insn.b & 2))
        fputs(", no, what a walk gives out", out);
    else if (insn.op == OP_DEREF && (insn.b & 4))
        fputs(", no, what a long link gives", out);
}

/* ------------------------------------------------------------------ */
/* By chance                                                           */

/* How often each instruction is chosen, of all that are. */
static const uint8_t weights[N_OPS] = {
    [OP_OBJECT] = 34, [OP_BLOCK] = 18, [OP_LINK] = 34,   [OP_UNLINK] = 6,
    [OP_BODY] = 16,   [OP_BARE] = 3,   [OP_SLOT] = 26,   [OP_EMPTY] = 4,
    [OP_ROOT] = 10,   [OP_UNROOT] = 8, [OP_COUNT] = 4,   [OP_DROP] = 14,
    [OP_ADOPT] = 18,  [OP_DISOWN] = 4, [OP_WEAKREF] = 6, [OP_DEREF] = 3,
    [OP_TOGGLE] = 6,  [OP_OWN] = 8,
};

const struct program_language program_language = {"heaps", N_OPS, weights};

/* What all objects and blocks of a program have in common, so that programs
   differ more than their instructions would. */
struct profile {
    int kind, habit, pending; /* -1: any */
};

static struct profile
random_profile(uint64_t *chance)
{
    struct profile profile = {-1, -1, -1};
    uint32_t r = program_number(chance);

    if (r % 4 == 0)
        profile.kind = (int)((r >> 2) % N_OBJECTS);
    if ((r >> 8) % 2 == 0)
        profile.habit = (int)((r >> 9) % N_HABITS);
    if ((r >> 16) % 2 == 0)
        profile.pending = (int)((r >> 17) % N_PENDING);
    return profile;
}

static struct insn
random_insn(uint64_t *chance, const struct profile *profile)
{
    struct insn insn = program_insn(chance);

    if (insn.op == OP_OBJECT && profile->kind >= 0)
        insn.a = (uint8_t)profile->kind;
    if (insn.op == OP_BLOCK && profile->pending >= 0)
        insn.a = (uint8_t)profile->pending;
    if ((insn.op == OP_OBJECT || insn.op == OP_BLOCK) && profile->habit >= 0)
        insn.b = (uint8_t)profile->habit;
    return insn;
}

/* Rounds: a few instructions, then a collection. */
size_t
program_random(uint64_t seed, uint8_t *bytes, size_t room)
{
    uint64_t chance = program_chance(seed);
    uint64_t shared = program_chance(~(seed / PROGRAM_BATCH));
    struct profile profile = random_profile(&chance);
    uint32_t rounds = 4 + program_number(&shared) % 4;
    size_t n = 0;

    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t insns = 2 + program_number(&chance) % 8;

        insns += round == 0 ? 14 : 0;
        while (insns-- > 0 && n + 2 * PROGRAM_INSN_BYTES <= room)
            n += program_encode(random_insn(&chance, &profile), bytes + n);
        uint8_t kind = (uint8_t)(program_number(&shared) % N_COLLECTIONS);
        n += program_encode((struct insn){OP_COLLECT, kind, 0, 0}, bytes + n);
    }
    return n;
}
