/* overvisit.c: with checks: which types visit an object more often than it
   is referred to.  See overvisit.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "gc/check/overvisit.h"
#include "gc/heap/heap.h"

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

/* Does an object visit the victim more often than its body has its address,
   and no address of memory that could have it, too?  Then it is proven that
   its tp_traverse is wrong.  Where the body has it nowhere, what it owns is
   found in another way, a table in static data for instance. */
static int
visits_without_word(const struct blame *blame, PyObject *op)
{
    void *const *word = (void *const *)(void *)(op + 1);
    void *const *end =
        (void *const *)(void *)((char *)op + pyb_heap_block_size(op));
    size_t n = 0;

    PYB_ASSERT(pyb_heap_block_size(op) >= sizeof *op);
    for (; word < end; word++) {
        n += *word == blame->victim;
        if (*word != blame->victim && pyb_inspect_is_opaque(*word))
            return 0;
    }
    return blame->visits > n && (n > 0 || op == blame->victim);
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
    PyObject *suspect, *guilty = NULL;
    size_t visits = 0;
    char names[128] = "";

    PYB_ASSERT(pyb_sidetable_holds(op));
    PYB_FOR_EACH (visitor, i, candidates) {
        blame_one(&blame, visitor);
        if (visits_without_word(&blame, visitor))
            guilty = visitor;
        visits += blame.visits;
    }
    suspect = name_suspects(&blame, names, sizeof names);
    print_parties(&blame);
    if (guilty != NULL)
        pyb_fatal_about(op, "tp_traverse", Py_TYPE(guilty)->tp_name, guilty,
                        "visits an object of type %s at %p more often than it "
                        "is referred to\n"
                        "refcount is too small: it is %zd, and there are %zu "
                        "visits",
                        Py_TYPE(op)->tp_name, (void *)op, op->ob_refcnt,
                        visits);
    pyb_fatal_about(
        op, "Py_DECREF or tp_traverse", names, suspect,
        "refcount is too small: it is %zd, and there are %zu visits "
        "to an object of type %s at %p\n"
        "one Py_DECREF too many, or a Py_INCREF was forgotten; or "
        "its tp_traverse visits what it does not own",
        op->ob_refcnt, visits, Py_TYPE(op)->tp_name, (void *)op);
}
