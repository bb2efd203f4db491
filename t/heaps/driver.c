/* driver.c: runs programs for two heaps, many at a time in the same heaps; see
   ../random/driver.h, and tally.h.

   All graphs do their instructions up to the next collection; then there is
   one for all of them. */

#include "../random/driver.h"

#include "heaps.h"
#include "tally.h"

#include <stdlib.h>
#include <time.h>

struct tally tally;

/* ------------------------------------------------------------------ */
/* Collections                                                         */

/* What earlier calls have left there would be roots for Boehm. */
static __attribute__((noinline)) void
clean_stack(void)
{
    volatile char below[32 * 1024];

    for (size_t i = 0; i < sizeof below; i++)
        below[i] = 0;
}

/* Automatic collections begin after so many new objects. */
static void
set_threshold(int threshold)
{
    const int thresholds[PyBoehm_GC_GENERATIONS] = {threshold, 3, 2};

    PyBoehm_GC_SetThreshold(thresholds);
}

static int
is_full(enum collection kind)
{
    return kind == COLLECT_OLD || kind == COLLECT_PYGC || kind == COLLECT_ALL;
}

/* With PYBOEHM_SNAPSHOTS, before each collection that is not full: so many
   lists live that a full one is due, which takes a snapshot; or, if one is
   out, until what it has found is taken. */
static void
take_turns(void)
{
    static const struct timespec moment = {.tv_nsec = 100000};
    static const int soon[PyBoehm_GC_GENERATIONS] = {50, 1, 1};
    int usual[PyBoehm_GC_GENERATIONS];
    PyObject *pool = PyList_New(0);
    PyBoehm_Stats before, now;

    PyBoehm_GC_GetThreshold(usual);
    PyBoehm_GetStats(&before, sizeof before);
    PyBoehm_GC_SetThreshold(soon);
    do {
        PyObject *list = PyList_New(0);

        PyList_Append(pool, list);
        Py_DECREF(list);
        if (PyList_GET_SIZE(pool) % 64 == 0)
            nanosleep(&moment, NULL);
        PyBoehm_GetStats(&now, sizeof now);
    } while (now.snapshots.taken == before.snapshots.taken &&
             now.generations[2].collections ==
                 before.generations[2].collections);
    PyBoehm_GC_SetThreshold(usual);
    tally.snapshots +=
        (unsigned long)(now.snapshots.taken - before.snapshots.taken);
    Py_DECREF(pool);
}

static __attribute__((noinline)) void
collect(enum collection kind)
{
    clean_stack();
    if (PyBoehm_GC_GetSnapshots() && !is_full(kind))
        take_turns();
    switch (kind) {
    case COLLECT_BOEHM:
        host_collect();
        break;
    case COLLECT_YOUNG:
    case COLLECT_MIDDLE:
    case COLLECT_OLD:
        PyBoehm_GC_Collect((int)(kind - COLLECT_YOUNG));
        break;
    case COLLECT_PYGC:
        PyGC_Collect();
        break;
    case COLLECT_ALL:
        PyBoehm_GC_CollectAll();
        break;
    case COLLECT_AUTO:
        set_threshold(heaps.n > 20 ? heaps.n : 20);
        break;
    case COLLECT_MANUAL:
        set_threshold(0);
        break;
    case COLLECT_DEMAND:
        heaps.on_demand = 1;
        host_on_demand(1);
        break;
    case COLLECT_INVOKE:
        host_on_demand(0);
        break;
    default:
        break;
    }
}

/* What is garbage without adopted objects is gone after a full collection, if
   no code ran that might have brought it back for a while, and no set
   waits for its finalizer. */
static void
check_exact(struct graph *graph)
{
    model_set left =
        graph->exact & graph->model.there & model_exact(&graph->model);

    if (left != 0 && graph->ran == 0 && !heaps.on_demand)
        graph_fail(graph, __builtin_ctzll(left),
                   "is garbage, and still there");
}

/* Nothing is under way; but with snapshots a set may be cleared by half. */
static void
be_quiet(void)
{
    heaps.is_quiet = !PyBoehm_GC_GetSnapshots();
}

static void
collect_all_graphs(enum collection kind)
{
    for (int i = 0; i < heaps.n; i++) {
        struct graph *graph = &heaps.graphs[i];

        graph->ran = 0;
        graph->doomed = graph->model.there & ~model_alive(&graph->model);
        graph->exact = is_full(kind) ? model_exact(&graph->model) : 0;
    }
    heaps.phase = 0;
    be_quiet();
    heaps.on_demand = host_is_on_demand();
    collect(kind);
    if (kind == COLLECT_INVOKE)
        heaps.on_demand = 0;
    for (int i = 0; i < heaps.n; i++) {
        check_exact(&heaps.graphs[i]);
        graph_settle(&heaps.graphs[i]);
    }
}

/* ------------------------------------------------------------------ */
/* Programs                                                            */

/* Goes on to the next collection, and returns its kind; N_COLLECTIONS at the
   end of the program. */
static __attribute__((noinline)) enum collection
go_on(struct graph *graph)
{
    while (graph->at < program_length(graph->n)) {
        struct insn insn = program_decode(graph->bytes, graph->n, graph->at++);

        if (insn.op == OP_COLLECT)
            return (enum collection)(insn.a % N_COLLECTIONS);
        be_quiet();
        graph_do(graph, insn);
        graph_settle(graph);
    }
    return N_COLLECTIONS;
}

static void
run_programs(void)
{
    enum collection kind;

    do {
        kind = N_COLLECTIONS;
        for (int i = 0; i < heaps.n; i++) {
            enum collection next = go_on(&heaps.graphs[i]);

            if (next != N_COLLECTIONS)
                kind = next;
        }
        collect_all_graphs(kind);
    } while (kind != N_COLLECTIONS);
    collect_all_graphs(COLLECT_MANUAL);
    host_after_each(0);
    heaps.comes_between = 0;
    collect_all_graphs(COLLECT_INVOKE);
}

/* ------------------------------------------------------------------ */
/* The end                                                             */

/* Boehm may see what is not there, but not for ever, and not much.  It always
   sees what begins the last chunk of its heap but one; that may be a table of
   its finalizers, as it was before it grew, with the blocks that are in it. */
enum { LAST_ROUNDS = 4 };

static unsigned long
count_garbage(void)
{
    unsigned long n = 0;

    for (int i = 0; i < heaps.n; i++) {
        const struct model *model = &heaps.graphs[i].model;

        n +=
            (unsigned)__builtin_popcountll(model->there & ~model_alive(model));
    }
    return n;
}

static void
clean_up(void)
{
    for (int round = 0; round < LAST_ROUNDS && count_garbage() > 0; round++) {
        host_grow();
        collect_all_graphs(COLLECT_ALL);
    }
    tally.left += count_garbage();
}

/* Blocks that lead to themselves, with ordered finalizers, would never go. */
static void
part(struct graph *graph)
{
    FOR_SET(i, graph->model.there & graph->model.blocks)
    if (graph->hidden[i] != 0) {
        memset(graph_block(graph, i)->slots, 0,
               sizeof graph_block(graph, i)->slots);
        host_unwatch(&graph->hidden[i]);
    }
    FOR_SET(i, graph->model.there & ~graph->model.blocks)
    host_unwatch(&graph->links[i]);
    for (int i = 0; i < graph->model.n; i++)
        for (int which = 0; which < WEAK; which++)
            if (graph->weak[i][which] != 0)
                Py_DECREF(graph_weakref(graph, i, which));
}

static void
add_to_tally(const struct graph *graph)
{
    tally.graphs++;
    tally.things += (unsigned)graph->model.n;
    tally.garbage += (unsigned)__builtin_popcountll(graph->garbage);
    for (int i = 0; i < graph->model.n; i++)
        tally.adopted += graph->model.things[i].adopted != 0;
}

static void
end(void)
{
    clean_up();
    for (int i = 0; i < heaps.n; i++) {
        graph_drop_all(&heaps.graphs[i]);
        graph_settle(&heaps.graphs[i]);
    }
    clean_up();
    for (int i = 0; i < heaps.n; i++)
        add_to_tally(&heaps.graphs[i]);
    heaps.time++;
    for (int i = 0; i < heaps.n; i++)
        part(&heaps.graphs[i]);
    host_forget(heaps.roots);
    free(heaps.graphs);
    heaps.graphs = NULL;
    heaps.n = 0;
    free(heaps.toggles);
    heaps.toggles = NULL;
    heaps.n_toggles = 0;
}

/* ------------------------------------------------------------------ */

void
driver_begin(int n)
{
    heaps.graphs = calloc((size_t)n, sizeof *heaps.graphs);
    heaps.roots = host_roots((size_t)n * ROOTS);
    heaps.comes_between = heaps.time % 2 == 0;
    host_after_each(heaps.comes_between);
    heaps.n = n;
    if (heaps.graphs == NULL || heaps.roots == NULL)
        abort();
    for (int i = 0; i < n; i++) {
        heaps.graphs[i].number = i;
        model_init(&heaps.graphs[i].model);
    }
}

void
driver_add(int number, uint64_t seed, const uint8_t *bytes, size_t n)
{
    struct graph *graph = &heaps.graphs[number];

    graph->seed = seed;
    graph->bytes = bytes;
    graph->n = n;
}

void
driver_go(void)
{
    heaps.chance = program_chance(heaps.graphs[0].seed);
    run_programs();
    end();
}

struct driver_result
driver_run(const uint8_t *bytes, size_t n, FILE *Py_UNUSED(transcript))
{
    /* In one of two something comes between. */
    for (int i = 0; i < 2; i++) {
        driver_begin(1);
        driver_add(0, 0, bytes, n);
        driver_go();
    }
    return (struct driver_result){0, 0, 0, 0};
}

/* What Boehm's reference adds to a count is a matter of the library's. */
static Py_ssize_t
adopted_count(void)
{
    PyObject *list = PyBoehm_Adopt(PyList_New(0));
    Py_ssize_t count = Py_REFCNT(list);

    Py_DECREF(PyBoehm_Disown(list));
    return count;
}

void
driver_start(void)
{
    Py_Initialize();
    if (objects_init() < 0) {
        PyErr_Print();
        exit(2);
    }
    heaps.time = 1;
    heaps.adopted = adopted_count();
    watch_init();
    host_init();
    set_threshold(0);
}
