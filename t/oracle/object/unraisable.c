/* unraisable.c: exceptions that have nowhere to go: PyErr_WriteUnraisable with
   and without an object, the hook and its argument, a hook that fails;
   PyErr_Print.
   Manual: "Exception Handling", PyErr_WriteUnraisable; sys.unraisablehook. */

#include "oracle.h"

static PyObject *
hook(PyObject *self, PyObject *arg)
{
    static const char *const names[] = {"exc_type", "exc_value",
                                        "exc_traceback", "err_msg", "object"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        show(names[i], PyObject_GetAttrString(arg, names[i]));
    Py_RETURN_NONE;
}

static PyObject *
bad_hook(PyObject *self, PyObject *arg)
{
    return PyErr_Format(PyExc_KeyError, "in the hook");
}

static PyMethodDef defs[] = {
    {"hook", hook, METH_O, NULL},
    {"bad_hook", bad_hook, METH_O, NULL},
};

static void
write_one(const char *label, PyObject *object)
{
    say("%s", label);
    stderr_begin();
    PyErr_SetString(PyExc_ValueError, "nowhere to go");
    PyErr_WriteUnraisable(object);
    stderr_end();
    result("pending", PyErr_Occurred() != NULL);
}

static void
raise_in_finalizer(struct actor *self)
{
    PyErr_SetString(PyExc_ValueError, "in a finalizer");
    PyErr_WriteUnraisable(NULL);
}

static void
set_hook(PyObject *value)
{
    result("set hook", PySys_SetObject("unraisablehook", value));
}

static void
print(const char *label, PyObject *type, const char *message)
{
    say("%s", label);
    stderr_begin();
    PyErr_SetString(type, message);
    PyErr_Print();
    stderr_end();
    result("pending", PyErr_Occurred() != NULL);
}

void
oracle_program(void)
{
    PyObject *list = PyList_New(0);
    PyObject *good = need(PyCFunction_New(&defs[0], NULL));
    PyObject *bad = need(PyCFunction_New(&defs[1], NULL));
    PyObject *original = Py_NewRef(PySys_GetObject("unraisablehook"));
    struct actor *a;

    write_one("with an object", list);
    write_one("without", NULL);
    set_hook(good);
    write_one("hook, with an object", list);
    write_one("hook, without", NULL);
    a = actor_ring(&FinalActor_Type, 1);
    a->on_finalize = raise_in_finalizer;
    Py_DECREF(a);
    collect();
    set_hook(bad);
    stderr_begin();
    PyErr_SetString(PyExc_ValueError, "nowhere to go");
    PyErr_WriteUnraisable(list);
    stderr_drop();
    result("pending", PyErr_Occurred() != NULL);
    set_hook(original);
    print("text", PyExc_ValueError, "the text");
    print("no text", PyExc_ValueError, "");
    print("a key", PyExc_KeyError, "key");
    drop_all(list, good, bad, original);
}
