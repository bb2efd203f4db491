/* chains.c: the shortest chain to each container.  See chains.h.

   A breadth-first search starts from all roots of one kind at once; the search
   for the next kind reaches only containers that the earlier ones have not. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/heap/generations.h"
#include "watch/why/chains.h"

static enum pyb_chain_root
root_kind(const struct pyb_node *node)
{
    PyObject *op = node->op;

    if (node->left > 0 || _Py_IsImmortal(op) || pyb_is_adopted(op))
        return PYB_CHAIN_OUTSIDE;
    if (!PyObject_GC_IsTracked(op))
        return PYB_CHAIN_UNTRACKED;
    return pyb_generations_of(op) == PYB_FROZEN ? PYB_CHAIN_FROZEN
                                                : PYB_CHAIN_NONE;
}

/* A step of the search: the references of one node are followed. */
struct step {
    struct pyb_chains *chains;
    size_t from;
};

static void
reach(struct pyb_chains *chains, size_t number, enum pyb_chain_root root)
{
    PYB_ASSERT(number < chains->census->n && chains->n < chains->census->n);
    PYB_ASSERT(root != PYB_CHAIN_NONE &&
               chains->root[number] == PYB_CHAIN_NONE);
    chains->root[number] = (unsigned char)root;
    chains->queue[chains->n++] = number;
}

static int
reach_child(PyObject *op, void *arg)
{
    struct step *step = arg;
    struct pyb_chains *chains = step->chains;
    const struct pyb_node *node = pyb_census_find(chains->census, op);
    size_t number;

    if (node == NULL)
        return 0;
    number = pyb_chains_number(chains, node);
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
            root_kind(&chains->census->nodes[i]) == kind)
            reach(chains, i, kind);
    for (; done < chains->n; done++) {
        struct step step = {chains, chains->queue[done]};
        PyObject *op = chains->census->nodes[step.from].op;

        if ((op != chains->end || kind == PYB_CHAIN_UNTRACKED) &&
            Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, reach_child, &step);
    }
}

void
pyb_chains_check(const struct pyb_chains *chains)
{
    for (size_t i = 0; i < chains->n; i++) {
        size_t number = chains->queue[i], from = chains->from[number];

        PYB_ALWAYS(from <= chains->census->n &&
                       chains->root[number] != PYB_CHAIN_NONE,
                   NULL, "a chain of containers has no root");
        PYB_ALWAYS(chains->length[number] ==
                       (from == 0 ? 0 : chains->length[from - 1] + 1),
                   NULL,
                   "a chain is not one step longer than what it follows");
        PYB_ALWAYS(from == 0 || chains->root[number] == chains->root[from - 1],
                   NULL, "a chain has another root than what it follows");
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
    PYB_EXPENSIVE(pyb_chains_check(chains));
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
