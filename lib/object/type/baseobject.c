/* baseobject.c: PyBaseObject_Type, the base of all types. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/attr/dir.h"
#include "object/attr/inlinevalues.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "object/slot/slotnames.h"
#include "object/type/bases.h"
#include "object/type/typedata.h"
#include "object/type/typenames.h"

/* ------------------------------------------------------------------ */
/* Making instances                                                    */

static int
has_arguments(PyObject *args, PyObject *kwds)
{
    PYB_ASSERT_OBJECT(PyTuple_Check(args), args);
    return PyTuple_GET_SIZE(args) != 0 ||
           (kwds != NULL && PyDict_Size(kwds) != 0);
}

static int object_init(PyObject *self, PyObject *args, PyObject *kwds);

/* The names of the abstract methods, in order, with "', '" between them. */
static PyObject *
abstract_names(PyTypeObject *type)
{
    PyObject *names =
        PyObject_GetAttrString((PyObject *)type, "__abstractmethods__");
    PyObject *list = NULL, *comma = NULL, *text = NULL;

    if (names != NULL)
        list = PySequence_List(names);
    if (list != NULL && PyList_Sort(list) == 0)
        comma = PyUnicode_FromString("', '");
    if (comma != NULL)
        text = PyUnicode_Join(comma, list);
    Py_XDECREF(names);
    Py_XDECREF(list);
    Py_XDECREF(comma);
    return text;
}

/* Always NULL. */
static PyObject *
refuse_abstract(PyTypeObject *type)
{
    PyObject *names = abstract_names(type);

    if (names == NULL)
        return NULL;
    int several = PyUnicode_FindChar(names, ',', 0, PY_SSIZE_T_MAX, 1) >= 0;
    PyErr_Format(PyExc_TypeError,
                 "Can't instantiate abstract class %s without an "
                 "implementation for abstract method%s '%U'",
                 type->tp_name, several ? "s" : "", names);
    Py_DECREF(names);
    return NULL;
}

/* Arguments are an error unless they are meant for another function: a type
   with its own tp_new or tp_init may inherit the other one from object, and
   that one then ignores the arguments. */
static PyObject *
object_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if (has_arguments(args, kwds)) {
        if (type->tp_new != object_new)
            return pyb_raise(PyExc_TypeError,
                             "object.__new__() takes exactly one argument "
                             "(the type to instantiate)");
        if (type->tp_init == object_init)
            return PyErr_Format(PyExc_TypeError, "%.200s() takes no arguments",
                                type->tp_name);
    }
    if (PyType_HasFeature(type, Py_TPFLAGS_IS_ABSTRACT))
        return refuse_abstract(type);
    return type->tp_alloc(type, 0);
}

static int
object_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    PyTypeObject *type = Py_TYPE(self);

    if (!has_arguments(args, kwds))
        return 0;
    if (type->tp_init != object_init)
        return pyb_fail(PyExc_TypeError,
                        "object.__init__() takes exactly one argument (the "
                        "instance to initialize)");
    if (type->tp_new == object_new)
        return pyb_failf(PyExc_TypeError,
                         "%.200s.__init__() takes exactly one argument (the "
                         "instance to initialize)",
                         type->tp_name);
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

/* "Not equal" is the opposite of the result of the type's own "equal". */
static PyObject *
not_equal(PyObject *self, PyObject *other)
{
    richcmpfunc compare = Py_TYPE(self)->tp_richcompare;
    PyObject *equal;

    if (compare == NULL)
        Py_RETURN_NOTIMPLEMENTED;
    equal = compare(self, other, Py_EQ);
    if (equal == NULL || equal == Py_NotImplemented)
        return equal;
    int truth = pyb_truth_stolen(equal);
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

/* Can an instance of one type become an instance of the other without changes?
   1, 0, or -1 with an exception. */
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

    if (!is_mutable_heap_type(from) || !is_mutable_heap_type(to))
        return pyb_fail(PyExc_TypeError,
                        "__class__ assignment only supported for mutable "
                        "types or ModuleType subclasses");
    if (from->tp_dealloc != to->tp_dealloc)
        return pyb_failf(PyExc_TypeError,
                         "__class__ assignment: '%s' deallocator differs from "
                         "'%s'",
                         to->tp_name, from->tp_name);
    same = same_layout(from, to);
    if (same == 0)
        PyErr_Format(PyExc_TypeError,
                     "__class__ assignment: '%s' object layout differs from "
                     "'%s'",
                     to->tp_name, from->tp_name);
    return same > 0 ? 0 : -1;
}

/* The shared keys of the other class are others: what the instance has is in a
   dictionary.  0, or -1 with MemoryError. */
static int
leave_class(PyObject *self)
{
    PyObject **slot = pyb_attr_dict_slot(self);

    return slot != NULL && pyb_inline_is(*slot)
               ? pyb_inline_make_dict(self, slot)
               : 0;
}

static int
set_class(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *from = Py_TYPE(self);

    if (value == NULL)
        return pyb_fail(PyExc_TypeError, "can't delete __class__ attribute");
    if (!PyType_Check(value))
        return pyb_failf(PyExc_TypeError,
                         "__class__ must be set to a class, not '%s' object",
                         Py_TYPE(value)->tp_name);
    if (check_assignment(from, (PyTypeObject *)value) < 0)
        return -1;
    PYB_ASSERT_OBJECT(
        ((PyTypeObject *)value)->tp_basicsize == from->tp_basicsize &&
            ((PyTypeObject *)value)->tp_itemsize == from->tp_itemsize,
        self);
    if (leave_class(self) < 0)
        return -1;
    Py_SET_TYPE(self, (PyTypeObject *)Py_NewRef(value));
    Py_DECREF(from);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Subclasses                                                          */

/* __init_subclass__ of object, where the calls of a class statement end; it
   takes no keywords, so a class on the way must take them. */
static PyObject *
init_subclass(PyObject *Py_UNUSED(cls), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_NONE;
}

static PyObject *
subclass_hook(PyObject *Py_UNUSED(cls), PyObject *Py_UNUSED(args))
{
    Py_RETURN_NOTIMPLEMENTED;
}

/* Only str() of the object: what a specifier says is for its type. */
static PyObject *
object_format(PyObject *self, PyObject *spec)
{
    if (!PyUnicode_Check(spec))
        return PyErr_Format(PyExc_TypeError,
                            "__format__() argument must be str, not %.50s",
                            spec == Py_None ? "None" : Py_TYPE(spec)->tp_name);
    if (PyUnicode_GET_LENGTH(spec) > 0)
        return pyb_errors_type(
            "unsupported format string passed to %.200s.__format__", self);
    return PyObject_Str(self);
}

/* The memory that the object's own type gives it.  Types with items elsewhere
   have methods of their own. */
static PyObject *
object_sizeof(PyObject *self, PyObject *Py_UNUSED(none))
{
    Py_ssize_t size = Py_TYPE(self)->tp_basicsize;

    if (Py_TYPE(self)->tp_itemsize > 0)
        size += Py_ABS(Py_SIZE(self)) * Py_TYPE(self)->tp_itemsize;
    return PyLong_FromSsize_t(size);
}

static PyMethodDef object_methods[] = {
    {"__dir__", pyb_dir_object, METH_NOARGS,
     "__dir__($self, /)\n--\n\nThe names of the attributes."},
    {"__format__", object_format, METH_O, "Default object formatter."},
    {"__getstate__", pyb_reduce_getstate, METH_NOARGS,
     "__getstate__($self, /)\n--\n\nThe attributes, for pickle and copy."},
    {"__init_subclass__", init_subclass, METH_NOARGS | METH_CLASS,
     "Called when a class is made that inherits from this one."},
    {"__reduce__", pyb_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nHow to make the object anew, for pickle."},
    {"__reduce_ex__", pyb_reduce_ex, METH_O,
     "__reduce_ex__($self, protocol, /)\n--\n\n"
     "How to make the object anew, for a protocol of pickle."},
    {"__sizeof__", object_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nThe size in memory, in bytes."},
    {"__subclasshook__", subclass_hook, METH_VARARGS | METH_CLASS,
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
