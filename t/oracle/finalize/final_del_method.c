/* final_del_method.c: __del__ in the dictionary of a class is its tp_finalize;
   a class inherits its base's.
   Manual: "tp_finalize"; Python's data model: "object.__del__". */

#include "oracle.h"

static int fails;

static PyObject *
del(PyObject *name, PyObject *args)
{
    event(PyUnicode_AsUTF8(name), "__del__");
    if (fails) {
        PyErr_SetString(PyExc_ValueError, "__del__ fails");
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef del_def = {"__del__", del, METH_NOARGS, NULL};

/* type("Class", (base,), {"__del__": a function that says NAME}). */
static PyObject *
class_with_del(const char *name, PyTypeObject *base)
{
    PyObject *str = need(PyUnicode_FromString(name));
    PyObject *function = need(PyCFunction_New(&del_def, str));
    PyObject *type = call_type(&PyType_Type, "s(O){sO}", "Class", base,
                               "__del__", function);

    drop_all(function, str);
    return type;
}

static void
live_and_die(const char *label, PyObject *type)
{
    PyObject *op = need(PyObject_CallNoArgs(type)), *dict;

    say("%s, by its count:", label);
    Py_DECREF(op);
    say("%s, in a ring:", label);
    op = need(PyObject_CallNoArgs(type));
    dict = need(PyObject_GenericGetDict(op, NULL));
    PyDict_SetItemString(dict, "self", op);
    drop_all(dict, op);
    collect();
}

/* An actor with a __del__ and without. */
static void
actors(void)
{
    PyObject *with = class_with_del("of the class", &FinalActor_Type);
    PyObject *without =
        call_type(&PyType_Type, "s(O){}", "Class", &FinalActor_Type);
    struct actor *a = actor_new((PyTypeObject *)without, "inherits");

    actor_set(a, 0, a);
    say("inherits tp_finalize:");
    Py_DECREF(a);
    collect();
    a = actor_new((PyTypeObject *)with, "replaced");
    actor_set(a, 0, a);
    say("__del__ replaces tp_finalize:");
    Py_DECREF(a);
    collect();
    drop_all(with, without);
}

/* __del__ comes and goes while the class is in use. */
static void
changed(void)
{
    PyObject *type = call_type(&PyType_Type, "s(){}", "Class");
    PyObject *str = need(PyUnicode_FromString("added"));
    PyObject *function = need(PyCFunction_New(&del_def, str));

    live_and_die("none", type);
    PyObject_SetAttrString(type, "__del__", function);
    live_and_die("added", type);
    PyObject_SetAttrString(type, "__del__", NULL);
    live_and_die("deleted", type);
    drop_all(function, str, type);
}

void
oracle_program(void)
{
    PyObject *type = class_with_del("__del__", &PyBaseObject_Type);
    PyObject *below = call_type(&PyType_Type, "s(O){}", "Below", type);

    unraisable_to_transcript();
    live_and_die("class", type);
    live_and_die("subclass", below);
    fails = 1;
    live_and_die("failing", type);
    fails = 0;
    actors();
    changed();
    drop_all(below, type);
}
