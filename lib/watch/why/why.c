/* why.c: what keeps an object alive: PyBoehm_WhyAlive.  See why.h.

   Reference counts tell how many owners are outside, tp_traverse gives the
   chains, and a search of memory finds the places of the owners. */

#include "Python.h"
#include "gc/base/fatal.h"
#include "pyboehm.h"

#include "gc/adoption.h"
#include "gc/base/upcalls.h"
#include "gc/check/dead.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "gc/heap/generations.h"
#include "object/module/gcmodule.h"
#include "object/module/import.h"
#include "object/module/module.h"
#include "types/str/str.h"
#include "watch/memory/outside.h"
#include "watch/why/chains.h"
#include "watch/why/edges.h"
#include "watch/why/why.h"

enum {
    CHAINS = 3, /* shown at most */
    STEPS = 6,  /* of a chain, shown at its beginning and at its end */
    PLACES = 6  /* of an object, shown at most */
};

struct why {
    const struct pyb_census *census;
    struct pyb_chains chains;
    PyObject *op;
    struct pyb_node *node; /* op's; NULL if op is not a container */
    FILE *file;
    size_t holders[CHAINS]; /* nodes that refer to op, shortest chain first */
    size_t n_holders;       /* the number of all such nodes */
    size_t n_held;          /* of them, those with a chain */
    Py_ssize_t visits;      /* visits to op */
    struct pyb_places places; /* the places of op, then of the roots of the
                                 chains */
};

/* ------------------------------------------------------------------ */
/* Referrers                                                           */

/* Is one node's chain better than the other's? */
static int
is_better(const struct why *why, size_t one, size_t other)
{
    unsigned a = why->chains.root[one], b = why->chains.root[other];

    if (a != b)
        return b == PYB_CHAIN_NONE || (a != PYB_CHAIN_NONE && a < b);
    return why->chains.length[one] < why->chains.length[other];
}

static void
enter_holder(struct why *why, size_t number)
{
    size_t n = Py_MIN(why->n_holders, CHAINS), i;

    PYB_ASSERT(number < why->census->n && why->n_held <= why->n_holders);
    why->n_holders++;
    why->n_held += why->chains.root[number] != PYB_CHAIN_NONE;
    for (i = n; i > 0 && is_better(why, number, why->holders[i - 1]); i--)
        if (i < CHAINS)
            why->holders[i] = why->holders[i - 1];
    if (i < CHAINS)
        why->holders[i] = number;
}

/* Finds the nodes that refer to op.  A reference of op to itself keeps nothing
   alive, and is left out. */
static void
find_holders(struct why *why)
{
    for (size_t i = 0; i < why->census->n; i++) {
        PyObject *op = why->census->nodes[i].op;
        size_t visits = pyb_census_visits(op, why->op);

        why->visits += (Py_ssize_t)visits;
        if (visits > 0 && op != why->op)
            enter_holder(why, i);
    }
}

/* The number of references to op from outside. */
static Py_ssize_t
outside(const struct why *why)
{
    if (_Py_IsImmortal(why->op))
        return 0;
    return why->node != NULL ? why->node->left
                             : why->op->ob_refcnt - why->visits;
}

/* ------------------------------------------------------------------ */
/* Names                                                               */

/* Prints an object's name, "module 'custom' at 0x1a0". */
static void
print_name(PyObject *op, FILE *file)
{
    PyObject *name = PyModule_Check(op) ? PYB_MODULE(op)->name : NULL;

    fputs(Py_TYPE(op)->tp_name, file);
    if (PyType_Check(op))
        fprintf(file, " '%.60s'", ((PyTypeObject *)op)->tp_name);
    else if (name != NULL && PyUnicode_Check(name))
        fprintf(file, " '%.60s'", pyb_str_text(name));
    fprintf(file, " at %p", (void *)op);
    if (pyb_import_is_modules(op))
        fputs(", sys.modules", file);
    if (pyb_gcmodule_list(op) != NULL)
        fprintf(file, ", %s", pyb_gcmodule_list(op));
}

enum { NAMES = 3 }; /* places of one owner that are named */

struct naming {
    PyObject *child;
    size_t n;
    char names[NAMES][PYB_EDGE_NAME];
};

static int
name_edge(const struct pyb_edge *edge, void *arg)
{
    struct naming *naming = arg;

    if (edge->child == naming->child && naming->n++ < NAMES)
        pyb_edge_name(edge, naming->names[naming->n - 1]);
    return 0;
}

/* Prints the places of a reference in its owner: "['a'], .first: ". */
static void
print_edge(PyObject *owner, PyObject *child, FILE *file)
{
    struct naming naming = {.child = child};
    size_t shown;

    (void)pyb_edges(owner, name_edge, &naming);
    shown = Py_MIN(naming.n, NAMES);
    for (size_t i = 0; i < shown; i++)
        fprintf(file, "%s%s", i > 0 ? ", " : "",
                *naming.names[i] != '\0' ? naming.names[i] : "inside");
    if (naming.n > shown)
        fprintf(file, " and %zu more", naming.n - shown);
    fputs(naming.n > 0 ? ": " : "inside: ", file);
}

/* ------------------------------------------------------------------ */
/* Owners outside                                                      */

/* Prints the places of one of the objects.  Memory other than static data and
   the host's often contains addresses that are not used any more; so no more
   places of that kind are printed than there are owners. */
static void
print_places(const struct why *why, size_t target, Py_ssize_t owners,
             int adopted, const char *indent)
{
    Py_ssize_t n = 0, visited = 0;

    for (size_t i = 0; i < why->places.n; i++) {
        const struct pyb_place *place = &why->places.all[i];

        if (place->target != target || n >= PLACES ||
            (place->kind >= PYB_PLACE_MALLOC && n >= owners))
            continue;
        fputs(indent, why->file);
        pyb_place_print(place, why->file);
        fputc('\n', why->file);
        n++;
        visited += place->visited;
    }
    if (n == 0)
        fprintf(why->file, "%s%s\n", indent,
                why->places.unknown ? "the memory of this process cannot be "
                                      "read: locations unknown"
                : adopted ? "no location found: the next full collection "
                            "ends it, unless Boehm sees one"
                          : "no location found: leaked reference");
    else if (n == visited)
        fprintf(why->file,
                "%sno other location found: leaked reference, unless that is "
                "owned\n",
                indent);
}

static const char *
plural(Py_ssize_t n)
{
    return n == 1 ? "" : "s";
}

/* Prints how many containers own op as their type and do not visit it. */
static void
print_instances(const struct why *why, PyObject *op, const char *indent)
{
    Py_ssize_t n = 0;

    if (!PyType_Check(op) ||
        !PyType_HasFeature((PyTypeObject *)op, Py_TPFLAGS_HEAPTYPE))
        return;
    for (size_t i = 0; i < why->census->n; i++) {
        PyObject *instance = why->census->nodes[i].op;

        n += Py_TYPE(instance) == (PyTypeObject *)op &&
             pyb_census_visits(instance, op) == 0;
    }
    if (n > 0)
        fprintf(why->file, "%s%zd instance%s of it, which %s not visit it\n",
                indent, n, plural(n), n == 1 ? "does" : "do");
}

/* Prints the root of a chain, and what holds it. */
static void
print_root(const struct why *why, size_t number, size_t target)
{
    PYB_ASSERT(why->chains.length[number] == 0);
    const struct pyb_node *node = &why->census->nodes[number];
    FILE *file = why->file;

    print_name(node->op, file);
    if (_Py_IsImmortal(node->op))
        fputs(", immortal", file);
    if (pyb_is_adopted(node->op))
        fputs(", adopted: Boehm keeps it while it sees it", file);
    if (why->chains.root[number] == PYB_CHAIN_FROZEN)
        fputs(", frozen: no collection looks at it", file);
    if (why->chains.root[number] == PYB_CHAIN_UNTRACKED)
        fputs(", not tracked: collections do not see what it refers to", file);
    if (node->left > 0)
        fprintf(file, ", %zd reference%s from outside", node->left,
                plural(node->left));
    fputc('\n', file);
    print_instances(why, node->op, "        ");
    if (node->left > 0 || pyb_is_adopted(node->op))
        print_places(why, target, Py_MAX(node->left, 1), node->left <= 0,
                     "        ");
}

/* ------------------------------------------------------------------ */
/* Chains                                                              */

/* The path to a node, the root first: length + 1 numbers, which the caller
   frees; NULL if there is no memory. */
static size_t *
path_to(const struct why *why, size_t number)
{
    size_t n = why->chains.length[number];
    size_t *path = calloc(n + 1, sizeof *path);

    if (path == NULL)
        return NULL;
    for (path[n] = number; n > 0; n--) {
        PYB_ASSERT(why->chains.from[path[n]] != 0);
        path[n - 1] = why->chains.from[path[n]] - 1;
    }
    PYB_ASSERT(why->chains.from[path[0]] == 0); /* it is a root */
    return path;
}

static void
print_chain(const struct why *why, size_t holder, size_t target)
{
    /* Those with a chain come first. */
    PYB_ASSERT(why->chains.root[holder] != PYB_CHAIN_NONE);
    PYB_ASSERT(target > 0 && target <= CHAINS);
    size_t n = why->chains.length[holder];
    size_t *path = path_to(why, holder);
    PyObject *last = why->census->nodes[holder].op;

    if (path == NULL)
        return;
    fputs("  held by ", why->file);
    print_root(why, path[0], target);
    for (size_t i = 1; i <= n; i++) {
        if (i == STEPS && n > 2 * STEPS) {
            fprintf(why->file, "    ... %zu more ...\n", n - 2 * STEPS + 1);
            i = n - STEPS + 1;
        }
        PyObject *op = why->census->nodes[path[i]].op;

        fputs("    ", why->file);
        print_edge(why->census->nodes[path[i - 1]].op, op, why->file);
        print_name(op, why->file);
        fputc('\n', why->file);
    }
    fputs("    ", why->file);
    print_edge(last, why->op, why->file);
    fputs("the object\n", why->file);
    free(path);
}

/* Prints the holders of an object that no chain reaches. */
static void
print_cycle(const struct why *why)
{
    size_t n = Py_MIN(why->n_holders, CHAINS);

    for (size_t i = 0; i < n; i++) {
        PyObject *owner = why->census->nodes[why->holders[i]].op;

        fputs("  referred to by ", why->file);
        print_name(owner, why->file);
        fputs(", ", why->file);
        print_edge(owner, why->op, why->file);
        fputs("the object\n", why->file);
    }
}

/* The root of a holder's chain. */
static size_t
root_of(const struct why *why, size_t number)
{
    PYB_ASSERT(why->chains.root[number] != PYB_CHAIN_NONE);
    while (why->chains.from[number] != 0)
        number = why->chains.from[number] - 1;
    return number;
}

/* ------------------------------------------------------------------ */
/* The whole answer                                                    */

/* Why an object without references from outside is kept; NULL if it is not. */
static const char *
kept_by_itself(const struct why *why)
{
    if (_Py_IsImmortal(why->op))
        return "immortal";
    if (why->node == NULL)
        return NULL;
    if (pyb_is_adopted(why->op))
        return "adopted: Boehm keeps it while it sees it";
    if (!PyObject_GC_IsTracked(why->op)) /* others are chains of their own */
        return pyb_census_visits(why->op, why->op) > 0
                   ? "not tracked: no collection looks at it"
                   : NULL;
    return pyb_generations_of(why->op) == PYB_FROZEN
               ? "frozen: no collection looks at it"
               : NULL;
}

static void
print_head(const struct why *why)
{
    const char *kept = kept_by_itself(why);
    Py_ssize_t left = outside(why), n = why->op->ob_refcnt;

    if (pyb_sidetable_holds(why->op) && pyb_is_adopted(why->op))
        n = pyb_adoption_references(why->op);
    print_name(why->op, why->file);
    if (kept != NULL)
        fprintf(why->file, ", %s", kept);
    if (!_Py_IsImmortal(why->op))
        fprintf(why->file, ", %zd reference%s, %zd from outside", n, plural(n),
                Py_MAX(left, 0));
    fputc('\n', why->file);
    print_instances(why, why->op, "    ");
    if (left > 0 || (why->node != NULL && pyb_is_adopted(why->op)))
        print_places(why, 0, Py_MAX(left, 1), left <= 0, "    ");
    if (left < 0)
        fprintf(why->file,
                "    %zd more reference%s visited than there are: one "
                "Py_DECREF too many, or a tp_traverse visits what is not "
                "owned; PYBOEHM_CHECK=1 says more\n",
                -left, left == -1 ? " is" : "s are");
}

/* Holders without a chain matter only if there are no others. */
static void
print_all(const struct why *why)
{
    size_t shown = Py_MIN(why->n_held, CHAINS);

    print_head(why);
    if (_Py_IsImmortal(why->op))
        return;
    for (size_t i = 0; i < shown; i++)
        print_chain(why, why->holders[i], i + 1);
    if (why->n_held == 0 && outside(why) <= 0) {
        print_cycle(why);
        shown = Py_MIN(why->n_holders, CHAINS);
    }
    if (why->n_holders > shown)
        fprintf(why->file, "  and %zu more refer%s to it\n",
                why->n_holders - shown,
                why->n_holders - shown == 1 ? "s" : "");
}

/* Searches for the places of op and of the chains' roots. */
static int
find_places(struct why *why, uintptr_t ground)
{
    PyObject *objects[CHAINS + 1] = {why->op};
    size_t n = Py_MIN(why->n_held, CHAINS);

    for (size_t i = 0; i < n; i++)
        objects[i + 1] = why->census->nodes[root_of(why, why->holders[i])].op;
    return pyb_outside_find(why->census, objects, n + 1, ground, &why->places);
}

/* The result of pyb_why_tell. */
static int
answer(const struct why *why)
{
    if (outside(why) > 0 || why->n_held > 0)
        return 1;
    if (why->node == NULL)
        return _Py_IsImmortal(why->op) || why->n_holders == 0;
    return kept_by_itself(why) != NULL;
}

int
pyb_why_tell(const struct pyb_census *census, PyObject *op, uintptr_t ground,
             FILE *file)
{
    struct why why = {.census = census,
                      .op = op,
                      .file = file,
                      .node = pyb_census_find(census, op)};
    int result = -1;

    if (pyb_chains_take(&why.chains, census, op) < 0)
        return -1;
    find_holders(&why);
    if (file == NULL) {
        result = answer(&why);
    } else if (find_places(&why, ground) == 0) {
        result = answer(&why);
        print_all(&why);
        if (result == 0)
            fputs("  nothing outside leads to it: the next collection finds"
                  " it\n",
                  file);
        pyb_outside_free(&why.places);
    }
    pyb_chains_end(&why.chains);
    return result;
}

/* A dead word may lead to a block of Boehm's heap, and that to the object. */
static int
is_certain(const struct pyb_place *place)
{
    return place->kind == PYB_PLACE_DATA;
}

/* Without a census: what a container owns is a place as others are. */
size_t
pyb_why_places(PyObject *op, FILE *file)
{
    const struct pyb_census none = {.n = 0};
    struct pyb_places places;
    uintptr_t ground = (uintptr_t)__builtin_frame_address(0);
    size_t certain = 0;

    if (pyb_outside_find(&none, &op, 1, ground, &places) < 0) {
        PyErr_Clear();
        return 0;
    }
    for (size_t i = 0; i < places.n; i++) {
        certain += (size_t)is_certain(&places.all[i]);
        if (file == NULL)
            continue;
        fputs("  ", file);
        pyb_place_print(&places.all[i], file);
        fputc('\n', file);
    }
    pyb_outside_free(&places);
    return certain;
}

/* The stack below this frame is not searched. */
__attribute__((noinline)) static int
ask(uintptr_t hidden, FILE *file)
{
    struct pyb_census census;
    int result;

    if (pyb_census_take(&census) < 0)
        return -1;
    result = pyb_why_tell(&census, (PyObject *)~hidden,
                          (uintptr_t)__builtin_frame_address(0), file);
    pyb_census_end(&census);
    return result;
}

/* Registers, in which callers keep variables, are saved on the stack, where
   the search finds them.  It must not find the argument there, which code that
   is not optimized keeps in this frame. */
int
PyBoehm_WhyAlive(PyObject *op, FILE *file)
{
    const uintptr_t hidden = ~(uintptr_t)op;
    int result = -1, under_way;

    __builtin_unwind_init();
    pyb_control_require(__func__);
    under_way = pyb_collect_is_under_way();
    if (!under_way)
        pyb_dead_given(__func__, op);
    op = NULL; /* NOLINT(clang-analyzer-deadcode.DeadStores) */
    if (hidden == ~(uintptr_t)0)
        PyErr_BadInternalCall();
    else if (under_way)
        PyErr_SetString(PyExc_RuntimeError, "a collection is under way");
    else
        result = ask(hidden, file);
    __asm__ volatile("" : "+r"(result)); /* keeps this frame until here */
    return result;
}
