/* overvisit.c: with checks: which types visit an object more often than they
   refer to it, or than it is referred to at all.  See overvisit.h. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "gc/check/overvisit.h"
#include "gc/check/plains.h"
#include "gc/heap/heap.h"

/* ------------------------------------------------------------------ */
/* More often than it refers to it                                     */

/* Could what a word of a body leads to own references on behalf of the body?
   A container that is tracked visits its own; what is immortal, and numbers
   and texts, own nothing that dies.  An array of malloc's may look like one of
   these, so they have to be known. */
static int
is_agent(void *word)
{
    enum { LEAF = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_UNICODE_SUBCLASS };
    PyObject *op = word;

    if (!pyb_inspect_is_object(op))
        return pyb_inspect_is_opaque(op);
    if (pyb_sidetable_holds(op))
        return !PyObject_GC_IsTracked(op);
    return !_Py_IsImmortal(op) &&
           !(pyb_plains_has(op) && PyType_HasFeature(Py_TYPE(op), LEAF));
}

/* Does a body have the address less often than is visited, at least once but
   for the object itself, and nothing that could own it, too?  Where it is
   nowhere, what the object owns is found in another way, by an index or in
   static data. */
static int
is_excess(PyObject *op, const PyObject *to, size_t visits, size_t *references)
{
    void *const *begin = (void *const *)(void *)&op->ob_type;
    void *const *end =
        (void *const *)(void *)((char *)op + pyb_heap_block_size(op));

    PYB_ASSERT(pyb_heap_block_size(op) >= sizeof *op);
    *references = 0;
    for (void *const *word = begin; word < end; word++)
        *references += *word == to;
    if (*references >= visits || (*references == 0 && op != to))
        return 0;
    for (void *const *word = begin; word < end; word++)
        if (*word != to && is_agent(*word))
            return 0;
    return 1;
}

/* What may be wrong, though no count says so yet: for the message of one that
   does, later.  Names are copied: types go. */
enum { SUSPECTED = 64, TYPE_BYTES = 64, FIELD_BYTES = 110 };
static struct suspicion {
    size_t visits, references; /* of one instance */
    char type[TYPE_BYTES], to[TYPE_BYTES], field[FIELD_BYTES];
} suspected[SUSPECTED];
static unsigned n_suspected; /* later ones are not noted */

static int
is_same(const struct suspicion *one, const struct suspicion *other)
{
    return strcmp(one->type, other->type) == 0 &&
           strcmp(one->to, other->to) == 0 &&
           strcmp(one->field, other->field) == 0;
}

static void
note(PyObject *op, PyObject *to, size_t visits, size_t references)
{
    struct suspicion suspicion = {visits, references, "", "", ""};
    unsigned i = 0;

    snprintf(suspicion.type, TYPE_BYTES, "%s", Py_TYPE(op)->tp_name);
    snprintf(suspicion.to, TYPE_BYTES, "%s", Py_TYPE(to)->tp_name);
    if (references > 0 && pyb_events != NULL)
        pyb_events->field(op, to, suspicion.field, FIELD_BYTES);
    while (i < n_suspected && !is_same(&suspected[i], &suspicion))
        i++;
    if (i == n_suspected && i < SUSPECTED)
        suspected[n_suspected++] = suspicion;
}

void
pyb_overvisit_look(PyObject *op, PyObject *const *visited, size_t n)
{
    PYB_ASSERT_OBJECT(pyb_sidetable_holds(op), op);
    for (size_t i = 0; i < n; i++) {
        size_t visits = 0, references, first = 0;

        while (visited[first] != visited[i])
            first++;
        if (first < i || _Py_IsImmortal(visited[i]))
            continue;
        for (size_t j = i; j < n; j++)
            visits += visited[j] == visited[i];
        if ((visits > 1 || visited[i] == op) &&
            is_excess(op, visited[i], visits, &references))
            note(op, visited[i], visits, references);
    }
}

void
pyb_overvisit_recall(PyObject *to)
{
    const struct suspicion *one = suspected, *end = suspected + n_suspected;
    char name[TYPE_BYTES];

    snprintf(name, sizeof name, "%s", Py_TYPE(to)->tp_name);
    while (one < end && strcmp(one->to, name) != 0)
        one++;
    if (one < end)
        pyb_fatal_type("tp_traverse", one->type, to,
                       "visits objects of type %s more often than it refers "
                       "to them: %zu visit%s, %zu reference%s%s\n"
                       "the object was cleared as garbage, and has an owner, "
                       "whose reference did not count",
                       one->to, one->visits, one->visits == 1 ? "" : "s",
                       one->references, one->references == 1 ? "" : "s",
                       one->field);
}

/* ------------------------------------------------------------------ */
/* More often than it is referred to                                   */

/* It is proven that one tp_traverse is wrong, and this one looks so. */
_Py_NO_RETURN static void
fail(PyObject *op, PyObject *to, size_t visits, size_t references)
{
    char field[FIELD_BYTES] = "";

    if (references > 0 && pyb_events != NULL)
        pyb_events->field(op, to, field, sizeof field);
    pyb_fatal_type("tp_traverse", Py_TYPE(op)->tp_name, op,
                   "visits an object of type %s at %p more often than it "
                   "refers to it: %zu visit%s, %zu reference%s%s",
                   Py_TYPE(to)->tp_name, (void *)to, visits,
                   visits == 1 ? "" : "s", references,
                   references == 1 ? "" : "s", field);
}

enum { PARTIES = 16 }; /* types; later ones are not named */

/* The visits to an object that is visited too often, by type. */
struct blame {
    PyObject *victim;
    size_t visits; /* by the object that is being asked */
    struct party {
        PyObject *one;
        size_t visits, objects;
    } parties[PARTIES];
};

static int
visit_blame(PyObject *op, void *arg)
{
    struct blame *blame = arg;

    blame->visits += op == blame->victim;
    return 0;
}

static void
blame_one(struct blame *blame, PyObject *op)
{
    struct party *party = blame->parties;

    blame->visits = 0;
    Py_TYPE(op)->tp_traverse(op, visit_blame, blame);
    if (blame->visits == 0)
        return;
    while (party->one != NULL && !Py_IS_TYPE(party->one, Py_TYPE(op)))
        if (++party == blame->parties + PARTIES)
            return;
    PYB_ASSERT(party < blame->parties + PARTIES);
    if (party->one == NULL)
        party->one = op;
    party->visits += blame->visits;
    party->objects++;
}

/* Names the types that pay the most visits, "A or B"; one object of theirs is
   the result. */
static PyObject *
name_suspects(const struct blame *blame, char *names, size_t size)
{
    const struct party *end = blame->parties, *suspect = NULL;
    size_t most = 0, used = 0;

    for (; end < blame->parties + PARTIES && end->one != NULL; end++)
        most = Py_MAX(most, end->visits);
    for (const struct party *party = blame->parties; party < end; party++) {
        if (party->visits < most || used >= size)
            continue;
        used += (size_t)snprintf(names + used, size - used, "%s%s",
                                 suspect != NULL ? " or " : "",
                                 Py_TYPE(party->one)->tp_name);
        suspect = party;
    }
    return suspect != NULL ? suspect->one : NULL;
}

static void
print_parties(const struct blame *blame)
{
    fflush(stdout);
    for (int i = 0; i < PARTIES && blame->parties[i].one != NULL; i++) {
        const struct party *party = &blame->parties[i];

        fprintf(stderr, "visited %zu time%s by %zu object%s of type %s\n",
                party->visits, party->visits == 1 ? "" : "s", party->objects,
                party->objects == 1 ? "" : "s", Py_TYPE(party->one)->tp_name);
    }
}

void
pyb_overvisit(PyObject *op, struct pyb_walk candidates)
{
    struct blame blame = {.victim = op};
    PyObject *one;
    size_t visits = 0, references;
    char names[128] = "";

    PYB_ASSERT(pyb_sidetable_holds(op));
    PYB_FOR_EACH (visitor, i, candidates) {
        blame_one(&blame, visitor);
        if (is_excess(visitor, op, blame.visits, &references))
            fail(visitor, op, blame.visits, references);
        visits += blame.visits;
    }
    one = name_suspects(&blame, names, sizeof names);
    print_parties(&blame);
    pyb_fatal_about(
        op, "Py_DECREF or tp_traverse", names, one,
        "refcount is too small: it is %zd, and there are %zu visits "
        "to an object of type %s at %p\n"
        "one Py_DECREF too many, or a Py_INCREF was forgotten; or "
        "its tp_traverse visits what it does not own: PYBOEHM_AUDIT=1 may "
        "tell which",
        op->ob_refcnt, visits, Py_TYPE(op)->tp_name, (void *)op);
}
