/* misvisited.c: addresses that tp_traverse visits and that are not objects.
   See misvisited.h. */

#include "Python.h"

#include <stdio.h>
#include <stdlib.h>

#include "gc/check/inspect.h"
#include "object/type/statictypes.h"
#include "watch/audit/ledger.h"
#include "watch/audit/misvisited.h"
#include "watch/log/progress.h"
#include "watch/rows.h"
#include "watch/why/field.h"

enum wrong { NOTHING, DEAD, NO_OBJECT, WRONGS, RIGHT = WRONGS };

static const char *const names[WRONGS] = {"NULL", "a freed object",
                                          "what is no object"};

/* A type with instances that visit such addresses. */
struct culprit {
    PyTypeObject *type;
    size_t instances[WRONGS]; /* the number of instances that do so */
    uint32_t visit[WRONGS];   /* the number of the visit in one of them, from
                                 1 */
    uint32_t visits[WRONGS];  /* the number of that instance's visits */
    char where[WRONGS][128];  /* its field, or an empty text */
};

struct patrol {
    const struct pyb_evidence *evidence;
    struct pyb_typerows culprits;
    /* For the container being traversed. */
    uint32_t visits, first[WRONGS];
    const PyObject *visited[WRONGS];
};

static enum wrong
judge(const struct patrol *patrol, const PyObject *op)
{
    if (pyb_evidence_number(patrol->evidence, (uintptr_t)op) != PYB_NO_NUMBER)
        return RIGHT;
    if (op == NULL)
        return NOTHING;
    if (pyb_sidetable_holds(op))
        return DEAD;
    return pyb_inspect_is_object(op) ? RIGHT : NO_OBJECT;
}

static int
patrol_visit(PyObject *op, void *arg)
{
    struct patrol *patrol = arg;
    enum wrong wrong = judge(patrol, op);

    patrol->visits++;
    if (wrong != RIGHT && patrol->first[wrong] == 0) {
        patrol->first[wrong] = patrol->visits;
        patrol->visited[wrong] = op;
    }
    return 0;
}

static int
ask(struct patrol *patrol, PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    patrol->visits = 0;
    memset(patrol->first, 0, sizeof patrol->first);
    if (type->tp_traverse != NULL)
        type->tp_traverse(op, patrol_visit, patrol);
    for (int i = 0; i < WRONGS; i++) {
        if (patrol->first[i] == 0)
            continue;
        struct culprit *culprit = pyb_typerows_of(
            &patrol->culprits, sizeof *culprit, pyb_ledger_traverser(type));

        if (culprit == NULL)
            return -1;
        if (culprit->instances[i]++ == 0) {
            culprit->visit[i] = patrol->first[i];
            culprit->visits[i] = patrol->visits;
            if (i != NOTHING)
                pyb_field_holding(op, patrol->visited[i], culprit->where[i],
                                  sizeof culprit->where[i]);
        }
    }
    return 0;
}

static int
tell(const struct patrol *patrol, const struct culprit *culprit, int wrong,
     struct pyb_findings *findings)
{
    const char *where = culprit->where[wrong];
    PyTypeObject *type = culprit->type;
    int owns = pyb_statictypes_has(type); /* the library's own visit that */
    char what[256], detail[256];
    struct pyb_finding finding = {
        .what = what,
        .detail = detail,
        .n = culprit->instances[wrong],
        .of = pyb_ledger_instances(patrol->evidence, type),
        .so = owns ? PYB_FINDING_SMALL_COUNT
              : wrong == NOTHING
                  ? "CPython crashes there"
                  : "CPython crashes there; if it owns that, one "
                    "Py_DECREF was too many: PYBOEHM_CHECK=1 "
                    "may tell where",
        .slot = owns ? NULL : (const void *)(uintptr_t)type->tp_traverse};

    snprintf(what, sizeof what,
             owns ? "%s refers to %s" : "tp_traverse of %s visits %s",
             type->tp_name, names[wrong]);
    snprintf(detail, sizeof detail, "visit %u of %u%s%s",
             culprit->visit[wrong], culprit->visits[wrong],
             *where != '\0' ? ": " : "", where);
    return pyb_findings_add(findings, &finding);
}

static int
tell_all(const struct patrol *patrol, struct pyb_findings *findings)
{
    const struct culprit *culprits = patrol->culprits.all;

    for (size_t i = 0; i < patrol->culprits.n; i++)
        for (int wrong = 0; wrong < WRONGS; wrong++)
            if (culprits[i].instances[wrong] > 0 &&
                tell(patrol, &culprits[i], wrong, findings) < 0)
                return -1;
    return 0;
}

int
pyb_misvisited_find(const struct pyb_evidence *evidence,
                    struct pyb_findings *findings)
{
    struct patrol patrol = {.evidence = evidence};
    int result = 0;

    for (size_t i = 0; i < evidence->census.n && result == 0; i++) {
        pyb_progress(i, evidence->census.n);
        result = ask(&patrol, evidence->census.nodes[i].op);
    }
    if (result == 0)
        result = tell_all(&patrol, findings);
    free(patrol.culprits.all);
    return result;
}
