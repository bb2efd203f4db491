/* collect.c: the model of the random world: a collection, from the manual's
   chapter and PEP 442; see model.h.

     0. The dead are what only the dead refer to.  The others grow
   older. What the dead with tp_del reach is set apart.
     1. Weak references to the dead that have callbacks die; callbacks are
        called, unless their weak references are dead things themselves.
     2. Finalizers are called; what can be reached again by then, lives.
     3. tp_clear cuts edges; what has no references left, dies. */

#include "model.h"

#include <string.h>

#define FOR_SET(i, set)                                                       \
    for (int i = 0; i < MODEL_THINGS; i++)                                    \
        if ((set)&MODEL_BIT(i))

/* ------------------------------------------------------------------ */
/* Reachability                                                        */

/* Adds to a set what it refers to among the members of another. */
static model_set
reach(const struct model *model, model_set from, model_set among)
{
    model_set reached = from, last;

    do {
        last = reached;
        FOR_SET(i, last)
        for (int j = 0; j < WORLD_EDGES; j++) {
            int to = model->things[i].edges[j];

            if (to != NONE)
                reached |= MODEL_BIT(to) & among;
        }
    } while (reached != last);
    return reached;
}

/* Those members of a set that others refer to, or reach. */
static model_set
reached_from_outside(const struct model *model, model_set set)
{
    int inner[MODEL_THINGS] = {0};
    model_set owned = 0;

    FOR_SET(i, set)
    for (int j = 0; j < WORLD_EDGES; j++)
        if (model->things[i].edges[j] != NONE)
            inner[model->things[i].edges[j]]++;
    FOR_SET(i, set)
    if (model->things[i].refs > inner[i])
        owned |= MODEL_BIT(i);
    return reach(model, owned, set);
}

static model_set
candidates(const struct model *model, int oldest)
{
    model_set set = 0;

    for (int i = 0; i < MODEL_THINGS; i++) {
        const struct thing *thing = &model->things[i];

        if (thing->alive && thing->tracked && thing->generation <= oldest)
            set |= MODEL_BIT(i);
    }
    return set;
}

/* Those members of a set that still are what they were when it was made: they
   were not freed, nor untracked by a finalizer. */
static model_set
remaining(const struct model *model, model_set set)
{
    model_set left = 0;

    FOR_SET(i, set)
    if (model->things[i].alive && model->things[i].tracked)
        left |= MODEL_BIT(i);
    return left;
}

static model_set
with_tp_del(const struct model *model, model_set set)
{
    model_set found = 0;

    FOR_SET(i, set)
    if (model->things[i].kind == KIND_NODE && model->things[i].traits.legacy)
        found |= MODEL_BIT(i);
    return found;
}

/* ------------------------------------------------------------------ */
/* Survivors                                                           */

static void
grow_older(struct model *model, model_set set, int oldest)
{
    FOR_SET(i, set)
    model->things[i].generation = oldest < OLD ? oldest + 1 : OLD;
}

/* Untracks survivors that hold nothing of interest: tuples, and dicts in a
   full collection. */
static void
untrack_atomic(struct model *model, model_set set, int oldest)
{
    model_set atomic = 0;

    FOR_SET(i, set)
    {
        enum kind kind = model->things[i].kind;

        if (kind != KIND_TUPLE && !(kind == KIND_DICT && oldest == OLD))
            continue;
        if (!model_atomic(model, i, 1))
            continue;
        atomic |= MODEL_BIT(i);
        if (!model_atomic(model, i, 0)) {
            model->diverged = 1;
            if (model->rules.tuples_later)
                model->unsure |= MODEL_BIT(i);
        }
    }
    FOR_SET(i, atomic)
    model->things[i].tracked = 0;
}

/* ------------------------------------------------------------------ */
/* Weak references                                                     */

/* Does a weak reference refer to a member of a set? */
static int
refers_to(const struct thing *weakref, model_set set)
{
    return weakref->alive && weakref->kind == KIND_WEAKREF &&
           weakref->target != NONE && (set & MODEL_BIT(weakref->target));
}

/* Kills the weak references to the dead that have callbacks.  Returns those
   whose callbacks are to be called. */
static model_set
detach(struct model *model, model_set dead)
{
    model_set due = 0;

    for (int i = 0; i < MODEL_THINGS; i++) {
        struct thing *weakref = &model->things[i];

        if (!refers_to(weakref, dead) || weakref->edges[0] == NONE)
            continue;
        weakref->target = NONE;
        if (!(dead & MODEL_BIT(i)))
            due |= MODEL_BIT(i);
    }
    return due;
}

/* Clears the weak references to the dead, and those that are dead. */
static void
clear_weakrefs(struct model *model, model_set dead)
{
    for (int i = 0; i < MODEL_THINGS; i++)
        if (refers_to(&model->things[i], dead) || (dead & MODEL_BIT(i)))
            model->things[i].target = NONE;
}

/* Calls one callback.  In 3.11 the weak reference keeps it, for which the
   driver makes up in the end. */
static void
call_back(struct model *model, int place, int oldest)
{
    struct thing *weakref = &model->things[place];
    int age = oldest < OLD ? oldest + 1 : OLD;

    model_expect(model, EVENT_CALLBACK, place, SURELY);
    model_act(model, place);
    if (!model->rules.called_weakrefs_last)
        model_cut(model, place, 0);
    if (weakref->refs > 1 && weakref->generation != age) {
        model->diverged = 1;
        if (model->rules.called_weakrefs_last)
            weakref->generation = age;
    }
}

/* Phase 1. */
static void
call_all(struct model *model, model_set due, int oldest)
{
    FOR_SET(i, due)
    model_ref(model, i);
    FOR_SET(i, due)
    {
        call_back(model, i, oldest);
        model_unref(model, i);
    }
    model->called = due;
}

/* The end of what 3.11 puts off. */
static void
cut_called(struct model *model)
{
    model_begin(model, 4);
    FOR_SET(i, model->called)
    {
        if (!model->things[i].alive)
            model->called &= ~MODEL_BIT(i);
        else if (model->rules.called_weakrefs_last)
            model_cut(model, i, 0);
    }
    model_settle(model);
}

/* Could a program tell when the callbacks that were called were let go?  A
   finalizer looked at a weak reference or made a list, which has a name after
   its turn, or a weak reference with a callback died as its object did. */
static int
is_cut_seen(const struct model *model, model_set called,
            const struct snapshot start[MODEL_THINGS])
{
    for (int i = 0; i < MODEL_THINGS; i++) {
        int target = start[i].target;

        if (model->expected[EVENT_PEEK][i].certainty != NEVER ||
            model->children[i] != NONE ||
            (start[i].callback && target != NONE && !(called & MODEL_BIT(i)) &&
             !model->things[i].alive && !model->things[target].alive))
            return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* Weak references that 3.11 clears before the finalizers              */

struct late {
    model_set set;
    int targets[MODEL_THINGS];
    model_set callbacks; /* those that have one */
};

static struct late
find_late(const struct model *model, model_set dead)
{
    struct late late = {0, {0}, 0};

    for (int i = 0; i < MODEL_THINGS; i++) {
        const struct thing *weakref = &model->things[i];

        late.targets[i] = weakref->target;
        if (!weakref->alive || weakref->target == NONE ||
            (!refers_to(weakref, dead) && !(dead & MODEL_BIT(i))))
            continue;
        late.set |= MODEL_BIT(i);
        if (weakref->edges[0] != NONE)
            late.callbacks |= MODEL_BIT(i);
    }
    return late;
}

static int
was_peeked_at(const struct model *model, int weakref)
{
    for (int i = 0; i < MODEL_THINGS; i++)
        if (model->expected[EVENT_PEEK][i].certainty != NEVER &&
            model->peeked[i] == weakref)
            return 1;
    return 0;
}

/* Can a program tell whether such a weak reference was cleared?  It and its
   object live on, or a callback was called, or a finalizer looked. */
static int
is_late_seen(const struct model *model, const struct late *late, int place,
             model_set dead)
{
    int target = late->targets[place];

    if (was_peeked_at(model, place))
        return 1;
    if (!model->things[target].alive)
        return (late->callbacks & MODEL_BIT(place)) != 0;
    return model->things[place].alive &&
           !(dead & (MODEL_BIT(place) | MODEL_BIT(target)));
}

static void
note_late(struct model *model, const struct late *late, model_set dead)
{
    FOR_SET(i, late->set)
    if (is_late_seen(model, late, i, dead))
        model->diverged = 1;
}

/* ------------------------------------------------------------------ */
/* Finalizers and tp_clear                                             */

/* A member that lost its last reference in this phase may have been finalized
   by its deallocation. */
static void
settle_final(struct model *model, model_set dead)
{
    FOR_SET(i, dead)
    {
        const struct thing *thing = &model->things[i];
        struct expected *expected = &model->expected[EVENT_FINAL][i];

        if (expected->certainty == NEVER)
            continue;
        if (!thing->alive || (thing->saved == 1 && thing->refs == 1))
            expected->value = -1;
    }
}

/* Phase 2. */
static void
finalize(struct model *model, model_set dead)
{
    FOR_SET(i, dead)
    {
        const struct thing *thing = &model->things[i];

        if (!thing->alive || thing->kind != KIND_NODE ||
            !thing->traits.final || thing->finalized)
            continue;
        model_ref(model, i);
        model_finalize(model, i, 1);
        model_unref(model, i);
    }
    settle_final(model, dead);
}

static int
can_clear(const struct thing *thing)
{
    return thing->kind == KIND_NODE ? thing->traits.clear
                                    : thing->kind != KIND_TUPLE;
}

/* Phase 3.  A thing may die before its own tp_clear is called, if the others'
   tp_clear drop the references to it. */
static void
clear(struct model *model, model_set dead)
{
    FOR_SET(i, dead)
    {
        if (!can_clear(&model->things[i]))
            continue;
        if (model->things[i].kind == KIND_NODE)
            model_expect(model, EVENT_CLEAR, i, PERHAPS);
        if (!model->things[i].alive)
            continue;
        model_ref(model, i);
        model_empty(model, i);
        model_unref(model, i);
    }
    FOR_SET(i, dead)
    if (model->things[i].alive &&
        model->expected[EVENT_CLEAR][i].certainty == PERHAPS)
        model->expected[EVENT_CLEAR][i].certainty = SURELY;
}

/* ------------------------------------------------------------------ */

/* What could not be collected, and is still there, lives on. */
static int
keep_legacy(struct model *model, model_set legacy)
{
    int n = 0;

    legacy = remaining(model, legacy);
    if (model->rules.called_weakrefs_last)
        legacy &= ~model->called;
    FOR_SET(i, legacy)
    n++;
    FOR_SET(i, with_tp_del(model, legacy))
    {
        model->things[i].garbage++;
        model_ref(model, i);
    }
    return n;
}

/* Phases 1 and 2; returns what is dead after them. */
static model_set
prepare(struct model *model, model_set dead, int oldest, struct late *late)
{
    model_set due, resurrected;

    model_begin(model, 1);
    due = detach(model, dead);
    *late = find_late(model, dead);
    if (model->rules.weakrefs_first)
        clear_weakrefs(model, dead);
    call_all(model, due, oldest);
    model_settle(model);

    model_begin(model, 2);
    finalize(model, dead);
    model_settle(model);
    dead = remaining(model, dead);
    resurrected = reached_from_outside(model, dead);
    grow_older(model, resurrected, oldest);
    dead &= ~resurrected;
    clear_weakrefs(model, dead);
    return dead;
}

void
model_collect(struct model *model, int oldest)
{
    model_set all = candidates(model, oldest);
    model_set alive = reached_from_outside(model, all);
    model_set dead = all & ~alive;
    model_set legacy = reach(model, with_tp_del(model, dead), dead);
    struct snapshot start[MODEL_THINGS];
    struct late late;
    model_set called;

    memcpy(start, model->before, sizeof start);
    grow_older(model, alive | legacy, oldest);
    untrack_atomic(model, alive, oldest);
    dead = prepare(model, dead & ~legacy, oldest, &late);
    FOR_SET(i, dead)
    model->result++;
    model_begin(model, 3);
    clear(model, dead);
    model_settle(model);
    grow_older(model, remaining(model, dead), oldest);
    model->result += keep_legacy(model, legacy);
    called = model->called;
    cut_called(model);
    note_late(model, &late, dead);
    if (called != 0 && (legacy != 0 || is_cut_seen(model, called, start)))
        model->diverged = 1;
}
