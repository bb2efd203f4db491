/* overvisit.c: which types visit an object more often than they refer to it,
   or, with checks, than it is referred to at all.  See overvisit.h. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "gc/check/overvisit.h"
#include "gc/check/plains.h"
#include "gc/heap/heap.h"

const char *
pyb_suspicion_text(const struct pyb_suspicion *suspicion,
                   char text[PYB_SUSPICION_BYTES])
{
    snprintf(text, PYB_SUSPICION_BYTES,
             "visits %s more often than it refers to it: %zu visit%s, %zu "
             "reference%s%s",
             suspicion->to, suspicion->visits,
             suspicion->visits == 1 ? "" : "s", suspicion->references,
             suspicion->references == 1 ? "" : "s", suspicion->field);
    return text;
}

/* ------------------------------------------------------------------ */
/* More often than it refers to it                                     */

/* Could what a word of a body leads to own references on behalf of the body?
   A container that is tracked visits its own; what is immortal, and numbers
   and texts, own nothing that dies.  An array of malloc's may look like one of
   these: with checks they are known. */
static int
is_agent(void *word)
{
    enum { LEAF = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_UNICODE_SUBCLASS };
    PyObject *op = word;

    if (pyb_sidetable_holds(op))
        return !PyObject_GC_IsTracked(op);
    if (pyb_inspect_is_opaque(op)) /* or the system does not say what it is */
        return 1;
    return pyb_inspect_is_object(op) && !_Py_IsImmortal(op) &&
           !(PyType_HasFeature(Py_TYPE(op), LEAF) &&
             (!pyb_checks || pyb_plains_has(op)));
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

/* Suspicions about the set that was looked at last.  Names are copied: a type
   may be freed with the set. */
enum { SUSPECTED = 64 };
static struct pyb_suspicion suspected[SUSPECTED];
static unsigned n_suspected; /* further ones are not noted */

static int
is_same(const struct pyb_suspicion *one, const struct pyb_suspicion *other)
{
    return one->traverse == other->traverse &&
           strcmp(one->type, other->type) == 0 &&
           strcmp(one->to, other->to) == 0 &&
           strcmp(one->field, other->field) == 0;
}

static struct pyb_suspicion
make_suspicion(PyObject *op, PyObject *to, size_t visits, size_t references)
{
    struct pyb_suspicion suspicion = {
        .visits = visits,
        .references = references,
        .traverse = (const void *)(uintptr_t)Py_TYPE(op)->tp_traverse};

    snprintf(suspicion.type, sizeof suspicion.type, "%s",
             Py_TYPE(op)->tp_name);
    snprintf(suspicion.to, sizeof suspicion.to, "%s", Py_TYPE(to)->tp_name);
    if (references > 0 && pyb_events != NULL)
        pyb_events->field(op, to, suspicion.field, sizeof suspicion.field);
    return suspicion;
}

static void
note(PyObject *op, PyObject *to, size_t visits, size_t references)
{
    struct pyb_suspicion suspicion =
        make_suspicion(op, to, visits, references);
    unsigned i = 0;

    PYB_ASSERT_OBJECT(visits > references, op);
    PYB_ASSERT(n_suspected <= SUSPECTED);
    while (i < n_suspected && !is_same(&suspected[i], &suspicion))
        i++;
    if (i == n_suspected && i < SUSPECTED)
        suspected[n_suspected++] = suspicion;
}

/* What an object visits; of one with more visits none is looked at. */
enum { VISITS = 64 };
struct visits {
    size_t n;
    PyObject *visited[VISITS];
};

static int
visit_list(PyObject *op, void *arg)
{
    struct visits *visits = arg;

    if (visits->n < VISITS)
        visits->visited[visits->n] = op;
    visits->n++;
    return 0;
}

/* How often it is among them from the i-th on; 0 if it was before that. */
static size_t
count_visits(const struct visits *visits, size_t i)
{
    size_t n = 0;

    PYB_ASSERT(i < visits->n && visits->n <= VISITS);
    for (size_t j = 0; j < visits->n; j++)
        if (visits->visited[j] == visits->visited[i]) {
            if (j < i)
                return 0;
            n++;
        }
    return n;
}

/* Notes op's visits to members alone: what else is visited need not be an
   object.  The pages that were readable at an earlier look may be unmapped. */
static void
look(PyObject *op, int *rechecked)
{
    struct visits visits = {.n = 0};

    Py_TYPE(op)->tp_traverse(op, visit_list, &visits);
    if (visits.n > VISITS)
        return;
    for (size_t i = 0; i < visits.n; i++) {
        PyObject *to = visits.visited[i];
        size_t n = count_visits(&visits, i), references;

        if (n < 1 + (size_t)(to != op) || !pyb_is_condemned(to))
            continue;
        if (!*rechecked)
            pyb_inspect_recheck();
        *rechecked = 1;
        if (is_excess(op, to, n, &references))
            note(op, to, n, references);
    }
}

void
pyb_overvisit_look(struct pyb_walk members)
{
    int rechecked = 0;

    n_suspected = 0;
    PYB_FOR_EACH (op, i, members)
        if (op->ob_refcnt > 0)
            look(op, &rechecked);
}

const struct pyb_suspicion *
pyb_overvisit_suspected(const PyObject *to)
{
    char name[PYB_SUSPICION_TYPE];

    snprintf(name, sizeof name, "%s", Py_TYPE(to)->tp_name);
    for (unsigned i = 0; i < n_suspected; i++)
        if (strcmp(suspected[i].to, name) == 0)
            return &suspected[i];
    return NULL;
}

/* ------------------------------------------------------------------ */
/* More often than it is referred to                                   */

/* It is proven that one tp_traverse is wrong, and this one looks so. */
_Py_NO_RETURN static void
fail(PyObject *op, PyObject *to, size_t visits, size_t references)
{
    struct pyb_suspicion suspicion =
        make_suspicion(op, to, visits, references);
    char text[PYB_SUSPICION_BYTES];

    pyb_fatal_type(
        "tp_traverse", suspicion.type, op,
        "%s\n"
        "what it visits is at %p, and its refcount is too small: %zd",
        pyb_suspicion_text(&suspicion, text), (void *)to, to->ob_refcnt);
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
