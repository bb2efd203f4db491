/* weak_subclass.c: a type in C below weakref.ref, with a member of its own.
   Manual: Python's "weakref": "ref": "a subclassable type rather than a
   factory function". */

#include "oracle.h"

struct keyed {
    PyWeakReference base;
    PyObject *key;
};

static int
keyed_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    PyObject *referent, *callback = NULL, *key = NULL;

    if (!PyArg_ParseTuple(args, "OO|O:Keyed", &referent, &callback, &key))
        return -1;
    Py_XSETREF(((struct keyed *)op)->key, Py_XNewRef(key));
    return 0;
}

static PyObject *
keyed_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *first_two = PyTuple_GetSlice(args, 0, 2), *op;

    if (first_two == NULL)
        return NULL;
    op = _PyWeakref_RefType.tp_new(type, first_two, NULL);
    Py_DECREF(first_two);
    return op;
}

static int
keyed_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct keyed *)op)->key);
    return _PyWeakref_RefType.tp_traverse(op, visit, arg);
}

static int
keyed_clear(PyObject *op)
{
    Py_CLEAR(((struct keyed *)op)->key);
    return _PyWeakref_RefType.tp_clear(op);
}

static void
keyed_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    event("keyed", "dealloc");
    Py_CLEAR(((struct keyed *)op)->key);
    _PyWeakref_RefType.tp_dealloc(op);
}

static PyTypeObject Keyed_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Keyed",
    .tp_basicsize = sizeof(struct keyed),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_base = &_PyWeakref_RefType,
    .tp_dealloc = keyed_dealloc,
    .tp_traverse = keyed_traverse,
    .tp_clear = keyed_clear,
    .tp_init = keyed_init,
    .tp_new = keyed_new,
};

static PyObject *
keyed(void *referent, PyObject *callback, void *key)
{
    return need(PyObject_CallFunctionObjArgs((PyObject *)&Keyed_Type, referent,
                                             callback, key, NULL));
}

static PyObject *
called(PyObject *self, PyObject *weakref)
{
    event(Py_TYPE(weakref)->tp_name,
          ((struct actor *)((struct keyed *)weakref)->key)->name);
    Py_RETURN_NONE;
}

static PyMethodDef called_def = {"called", called, METH_O, NULL};

static void
callback_gets_it(struct actor *key)
{
    PyObject *callback = need(PyCFunction_New(&called_def, NULL));
    struct actor *a = actor_new(&Actor_Type, "a");
    PyObject *one = keyed(a, Py_None, key), *two = keyed(a, Py_None, key);
    PyObject *basic = need(PyWeakref_NewRef((PyObject *)a, NULL));
    PyObject *heard = keyed(a, callback, key);

    say("shared: %d, is a ref: %d, exactly: %d", one == two || one == basic,
        PyWeakref_CheckRef(one) != 0, PyWeakref_CheckRefExact(one) != 0);
    say("called: %d", PyObject_CallNoArgs(one) == (PyObject *)a);
    Py_DECREF(a); /* the result */
    visits("it", heard);
    drop_all(two, basic, a);
    say("dead: %d", PyWeakref_GetObject(one) == Py_None);
    drop_all(one, heard, callback);
}

/* A ring through the weak reference's own member. */
static void
ring(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "ring");
    PyObject *ref = keyed(a, Py_None, a);

    actor_set(a, 0, ref);
    drop_all(ref, a);
    collect();
}

void
oracle_program(void)
{
    struct actor *key = actor_new(&Actor_Type, "key");

    need_ready(&Keyed_Type);
    callback_gets_it(key);
    show("too few", PyObject_CallNoArgs((PyObject *)&Keyed_Type));
    show("of an int",
         PyObject_CallFunction((PyObject *)&Keyed_Type, "iO", 5, Py_None));
    ring();
    state("key", (PyObject *)key);
    Py_DECREF(key);
}
