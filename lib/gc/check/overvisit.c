/* overvisit.c: with checks: which types visit an object more often than they
   refer to it, or than it is referred to at all.  See overvisit.h. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "gc/check/overvisit.h"
#include "gc/heap/heap.h"

/* ------------------------------------------------------------------ */
/* More often than it refers to it                                     */

/* Could what a word of a body leads to own references on behalf of the body?
   A container that is tracked visits its own; what is immortal, and numbers
   and texts, own nothing that dies.  (In an array of references the first one
   stands where an object has its count, and the second one its type.) */
static int
is_agent(void *word)
{
    enum {
        COUNT_MAX = 1 << 16, /* below all addresses */
        LEAF = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_BYTES_SUBCLASS |
               Py_TPFLAGS_UNICODE_SUBCLASS
    };
    PyObject *op = word;

    if (!pyb_inspect_is_object(op))
        return pyb_inspect_is_opaque(op);
    if (pyb_sidetable_holds(op))
        return !PyObject_GC_IsTracked(op);
    return !_Py_IsImmortal(op) && !(op->ob_refcnt < COUNT_MAX &&
                                    PyType_HasFeature(Py_TYPE(op), LEAF));
}

/* How often the body of op has the address; -1 if something else in it may
   own what stands there, too. */
static Py_ssize_t
references(PyObject *op, const PyObject *to)
{
    void *const *word = (void *const *)(void *)&op->ob_type;
    void *const *end =
        (void *const *)(void *)((char *)op + pyb_heap_block_size(op));
    Py_ssize_t n = 0;

    PYB_ASSERT(pyb_heap_block_size(op) >= sizeof *op);
    for (; word < end; word++)
        if (*word == to)
            n++;
        else if (is_agent(*word))
            return -1;
    return n;
}

_Py_NO_RETURN static void
fail(PyObject *op, PyObject *to, size_t visits, Py_ssize_t n)
{
    char field[110] = "";

    if (n > 0 && pyb_events != NULL)
        pyb_events->field(op, to, field, sizeof field);
    pyb_fatal_type("tp_traverse", Py_TYPE(op)->tp_name, op,
                   "visits an object of type %s at %p more often than it "
                   "refers to it: %zu visit%s, %zd reference%s%s",
                   Py_TYPE(to)->tp_name, (void *)to, visits,
                   visits == 1 ? "" : "s", n, n == 1 ? "" : "s", field);
}

/* Where the body has the address nowhere, what it owns is found in another
   way, by an index or in static data. */
void
pyb_overvisit_try(PyObject *op, PyObject *const *visited, size_t n)
{
    PYB_ASSERT_OBJECT(pyb_sidetable_holds(op), op);
    for (size_t i = 0; i < n; i++) {
        size_t visits = 1;
        Py_ssize_t refs;

        for (size_t j = 0; j < n; j++)
            visits += j > i && visited[j] == visited[i];
        if (visits == 1 && visited[i] != op)
            continue;
        refs = references(op, visited[i]);
        if (refs > (visited[i] == op ? -1 : 0) && visits > (size_t)refs)
            fail(op, visited[i], visits, refs);
    }
}

/* ------------------------------------------------------------------ */
/* More often than it is referred to                                   */

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
    PyObject *suspect;
    size_t visits = 0;
    char names[128] = "";

    PYB_ASSERT(pyb_sidetable_holds(op));
    PYB_FOR_EACH (visitor, i, candidates) {
        blame_one(&blame, visitor);
        visits += blame.visits;
    }
    suspect = name_suspects(&blame, names, sizeof names);
    print_parties(&blame);
    pyb_fatal_about(
        op, "Py_DECREF or tp_traverse", names, suspect,
        "refcount is too small: it is %zd, and there are %zu visits "
        "to an object of type %s at %p\n"
        "one Py_DECREF too many, or a Py_INCREF was forgotten; or "
        "its tp_traverse visits what it does not own: PYBOEHM_AUDIT=1 may "
        "tell which",
        op->ob_refcnt, visits, Py_TYPE(op)->tp_name, (void *)op);
}
