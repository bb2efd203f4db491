/* module.h: what module.c and modulefill.c offer to the rest of the
   library. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_H
#define PYB_OBJECT_MODULE_H

#include "Python.h"

/* A module.  state is NULL until it is allocated; it is freed with the
   module. */
struct pyb_module {
    PyObject_HEAD
    PyObject *dict;
    PyModuleDef *def; /* NULL: made without one */
    void *state;
    PyObject *weaklist;
    PyObject *name; /* as given, for error messages; may be NULL */
};

#define PYB_MODULE(op) ((struct pyb_module *)(void *)(op))

/* pyb_module_wipe: sets the values of the module's dictionary to None: first
   those whose names begin with one underscore, then the others; __builtins__
   stays.  Leaves no exception. */
void pyb_module_wipe(PyObject *module);

/* pyb_module_forget_states: empties what PyState_FindModule looks in. */
void pyb_module_forget_states(void);

#endif /* PYB_OBJECT_MODULE_H */
