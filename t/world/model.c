/* model.c: the model of the random world: things, references, and what dies
   by count; see model.h.

   What happens in one phase may happen in any order.  It comes to the same:
   code that adds a reference to a thing holds one at that time, and gives up
   none but its own references, so what dies does so in every order. */

#include "model.h"

#include <string.h>

void
model_expect(struct model *model, enum event event, int thing,
             enum certainty certainty)
{
    model->expected[event][thing] =
        (struct expected){certainty, model->phase, -1};
}

/* A place for a new thing; NONE if all are taken. */
static int
new_thing(struct model *model, enum kind kind)
{
    struct thing *thing;
    int place = 0;

    while (place < MODEL_THINGS && (model->taken & MODEL_BIT(place)))
        place++;
    if (place == MODEL_THINGS)
        return NONE;
    model->taken |= MODEL_BIT(place);
    thing = &model->things[place];
    memset(thing, 0, sizeof *thing);
    thing->kind = kind;
    thing->alive = 1;
    thing->tracked = kind != KIND_DICT;
    thing->name = ++model->names;
    thing->target = NONE;
    for (int i = 0; i < WORLD_EDGES; i++)
        thing->edges[i] = NONE;
    return place;
}

/* ------------------------------------------------------------------ */
/* References                                                          */

void
model_ref(struct model *model, int thing)
{
    model->things[thing].refs++;
}

static void
save(struct model *model, int thing)
{
    model_ref(model, thing);
    model->things[thing].saved++;
}

/* Puts a reference into an empty edge.  A dict is tracked from the first
   value on that may be part of a cycle. */
static void
join(struct model *model, int from, int edge, int to)
{
    struct thing *thing = &model->things[from];
    const struct thing *value = &model->things[to];

    thing->edges[edge] = to;
    model_ref(model, to);
    if (thing->kind == KIND_DICT && !thing->tracked &&
        (value->kind != KIND_TUPLE || value->tracked)) {
        thing->tracked = 1;
        thing->generation = YOUNG;
    }
}

/* Empties an edge. */
void
model_cut(struct model *model, int thing, int edge)
{
    int to = model->things[thing].edges[edge];

    model->things[thing].edges[edge] = NONE;
    if (to != NONE)
        model_unref(model, to);
}

/* Empties all edges, as tp_clear does; the contents of a container are seen to
   go. */
void
model_empty(struct model *model, int place)
{
    struct thing *thing = &model->things[place];

    if (thing->kind == KIND_WEAKREF)
        thing->target = NONE;
    else if (thing->kind != KIND_NODE && !thing->emptied)
        model_expect(model, EVENT_FREE, place, SURELY);
    thing->emptied = thing->kind == KIND_LIST || thing->kind == KIND_DICT;
    for (int i = 0; i < WORLD_EDGES; i++)
        model_cut(model, place, i);
}

/* ------------------------------------------------------------------ */
/* Habits                                                              */

static void
peek(struct model *model, int place)
{
    int edge = model->things[place].edges[0];
    struct thing *weakref;

    if (edge == NONE || model->things[edge].kind != KIND_WEAKREF)
        return;
    weakref = &model->things[edge];
    model_expect(model, EVENT_PEEK, place, SURELY);
    model->peeked[place] = edge;
    model->expected[EVENT_PEEK][place].value = weakref->target != NONE;
}

static void
make_child(struct model *model, int place)
{
    int child;

    if (model->things[place].edges[1] != NONE)
        return;
    child = new_thing(model, KIND_LIST);
    model->children[place] = child;
    if (child != NONE)
        join(model, place, 1, child);
}

static void
act(struct model *model, int place, enum habit habit)
{
    struct thing *thing = &model->things[place];

    switch (habit) {
    case HABIT_SAVE:
        save(model, place);
        break;
    case HABIT_SAVE_EDGE:
        if (thing->edges[0] != NONE)
            save(model, thing->edges[0]);
        break;
    case HABIT_DROP_EDGE:
        model_cut(model, place, 0);
        break;
    case HABIT_DOUBLE:
        if (thing->edges[0] != NONE && thing->edges[1] == NONE)
            join(model, place, 1, thing->edges[0]);
        break;
    case HABIT_MAKE:
        make_child(model, place);
        break;
    case HABIT_UNTRACK:
        thing->tracked = 0;
        break;
    case HABIT_PEEK:
        peek(model, place);
        break;
    default:
        break;
    }
}

/* Calls a finalizer that is due. */
void
model_finalize(struct model *model, int place, int by_collector)
{
    struct thing *thing = &model->things[place];

    model_expect(model, EVENT_FINAL, place, SURELY);
    model->expected[EVENT_FINAL][place].value = by_collector;
    thing->finalized = 1;
    act(model, place, thing->habits.final);
}

static int
in_var(const struct model *model, int thing)
{
    for (int i = 0; i < WORLD_VARS; i++)
        if (model->vars[i] == thing)
            return 1;
    return 0;
}

/* Calls the callback of a weak reference, which is dead already.  It does
   something only if a variable holds the weak reference: others may be gone
   before their callbacks are called, or not. */
void
model_act(struct model *model, int weakref)
{
    int callback = model->things[weakref].edges[0];

    if (in_var(model, weakref))
        act(model, callback, model->things[callback].habits.call);
}

/* ------------------------------------------------------------------ */
/* Death by count                                                      */

static int
final_due(const struct thing *thing)
{
    return thing->kind == KIND_NODE && thing->traits.final &&
           !thing->finalized;
}

/* 1 if the finalizer of a thing without references has given it one. */
static int
is_resurrected(struct model *model, int place)
{
    struct thing *thing = &model->things[place];

    if (!final_due(thing))
        return 0;
    model_ref(model, place);
    model_finalize(model, place, 0);
    return --thing->refs > 0;
}

/* Each weak reference to a thing dies with it; whether its callback is called
   is seen when the phase ends. */
static void
end_weakrefs(struct model *model, int place)
{
    for (int i = 0; i < MODEL_THINGS; i++) {
        struct thing *weakref = &model->things[i];

        if (!weakref->alive || weakref->kind != KIND_WEAKREF ||
            weakref->target != place)
            continue;
        weakref->target = NONE;
        if (weakref->edges[0] == NONE)
            continue;
        model_expect(model, EVENT_CALLBACK, i, PERHAPS);
        model_act(model, i);
        model_cut(model, i, 0);
    }
}

static void
die(struct model *model, int place)
{
    struct thing *thing = &model->things[place];

    if (is_resurrected(model, place))
        return;
    thing->alive = thing->tracked = 0;
    end_weakrefs(model, place);
    if (thing->kind == KIND_NODE)
        model_expect(model, EVENT_FREE, place, SURELY);
    model_empty(model, place);
}

void
model_unref(struct model *model, int thing)
{
    if (--model->things[thing].refs == 0)
        die(model, thing);
}

/* Whether a callback was called, or what a finalizer saw of a weak reference,
   depends on the order if the weak reference died in the same phase. */
static void
settle_weakref(struct model *model, int place)
{
    const struct snapshot *before = &model->before[place];
    struct expected *expected = &model->expected[EVENT_CALLBACK][place];

    if (expected->certainty == PERHAPS && expected->phase == model->phase &&
        model->things[place].alive)
        expected->certainty = SURELY;
    else if (expected->certainty == NEVER && !model->things[place].alive &&
             before->callback && before->target != NONE &&
             !model->things[before->target].alive)
        model_expect(model, EVENT_CALLBACK, place, PERHAPS);
}

static void
settle_peek(struct model *model, int place)
{
    struct expected *expected = &model->expected[EVENT_PEEK][place];
    int weakref = model->peeked[place];
    int target;

    if (expected->certainty == NEVER || expected->phase != model->phase)
        return;
    target = model->before[weakref].target;
    if (!model->things[weakref].alive ||
        (target != NONE && !model->things[target].alive))
        expected->value = -1;
}

void
model_settle(struct model *model)
{
    for (int i = 0; i < MODEL_THINGS; i++) {
        settle_weakref(model, i);
        settle_peek(model, i);
    }
}

void
model_begin(struct model *model, int phase)
{
    model->phase = phase;
    for (int i = 0; i < MODEL_THINGS; i++) {
        const struct thing *thing = &model->things[i];
        int weakref = thing->alive && thing->kind == KIND_WEAKREF;

        model->before[i].target = weakref ? thing->target : NONE;
        model->before[i].callback = weakref && thing->edges[0] != NONE;
    }
}

/* ------------------------------------------------------------------ */
/* Instructions on variables                                           */

/* Puts a thing, of which the caller owns a reference, or none into a
   variable. */
static void
set_var(struct model *model, int var, int thing)
{
    int before = model->vars[var];

    model->vars[var] = thing;
    if (before != NONE)
        model_unref(model, before);
}

/* The thing in the variable of an operand; NULL if there is none. */
static struct thing *
var_thing(struct model *model, uint8_t operand)
{
    int thing = model->vars[operand % WORLD_VARS];

    return thing != NONE ? &model->things[thing] : NULL;
}

/* Puts a thing that was just made into a variable. */
static void
keep_made(struct model *model, int var, int thing)
{
    model->made = thing;
    model_ref(model, thing);
    set_var(model, var, thing);
}

static int
make_node(struct model *model, struct insn insn)
{
    int place = new_thing(model, KIND_NODE);
    struct thing *thing;

    if (place == NONE)
        return 0;
    thing = &model->things[place];
    thing->traits = program_traits(insn);
    thing->habits = program_habits(insn);
    thing->size = thing->traits.variable ? 1 : 0;
    keep_made(model, insn.a % WORLD_VARS, place);
    return 1;
}

static int
make_container(struct model *model, struct insn insn, enum kind kind)
{
    int place = new_thing(model, kind);

    if (place == NONE)
        return 0;
    for (int i = 0; i < WORLD_FIELDS; i++) {
        int item = model->vars[(insn.c + i) % WORLD_VARS];

        if ((insn.b >> i & 1) && item != NONE)
            join(model, place, i, item);
    }
    keep_made(model, insn.a % WORLD_VARS, place);
    return 1;
}

/* The weak reference without callback that a thing has; NONE. */
static int
plain_weakref(const struct model *model, int target)
{
    for (int i = 0; i < MODEL_THINGS; i++) {
        const struct thing *thing = &model->things[i];

        if (thing->alive && thing->kind == KIND_WEAKREF &&
            thing->target == target && thing->edges[0] == NONE)
            return i;
    }
    return NONE;
}

static int
make_weakref(struct model *model, struct insn insn)
{
    int target = model->vars[insn.a % WORLD_VARS];
    int callback = model->vars[(insn.b >> 1) % WORLD_VARS];
    int place;

    if (target == NONE || model->things[target].kind != KIND_NODE ||
        !model->things[target].traits.weak)
        return 0;
    if (!(insn.b & 1))
        callback = NONE;
    else if (callback == NONE || model->things[callback].kind != KIND_NODE)
        return 0;
    place = callback == NONE ? plain_weakref(model, target) : NONE;
    if (place == NONE) {
        place = new_thing(model, KIND_WEAKREF);
        if (place == NONE)
            return 0;
        model->things[place].target = target;
        if (callback != NONE)
            join(model, place, 0, callback);
    }
    keep_made(model, insn.c % WORLD_VARS, place);
    return 1;
}

/* Copies a reference, or none, into a variable. */
static int
copy_to_var(struct model *model, uint8_t operand, int thing)
{
    if (thing != NONE)
        model_ref(model, thing);
    set_var(model, operand % WORLD_VARS, thing);
    return 1;
}

/* ------------------------------------------------------------------ */
/* Instructions on edges                                               */

/* Can the program change this edge? */
static int
is_open(const struct thing *thing, int edge)
{
    switch (thing->kind) {
    case KIND_NODE:
        return edge < WORLD_FIELDS + thing->size;
    case KIND_LIST:
    case KIND_DICT:
        return edge < WORLD_FIELDS && !thing->emptied;
    default:
        return 0;
    }
}

static int
set_edge(struct model *model, uint8_t from, int edge, int to)
{
    int place = model->vars[from % WORLD_VARS], old;

    if (place == NONE || !is_open(&model->things[place], edge))
        return 0;
    old = model->things[place].edges[edge];
    if (to != NONE)
        join(model, place, edge, to);
    else
        model->things[place].edges[edge] = NONE;
    if (old != NONE)
        model_unref(model, old);
    return 1;
}

static int
make_ring(struct model *model, struct insn insn)
{
    struct thing *a = var_thing(model, insn.a), *b = var_thing(model, insn.b);
    int edge = insn.c % WORLD_VARS;

    if (a == NULL || b == NULL || !is_open(a, edge) || !is_open(b, edge))
        return 0;
    set_edge(model, insn.a, edge, model->vars[insn.b % WORLD_VARS]);
    set_edge(model, insn.b, edge, model->vars[insn.a % WORLD_VARS]);
    return 1;
}

/* An attribute lives in a dictionary, which the first one makes. */
static int
set_attribute(struct model *model, struct insn insn)
{
    int to = model->vars[insn.c % WORLD_VARS], old, dict;
    struct thing *thing = var_thing(model, insn.a);
    int edge = insn.b % WORLD_FIELDS;

    if (to == NONE || thing == NULL || thing->kind != KIND_NODE ||
        !thing->traits.dict)
        return 0;
    dict = thing->edges[WORLD_DICT];
    if (dict == NONE) {
        dict = new_thing(model, KIND_DICT);
        if (dict == NONE)
            return 0;
        model->dict_made = thing->edges[WORLD_DICT] = dict;
        model_ref(model, dict);
    }
    if (model->things[dict].emptied)
        return 0;
    old = model->things[dict].edges[edge];
    join(model, dict, edge, to);
    if (old != NONE)
        model_unref(model, old);
    return 1;
}

static int
load(struct model *model, struct insn insn)
{
    const struct thing *thing = var_thing(model, insn.b);
    int edge = insn.c % WORLD_EDGES;

    if (thing == NULL || thing->kind == KIND_WEAKREF)
        return 0;
    return copy_to_var(model, insn.a, thing->edges[edge]);
}

static int
dereference(struct model *model, struct insn insn)
{
    const struct thing *thing = var_thing(model, insn.b);

    if (thing == NULL || thing->kind != KIND_WEAKREF)
        return 0;
    return copy_to_var(model, insn.a, thing->target);
}

/* ------------------------------------------------------------------ */
/* Instructions on things                                              */

static int
track(struct model *model, struct insn insn, int tracked)
{
    struct thing *thing = var_thing(model, insn.a);

    if (thing == NULL || thing->kind > KIND_TUPLE || thing->tracked == tracked)
        return 0;
    thing->tracked = tracked;
    thing->generation = YOUNG;
    return 1;
}

static int
is_target(const struct model *model, int thing)
{
    for (int i = 0; i < MODEL_THINGS; i++)
        if (model->things[i].alive && model->things[i].target == thing)
            return 1;
    return 0;
}

/* Only the holder of the only reference may have an object moved. */
static int
resize(struct model *model, struct insn insn)
{
    struct thing *thing = var_thing(model, insn.a);
    int size = insn.b % (WORLD_ITEMS + 1);

    if (thing == NULL || thing->kind != KIND_NODE || !thing->traits.variable ||
        thing->refs != 1 || is_target(model, model->vars[insn.a % WORLD_VARS]))
        return 0;
    for (int i = size; i < thing->size; i++)
        model_cut(model, model->vars[insn.a % WORLD_VARS], WORLD_FIELDS + i);
    thing->size = size;
    thing->generation = YOUNG;
    return 1;
}

static int
freeze(struct model *model, int frozen)
{
    for (int i = 0; i < MODEL_THINGS; i++) {
        struct thing *thing = &model->things[i];

        if (!thing->alive || !thing->tracked)
            continue;
        if (frozen)
            thing->generation = FROZEN;
        else if (thing->generation == FROZEN)
            thing->generation = OLD;
    }
    return 1;
}

/* ------------------------------------------------------------------ */
/* What is held aside                                                  */

/* Drops so many references to each thing. */
static void
drop_counts(struct model *model, const int counts[MODEL_THINGS])
{
    for (int i = 0; i < MODEL_THINGS; i++)
        for (int n = counts[i]; n > 0; n--)
            model_unref(model, i);
}

static int
forget(struct model *model)
{
    int counts[MODEL_THINGS];

    for (int i = 0; i < MODEL_THINGS; i++) {
        counts[i] = model->things[i].alive ? model->things[i].saved : 0;
        model->things[i].saved = 0;
    }
    drop_counts(model, counts);
    return 1;
}

/* Moves the reference to a saved thing into a variable. */
static int
take(struct model *model, struct insn insn)
{
    for (int i = 0; i < MODEL_THINGS; i++) {
        struct thing *thing = &model->things[i];

        if (!thing->alive || thing->saved == 0)
            continue;
        thing->saved--;
        model->found = i;
        set_var(model, insn.a % WORLD_VARS, i);
        return 1;
    }
    return 0;
}

static int
any_saved(const struct model *model)
{
    for (int i = 0; i < MODEL_THINGS; i++)
        if (model->things[i].alive && model->things[i].saved > 0)
            return 1;
    return 0;
}

static int
empty_garbage(struct model *model)
{
    int counts[MODEL_THINGS];

    for (int i = 0; i < MODEL_THINGS; i++) {
        counts[i] = model->things[i].alive ? model->things[i].garbage : 0;
        model->things[i].garbage = 0;
    }
    drop_counts(model, counts);
    return 1;
}

/* Cuts all edges of all things at once, so that no cycle is left. */
static void
sever(struct model *model)
{
    model_set all = 0;

    for (int i = 0; i < MODEL_THINGS; i++)
        if (model->things[i].alive) {
            all |= MODEL_BIT(i);
            model_ref(model, i);
        }
    for (int i = 0; i < MODEL_THINGS; i++)
        if ((all & MODEL_BIT(i)) && model->things[i].kind != KIND_TUPLE)
            model_empty(model, i);
    for (int i = 0; i < MODEL_THINGS; i++)
        if (all & MODEL_BIT(i))
            model_unref(model, i);
}

/* What finalizers save meanwhile is given up, too. */
static int
end(struct model *model)
{
    sever(model);
    while (any_saved(model))
        forget(model);
    return 1;
}

/* ------------------------------------------------------------------ */
/* Queries                                                             */

static int
query_objects(struct model *model, int generation)
{
    for (int i = 0; i < MODEL_THINGS; i++) {
        const struct thing *thing = &model->things[i];

        if (thing->alive && thing->tracked &&
            (generation == 3 ? thing->generation != FROZEN
                             : thing->generation == generation))
            model->counts[i] = 1;
    }
    return 1;
}

static int
query_referrers(struct model *model, int target)
{
    if (target == NONE)
        return 0;
    for (int i = 0; i < MODEL_THINGS; i++) {
        const struct thing *thing = &model->things[i];

        if (!thing->alive || !thing->tracked || thing->generation == FROZEN)
            continue;
        for (int j = 0; j < WORLD_EDGES; j++)
            if (thing->edges[j] == target)
                model->counts[i] = 1;
    }
    return 1;
}

static int
query_referents(struct model *model, int from)
{
    if (from == NONE)
        return 0;
    for (int j = 0; j < WORLD_EDGES; j++) {
        int to = model->things[from].edges[j];

        if (to != NONE)
            model->counts[to]++;
    }
    return 1;
}

/* ------------------------------------------------------------------ */

int
model_atomic(const struct model *model, int place, int deep)
{
    for (int i = 0; i < WORLD_EDGES; i++) {
        int to = model->things[place].edges[i];
        const struct thing *item = &model->things[to != NONE ? to : 0];

        if (to == NONE)
            continue;
        if (item->kind != KIND_TUPLE)
            return 0;
        if (item->tracked && !(deep && model_atomic(model, to, deep)))
            return 0;
    }
    return 1;
}

void
model_init(struct model *model, struct model_rules rules)
{
    memset(model, 0, sizeof *model);
    model->rules = rules;
    for (int i = 0; i < WORLD_VARS; i++)
        model->vars[i] = NONE;
    for (int i = 0; i < MODEL_THINGS; i++)
        model->things[i].target = NONE;
}

int
model_alive(const struct model *model)
{
    int n = 0;

    for (int i = 0; i < MODEL_THINGS; i++)
        n += model->things[i].alive;
    return n;
}

/* Forgets the last instruction. */
static void
begin(struct model *model)
{
    model->made = model->dict_made = model->found = NONE;
    model->result = 0;
    model_begin(model, 0);
    model->unsure = model->called = model->taken = 0;
    memset(model->expected, 0, sizeof model->expected);
    memset(model->counts, 0, sizeof model->counts);
    for (int i = 0; i < MODEL_THINGS; i++) {
        model->children[i] = NONE;
        if (model->things[i].alive)
            model->taken |= MODEL_BIT(i);
    }
}

static int
step(struct model *model, struct insn insn)
{
    int a = model->vars[insn.a % WORLD_VARS];
    int b = model->vars[insn.b % WORLD_VARS];
    int c = model->vars[insn.c % WORLD_VARS];

    switch ((enum opcode)insn.op) {
    case OP_NODE:
        return make_node(model, insn);
    case OP_LIST:
        return make_container(model, insn, KIND_LIST);
    case OP_TUPLE:
        return make_container(model, insn, KIND_TUPLE);
    case OP_DICT:
        return make_container(model, insn, KIND_DICT);
    case OP_WEAKREF:
        return make_weakref(model, insn);
    case OP_SET:
        return c != NONE && set_edge(model, insn.a, insn.b % WORLD_VARS, c);
    case OP_UNSET:
        return set_edge(model, insn.a, insn.b % WORLD_VARS, NONE);
    case OP_ATTR:
        return set_attribute(model, insn);
    case OP_LOAD:
        return load(model, insn);
    case OP_DEREF:
        return dereference(model, insn);
    case OP_COPY:
        return copy_to_var(model, insn.a, b);
    case OP_DROP:
        return copy_to_var(model, insn.a, NONE);
    case OP_RING:
        return make_ring(model, insn);
    case OP_TRACK:
        return track(model, insn, 1);
    case OP_UNTRACK:
        return track(model, insn, 0);
    case OP_RESIZE:
        return resize(model, insn);
    case OP_COLLECT:
        model_collect(model, insn.a % 3);
        return 1;
    case OP_DISABLED:
        return 1;
    case OP_FREEZE:
        return freeze(model, 1);
    case OP_UNFREEZE:
        return freeze(model, 0);
    case OP_TAKE:
        return take(model, insn);
    case OP_FORGET:
        return forget(model);
    case OP_GARBAGE:
        return empty_garbage(model);
    case OP_OBJECTS:
        return query_objects(model, insn.a % 4);
    case OP_REFERRERS:
        return query_referrers(model, a);
    case OP_REFERENTS:
        return query_referents(model, a);
    case OP_END:
        return end(model);
    }
    return 0;
}

void
model_step(struct model *model, struct insn insn)
{
    begin(model);
    model->done = step(model, insn);
    model_settle(model);
}
