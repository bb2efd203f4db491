/* watch.c: what is seen happen, held against the model; see heaps.h. */

#include "heaps.h"

#include "../random/child.h"
#include "tally.h"

#include <stdio.h>
#include <unistd.h>

struct heaps heaps;

void
graph_fail(struct graph *graph, int place, const char *what)
{
    fprintf(stderr, "seed %llu, at instruction %zu: thing %d %s\n",
            (unsigned long long)graph->seed, graph->at, place, what);
    model_print(stderr, &graph->model);
    progress->seed = graph->seed;
    fflush(NULL);
    _exit(1);
}

struct graph *
graph_of(struct identity id)
{
    return id.time == heaps.time ? &heaps.graphs[id.graph] : NULL;
}

static void
expect(int condition, struct graph *graph, int place, const char *what)
{
    if (!condition)
        graph_fail(graph, place, what);
}

/* ------------------------------------------------------------------ */
/* What must be as it was                                              */

static void
check_object(struct graph *graph, int place)
{
    const struct thing *thing = &graph->model.things[place];
    PyObject *op = graph_object(graph, place);

    expect(!thing->cleared, graph, place, "was cleared, and lives");
    expect(object_is(op, thing->kind, graph_identity(graph, place)), graph,
           place, "is no more what it was");
    for (int i = 0; i < EDGES; i++) {
        int to = thing->edges[i];

        expect(object_edge(op, thing->kind, i) ==
                   (to != NONE ? graph_object(graph, to) : NULL),
               graph, place, "has lost an edge");
    }
    if (thing->block != NONE)
        expect(*object_block(op) == graph_block(graph, thing->block), graph,
               place, "has lost its block");
}

static void
check_block(struct graph *graph, int place)
{
    const struct thing *thing = &graph->model.things[place];
    struct block *block = graph_block(graph, place);

    expect(graph->hidden[place] != 0, graph, place, "was reclaimed");
    expect(block->id.time == heaps.time && block->id.graph == graph->number &&
               block->id.place == place,
           graph, place, "is overwritten");
    for (int i = 0; i < EDGES; i++) {
        int to = thing->edges[i];

        expect(block->slots[i] ==
                   (to != NONE ? (void *)~graph->hidden[to] : NULL),
               graph, place, "has lost a pointer");
    }
}

static void
check_count(struct graph *graph, int place, int references)
{
    PyObject *op = graph_object(graph, place);
    Py_ssize_t expected = references;

    if (graph->model.things[place].adopted)
        expected += heaps.adopted;
    expect(Py_REFCNT(op) == expected, graph, place,
           "has another reference count");
    expect(PyBoehm_IsAdopted(op) == graph->model.things[place].adopted, graph,
           place, "is adopted, or is not");
}

void
graph_check(struct graph *graph, model_set set, int counts)
{
    int references[PLACES];

    if (counts)
        model_references(&graph->model, references);
    FOR_SET(i, set & graph->model.blocks)
    check_block(graph, i);
    FOR_SET(i, set & ~graph->model.blocks)
    {
        check_object(graph, i);
        if (counts)
            check_count(graph, i, references[i]);
    }
}

/* What is gone or cleared has no weak references, and what lives has those
   that it had, unless they have called. */
static void
check_weakrefs(struct graph *graph, model_set alive)
{
    for (int i = 0; i < graph->model.n; i++)
        for (int which = 0; which < WEAK; which++) {
            PyObject *target;

            if (graph->weak[i][which] == 0)
                continue;
            target = PyWeakref_GetObject(graph_weakref(graph, i, which));
            if (which == CALLING && (graph->called_back & MODEL_BIT(i)))
                expect(target == Py_None, graph, i, "has called too early");
            else if (alive & MODEL_BIT(i))
                expect(target == graph_object(graph, i), graph, i,
                       "has lost its weak reference");
            else if (!(graph->model.there & MODEL_BIT(i)) ||
                     graph->model.things[i].cleared)
                expect(target == Py_None, graph, i,
                       "is gone, but not for its weak reference");
        }
}

void
graph_settle(struct graph *graph)
{
    model_set alive = model_alive(&graph->model);

    graph->doomed = 0;
    if (!heaps.on_demand && !host_waits())
        graph->finalizable = 0;
    FOR_SET(i, graph->model.there & graph->model.blocks)
    if (graph->hidden[i] == 0) {
        expect(!(alive & MODEL_BIT(i)), graph, i, "was reclaimed");
        model_remove(&graph->model, i);
    }
    graph_check(graph, alive, 1);
    check_weakrefs(graph, alive);
}

/* ------------------------------------------------------------------ */
/* Calls                                                               */

/* An object has called, perhaps by the collector. */
static void
have_called(int by_collector)
{
    heaps.is_quiet &= !by_collector;
    between_calls();
}

static int
is_dead(const struct graph *graph, int place)
{
    return !(model_alive(&graph->model) & MODEL_BIT(place));
}

static void
doom_dead(struct graph *graph)
{
    graph->doomed |= graph->model.there & ~model_alive(&graph->model);
}

/* It was dead when the collection began, or is. */
static int
was_dead(const struct graph *graph, int place)
{
    return (graph->doomed & MODEL_BIT(place)) != 0 || is_dead(graph, place);
}

/* Does the collector call, and not a deallocation, in which there are so many
   references to the object? */
static int
is_collected(const struct graph *graph, int place, Py_ssize_t dying)
{
    return Py_REFCNT(graph_object(graph, place)) > dying;
}

/* The collector calls.  Each set has its phases for itself, callbacks,
   finalizers, tp_clear; and what is dead when the first of them begins is
   doomed, for a set that waits may be torn down at any time. */
static void
watch_phase(void)
{
    static Py_ssize_t before = -1;
    Py_ssize_t sets;
    PyBoehm_Stats stats;

    PyBoehm_GetStats(&stats, sizeof stats);
    sets = stats.teardowns.by_finalizer + stats.teardowns.by_collector;
    if (sets == before)
        return;
    before = sets;
    heaps.phase = 0;
    for (int i = 0; i < heaps.n; i++)
        doom_dead(&heaps.graphs[i]);
}

static void
on_final(struct identity id)
{
    struct graph *graph = graph_of(id);
    struct thing *thing;

    if (graph == NULL)
        return;
    thing = &graph->model.things[id.place];
    if (is_collected(graph, id.place, 1))
        watch_phase();
    expect(was_dead(graph, id.place), graph, id.place, "is finalized alive");
    expect(!thing->finalized, graph, id.place, "is finalized twice");
    thing->finalized = 1;
    graph->ran++;
    if (is_collected(graph, id.place, 1)) {
        expect(heaps.phase <= 1, graph, id.place,
               "is finalized after others were cleared");
        heaps.phase = 1;
    }
    graph_check(graph, model_reached(&graph->model, MODEL_BIT(id.place)), 0);
    graph_act(graph, id.place);
    have_called(heaps.phase == 1);
}

static void
on_cleared(struct identity id)
{
    struct graph *graph = graph_of(id);
    struct thing *thing;

    if (graph == NULL)
        return;
    thing = &graph->model.things[id.place];
    expect(is_dead(graph, id.place), graph, id.place, "is cleared alive");
    expect(thing->finalized, graph, id.place, "is cleared, not finalized");
    watch_phase();
    heaps.phase = 2;
    thing->cleared = 1;
    for (int i = 0; i < EDGES; i++)
        thing->edges[i] = NONE;
    have_called(1);
}

static void
on_freed(struct identity id)
{
    struct graph *graph = graph_of(id);
    struct thing *thing;

    if (graph == NULL)
        return;
    thing = &graph->model.things[id.place];
    expect(is_dead(graph, id.place), graph, id.place, "is freed alive");
    expect(thing->finalized || thing->kind >= N_NODES, graph, id.place,
           "is freed, not finalized");
    expect(graph->weak[id.place][CALLING] == 0 ||
               (graph->called_back & MODEL_BIT(id.place)),
           graph, id.place, "is freed, and nobody was called");
    model_remove(&graph->model, id.place);
    host_unwatch(&graph->links[id.place]);
    have_called(thing->kind >= N_NODES);
}

static void
on_called(struct identity id)
{
    struct graph *graph = graph_of(id);

    if (graph == NULL)
        return;
    if (is_collected(graph, id.place, 0))
        watch_phase();
    expect(was_dead(graph, id.place), graph, id.place,
           "lives, and its weak reference calls");
    expect(!(graph->called_back & MODEL_BIT(id.place)), graph, id.place,
           "has a weak reference that calls twice");
    expect(!is_collected(graph, id.place, 0) || heaps.phase == 0, graph,
           id.place, "is called for after finalizers");
    graph->called_back |= MODEL_BIT(id.place);
    graph->ran++;
    have_called(1);
}

/* A block's finalizer.  What it leads to is garbage from now on, if nothing
   else does. */
static void
on_block_final(struct identity id)
{
    struct graph *graph = graph_of(id);
    struct thing *thing;
    model_set may;

    if (graph == NULL)
        return;
    thing = &graph->model.things[id.place];
    may = graph->finalizable | model_finalizable(&graph->model);
    expect(thing->pending != PENDING_NOT, graph, id.place,
           "is finalized twice");
    expect((may & MODEL_BIT(id.place)) != 0, graph, id.place,
           "is finalized alive, or before its turn");
    graph_check(graph, model_reached(&graph->model, MODEL_BIT(id.place)), 0);
    thing->pending = PENDING_NOT;
    graph->ran++;
    graph_act(graph, id.place);
    tally.given_up += thing->owns != NONE;
    graph_give_up(graph, id.place);
    doom_dead(graph);
    between_calls();
}

/* ------------------------------------------------------------------ */
/* The beginning of collections                                        */

static void
on_marking(void)
{
    between_marks();
    for (int i = 0; i < heaps.n; i++)
        heaps.graphs[i].finalizable |=
            model_finalizable(&heaps.graphs[i].model);
}

/* What has the address last has it; what was there before is gone. */
static enum toggle
on_toggled(const void *address)
{
    for (size_t i = heaps.n_toggles; i-- > 0;) {
        struct graph *graph = graph_of(heaps.toggles[i]);
        int place = heaps.toggles[i].place;

        if (graph == NULL ||
            (const void *)graph_object(graph, place) != address)
            continue;
        struct thing *thing = &graph->model.things[place];
        if (!(graph->model.there & MODEL_BIT(place)))
            return TOGGLE_NONE;
        if (thing->strengthen && thing->toggle == TOGGLE_WEAK) {
            thing->toggle = TOGGLE_STRONG;
            graph->ran++;
        }
        thing->strengthen = 0;
        return thing->toggle;
    }
    return TOGGLE_NONE;
}

static void
on_collection(const char *phase, const PyBoehm_GC_Info *Py_UNUSED(info),
              void *Py_UNUSED(arg))
{
    heaps.phase = 0;
    for (int i = 0; i < heaps.n; i++) {
        struct graph *graph = &heaps.graphs[i];

        graph->doomed = strcmp(phase, "start") == 0
                            ? graph->model.there & ~model_alive(&graph->model)
                            : 0;
        graph->garbage |= graph->doomed;
    }
}

void
watch_init(void)
{
    object_hooks =
        (struct object_hooks){on_final, on_cleared, on_freed, on_called};
    host_hooks = (struct host_hooks){on_block_final, on_marking,
                                     between_collections, on_toggled};
    PyBoehm_GC_AddCallback(on_collection, NULL);
}
