/* typelookup.c: queries about a type that use its MRO. */

#include "Python.h"

#include "gc/base/fatal.h"

/* Inheritance through tp_base, for a type without an MRO: one that is not
   ready, or is cleared. */
static int
is_below(PyTypeObject *a, PyTypeObject *b)
{
    for (; a != NULL; a = a->tp_base)
        if (a == b)
            return 1;
    return b == &PyBaseObject_Type;
}

int
PyType_IsSubtype(PyTypeObject *a, PyTypeObject *b)
{
    PyObject *mro = a->tp_mro;

    PYB_ASSERT(mro == NULL || PyTuple_Check(mro));
    if (mro == NULL)
        return is_below(a, b);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++)
        if (PyTuple_GET_ITEM(mro, i) == (PyObject *)b)
            return 1;
    return 0;
}

PyObject *
_PyType_Lookup(PyTypeObject *type, PyObject *name)
{
    PyObject *mro = type->tp_mro;

    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        PyObject *found = NULL;

        PYB_ASSERT(PyType_Check(base));
        if (base->tp_dict == NULL)
            continue;
        PYB_ASSERT(PyDict_Check(base->tp_dict));
        if (PyDict_GetItemRef(base->tp_dict, name, &found) < 0)
            PyErr_Clear();
        if (found != NULL) {
            Py_DECREF(found); /* the dictionary owns it */
            return found;
        }
    }
    return NULL;
}

unsigned long
PyType_GetFlags(PyTypeObject *type)
{
    return type->tp_flags;
}

PyObject *
PyType_GetDict(PyTypeObject *type)
{
    return Py_XNewRef(type->tp_dict);
}
