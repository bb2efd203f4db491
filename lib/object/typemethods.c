/* typemethods.c: the methods that every type has. */

#include "Python.h"

#include "object/mro.h"
#include "object/subclasses.h"
#include "object/typemethods.h"

static PyObject *
get_mro(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *order = pyb_mro_default((PyTypeObject *)self);
    PyObject *list = order != NULL ? PySequence_List(order) : NULL;

    Py_XDECREF(order);
    return list;
}

static PyObject *
get_subclasses(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return pyb_subclasses_list((PyTypeObject *)self);
}

static PyObject *
prepare(PyObject *Py_UNUSED(cls), PyObject *const *Py_UNUSED(args),
        Py_ssize_t Py_UNUSED(nargs), PyObject *Py_UNUSED(kwnames))
{
    return PyDict_New();
}

PyMethodDef pyb_typemethods[] = {
    {"mro", get_mro, METH_NOARGS,
     "mro($self, /)\n--\n\nThe order in which the bases are searched."},
    {"__subclasses__", get_subclasses, METH_NOARGS,
     "__subclasses__($self, /)\n--\n\nThe direct subclasses that are alive."},
    {"__prepare__", _PyCFunction_CAST(prepare),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "The namespace for a class statement's body."},
    {NULL, NULL, 0, NULL},
};
