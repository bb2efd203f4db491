/* weak_class.c: classes below weakref.ref: their references have attributes,
   are not shared, and can be part of a ring; weak references to classes.
   Manual: Python's "weakref": "ref": "a subclassable type". */

#include "oracle.h"

static PyObject *
class_below(PyTypeObject *base)
{
    return call_type(&PyType_Type, "s(O){}", "Class", base);
}

static PyObject *
reference(PyObject *type, void *op, PyObject *callback)
{
    return need(PyObject_CallFunctionObjArgs(type, op, callback, NULL));
}

static void
attributes(PyObject *type)
{
    struct actor *a = actor_new(&Actor_Type, "a");
    PyObject *one = reference(type, a, NULL), *two = reference(type, a, NULL);
    PyObject *basic = need(PyWeakref_NewRef((PyObject *)a, NULL));

    say("shared: %d %d, exactly: %d", one == two, one == basic,
        PyWeakref_CheckRefExact(one) != 0);
    say("equal: %d", PyObject_RichCompareBool(one, basic, Py_EQ));
    PyObject_SetAttrString(one, "x", Py_True);
    show("x", PyObject_GetAttrString(one, "x"));
    show("x of the other", PyObject_GetAttrString(two, "x"));
    show("x of a basic one", PyObject_GetAttrString(basic, "x"));
    Py_DECREF(a);
    say("dead: %d", PyWeakref_GetObject(one) == Py_None);
    show("no referent", PyObject_CallNoArgs(type));
    show("keywords", PyObject_Call(type, need(PyTuple_Pack(1, type)),
                                   need(Py_BuildValue("{si}", "x", 1))));
    drop_all(one, two, basic);
}

/* A weak reference whose dict refers to its referent. */
static void
ring(PyObject *type)
{
    struct actor *a = actor_new(&FinalActor_Type, "a");
    PyObject *ref = reference(type, a, NULL);
    PyObject *dict = need(PyObject_GenericGetDict(ref, NULL));

    PyDict_SetItemString(dict, "a", (PyObject *)a);
    actor_set(a, 0, ref);
    drop_all(dict, ref, a);
    collect();
}

/* Classes go in collections only: they refer to themselves. */
static void
of_a_class(void)
{
    PyObject *type = class_below(&PyBaseObject_Type);
    PyObject *heard = watch(type, "class"), *op, *of_object;

    op = need(PyObject_CallNoArgs(type));
    of_object = watch(op, "object");
    Py_DECREF(type);
    collect();
    say("the class lives by its object: %d",
        PyWeakref_GetObject(heard) != Py_None);
    Py_DECREF(op);
    say("the class waits: %d", PyWeakref_GetObject(heard) != Py_None);
    collect();
    say("the class is gone: %d", PyWeakref_GetObject(heard) == Py_None);
    drop_all(heard, of_object);
}

void
oracle_program(void)
{
    PyObject *type = class_below(&_PyWeakref_RefType);

    attributes(type);
    ring(type);
    of_a_class();
    Py_DECREF(type);
    collect();
}
