/* typeready.c: PyType_Ready, which completes a type.

   A call that fails leaves the type as it found it, so that it can be made
   again once the cause is gone: what it allocated is dropped and the fields
   get their old values back.  Only entries that it added to a tp_dict of the
   caller's stay, where the next call finds them. */

#include "Python.h"

#include "object/bases.h"
#include "object/docstring.h"
#include "object/inherit.h"
#include "object/mro.h"
#include "object/subclasses.h"
#include "object/typedata.h"

enum { PATTERN_FLAGS = Py_TPFLAGS_SEQUENCE | Py_TPFLAGS_MAPPING };

static int
complain(PyTypeObject *type, const char *what)
{
    PyErr_Format(PyExc_SystemError, "type %s %s", type->tp_name, what);
    return -1;
}

/* What is wrong with the type before anything is inherited? */
static int
check_before(PyTypeObject *type)
{
    if (type->tp_name == NULL) {
        PyErr_SetString(PyExc_SystemError,
                        "Type does not define the tp_name field.");
        return -1;
    }
    if (type->tp_basicsize < 0 || type->tp_itemsize < 0)
        return complain(type, "has a negative tp_basicsize or tp_itemsize");
    if ((type->tp_flags & PATTERN_FLAGS) == PATTERN_FLAGS)
        return complain(type, "has both the Py_TPFLAGS_SEQUENCE and the "
                              "Py_TPFLAGS_MAPPING flag");
    return 0;
}

/* ------------------------------------------------------------------ */
/* Bases                                                               */

/* Readies a base, unless that is what is being done further out. */
static int
ready_base(PyTypeObject *base)
{
    if (PyType_HasFeature(base, Py_TPFLAGS_READYING)) {
        PyErr_SetString(PyExc_TypeError,
                        "a __bases__ item causes an inheritance cycle");
        return -1;
    }
    return PyType_Ready(base);
}

/* Sets tp_base and the metatype. */
static int
set_base(PyTypeObject *type)
{
    if (type->tp_base == NULL && type != &PyBaseObject_Type) {
        type->tp_base = &PyBaseObject_Type;
        if (type->tp_bases != NULL && PyTuple_GET_SIZE(type->tp_bases) > 0)
            type->tp_base = pyb_bases_best(type->tp_bases);
        if (type->tp_base == NULL)
            return -1;
        if (pyb_typedata_is_heap(type))
            Py_INCREF(type->tp_base);
    }
    if (type->tp_base != NULL && ready_base(type->tp_base) < 0)
        return -1;
    if (Py_TYPE(type) == NULL)
        Py_SET_TYPE(type, type->tp_base != NULL ? Py_TYPE(type->tp_base)
                                                : &PyType_Type);
    return 0;
}

static int
set_bases(PyTypeObject *type)
{
    if (type->tp_bases == NULL)
        type->tp_bases = type->tp_base == NULL
                             ? PyTuple_New(0)
                             : PyTuple_Pack(1, (PyObject *)type->tp_base);
    return type->tp_bases == NULL ? -1 : 0;
}

static int
set_mro(PyTypeObject *type)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_bases); i++)
        if (ready_base((PyTypeObject *)PyTuple_GET_ITEM(type->tp_bases, i)) <
            0)
            return -1;
    type->tp_mro = pyb_mro_of(type);
    if (type->tp_mro == NULL)
        return -1;
    for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(type->tp_mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i);

        if (pyb_typedata_is_heap(type) || !pyb_typedata_is_heap(base))
            continue;
        PyErr_Format(PyExc_TypeError,
                     "type '%.100s' is not dynamically allocated but its base "
                     "type '%.100s' is dynamically allocated",
                     type->tp_name, base->tp_name);
        return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* The dictionary                                                      */

/* Adds value, which is stolen and may be NULL with an exception, to the
   type's dictionary.  An entry that is there already goes first unless
   replace says otherwise. */
static int
add(PyTypeObject *type, const char *name, PyObject *value, int replace)
{
    PyObject *key = value == NULL ? NULL : PyUnicode_InternFromString(name);
    int result = -1;

    if (key != NULL && replace)
        result = PyDict_SetItem(type->tp_dict, key, value);
    else if (key != NULL)
        result = PyDict_SetDefaultRef(type->tp_dict, key, value, NULL);
    Py_XDECREF(key);
    Py_XDECREF(value);
    return result < 0 ? -1 : 0;
}

static PyObject *
new_static_method(PyTypeObject *type, PyMethodDef *def)
{
    PyObject *function = PyCFunction_NewEx(def, (PyObject *)type, NULL);
    PyObject *result;

    if (function == NULL)
        return NULL;
    result = PyStaticMethod_New(function);
    Py_DECREF(function);
    return result;
}

static PyObject *
new_method(PyTypeObject *type, PyMethodDef *def)
{
    switch (def->ml_flags & (METH_CLASS | METH_STATIC)) {
    case METH_CLASS | METH_STATIC:
        PyErr_SetString(PyExc_ValueError,
                        "method cannot be both class and static");
        return NULL;
    case METH_CLASS:
        return PyDescr_NewClassMethod(type, def);
    case METH_STATIC:
        return new_static_method(type, def);
    default:
        return PyDescr_NewMethod(type, def);
    }
}

static int
add_tables(PyTypeObject *type)
{
    PyMethodDef *method = type->tp_methods;
    PyMemberDef *member = type->tp_members;
    PyGetSetDef *getset = type->tp_getset;

    for (; method != NULL && method->ml_name != NULL; method++)
        if (add(type, method->ml_name, new_method(type, method),
                method->ml_flags & METH_COEXIST) < 0)
            return -1;
    for (; member != NULL && member->name != NULL; member++)
        if (add(type, member->name, PyDescr_NewMember(type, member), 0) < 0)
            return -1;
    for (; getset != NULL && getset->name != NULL; getset++)
        if (add(type, getset->name, PyDescr_NewGetSet(type, getset), 0) < 0)
            return -1;
    return 0;
}

static int
fill_dict(PyTypeObject *type)
{
    PyObject *doc = Py_NewRef(Py_None);

    if (type->tp_doc != NULL) {
        Py_DECREF(doc);
        doc = pyb_docstring_text(type->tp_name, type->tp_doc);
    }
    if (add_tables(type) < 0) {
        Py_XDECREF(doc);
        return -1;
    }
    return add(type, "__doc__", doc, 0);
}

/* ------------------------------------------------------------------ */
/* What is inherited                                                   */

/* tp_new: not inherited from object by a static type, which may not be ready
   to be made from nothing. */
static void
set_new(PyTypeObject *type)
{
    if (type->tp_new == NULL && type->tp_base == &PyBaseObject_Type &&
        !pyb_typedata_is_heap(type))
        type->tp_flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
    if (PyType_HasFeature(type, Py_TPFLAGS_DISALLOW_INSTANTIATION))
        type->tp_new = NULL;
    else if (type->tp_new == NULL && type->tp_base != NULL)
        type->tp_new = type->tp_base->tp_new;
}

/* Managed dictionaries and weak lists stand outside of the layout: the
   offsets say no more than that they are there. */
static int
set_managed(PyTypeObject *type)
{
    if (PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT)) {
        if (!PyType_IS_GC(type))
            return complain(type, "has the Py_TPFLAGS_MANAGED_DICT flag but "
                                  "not Py_TPFLAGS_HAVE_GC flag");
        if (type->tp_dictoffset != 0 && type->tp_dictoffset != -1) {
            PyErr_Format(PyExc_TypeError,
                         "type %s has the Py_TPFLAGS_MANAGED_DICT flag but "
                         "tp_dictoffset is set",
                         type->tp_name);
            return -1;
        }
        type->tp_dictoffset = -1;
    }
    if (PyType_HasFeature(type, Py_TPFLAGS_MANAGED_WEAKREF)) {
        if (!PyType_IS_GC(type))
            return complain(type, "has the Py_TPFLAGS_MANAGED_WEAKREF flag "
                                  "but not Py_TPFLAGS_HAVE_GC flag");
        if (type->tp_weaklistoffset != 0 && type->tp_weaklistoffset != -1) {
            PyErr_Format(PyExc_TypeError,
                         "type %s has the Py_TPFLAGS_MANAGED_WEAKREF flag but "
                         "tp_weaklistoffset is set",
                         type->tp_name);
            return -1;
        }
        type->tp_weaklistoffset = -1;
    }
    return 0;
}

/* Has the type what its flags promise? */
static int
check_promises(PyTypeObject *type)
{
    if (PyType_IS_GC(type) && type->tp_traverse == NULL)
        return complain(type, "has the Py_TPFLAGS_HAVE_GC flag but has no "
                              "traverse function");
    if (PyType_HasFeature(type, Py_TPFLAGS_METHOD_DESCRIPTOR) &&
        type->tp_descr_get == NULL)
        return complain(type, "has the Py_TPFLAGS_METHOD_DESCRIPTOR flag but "
                              "no tp_descr_get");
    if (PyType_HasFeature(type, Py_TPFLAGS_HAVE_VECTORCALL) &&
        (type->tp_vectorcall_offset <= 0 || type->tp_call == NULL))
        return complain(type, "has the Py_TPFLAGS_HAVE_VECTORCALL flag but no "
                              "tp_vectorcall_offset or no tp_call");
    return 0;
}

/* Would the memory of a subtype's instances go back to the wrong heap? */
static int
check_free(PyTypeObject *type)
{
    if (PyType_IS_GC(type) && PyType_HasFeature(type, Py_TPFLAGS_BASETYPE) &&
        (type->tp_free == NULL || type->tp_free == PyObject_Free)) {
        PyErr_Format(PyExc_TypeError,
                     "type '%.100s' participates in gc and is a base type but "
                     "has inappropriate tp_free slot",
                     type->tp_name);
        return -1;
    }
    return 0;
}

/* What is wrong with the type's layout after it has inherited? */
static int
check_layout(PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;

    if (base != NULL && type->tp_basicsize < base->tp_basicsize) {
        PyErr_Format(PyExc_TypeError,
                     "tp_basicsize for type '%s' (%zd) is too small for base "
                     "'%s' (%zd)",
                     type->tp_name, type->tp_basicsize, base->tp_name,
                     base->tp_basicsize);
        return -1;
    }
    if (!PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT) &&
        type->tp_dictoffset < 0 &&
        type->tp_dictoffset + type->tp_basicsize <= 0)
        return complain(type, "has a tp_dictoffset that is too small");
    return 0;
}

/* A type that compares without hashing is unhashable, and says so. */
static int
set_hash(PyTypeObject *type)
{
    if (type->tp_hash == NULL) {
        int found = PyDict_ContainsString(type->tp_dict, "__hash__");

        if (found != 0)
            return found < 0 ? -1 : 0;
        type->tp_hash = PyObject_HashNotImplemented;
    }
    if (type->tp_hash == PyObject_HashNotImplemented)
        return add(type, "__hash__", Py_NewRef(Py_None), 0);
    return 0;
}

static int
inherit(PyTypeObject *type)
{
    set_new(type);
    pyb_inherit_special(type);
    if (set_managed(type) < 0 || pyb_inherit_slots(type) < 0 ||
        check_promises(type) < 0 || check_free(type) < 0 ||
        check_layout(type) < 0 || set_hash(type) < 0)
        return -1;
    pyb_inherit_suites(type);
    return 0;
}

/* ------------------------------------------------------------------ */

static int
complete(PyTypeObject *type)
{
    if (!pyb_typedata_is_heap(type)) {
        type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
        type->ob_base.ob_base.ob_refcnt = _Py_IMMORTAL_REFCNT;
    }
    if (check_before(type) < 0 || set_base(type) < 0 || set_bases(type) < 0 ||
        set_mro(type) < 0)
        return -1;
    if (type->tp_dict == NULL)
        type->tp_dict = PyDict_New();
    if (type->tp_dict == NULL || fill_dict(type) < 0)
        return -1;
    if (inherit(type) < 0)
        return -1;
    return pyb_subclasses_enter(type);
}

/* Gives the fields back what they were before complete(). */
static void
undo(PyTypeObject *type, PyTypeObject *saved)
{
    PyTypeObject half = *type;

    saved->ob_base.ob_base.ob_refcnt = Py_REFCNT(type);
    *type = *saved;
    if (half.tp_dict != saved->tp_dict)
        Py_XDECREF(half.tp_dict);
    if (half.tp_bases != saved->tp_bases)
        Py_XDECREF(half.tp_bases);
    if (half.tp_mro != saved->tp_mro)
        Py_XDECREF(half.tp_mro);
    if (half.tp_base != saved->tp_base && pyb_typedata_is_heap(type))
        Py_XDECREF(half.tp_base);
}

int
PyType_Ready(PyTypeObject *type)
{
    PyTypeObject saved = *type;
    PyObject *error;

    if (PyType_HasFeature(type, Py_TPFLAGS_READY))
        return 0;
    type->tp_flags |= Py_TPFLAGS_READYING;
    if (complete(type) == 0) {
        type->tp_flags &= ~Py_TPFLAGS_READYING;
        type->tp_flags |= Py_TPFLAGS_READY;
        return 0;
    }
    error = PyErr_GetRaisedException();
    undo(type, &saved);
    PyErr_SetRaisedException(error);
    return -1;
}
