/* descr.c: descriptors: the objects in a type's dictionary for the entries of
   its tables of methods, members and computed attributes. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/cfunction.h"
#include "object/attr/descr.h"
#include "object/attr/docstring.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"

/* ------------------------------------------------------------------ */
/* All descriptors                                                     */

/* op as the structure of its kind; all begin with a PyDescrObject. */
#define IS_METHOD(op)                                                         \
    (Py_IS_TYPE(op, &PyMethodDescr_Type) ||                                   \
     Py_IS_TYPE(op, &PyClassMethodDescr_Type))
#define IS_MEMBER(op) Py_IS_TYPE(op, &PyMemberDescr_Type)
#define IS_GETSET(op) Py_IS_TYPE(op, &PyGetSetDescr_Type)
#define IS_DESCR(op)                                                          \
    (IS_METHOD(op) || IS_MEMBER(op) || IS_GETSET(op) ||                       \
     Py_IS_TYPE(op, &PyWrapperDescr_Type))
#define METHOD(op) PYB_CAST(PyMethodDescrObject, IS_METHOD, op)
#define MEMBER(op) PYB_CAST(PyMemberDescrObject, IS_MEMBER, op)
#define GETSET(op) PYB_CAST(PyGetSetDescrObject, IS_GETSET, op)
#define DESCR(op) PYB_CAST(PyDescrObject, IS_DESCR, op)
_Static_assert(offsetof(PyMethodDescrObject, d_common) == 0 &&
                   offsetof(PyMemberDescrObject, d_common) == 0 &&
                   offsetof(PyGetSetDescrObject, d_common) == 0,
               "every descriptor begins with a PyDescrObject");

void
pyb_descr_dealloc(PyObject *op)
{
    PyDescrObject *descr = DESCR(op);

    PyObject_GC_UnTrack(op);
    Py_XDECREF(descr->d_type);
    Py_XDECREF(descr->d_name);
    Py_XDECREF(descr->d_qualname);
    PyObject_GC_Del(op);
}

int
pyb_descr_traverse(PyObject *op, visitproc visit, void *arg)
{
    PYB_ASSERT_OBJECT(IS_DESCR(op), op);
    Py_VISIT(PyDescr_TYPE(op));
    return 0;
}

PyObject *
pyb_descr_repr(PyObject *op)
{
    const char *kind = IS_METHOD(op)   ? "method"
                       : IS_MEMBER(op) ? "member"
                       : IS_GETSET(op) ? "attribute"
                                       : "slot wrapper";

    PYB_ASSERT_OBJECT(IS_DESCR(op), op);
    return PyUnicode_FromFormat("<%s '%U' of '%s' objects>", kind,
                                PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name);
}

int
pyb_descr_check(PyObject *op, PyObject *obj)
{
    PYB_ASSERT_OBJECT(IS_DESCR(op) && PyType_Check(PyDescr_TYPE(op)), op);
    if (PyObject_TypeCheck(obj, PyDescr_TYPE(op)))
        return 0;
    return pyb_failf(PyExc_TypeError,
                     "descriptor '%U' for '%.100s' objects doesn't apply to a "
                     "'%.100s' object",
                     PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name,
                     Py_TYPE(obj)->tp_name);
}

static PyObject *
get_qualname(PyObject *op, void *Py_UNUSED(closure))
{
    PyDescrObject *descr = DESCR(op);

    PYB_ASSERT_OBJECT(PyType_Check(descr->d_type), op);
    if (descr->d_qualname == NULL) {
        PyObject *owner = PyType_GetQualName(descr->d_type);
        if (owner == NULL)
            return NULL;
        descr->d_qualname =
            PyUnicode_FromFormat("%S.%S", owner, descr->d_name);
        Py_DECREF(owner);
    }
    return Py_XNewRef(descr->d_qualname);
}

PyMemberDef pyb_descr_members[] = {
    {"__objclass__", _Py_T_OBJECT, offsetof(PyDescrObject, d_type),
     Py_READONLY, NULL},
    {"__name__", _Py_T_OBJECT, offsetof(PyDescrObject, d_name), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

PyObject *
pyb_descr_new(PyTypeObject *kind, PyTypeObject *type, const char *name)
{
    PyObject *string = PyUnicode_InternFromString(name);

    PYB_ASSERT(kind->tp_dealloc == pyb_descr_dealloc);

    if (string == NULL)
        return NULL;
    PyDescrObject *descr = PyObject_GC_New(PyDescrObject, kind);
    if (descr == NULL) {
        Py_DECREF(string);
        return NULL;
    }
    descr->d_type = (PyTypeObject *)Py_XNewRef(type);
    descr->d_name = string;
    descr->d_qualname = NULL;
    PyObject_GC_Track((PyObject *)descr);
    return (PyObject *)descr;
}

int
PyDescr_IsData(PyObject *descr)
{
    return Py_TYPE(descr)->tp_descr_set != NULL;
}

static PyObject *
descr_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_reduce_attribute((PyObject *)PyDescr_TYPE(op),
                                PyDescr_NAME(op));
}

PyMethodDef pyb_descr_methods[] = {
    {"__reduce__", descr_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* The name and the doc string that a callable descriptor was made from. */
struct strings {
    const char *name, *doc;
};

static struct strings
get_strings(PyObject *op)
{
    if (Py_IS_TYPE(op, &PyWrapperDescr_Type)) {
        const struct wrapperbase *base = ((PyWrapperDescrObject *)op)->d_base;
        return (struct strings){base->name, base->doc};
    }
    const PyMethodDef *method = METHOD(op)->d_method;
    return (struct strings){method->ml_name, method->ml_doc};
}

static PyObject *
get_doc(PyObject *op, void *Py_UNUSED(closure))
{
    struct strings strings = get_strings(op);

    return pyb_docstring_text(strings.name, strings.doc);
}

static PyObject *
get_text_signature(PyObject *op, void *Py_UNUSED(closure))
{
    struct strings strings = get_strings(op);

    return pyb_docstring_signature(strings.name, strings.doc);
}

PyGetSetDef pyb_descr_getset[] = {
    {"__doc__", get_doc, NULL, NULL, NULL},
    {"__qualname__", get_qualname, NULL, NULL, NULL},
    {"__text_signature__", get_text_signature, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
method_get(PyObject *op, PyObject *obj, PyObject *type)
{
    PyMethodDef *method = METHOD(op)->d_method;

    if (obj == NULL)
        return Py_NewRef(op);
    if (pyb_descr_check(op, obj) < 0)
        return NULL;
    if (!(method->ml_flags & METH_METHOD))
        return PyCFunction_NewEx(method, obj, NULL);
    if (type != NULL && !PyType_Check(type))
        return PyErr_Format(PyExc_TypeError,
                            "descriptor '%U' needs a type, not '%s', as arg 2",
                            PyDescr_NAME(op), Py_TYPE(type)->tp_name);
    return PyCMethod_New(method, obj, NULL, PyDescr_TYPE(op));
}

PyTypeObject PyMethodDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "method_descriptor",
    .tp_basicsize = sizeof(PyMethodDescrObject),
    .tp_dealloc = pyb_descr_dealloc,
    .tp_vectorcall_offset = offsetof(PyMethodDescrObject, vectorcall),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = pyb_descr_repr,
    .tp_call = PyVectorcall_Call,
    .tp_traverse = pyb_descr_traverse,
    .tp_methods = pyb_descr_methods,
    .tp_members = pyb_descr_members,
    .tp_getset = pyb_descr_getset,
    .tp_descr_get = method_get,
};

/* ------------------------------------------------------------------ */
/* Class methods                                                       */

/* Is type a class that the method applies to?  0, or -1 with TypeError. */
static int
classmethod_check(PyObject *op, PyObject *type)
{
    PyTypeObject *owner = PyDescr_TYPE(op);

    PYB_ASSERT_OBJECT(PyUnicode_Check(PyDescr_NAME(op)), op);
    if (!PyType_Check(type))
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%U' for type '%.100s' needs a type, not a "
                     "'%.100s' as arg 2",
                     PyDescr_NAME(op), owner->tp_name, Py_TYPE(type)->tp_name);
    else if (!PyType_IsSubtype((PyTypeObject *)type, owner))
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%U' requires a subtype of '%.100s' but "
                     "received '%.100s'",
                     PyDescr_NAME(op), owner->tp_name,
                     ((PyTypeObject *)type)->tp_name);
    else
        return 0;
    return -1;
}

static PyObject *
classmethod_get(PyObject *op, PyObject *obj, PyObject *type)
{
    PyMethodDef *method = METHOD(op)->d_method;

    if (type == NULL && obj == NULL)
        return PyErr_Format(
            PyExc_TypeError,
            "descriptor '%U' for type '%.100s' needs either an "
            "object or a type",
            PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name);
    if (type == NULL)
        type = (PyObject *)Py_TYPE(obj);
    if (classmethod_check(op, type) < 0)
        return NULL;
    PyTypeObject *cls =
        method->ml_flags & METH_METHOD ? PyDescr_TYPE(op) : NULL;
    return PyCMethod_New(method, type, NULL, cls);
}

/* A call of the descriptor itself: the first argument is the class. */
static PyObject *
classmethod_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t nargs = PyTuple_GET_SIZE(args);

    if (nargs < 1)
        return PyErr_Format(
            PyExc_TypeError,
            "descriptor '%U' of '%.100s' object needs an argument",
            PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name);
    PyObject *bound = classmethod_get(op, NULL, PyTuple_GET_ITEM(args, 0));
    if (bound == NULL)
        return NULL;
    PyObject *result =
        PyObject_VectorcallDict(bound, ((PyTupleObject *)args)->ob_item + 1,
                                (size_t)nargs - 1, kwargs);
    Py_DECREF(bound);
    return result;
}

PyTypeObject PyClassMethodDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "classmethod_descriptor",
    .tp_basicsize = sizeof(PyMethodDescrObject),
    .tp_dealloc = pyb_descr_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = pyb_descr_repr,
    .tp_call = classmethod_call,
    .tp_traverse = pyb_descr_traverse,
    .tp_members = pyb_descr_members,
    .tp_getset = pyb_descr_getset,
    .tp_descr_get = classmethod_get,
};

/* ------------------------------------------------------------------ */
/* Members                                                             */

/* Of a member or a computed attribute. */
static PyObject *
data_get_doc(PyObject *op, void *Py_UNUSED(closure))
{
    const char *doc = Py_IS_TYPE(op, &PyMemberDescr_Type)
                          ? MEMBER(op)->d_member->doc
                          : GETSET(op)->d_getset->doc;

    return doc != NULL ? PyUnicode_FromString(doc) : Py_None;
}

static PyGetSetDef data_getset[] = {
    {"__doc__", data_get_doc, NULL, NULL, NULL},
    {"__qualname__", get_qualname, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *
member_get(PyObject *op, PyObject *obj, PyObject *Py_UNUSED(type))
{
    if (obj == NULL)
        return Py_NewRef(op);
    if (pyb_descr_check(op, obj) < 0)
        return NULL;
    return PyMember_GetOne((char *)obj, MEMBER(op)->d_member);
}

static int
member_set(PyObject *op, PyObject *obj, PyObject *value)
{
    if (pyb_descr_check(op, obj) < 0)
        return -1;
    return PyMember_SetOne((char *)obj, MEMBER(op)->d_member, value);
}

PyTypeObject PyMemberDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "member_descriptor",
    .tp_basicsize = sizeof(PyMemberDescrObject),
    .tp_dealloc = pyb_descr_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = pyb_descr_repr,
    .tp_traverse = pyb_descr_traverse,
    .tp_methods = pyb_descr_methods,
    .tp_members = pyb_descr_members,
    .tp_getset = data_getset,
    .tp_descr_get = member_get,
    .tp_descr_set = member_set,
};

/* ------------------------------------------------------------------ */
/* Computed attributes                                                 */

/* Raises AttributeError: "attribute 'x' of 'A' objects is not WHAT". */
static void
getset_error(PyObject *op, const char *what)
{
    PYB_ASSERT_OBJECT(PyUnicode_Check(PyDescr_NAME(op)), op);
    PyErr_Format(PyExc_AttributeError,
                 "attribute '%U' of '%.100s' objects is not %s",
                 PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name, what);
}

static PyObject *
getset_get(PyObject *op, PyObject *obj, PyObject *Py_UNUSED(type))
{
    const PyGetSetDef *getset = GETSET(op)->d_getset;

    if (obj == NULL)
        return Py_NewRef(op);
    if (pyb_descr_check(op, obj) < 0)
        return NULL;
    if (getset->get != NULL)
        return getset->get(obj, getset->closure);
    getset_error(op, "readable");
    return NULL;
}

static int
getset_set(PyObject *op, PyObject *obj, PyObject *value)
{
    const PyGetSetDef *getset = GETSET(op)->d_getset;

    if (pyb_descr_check(op, obj) < 0)
        return -1;
    if (getset->set != NULL)
        return getset->set(obj, value, getset->closure);
    getset_error(op, "writable");
    return -1;
}

PyTypeObject PyGetSetDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "getset_descriptor",
    .tp_basicsize = sizeof(PyGetSetDescrObject),
    .tp_dealloc = pyb_descr_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = pyb_descr_repr,
    .tp_traverse = pyb_descr_traverse,
    .tp_members = pyb_descr_members,
    .tp_getset = data_getset,
    .tp_descr_get = getset_get,
    .tp_descr_set = getset_set,
};

/* ------------------------------------------------------------------ */
/* Making descriptors                                                  */

/* A method descriptor of either kind. */
static PyObject *
new_method(PyTypeObject *kind, PyTypeObject *type, PyMethodDef *method)
{
    if (!pyb_cfunction_flags_ok(method))
        return NULL;
    PyObject *op = pyb_descr_new(kind, type, method->ml_name);
    if (op != NULL) {
        METHOD(op)->d_method = method;
        METHOD(op)->vectorcall = pyb_cfunction_descr_vectorcall_of(method);
    }
    return op;
}

PyObject *
PyDescr_NewMethod(PyTypeObject *type, PyMethodDef *method)
{
    return new_method(&PyMethodDescr_Type, type, method);
}

PyObject *
PyDescr_NewClassMethod(PyTypeObject *type, PyMethodDef *method)
{
    return new_method(&PyClassMethodDescr_Type, type, method);
}

PyObject *
PyDescr_NewMember(PyTypeObject *type, PyMemberDef *member)
{
    if (member->flags & Py_RELATIVE_OFFSET)
        return pyb_raise(PyExc_SystemError,
                         "PyDescr_NewMember used with Py_RELATIVE_OFFSET");
    PyObject *op = pyb_descr_new(&PyMemberDescr_Type, type, member->name);
    if (op != NULL)
        MEMBER(op)->d_member = member;
    return op;
}

PyObject *
PyDescr_NewGetSet(PyTypeObject *type, PyGetSetDef *getset)
{
    PyObject *op = pyb_descr_new(&PyGetSetDescr_Type, type, getset->name);

    if (op != NULL)
        GETSET(op)->d_getset = getset;
    return op;
}
