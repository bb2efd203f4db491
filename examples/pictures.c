/* pictures.c: writes the graphs of doc/pictures.md.

   make pictures runs it with the manual's modules, which make demo compiles:
   a cycle through an instance of a subclass of custom4.Custom; a list of
   dictionaries that the program has forgotten; a heap type and its module; a
   hundred thousand objects. */

#include <Python.h>
#include <pyboehm.h>

/* NULL ends the program. */
static PyObject *
need(PyObject *op)
{
    if (op == NULL) {
        PyErr_Print();
        exit(1);
    }
    return op;
}

/* What root leads to, or all there is if that is NULL. */
static void
draw(const char *name, PyObject *root, int depth)
{
    FILE *file = fopen(name, "w");

    if (file == NULL) {
        perror(name);
        exit(1);
    }
    if (PyBoehm_WriteGraph(file, root != NULL ? &root : NULL, 1, depth,
                           PyBoehm_GRAPH_DOT) < 0)
        need(NULL);
    fclose(file);
}

static PyObject *
new_class(const char *name, PyObject *base)
{
    return need(PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){}", name,
                                      base));
}

/* Only the list refers to the instance when the picture is made. */
static void
draw_cycle(PyObject *person)
{
    PyObject *ada = need(PyObject_CallFunction(person, "ss", "Ada", "Lovelace"));
    PyObject *friends = need(Py_BuildValue("[Os]", ada, "Charles"));

    if (PyObject_SetAttrString(ada, "friends", friends) < 0)
        need(NULL);
    Py_DECREF(friends);
    Py_DECREF(ada); /* the cycle keeps it until a collection finds it */
    draw("cycle.dot", ada, 3);
}

/* Only the module refers to the type. */
static void
draw_module(PyObject *module, PyObject *person)
{
    if (PyModule_AddObjectRef(module, "Person", person) < 0)
        need(NULL);
    Py_DECREF(person);
    draw("module.dot", module, 2);
}

static PyObject *
new_orders(int n)
{
    PyObject *orders = need(PyList_New(0));

    for (int i = 0; i < n; i++) {
        PyObject *order = need(Py_BuildValue("{s:i,s:s,s:[i,i]}", "id", i,
                                             "name", "customer", "items", i,
                                             i + 1));

        if (PyList_Append(orders, order) < 0)
            need(NULL);
        Py_DECREF(order);
    }
    return orders;
}

static void
draw_leak(void)
{
    PyObject *orders = new_orders(1000);
    PyObject *cache = need(Py_BuildValue("{s:O}", "orders", orders));

    PyBoehm_Adopt(cache);
    draw("leak.dot", cache, 4);
    Py_DECREF(orders);
}

static void
draw_many(PyObject *custom)
{
    PyObject *all = new_orders(25000);

    for (int i = 0; i < 50000; i++) {
        PyObject *op = need(PyObject_CallNoArgs(custom));

        if (PyList_Append(all, op) < 0)
            need(NULL);
        Py_DECREF(op);
    }
    draw("many.dot", NULL, -1);
    Py_DECREF(all);
}

int
main(void)
{
    PyObject *module, *custom, *person;

    Py_Initialize();
    module = need(PyImport_ImportModule("custom4"));
    custom = need(PyObject_GetAttrString(module, "Custom"));
    person = new_class("Person", custom);
    draw_cycle(person);
    draw_leak();
    draw_module(module, person);
    draw_many(custom);
    Py_DECREF(custom);
    Py_DECREF(module);
    Py_Finalize();
    return 0;
}
