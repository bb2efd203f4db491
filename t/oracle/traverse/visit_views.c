/* visit_views.c: what built-in iterators, views and slices visit, before,
   amid and after their run.
   Manual: "traverseproc". */

#include "oracle.h"

/* Takes the reference away. */
static void
run(const char *label, PyObject *iterator)
{
    PyObject *item;

    visits(label, need(iterator));
    while ((item = PyIter_Next(iterator)) != NULL) {
        visits("    amid", iterator);
        Py_DECREF(item);
    }
    visits("    after", iterator);
    Py_DECREF(iterator);
}

static void
iterators(PyObject *a)
{
    PyObject *list = need(Py_BuildValue("[O]", a));
    PyObject *tuple = need(Py_BuildValue("(O)", a));
    PyObject *dict = need(Py_BuildValue("{OO}", a, a));
    PyObject *set = need(PySet_New(list));
    PyObject *function = need(PyCFunction_New(&none_def, NULL));

    run("list iterator", PyObject_GetIter(list));
    run("tuple iterator", PyObject_GetIter(tuple));
    run("dict iterator", PyObject_GetIter(dict));
    run("set iterator", PyObject_GetIter(set));
    run("sequence iterator", PySeqIter_New(list));
    run("callable iterator", PyCallIter_New(function, Py_None));
    run("reversed", PyObject_CallOneArg((PyObject *)&PyReversed_Type, tuple));
    drop_all(list, tuple, dict, set, function);
}

static void
views(PyObject *a)
{
    PyObject *dict = need(Py_BuildValue("{OO}", a, a));
    const char *names[] = {"keys", "values", "items"};
    PyObject *proxy = need(PyDictProxy_New(dict));

    for (int i = 0; i < 3; i++) {
        PyObject *view = need(PyObject_CallMethod(dict, names[i], NULL));

        visits(names[i], view);
        run("    its iterator", PyObject_GetIter(view));
        Py_DECREF(view);
    }
    visits("mappingproxy", proxy);
    drop_all(proxy, dict);
}

static void
slices(PyObject *a)
{
    PyObject *slice = need(PySlice_New(a, NULL, a));

    visits("slice", slice);
    Py_DECREF(slice);
}

void
oracle_program(void)
{
    PyObject *a = (PyObject *)actor_new(&Actor_Type, "a");

    iterators(a);
    views(a);
    slices(a);
    state("a", a);
    Py_DECREF(a);
}
