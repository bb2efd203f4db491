/* driver.c: runs programs of the random world; see driver.h.

   Each instruction is done by the model first, then for good; then what was
   seen of it is compared, and the state of every thing. */

#include "../random/driver.h"

#include "nodes.h"
#include "side.h"
#include "world.h"

struct world world;

/* ------------------------------------------------------------------ */
/* What goes wrong                                                     */

static void
print_expected(enum event event, int place)
{
    static const char *const names[] = {"callback", "final", "peek", "clear",
                                        "free"};
    const struct expected *expected = &world.model.expected[event][place];

    fprintf(stderr, "  %s %ld: expected %s", names[event],
            world.model.things[place].name,
            expected->certainty == SURELY    ? "once"
            : expected->certainty == PERHAPS ? "perhaps"
                                             : "never");
    if (expected->certainty != NEVER && expected->value >= 0)
        fprintf(stderr, " with %d", expected->value);
    if (expected->certainty != NEVER)
        fprintf(stderr, " in phase %d", expected->phase);
    fprintf(stderr, ", seen %d times", world.seen[event][place]);
    if (world.seen[event][place] > 0)
        fprintf(stderr, " with %d", world.values[event][place]);
    fputc('\n', stderr);
}

void
world_fail(const char *format, ...)
{
    va_list args;

    if (!world.result.failed)
        fprintf(stderr, "at instruction %zu: ", world.at);
    if (!world.result.failed && world.at_end)
        fputs("the end: ", stderr);
    if (!world.result.failed) {
        program_print(stderr, world.insn);
        fputc('\n', stderr);
    }
    fputs("  ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    world.result.failed = 1;
}

/* ------------------------------------------------------------------ */
/* What is seen                                                        */

static void
note(enum event event, int place, int value)
{
    const struct expected *expected = &world.model.expected[event][place];

    world.seen[event][place]++;
    world.values[event][place] = value;
    if (expected->certainty == NEVER)
        return;
    if (expected->phase < world.phase)
        world_fail("thing %ld: an event of phase %d after one of phase %d",
                   world.model.things[place].name, expected->phase,
                   world.phase);
    world.phase = expected->phase;
}

static void
note_final(struct node *node)
{
    note(EVENT_FINAL, node->place, PyObject_GC_IsFinalized((PyObject *)node));
}

static void
note_clear(struct node *node)
{
    note(EVENT_CLEAR, node->place, 0);
    world.raised += node->habits.clear_raises;
}

static void
note_freed(int place)
{
    note(EVENT_FREE, place, 0);
}

static int
in_var(PyObject *op)
{
    for (int i = 0; i < WORLD_VARS; i++)
        if (world.vars[i] == op)
            return 1;
    return 0;
}

static void
note_called(struct node *node, PyObject *weakref)
{
    int place = world_place(weakref);

    if (place == NONE) {
        world_fail("the callback of an unknown weak reference");
        return;
    }
    note(EVENT_CALLBACK, place, 0);
    if (PyWeakref_GetObject(weakref) != Py_None)
        world_fail("weak reference %ld is alive in its callback",
                   world.model.things[place].name);
    if (in_var(weakref))
        node_hooks.act(node, node->habits.call);
}

/* ------------------------------------------------------------------ */
/* Comparing                                                           */

/* Adds a number to the transcript's digest. */
static void
digest(long number)
{
    world.result.digest =
        (world.result.digest ^ (uint64_t)number) * UINT64_C(0x100000001b3);
}

static void
transcribe(const char *what, long name, long value)
{
    if (world.model.diverged)
        return;
    for (const char *c = what; *c != '\0'; c++)
        digest(*c);
    digest(name);
    digest(value);
    if (world.transcript != NULL)
        fprintf(world.transcript, "  %s %ld: %ld\n", what, name, value);
}

static void
compare_event(enum event event, int place)
{
    static const char *const names[] = {"callback", "final", "peek", "clear",
                                        "free"};
    const struct expected *expected = &world.model.expected[event][place];
    int seen = world.seen[event][place], value = world.values[event][place];

    if (seen == 0 && expected->certainty != SURELY)
        return;
    if (seen != 1 || expected->certainty == NEVER ||
        (expected->value >= 0 && expected->value != value)) {
        world_fail("what is seen differs:");
        print_expected(event, place);
    }
    if (expected->certainty == SURELY)
        transcribe(names[event], world.model.things[place].name,
                   expected->value >= 0 ? value : -1);
}

static void
compare_number(const char *what, int place, long seen, long expected)
{
    if (seen != expected)
        world_fail("%s of thing %ld: %ld, expected %ld", what,
                   world.model.things[place].name, seen, expected);
}

static void
compare_thing(int place)
{
    const struct thing *thing = &world.model.things[place];
    PyObject *op = world.objects[place];
    long refs = (long)Py_REFCNT(op);
    int tracked = PyObject_GC_IsTracked(op);
    int finalized = PyObject_GC_IsFinalized(op);

    compare_number("refcount", place, refs, thing->refs);
    compare_number("IsTracked", place, tracked, thing->tracked);
    compare_number("IsFinalized", place, finalized, thing->finalized);
    transcribe("state", thing->name, refs * 4 + tracked * 2 + finalized);
    if (thing->kind == KIND_WEAKREF) {
        PyObject *target = PyWeakref_GetObject(op);

        if (target !=
            (thing->target != NONE ? world.objects[thing->target] : Py_None))
            world_fail("weak reference %ld: %s, expected %s", thing->name,
                       target != Py_None ? "alive" : "dead",
                       thing->target != NONE ? "alive" : "dead");
    }
}

/* The model learns what is not promised from what is there. */
static void
adopt_unsure(void)
{
    for (int i = 0; i < MODEL_THINGS; i++)
        if ((world.model.unsure & MODEL_BIT(i)) && world.model.things[i].alive)
            world.model.things[i].tracked =
                PyObject_GC_IsTracked(world.objects[i]);
}

static void
compare(void)
{
    transcribe("result", 0, world.seen_result);
    if (world.seen_result != world.model.result)
        world_fail("result %ld, expected %ld", world.seen_result,
                   world.model.result);
    for (int event = 0; event < N_EVENTS; event++)
        for (int i = 0; i < MODEL_THINGS; i++)
            if (world.seen[event][i] != 0 ||
                world.model.expected[event][i].certainty == SURELY)
                compare_event((enum event)event, i);
    for (int i = 0; i < MODEL_THINGS; i++) {
        compare_number("entries", i, world.counts[i], world.model.counts[i]);
        if (world.counts[i] != 0)
            transcribe("entry", world.model.things[i].name, world.counts[i]);
    }
    if (world.raised != world.unraisable)
        world_fail("%ld exceptions reported, expected %ld", world.unraisable,
                   world.raised);
    if (PyErr_Occurred()) {
        world_fail("an exception is left");
        PyErr_Print();
    }
    /* Which of the objects are still there is known only if all went well. */
    if (world.result.failed)
        return;
    adopt_unsure();
    for (int i = 0; i < MODEL_THINGS; i++)
        if (world.model.things[i].alive)
            compare_thing(i);
}

/* ------------------------------------------------------------------ */
/* A program                                                           */

static void
step(struct insn insn)
{
    world.insn = insn;
    world.alive = 0;
    for (int i = 0; i < MODEL_THINGS; i++)
        if (world.model.things[i].alive)
            world.alive |= MODEL_BIT(i);
        else
            world.objects[i] = NULL;
    model_step(&world.model, insn);
    if (!world.model.done)
        return;
    if (world.transcript != NULL) {
        program_print(world.transcript, insn);
        fputs(world.model.diverged ? " (diverged)\n" : "\n", world.transcript);
    }
    world.phase = 0;
    world.seen_result = 0;
    memset(world.seen, 0, sizeof world.seen);
    memset(world.counts, 0, sizeof world.counts);
    world_do(insn);
    compare();
    world.result.steps++;
    world.result.compared += !world.model.diverged;
}

static int
any_frozen(void)
{
    for (int i = 0; i < MODEL_THINGS; i++)
        if (world.model.things[i].alive && world.model.things[i].tracked &&
            world.model.things[i].generation == FROZEN)
            return 1;
    return 0;
}

/* Gives everything up, has it collected, and breaks what is left. */
static void
end_world(void)
{
    static const struct insn last[] = {
        {OP_COLLECT, 2, 0, 0}, {OP_FORGET, 0, 0, 0},  {OP_COLLECT, 2, 0, 0},
        {OP_FORGET, 0, 0, 0},  {OP_GARBAGE, 0, 0, 0}, {OP_END, 0, 0, 0},
    };

    world.at_end = 1;
    for (uint8_t i = 0; i < WORLD_VARS && !world.result.failed; i++)
        step((struct insn){OP_DROP, i, 0, 0});
    if (!world.result.failed && any_frozen())
        step((struct insn){OP_UNFREEZE, 0, 0, 0});
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        if (!world.result.failed)
            step(last[i]);
    if (world.result.failed)
        return;
    if (model_alive(&world.model) != 0 || nodes_leaks() != 0)
        world_fail("%d things and %ld references to types are left",
                   model_alive(&world.model), nodes_leaks());
}

struct driver_result
driver_run(const uint8_t *bytes, size_t n, FILE *transcript)
{
    size_t length = program_length(n);

    model_init(&world.model, side_rules);
    memset(&world.result, 0, sizeof world.result);
    memset(world.objects, 0, sizeof world.objects);
    world.result.digest = UINT64_C(0xcbf29ce484222325);
    world.transcript = transcript;
    world.raised = world.unraisable = 0;
    world.at_end = 0;
    world_freeze();
    for (world.at = 0; world.at < length && !world.result.failed; world.at++)
        step(program_decode(bytes, n, world.at));
    if (!world.result.failed)
        end_world();
    return world.result;
}

void
driver_start(void)
{
    node_hooks = (struct node_hooks){note_final, world_act, note_clear,
                                     note_called, note_freed};
    side_start();
    side_count_unraisable(&world.unraisable);
    if (nodes_init() < 0 || world_init() < 0) {
        PyErr_Print();
        exit(2);
    }
}
