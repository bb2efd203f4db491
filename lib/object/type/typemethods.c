/* typemethods.c: the methods of every type. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/dir.h"
#include "object/error/errors.h"
#include "object/protocol/classtest.h"
#include "object/type/mro.h"
#include "object/type/subclasses.h"
#include "object/type/typemethods.h"

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
    PYB_ASSERT_OBJECT(PyType_Check(self), self);
    return pyb_subclasses_list((PyTypeObject *)self);
}

static PyObject *
instancecheck(PyObject *self, PyObject *op)
{
    return pyb_result_bool(pyb_classtest_instance(op, self));
}

static PyObject *
subclasscheck(PyObject *self, PyObject *op)
{
    return pyb_result_bool(pyb_classtest_subclass(op, self));
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
    {"__dir__", pyb_dir_type, METH_NOARGS,
     "__dir__($self, /)\n--\n\nThe names of the class's attributes."},
    {"__instancecheck__", instancecheck, METH_O,
     "__instancecheck__($self, instance, /)\n--\n\n"
     "Tell whether an object is an instance."},
    {"__subclasscheck__", subclasscheck, METH_O,
     "__subclasscheck__($self, subclass, /)\n--\n\n"
     "Tell whether a class is a subclass."},
    {"__prepare__", _PyCFunction_CAST(prepare),
     METH_FASTCALL | METH_KEYWORDS | METH_CLASS,
     "The namespace for a class statement's body."},
    {NULL, NULL, 0, NULL},
};
