/* importlock.h: a module is loaded by one thread at a time. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_MODULE_IMPORTLOCK_H
#define PYB_OBJECT_MODULE_IMPORTLOCK_H

#include "Python.h"

/* A module that is being loaded, on the loading thread's stack. */
struct pyb_loading {
    PyObject *name; /* borrowed */
    PyThreadState *loader;
    struct pyb_loading *outer;
};

/* pyb_importlock_wait: if another thread is loading the module, waits,
   detached, until it is loaded; except if that thread waits for this one: then
   the unfinished module is used. */
void pyb_importlock_wait(PyObject *name);

/* pyb_importlock_begin, pyb_importlock_end: around loading a module. */
void pyb_importlock_begin(struct pyb_loading *loading, PyObject *name);
void pyb_importlock_end(struct pyb_loading *loading);

/* pyb_importlock_init: 0, or -1 if there is no memory. */
int pyb_importlock_init(void);

/* pyb_importlock_forget: drops what other threads than `but' (NULL: all
   threads) are loading. */
void pyb_importlock_forget(const PyThreadState *but);

#endif /* PYB_OBJECT_MODULE_IMPORTLOCK_H */
