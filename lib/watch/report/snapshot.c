/* snapshot.c: the whole heap in arrays.  See snapshot.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/heap/generations.h"
#include "watch/leaks/trace.h"
#include "watch/log/progress.h"
#include "watch/report/snapshot.h"
#include "watch/rows.h"
#include "watch/why/size.h"

PyObject *
pyb_snapshot_object(const struct pyb_snapshot *snapshot, size_t i)
{
    PYB_ASSERT(i < snapshot->n);
    return i < snapshot->census.n
               ? snapshot->census.nodes[i].op
               : pyb_numbers_address(&snapshot->plain, i - snapshot->census.n);
}

ptrdiff_t
pyb_snapshot_find(const struct pyb_snapshot *snapshot, const PyObject *op)
{
    const struct pyb_node *node = pyb_census_find(&snapshot->census, op);
    ptrdiff_t plain;

    if (node != NULL)
        return node - snapshot->census.nodes;
    plain = pyb_numbers_find(&snapshot->plain, op);
    return plain < 0 ? -1 : (ptrdiff_t)snapshot->census.n + plain;
}

PyTypeObject *
pyb_snapshot_type(const struct pyb_snapshot *snapshot, size_t number)
{
    PYB_ASSERT(number < snapshot->types.n);
    return pyb_numbers_address(&snapshot->types, number);
}

/* ------------------------------------------------------------------ */
/* References                                                          */

struct walk {
    struct pyb_snapshot *snapshot;
    size_t n; /* edges */
    int no_memory;
};

/* The number of an object that is referred to; -1 if it is left out. */
static ptrdiff_t
number_of(struct walk *walk, PyObject *op)
{
    struct pyb_snapshot *snapshot = walk->snapshot;
    const struct pyb_node *node = pyb_census_find(&snapshot->census, op);
    ptrdiff_t plain;

    if (node != NULL)
        return node - snapshot->census.nodes;
    if (_Py_IsImmortal(op))
        return -1;
    plain = pyb_numbers_of(&snapshot->plain, op);
    walk->no_memory |= plain < 0;
    return plain < 0 ? -1 : (ptrdiff_t)snapshot->census.n + plain;
}

static int
note_edge(PyObject *child, void *arg)
{
    struct walk *walk = arg;
    struct pyb_flow *flow = &walk->snapshot->flow;
    ptrdiff_t number = number_of(walk, child);
    uint32_t *grown;

    if (number < 0)
        return 0;
    grown = pyb_rows_grow(flow->to, walk->n, &walk->snapshot->edges_room,
                          sizeof *grown);
    if (grown == NULL) {
        walk->no_memory = 1;
        return 0;
    }
    flow->to = grown;
    PYB_ASSERT_OBJECT((size_t)number < UINT32_MAX, child);
    flow->to[walk->n++] = (uint32_t)number;
    return 0;
}

static void
note_lost(PyObject *op, void *arg)
{
    if (!_Py_IsImmortal(op))
        number_of(arg, op);
}

/* Plain objects have no references that are reported. */
static int
end_edges(struct pyb_snapshot *snapshot, size_t n_edges)
{
    struct pyb_flow *flow = &snapshot->flow;
    size_t *first;

    PYB_ASSERT(flow->turned == NULL && snapshot->n == 0); /* taken once */
    snapshot->n = flow->n = snapshot->census.n + snapshot->plain.n;
    first = realloc(flow->first, (snapshot->n + 1) * sizeof *first);
    if (first == NULL)
        return -1;
    flow->first = first;
    for (size_t i = snapshot->census.n; i <= snapshot->n; i++)
        first[i] = n_edges;
    return pyb_flow_turn(flow);
}

static int
take_edges(struct pyb_snapshot *snapshot)
{
    struct walk walk = {snapshot, 0, 0};
    size_t n = snapshot->census.n;

    snapshot->flow.first = malloc((n + 1) * sizeof *snapshot->flow.first);
    if (snapshot->flow.first == NULL)
        return -1;
    for (size_t i = 0; i < n && !walk.no_memory; i++) {
        PyObject *op = snapshot->census.nodes[i].op;

        pyb_progress(i, n);
        snapshot->flow.first[i] = walk.n;
        if (Py_TYPE(op)->tp_traverse != NULL)
            Py_TYPE(op)->tp_traverse(op, note_edge, &walk);
    }
    pyb_trace_plain(note_lost, &walk);
    return walk.no_memory ? -1 : end_edges(snapshot, walk.n);
}

/* ------------------------------------------------------------------ */
/* Facts                                                               */

static unsigned
state_of_container(const struct pyb_snapshot *snapshot, size_t i)
{
    const struct pyb_node *node = &snapshot->census.nodes[i];
    unsigned state = 0;

    PYB_ASSERT_OBJECT(i < snapshot->own.census->n &&
                          i < snapshot->chains.census->n,
                      node->op);

    if (snapshot->own.is[i])
        state |= PYB_THING_OWN;
    if (snapshot->chains.root[i] == PYB_CHAIN_NONE)
        state |= PYB_THING_GARBAGE;
    if (pyb_is_adopted(node->op))
        state |= PYB_THING_ADOPTED;
    if (!PyObject_GC_IsTracked(node->op))
        state |= PYB_THING_UNTRACKED;
    else if (pyb_generations_of(node->op) == PYB_FROZEN)
        state |= PYB_THING_FROZEN;
    if (_Py_IsImmortal(node->op))
        state |= PYB_THING_IMMORTAL;
    return node->left > 0 ? state | PYB_THING_OUTSIDE : state;
}

static unsigned
state_of_plain(const struct pyb_snapshot *snapshot, size_t i)
{
    PyObject *op = pyb_snapshot_object(snapshot, i);
    const size_t *turned = snapshot->flow.turned;
    unsigned state = PYB_THING_PLAIN;

    PYB_ASSERT_OBJECT(i >= snapshot->census.n && turned[i] <= turned[i + 1],
                      op);
    if (pyb_objectset_has(&snapshot->own.plain, op))
        state |= PYB_THING_OWN;
    if (op->ob_refcnt > (Py_ssize_t)(turned[i + 1] - turned[i]))
        state |= PYB_THING_OUTSIDE;
    return state;
}

/* What the chains begin with is a root; so is garbage, for nothing keeps it:
   all that is known is that its owners are garbage, too. */
static int
is_root(const struct pyb_snapshot *snapshot, size_t i)
{
    if (i < snapshot->census.n)
        return snapshot->chains.root[i] == PYB_CHAIN_NONE ||
               snapshot->chains.from[i] == 0;
    return (snapshot->state[i] & PYB_THING_OUTSIDE) != 0 ||
           snapshot->flow.turned[i] == snapshot->flow.turned[i + 1];
}

static int
take_fact(struct pyb_snapshot *snapshot, size_t i)
{
    PyObject *op = pyb_snapshot_object(snapshot, i);
    ptrdiff_t type = pyb_numbers_of(&snapshot->types, Py_TYPE(op));
    int is_container = i < snapshot->census.n;

    if (type < 0)
        return -1;
    snapshot->type[i] = (uint32_t)type;
    snapshot->bytes[i] =
        is_container ? pyb_size_container(op) : pyb_size_plain(op);
    snapshot->state[i] =
        (unsigned char)(is_container ? state_of_container(snapshot, i)
                                     : state_of_plain(snapshot, i));
    snapshot->is_root[i] = (unsigned char)is_root(snapshot, i);
    return 0;
}

static int
take_facts(struct pyb_snapshot *snapshot)
{
    size_t n = snapshot->n + 1;

    snapshot->bytes = calloc(n, sizeof *snapshot->bytes);
    snapshot->type = calloc(n, sizeof *snapshot->type);
    snapshot->state = calloc(n, 1);
    snapshot->is_root = calloc(n, 1);
    if (snapshot->bytes == NULL || snapshot->type == NULL ||
        snapshot->state == NULL || snapshot->is_root == NULL)
        return -1;
    for (size_t i = 0; i < snapshot->n; i++)
        if (take_fact(snapshot, i) < 0)
            return -1;
    return 0;
}

/* ------------------------------------------------------------------ */

/* What is known of a plain object follows from its owners. */
static int
is_plain_row(const struct pyb_snapshot *snapshot, size_t i)
{
    const struct pyb_flow *flow = &snapshot->flow;
    int outside = (snapshot->state[i] & PYB_THING_OUTSIDE) != 0;
    int owned = flow->turned[i] != flow->turned[i + 1];

    return flow->first[i] == flow->first[i + 1] &&
           snapshot->is_root[i] == (outside || !owned);
}

static void
check_row(const struct pyb_snapshot *snapshot, size_t i)
{
    unsigned state = snapshot->state[i];
    PyObject *op = pyb_snapshot_object(snapshot, i);

    PYB_ALWAYS((state & PYB_THING_PLAIN) ==
                   (i < snapshot->census.n ? 0 : PYB_THING_PLAIN),
               op, "an object is not behind the containers, or among them");
    PYB_ALWAYS(snapshot->type[i] < snapshot->types.n &&
                   pyb_snapshot_type(snapshot, snapshot->type[i]) ==
                       Py_TYPE(op),
               op, "an object has not its type's number");
    PYB_ALWAYS(!(state & PYB_THING_GARBAGE) || snapshot->is_root[i], op,
               "garbage is kept by something");
    PYB_ALWAYS(!(state & PYB_THING_PLAIN) || is_plain_row(snapshot, i), op,
               "a plain object is kept by others than its owners");
}

void
pyb_snapshot_check(const struct pyb_snapshot *snapshot)
{
    PYB_ALWAYS(snapshot->n == snapshot->census.n + snapshot->plain.n &&
                   snapshot->n == snapshot->flow.n,
               NULL, "a snapshot has another number of objects");
    PYB_ALWAYS(snapshot->own.census == &snapshot->census &&
                   snapshot->chains.census == &snapshot->census,
               NULL, "a snapshot is of several censuses");
    pyb_flow_check(&snapshot->flow);
    pyb_numbers_check(&snapshot->plain);
    pyb_numbers_check(&snapshot->types);
    for (size_t i = 0; i < snapshot->n; i++)
        check_row(snapshot, i);
}

static void
drop_arrays(struct pyb_snapshot *snapshot)
{
    pyb_flow_end(&snapshot->flow);
    pyb_numbers_end(&snapshot->plain);
    pyb_numbers_end(&snapshot->types);
    free(snapshot->bytes);
    free(snapshot->type);
    free(snapshot->state);
    free(snapshot->is_root);
}

/* Takes what else there is, with the census, own and chains open. */
static int
take_arrays(struct pyb_snapshot *snapshot)
{
    if (take_edges(snapshot) == 0 && take_facts(snapshot) == 0) {
        PYB_EXPENSIVE(pyb_snapshot_check(snapshot));
        return 0;
    }
    drop_arrays(snapshot);
    pyb_upcalls.no_memory();
    return -1;
}

int
pyb_snapshot_take(struct pyb_snapshot *snapshot)
{
    *snapshot = (struct pyb_snapshot){.n = 0};
    if (pyb_census_take(&snapshot->census) < 0)
        return -1;
    if (pyb_own_take(&snapshot->own, &snapshot->census) == 0) {
        if (pyb_chains_take(&snapshot->chains, &snapshot->census, NULL) == 0) {
            if (take_arrays(snapshot) == 0)
                return 0;
            pyb_chains_end(&snapshot->chains);
        }
        pyb_own_end(&snapshot->own);
    }
    pyb_census_end(&snapshot->census);
    return -1;
}

void
pyb_snapshot_end(struct pyb_snapshot *snapshot)
{
    drop_arrays(snapshot);
    pyb_chains_end(&snapshot->chains);
    pyb_own_end(&snapshot->own);
    pyb_census_end(&snapshot->census);
}
