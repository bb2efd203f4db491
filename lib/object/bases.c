/* bases.c: the metatype and the instance layout that several bases agree
   on. */

#include "Python.h"

#include "object/bases.h"

PyTypeObject *
pyb_bases_metatype(PyTypeObject *metatype, PyObject *bases)
{
    PyTypeObject *winner = metatype;

    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *candidate = Py_TYPE(PyTuple_GET_ITEM(bases, i));

        if (PyType_IsSubtype(winner, candidate))
            continue;
        if (!PyType_IsSubtype(candidate, winner)) {
            PyErr_SetString(
                PyExc_TypeError,
                "metaclass conflict: the metaclass of a derived class must "
                "be a (non-strict) subclass of the metaclasses of all its "
                "bases");
            return NULL;
        }
        winner = candidate;
    }
    return winner;
}

/* A type adds nothing to its base's layout if the sizes are the same: managed
   dictionaries and weak lists stand outside of them. */
PyTypeObject *
pyb_bases_solid(PyTypeObject *type)
{
    while (type->tp_base != NULL &&
           type->tp_basicsize == type->tp_base->tp_basicsize &&
           type->tp_itemsize == type->tp_base->tp_itemsize)
        type = type->tp_base;
    return type;
}

/* op as a type that may be a base, ready; else NULL with an exception. */
static PyTypeObject *
acceptable(PyObject *op)
{
    PyTypeObject *type = (PyTypeObject *)op;

    /* Only a static type that is not ready may lack its own type yet. */
    if (Py_TYPE(op) != NULL && !PyType_Check(op)) {
        PyErr_SetString(PyExc_TypeError, "bases must be types");
        return NULL;
    }
    if (PyType_Ready(type) < 0)
        return NULL;
    if (!PyType_HasFeature(type, Py_TPFLAGS_BASETYPE)) {
        PyErr_Format(PyExc_TypeError,
                     "type '%.100s' is not an acceptable base type",
                     type->tp_name);
        return NULL;
    }
    return type;
}

PyTypeObject *
pyb_bases_best(PyObject *bases)
{
    PyTypeObject *best = NULL, *winner = NULL;

    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *base = acceptable(PyTuple_GET_ITEM(bases, i));
        PyTypeObject *solid;

        if (base == NULL)
            return NULL;
        solid = pyb_bases_solid(base);
        if (winner != NULL && PyType_IsSubtype(winner, solid))
            continue;
        if (winner != NULL && !PyType_IsSubtype(solid, winner)) {
            PyErr_SetString(PyExc_TypeError,
                            "multiple bases have instance lay-out conflict");
            return NULL;
        }
        winner = solid;
        best = base;
    }
    return best;
}

int
pyb_bases_immutable(PyObject *bases, Py_ssize_t first, const char *name)
{
    for (Py_ssize_t i = first; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);

        if (PyType_HasFeature(base, Py_TPFLAGS_IMMUTABLETYPE))
            continue;
        PyErr_Format(PyExc_TypeError,
                     "Creating immutable type %s from mutable base %N", name,
                     base);
        return -1;
    }
    return 0;
}
