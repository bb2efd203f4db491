/* descr.c: descriptors: what stands in a type's dictionary for each entry of
   its tables of methods, members and computed attributes. */

#include "Python.h"

#include "object/cfunction.h"
#include "object/docstring.h"

/* ------------------------------------------------------------------ */
/* What all of them have                                               */

static void
descr_dealloc(PyObject *op)
{
    PyDescrObject *descr = (PyDescrObject *)op;

    PyObject_GC_UnTrack(op);
    Py_XDECREF(descr->d_type);
    Py_XDECREF(descr->d_name);
    Py_XDECREF(descr->d_qualname);
    PyObject_GC_Del(op);
}

static int
descr_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PyDescr_TYPE(op));
    return 0;
}

/* The descriptor's repr, "<KIND 'name' of 'type' objects>". */
static PyObject *
descr_repr(PyObject *op, const char *kind)
{
    return PyUnicode_FromFormat("<%s '%U' of '%s' objects>", kind,
                                PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name);
}

/* Is obj of the descriptor's type?  0, or -1 with TypeError. */
static int
descr_check(PyObject *op, PyObject *obj)
{
    if (PyObject_TypeCheck(obj, PyDescr_TYPE(op)))
        return 0;
    PyErr_Format(PyExc_TypeError,
                 "descriptor '%U' for '%.100s' objects doesn't apply to a "
                 "'%.100s' object",
                 PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name,
                 Py_TYPE(obj)->tp_name);
    return -1;
}

static PyObject *
descr_get_qualname(PyObject *op, void *Py_UNUSED(closure))
{
    PyDescrObject *descr = (PyDescrObject *)op;

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

static PyMemberDef descr_members[] = {
    {"__objclass__", _Py_T_OBJECT, offsetof(PyDescrObject, d_type),
     Py_READONLY, NULL},
    {"__name__", _Py_T_OBJECT, offsetof(PyDescrObject, d_name), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

/* A descriptor of the given kind, untracked.  NULL with an exception. */
static PyObject *
descr_new(PyTypeObject *kind, PyTypeObject *type, const char *name)
{
    PyObject *string = PyUnicode_InternFromString(name);

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
    return (PyObject *)descr;
}

int
PyDescr_IsData(PyObject *descr)
{
    return Py_TYPE(descr)->tp_descr_set != NULL;
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
method_repr(PyObject *op)
{
    return descr_repr(op, "method");
}

static PyObject *
method_get(PyObject *op, PyObject *obj, PyObject *type)
{
    PyMethodDef *method = ((PyMethodDescrObject *)op)->d_method;

    if (obj == NULL)
        return Py_NewRef(op);
    if (descr_check(op, obj) < 0)
        return NULL;
    if (!(method->ml_flags & METH_METHOD))
        return PyCFunction_NewEx(method, obj, NULL);
    if (type != NULL && !PyType_Check(type)) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%U' needs a type, not '%s', as arg 2",
                     PyDescr_NAME(op), Py_TYPE(type)->tp_name);
        return NULL;
    }
    return PyCMethod_New(method, obj, NULL, PyDescr_TYPE(op));
}

/* A call of the descriptor itself: the first argument is self. */
static PyObject *
method_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                  PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);

    if (nargs < 1) {
        PyObject *name = pyb_cfunction_name(op);
        if (name != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "unbound method %U needs an argument", name);
            Py_DECREF(name);
        }
        return NULL;
    }
    if (descr_check(op, args[0]) < 0)
        return NULL;
    struct pyb_cfunction function = {
        .method = ((PyMethodDescrObject *)op)->d_method,
        .self = args[0],
        .cls = PyDescr_TYPE(op),
        .callable = op,
    };
    return pyb_cfunction_vectorcall(&function, args + 1, nargs - 1, kwnames);
}

static PyObject *
method_get_doc(PyObject *op, void *Py_UNUSED(closure))
{
    const PyMethodDef *method = ((PyMethodDescrObject *)op)->d_method;

    return pyb_docstring_text(method->ml_name, method->ml_doc);
}

static PyObject *
method_get_text_signature(PyObject *op, void *Py_UNUSED(closure))
{
    const PyMethodDef *method = ((PyMethodDescrObject *)op)->d_method;

    return pyb_docstring_signature(method->ml_name, method->ml_doc);
}

static PyGetSetDef method_getset[] = {
    {"__doc__", method_get_doc, NULL, NULL, NULL},
    {"__qualname__", descr_get_qualname, NULL, NULL, NULL},
    {"__text_signature__", method_get_text_signature, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject PyMethodDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "method_descriptor",
    .tp_basicsize = sizeof(PyMethodDescrObject),
    .tp_dealloc = descr_dealloc,
    .tp_vectorcall_offset = offsetof(PyMethodDescrObject, vectorcall),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = method_repr,
    .tp_hash = PyObject_GenericHash,
    .tp_call = PyVectorcall_Call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_traverse = descr_traverse,
    .tp_members = descr_members,
    .tp_getset = method_getset,
    .tp_descr_get = method_get,
    .tp_free = PyObject_GC_Del,
};

/* ------------------------------------------------------------------ */
/* Class methods                                                       */

/* Is type a class that the method applies to?  0, or -1 with TypeError. */
static int
classmethod_check(PyObject *op, PyObject *type)
{
    PyTypeObject *owner = PyDescr_TYPE(op);

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
    PyMethodDef *method = ((PyMethodDescrObject *)op)->d_method;

    if (type == NULL && obj == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%U' for type '%.100s' needs either an "
                     "object or a type",
                     PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name);
        return NULL;
    }
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

    if (nargs < 1) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%U' of '%.100s' object needs an argument",
                     PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name);
        return NULL;
    }
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
    .tp_dealloc = descr_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = method_repr,
    .tp_hash = PyObject_GenericHash,
    .tp_call = classmethod_call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_traverse = descr_traverse,
    .tp_members = descr_members,
    .tp_getset = method_getset,
    .tp_descr_get = classmethod_get,
    .tp_free = PyObject_GC_Del,
};

/* ------------------------------------------------------------------ */
/* Members                                                             */

static PyObject *
member_repr(PyObject *op)
{
    return descr_repr(op, "member");
}

static PyObject *
member_get(PyObject *op, PyObject *obj, PyObject *Py_UNUSED(type))
{
    if (obj == NULL)
        return Py_NewRef(op);
    if (descr_check(op, obj) < 0)
        return NULL;
    return PyMember_GetOne((char *)obj, ((PyMemberDescrObject *)op)->d_member);
}

static int
member_set(PyObject *op, PyObject *obj, PyObject *value)
{
    if (descr_check(op, obj) < 0)
        return -1;
    return PyMember_SetOne((char *)obj, ((PyMemberDescrObject *)op)->d_member,
                           value);
}

static PyObject *
member_get_doc(PyObject *op, void *Py_UNUSED(closure))
{
    const char *doc = ((PyMemberDescrObject *)op)->d_member->doc;

    if (doc == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(doc);
}

static PyGetSetDef member_getset[] = {
    {"__doc__", member_get_doc, NULL, NULL, NULL},
    {"__qualname__", descr_get_qualname, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject PyMemberDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "member_descriptor",
    .tp_basicsize = sizeof(PyMemberDescrObject),
    .tp_dealloc = descr_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = member_repr,
    .tp_hash = PyObject_GenericHash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_traverse = descr_traverse,
    .tp_members = descr_members,
    .tp_getset = member_getset,
    .tp_descr_get = member_get,
    .tp_descr_set = member_set,
    .tp_free = PyObject_GC_Del,
};

/* ------------------------------------------------------------------ */
/* Computed attributes                                                 */

static PyObject *
getset_repr(PyObject *op)
{
    return descr_repr(op, "attribute");
}

/* Raises AttributeError: "attribute 'x' of 'A' objects is not WHAT". */
static void
getset_error(PyObject *op, const char *what)
{
    PyErr_Format(PyExc_AttributeError,
                 "attribute '%U' of '%.100s' objects is not %s",
                 PyDescr_NAME(op), PyDescr_TYPE(op)->tp_name, what);
}

static PyObject *
getset_get(PyObject *op, PyObject *obj, PyObject *Py_UNUSED(type))
{
    const PyGetSetDef *getset = ((PyGetSetDescrObject *)op)->d_getset;

    if (obj == NULL)
        return Py_NewRef(op);
    if (descr_check(op, obj) < 0)
        return NULL;
    if (getset->get != NULL)
        return getset->get(obj, getset->closure);
    getset_error(op, "readable");
    return NULL;
}

static int
getset_set(PyObject *op, PyObject *obj, PyObject *value)
{
    const PyGetSetDef *getset = ((PyGetSetDescrObject *)op)->d_getset;

    if (descr_check(op, obj) < 0)
        return -1;
    if (getset->set != NULL)
        return getset->set(obj, value, getset->closure);
    getset_error(op, "writable");
    return -1;
}

static PyObject *
getset_get_doc(PyObject *op, void *Py_UNUSED(closure))
{
    const char *doc = ((PyGetSetDescrObject *)op)->d_getset->doc;

    if (doc == NULL)
        Py_RETURN_NONE;
    return PyUnicode_FromString(doc);
}

static PyGetSetDef getset_getset[] = {
    {"__doc__", getset_get_doc, NULL, NULL, NULL},
    {"__qualname__", descr_get_qualname, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject PyGetSetDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "getset_descriptor",
    .tp_basicsize = sizeof(PyGetSetDescrObject),
    .tp_dealloc = descr_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = getset_repr,
    .tp_hash = PyObject_GenericHash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_traverse = descr_traverse,
    .tp_members = descr_members,
    .tp_getset = getset_getset,
    .tp_descr_get = getset_get,
    .tp_descr_set = getset_set,
    .tp_free = PyObject_GC_Del,
};

/* ------------------------------------------------------------------ */
/* Making them                                                         */

/* A method descriptor of either kind. */
static PyObject *
new_method(PyTypeObject *kind, PyTypeObject *type, PyMethodDef *method)
{
    if (!pyb_cfunction_flags_ok(method))
        return NULL;
    PyObject *op = descr_new(kind, type, method->ml_name);
    if (op == NULL)
        return NULL;
    ((PyMethodDescrObject *)op)->d_method = method;
    ((PyMethodDescrObject *)op)->vectorcall = method_vectorcall;
    PyObject_GC_Track(op);
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
    if (member->flags & Py_RELATIVE_OFFSET) {
        PyErr_SetString(PyExc_SystemError,
                        "PyDescr_NewMember used with Py_RELATIVE_OFFSET");
        return NULL;
    }
    PyObject *op = descr_new(&PyMemberDescr_Type, type, member->name);
    if (op == NULL)
        return NULL;
    ((PyMemberDescrObject *)op)->d_member = member;
    PyObject_GC_Track(op);
    return op;
}

PyObject *
PyDescr_NewGetSet(PyTypeObject *type, PyGetSetDef *getset)
{
    PyObject *op = descr_new(&PyGetSetDescr_Type, type, getset->name);

    if (op == NULL)
        return NULL;
    ((PyGetSetDescrObject *)op)->d_getset = getset;
    PyObject_GC_Track(op);
    return op;
}
