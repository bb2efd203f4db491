/* ledger.h: what one container refers to, beside what it visits; and types. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_WATCH_LEDGER_H
#define PYB_WATCH_LEDGER_H

#include "watch/evidence.h"

/* Two figures for each container there is; all are zero while none is open. */
struct pyb_ledger {
    const struct pyb_evidence *evidence;
    uint32_t *visits; /* by the open container */
    uint32_t *words;  /* of it */
};

/* pyb_ledger_begin: 0, or -1 if there is no memory. */
int pyb_ledger_begin(struct pyb_ledger *ledger,
                     const struct pyb_evidence *evidence);
void pyb_ledger_end(struct pyb_ledger *ledger);

/* pyb_ledger_open, pyb_ledger_close: one container at a time. */
void pyb_ledger_open(struct pyb_ledger *ledger, uint32_t person);
void pyb_ledger_close(struct pyb_ledger *ledger, uint32_t person);

/* pyb_ledger_visits: how often type's tp_traverse, of the object's type or a
   base, visits one. */
size_t pyb_ledger_visits(PyTypeObject *type, PyObject *op,
                         const PyObject *visited);

/* pyb_ledger_traverser: the type that brought the tp_traverse, type or a base.
 */
PyTypeObject *pyb_ledger_traverser(PyTypeObject *type);

/* pyb_ledger_instances: how many there are of a type and its subtypes. */
size_t pyb_ledger_instances(const struct pyb_evidence *evidence,
                            PyTypeObject *type);

#endif /* PYB_WATCH_LEDGER_H */
