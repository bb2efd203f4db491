/* ledger.h: the references of one container next to its visits; and types. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_AUDIT_LEDGER_H
#define PYB_WATCH_AUDIT_LEDGER_H

#include "watch/memory/evidence.h"

/* Two figures for each container; all are zero while no container is open. */
struct pyb_ledger {
    const struct pyb_evidence *evidence;
    uint32_t *visits; /* visits by the open container */
    uint32_t *words;  /* words in the open container */
};

/* pyb_ledger_begin: returns 0, or -1 if there is no memory. */
int pyb_ledger_begin(struct pyb_ledger *ledger,
                     const struct pyb_evidence *evidence);
void pyb_ledger_end(struct pyb_ledger *ledger);

/* pyb_ledger_open: counts the visits and words of one container.
   pyb_ledger_close: resets the counts.  One container is open at a time. */
void pyb_ledger_open(struct pyb_ledger *ledger, uint32_t node);
void pyb_ledger_close(struct pyb_ledger *ledger, uint32_t node);

/* pyb_ledger_visits: how often the tp_traverse of type (op's type or a base of
   it) visits an object. */
size_t pyb_ledger_visits(PyTypeObject *type, PyObject *op,
                         const PyObject *visited);

/* pyb_ledger_traverser: the type that defined the tp_traverse: type or a
   base. */
PyTypeObject *pyb_ledger_traverser(PyTypeObject *type);

/* pyb_ledger_instances: the number of instances of a type and its subtypes. */
size_t pyb_ledger_instances(const struct pyb_evidence *evidence,
                            PyTypeObject *type);

#endif /* PYB_WATCH_AUDIT_LEDGER_H */
