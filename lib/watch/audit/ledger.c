/* ledger.c: the references of one container, and its visits.  See ledger.h. */

#include "Python.h"

#include <stdlib.h>

#include "gc/base/fatal.h"
#include "object/type/subtype.h"
#include "watch/audit/ledger.h"

int
pyb_ledger_begin(struct pyb_ledger *ledger,
                 const struct pyb_evidence *evidence)
{
    size_t n = evidence->census.n + 1;

    ledger->evidence = evidence;
    ledger->visits = calloc(n, sizeof *ledger->visits);
    ledger->words = calloc(n, sizeof *ledger->words);
    if (ledger->visits != NULL && ledger->words != NULL)
        return 0;
    pyb_ledger_end(ledger);
    return -1;
}

void
pyb_ledger_end(struct pyb_ledger *ledger)
{
    free(ledger->visits);
    free(ledger->words);
}

static void
traverse(const struct pyb_ledger *ledger, uint32_t node, visitproc visit,
         const struct pyb_ledger *arg)
{
    PyObject *op = pyb_evidence_owner(ledger->evidence, node);

    if (PyType_IS_GC(Py_TYPE(op)) && Py_TYPE(op)->tp_traverse != NULL)
        Py_TYPE(op)->tp_traverse(op, visit, (void *)(uintptr_t)arg);
}

static int
enter_visit(PyObject *op, void *arg)
{
    const struct pyb_ledger *ledger = arg;
    uint32_t to = pyb_evidence_number(ledger->evidence, (uintptr_t)op);

    PYB_ASSERT_OBJECT(to == PYB_NO_NUMBER || to < ledger->evidence->census.n,
                      op);
    if (to != PYB_NO_NUMBER)
        ledger->visits[to]++;
    return 0;
}

static int
strike_visit(PyObject *op, void *arg)
{
    const struct pyb_ledger *ledger = arg;
    uint32_t to = pyb_evidence_number(ledger->evidence, (uintptr_t)op);

    PYB_ASSERT_OBJECT(to == PYB_NO_NUMBER || to < ledger->evidence->census.n,
                      op);
    if (to != PYB_NO_NUMBER)
        ledger->visits[to] = 0;
    return 0;
}

static void
enter_word(const struct pyb_word *word, void *arg)
{
    const struct pyb_ledger *ledger = arg;

    PYB_ASSERT(word->to < ledger->evidence->census.n);
    ledger->words[word->to]++;
}

static void
strike_word(const struct pyb_word *word, void *arg)
{
    const struct pyb_ledger *ledger = arg;

    PYB_ASSERT(word->to < ledger->evidence->census.n);
    ledger->words[word->to] = 0;
}

void
pyb_ledger_open(struct pyb_ledger *ledger, uint32_t node)
{
    traverse(ledger, node, enter_visit, ledger);
    pyb_evidence_words(ledger->evidence, node, enter_word, ledger);
}

void
pyb_ledger_close(struct pyb_ledger *ledger, uint32_t node)
{
    traverse(ledger, node, strike_visit, ledger);
    pyb_evidence_words(ledger->evidence, node, strike_word, ledger);
}

struct one {
    const PyObject *op;
    size_t visits;
};

static int
visit_one(PyObject *op, void *arg)
{
    struct one *one = arg;

    one->visits += op == one->op;
    return 0;
}

size_t
pyb_ledger_visits(PyTypeObject *type, PyObject *op, const PyObject *visited)
{
    struct one one = {visited, 0};

    PYB_ASSERT_OBJECT(PyObject_TypeCheck(op, type), op);
    if (PyType_IS_GC(type) && type->tp_traverse != NULL)
        type->tp_traverse(op, visit_one, &one);
    return one.visits;
}

PyTypeObject *
pyb_ledger_traverser(PyTypeObject *type)
{
    while (type->tp_base != NULL &&
           (type->tp_traverse == pyb_subtype_traverse ||
            type->tp_traverse == type->tp_base->tp_traverse))
        type = type->tp_base;
    return type;
}

size_t
pyb_ledger_instances(const struct pyb_evidence *evidence, PyTypeObject *type)
{
    size_t n = 0;

    for (uint32_t i = 0; i < pyb_evidence_owners(evidence); i++)
        n += (size_t)PyType_IsSubtype(Py_TYPE(pyb_evidence_owner(evidence, i)),
                                      type);
    return n;
}
