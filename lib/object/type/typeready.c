/* typeready.c: PyType_Ready, which completes a type.

   A call that fails leaves the type as it was, so that it can be repeated when
   the cause is gone: objects that it made are dropped and the fields get their
   old values back.  Only entries that it added to the caller's tp_dict stay;
   the next call finds them. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "object/attr/docstring.h"
#include "object/error/errors.h"
#include "object/slot/slotdefs.h"
#include "object/type/bases.h"
#include "object/type/inherit.h"
#include "object/type/mro.h"
#include "object/type/subclasses.h"
#include "object/type/typedata.h"

enum { PATTERN_FLAGS = Py_TPFLAGS_SEQUENCE | Py_TPFLAGS_MAPPING };

static int
complain(PyTypeObject *type, const char *what)
{
    return pyb_failf(PyExc_SystemError, "type %s %s", type->tp_name, what);
}

/* Checks a type that has inherited nothing yet. */
static int
check_before(PyTypeObject *type)
{
    if (type->tp_name == NULL)
        return pyb_fail(PyExc_SystemError,
                        "Type does not define the tp_name field.");
    if (type->tp_basicsize < 0 || type->tp_itemsize < 0)
        return complain(type, "has a negative tp_basicsize or tp_itemsize");
    if ((type->tp_flags & PATTERN_FLAGS) == PATTERN_FLAGS)
        return complain(type, "has both the Py_TPFLAGS_SEQUENCE and the "
                              "Py_TPFLAGS_MAPPING flag");
    return 0;
}

/* ------------------------------------------------------------------ */
/* Bases                                                               */

/* Readies a base; an error if that is under way already. */
static int
ready_base(PyTypeObject *base)
{
    if (PyType_HasFeature(base, Py_TPFLAGS_READYING))
        return pyb_fail(PyExc_TypeError,
                        "a __bases__ item causes an inheritance cycle");
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
    PYB_ASSERT(type->tp_base == NULL ||
               PyType_HasFeature(type->tp_base, Py_TPFLAGS_READY));
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
    PYB_ASSERT(PyTuple_Check(type->tp_bases));
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
        return pyb_failf(
            PyExc_TypeError,
            "type '%.100s' is not dynamically allocated but its base "
            "type '%.100s' is dynamically allocated",
            type->tp_name, base->tp_name);
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* The dictionary                                                      */

/* Adds value, which is stolen and may be NULL with an exception, to the
   type's dictionary.  An existing entry stays unless replace is set. */
static int
add(PyTypeObject *type, const char *name, PyObject *value, int replace)
{
    PyObject *key = value == NULL ? NULL : PyUnicode_InternFromString(name);
    int result = -1;

    PYB_ASSERT(PyDict_Check(type->tp_dict));
    PYB_ASSERT(value != NULL || PyErr_Occurred() != NULL);
    if (key != NULL && replace)
        result = PyDict_SetItem(type->tp_dict, key, value);
    else if (key != NULL)
        result = PyDict_SetDefaultRef(type->tp_dict, key, value, NULL);
    if (result >= 0)
        pyb_typedata_untrack(type, value);
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
        return pyb_raise(PyExc_ValueError,
                         "method cannot be both class and static");
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
    if (pyb_slotdefs_add_wrappers(type) < 0 || add_tables(type) < 0) {
        Py_XDECREF(doc);
        return -1;
    }
    return add(type, "__doc__", doc, 0);
}

/* ------------------------------------------------------------------ */
/* Inheritance                                                         */

/* Sets tp_new.  A static type does not inherit it from object, since it may
   not be able to make instances from zeroed memory. */
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

/* A managed dictionary or weak list is outside of the layout; the offset only
   marks that it exists. */
static int
set_managed(PyTypeObject *type, unsigned long flag, const char *flag_name,
            Py_ssize_t *offset, const char *offset_name)
{
    if (!PyType_HasFeature(type, flag))
        return 0;
    if (!PyType_IS_GC(type))
        return pyb_failf(
            PyExc_SystemError,
            "type %s has the %s flag but not Py_TPFLAGS_HAVE_GC flag",
            type->tp_name, flag_name);
    if (*offset != 0 && *offset != -1)
        return pyb_failf(PyExc_TypeError,
                         "type %s has the %s flag but %s is set",
                         type->tp_name, flag_name, offset_name);
    *offset = -1;
    return 0;
}

/* Does the type have the slots that its flags promise? */
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

/* Would the memory of a subtype's instances be freed to the wrong heap? */
static int
check_free(PyTypeObject *type)
{
    if (PyType_IS_GC(type) && PyType_HasFeature(type, Py_TPFLAGS_BASETYPE) &&
        (type->tp_free == NULL || type->tp_free == PyObject_Free))
        return pyb_failf(
            PyExc_TypeError,
            "type '%.100s' participates in gc and is a base type but "
            "has inappropriate tp_free slot",
            type->tp_name);
    return 0;
}

/* Checks the type's layout after it has inherited. */
static int
check_layout(PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;

    if (base != NULL && type->tp_basicsize < base->tp_basicsize)
        return pyb_failf(
            PyExc_TypeError,
            "tp_basicsize for type '%s' (%zd) is too small for base "
            "'%s' (%zd)",
            type->tp_name, type->tp_basicsize, base->tp_name,
            base->tp_basicsize);
    if (!PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT) &&
        type->tp_dictoffset < 0 &&
        type->tp_dictoffset + type->tp_basicsize <= 0)
        return complain(type, "has a tp_dictoffset that is too small");
    return 0;
}

/* A type with comparison and without a hash is unhashable: its __hash__
   becomes None, as that of a type whose own tp_hash says so. */
static int
set_hash(PyTypeObject *type, hashfunc own)
{
    if (type->tp_hash == NULL) {
        int found = PyDict_ContainsString(type->tp_dict, "__hash__");

        if (found != 0)
            return found < 0 ? -1 : 0;
        own = type->tp_hash = PyObject_HashNotImplemented;
    }
    if (own == PyObject_HashNotImplemented)
        return add(type, "__hash__", Py_NewRef(Py_None), 0);
    return 0;
}

static int
inherit(PyTypeObject *type)
{
    hashfunc own_hash = type->tp_hash;

    PYB_ASSERT(type->tp_mro != NULL && type->tp_dict != NULL);
    set_new(type);
    pyb_inherit_special(type);
    if (set_managed(type, Py_TPFLAGS_MANAGED_DICT, "Py_TPFLAGS_MANAGED_DICT",
                    &type->tp_dictoffset, "tp_dictoffset") < 0 ||
        set_managed(type, Py_TPFLAGS_MANAGED_WEAKREF,
                    "Py_TPFLAGS_MANAGED_WEAKREF", &type->tp_weaklistoffset,
                    "tp_weaklistoffset") < 0 ||
        pyb_inherit_slots(type) < 0 || check_promises(type) < 0 ||
        check_free(type) < 0 || check_layout(type) < 0 ||
        set_hash(type, own_hash) < 0)
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

/* Restores the fields' values from before complete(). */
static void
undo(PyTypeObject *type, PyTypeObject *saved)
{
    PyTypeObject half = *type;

    PYB_ASSERT(PyType_HasFeature(&half, Py_TPFLAGS_READYING));
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

/* All of a tuple are types, of which one is type, or none has to be. */
static void
check_types(PyTypeObject *type, PyObject *types, PyTypeObject *wanted)
{
    int found = wanted == NULL;

    PYB_ALWAYS(types != NULL && PyTuple_Check(types), (PyObject *)type,
               "it has no bases or no order of them");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(types); i++) {
        PyObject *one = PyTuple_GET_ITEM(types, i);

        PYB_ALWAYS(one != NULL && PyType_Check(one), (PyObject *)type,
                   "one of its bases is no type");
        found |= one == (PyObject *)wanted;
    }
    PYB_ALWAYS(found, (PyObject *)type, "its base is not one of its bases");
}

void
pyb_type_check(PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;

    PYB_ALWAYS(PyType_Check(type) &&
                   PyType_HasFeature(type, Py_TPFLAGS_READY) &&
                   !PyType_HasFeature(type, Py_TPFLAGS_READYING),
               (PyObject *)type, "it is not ready");
    PYB_ALWAYS(type->tp_dict != NULL && PyDict_Check(type->tp_dict),
               (PyObject *)type, "it has no dictionary");
    check_types(type, type->tp_bases, base);
    check_types(type, type->tp_mro, NULL);
    PYB_ALWAYS((base == NULL) == (type == &PyBaseObject_Type),
               (PyObject *)type, "it has no base");
    PYB_ALWAYS(base == NULL || type->tp_basicsize >= base->tp_basicsize,
               (PyObject *)type, "its instances are smaller than its base's");
    PYB_ALWAYS(type->tp_basicsize >= (Py_ssize_t)sizeof(PyObject) &&
                   type->tp_itemsize >= 0,
               (PyObject *)type, "its instances have no room for a header");
    PYB_ALWAYS(!PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT) ||
                   type->tp_dictoffset == -1,
               (PyObject *)type, "its managed dictionary has an offset");
    PYB_ALWAYS(!PyType_HasFeature(type, Py_TPFLAGS_MANAGED_WEAKREF) ||
                   type->tp_weaklistoffset == -1,
               (PyObject *)type, "its managed weak list has an offset");
    PYB_ALWAYS(!PyType_IS_GC(type) || type->tp_traverse != NULL,
               (PyObject *)type, "its instances cannot be traversed");
    pyb_subclasses_check(type);
}

int
PyType_Ready(PyTypeObject *type)
{
    if (PyType_HasFeature(type, Py_TPFLAGS_READY))
        return 0;
    /* A free block has another one where an object has its type. */
    if (pyb_block_is_free(type))
        pyb_fatal_format(__func__,
                         "an object is used that was freed: memory that is "
                         "free stands for its type, at %p; PYBOEHM_CHECK=1 "
                         "may tell which, and where it was freed",
                         (void *)type);
    PyTypeObject saved = *type;
    type->tp_flags |= Py_TPFLAGS_READYING;
    type->tp_flags &= ~Py_TPFLAGS_VALID_VERSION_TAG;
    type->tp_version_tag = 0;
    if (complete(type) == 0) {
        type->tp_flags &= ~Py_TPFLAGS_READYING;
        type->tp_flags |= Py_TPFLAGS_READY;
        PYB_EXPENSIVE(pyb_type_check(type));
        return 0;
    }
    PyObject *error = PyErr_GetRaisedException();
    PYB_ASSERT(error != NULL);
    undo(type, &saved);
    PyErr_SetRaisedException(error);
    return -1;
}
