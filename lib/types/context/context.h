/* context.h: declarations that the files of context variables share.

     context.c     contexts, and which of them is a thread's current one
     contextmap.c  contexts as mappings; their methods
     contextvar.c  variables and tokens */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CONTEXT_CONTEXT_H
#define PYB_TYPES_CONTEXT_CONTEXT_H

#include "Python.h"

#include "gc/base/fatal.h"

/* vars is a dict of values by variables, NULL while there are none.  Contexts
   share it: it is changed only by one that has the only reference to it.  prev
   is the context that was current before this one was entered. */
struct _pycontextobject {
    PyObject_HEAD
    PyObject *prev;
    PyObject *vars;
    PyObject *weaklist;
    int entered;
};

#define PYB_CONTEXT(op) PYB_CAST(PyContext, PyContext_CheckExact, op)

/* pyb_context_current: the thread's current context, borrowed, made if there
   is none; NULL with MemoryError.  pyb_context_peek: NULL without an exception
   if there is none. */
PyObject *pyb_context_current(void);
PyObject *pyb_context_peek(void);

/* pyb_context_find: the variable's value, borrowed, or NULL without an
   exception; ctx may be NULL. */
PyObject *pyb_context_find(PyObject *ctx, PyObject *var);

/* pyb_context_set: gives the variable a value, or with NULL takes it away.  0,
   or -1 with an exception: LookupError if there was none. */
int pyb_context_set(PyObject *ctx, PyObject *var, PyObject *value);

/* pyb_context_mapping, pyb_context_sequence, pyb_context_methods: slots and
   methods. */
extern PyMappingMethods pyb_context_mapping;
extern PySequenceMethods pyb_context_sequence;
extern PyMethodDef pyb_context_methods[];
PyObject *pyb_context_iter(PyObject *op);
PyObject *pyb_context_richcompare(PyObject *a, PyObject *b, int op);

/* pyb_context_init: gives Token its attribute MISSING; 0, or -1 with an
   exception.  pyb_context_fini: forgets the watchers. */
int pyb_context_init(void);
void pyb_context_fini(void);

#endif /* PYB_TYPES_CONTEXT_CONTEXT_H */
