/* program.c: the instructions of the random world; see program.h. */

#include "program.h"

/* Most nodes have tp_clear; few have tp_del, which is not inherited. */
struct traits
program_traits(struct insn insn)
{
    struct traits traits;

    traits.form = (enum form)((insn.b & 3) % N_FORMS);
    traits.final = insn.b >> 2 & 1;
    traits.weak = insn.b >> 3 & 1;
    traits.dict = insn.b >> 4 & 1;
    traits.variable = insn.b >> 5 & 1;
    traits.clear = (insn.b >> 6 & 3) != 3;
    traits.legacy = insn.c >= 250 && traits.form != FORM_SUB;
    return traits;
}

struct habits
program_habits(struct insn insn)
{
    struct habits habits;

    habits.final = (enum habit)(insn.c % N_FINAL_HABITS);
    habits.call = (enum habit)(insn.c / N_FINAL_HABITS % N_CALL_HABITS);
    habits.clear_raises = insn.c / (N_FINAL_HABITS * N_CALL_HABITS) % 4 == 3;
    /* A subtype's deallocation tracks the object around its finalizer, so it
       must not come to be untracked; and the age of one that it resurrects
       depends on what called the finalizer. */
    if ((insn.b & 3) == FORM_SUB &&
        (habits.final == HABIT_UNTRACK || habits.final == HABIT_SAVE))
        habits.final = HABIT_NONE;
    return habits;
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

static const char *const habit_texts[] = {
    "nothing more", "raises",          "saves itself",
    "saves edge 0", "drops edge 0",    "doubles edge 0",
    "makes a list", "untracks itself", "peeks at edge 0",
};

static void
print_node(FILE *out, struct insn insn)
{
    static const char *const forms[] = {"static", "heap", "subtype"};
    struct traits traits = program_traits(insn);
    struct habits habits = program_habits(insn);

    fprintf(out, "v%d = node: %s%s%s%s%s", insn.a % WORLD_VARS,
            forms[traits.form], traits.clear ? "" : ", no tp_clear",
            traits.weak ? ", weak" : "", traits.dict ? ", dict" : "",
            traits.variable ? ", items" : "");
    if (traits.clear && habits.clear_raises)
        fputs(", tp_clear raises", out);
    if (traits.legacy)
        fputs(", tp_del", out);
    if (traits.final)
        fprintf(out, ", tp_finalize: %s", habit_texts[habits.final]);
    fprintf(out, ", call: %s", habit_texts[habits.call]);
}

static void
print_container(FILE *out, struct insn insn, const char *name)
{
    fprintf(out, "v%d = %s:", insn.a % WORLD_VARS, name);
    for (int i = 0; i < WORLD_FIELDS; i++)
        if (insn.b >> i & 1)
            fprintf(out, " [%d] v%d", i, (insn.c + i) % WORLD_VARS);
}

static void
print_weakref(FILE *out, struct insn insn)
{
    fprintf(out, "v%d = weakref(v%d", insn.c % WORLD_VARS,
            insn.a % WORLD_VARS);
    if (insn.b & 1)
        fprintf(out, ", callback v%d", (insn.b >> 1) % WORLD_VARS);
    fputc(')', out);
}

void
program_print(FILE *out, struct insn insn)
{
    int a = insn.a % WORLD_VARS, b = insn.b % WORLD_VARS;
    int c = insn.c % WORLD_VARS;

    switch ((enum opcode)insn.op) {
    case OP_NODE:
        print_node(out, insn);
        break;
    case OP_LIST:
        print_container(out, insn, "list");
        break;
    case OP_TUPLE:
        print_container(out, insn, "tuple");
        break;
    case OP_DICT:
        print_container(out, insn, "dict");
        break;
    case OP_WEAKREF:
        print_weakref(out, insn);
        break;
    case OP_SET:
        fprintf(out, "v%d[%d] = v%d", a, b, c);
        break;
    case OP_UNSET:
        fprintf(out, "v%d[%d] = none", a, b);
        break;
    case OP_ATTR:
        fprintf(out, "v%d.a%d = v%d", a, insn.b % WORLD_FIELDS, c);
        break;
    case OP_LOAD:
        fprintf(out, "v%d = v%d[%d]", a, b, c);
        break;
    case OP_DEREF:
        fprintf(out, "v%d = v%d()", a, b);
        break;
    case OP_COPY:
        fprintf(out, "v%d = v%d", a, b);
        break;
    case OP_DROP:
        fprintf(out, "v%d = none", a);
        break;
    case OP_RING:
        fprintf(out, "ring v%d v%d at %d", a, b, c);
        break;
    case OP_TRACK:
        fprintf(out, "track v%d", a);
        break;
    case OP_UNTRACK:
        fprintf(out, "untrack v%d", a);
        break;
    case OP_RESIZE:
        fprintf(out, "resize v%d to %d", a, insn.b % (WORLD_ITEMS + 1));
        break;
    case OP_COLLECT:
        fprintf(out, "collect %d%s", insn.a % 3,
                insn.a % 3 == 2 && (insn.b & 1) ? ", PyGC_Collect" : "");
        break;
    case OP_DISABLED:
        fputs("collect while disabled", out);
        break;
    case OP_FREEZE:
        fputs("freeze", out);
        break;
    case OP_UNFREEZE:
        fputs("unfreeze", out);
        break;
    case OP_TAKE:
        fprintf(out, "v%d = one that was saved", a);
        break;
    case OP_FORGET:
        fputs("forget what was saved", out);
        break;
    case OP_GARBAGE:
        fputs("empty gc.garbage", out);
        break;
    case OP_OBJECTS:
        fprintf(out, "objects of %d", insn.a % 4);
        break;
    case OP_REFERRERS:
        fprintf(out, "referrers of v%d", a);
        break;
    case OP_REFERENTS:
        fprintf(out, "referents of v%d", a);
        break;
    case OP_END:
        fputs("end", out);
        break;
    }
}

/* ------------------------------------------------------------------ */
/* By chance                                                           */

/* How often each instruction is chosen, of all that are. */
static const uint8_t weights[N_OPS] = {
    [OP_NODE] = 34,     [OP_LIST] = 4,      [OP_TUPLE] = 6,
    [OP_DICT] = 4,      [OP_WEAKREF] = 12,  [OP_SET] = 36,
    [OP_UNSET] = 4,     [OP_ATTR] = 6,      [OP_LOAD] = 10,
    [OP_DEREF] = 4,     [OP_COPY] = 4,      [OP_DROP] = 22,
    [OP_RING] = 14,     [OP_TRACK] = 3,     [OP_UNTRACK] = 4,
    [OP_RESIZE] = 4,    [OP_COLLECT] = 24,  [OP_DISABLED] = 1,
    [OP_FREEZE] = 1,    [OP_UNFREEZE] = 1,  [OP_TAKE] = 4,
    [OP_FORGET] = 3,    [OP_GARBAGE] = 2,   [OP_OBJECTS] = 3,
    [OP_REFERRERS] = 2, [OP_REFERENTS] = 2,
};

/* What all nodes and weak references of a program have or lack, so that
   programs differ more than their instructions would. */
struct profile {
    uint8_t set, unset; /* bits of operand b of OP_NODE */
    int habit;          /* of all finalizers; -1: any */
    int callbacks;      /* 0: any, 1: always, 2: never */
    int oldest;         /* the oldest generation that is collected */
};

const struct program_language program_language = {"world", N_OPS, weights};

static struct profile
random_profile(uint64_t *chance)
{
    struct profile profile = {0, 0, -1, 0, 2};
    uint32_t r = program_number(chance);

    if (r & 1)
        profile.set = (uint8_t)(1u << (2 + (r >> 1) % 5));
    if (r & 16)
        profile.unset = (uint8_t)(3u << (r >> 5) % 7);
    if ((r >> 8) % 3 == 0)
        profile.habit = (int)((r >> 12) % N_FINAL_HABITS);
    profile.callbacks = (int)((r >> 16) % 3);
    profile.oldest = (r >> 20) % 4 == 0 ? (int)((r >> 22) % 3) : 2;
    return profile;
}

static void
apply_profile(const struct profile *profile, struct insn *insn)
{
    if (insn->op == OP_NODE) {
        insn->b = (uint8_t)((insn->b | profile->set) & ~profile->unset);
        if (profile->habit >= 0 && insn->c < 250)
            insn->c = (uint8_t)(insn->c / N_FINAL_HABITS * N_FINAL_HABITS +
                                (unsigned)profile->habit);
    } else if (insn->op == OP_WEAKREF && profile->callbacks != 0) {
        insn->b = (uint8_t)((insn->b & ~1u) | (profile->callbacks == 1));
    } else if (insn->op == OP_COLLECT && insn->a % 3 > profile->oldest) {
        insn->a = (uint8_t)profile->oldest;
    }
}

size_t
program_random(uint64_t seed, uint8_t *bytes, size_t room)
{
    uint64_t chance = program_chance(seed);
    struct profile profile = random_profile(&chance);
    uint32_t r = program_number(&chance);
    size_t length = r % 8 == 0 ? 600 : 20 + (r >> 3) % 180, n = 0;

    if (length > room / PROGRAM_INSN_BYTES)
        length = room / PROGRAM_INSN_BYTES;
    for (size_t i = 0; i < length; i++) {
        struct insn insn = program_insn(&chance);

        apply_profile(&profile, &insn);
        n += program_encode(insn, bytes + n);
    }
    return n;
}
