/* cycle_order.c: the order of phases in one collection: callbacks of weak
   references, all finalizers, clearing, deallocation.
   Manual: "Cyclic Isolate Destruction"; PEP 442. */

#include "oracle.h"

static PyObject *
called(PyObject *self, PyObject *weakref)
{
    (void)self;
    event("callback",
          PyWeakref_GetObject(weakref) == Py_None ? "cleared" : "alive");
    Py_RETURN_NONE;
}

static PyMethodDef called_def = {"called", called, METH_O, NULL};

void
oracle_program(void)
{
    PyObject *callback = need(PyCFunction_New(&called_def, NULL));
    struct actor *a = actor_ring(&FinalActor_Type, 3);
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)a, callback));

    actor_set((struct actor *)a->refs[0], 1,
              actor_new(&Actor_Type, "hanging"));
    drop_all(((struct actor *)a->refs[0])->refs[1], a);
    collect();
    say("weakref is %s", ref_life(weakref));
    collect();
    drop_all(weakref, callback);
}
