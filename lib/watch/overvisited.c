/* overvisited.c: references that tp_traverse reports and that are none.  See
   overvisited.h.

   That somebody visits an object too often is what its count says: it has
   fewer references than it has visits.  Who it is has to be told from those
   that visit it.  A visitor is heavier if it visits the object more often than
   it has the address, unless it has references elsewhere, and lightest of all
   if its type is ours; the lighter ones are cleared.  The types of the others
   are the suspects.  Whoever is suspected about most objects is accused, and
   cleared are the others as far as these objects go; and so on with the
   objects that are left. */

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
    int cleared;
    uint32_t suspect; /* its type */
};

struct suspect {
    PyTypeObject *type;
    size_t objects; /* that are not solved and that it is suspected about, or
                       visitors: only compared with others */
};

struct chase {
    const struct pyb_evidence *evidence;
    struct pyb_ledger ledger;
    struct visitor *visitors;
    size_t n, room;
    struct suspect *suspects;
    size_t n_suspects;
    unsigned char *solved; /* of each container */
    size_t *entries;       /* of each container: the last one about it */
    /* Of the container that is being asked. */
    uint32_t from, visits;
    size_t first; /* its first entry */
    int hides;    /* it has references that are not seen */
    int no_memory;
};

/* ------------------------------------------------------------------ */
/* Who visits them                                                     */

/* What is known of the visits to one container; NULL if there is no memory. */
static struct visitor *
entry(struct chase *chase, uint32_t to)
{
    struct visitor *more = chase->visitors;
    size_t last = chase->entries[to];

    if (last >= chase->first && last < chase->n && more[last].to == to)
        return &more[last];
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
    chase->entries[to] = chase->n;
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
    if (to == PYB_NOBODY)
        return 0;
    if (chase->evidence->census.people[to].left >= 0) {
        chase->hides |= chase->ledger.words[to] == 0;
        return 0;
    }
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

/* The number of a suspect. */
static uint32_t
enter_suspect(struct chase *chase, PyTypeObject *type)
{
    struct suspect *more = chase->suspects;

    for (size_t i = 0; i < chase->n_suspects; i++)
        if (more[i].type == type)
            return (uint32_t)i;
    more = realloc(more, (chase->n_suspects + 1) * sizeof *more);
    if (more == NULL) {
        chase->no_memory = 1;
        return 0;
    }
    chase->suspects = more;
    more[chase->n_suspects] = (struct suspect){type, 0};
    return (uint32_t)chase->n_suspects++;
}

static void
ask(struct chase *chase, uint32_t from)
{
    PyObject *op = chase->evidence->census.people[from].op;
    uint32_t suspect;

    chase->from = from;
    chase->visits = 0;
    chase->first = chase->n;
    chase->hides = 0;
    pyb_ledger_open(&chase->ledger, from);
    if (Py_TYPE(op)->tp_traverse != NULL)
        Py_TYPE(op)->tp_traverse(op, chase_visit, chase);
    pyb_ledger_close(&chase->ledger, from);
    if (chase->n == chase->first)
        return;
    suspect = enter_suspect(chase, pyb_ledger_traverser(Py_TYPE(op)));
    for (size_t i = chase->first; i < chase->n; i++) {
        chase->visitors[i].visits = chase->visits;
        chase->visitors[i].suspect = suspect;
        chase->visitors[i].heavy &= !chase->hides;
    }
}

/* ------------------------------------------------------------------ */
/* Who it is                                                           */

static PyTypeObject *
type_of(const struct chase *chase, const struct visitor *visitor)
{
    return chase->suspects[visitor->suspect].type;
}

/* Where the items of ours lie is not always seen. */
static int
weight(const struct chase *chase, const struct visitor *visitor)
{
    return pyb_lifecycle_is_ours(type_of(chase, visitor)) ? 0
                                                          : 1 + visitor->heavy;
}

/* Clears those who are lighter than another visitor of the same. */
static void
clear_light(struct chase *chase)
{
    unsigned char *heaviest = chase->solved; /* for the moment */

    for (size_t i = 0; i < chase->n; i++) {
        struct visitor *visitor = &chase->visitors[i];

        heaviest[visitor->to] = (unsigned char)Py_MAX(heaviest[visitor->to],
                                                      weight(chase, visitor));
    }
    for (size_t i = 0; i < chase->n; i++) {
        struct visitor *visitor = &chase->visitors[i];

        visitor->cleared = weight(chase, visitor) < heaviest[visitor->to];
    }
    memset(chase->solved, 0, chase->evidence->census.n);
}

static int
is_open(const struct chase *chase, const struct visitor *visitor)
{
    return !visitor->cleared && !chase->solved[visitor->to];
}

/* One visitor of the type that most is explained by; NULL if nothing is left.
 */
static const struct visitor *
accuse(struct chase *chase)
{
    const struct visitor *accused = NULL;
    size_t most = 0;

    for (size_t i = 0; i < chase->n_suspects; i++)
        chase->suspects[i].objects = 0;
    for (size_t i = 0; i < chase->n; i++)
        chase->suspects[chase->visitors[i].suspect].objects +=
            (size_t)is_open(chase, &chase->visitors[i]);
    for (size_t i = 0; i < chase->n; i++) {
        const struct visitor *visitor = &chase->visitors[i];

        if (is_open(chase, visitor) &&
            chase->suspects[visitor->suspect].objects > most) {
            most = chase->suspects[visitor->suspect].objects;
            accused = visitor;
        }
    }
    return accused;
}

/* One of another type that visits the same, and explains as much; or NULL. */
static const struct visitor *
alternative(const struct chase *chase, const struct visitor *accused)
{
    size_t n = chase->suspects[accused->suspect].objects;

    for (size_t i = 0; i < chase->n; i++) {
        const struct visitor *visitor = &chase->visitors[i];

        if (visitor->to == accused->to && !visitor->cleared &&
            visitor->suspect != accused->suspect &&
            chase->suspects[visitor->suspect].objects == n)
            return visitor;
    }
    return NULL;
}

/* How many instances visit too often what is not solved; solves it. */
static size_t
solve(struct chase *chase, uint32_t suspect)
{
    uint32_t last = PYB_NOBODY;
    size_t n = 0;

    for (size_t i = 0; i < chase->n; i++)
        if (chase->visitors[i].suspect == suspect &&
            is_open(chase, &chase->visitors[i])) {
            n += chase->visitors[i].from != last;
            last = chase->visitors[i].from;
        }
    for (size_t i = 0; i < chase->n; i++)
        if (chase->visitors[i].suspect == suspect &&
            !chase->visitors[i].cleared)
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
    PyTypeObject *type = type_of(chase, accused);
    PyObject *victim = chase->evidence->census.people[accused->to].op;
    struct pyb_finding finding = {
        .what = what,
        .detail = detail,
        .n = solve(chase, accused->suspect),
        .of = pyb_ledger_instances(chase->evidence, type),
        .so = "what it reaches cannot be collected, and CPython may free it "
              "in use",
        .slot =
            other == NULL ? (const void *)(uintptr_t)type->tp_traverse : NULL};

    snprintf(what, sizeof what,
             "tp_traverse of %s%s%s visits %s more often than it is referred "
             "to",
             type->tp_name, other != NULL ? " or " : "",
             other != NULL ? type_of(chase, other)->tp_name : "",
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
    clear_light(chase);
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
    chase.entries = calloc(evidence->census.n + 1, sizeof *chase.entries);
    if (chase.solved != NULL && chase.entries != NULL)
        result = chase_all(&chase, findings);
    pyb_ledger_end(&chase.ledger);
    free(chase.solved);
    free(chase.entries);
    free(chase.suspects);
    free(chase.visitors);
    return result;
}
