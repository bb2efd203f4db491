/* importlock.h: a module is loaded by one thread at a time. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_IMPORTLOCK_H
#define PYB_OBJECT_IMPORTLOCK_H

#include "Python.h"

/* A module that is being loaded, on the stack of who does it. */
struct pyb_loading {
    PyObject *name; /* borrowed */
    PyThreadState *loader;
    struct pyb_loading *outer;
};

/* pyb_importlock_wait: if another thread is loading the module, waits,
   detached meanwhile, until it is done; not if that one waits for this thread:
   then what there is of the module has to do. */
void pyb_importlock_wait(PyObject *name);

/* pyb_importlock_begin, pyb_importlock_end: around loading a module. */
void pyb_importlock_begin(struct pyb_loading *loading, PyObject *name);
void pyb_importlock_end(struct pyb_loading *loading);

/* pyb_importlock_forget: nobody but this thread (NULL: nobody at all) is
   loading any more. */
void pyb_importlock_forget(const PyThreadState *but);

#endif /* PYB_OBJECT_IMPORTLOCK_H */
