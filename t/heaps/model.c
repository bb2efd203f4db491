/* model.c: what the host can reach; see model.h. */

#include "model.h"

#include <string.h>

void
model_init(struct model *model)
{
    memset(model, 0, sizeof *model);
    for (int i = 0; i < ROOTS; i++)
        model->roots[i] = NONE;
}

int
model_add(struct model *model, enum kind kind, enum habit habit)
{
    int place = model->n;
    struct thing *thing = &model->things[place];

    if (place == PLACES)
        return NONE;
    model->n++;
    model->there |= MODEL_BIT(place);
    if (kind == KIND_BLOCK)
        model->blocks |= MODEL_BIT(place);
    thing->kind = kind;
    thing->habit = habit;
    thing->block = NONE;
    thing->owns = NONE;
    for (int i = 0; i < EDGES; i++)
        thing->edges[i] = NONE;
    return place;
}

void
model_remove(struct model *model, int place)
{
    model->there &= ~MODEL_BIT(place);
}

int
model_is_held(const struct model *model, int place)
{
    const struct thing *thing = &model->things[place];

    return thing->kind == KIND_BLOCK || thing->adopted || thing->count > 0;
}

/* ------------------------------------------------------------------ */
/* Reachability                                                        */

/* What a pointer in Boehm's memory keeps: a block, or what is adopted. */
static model_set
pointed_to(const struct model *model, int to)
{
    if (to == NONE)
        return 0;
    return model->things[to].kind == KIND_BLOCK || model->things[to].adopted
               ? MODEL_BIT(to)
               : 0;
}

static model_set
successors(const struct model *model, int from)
{
    const struct thing *thing = &model->things[from];
    model_set set = 0;

    for (int i = 0; i < EDGES; i++)
        if (thing->kind == KIND_BLOCK)
            set |= pointed_to(model, thing->edges[i]);
        else if (thing->edges[i] != NONE)
            set |= MODEL_BIT(thing->edges[i]);
    return (set | pointed_to(model, thing->block)) & model->there;
}

model_set
model_reached(const struct model *model, model_set from)
{
    model_set reached = from & model->there, todo = reached;

    while (todo != 0) {
        int next = __builtin_ctzll(todo);

        todo &= todo - 1;
        todo |= successors(model, next) & ~reached;
        reached |= todo;
    }
    return reached;
}

model_set
model_visible(const struct model *model)
{
    model_set from = 0;

    for (int i = 0; i < ROOTS; i++)
        from |= pointed_to(model, model->roots[i]);
    FOR_SET(i, model->there)
    {
        if (model->things[i].count > 0)
            from |= MODEL_BIT(i);
        if (model->things[i].toggle == TOGGLE_STRONG)
            from |= pointed_to(model, i);
    }
    return model_reached(model, from);
}

model_set
model_alive(const struct model *model)
{
    model_set from = model_visible(model);

    FOR_SET(i, model->there & model->blocks)
    if (model->things[i].pending != PENDING_NOT)
        from |= MODEL_BIT(i);
    return model_reached(model, from);
}

/* Does Boehm see what a thing refers to, if the thing is no root? */
static int
is_scanned(const struct thing *thing)
{
    return thing->kind == KIND_BODY || thing->kind == KIND_SCANNED ||
           thing->kind == KIND_TUPLE || thing->kind == KIND_CELL ||
           thing->kind == KIND_BLOCK;
}

/* A set, with all that it leads to as far as Boehm sees. */
static model_set
scanned(const struct model *model, model_set from)
{
    model_set reached = from & model->there, todo = reached;

    while (todo != 0) {
        int next = __builtin_ctzll(todo);
        const struct thing *thing = &model->things[next];

        todo &= todo - 1;
        todo |= (is_scanned(thing) ? successors(model, next)
                                   : pointed_to(model, thing->block)) &
                ~reached;
        reached |= todo;
    }
    return reached;
}

/* Those in order wait for each other, and others for those; what one of them
   leads to itself is never finalized.  A dead object's references in malloc
   memory may be taken for such a way, or not. */
model_set
model_finalizable(const struct model *model)
{
    model_set visible = model_visible(model), pending = 0, waiting = 0;

    FOR_SET(i, model->there & model->blocks)
    {
        if (model->things[i].pending != PENDING_NOT)
            pending |= MODEL_BIT(i);
        if (model->things[i].pending == PENDING_ORDERED)
            waiting |= successors(model, i);
    }
    return pending & ~visible & ~scanned(model, waiting);
}

model_set
model_exact(const struct model *model)
{
    model_set garbage = model->there & ~model_alive(model), adopted = 0;

    FOR_SET(i, garbage)
    if (model->things[i].adopted)
        adopted |= MODEL_BIT(i);
    return garbage & ~model_reached(model, adopted) & ~model->blocks;
}

void
model_references(const struct model *model, int counts[PLACES])
{
    memset(counts, 0, PLACES * sizeof *counts);
    FOR_SET(i, model->there)
    {
        const struct thing *thing = &model->things[i];

        counts[i] += thing->count;
        for (int j = 0; j < EDGES; j++)
            if (thing->kind != KIND_BLOCK && thing->edges[j] != NONE)
                counts[thing->edges[j]]++;
    }
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

static void
print_set(FILE *out, const char *name, model_set set)
{
    fprintf(out, "    %s:", name);
    FOR_SET(i, set)
    fprintf(out, " %d", i);
    fputc('\n', out);
}

static void
print_thing(FILE *out, const struct thing *thing, int place)
{
    static const char *const names[] = {"body",    "malloc", "scanned",
                                        "managed", "list",   "dict",
                                        "tuple",   "cell",   "block"};
    static const char *const pending[] = {"", ", unordered finalizer",
                                          ", ordered finalizer"};

    fprintf(out, "    %d: %s", place, names[thing->kind]);
    fprintf(out, "%s%s%s", thing->adopted ? ", adopted" : "",
            thing->finalized ? ", finalized" : "",
            thing->cleared ? ", cleared" : "");
    fputs(pending[thing->pending], out);
    if (thing->toggle != TOGGLE_NONE)
        fprintf(out, ", %s toggle reference",
                thing->toggle == TOGGLE_STRONG ? "strong" : "weak");
    if (thing->count > 0)
        fprintf(out, ", counted %d times", thing->count);
    if (thing->owns != NONE)
        fprintf(out, ", owns %d", thing->owns);
    for (int i = 0; i < EDGES; i++)
        if (thing->edges[i] != NONE)
            fprintf(out, ", [%d] -> %d", i, thing->edges[i]);
    if (thing->block != NONE)
        fprintf(out, ", body -> %d", thing->block);
    fputc('\n', out);
}

void
model_print(FILE *out, const struct model *model)
{
    FOR_SET(i, model->there)
    print_thing(out, &model->things[i], i);
    for (int i = 0; i < ROOTS; i++)
        if (model->roots[i] != NONE)
            fprintf(out, "    root %d -> %d\n", i, model->roots[i]);
    print_set(out, "visible", model_visible(model));
    print_set(out, "alive", model_alive(model));
}
