/* visit_exceptions.c: exceptions, modules, weak references and namespaces as
   containers: what they visit, and that a cycle through them is found.
   Manual: "traverseproc"; "Weak Reference Objects". */

#include "oracle.h"

/* Takes the reference away. */
static void
tell(const char *label, PyObject *op)
{
    visits(label, need(op));
    Py_DECREF(op);
}

static void
exceptions(PyObject *a)
{
    PyObject *empty = need(PyObject_CallNoArgs(PyExc_KeyError));
    PyObject *error = need(PyObject_CallOneArg(PyExc_KeyError, a));

    visits("exception", empty);
    visits("exception of a", error);
    PyException_SetCause(error, Py_NewRef(empty));
    PyException_SetContext(error, Py_NewRef(empty));
    visits("with a cause and a context", error);
    PyException_SetContext(empty, Py_NewRef(error));
    drop_all(empty, error);
    collect();
    tell("StopIteration", PyObject_CallOneArg(PyExc_StopIteration, a));
}

static PyObject *
nothing(PyObject *self, PyObject *args)
{
    Py_RETURN_NONE;
}

static PyMethodDef nothing_def = {"nothing", nothing, METH_O, NULL};

static void
weakrefs(PyObject *a, PyObject *b)
{
    PyObject *callback = need(PyCFunction_New(&nothing_def, b));

    tell("weak reference", PyWeakref_NewRef(a, NULL));
    tell("weak reference with a callback", PyWeakref_NewRef(a, callback));
    tell("proxy", PyWeakref_NewProxy(a, NULL));
    tell("proxy with a callback", PyWeakref_NewProxy(a, callback));
    Py_DECREF(callback);
}

static void
weakref_cycle(void)
{
    struct actor *a = actor_new(&Actor_Type, "owner");
    PyObject *callback = need(PyCFunction_New(&nothing_def, (PyObject *)a));
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)a, callback));

    say("a ring through a weak reference's callback:");
    actor_set(a, 0, weakref);
    drop_all(weakref, callback, a);
    collect();
}

void
oracle_program(void)
{
    PyObject *a = (PyObject *)actor_new(&Actor_Type, "a");
    PyObject *b = (PyObject *)actor_new(&Actor_Type, "b");

    exceptions(a);
    weakrefs(a, b);
    weakref_cycle();
    tell("module", PyModule_New("m"));
    state("a", a);
    state("b", b);
    drop_all(a, b);
}
