/* dominators.c: what keeps what.  See dominators.h.

   The algorithm is that of Lengauer and Tarjan ("A fast algorithm for finding
   dominators in a flowgraph", 1979), with simple linking and path compression:
   m log n steps for m edges, whatever the graph looks like.  Their words are
   used: a search in depth numbers the nodes; semi is the number of the
   semidominator; ancestor and label are the forest of nodes that have been
   seen to.  Nothing recurs: a list of a million nodes is as deep as that.

   The number OUTER stands for a node outside that leads to all roots, 0 for
   none. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "watch/log/progress.h"
#include "watch/report/dominators.h"

enum { NONE, OUTER };

/* All arrays are by number, but for number itself, which is by node. */
struct search {
    const struct pyb_flow *flow;
    const unsigned char *is_root;
    uint32_t last; /* the highest number given */
    uint32_t *number, *vertex, *parent, *semi, *label, *ancestor;
    uint32_t *bucket, *next; /* nodes by semidominator: first one, next one */
    uint32_t *dom;
    uint32_t *path;  /* for compress */
    size_t *cursor;  /* by node: the edge that the search follows next */
    uint32_t *block; /* the memory of all but the last */
};

/* ------------------------------------------------------------------ */
/* The search in depth                                                 */

static void
enter(struct search *s, uint32_t node, uint32_t parent)
{
    uint32_t number = ++s->last;

    PYB_ASSERT(s->number[node] == NONE && number <= s->flow->n + OUTER);
    s->number[node] = number;
    s->vertex[number] = node;
    s->parent[number] = parent;
    s->semi[number] = s->label[number] = number;
    s->cursor[node] = s->flow->first[node];
}

/* Numbers all that a root leads to.  The way back is parent. */
static void
search_from(struct search *s, uint32_t root)
{
    uint32_t at;

    enter(s, root, OUTER);
    for (at = s->last; at != OUTER;) {
        uint32_t node = s->vertex[at];

        if (s->cursor[node] == s->flow->first[node + 1]) {
            at = s->parent[at];
            continue;
        }
        uint32_t child = s->flow->to[s->cursor[node]++];
        if (s->number[child] == NONE) {
            enter(s, child, at);
            at = s->last;
        }
    }
}

static void
search_all(struct search *s)
{
    s->last = OUTER;
    s->semi[OUTER] = s->label[OUTER] = OUTER;
    for (size_t i = 0; i < s->flow->n; i++)
        if (s->is_root[i] && s->number[i] == NONE)
            search_from(s, (uint32_t)i);
}

/* ------------------------------------------------------------------ */
/* Semidominators                                                      */

/* Has the path from v to the root of its tree become one step long. */
static void
compress(struct search *s, uint32_t v)
{
    size_t n = 0;

    for (; s->ancestor[s->ancestor[v]] != NONE; v = s->ancestor[v])
        s->path[n++] = v;
    while (n-- > 0) {
        uint32_t u = s->path[n], above = s->ancestor[u];

        if (s->semi[s->label[above]] < s->semi[s->label[u]])
            s->label[u] = s->label[above];
        s->ancestor[u] = s->ancestor[above];
    }
}

/* The node with the least semidominator on the path to v in its tree. */
static uint32_t
eval(struct search *s, uint32_t v)
{
    if (s->ancestor[v] != NONE)
        compress(s, v);
    return s->label[v];
}

static void
find_semidominator(struct search *s, uint32_t w)
{
    uint32_t node = s->vertex[w];

    if (s->is_root[node])
        s->semi[w] = OUTER;
    for (size_t i = s->flow->turned[node]; i < s->flow->turned[node + 1];
         i++) {
        uint32_t v = s->number[s->flow->from[i]], u;

        if (v == NONE)
            continue;
        u = eval(s, v);
        if (s->semi[u] < s->semi[w])
            s->semi[w] = s->semi[u];
    }
}

/* The nodes whose semidominator is p know their dominator now, or another node
   that has the same one. */
static void
empty_bucket(struct search *s, uint32_t p)
{
    for (uint32_t v = s->bucket[p]; v != NONE; v = s->next[v]) {
        uint32_t u = eval(s, v);

        s->dom[v] = s->semi[u] < s->semi[v] ? u : p;
    }
    s->bucket[p] = NONE;
}

static void
find_dominators(struct search *s)
{
    for (uint32_t w = s->last; w > OUTER; w--) {
        pyb_progress(s->last - w, s->last);
        find_semidominator(s, w);
        PYB_ASSERT(s->semi[w] >= OUTER && s->semi[w] < w);
        PYB_ASSERT(s->ancestor[w] == NONE); /* it is linked only now */
        s->next[w] = s->bucket[s->semi[w]];
        s->bucket[s->semi[w]] = w;
        s->ancestor[w] = s->parent[w];
        empty_bucket(s, s->parent[w]);
    }
    for (uint32_t w = OUTER + 1; w <= s->last; w++) {
        PYB_ASSERT(s->dom[w] >= s->semi[w] && s->dom[w] < w);
        if (s->dom[w] != s->semi[w])
            s->dom[w] = s->dom[s->dom[w]];
    }
}

/* ------------------------------------------------------------------ */

static int
begin(struct search *s)
{
    size_t n = s->flow->n + OUTER + 1;
    uint32_t **rows[] = {&s->number, &s->vertex,   &s->parent, &s->semi,
                         &s->label,  &s->ancestor, &s->bucket, &s->next,
                         &s->dom,    &s->path};

    if (s->flow->n >= UINT32_MAX - 2)
        return -1;
    s->block = calloc(n, Py_ARRAY_LENGTH(rows) * sizeof *s->block);
    s->cursor = malloc(n * sizeof *s->cursor);
    if (s->block == NULL || s->cursor == NULL)
        return -1;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rows); i++)
        *rows[i] = s->block + i * n;
    return 0;
}

static int
keep(const struct search *s, struct pyb_dominators *dominators)
{
    size_t n = s->flow->n + 1;

    dominators->parent = calloc(n, sizeof *dominators->parent);
    dominators->order = calloc(n, sizeof *dominators->order);
    if (dominators->parent == NULL || dominators->order == NULL)
        return -1;
    dominators->n = s->last - OUTER;
    for (uint32_t w = OUTER + 1; w <= s->last; w++) {
        uint32_t node = s->vertex[w], dom = s->dom[w];

        PYB_ASSERT(dom >= OUTER && dom < w);
        dominators->order[w - OUTER - 1] = node;
        dominators->parent[node] = dom == OUTER ? 0 : s->vertex[dom] + 1;
    }
    return 0;
}

/* Where a node is in the order; n if it is not there. */
static size_t
place_of(const struct pyb_dominators *dominators, size_t node)
{
    size_t i = 0;

    while (i < dominators->n && dominators->order[i] != node)
        i++;
    return i;
}

static void
check_places(const struct pyb_dominators *dominators, size_t n)
{
    for (size_t node = 0; node < n; node++) {
        size_t place = place_of(dominators, node);
        uint32_t parent = dominators->parent[node];

        PYB_ALWAYS(place < dominators->n || parent == 0, NULL,
                   "a node that no root leads to has a dominator");
        PYB_ALWAYS(parent == 0 || place_of(dominators, parent - 1) < place,
                   NULL, "a node is not behind its dominator");
    }
}

void
pyb_dominators_check(const struct pyb_dominators *dominators, size_t n)
{
    enum { SMALL = 1000 };
    size_t kept = 0;

    PYB_ALWAYS(dominators->n <= n, NULL,
               "more nodes are reached than there are");
    for (size_t i = 0; i < n; i++) {
        PYB_ALWAYS(dominators->parent[i] <= n &&
                       dominators->parent[i] != i + 1,
                   NULL, "a node's dominator is none");
        kept += dominators->parent[i] != 0;
    }
    for (size_t i = 0; i < dominators->n; i++) {
        PYB_ALWAYS(dominators->order[i] < n, NULL,
                   "the order has what is no node");
        kept -= dominators->parent[dominators->order[i]] != 0;
    }
    PYB_ALWAYS(kept == 0, NULL,
               "the order has not all nodes with a dominator once");
    if (n <= SMALL)
        check_places(dominators, n);
}

int
pyb_dominators_take(struct pyb_dominators *dominators,
                    const struct pyb_flow *flow, const unsigned char *is_root)
{
    struct search s = {.flow = flow, .is_root = is_root};
    int result;

    PYB_ASSERT(flow->turned != NULL); /* it has been turned */
    *dominators = (struct pyb_dominators){0};
    result = begin(&s);
    if (result == 0) {
        search_all(&s);
        find_dominators(&s);
        result = keep(&s, dominators);
        if (result == 0)
            PYB_EXPENSIVE(pyb_dominators_check(dominators, flow->n));
    }
    free(s.block);
    free(s.cursor);
    if (result < 0)
        pyb_dominators_end(dominators);
    return result;
}

void
pyb_dominators_end(struct pyb_dominators *dominators)
{
    free(dominators->parent);
    free(dominators->order);
    *dominators = (struct pyb_dominators){0};
}
