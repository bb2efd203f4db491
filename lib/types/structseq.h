/* structseq.h: what types of struct sequences have in common. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_STRUCTSEQ_H
#define PYB_TYPES_STRUCTSEQ_H

#include "Python.h"

/* pyb_structseq_traverse: their tp_traverse. */
int pyb_structseq_traverse(PyObject *op, visitproc visit, void *arg);

#endif /* PYB_TYPES_STRUCTSEQ_H */
