/* unbroken.c: cycles that tp_clear has not broken.  See unbroken.h.

   Each survivor is referred to by another survivor, or it would have been
   freed.  So a walk from an object to one that refers to it, and so on, ends
   in a cycle; and since each object has only one such successor, no two of
   these cycles meet.  Each cycle is then shortened, if one of its objects is
   in a shorter one. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "watch/audit/findings.h"
#include "watch/audit/tally.h"
#include "watch/audit/unbroken.h"

enum {
    SEARCHED = 32, /* objects of a cycle for which a shorter one is searched */
    NAMED = 8,     /* types of a cycle that a message names */
    NAME_BYTES = 80,
    WHAT_BYTES = 2 * (NAMED + 2) * NAME_BYTES
};

/* The survivors, and what walks and searches know of them. */
struct graph {
    const struct pyb_survivors *survivors;
    uint32_t *from;   /* an object that refers to it */
    uint32_t *mark;   /* the last search that has reached it */
    uint32_t *before; /* in a search: the object before it */
    uint32_t *queue;
    uint32_t walks;
    size_t effort; /* the number of visits left for searches */
};

static void
graph_end(struct graph *graph)
{
    free(graph->from);
    free(graph->mark);
    free(graph->before);
    free(graph->queue);
}

/* Returns 0, or -1 if there is no memory. */
static int
graph_begin(struct graph *graph, const struct pyb_survivors *survivors)
{
    uint32_t n = survivors->n;

    PYB_ASSERT(n > 0);
    *graph = (struct graph){.survivors = survivors,
                            .from = calloc(n, sizeof(uint32_t)),
                            .mark = calloc(n, sizeof(uint32_t)),
                            .before = calloc(n, sizeof(uint32_t)),
                            .queue = calloc(n, sizeof(uint32_t)),
                            .effort = 16 * (size_t)n + 1000000};
    if (graph->from != NULL && graph->mark != NULL && graph->before != NULL &&
        graph->queue != NULL)
        return 0;
    graph_end(graph);
    return -1;
}

/* ------------------------------------------------------------------ */
/* The shortest cycle through an object                                */

struct search {
    struct graph *graph;
    uint32_t start, here;
    uint32_t end; /* the queue's end */
    int found;
};

static int
visit_search(PyObject *op, void *arg)
{
    struct search *search = arg;
    struct graph *graph = search->graph;
    uint32_t place = pyb_survivors_place(graph->survivors, op);

    graph->effort -= graph->effort > 0;
    if (place == search->start) {
        search->found = 1;
        return 1;
    }
    if (place == PYB_NOWHERE || graph->mark[place] == graph->walks)
        return 0;
    PYB_ASSERT_OBJECT(search->end < graph->survivors->n, op);
    graph->mark[place] = graph->walks;
    graph->before[place] = search->here;
    graph->queue[search->end++] = place;
    return 0;
}

/* Puts the cycle's places into the queue, in the order of its references;
   returns their number, or 0 if there is no cycle. */
static uint32_t
shortest(struct graph *graph, uint32_t start)
{
    struct search search = {.graph = graph, .start = start, .end = 1};
    uint32_t length = 1;

    graph->walks++;
    graph->mark[start] = graph->walks;
    graph->queue[0] = start;
    for (uint32_t i = 0; i < search.end && !search.found; i++) {
        PyObject *op =
            graph->survivors->objects[search.here = graph->queue[i]];

        Py_TYPE(op)->tp_traverse(op, visit_search, &search);
    }
    if (!search.found)
        return 0;
    for (uint32_t at = search.here; at != start; at = graph->before[at]) {
        PYB_ASSERT(length < graph->survivors->n); /* none is there twice */
        length++;
    }
    graph->queue[0] = start;
    for (uint32_t at = search.here, i = length; --i > 0;
         at = graph->before[at])
        graph->queue[i] = at;
    return length;
}

/* ------------------------------------------------------------------ */
/* Messages                                                            */

static int
append(char what[WHAT_BYTES], const char *before, const char *name)
{
    size_t length = strlen(what);
    int more = snprintf(what + length, WHAT_BYTES - length, "%s%.*s", before,
                        NAME_BYTES - 20, name);

    PYB_ASSERT(more >= 0 && length + (size_t)more < WHAT_BYTES);
    return more;
}

/* The length of the part of the cycle that repeats itself. */
static uint32_t
period(PyTypeObject *const *types, uint32_t n)
{
    uint32_t i, length = 1;

    for (; length < n; length++) {
        if (n % length != 0)
            continue;
        for (i = length; i < n && types[i] == types[i - length]; i++)
            ;
        if (i == n)
            break;
    }
    return length;
}

/* Writes "a cycle of A -> B -> A stays alive", beginning with the type
   numbered first. */
static void
describe(PyTypeObject *const *types, uint32_t n, uint32_t first,
         char what[WHAT_BYTES])
{
    *what = '\0';
    for (uint32_t i = 0; i < n && i < NAMED; i++)
        append(what, i == 0 ? "a cycle of " : " -> ",
               types[(first + i) % n]->tp_name);
    if (n > NAMED)
        append(what, " -> ", "...");
    append(what, " -> ", types[first]->tp_name);
    append(what, " stays alive", "");
}

/* Writes the description that is the first in the alphabet, so that it does
   not depend on where the cycle was entered. */
static void
describe_best(PyTypeObject *const *types, uint32_t n, char best[WHAT_BYTES])
{
    char what[WHAT_BYTES];

    describe(types, n, 0, best);
    for (uint32_t first = 1; first < n && first < SEARCHED; first++) {
        describe(types, n, first, what);
        if (strcmp(what, best) < 0)
            strcpy(best, what);
    }
}

/* Appends the types that define the tp_clear which should have broken the
   cycle, each once; returns the slot of the first, or NULL if there is
   none. */
static const void *
add_blame(PyTypeObject *const *types, uint32_t n, char what[WHAT_BYTES])
{
    const struct pyb_tally *blamed[NAMED];
    int n_blamed = 0;

    for (uint32_t i = 0; i < n && i < NAMED; i++) {
        const struct pyb_tally *tally =
            types[i]->tp_clear == NULL
                ? NULL
                : pyb_tally_of_slot(types[i], PYB_SLOT_CLEAR);
        int j = 0;

        if (tally == NULL || tally->slots[PYB_SLOT_CLEAR] == NULL)
            continue;
        while (j < n_blamed && blamed[j] != tally)
            j++;
        if (j == n_blamed)
            blamed[n_blamed++] = tally;
    }
    if (n_blamed == 0) {
        append(what, ": none of its types has tp_clear", "");
        return NULL;
    }
    for (int j = 0; j < n_blamed; j++)
        append(what, j == 0 ? ": tp_clear of " : " and of ", blamed[j]->name);
    append(what, n_blamed == 1 ? " does" : " do", " not break it");
    return blamed[0]->slots[PYB_SLOT_CLEAR];
}

static void
notice(struct pyb_findings *findings, PyTypeObject *const *types, uint32_t n)
{
    char what[WHAT_BYTES];
    struct pyb_finding finding = {
        .what = what,
        .n = 1,
        .so = "it leaks, and every full collection looks at it again"};

    PYB_ASSERT(n > 0);
    n = period(types, n);
    describe_best(types, n, what);
    finding.slot = add_blame(types, n, what);
    pyb_findings_count(findings, &finding);
}

/* ------------------------------------------------------------------ */
/* All cycles                                                          */

/* Notices the cycle in the queue. */
static void
notice_queue(const struct graph *graph, uint32_t n,
             struct pyb_findings *findings)
{
    PyTypeObject **types = malloc(n * sizeof *types);

    if (types == NULL)
        return;
    for (uint32_t i = 0; i < n; i++)
        types[i] = Py_TYPE(graph->survivors->objects[graph->queue[i]]);
    notice(findings, types, n);
    free(types);
}

/* Following from leads from start around a cycle.  Searches for shorter ones
   are limited by effort; when it is used up, enough cycles have been
   reported. */
static void
shorten(struct graph *graph, uint32_t start, struct pyb_findings *findings)
{
    uint32_t best = start, least = UINT32_MAX, at = start;

    if (graph->effort == 0)
        return;
    for (int i = 0; i < SEARCHED && (i == 0 || graph->effort > 0); i++) {
        uint32_t length = shortest(graph, at);

        if (length != 0 && length < least) {
            least = length;
            best = at;
        }
        at = graph->from[at];
        if (at == start)
            break;
    }
    if (least != UINT32_MAX && shortest(graph, best) == least)
        notice_queue(graph, least, findings);
}

struct referrer {
    struct graph *graph;
    uint32_t place;
};

static int
visit_from(PyObject *op, void *arg)
{
    const struct referrer *referrer = arg;
    uint32_t place = pyb_survivors_place(referrer->graph->survivors, op);

    if (place != PYB_NOWHERE)
        referrer->graph->from[place] = referrer->place;
    return 0;
}

/* Post-condition: from is, for each object, an object that refers to it. */
static void
find_referrers(struct graph *graph)
{
    struct referrer referrer = {graph, 0};

    for (; referrer.place < graph->survivors->n; referrer.place++) {
        PyObject *op = graph->survivors->objects[referrer.place];

        Py_TYPE(op)->tp_traverse(op, visit_from, &referrer);
    }
}

/* Walks from each object until it reaches one that was walked; if that was in
   this walk, there is a new cycle.  Searches use mark, so walks have an array
   of their own. */
static void
find_cycles(struct graph *graph, struct pyb_findings *findings)
{
    uint32_t *walked = calloc(graph->survivors->n, sizeof *walked);

    for (uint32_t i = 0; i < graph->survivors->n && walked != NULL; i++) {
        uint32_t at = i;

        while (walked[at] == 0) {
            walked[at] = i + 1;
            at = graph->from[at];
        }
        if (walked[at] == i + 1)
            shorten(graph, at, findings);
    }
    free(walked);
}

/* The survivors are alive because of their cycles, and not because of their
   finalizers. */
static void
mark_stuck(const struct pyb_survivors *survivors)
{
    for (uint32_t i = 0; i < survivors->n; i++) {
        PyTypeObject *type = Py_TYPE(survivors->objects[i]);
        struct pyb_tally *tally =
            type->tp_finalize == NULL
                ? NULL
                : pyb_tally_of_slot(type, PYB_SLOT_FINALIZE);

        if (tally != NULL)
            tally->stuck = 1;
    }
}

void
pyb_unbroken_look(const struct pyb_survivors *survivors)
{
    struct pyb_findings findings = {NULL, 0};
    struct graph graph;

    if (graph_begin(&graph, survivors) < 0)
        return;
    mark_stuck(survivors);
    find_referrers(&graph);
    find_cycles(&graph, &findings);
    graph_end(&graph);
    pyb_findings_join(&pyb_findings_noticed, &findings);
    pyb_findings_end(&findings);
}
