/* overvisited.c: visits of tp_traverse without a reference.  See
   overvisited.h.

   An object is visited too often if its count is less than the number of its
   visits.  Which visitor is wrong has to be inferred.  Each visitor has a
   weight: a visitor is heavy if it visits the object more often than it has
   the object's address, unless it also has references that are not seen; a
   visitor of pyboehm's own types is the lightest.  For each object the
   visitors that are lighter than another one are cleared, and the types of the
   others are suspects.  The type suspected for the most objects is accused,
   and these objects are solved: their other visitors are not suspected for
   them.  This is repeated with the objects that are left. */

#include "Python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gc/base/fatal.h"
#include "object/type/statictypes.h"
#include "watch/audit/ledger.h"
#include "watch/audit/overvisited.h"
#include "watch/rows.h"
#include "watch/why/field.h"
#include "watch/why/why.h"

/* A visitor of an object that is visited too often. */
struct visitor {
    uint32_t from, to;
    uint32_t first, last; /* the numbers, from 1, of the first and the last
                             visit that may be the wrong one; equal if it is
                             known */
    uint32_t visits;      /* the number of all visits by the visitor */
    int heavy;            /* more visits than words */
    int cleared;
    uint32_t suspect; /* the number of its type */
};

struct suspect {
    PyTypeObject *type;
    size_t objects; /* unsolved objects that it is suspected for, counted once
                       for each visitor; used only to compare suspects */
};

struct suspects {
    const struct pyb_evidence *evidence;
    struct pyb_ledger ledger;
    struct visitor *visitors;
    size_t n, room;
    struct suspect *suspects;
    size_t n_suspects;
    unsigned char *solved; /* for each container */
    size_t *entries;       /* for each container: its last entry in visitors */
    /* For the container being traversed. */
    uint32_t from, visits;
    size_t first; /* its first entry in visitors */
    int hides;    /* it visits an object without having its address in a known
                     word */
    int no_memory;
};

/* ------------------------------------------------------------------ */
/* Visitors                                                            */

/* The entry for the current container's visits to an object; NULL if there is
   no memory. */
static struct visitor *
entry(struct suspects *suspects, uint32_t to)
{
    struct visitor *more = suspects->visitors;
    size_t last = suspects->entries[to];

    if (last >= suspects->first && last < suspects->n && more[last].to == to)
        return &more[last];
    more = pyb_rows_grow(more, suspects->n, &suspects->room, sizeof *more);
    if (more == NULL) {
        suspects->no_memory = 1;
        return NULL;
    }
    suspects->visitors = more;
    more[suspects->n] = (struct visitor){.from = suspects->from, .to = to};
    suspects->entries[to] = suspects->n;
    return &more[suspects->n++];
}

/* The first visits are justified, as many as there are words with the address;
   the next one is wrong.  If there are words for all visits, any of them may
   be wrong.  words is decremented with each visit. */
static int
suspects_visit(PyObject *op, void *arg)
{
    struct suspects *suspects = arg;
    uint32_t to = pyb_evidence_number(suspects->evidence, (uintptr_t)op);
    struct visitor *visitor;

    suspects->visits++;
    if (to == PYB_NO_NUMBER)
        return 0;
    if (suspects->evidence->census.nodes[to].left >= 0) {
        suspects->hides |= suspects->ledger.words[to] == 0;
        return 0;
    }
    visitor = entry(suspects, to);
    if (visitor == NULL)
        return 0;
    if (suspects->ledger.words[to] == 0 && !visitor->heavy) {
        visitor->heavy = 1;
        visitor->first = visitor->last = suspects->visits;
    } else if (!visitor->heavy) {
        visitor->first =
            visitor->first != 0 ? visitor->first : suspects->visits;
        visitor->last = suspects->visits;
    }
    if (suspects->ledger.words[to] > 0)
        suspects->ledger.words[to]--;
    return 0;
}

/* The number of a type among the suspects. */
static uint32_t
enter_suspect(struct suspects *suspects, PyTypeObject *type)
{
    struct suspect *more = suspects->suspects;

    for (size_t i = 0; i < suspects->n_suspects; i++)
        if (more[i].type == type)
            return (uint32_t)i;
    more = realloc(more, (suspects->n_suspects + 1) * sizeof *more);
    if (more == NULL) {
        suspects->no_memory = 1;
        return 0;
    }
    suspects->suspects = more;
    more[suspects->n_suspects] = (struct suspect){type, 0};
    return (uint32_t)suspects->n_suspects++;
}

static void
ask(struct suspects *suspects, uint32_t from)
{
    PyObject *op = suspects->evidence->census.nodes[from].op;
    uint32_t suspect;

    suspects->from = from;
    suspects->visits = 0;
    suspects->first = suspects->n;
    suspects->hides = 0;
    pyb_ledger_open(&suspects->ledger, from);
    if (Py_TYPE(op)->tp_traverse != NULL)
        Py_TYPE(op)->tp_traverse(op, suspects_visit, suspects);
    pyb_ledger_close(&suspects->ledger, from);
    if (suspects->n == suspects->first)
        return;
    suspect = enter_suspect(suspects, pyb_ledger_traverser(Py_TYPE(op)));
    for (size_t i = suspects->first; i < suspects->n; i++) {
        PYB_ASSERT_OBJECT(suspects->visitors[i].first > 0 &&
                              suspects->visitors[i].first <=
                                  suspects->visitors[i].last &&
                              suspects->visitors[i].last <= suspects->visits,
                          op);
        suspects->visitors[i].visits = suspects->visits;
        suspects->visitors[i].suspect = suspect;
        suspects->visitors[i].heavy &= !suspects->hides;
    }
}

/* ------------------------------------------------------------------ */
/* The verdict                                                         */

static PyTypeObject *
type_of(const struct suspects *suspects, const struct visitor *visitor)
{
    PYB_ASSERT(visitor->suspect < suspects->n_suspects);
    return suspects->suspects[visitor->suspect].type;
}

/* pyboehm's own types weigh least, since the places of their items are not
   always found. */
static int
weight(const struct suspects *suspects, const struct visitor *visitor)
{
    return pyb_statictypes_has(type_of(suspects, visitor))
               ? 0
               : 1 + visitor->heavy;
}

/* Clears visitors that are lighter than another visitor of the same object. */
static void
clear_light(struct suspects *suspects)
{
    unsigned char *heaviest = suspects->solved; /* used as scratch memory */

    for (size_t i = 0; i < suspects->n; i++) {
        struct visitor *visitor = &suspects->visitors[i];

        heaviest[visitor->to] = (unsigned char)Py_MAX(
            heaviest[visitor->to], weight(suspects, visitor));
    }
    for (size_t i = 0; i < suspects->n; i++) {
        struct visitor *visitor = &suspects->visitors[i];

        visitor->cleared = weight(suspects, visitor) < heaviest[visitor->to];
    }
    memset(suspects->solved, 0, suspects->evidence->census.n);
}

static int
is_open(const struct suspects *suspects, const struct visitor *visitor)
{
    return !visitor->cleared && !suspects->solved[visitor->to];
}

/* One visitor of the type that explains the most objects; NULL if no object is
   left. */
static const struct visitor *
accuse(struct suspects *suspects)
{
    const struct visitor *accused = NULL;
    size_t most = 0;

    for (size_t i = 0; i < suspects->n_suspects; i++)
        suspects->suspects[i].objects = 0;
    for (size_t i = 0; i < suspects->n; i++)
        suspects->suspects[suspects->visitors[i].suspect].objects +=
            (size_t)is_open(suspects, &suspects->visitors[i]);
    for (size_t i = 0; i < suspects->n; i++) {
        const struct visitor *visitor = &suspects->visitors[i];

        if (is_open(suspects, visitor) &&
            suspects->suspects[visitor->suspect].objects > most) {
            most = suspects->suspects[visitor->suspect].objects;
            accused = visitor;
        }
    }
    return accused;
}

/* A visitor of another type that visits the same object and explains as many
   objects; or NULL. */
static const struct visitor *
alternative(const struct suspects *suspects, const struct visitor *accused)
{
    size_t n = suspects->suspects[accused->suspect].objects;

    for (size_t i = 0; i < suspects->n; i++) {
        const struct visitor *visitor = &suspects->visitors[i];

        if (visitor->to == accused->to && !visitor->cleared &&
            visitor->suspect != accused->suspect &&
            suspects->suspects[visitor->suspect].objects == n)
            return visitor;
    }
    return NULL;
}

/* Marks the objects that a suspect explains as solved; returns the number of
   its instances that visit them. */
static size_t
solve(struct suspects *suspects, uint32_t suspect)
{
    uint32_t last = PYB_NO_NUMBER;
    size_t n = 0;

    for (size_t i = 0; i < suspects->n; i++)
        if (suspects->visitors[i].suspect == suspect &&
            is_open(suspects, &suspects->visitors[i])) {
            n += suspects->visitors[i].from != last;
            last = suspects->visitors[i].from;
        }
    for (size_t i = 0; i < suspects->n; i++)
        if (suspects->visitors[i].suspect == suspect &&
            !suspects->visitors[i].cleared)
            suspects->solved[suspects->visitors[i].to] = 1;
    return n;
}

/* Marks the objects that a suspect explains as solved; returns their number.
 */
static size_t
solve_objects(struct suspects *suspects, uint32_t suspect)
{
    size_t n = 0;

    for (size_t i = 0; i < suspects->n; i++)
        if (suspects->visitors[i].suspect == suspect &&
            is_open(suspects, &suspects->visitors[i])) {
            suspects->solved[suspects->visitors[i].to] = 1;
            n++;
        }
    return n;
}

/* Only types of pyboehm's own visit the object, and they visit what they own:
   its count is too small. */
static int
tell_count(struct suspects *suspects, const struct visitor *accused,
           struct pyb_findings *findings)
{
    PyObject *victim = suspects->evidence->census.nodes[accused->to].op;
    char what[256];
    struct pyb_finding finding = {
        .what = what,
        .n = solve_objects(suspects, accused->suspect),
        .so = PYB_FINDING_SMALL_COUNT};

    snprintf(what, sizeof what,
             "Py_DECREF of %s: its count is less than the references that %s "
             "has to it",
             Py_TYPE(victim)->tp_name, type_of(suspects, accused)->tp_name);
    return pyb_findings_add(findings, &finding);
}

/* A variable with the address may be a table of what the type owns besides:
   then no visit is too many. */
static const char *
consequence(PyObject *victim, const struct visitor *accused)
{
    return accused->heavy && pyb_why_places(victim, NULL) == 0
               ? "what it reaches cannot be collected, and CPython may free "
                 "it in use"
               : "it does not own that, or one Py_DECREF is too many, or a "
                 "Py_INCREF was forgotten";
}

/* The instances of the type that could have made the accused one's visit:
   those that have something in the field, if it is known. */
static size_t
count_visitors(const struct suspects *suspects, const struct visitor *accused)
{
    const struct pyb_evidence *evidence = suspects->evidence;
    PyTypeObject *type = type_of(suspects, accused);
    uint32_t offset =
        pyb_field_holding_at(evidence->census.nodes[accused->from].op,
                             evidence->census.nodes[accused->to].op);
    size_t n = 0;

    if (offset + sizeof(void *) > (size_t)type->tp_basicsize || offset == 0)
        return pyb_ledger_instances(evidence, type);
    for (uint32_t i = 0; i < pyb_evidence_owners(evidence); i++) {
        PyObject *op = pyb_evidence_owner(evidence, i);

        n += PyType_IsSubtype(Py_TYPE(op), type) &&
             *(void **)(void *)((char *)op + offset) != NULL;
    }
    return n;
}

/* Reports the accused type.  If another type explains as much, both are
   named. */
static int
tell_type(struct suspects *suspects, const struct visitor *accused,
          struct pyb_findings *findings)
{
    const struct visitor *other = alternative(suspects, accused);
    char what[256], visit[32] = "", where[128], detail[256];
    PyTypeObject *type = type_of(suspects, accused);
    PyObject *victim = suspects->evidence->census.nodes[accused->to].op;
    size_t of = count_visitors(suspects, accused);
    size_t n = solve(suspects, accused->suspect);
    struct pyb_finding finding = {
        .what = what,
        .detail = detail,
        .n = n,
        .of = Py_MAX(n, of), /* some may have made it by another field */
        .so = consequence(victim, accused),
        .slot =
            other == NULL ? (const void *)(uintptr_t)type->tp_traverse : NULL};

    snprintf(what, sizeof what,
             "tp_traverse of %s%s%s visits %s more often than it is referred "
             "to",
             type->tp_name, other != NULL ? " or " : "",
             other != NULL ? type_of(suspects, other)->tp_name : "",
             Py_TYPE(victim)->tp_name);
    if (accused->last != accused->first)
        snprintf(visit, sizeof visit, " or %u", accused->last);
    pyb_field_holding(suspects->evidence->census.nodes[accused->from].op,
                      victim, where, sizeof where);
    snprintf(detail, sizeof detail, "visit %u%s of %u%s%s", accused->first,
             visit, accused->visits, *where != '\0' ? ": " : "", where);
    return pyb_findings_add(findings, &finding);
}

static int
tell(struct suspects *suspects, const struct visitor *accused,
     struct pyb_findings *findings)
{
    return pyb_statictypes_has(type_of(suspects, accused))
               ? tell_count(suspects, accused, findings)
               : tell_type(suspects, accused, findings);
}

/* ------------------------------------------------------------------ */

static int
any_overvisited(const struct pyb_evidence *evidence)
{
    for (size_t i = 0; i < evidence->census.n; i++)
        if (evidence->census.nodes[i].left < 0)
            return 1;
    return 0;
}

static int
suspects_all(struct suspects *suspects, struct pyb_findings *findings)
{
    const struct visitor *accused;

    for (uint32_t i = 0; i < suspects->evidence->census.n; i++)
        ask(suspects, i);
    if (suspects->no_memory)
        return -1;
    clear_light(suspects);
    while ((accused = accuse(suspects)) != NULL) {
        if (tell(suspects, accused, findings) < 0)
            return -1;
        PYB_ASSERT(!is_open(suspects, accused)); /* the next is another one */
    }
    return 0;
}

int
pyb_overvisited_find(const struct pyb_evidence *evidence,
                     struct pyb_findings *findings)
{
    struct suspects suspects = {.evidence = evidence};
    int result = -1;

    if (!any_overvisited(evidence))
        return 0;
    if (pyb_ledger_begin(&suspects.ledger, evidence) < 0)
        return -1;
    suspects.solved = calloc(evidence->census.n + 1, 1);
    suspects.entries =
        calloc(evidence->census.n + 1, sizeof *suspects.entries);
    if (suspects.solved != NULL && suspects.entries != NULL)
        result = suspects_all(&suspects, findings);
    pyb_ledger_end(&suspects.ledger);
    free(suspects.solved);
    free(suspects.entries);
    free(suspects.suspects);
    free(suspects.visitors);
    return result;
}
