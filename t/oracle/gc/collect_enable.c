/* collect_enable.c: PyGC_Enable, PyGC_Disable, PyGC_IsEnabled; what a
   collection does that is asked for while the collector is disabled, or from
   within a collection.
   Manual: "Controlling the Garbage Collector State". */

#include "oracle.h"

static void
finalizer_collects(struct actor *self)
{
    char line[64];

    snprintf(line, sizeof line, "inner PyGC_Collect %ld, enabled %d",
             (long)PyGC_Collect(), PyGC_IsEnabled());
    event(self->name, line);
    snprintf(line, sizeof line, "inner gc.collect %ld",
             PyLong_AsLong(gc_call("collect", "()")));
    event(self->name, line);
}

static void
clear_collects(struct actor *self)
{
    char line[64];

    snprintf(line, sizeof line, "inner PyGC_Collect in clear %ld",
             (long)PyGC_Collect());
    event(self->name, line);
}

static void
finalizer_disables(struct actor *self)
{
    char line[64];

    snprintf(line, sizeof line, "disable: %d", PyGC_Disable());
    event(self->name, line);
}

static void
garbage(void (*on_finalize)(struct actor *), void (*on_clear)(struct actor *))
{
    struct actor *a = actor_ring(&FinalActor_Type, 1);

    a->on_finalize = on_finalize;
    a->on_clear = on_clear;
    Py_DECREF(a);
}

void
oracle_program(void)
{
    tell_clears = 1;
    RESULT(PyGC_IsEnabled());
    RESULT(PyGC_Enable());
    RESULT(PyGC_Disable());
    RESULT(PyGC_IsEnabled());
    RESULT(PyGC_Disable());
    garbage(NULL, NULL);
    collect(); /* nothing: it is disabled */
    collect_generation(2);
    RESULT(PyGC_IsEnabled());
    RESULT(PyGC_Enable());
    RESULT(PyGC_IsEnabled());
    garbage(finalizer_collects, NULL);
    collect();
    garbage(NULL, clear_collects);
    collect();
    garbage(finalizer_disables, NULL);
    collect();
    RESULT(PyGC_IsEnabled());
    RESULT(PyGC_Enable());
    PyErr_SetString(PyExc_KeyError, "pending");
    garbage(NULL, NULL);
    collect();
    error();
    SHOW(gc_call("isenabled", "()"));
    SHOW(gc_call("disable", "()"));
    SHOW(gc_call("isenabled", "()"));
    RESULT(PyGC_IsEnabled());
    SHOW(gc_call("enable", "()"));
    RESULT(PyGC_IsEnabled());
}
