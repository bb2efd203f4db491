/* type.c: PyType_Type, the type of types: calls of types, their attributes,
   and the life of heap types. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/inlinevalues.h"
#include "object/error/errors.h"
#include "object/slot/slotdefs.h"
#include "object/type/bases.h"
#include "object/type/genericalias.h"
#include "object/type/subclasses.h"
#include "object/type/subtype.h"
#include "object/type/typeattrs.h"
#include "object/type/typedata.h"
#include "object/type/typemethods.h"
#include "object/type/typenames.h"
#include "object/type/typenew.h"
#include "object/type/typeversion.h"

#define TYPE(op) PYB_CAST(PyTypeObject, PyType_Check, op)

static int
is_heap_type(PyObject *self)
{
    return pyb_typedata_is_heap(TYPE(self));
}

/* ------------------------------------------------------------------ */
/* Calls                                                               */

/* type(x) asks for the type of x.  1 with *result, or 0 to go on making an
   object, or -1 with an exception. */
static int
ask_type(PyObject *args, PyObject *kwds, PyObject **result)
{
    PYB_ASSERT_OBJECT(PyTuple_Check(args), args);
    switch (PyTuple_GET_SIZE(args)) {
    case 1:
        if (!pyb_getargs_no_keywords("type", kwds))
            return -1;
        *result = Py_NewRef(Py_TYPE(PyTuple_GET_ITEM(args, 0)));
        return 1;
    case 3:
        return 0;
    default:
        return pyb_fail(PyExc_TypeError, "type() takes 1 or 3 arguments");
    }
}

static PyObject *
type_call(PyObject *self, PyObject *args, PyObject *kwds)
{
    PyTypeObject *type = TYPE(self);
    PyObject *op = NULL;

    if (type == &PyType_Type && ask_type(args, kwds, &op) != 0)
        return op;
    if (type->tp_new == NULL)
        return PyErr_Format(PyExc_TypeError, "cannot create '%s' instances",
                            type->tp_name);
    op = type->tp_new(type, args, kwds);
    /* An object that is not an instance is complete already. */
    if (op == NULL || !PyObject_TypeCheck(op, type))
        return op;
    if (Py_TYPE(op)->tp_init != NULL &&
        Py_TYPE(op)->tp_init(op, args, kwds) < 0)
        Py_CLEAR(op);
    return op;
}

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

static int
check_name(PyObject *name)
{
    if (PyUnicode_Check(name))
        return 0;
    return pyb_failf(PyExc_TypeError,
                     "attribute name must be string, not '%.200s'",
                     Py_TYPE(name)->tp_name);
}

static void
raise_no_attribute(PyTypeObject *type, PyObject *name)
{
    PyErr_Format(PyExc_AttributeError,
                 "type object '%.100s' has no attribute '%U'", type->tp_name,
                 name);
}

/* The value of an attribute that was found: the result of its tp_descr_get, if
   it has one, for instance and owner. */
static PyObject *
bind(PyObject *found, PyObject *instance, PyTypeObject *owner)
{
    descrgetfunc get = Py_TYPE(found)->tp_descr_get;

    return get != NULL ? get(found, instance, (PyObject *)owner)
                       : Py_NewRef(found);
}

/* Data descriptors of the metatype come before the type's own attributes, and
   these before other attributes of the metatype. */
static PyObject *
find_attribute(PyTypeObject *type, PyObject *name, PyObject *of_meta)
{
    PyObject *own, *value;

    PYB_ASSERT_OBJECT(PyUnicode_Check(name), name);
    if (of_meta != NULL && PyDescr_IsData(of_meta))
        return bind(of_meta, (PyObject *)type, Py_TYPE(type));
    own = _PyType_Lookup(type, name);
    if (own != NULL) {
        Py_INCREF(own);
        value = bind(own, NULL, type);
        Py_DECREF(own);
        return value;
    }
    if (of_meta != NULL)
        return bind(of_meta, (PyObject *)type, Py_TYPE(type));
    raise_no_attribute(type, name);
    return NULL;
}

/* A metatype's method mro may look at a type that is not ready yet. */
static int
make_ready(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_READYING) ? 0
                                                        : PyType_Ready(type);
}

static PyObject *
type_getattro(PyObject *self, PyObject *name)
{
    PyTypeObject *type = TYPE(self);
    PyObject *of_meta, *value;

    if (check_name(name) < 0 || make_ready(type) < 0)
        return NULL;
    of_meta = Py_XNewRef(_PyType_Lookup(Py_TYPE(type), name));
    value = find_attribute(type, name, of_meta);
    Py_XDECREF(of_meta);
    return value;
}

/* Called after __del__ was added or removed, here or in a base. */
static void
update_finalize(PyTypeObject *type, void *del)
{
    PYB_ASSERT(PyUnicode_Check((PyObject *)del));
    if (is_heap_type((PyObject *)type))
        pyb_subtype_set_finalize(type, del);
    pyb_subclasses_each(type, update_finalize, del);
}

static int
set_own(PyTypeObject *type, PyObject *name, PyObject *value)
{
    int done = pyb_type_put(type, name, value);

    if (done == 0)
        raise_no_attribute(type, name);
    if (done <= 0)
        return -1;
    if (PyUnicode_EqualToUTF8(name, "__del__"))
        update_finalize(type, name);
    return pyb_slotdefs_update(type, name);
}

static int
type_setattro(PyObject *self, PyObject *name, PyObject *value)
{
    PyTypeObject *type = TYPE(self);
    PyObject *of_meta;
    int result;

    if (make_ready(type) < 0)
        return -1;
    if (PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE))
        return pyb_failf(PyExc_TypeError,
                         "cannot set %R attribute of immutable type '%s'",
                         name, type->tp_name);
    if (check_name(name) < 0)
        return -1;
    of_meta = Py_XNewRef(_PyType_Lookup(Py_TYPE(type), name));
    if (of_meta != NULL && Py_TYPE(of_meta)->tp_descr_set != NULL)
        result = Py_TYPE(of_meta)->tp_descr_set(of_meta, self, value);
    else
        result = set_own(type, name, value);
    Py_XDECREF(of_meta);
    return result;
}

int
PyType_Freeze(PyTypeObject *type)
{
    if (pyb_bases_immutable(type->tp_mro, 1, type->tp_name) < 0)
        return -1;
    type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
    PyType_Modified(type);
    return 0;
}

static PyObject *
type_repr(PyObject *self)
{
    PyTypeObject *type = TYPE(self);
    PyObject *dotted, *result;
    int found;

    if (type->tp_name == NULL)
        return PyUnicode_FromFormat("<class at %p>", (void *)type);
    found = pyb_typenames_dotted(type, &dotted);
    if (found < 0)
        return NULL;
    if (found == 0)
        return PyUnicode_FromFormat("<class '%s'>", type->tp_name);
    result = PyUnicode_FromFormat("<class '%U'>", dotted);
    Py_DECREF(dotted);
    return result;
}

/* ------------------------------------------------------------------ */
/* Life.  Static types are not containers; heap types are.              */

static int
type_is_gc(PyObject *self)
{
    return is_heap_type(self);
}

static int
type_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = TYPE(self);

    if (!is_heap_type(self))
        return 0;
    Py_VISIT(type->tp_dict);
    Py_VISIT(type->tp_mro);
    Py_VISIT(type->tp_bases);
    Py_VISIT(type->tp_base);
    Py_VISIT(((PyHeapTypeObject *)type)->ht_module);
    return 0;
}

/* Breaks the cycles through the MRO, the dictionary's descriptors and the
   module.  The bases cannot be part of one without those. */
static int
type_clear(PyObject *self)
{
    PyTypeObject *type = TYPE(self);

    if (!is_heap_type(self))
        return 0;
    pyb_type_retire(type);
    pyb_subclasses_leave(type);
    if (type->tp_dict != NULL)
        PyDict_Clear(type->tp_dict);
    Py_CLEAR(((PyHeapTypeObject *)type)->ht_module);
    Py_CLEAR(type->tp_mro);
    return 0;
}

static void
type_dealloc(PyObject *self)
{
    PyHeapTypeObject *heap = (PyHeapTypeObject *)self;
    PyTypeObject *type = TYPE(self);

    if (!is_heap_type(self))
        Py_FatalError("a static type was released");
    PyObject_GC_UnTrack(self);
    if (type->tp_weaklist != NULL)
        PyObject_ClearWeakRefs(self);
    pyb_subclasses_leave(type);
    pyb_subclasses_free(type);
    Py_XDECREF(type->tp_base);
    Py_XDECREF(type->tp_dict);
    Py_XDECREF(type->tp_bases);
    Py_XDECREF(type->tp_mro);
    Py_XDECREF(heap->ht_name);
    Py_XDECREF(heap->ht_slots);
    Py_XDECREF(heap->ht_qualname);
    Py_XDECREF(heap->ht_module);
    pyb_inline_forget(type);
    PyMem_Free((char *)type->tp_doc);
    PyMem_Free(heap->_ht_tpname);
    Py_TYPE(self)->tp_free(self);
}

PyTypeObject PyType_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "type",
    .tp_basicsize = sizeof(PyHeapTypeObject),
    .tp_itemsize = sizeof(PyMemberDef),
    .tp_dealloc = type_dealloc,
    .tp_vectorcall_offset = offsetof(PyTypeObject, tp_vectorcall),
    .tp_repr = type_repr,
    .tp_as_number = &pyb_union_as_number,
    .tp_hash = PyObject_GenericHash,
    .tp_call = type_call,
    .tp_getattro = type_getattro,
    .tp_setattro = type_setattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_TYPE_SUBCLASS | Py_TPFLAGS_HAVE_VECTORCALL |
                Py_TPFLAGS_ITEMS_AT_END,
    .tp_doc = "type(object) -> the object's type\n"
              "type(name, bases, dict, **kwds) -> a new type",
    .tp_traverse = type_traverse,
    .tp_clear = type_clear,
    .tp_weaklistoffset = offsetof(PyTypeObject, tp_weaklist),
    .tp_methods = pyb_typemethods,
    .tp_members = pyb_typeattrs_members,
    .tp_getset = pyb_typeattrs_getset,
    .tp_base = &PyBaseObject_Type,
    .tp_dictoffset = offsetof(PyTypeObject, tp_dict),
    .tp_init = pyb_typenew_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = pyb_typenew_new,
    .tp_free = PyObject_GC_Del,
    .tp_is_gc = type_is_gc,
};
