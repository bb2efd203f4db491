/* overvisit.c: an object is visited more often than it is referred to.  See
   overvisit.h. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/overvisit.h"
#include "gc/check/visits.h"
#include "gc/heap/sidetable.h"

/* For messages: the count, without Boehm's reference to an adopted object. */
static Py_ssize_t
references_to(const PyObject *op)
{
    return pyb_is_adopted(op) ? pyb_adoption_references(op) : op->ob_refcnt;
}

static const char *
but_boehms(const PyObject *op)
{
    return pyb_is_adopted(op) ? " but for Boehm's" : "";
}

/* It is proven that one tp_traverse is wrong, and this one looks so. */
_Py_NO_RETURN static void
fail(PyObject *op, PyObject *to, size_t visits, size_t references)
{
    struct pyb_visits made = pyb_visits_make(op, to, visits, references);
    char text[PYB_VISITS_BYTES];

    PYB_ASSERT_OBJECT(visits > references, op);
    pyb_fatal_type(
        "tp_traverse", made.type, op,
        "%s\n"
        "what it visits is at %p, and its refcount is too small: %zd%s",
        pyb_visits_text(&made, text), (void *)to, references_to(to),
        but_boehms(to));
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

    PYB_ASSERT(size > 0 && *names == '\0');
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
        char field[PYB_VISITS_FIELD] = "";

        PYB_ASSERT(party->objects > 0 && party->visits >= party->objects);
        if (pyb_events != NULL)
            pyb_events->field(party->one, blame->victim, field, sizeof field);
        fprintf(stderr, "visited %zu time%s by %zu object%s of type %s%s\n",
                party->visits, party->visits == 1 ? "" : "s", party->objects,
                party->objects == 1 ? "" : "s", Py_TYPE(party->one)->tp_name,
                field);
    }
}

/* In how many words of static data is its address?  In a table, for instance,
   by which the visitor finds what it owns besides.  All memory is read. */
static size_t
variables_with(PyObject *op)
{
    return pyb_events != NULL ? pyb_events->places(op, NULL) : 0;
}

void
pyb_overvisit(PyObject *op, struct pyb_walk candidates)
{
    struct blame blame = {.victim = op};
    PyObject *one;
    static const size_t unknown = SIZE_MAX;
    size_t visits = 0, references, variables = unknown;
    char names[128] = "";

    PYB_ASSERT(pyb_checks && pyb_sidetable_holds(op));
    PYB_FOR_EACH (visitor, i, candidates) {
        blame_one(&blame, visitor);
        if (pyb_visits_excess(visitor, op, blame.visits, &references)) {
            if (variables == unknown)
                variables = variables_with(op);
            if (blame.visits - references > variables)
                fail(visitor, op, blame.visits, references);
        }
        visits += blame.visits;
    }
    one = name_suspects(&blame, names, sizeof names);
    print_parties(&blame);
    pyb_fatal_about(
        op, "Py_DECREF or tp_traverse", names, one,
        "refcount is too small: it is %zd%s, and there %s %zu visit%s "
        "to an object of type %s at %p\n"
        "one Py_DECREF too many, or a Py_INCREF was forgotten; or "
        "its tp_traverse visits what it does not own: PYBOEHM_AUDIT=1 may "
        "tell which; with PYBOEHM_STRESS=1 this comes sooner after it",
        references_to(op), but_boehms(op), visits == 1 ? "is" : "are", visits,
        visits == 1 ? "" : "s", Py_TYPE(op)->tp_name, (void *)op);
}
