/* side.h: where the two sides of the random world are not written in the same
   way: pyboehm, and CPython 3.11. */

#ifndef T_WORLD_SIDE_H
#define T_WORLD_SIDE_H

#include <Python.h>

#include "model.h"

/* WORLD_CPYTHON is defined where the sources are compiled for CPython. */
#ifndef WORLD_CPYTHON

#include <pyboehm.h>

static const struct model_rules side_rules = {0, 0, 0};

static inline void
side_start(void)
{
    Py_Initialize();
}

static inline void
side_unraisable(PyObject *Py_UNUSED(exception), const char *Py_UNUSED(message),
                PyObject *Py_UNUSED(object), void *count)
{
    ++*(long *)count;
}

/* side_count_unraisable: counts unraisable exceptions from now on. */
static inline void
side_count_unraisable(long *count)
{
    PyBoehm_SetUnraisableHook(side_unraisable, count);
}

#else

static const struct model_rules side_rules = {1, 1, 1};

/* Without site and its imports, so that there is little to freeze. */
static inline void
side_start(void)
{
    PyConfig config;
    PyStatus status;

    PyConfig_InitIsolatedConfig(&config);
    config.site_import = 0;
    status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status))
        Py_ExitStatusException(status);
}

static long *side_unraisable_count;

static PyObject *
side_unraisable(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(info))
{
    ++*side_unraisable_count;
    Py_RETURN_NONE;
}

static inline void
side_count_unraisable(long *count)
{
    static PyMethodDef method = {"hook", side_unraisable, METH_O, NULL};
    PyObject *hook = PyCFunction_New(&method, NULL);

    side_unraisable_count = count;
    PySys_SetObject("unraisablehook", hook);
    Py_XDECREF(hook);
}

#endif

#endif /* T_WORLD_SIDE_H */
