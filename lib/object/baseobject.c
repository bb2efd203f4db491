/* baseobject.c: PyBaseObject_Type, the base of all types. */

#include "Python.h"

#include "object/bases.h"
#include "object/slotnames.h"
#include "object/typedata.h"
#include "object/typenames.h"

/* ------------------------------------------------------------------ */
/* Making instances                                                    */

static int
has_arguments(PyObject *args, PyObject *kwds)
{
    return PyTuple_GET_SIZE(args) != 0 ||
           (kwds != NULL && PyDict_Size(kwds) != 0);
}

static int object_init(PyObject *self, PyObject *args, PyObject *kwds);

/* Arguments are an error unless someone else takes them: a type that has only
   one of tp_new and tp_init of its own leaves the other one ours, which then
   says nothing about arguments meant for the first. */
static PyObject *
object_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if (has_arguments(args, kwds)) {
        if (type->tp_new != object_new) {
            PyErr_SetString(PyExc_TypeError,
                            "object.__new__() takes exactly one argument "
                            "(the type to instantiate)");
            return NULL;
        }
        if (type->tp_init == object_init) {
            PyErr_Format(PyExc_TypeError, "%.200s() takes no arguments",
                         type->tp_name);
            return NULL;
        }
    }
    return type->tp_alloc(type, 0);
}

static int
object_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    PyTypeObject *type = Py_TYPE(self);

    if (!has_arguments(args, kwds))
        return 0;
    if (type->tp_init != object_init) {
        PyErr_SetString(PyExc_TypeError,
                        "object.__init__() takes exactly one argument (the "
                        "instance to initialize)");
        return -1;
    }
    if (type->tp_new == object_new) {
        PyErr_Format(PyExc_TypeError,
                     "%.200s.__init__() takes exactly one argument (the "
                     "instance to initialize)",
                     type->tp_name);
        return -1;
    }
    return 0;
}

static void
object_dealloc(PyObject *self)
{
    Py_TYPE(self)->tp_free(self);
}

/* ------------------------------------------------------------------ */
/* Text and comparison                                                 */

static PyObject *
object_repr(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject *dotted, *result;
    int found = pyb_typenames_dotted(type, &dotted);

    if (found < 0)
        return NULL;
    if (found == 0)
        return PyUnicode_FromFormat("<%s object at %p>", type->tp_name,
                                    (void *)self);
    result = PyUnicode_FromFormat("<%U object at %p>", dotted, (void *)self);
    Py_DECREF(dotted);
    return result;
}

static PyObject *
object_str(PyObject *self)
{
    reprfunc repr = Py_TYPE(self)->tp_repr;

    return repr != NULL ? repr(self) : object_repr(self);
}

/* "Not equal" is what the type's own "equal" is not. */
static PyObject *
not_equal(PyObject *self, PyObject *other)
{
    richcmpfunc compare = Py_TYPE(self)->tp_richcompare;
    PyObject *equal;
    int truth;

    if (compare == NULL)
        Py_RETURN_NOTIMPLEMENTED;
    equal = compare(self, other, Py_EQ);
    if (equal == NULL || equal == Py_NotImplemented)
        return equal;
    truth = PyObject_IsTrue(equal);
    Py_DECREF(equal);
    return truth < 0 ? NULL : PyBool_FromLong(!truth);
}

static PyObject *
object_richcompare(PyObject *self, PyObject *other, int op)
{
    if (op == Py_EQ && self == other)
        Py_RETURN_TRUE;
    if (op == Py_NE)
        return not_equal(self, other);
    Py_RETURN_NOTIMPLEMENTED;
}

/* ------------------------------------------------------------------ */
/* __class__                                                           */

static PyObject *
get_class(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(Py_TYPE(self));
}

static int
is_mutable_heap_type(PyTypeObject *type)
{
    return pyb_typedata_is_heap(type) &&
           !PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE);
}

/* Can an instance of one become one of the other as it is?  1, 0, or -1 with
   an exception. */
static int
same_layout(PyTypeObject *a, PyTypeObject *b)
{
    const unsigned long flags = Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MANAGED_DICT |
                                Py_TPFLAGS_MANAGED_WEAKREF;
    PyTypeObject *solid_a = pyb_bases_solid(a), *solid_b = pyb_bases_solid(b);

    if (((a->tp_flags ^ b->tp_flags) & flags) != 0 ||
        a->tp_dictoffset != b->tp_dictoffset ||
        a->tp_weaklistoffset != b->tp_weaklistoffset)
        return 0;
    return solid_a == solid_b ? 1 : pyb_slotnames_same(solid_a, solid_b);
}

/* May __class__ change from the one to the other?  0, or -1 with
   TypeError. */
static int
check_assignment(PyTypeObject *from, PyTypeObject *to)
{
    int same;

    if (!is_mutable_heap_type(from) || !is_mutable_heap_type(to)) {
        PyErr_SetString(PyExc_TypeError,
                        "__class__ assignment only supported for mutable "
                        "types or ModuleType subclasses");
        return -1;
    }
    if (from->tp_dealloc != to->tp_dealloc) {
        PyErr_Format(PyExc_TypeError,
                     "__class__ assignment: '%s' deallocator differs from "
                     "'%s'",
                     to->tp_name, from->tp_name);
        return -1;
    }
    same = same_layout(from, to);
    if (same == 0)
        PyErr_Format(PyExc_TypeError,
                     "__class__ assignment: '%s' object layout differs from "
                     "'%s'",
                     to->tp_name, from->tp_name);
    return same > 0 ? 0 : -1;
}

static int
set_class(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *from = Py_TYPE(self);

    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "can't delete __class__ attribute");
        return -1;
    }
    if (!PyType_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "__class__ must be set to a class, not '%s' object",
                     Py_TYPE(value)->tp_name);
        return -1;
    }
    if (check_assignment(from, (PyTypeObject *)value) < 0)
        return -1;
    Py_SET_TYPE(self, (PyTypeObject *)Py_NewRef(value));
    Py_DECREF(from);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Subclasses                                                          */

/* What class statements call last, and without keywords unless a class on the
   way takes them. */
static PyObject *
init_subclass(PyObject *Py_UNUSED(cls), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_NONE;
}

static PyObject *
subclass_hook(PyObject *Py_UNUSED(cls), PyObject *Py_UNUSED(other))
{
    Py_RETURN_NOTIMPLEMENTED;
}

static PyMethodDef object_methods[] = {
    {"__init_subclass__", init_subclass, METH_NOARGS | METH_CLASS,
     "Called when a class is made that inherits from this one."},
    {"__subclasshook__", subclass_hook, METH_O | METH_CLASS,
     "What abstract base classes override for issubclass."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef object_getset[] = {
    {"__class__", get_class, set_class, "the object's class", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject PyBaseObject_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "object",
    .tp_basicsize = sizeof(PyObject),
    .tp_dealloc = object_dealloc,
    .tp_repr = object_repr,
    .tp_hash = PyObject_GenericHash,
    .tp_str = object_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "object()\n--\n\nThe type that all others inherit from.  Its "
              "own instances have no attributes\nof their own and take none.",
    .tp_richcompare = object_richcompare,
    .tp_methods = object_methods,
    .tp_getset = object_getset,
    .tp_init = object_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = object_new,
    .tp_free = PyObject_Free,
};
