/* final_errors.c: exceptions raised in finalizers, in tp_clear and in
   callbacks have no caller to go to: the unraisable hook gets them, and the
   collection goes on.
   Manual: "tp_finalize"; "sys.unraisablehook"; "PyErr_WriteUnraisable". */

#include "oracle.h"

static void
raise(struct actor *a)
{
    PyErr_Format(PyExc_ValueError, "raised for %s", a->name);
}

/* Says whether an exception is pending. */
static void
look(struct actor *a)
{
    event(a->name, PyErr_Occurred() != NULL ? "sees an exception"
                                            : "sees no exception");
}

static PyObject *
fail(PyObject *self, PyObject *weakref)
{
    PyErr_SetString(PyExc_KeyError, "callback");
    return NULL;
}

static PyMethodDef fail_def = {"fail", fail, METH_O, NULL};

/* A ring of one: no order of members has a say. */
static struct actor *
loop(const char *name)
{
    struct actor *a = actor_new(&FinalActor_Type, name);

    actor_set(a, 0, a);
    return a;
}

/* The manual's finalizer: what it raises it reports itself. */
static void
raise_and_report(struct actor *a)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    raise(a);
    PyErr_WriteUnraisable((PyObject *)a);
    PyErr_Restore(type, value, traceback);
}

static void
in_finalizer(void)
{
    struct actor *a = loop("finalizer");

    a->on_finalize = raise_and_report;
    a->on_clear = look;
    Py_DECREF(a);
    collect();
    a = actor_new(&FinalActor_Type, "by count");
    a->on_finalize = raise_and_report;
    PyErr_SetString(PyExc_TypeError, "pending");
    Py_DECREF(a);
    error();
}

static void
in_clear(void)
{
    struct actor *a = loop("clear");

    a->on_clear = raise;
    Py_DECREF(a);
    collect();
}

/* One that leaves its exception behind breaks the rule. */
static const char *seen;

static PyObject *
hush(PyObject *self, PyObject *args)
{
    Py_RETURN_NONE;
}

static PyMethodDef hush_def = {"hush", hush, METH_O, NULL};

static void
look_quietly(struct actor *a)
{
    seen = PyErr_Occurred() != NULL ? "left" : "reported";
}

static void
left_by_finalizer(void)
{
    struct actor *a = loop("left");
    PyObject *hook = need(PyCFunction_New(&hush_def, NULL));

    a->on_finalize = raise;
    a->on_clear = look_quietly;
    Py_DECREF(a);
    PySys_SetObject("unraisablehook", hook);
    Py_DECREF(hook);
    collect();
    differs("\"tp_finalize should leave the current exception status "
            "unchanged\": ours reports at once what a finalizer leaves, "
            "CPython in the name of the next tp_clear",
            "reported", "left", seen);
    error();
}

static void
in_callback(void)
{
    struct actor *a = loop("referent");
    PyObject *callback = need(PyCFunction_New(&fail_def, NULL));
    PyObject *weakref = need(PyWeakref_NewRef((PyObject *)a, callback));

    a->on_finalize = look;
    Py_DECREF(a);
    collect();
    a = actor_new(&Actor_Type, "by count");
    Py_DECREF(weakref);
    weakref = need(PyWeakref_NewRef((PyObject *)a, callback));
    Py_DECREF(a);
    error();
    drop_all(weakref, callback);
}

/* A pending exception is neither seen inside nor lost. */
static void
pending(void)
{
    struct actor *a = loop("pending");

    a->on_finalize = look;
    a->on_clear = raise;
    Py_DECREF(a);
    PyErr_SetString(PyExc_TypeError, "pending");
    say("collected: %ld", (long)PyGC_Collect());
    error();
}

void
oracle_program(void)
{
    unraisable_to_transcript();
    tell_clears = 1;
    in_finalizer();
    in_clear();
    in_callback();
    pending();
    left_by_finalizer();
}
