/* moduleslots.h: reads the slots of a module. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_MODULESLOTS_H
#define PYB_OBJECT_MODULE_MODULESLOTS_H

#include "Python.h"

typedef PyObject *(*pyb_module_create)(PyObject *, PyModuleDef *);
typedef int (*pyb_module_exec)(PyObject *);

/* The parts that a module is made from: a definition's members and its slots,
   or slots alone. */
struct pyb_moduleplan {
    PyModuleDef *def; /* NULL: slots alone */
    const char *doc;
    PyMethodDef *methods;
    Py_ssize_t size;
    traverseproc traverse;
    inquiry clear;
    freefunc free;
    pyb_module_create create;
    pyb_module_exec exec; /* only for slots alone */
    int executes;         /* has exec slots */
    void *token;          /* the definition's address, if there is one */
    void *default_token;  /* for a module, if token is NULL */
};

/* pyb_moduleslots_of_def: the plan from the definition's members. */
struct pyb_moduleplan pyb_moduleslots_of_def(PyModuleDef *def);

/* pyb_moduleslots_read_def, pyb_moduleslots_read: complete the plan of a
   module of that name with its definition's slots, or with slots alone.  0, or
   -1 with SystemError or ImportError. */
int pyb_moduleslots_read_def(struct pyb_moduleplan *plan, const char *name);
int pyb_moduleslots_read(struct pyb_moduleplan *plan, const PySlot *slots,
                         const char *name);

/* pyb_moduleslots_each_exec: calls run(module, function) for the exec slots of
   a definition, in order, until it returns -1.  0 or -1. */
int pyb_moduleslots_each_exec(PyModuleDef *def, PyObject *module,
                              int (*run)(PyObject *, pyb_module_exec));

#endif /* PYB_OBJECT_MODULE_MODULESLOTS_H */
