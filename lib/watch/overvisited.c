/* overvisited.c: references that tp_traverse reports and that are none.  See
   overvisited.h.

   That somebody visits an object too often is what its count says: it has
   fewer references than it has visits.  Who it is has to be told from those
   that visit it, the suspects.  A suspect is heavier if it visits the object
   more often than it has the address; a type of ours is none if there is
   another.  Whoever is suspected about most objects is accused, and cleared
   are the others as far as these objects go; and so on with the objects that
   are left. */

#include "Python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/lifecycle.h"
#include "watch/ledger.h"
#include "watch/overvisited.h"

/* One of those who visit an object that is visited too often. */
struct visitor {
    uint32_t from, to;
    uint32_t first, last; /* the visit that is one too many, from 1 on: one of
                             these and between, or the same twice */
    uint32_t visits;      /* that the visitor makes in all */
    int heavy;            /* more visits than words */
    PyTypeObject *type;
};

struct chase {
    const struct pyb_evidence *evidence;
    struct pyb_ledger ledger;
    struct visitor *visitors;
    size_t n, room;
    unsigned char *solved; /* of each container */
    /* Of the visitor that is being asked. */
    uint32_t from, visits;
    size_t first; /* its first entry */
    int no_memory;
};

/* ------------------------------------------------------------------ */
/* Who visits them                                                     */

static struct visitor *
entry(struct chase *chase, uint32_t to)
{
    struct visitor *more = chase->visitors;

    for (size_t i = chase->first; i < chase->n; i++)
        if (chase->visitors[i].to == to)
            return &chase->visitors[i];
    if (chase->n == chase->room) {
        more = realloc(more, (chase->room * 2 + 64) * sizeof *more);
        if (more == NULL) {
            chase->no_memory = 1;
            return NULL;
        }
        chase->room = chase->room * 2 + 64;
        chase->visitors = more;
    }
    more[chase->n] = (struct visitor){.from = chase->from, .to = to};
    return &more[chase->n++];
}

/* As many visits as there are words are paid for, the first ones.  Of a
   visitor with words for all of them any may be wrong.  words counts down. */
static int
chase_visit(PyObject *op, void *arg)
{
    struct chase *chase = arg;
    uint32_t to = pyb_evidence_number(chase->evidence, (uintptr_t)op);
    struct visitor *visitor;

    chase->visits++;
    if (to == PYB_NOBODY || chase->evidence->census.people[to].left >= 0)
        return 0;
    visitor = entry(chase, to);
    if (visitor == NULL)
        return 0;
    if (chase->ledger.words[to] == 0 && !visitor->heavy) {
        visitor->heavy = 1;
        visitor->first = visitor->last = chase->visits;
    } else if (!visitor->heavy) {
        visitor->first = visitor->first != 0 ? visitor->first : chase->visits;
        visitor->last = chase->visits;
    }
    if (chase->ledger.words[to] > 0)
        chase->ledger.words[to]--;
    return 0;
}

static void
ask(struct chase *chase, uint32_t from)
{
    PyObject *op = chase->evidence->census.people[from].op;

    chase->from = from;
    chase->visits = 0;
    chase->first = chase->n;
    pyb_ledger_open(&chase->ledger, from);
    if (Py_TYPE(op)->tp_traverse != NULL)
        Py_TYPE(op)->tp_traverse(op, chase_visit, chase);
    pyb_ledger_close(&chase->ledger, from);
    for (size_t i = chase->first; i < chase->n; i++) {
        chase->visitors[i].visits = chase->visits;
        chase->visitors[i].type = pyb_ledger_traverser(Py_TYPE(op));
    }
}

/* ------------------------------------------------------------------ */
/* Who it is                                                           */

static int
weight(const struct visitor *visitor)
{
    return 2 * visitor->heavy + !pyb_lifecycle_is_ours(visitor->type);
}

/* Strikes those who are lighter than another visitor of the same. */
static void
strike_light(struct chase *chase)
{
    unsigned char *heaviest = chase->solved; /* for the moment */

    for (size_t i = 0; i < chase->n; i++) {
        struct visitor *visitor = &chase->visitors[i];

        heaviest[visitor->to] =
            (unsigned char)Py_MAX(heaviest[visitor->to], weight(visitor));
    }
    for (size_t i = 0; i < chase->n; i++)
        if (weight(&chase->visitors[i]) < heaviest[chase->visitors[i].to])
            chase->visitors[i].type = NULL;
    memset(chase->solved, 0, chase->evidence->census.n);
}

/* How many objects that are not solved the type visits, or entries of its
   that is. */
static size_t
objects_of(const struct chase *chase, const PyTypeObject *type)
{
    size_t n = 0;

    for (size_t i = 0; i < chase->n; i++)
        n += chase->visitors[i].type == type &&
             !chase->solved[chase->visitors[i].to];
    return n;
}

/* One visitor of the type that most is explained by; NULL if nothing is left.
 */
static const struct visitor *
accuse(const struct chase *chase)
{
    const struct visitor *accused = NULL;
    PyTypeObject *last = NULL;
    size_t most = 0, n;

    for (size_t i = 0; i < chase->n; i++) {
        const struct visitor *visitor = &chase->visitors[i];

        if (visitor->type == NULL || visitor->type == last ||
            chase->solved[visitor->to])
            continue;
        last = visitor->type;
        n = objects_of(chase, last);
        if (n > most) {
            most = n;
            accused = visitor;
        }
    }
    return accused;
}

/* One of another type that visits the same, and explains as much; or NULL. */
static const struct visitor *
alternative(const struct chase *chase, const struct visitor *accused)
{
    size_t n = objects_of(chase, accused->type);

    for (size_t i = 0; i < chase->n; i++) {
        const struct visitor *visitor = &chase->visitors[i];

        if (visitor->to == accused->to && visitor->type != NULL &&
            visitor->type != accused->type &&
            objects_of(chase, visitor->type) == n)
            return visitor;
    }
    return NULL;
}

/* How many instances visit too often what is not solved; solves it. */
static size_t
solve(struct chase *chase, const PyTypeObject *type)
{
    uint32_t last = PYB_NOBODY;
    size_t n = 0;

    for (size_t i = 0; i < chase->n; i++)
        if (chase->visitors[i].type == type &&
            !chase->solved[chase->visitors[i].to]) {
            n += chase->visitors[i].from != last;
            last = chase->visitors[i].from;
        }
    for (size_t i = 0; i < chase->n; i++)
        if (chase->visitors[i].type == type)
            chase->solved[chase->visitors[i].to] = 1;
    return n;
}

/* Two that cannot be told from each other are both named. */
static int
tell(struct chase *chase, const struct visitor *accused,
     struct pyb_findings *findings)
{
    const struct visitor *other = alternative(chase, accused);
    char what[256], visit[32] = "", detail[64];
    PyTypeObject *type = accused->type;
    PyObject *victim = chase->evidence->census.people[accused->to].op;
    struct pyb_finding finding = {
        .what = what,
        .detail = detail,
        .n = solve(chase, type),
        .of = pyb_ledger_instances(chase->evidence, type),
        .so = "what it reaches cannot be collected, and CPython may free it "
              "in use",
        .slot =
            other == NULL ? (const void *)(uintptr_t)type->tp_traverse : NULL};

    snprintf(what, sizeof what,
             "tp_traverse of %s%s%s visits %s more often than it is referred "
             "to",
             type->tp_name, other != NULL ? " or " : "",
             other != NULL ? other->type->tp_name : "",
             Py_TYPE(victim)->tp_name);
    if (accused->last != accused->first)
        snprintf(visit, sizeof visit, " or %u", accused->last);
    snprintf(detail, sizeof detail, "visit %u%s of %u", accused->first, visit,
             accused->visits);
    return pyb_findings_add(findings, &finding);
}

/* ------------------------------------------------------------------ */

static int
any_overvisited(const struct pyb_evidence *evidence)
{
    for (size_t i = 0; i < evidence->census.n; i++)
        if (evidence->census.people[i].left < 0)
            return 1;
    return 0;
}

static int
chase_all(struct chase *chase, struct pyb_findings *findings)
{
    const struct visitor *accused;

    for (uint32_t i = 0; i < chase->evidence->census.n; i++)
        ask(chase, i);
    if (chase->no_memory)
        return -1;
    strike_light(chase);
    while ((accused = accuse(chase)) != NULL)
        if (tell(chase, accused, findings) < 0)
            return -1;
    return 0;
}

int
pyb_overvisited_find(const struct pyb_evidence *evidence,
                     struct pyb_findings *findings)
{
    struct chase chase = {.evidence = evidence};
    int result = -1;

    if (!any_overvisited(evidence))
        return 0;
    if (pyb_ledger_begin(&chase.ledger, evidence) < 0)
        return -1;
    chase.solved = calloc(evidence->census.n + 1, 1);
    if (chase.solved != NULL)
        result = chase_all(&chase, findings);
    pyb_ledger_end(&chase.ledger);
    free(chase.solved);
    free(chase.visitors);
    return result;
}
