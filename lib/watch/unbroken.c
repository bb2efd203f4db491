/* unbroken.c: cycles that tp_clear has not broken.  See unbroken.h.

   Everything that is left is referred to by something that is left, or it
   would have gone.  So whoever goes from an object to one that refers to it,
   and on, comes to a cycle; and if each object has but one that is gone to,
   no two such cycles meet.  Each is shortened then, if its objects have a
   shorter one. */

#include "Python.h"

#include <stdlib.h>

#include "watch/findings.h"
#include "watch/tally.h"
#include "watch/unbroken.h"

enum {
    SEARCHED = 32, /* objects of a cycle from which a shorter one is looked
                      for */
    NAMED = 8,     /* types of a cycle that are named */
    NAME_BYTES = 80,
    WHAT_BYTES = 2 * (NAMED + 2) * NAME_BYTES
};

/* What is left, and how one gets about in it. */
struct maze {
    const struct pyb_rest *rest;
    uint32_t *from;   /* one that refers to it */
    uint32_t *mark;   /* the walk or search that has come there last */
    uint32_t *before; /* in a search: where it came from */
    uint32_t *queue;
    uint32_t walks;
    size_t effort; /* visits that searches may still cost */
};

static void
maze_end(struct maze *maze)
{
    free(maze->from);
    free(maze->mark);
    free(maze->before);
    free(maze->queue);
}

/* 0, or -1 if there is no memory. */
static int
maze_begin(struct maze *maze, const struct pyb_rest *rest)
{
    uint32_t n = rest->n;

    *maze = (struct maze){.rest = rest,
                          .from = calloc(n, sizeof(uint32_t)),
                          .mark = calloc(n, sizeof(uint32_t)),
                          .before = calloc(n, sizeof(uint32_t)),
                          .queue = calloc(n, sizeof(uint32_t)),
                          .effort = 16 * (size_t)n + 1000000};
    if (maze->from != NULL && maze->mark != NULL && maze->before != NULL &&
        maze->queue != NULL)
        return 0;
    maze_end(maze);
    return -1;
}

/* ------------------------------------------------------------------ */
/* The shortest cycle through an object                                */

struct search {
    struct maze *maze;
    uint32_t start, here;
    uint32_t end; /* of the queue */
    int found;
};

static int
visit_search(PyObject *op, void *arg)
{
    struct search *search = arg;
    struct maze *maze = search->maze;
    uint32_t place = pyb_rest_place(maze->rest, op);

    maze->effort -= maze->effort > 0;
    if (place == search->start) {
        search->found = 1;
        return 1;
    }
    if (place == PYB_NOWHERE || maze->mark[place] == maze->walks)
        return 0;
    maze->mark[place] = maze->walks;
    maze->before[place] = search->here;
    maze->queue[search->end++] = place;
    return 0;
}

/* Puts the cycle's places into the queue, in the order of its references, and
   returns how many there are; 0: none was found. */
static uint32_t
shortest(struct maze *maze, uint32_t start)
{
    struct search search = {.maze = maze, .start = start, .end = 1};
    uint32_t length = 1;

    maze->walks++;
    maze->mark[start] = maze->walks;
    maze->queue[0] = start;
    for (uint32_t i = 0; i < search.end && !search.found; i++) {
        PyObject *op = maze->rest->objects[search.here = maze->queue[i]];

        Py_TYPE(op)->tp_traverse(op, visit_search, &search);
    }
    if (!search.found)
        return 0;
    for (uint32_t at = search.here; at != start; at = maze->before[at])
        length++;
    maze->queue[0] = start;
    for (uint32_t at = search.here, i = length; --i > 0; at = maze->before[at])
        maze->queue[i] = at;
    return length;
}

/* ------------------------------------------------------------------ */
/* In words                                                            */

static int
append(char what[WHAT_BYTES], const char *before, const char *name)
{
    size_t length = strlen(what);

    return snprintf(what + length, WHAT_BYTES - length, "%s%.*s", before,
                    NAME_BYTES - 20, name);
}

/* How many types come again and again. */
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

/* "a cycle of A -> B -> A stays alive" from one of its types on. */
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

/* Of all of them the one that the alphabet has first: a cycle is the same
   wherever it was entered. */
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

/* Adds who should have broken it, each once; returns the slot of the first, or
   NULL if there is none. */
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

    n = period(types, n);
    describe_best(types, n, what);
    finding.slot = add_blame(types, n, what);
    pyb_findings_count(findings, &finding);
}

/* ------------------------------------------------------------------ */
/* All cycles                                                          */

/* A type for each place in the queue. */
static void
notice_queue(const struct maze *maze, uint32_t n,
             struct pyb_findings *findings)
{
    PyTypeObject **types = malloc(n * sizeof *types);

    if (types == NULL)
        return;
    for (uint32_t i = 0; i < n; i++)
        types[i] = Py_TYPE(maze->rest->objects[maze->queue[i]]);
    notice(findings, types, n);
    free(types);
}

/* There is a cycle, and going to those who refer leads around it.  Where there
   are too many to look for shorter ones, enough have been told. */
static void
shorten(struct maze *maze, uint32_t start, struct pyb_findings *findings)
{
    uint32_t best = start, least = UINT32_MAX, at = start;

    if (maze->effort == 0)
        return;
    for (int i = 0; i < SEARCHED && (i == 0 || maze->effort > 0); i++) {
        uint32_t length = shortest(maze, at);

        if (length != 0 && length < least) {
            least = length;
            best = at;
        }
        at = maze->from[at];
        if (at == start)
            break;
    }
    if (least != UINT32_MAX && shortest(maze, best) == least)
        notice_queue(maze, least, findings);
}

struct referrer {
    struct maze *maze;
    uint32_t place;
};

static int
visit_from(PyObject *op, void *arg)
{
    const struct referrer *referrer = arg;
    uint32_t place = pyb_rest_place(referrer->maze->rest, op);

    if (place != PYB_NOWHERE)
        referrer->maze->from[place] = referrer->place;
    return 0;
}

/* Post-condition: of each object from is one that refers to it. */
static void
find_referrers(struct maze *maze)
{
    struct referrer referrer = {maze, 0};

    for (; referrer.place < maze->rest->n; referrer.place++) {
        PyObject *op = maze->rest->objects[referrer.place];

        Py_TYPE(op)->tp_traverse(op, visit_from, &referrer);
    }
}

/* Walks from each object until it comes where it was: a new cycle if that was
   in this walk.  A search marks with numbers of its own, so walks have them in
   a copy. */
static void
find_cycles(struct maze *maze, struct pyb_findings *findings)
{
    uint32_t *walked = calloc(maze->rest->n, sizeof *walked);

    for (uint32_t i = 0; i < maze->rest->n && walked != NULL; i++) {
        uint32_t at = i;

        while (walked[at] == 0) {
            walked[at] = i + 1;
            at = maze->from[at];
        }
        if (walked[at] == i + 1)
            shorten(maze, at, findings);
    }
    free(walked);
}

/* That they are still there is not their finalizers' doing. */
static void
mark_stuck(const struct pyb_rest *rest)
{
    for (uint32_t i = 0; i < rest->n; i++) {
        PyTypeObject *type = Py_TYPE(rest->objects[i]);
        struct pyb_tally *tally =
            type->tp_finalize == NULL
                ? NULL
                : pyb_tally_of_slot(type, PYB_SLOT_FINALIZE);

        if (tally != NULL)
            tally->stuck = 1;
    }
}

void
pyb_unbroken_look(const struct pyb_rest *rest)
{
    struct pyb_findings findings = {NULL, 0};
    struct maze maze;

    if (maze_begin(&maze, rest) < 0)
        return;
    mark_stuck(rest);
    find_referrers(&maze);
    find_cycles(&maze, &findings);
    maze_end(&maze);
    pyb_findings_join(&pyb_findings_noticed, &findings);
    pyb_findings_end(&findings);
}
