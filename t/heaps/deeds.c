/* deeds.c: what instructions and finalizers do; see heaps.h.

   The model first, where references are given up; else in any order, for
   nothing collects in between. */

#include "heaps.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ */
/* Choosing                                                            */

/* A member of a set, by number; NONE if it is empty. */
static int
pick(model_set set, unsigned number)
{
    int n = __builtin_popcountll(set);

    if (n == 0)
        return NONE;
    for (number %= (unsigned)n; number > 0; number--)
        set &= set - 1;
    return __builtin_ctzll(set);
}

static model_set
visible_objects(const struct graph *graph)
{
    return model_visible(&graph->model) & ~graph->model.blocks;
}

static model_set
visible_blocks(const struct graph *graph)
{
    return model_visible(&graph->model) & graph->model.blocks;
}

/* Those objects whose edges can be changed; nodes only. */
static model_set
among(const struct graph *graph, model_set set, int nodes)
{
    model_set found = 0;

    FOR_SET(i, set)
    {
        enum kind kind = graph->model.things[i].kind;

        if (nodes ? kind < N_NODES : kind < N_OBJECTS && kind != KIND_TUPLE)
            found |= MODEL_BIT(i);
    }
    return found;
}

/* What the host itself has a counted reference to, and not a block of its. */
static model_set
counted(const struct graph *graph)
{
    model_set found = 0;

    FOR_SET(i, graph->model.there)
    if (graph->model.things[i].count > graph->model.things[i].owned)
        found |= MODEL_BIT(i);
    return found;
}

static model_set
visible_held(const struct graph *graph)
{
    model_set found = 0;

    FOR_SET(i, model_visible(&graph->model))
    if (model_is_held(&graph->model, i))
        found |= MODEL_BIT(i);
    return found;
}

/* ------------------------------------------------------------------ */
/* Pointers                                                            */

static void *
address(const struct graph *graph, int place)
{
    return place != NONE ? (void *)~graph->hidden[place] : NULL;
}

static void
set_root(struct graph *graph, int root, int place)
{
    graph->model.roots[root] = place;
    heaps.roots[graph->number * ROOTS + root] = address(graph, place);
}

static void
set_slot(struct graph *graph, int block, int i, int place)
{
    graph->model.things[block].edges[i] = place;
    graph_block(graph, block)->slots[i] = address(graph, place);
}

static void
set_body(struct graph *graph, int node, int block)
{
    graph->model.things[node].block = block;
    *object_block(graph_object(graph, node)) = address(graph, block);
}

/* The host has no right to a pointer any more: no block that is there, and no
   root, may have one. */
static void
forget_pointers(struct graph *graph, int place)
{
    for (int i = 0; i < ROOTS; i++)
        if (graph->model.roots[i] == place)
            set_root(graph, i, NONE);
    FOR_SET(i, graph->model.there & graph->model.blocks)
    for (int j = 0; j < EDGES; j++)
        if (graph->hidden[i] != 0 && graph->model.things[i].edges[j] == place)
            set_slot(graph, i, j, NONE);
    graph->model.things[place].toggle = TOGGLE_NONE;
}

/* ------------------------------------------------------------------ */
/* References of the host                                              */

static void
count(struct graph *graph, int place)
{
    Py_INCREF(graph_object(graph, place));
    graph->model.things[place].count++;
}

static void
drop(struct graph *graph, int place)
{
    PyObject *op = graph_object(graph, place);

    graph->model.things[place].count--;
    if (!model_is_held(&graph->model, place))
        forget_pointers(graph, place);
    Py_DECREF(op);
}

/* Around calls that may collect, and so run finalizers, which may give up what
   leads to a thing that the call is about; nothing, if that is NONE. */
static void
hold(struct graph *graph, int place)
{
    if (place != NONE)
        count(graph, place);
}

static void
release(struct graph *graph, int place)
{
    if (place != NONE)
        drop(graph, place);
}

/* Gives a counted reference of the host to Boehm. */
static void
adopt(struct graph *graph, int place)
{
    PyObject *op = graph_object(graph, place);

    graph->model.things[place].adopted = 1;
    if (PyBoehm_Adopt(op) != op || !PyBoehm_IsAdopted(op))
        graph_fail(graph, place, "was not adopted");
    graph->model.things[place].count--;
    if (graph->links[place] == 0) {
        graph->links[place] = ~(uintptr_t)op;
        host_watch(op, &graph->links[place]);
    }
}

static void
disown(struct graph *graph, int place)
{
    PyObject *op = graph_object(graph, place);

    if (PyBoehm_Disown(op) != op || PyBoehm_IsAdopted(op))
        graph_fail(graph, place, "is still adopted");
    graph->model.things[place].adopted = 0;
    graph->model.things[place].count++;
}

/* ------------------------------------------------------------------ */
/* Edges                                                               */

/* Finalizers may run meanwhile, and drop what leads to these two. */
static void
set_edge(struct graph *graph, int object, int i, int target)
{
    struct thing *thing = &graph->model.things[object];
    PyObject *op = graph_object(graph, object), *spare = NULL;

    if (object_needs_spare(thing->kind)) {
        hold(graph, object);
        hold(graph, target);
        spare = object_spare(op, thing->kind, i, address(graph, target));
    }
    thing->edges[i] = target;
    object_set(op, thing->kind, i, address(graph, target), spare);
    if (spare != NULL) {
        release(graph, target);
        release(graph, object);
    }
}

/* ------------------------------------------------------------------ */
/* Making                                                              */

static void
do_object(struct graph *graph, struct insn insn)
{
    enum kind kind = (enum kind)(insn.a % N_OBJECTS);
    struct identity id = graph_identity(graph, graph->model.n);
    PyObject *targets[EDGES] = {NULL};
    int edges[EDGES], place, root = (insn.c >> 1) % ROOTS;

    if (id.place == PLACES)
        return;
    for (int i = 0; i < EDGES; i++) {
        edges[i] = insn.c >> (3 + i) & 1
                       ? pick(visible_objects(graph), insn.b + 7u * i)
                       : NONE;
        hold(graph, edges[i]);
        targets[i] = address(graph, edges[i]);
    }
    PyObject *op = object_new(kind, id, targets);
    place = model_add(&graph->model, kind, (enum habit)(insn.b % N_HABITS));
    graph->hidden[place] = ~(uintptr_t)op;
    graph->model.things[place].count = 1;
    memcpy(graph->model.things[place].edges, edges, sizeof edges);
    for (int i = 0; i < EDGES; i++)
        release(graph, edges[i]);
    if (!(insn.c & 1))
        return;
    set_root(graph, root, place);
    adopt(graph, place);
}

static void
do_block(struct graph *graph, struct insn insn)
{
    struct identity id = graph_identity(graph, graph->model.n);
    enum pending finalizer = (enum pending)(insn.a % N_PENDING);
    int place;

    if (id.place == PLACES)
        return;
    struct block *block = block_new(id, finalizer);
    place =
        model_add(&graph->model, KIND_BLOCK, (enum habit)(insn.b % N_HABITS));
    graph->hidden[place] = ~(uintptr_t)block;
    graph->model.things[place].pending = finalizer;
    set_root(graph, insn.c % ROOTS, place);
    host_watch(block, &graph->hidden[place]);
}

static void
do_weakref(struct graph *graph, struct insn insn)
{
    int place = pick(among(graph, visible_objects(graph), 1), insn.a);
    int which = insn.b & 1 ? CALLING : PLAIN;

    if (place == NONE || graph->weak[place][which] != 0)
        return;
    hold(graph, place);
    graph->weak[place][which] = ~(uintptr_t)object_weakref(
        graph_object(graph, place), graph_identity(graph, place),
        which == CALLING);
    release(graph, place);
}

/* ------------------------------------------------------------------ */
/* Linking                                                             */

static void
do_link(struct graph *graph, struct insn insn)
{
    int from = pick(among(graph, visible_objects(graph), 0), insn.a);
    int to = pick(visible_objects(graph), insn.b);

    if (from != NONE)
        set_edge(graph, from, insn.c % EDGES, insn.op == OP_LINK ? to : NONE);
}

static void
do_body(struct graph *graph, struct insn insn)
{
    int node = pick(among(graph, visible_objects(graph), 1), insn.a);
    int block = pick(visible_blocks(graph), insn.b);

    if (node != NONE)
        set_body(graph, node, insn.op == OP_BODY ? block : NONE);
}

static void
do_slot(struct graph *graph, struct insn insn)
{
    int block = pick(visible_blocks(graph), insn.a);
    int to = pick(visible_held(graph), insn.b);

    if (block != NONE)
        set_slot(graph, block, insn.c % EDGES, insn.op == OP_SLOT ? to : NONE);
}

static void
do_root(struct graph *graph, struct insn insn)
{
    int to = pick(visible_held(graph), insn.b);

    set_root(graph, insn.c % ROOTS, insn.op == OP_ROOT ? to : NONE);
}

static model_set
visible_adopted(const struct graph *graph)
{
    model_set found = 0;

    FOR_SET(i, model_visible(&graph->model))
    if (graph->model.things[i].adopted)
        found |= MODEL_BIT(i);
    return found;
}

static int
has_weakref(const struct graph *graph, int place)
{
    for (int which = 0; which < WEAK; which++)
        if (graph->weak[place][which] != 0 &&
            PyWeakref_GetObject(graph_weakref(graph, place, which)) != Py_None)
            return 1;
    return 0;
}

/* What is dead for the host may come back this way, until it is collected.  Of
   what is adopted a plain pointer is enough. */
static void
do_deref(struct graph *graph, struct insn insn)
{
    int place = pick(MODEL_BIT(graph->model.n) - 1, insn.a);

    if (insn.b & 6) {
        (insn.b & 2 ? graph_walk : graph_read_link)(graph, insn.a);
        return;
    }
    if (place == NONE || !has_weakref(graph, place))
        return;
    if ((insn.b & 1) && graph->model.things[place].adopted)
        set_root(graph, insn.c % ROOTS, place);
    else
        count(graph, place);
}

/* One of those that Boehm owns a reference to, and the host has lost. */
static int
lost(const struct graph *graph, unsigned number)
{
    model_set found = 0;

    FOR_SET(i, graph->model.there & ~model_alive(&graph->model))
    if (graph->model.things[i].adopted)
        found |= MODEL_BIT(i);
    return pick(found, number);
}

void
graph_look_up(struct graph *graph, unsigned number)
{
    int place = lost(graph, number);

    if (place != NONE && has_weakref(graph, place))
        set_root(graph, number % ROOTS, place);
}

/* No call of the library's is made.  Once a set's weak references are cleared
   a link leads to what is dead. */
void
graph_read_link(struct graph *graph, unsigned number)
{
    int place = heaps.is_quiet ? lost(graph, number) : NONE;

    if (place != NONE && host_watched(&graph->links[place]) != 0)
        set_root(graph, number % ROOTS, place);
}

/* Where there is one, a second one is made, as a host may. */
static void
do_toggle(struct graph *graph, struct insn insn)
{
    int place = pick(visible_adopted(graph) | visible_blocks(graph), insn.a);
    struct thing *thing;

    if (place == NONE)
        return;
    thing = &graph->model.things[place];
    if (thing->toggle != TOGGLE_STRONG) {
        heaps.toggles = realloc(heaps.toggles,
                                (heaps.n_toggles + 1) * sizeof *heaps.toggles);
        if (heaps.toggles == NULL)
            abort();
        heaps.toggles[heaps.n_toggles++] = graph_identity(graph, place);
        host_toggle(address(graph, place),
                    insn.b & 1 ? TOGGLE_STRONG : TOGGLE_WEAK);
    }
    thing->toggle = insn.b & 1 ? TOGGLE_STRONG : TOGGLE_WEAK;
}

void
graph_strengthen(struct graph *graph, int start)
{
    for (int i = 0; i < graph->model.n; i++) {
        struct thing *thing =
            &graph->model.things[(start + i) % graph->model.n];

        if (thing->toggle == TOGGLE_WEAK) {
            thing->strengthen = 1;
            return;
        }
    }
}

/* As a runtime's wrapper of an object: its finalizer gives the reference up.
   It keeps the object, and what that leads to, and itself if that is one. */
static void
do_own(struct graph *graph, struct insn insn)
{
    int block = pick(visible_blocks(graph), insn.a);
    int to = pick(visible_objects(graph), insn.b);

    if (block == NONE || to == NONE ||
        graph->model.things[block].pending == PENDING_NOT ||
        graph->model.things[block].owns != NONE)
        return;
    count(graph, to);
    graph->model.things[to].owned++;
    graph->model.things[block].owns = to;
}

void
graph_give_up(struct graph *graph, int block)
{
    int to = graph->model.things[block].owns;

    if (to == NONE)
        return;
    graph->model.things[block].owns = NONE;
    graph->model.things[to].owned--;
    drop(graph, to);
}

static int
is_other(PyObject *op, void *wanted)
{
    uintptr_t *hidden = wanted;

    if ((uintptr_t)op != ~*hidden)
        return 1;
    *hidden = 0;
    return 0;
}

/* Does a walk over all objects give this one out? */
static int
is_walked(const struct graph *graph, int place)
{
    uintptr_t wanted = graph->hidden[place];

    PyUnstable_GC_VisitObjects(is_other, &wanted);
    return wanted == 0;
}

void
graph_walk(struct graph *graph, unsigned number)
{
    int place = lost(graph, number);

    if (place != NONE && is_walked(graph, place))
        set_root(graph, number % ROOTS, place);
}

void
graph_do(struct graph *graph, struct insn insn)
{
    int place;

    switch ((enum opcode)insn.op) {
    case OP_OBJECT:
        do_object(graph, insn);
        break;
    case OP_BLOCK:
        do_block(graph, insn);
        break;
    case OP_LINK:
    case OP_UNLINK:
        do_link(graph, insn);
        break;
    case OP_BODY:
    case OP_BARE:
        do_body(graph, insn);
        break;
    case OP_SLOT:
    case OP_EMPTY:
        do_slot(graph, insn);
        break;
    case OP_ROOT:
    case OP_UNROOT:
        do_root(graph, insn);
        break;
    case OP_COUNT:
        place = pick(visible_objects(graph), insn.a);
        if (place != NONE)
            count(graph, place);
        break;
    case OP_DROP:
        place = pick(counted(graph), insn.a);
        if (place != NONE)
            drop(graph, place);
        break;
    case OP_ADOPT:
        place = pick(counted(graph), insn.a);
        if (place != NONE)
            adopt(graph, place);
        break;
    case OP_DISOWN:
        place = pick(visible_adopted(graph), insn.a);
        if (place != NONE)
            disown(graph, place);
        break;
    case OP_WEAKREF:
        do_weakref(graph, insn);
        break;
    case OP_DEREF:
        do_deref(graph, insn);
        break;
    case OP_TOGGLE:
        do_toggle(graph, insn);
        break;
    case OP_OWN:
        do_own(graph, insn);
        break;
    default:
        break;
    }
}

void
graph_drop_all(struct graph *graph)
{
    for (int i = 0; i < ROOTS; i++)
        set_root(graph, i, NONE);
    FOR_SET(i, graph->model.there)
    graph->model.things[i].toggle = TOGGLE_NONE;
    FOR_SET(i, graph->model.there & graph->model.blocks)
    graph_give_up(graph, i);
    FOR_SET(i, counted(graph))
    while (graph->model.things[i].count > 0)
        drop(graph, i);
}

/* ------------------------------------------------------------------ */
/* Finalizers                                                          */

static void
root(struct graph *graph, int place)
{
    struct thing *thing = &graph->model.things[place];

    if (thing->kind != KIND_BLOCK && !thing->adopted) {
        count(graph, place);
        adopt(graph, place);
    }
    set_root(graph, place % ROOTS, place);
}

/* Links what edge 0 refers to back to what has it, as far as it may be. */
static void
link_back(struct graph *graph, int place, int to)
{
    enum kind kind = graph->model.things[place].kind;
    enum kind other = graph->model.things[to].kind;

    if (other == KIND_BLOCK) {
        if (model_is_held(&graph->model, place))
            set_slot(graph, to, EDGES - 1, place);
    } else if (kind == KIND_BLOCK) {
        if (other < N_NODES)
            set_body(graph, to, place);
    } else if (other != KIND_TUPLE) {
        set_edge(graph, to, EDGES - 1, place);
    }
}

/* What edge 0 leads to, if it is there: a block's may point to what it does
   not keep. */
static int
edge_0(const struct graph *graph, int place)
{
    int to = graph->model.things[place].edges[0];

    return to != NONE && (graph->model.there & MODEL_BIT(to)) ? to : NONE;
}

static void
act_on_edge(struct graph *graph, int place, int to, enum habit habit)
{
    int is_block = graph->model.things[to].kind == KIND_BLOCK;

    if (habit == HABIT_COUNT_EDGE && !is_block)
        count(graph, to);
    else if (habit == HABIT_ROOT_EDGE)
        root(graph, to);
    else if (habit == HABIT_LINK_BACK)
        link_back(graph, place, to);
    else if (habit == HABIT_DROP_EDGE) {
        if (graph->model.things[place].kind == KIND_BLOCK)
            set_slot(graph, place, 0, NONE);
        else
            set_edge(graph, place, 0, NONE);
    }
}

static void
collect_and_root(struct graph *graph, int place)
{
    int to;

    host_collect();
    to = edge_0(graph, place);
    if (to != NONE)
        root(graph, to);
}

void
graph_act(struct graph *graph, int place)
{
    struct thing *thing = &graph->model.things[place];
    int to = edge_0(graph, place);

    if (thing->habit == HABIT_COUNT_SELF && thing->kind != KIND_BLOCK)
        count(graph, place);
    else if (thing->habit == HABIT_COUNT_SELF)
        (place % 2 ? graph_walk : graph_look_up)(graph, (unsigned)place);
    else if (thing->habit == HABIT_ROOT_SELF)
        root(graph, place);
    else if (thing->habit == HABIT_UNROOT)
        set_root(graph, place % ROOTS, NONE);
    else if (thing->habit == HABIT_DISOWN && thing->adopted)
        disown(graph, place);
    else if (thing->habit == HABIT_COLLECT)
        collect_and_root(graph, place);
    else if (to != NONE)
        act_on_edge(graph, place, to, thing->habit);
}
