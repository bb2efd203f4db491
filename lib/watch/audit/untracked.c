/* untracked.c: objects that no collection sees.  See untracked.h.

   What only untracked containers keep has a chain from one of these.  That
   alone is no fault: garbage that is tracked may own them, and the next
   collection frees both.  One that is in a cycle owns itself by the others,
   and what it owns is owned from outside for every collection. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "object/type/statictypes.h"
#include "watch/audit/untracked.h"
#include "watch/why/chains.h"

/* A search for the object itself, from what it refers to on. */
struct search {
    const struct pyb_census *census;
    PyObject *op;
    unsigned char *seen; /* of each node */
    size_t *queue, n;
    int found;
};

static int
reach(PyObject *child, void *arg)
{
    struct search *search = arg;
    const struct pyb_node *node = pyb_census_find(search->census, child);

    search->found |= child == search->op;
    if (search->found || node == NULL)
        return search->found;
    size_t number = (size_t)(node - search->census->nodes);
    if (!search->seen[number]) {
        search->seen[number] = 1;
        PYB_ASSERT(search->n < search->census->n);
        search->queue[search->n++] = number;
    }
    return 0;
}

/* 1, 0, or -1 if there is no memory. */
static int
is_in_cycle(const struct pyb_census *census, PyObject *op)
{
    struct search search = {.census = census,
                            .op = op,
                            .seen = calloc(census->n, 1),
                            .queue = calloc(census->n, sizeof(size_t))};
    int result = -1;

    if (search.seen != NULL && search.queue != NULL) {
        (void)Py_TYPE(op)->tp_traverse(op, reach, &search);
        for (size_t i = 0; i < search.n && !search.found; i++) {
            PyObject *next = census->nodes[search.queue[i]].op;

            if (Py_TYPE(next)->tp_traverse != NULL)
                (void)Py_TYPE(next)->tp_traverse(next, reach, &search);
        }
        result = search.found;
    }
    free(search.seen);
    free(search.queue);
    return result;
}

/* The instances of a type, and those that are not tracked and that nothing
   else keeps. */
struct instances {
    size_t n, untracked;
};

static struct instances
count(const struct pyb_chains *chains, const PyTypeObject *type)
{
    struct instances instances = {0, 0};

    for (size_t i = 0; i < chains->census->n; i++)
        if (Py_TYPE(chains->census->nodes[i].op) == type) {
            instances.n++;
            instances.untracked +=
                chains->root[i] == PYB_CHAIN_UNTRACKED && chains->from[i] == 0;
        }
    return instances;
}

static int
tell(const struct pyb_chains *chains, PyTypeObject *type,
     struct pyb_findings *findings)
{
    struct instances instances = count(chains, type);
    char what[256];
    struct pyb_finding finding = {
        .what = what,
        .n = instances.untracked,
        .of = instances.n,
        .so = "no collection frees them: call PyObject_GC_Track when the "
              "fields are set",
        .slot = type->tp_new != NULL ? (const void *)(uintptr_t)type->tp_new
                                     : (const void *)type->tp_traverse};

    snprintf(what, sizeof what,
             "%.120s is not tracked, and in a cycle that nothing else keeps,",
             type->tp_name);
    return pyb_findings_add(findings, &finding);
}

static int
is_suspect(const struct pyb_node *node)
{
    PyObject *op = node->op;

    return node->left <= 0 && op->ob_refcnt > 0 &&
           !PyObject_GC_IsTracked(op) && Py_TYPE(op)->tp_traverse != NULL &&
           !pyb_statictypes_has(Py_TYPE(op));
}

/* The chains take memory and time, and are seldom needed. */
static int
has_suspects(const struct pyb_census *census)
{
    for (size_t i = 0; i < census->n; i++)
        if (is_suspect(&census->nodes[i]))
            return 1;
    return 0;
}

enum { TRIALS = 256 }; /* searches for a cycle, each of which may take long */

/* The types that have been told of. */
struct told {
    size_t n;
    const PyTypeObject *types[TRIALS];
};

static int
is_told(const struct told *told, const PyTypeObject *type)
{
    for (size_t i = 0; i < told->n; i++)
        if (told->types[i] == type)
            return 1;
    return 0;
}

static int
find(const struct pyb_chains *chains, struct pyb_findings *findings)
{
    const struct pyb_census *census = chains->census;
    struct told told = {.n = 0};
    int trials = 0, result = 0;

    for (size_t i = 0; i < census->n && trials < TRIALS && result == 0; i++) {
        PyTypeObject *type = Py_TYPE(census->nodes[i].op);

        if (chains->root[i] != PYB_CHAIN_UNTRACKED || chains->from[i] != 0 ||
            !is_suspect(&census->nodes[i]) || is_told(&told, type))
            continue;
        trials++;
        result = is_in_cycle(census, census->nodes[i].op);
        if (result > 0) {
            told.types[told.n++] = type;
            result = tell(chains, type, findings);
        }
    }
    return result;
}

int
pyb_untracked_find(const struct pyb_evidence *evidence,
                   struct pyb_findings *findings)
{
    struct pyb_chains chains;
    int result;

    if (!has_suspects(&evidence->census))
        return 0;
    if (pyb_chains_take(&chains, &evidence->census, NULL) < 0) {
        PyErr_Clear();
        return -1;
    }
    result = find(&chains, findings);
    pyb_chains_end(&chains);
    return result;
}
