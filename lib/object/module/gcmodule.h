/* gcmodule.h: the module gc. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_GCMODULE_H
#define PYB_OBJECT_MODULE_GCMODULE_H

#include "Python.h"

/* pyb_gcmodule_entry: the module's entry function, for the importer. */
PyObject *pyb_gcmodule_entry(void);

/* pyb_gcmodule_keep_garbage: appends op to gc.garbage.  0, or -1 if there is
   no memory, with no exception set. */
int pyb_gcmodule_keep_garbage(PyObject *op);

/* pyb_gcmodule_list: "gc.garbage" or "gc.callbacks" if op is that list; NULL
   for other objects. */
const char *pyb_gcmodule_list(const PyObject *op);

/* pyb_gcmodule_warn_garbage: warns at the end if there is garbage. */
void pyb_gcmodule_warn_garbage(void);

/* pyb_gcmodule_fini: drops gc.garbage and gc.callbacks. */
void pyb_gcmodule_fini(void);

#endif /* PYB_OBJECT_MODULE_GCMODULE_H */
