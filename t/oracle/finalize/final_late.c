/* final_late.c: finalizers of what hangs on a dying set but is not seen by the
   collector, and of members that another member's finalizer lets die: each is
   called once, by the deallocator.
   Manual: "PyObject_CallFinalizerFromDealloc"; PEP 442. */

#include "oracle.h"

/* x is not tracked: it is finalized when the ring has been cleared. */
static void
untracked(void (*on_finalize)(struct actor *))
{
    struct actor *a = actor_ring(&FinalActor_Type, 1);
    struct actor *x = actor_new(&FinalActor_Type, "x");

    PyObject_GC_UnTrack(x);
    x->on_finalize = on_finalize;
    actor_set(a, 1, x);
    drop_all(x, a);
    collect();
    say("x is %s", actor_saved != NULL ? "saved" : "gone");
    if (actor_saved == NULL)
        return;
    state("    x", (PyObject *)actor_saved);
    Py_CLEAR(actor_saved);
}

static PyObject *
say_del(PyObject *self, PyObject *args)
{
    event("plain", "finalize");
    Py_RETURN_NONE;
}

static PyMethodDef del_def = {"__del__", say_del, METH_NOARGS, NULL};

/* An object without anything to visit. */
static void
no_container(void)
{
    PyObject *function = need(PyCFunction_New(&del_def, NULL));
    PyObject *slots = need(PyTuple_New(0));
    PyObject *type = call_type(&PyType_Type, "s(){sOsO}", "Plain", "__slots__",
                               slots, "__del__", function);
    PyObject *op = need(PyObject_CallNoArgs(type));
    struct actor *a = actor_ring(&FinalActor_Type, 1);

    actor_set(a, 1, op);
    drop_all(op, a);
    collect();
    drop_all(type, slots, function);
    collect();
}

static void
drop_next(struct actor *a)
{
    actor_set(a, 1, NULL);
}

/* a's finalizer drops what hangs on a: x and, on that, y. */
static void
dropped_by_another(void (*on_finalize)(struct actor *))
{
    struct actor *a = actor_ring(&FinalActor_Type, 1);
    struct actor *x = actor_new(&FinalActor_Type, "x");
    struct actor *y = actor_new(&Actor_Type, "y");

    a->on_finalize = drop_next;
    x->on_finalize = on_finalize;
    actor_set(a, 1, x);
    actor_set(x, 0, y);
    drop_all(x, y, a);
    collect();
    say("x is %s", actor_saved != NULL ? "saved" : "gone");
    if (actor_saved != NULL)
        state("    x", (PyObject *)actor_saved);
    Py_CLEAR(actor_saved);
}

void
oracle_program(void)
{
    say("not tracked:");
    untracked(NULL);
    say("not tracked, saved:");
    untracked(actor_save);
    say("no container:");
    no_container();
    say("dropped by another's finalizer:");
    dropped_by_another(NULL);
    say("dropped by another's finalizer, saved:");
    dropped_by_another(actor_save);
}
