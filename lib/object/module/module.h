/* module.h: functions of module.c and modulefill.c for the rest of the
   library. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_MODULE_H
#define PYB_OBJECT_MODULE_MODULE_H

#include "Python.h"

#include "gc/base/fatal.h"

/* A module.  state is NULL until it is allocated; it is freed with the
   module.  The contents of its definition or slots are copied, since slots may
   be gone after the module is made. */
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
    int (*exec)(PyObject *); /* from slots without a definition; may be NULL */
    void *state;
    PyObject *weaklist;
    PyObject *name; /* as given, for error messages; may be NULL */
};

#define PYB_MODULE(op) PYB_CAST(struct pyb_module, PyModule_Check, op)

/* pyb_module_check: fatal if a module contradicts itself; see
   gc/base/fatal.h. */
void pyb_module_check(PyObject *module);

/* pyb_module_drop_state: frees the state, if there is one, as deallocation
   does. */
void pyb_module_drop_state(PyObject *module);

/* pyb_module_from_slots: PyModule_FromSlotsAndSpec; if the slots have no
   token, the module gets the one given here. */
PyObject *pyb_module_from_slots(const PySlot *slots, PyObject *spec,
                                void *token);

/* pyb_module_wipe: sets the values of the module's dictionary to None: first
   those with names that begin with one underscore, then the others;
   __builtins__ stays.  Leaves no exception. */
void pyb_module_wipe(PyObject *module);

/* pyb_module_forget_states: empties the table of PyState_FindModule. */
void pyb_module_forget_states(void);

#endif /* PYB_OBJECT_MODULE_MODULE_H */
