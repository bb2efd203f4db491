/* bases.c: the metatype and the instance layout that several bases agree
   on. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/type/bases.h"

PyTypeObject *
pyb_bases_metatype(PyTypeObject *metatype, PyObject *bases)
{
    PyTypeObject *winner = metatype;

    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *candidate = Py_TYPE(PyTuple_GET_ITEM(bases, i));

        if (PyType_IsSubtype(winner, candidate))
            continue;
        if (!PyType_IsSubtype(candidate, winner))
            return pyb_raise(
                PyExc_TypeError,
                "metaclass conflict: the metaclass of a derived class must "
                "be a (non-strict) subclass of the metaclasses of all its "
                "bases");
        winner = candidate;
    }
    PYB_ASSERT(PyType_IsSubtype(winner, metatype));
    return winner;
}

/* A type adds nothing to its base's layout if the sizes are the same: managed
   dictionaries and weak lists stand outside of them. */
PyTypeObject *
pyb_bases_solid(PyTypeObject *type)
{
    PYB_ASSERT(PyType_Check(type));
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
    if (Py_TYPE(op) != NULL && !PyType_Check(op))
        return pyb_raise(PyExc_TypeError, "bases must be types");
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

    PYB_ASSERT_OBJECT(PyTuple_GET_SIZE(bases) > 0, bases);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyTypeObject *base = acceptable(PyTuple_GET_ITEM(bases, i));
        PyTypeObject *solid;

        if (base == NULL)
            return NULL;
        PYB_ASSERT(PyType_HasFeature(base, Py_TPFLAGS_READY));
        solid = pyb_bases_solid(base);
        if (winner != NULL && PyType_IsSubtype(winner, solid))
            continue;
        if (winner != NULL && !PyType_IsSubtype(solid, winner))
            return pyb_raise(PyExc_TypeError,
                             "multiple bases have instance lay-out conflict");
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

        PYB_ASSERT(PyType_Check(base));
        if (PyType_HasFeature(base, Py_TPFLAGS_IMMUTABLETYPE))
            continue;
        return pyb_failf(PyExc_TypeError,
                         "Creating immutable type %s from mutable base %N",
                         name, base);
    }
    return 0;
}
