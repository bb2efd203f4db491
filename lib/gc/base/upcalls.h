/* upcalls.h: what the collector needs from the layers above it.
   internals: layers

   lib/gc knows objects and type slots, nothing more.  Raising, reporting and
   weak references live above; lib/gclink.c fills this table in. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_UPCALLS_H
#define PYB_GC_BASE_UPCALLS_H

#include <stdio.h>

#include "gc/base/fatal.h"
#include "object.h"

struct pyb_upcalls {
    /* Raising. */
    void (*no_memory)(void);
    void (*bad_internal_call)(const char *file, int line);
    void (*system_error)(const char *format, ...);
    void (*value_error)(const char *text);
    void (*type_error)(const char *format, ...);
    /* A warning that never raises. */
    void (*resource_warning)(const char *format, ...);

    /* The pending exception: taken away (owned, NULL if none), put back. */
    PyObject *(*take_error)(void);
    void (*put_error)(PyObject *error);
    /* Where it is, NULL if there is none; and reporting it as unraisable:
       "Exception ignored in WHAT of TYPE", where op is not NULL. */
    PyObject *const *pending;
    void (*unraisable)(const char *what, PyObject *op);

    /* Writes repr(op) somewhere; swallows errors. */
    void (*print_repr)(PyObject *op, FILE *file);

    /* Weak references; lib/object/weakref/weakref.h says what they do.
       weakref_clear_dead also takes a type out of its bases' lists. */
    PyObject **(*weakref_list_ptr)(PyObject *op);
    void (*weakref_detach_callbacks)(PyObject *op,
                                     int (*condemned)(PyObject *),
                                     PyObject **pending);
    void (*weakref_run_callbacks)(PyObject *pending);
    void (*weakref_clear_dead)(PyObject *op);
    int (*is_weakref)(PyObject *op);

    /* Of a live, tracked object whose type has _PyB_TPFLAGS_UNTRACKABLE: may
       it be untracked, since it holds nothing that could be part of a cycle?
       May be called in the middle of a pass, for full collections and for
       others: changes no count, allocates nothing. */
    int (*is_acyclic)(PyObject *op, int full);

    /* Keeps an object that cannot be collected, or is not to be, where people
       find it.  0, or -1 if there is no memory. */
    int (*keep_garbage)(PyObject *op);

    /* Attaches this thread if none is attached, and so makes deferred calls;
       it is called detached. */
    void (*attach_for_deferred)(void);

    /* printf to the C library's stderr. */
    void (*write_stderr)(const char *format, ...);
};

extern struct pyb_upcalls pyb_upcalls;

/* After a slot that could have raised; mostly there is nothing to report. */
static inline void
pyb_upcalls_report(const char *what, PyObject *op)
{
    PYB_ASSERT(pyb_upcalls.pending != NULL);
    if (_PyB_UNLIKELY(*pyb_upcalls.pending != NULL))
        pyb_upcalls.unraisable(what, op);
}

#endif /* PYB_GC_BASE_UPCALLS_H */
