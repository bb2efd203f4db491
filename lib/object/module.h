/* module.h: what module.c and modulefill.c offer to the rest of the
   library. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_H
#define PYB_OBJECT_MODULE_H

#include "Python.h"

/* A module.  state is NULL until it is allocated; it is freed with the
   module.  What its definition or slots say of it is copied: slots may be gone
   when the module is made. */
struct pyb_module {
    PyObject_HEAD
    PyObject *dict;
    void *token; /* see PyModule_GetToken; may be NULL */
    int has_def; /* the token is its PyModuleDef */
    int phased;  /* made in several phases: PyModule_Exec has work to do */
    Py_ssize_t state_size;
    traverseproc traverse_state;
    inquiry clear_state;
    freefunc free_state;
    int (*exec)(PyObject *); /* of slots without a definition; may be NULL */
    void *state;
    PyObject *weaklist;
    PyObject *name; /* as given, for error messages; may be NULL */
};

#define PYB_MODULE(op) ((struct pyb_module *)(void *)(op))

/* pyb_module_drop_state: frees the state, if there is one, as deallocation
   does. */
void pyb_module_drop_state(PyObject *module);

/* pyb_module_from_slots: PyModule_FromSlotsAndSpec; if the slots have no
   token, the module gets the one given here. */
PyObject *pyb_module_from_slots(const PySlot *slots, PyObject *spec,
                                void *token);

/* pyb_module_wipe: sets the values of the module's dictionary to None: first
   those whose names begin with one underscore, then the others; __builtins__
   stays.  Leaves no exception. */
void pyb_module_wipe(PyObject *module);

/* pyb_module_forget_states: empties what PyState_FindModule looks in. */
void pyb_module_forget_states(void);

#endif /* PYB_OBJECT_MODULE_H */
