/* blame.c: with checks: who visits an object more often than it is referred
   to.  See blame.h. */

#include "Python.h"

#include "gc/blame.h"
#include "gc/fatal.h"

enum { PARTIES = 16 }; /* types; later ones are not suspected */

/* Who visits an object that is visited too often, by type. */
struct blame {
    PyObject *victim;
    size_t visits; /* by the object that is being asked */
    struct party {
        PyObject *one;
        size_t visits;
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
    fprintf(stderr, "visited %zu times by type %s, object at %p\n",
            blame->visits, Py_TYPE(op)->tp_name, (void *)op);
    while (party->one != NULL && !Py_IS_TYPE(party->one, Py_TYPE(op)))
        if (++party == blame->parties + PARTIES)
            return;
    if (party->one == NULL)
        party->one = op;
    party->visits += blame->visits;
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

void
pyb_blame(PyObject *op, struct pyb_walk candidates)
{
    struct blame blame = {.victim = op};
    struct pyb_group group;
    PyObject *visitor, *suspect;
    char names[128] = "";

    pyb_fatal_dump(__FILE__, __LINE__, __func__, op, "refcount is too small");
    while (pyb_walk_next(&candidates, &group))
        while ((visitor = pyb_group_take(&group)) != NULL)
            blame_one(&blame, visitor);
    suspect = name_suspects(&blame, names, sizeof names);
    pyb_fatal_type("tp_traverse", names, suspect,
                   "visits an object of type %s at %p more often than it is "
                   "referred to",
                   Py_TYPE(op)->tp_name, (void *)op);
}
