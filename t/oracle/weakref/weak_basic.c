/* weak_basic.c: weak references without a callback are shared, one of each
   kind for an object; those with one are not.
   Manual: "PyWeakref_NewRef": "may create a new reference object or return an
   existing one"; "PyWeakref_NewProxy"; "PyWeakref_Check". */

#include "oracle.h"

static void
tell(const char *label, PyObject *op)
{
    say("%s: %s, ref %d, exactly %d, proxy %d, any %d", label,
        Py_TYPE(op)->tp_name, PyWeakref_CheckRef(op) != 0,
        PyWeakref_CheckRefExact(op) != 0, PyWeakref_CheckProxy(op) != 0,
        PyWeakref_Check(op) != 0);
    state("    it", op);
}

static void
same(const char *label, PyObject *a, PyObject *b)
{
    say("%s: %s, counts %ld %ld", label, a == b ? "the same" : "two",
        (long)Py_REFCNT(a), (long)Py_REFCNT(b));
    Py_DECREF(b);
}

static void
kinds(PyObject *a, PyObject *callable, PyObject *callback)
{
    PyObject *ref = need(PyWeakref_NewRef(a, NULL));
    PyObject *proxy = need(PyWeakref_NewProxy(a, NULL));
    PyObject *called = need(PyWeakref_NewProxy(callable, NULL));
    PyObject *heard = need(PyWeakref_NewRef(a, callback));

    tell("reference", ref);
    tell("proxy", proxy);
    tell("proxy of a callable", called);
    tell("with a callback", heard);
    tell("no weak reference", a);
    same("another reference", ref, PyWeakref_NewRef(a, NULL));
    same("with None", ref, PyWeakref_NewRef(a, Py_None));
    same("by a call", ref,
         PyObject_CallOneArg((PyObject *)&_PyWeakref_RefType, a));
    same("another proxy", proxy, PyWeakref_NewProxy(a, NULL));
    same("with None", proxy, PyWeakref_NewProxy(a, Py_None));
    same("reference and proxy", ref, Py_NewRef(proxy));
    same("another with the callback", heard, PyWeakref_NewRef(a, callback));
    show("call", PyObject_CallFunction(ref, "i", 5));
    say("called: %s", ((struct actor *)need(PyObject_CallNoArgs(ref)))->name);
    Py_DECREF(a); /* what the call returned */
    drop_all(ref, proxy, called, heard);
}

static PyObject *
nothing(PyObject *self, PyObject *arg)
{
    Py_RETURN_NONE;
}

static PyMethodDef nothing_def = {"nothing", nothing, METH_O, NULL};

/* A weak reference does not outlive its owners. */
static void
gone(PyObject *a)
{
    PyObject *ref = need(PyWeakref_NewRef(a, NULL));

    Py_INCREF(ref);
    state("owned twice", ref);
    drop_all(ref, ref);
    say("the list is %s",
        ((struct actor *)a)->weaklist == NULL ? "empty" : "not empty");
}

void
oracle_program(void)
{
    PyObject *a = (PyObject *)actor_new(&Actor_Type, "a");
    PyObject *callback = need(PyCFunction_New(&nothing_def, NULL));

    kinds(a, callback, callback);
    state("a", a);
    state("callback", callback);
    gone(a);
    drop_all(callback, a);
}
