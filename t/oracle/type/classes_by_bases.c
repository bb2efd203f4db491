/* classes_by_bases.c: what is no type is a class if it has a tuple of bases.
   Manual: PyObject_IsInstance, PyObject_IsSubclass. */

#include "oracle.h"

/* An instance of a new type that has these attributes. */
static PyObject *
made(const char *name, PyObject *bases)
{
    PyObject *type =
        call_type(&PyType_Type, "s(){sO}", name, "__bases__", bases);
    PyObject *op = need(PyObject_CallNoArgs(type));

    Py_DECREF(type);
    return op;
}

static PyObject *
claiming(PyObject *cls)
{
    PyObject *type =
        call_type(&PyType_Type, "s(){sO}", "Claims", "__class__", cls);
    PyObject *op = need(PyObject_CallNoArgs(type));

    Py_DECREF(type);
    return op;
}

static PyObject *
with_bases(const char *name, const char *format, PyObject *a, PyObject *b)
{
    PyObject *bases = need(Py_BuildValue(format, a, b));
    PyObject *op = made(name, bases);

    Py_DECREF(bases);
    return op;
}

void
oracle_program(void)
{
    PyObject *empty = need(PyTuple_New(0));
    PyObject *root = made("Root", empty);
    PyObject *one = with_bases("One", "(O)", root, NULL);
    PyObject *two = with_bases("Two", "(O)", one, NULL);
    PyObject *both = with_bases("Both", "(OO)", (PyObject *)&PyLong_Type, two);
    PyObject *list = with_bases("List", "[O]", root, NULL);
    PyObject *number = need(PyLong_FromLong(5));
    PyObject *all[] = {root,
                       one,
                       two,
                       both,
                       list,
                       number,
                       (PyObject *)&PyLong_Type,
                       (PyObject *)&PyBool_Type,
                       Py_None};
    static const char *const names[] = {
        "root", "one", "two", "both", "list", "number", "int", "bool", "None"};
    enum { N = sizeof all / sizeof *all };
    char label[80];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            snprintf(label, sizeof label, "%s below %s", names[i], names[j]);
            result(label, PyObject_IsSubclass(all[i], all[j]));
            snprintf(label, sizeof label, "%s is a %s", names[i], names[j]);
            result(label, PyObject_IsInstance(all[i], all[j]));
        }
    for (int i = 0; i < N; i++) {
        PyObject *op = claiming(all[i]);

        for (int j = 0; j < N; j++) {
            snprintf(label, sizeof label, "what claims %s is a %s", names[i],
                     names[j]);
            result(label, PyObject_IsInstance(op, all[j]));
        }
        Py_DECREF(op);
    }
    drop_all(number, list, both, two, one, root, empty);
}
