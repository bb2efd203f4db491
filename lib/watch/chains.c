/* chains.c: the shortest way to each container.  See chains.h.

   Breadth first from all roots of a kind at once; the next kind reaches only
   what those before have not. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/generations.h"
#include "gc/upcalls.h"
#include "watch/chains.h"

static enum pyb_chain_root
root_kind(const struct pyb_person *person)
{
    PyObject *op = person->op;

    if (person->left > 0 || _Py_IsImmortal(op) || pyb_is_adopted(op))
        return PYB_CHAIN_OUTSIDE;
    if (!PyObject_GC_IsTracked(op))
        return PYB_CHAIN_UNTRACKED;
    return pyb_generations_of(op) == PYB_FROZEN ? PYB_CHAIN_FROZEN
                                                : PYB_CHAIN_NONE;
}

/* A step of the search: whose references are followed. */
struct step {
    struct pyb_chains *chains;
    size_t from;
};

static void
reach(struct pyb_chains *chains, size_t number, enum pyb_chain_root root)
{
    chains->root[number] = (unsigned char)root;
    chains->queue[chains->n++] = number;
}

static int
reach_child(PyObject *op, void *arg)
{
    struct step *step = arg;
    struct pyb_chains *chains = step->chains;
    const struct pyb_person *person = pyb_census_find(chains->census, op);
    size_t number;

    if (person == NULL)
        return 0;
    number = pyb_chains_number(chains, person);
    if (chains->root[number] != PYB_CHAIN_NONE)
        return 0;
    chains->from[number] = step->from + 1;
    chains->length[number] = chains->length[step->from] + 1;
    reach(chains, number, chains->root[step->from]);
    return 0;
}

static void
reach_from(struct pyb_chains *chains, enum pyb_chain_root kind)
{
    size_t done = chains->n;

    for (size_t i = 0; i < chains->census->n; i++)
        if (chains->root[i] == PYB_CHAIN_NONE &&
            root_kind(&chains->census->people[i]) == kind)
            reach(chains, i, kind);
    for (; done < chains->n; done++) {
        struct step step = {chains, chains->queue[done]};
        PyObject *op = chains->census->people[step.from].op;

        if ((op != chains->end || kind == PYB_CHAIN_UNTRACKED) &&
            Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, reach_child, &step);
    }
}

int
pyb_chains_take(struct pyb_chains *chains, const struct pyb_census *census,
                PyObject *end)
{
    size_t n = census->n + 1;

    *chains = (struct pyb_chains){
        .census = census,
        .end = end,
        .from = calloc(n, sizeof *chains->from),
        .length = calloc(n, sizeof *chains->length),
        .root = calloc(n, 1),
        .queue = calloc(n, sizeof *chains->queue),
    };
    if (chains->from == NULL || chains->length == NULL ||
        chains->root == NULL || chains->queue == NULL) {
        pyb_chains_end(chains);
        pyb_upcalls.no_memory();
        return -1;
    }
    reach_from(chains, PYB_CHAIN_OUTSIDE);
    reach_from(chains, PYB_CHAIN_FROZEN);
    reach_from(chains, PYB_CHAIN_UNTRACKED);
    return 0;
}

void
pyb_chains_end(struct pyb_chains *chains)
{
    free(chains->from);
    free(chains->length);
    free(chains->root);
    free(chains->queue);
}
