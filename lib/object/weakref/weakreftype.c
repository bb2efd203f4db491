/* weakreftype.c: the type weakref.ref, which can be called for its referent
   and can be subclassed. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "object/weakref/weakref.h"

/* ------------------------------------------------------------------ */
/* Life and death; the proxies share these                             */

void
pyb_weakref_dealloc(PyObject *op)
{
    PyWeakReference *self = (PyWeakReference *)op;

    PYB_ASSERT_OBJECT(PyWeakref_Check(op), op);
    PyObject_GC_UnTrack(op);
    pyb_weakref_forget(self);
    Py_CLEAR(self->wr_callback);
    Py_TYPE(op)->tp_free(op);
}

int
pyb_weakref_traverse(PyObject *op, visitproc visit, void *arg)
{
    PYB_ASSERT_OBJECT(PyWeakref_Check(op), op);
    Py_VISIT(((PyWeakReference *)op)->wr_callback);
    return 0;
}

int
pyb_weakref_tp_clear(PyObject *op)
{
    PyWeakReference *self = (PyWeakReference *)op;

    PYB_ASSERT_OBJECT(PyWeakref_Check(op), op);
    pyb_weakref_forget(self);
    Py_CLEAR(self->wr_callback);
    return 0;
}

/* ------------------------------------------------------------------ */
/* weakref.ref                                                         */

/* The arguments of ref(object[, callback]), borrowed.  1, or 0 with an
   exception. */
static int
parse(const char *function, PyObject *args, PyObject **op, PyObject **callback)
{
    *callback = NULL;
    return PyArg_UnpackTuple(args, function, 1, 2, op, callback);
}

static PyObject *
ref_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kwargs))
{
    PyObject *op, *callback;

    if (!parse("__new__", args, &op, &callback))
        return NULL;
    return pyb_weakref_new(type, op, callback);
}

static int
ref_init(PyObject *Py_UNUSED(self), PyObject *args, PyObject *kwargs)
{
    PyObject *op, *callback;

    if (!pyb_getargs_no_keywords("ref", kwargs))
        return -1;
    return parse("__init__", args, &op, &callback) ? 0 : -1;
}

static PyObject *
ref_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PYB_ASSERT_OBJECT(PyWeakref_CheckRef(self), self);
    if (!pyb_getargs_no_keywords("weakref", kwargs) ||
        !PyArg_UnpackTuple(args, "weakref", 0, 0))
        return NULL;

    PyObject *op = pyb_weakref_referent(self);
    return Py_NewRef(op != NULL ? op : Py_None);
}

/* The referent's hash; it is stored, since it outlives the referent. */
static Py_hash_t
ref_hash(PyObject *op)
{
    PyWeakReference *self = (PyWeakReference *)op;

    PYB_ASSERT_OBJECT(PyWeakref_Check(op), op);
    if (self->hash != -1)
        return self->hash;
    PyObject *referent = Py_XNewRef(pyb_weakref_referent(op));
    if (referent == NULL)
        return pyb_fail(PyExc_TypeError, "weak object has gone away");
    self->hash = PyObject_Hash(referent);
    Py_DECREF(referent);
    return self->hash;
}

/* Weak references are equal if their referents are; dead ones only if they are
   the same object. */
static PyObject *
ref_richcompare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyWeakref_CheckRef(a) ||
        !PyWeakref_CheckRef(b))
        Py_RETURN_NOTIMPLEMENTED;

    PyObject *left = Py_XNewRef(pyb_weakref_referent(a));
    PyObject *right = Py_XNewRef(pyb_weakref_referent(b));
    PyObject *result;
    if (left != NULL && right != NULL)
        result = PyObject_RichCompare(left, right, op);
    else
        result = PyBool_FromLong((a == b) == (op == Py_EQ));
    Py_XDECREF(left);
    Py_XDECREF(right);
    return result;
}

static PyObject *
ref_repr(PyObject *self)
{
    PyObject *op = Py_XNewRef(pyb_weakref_referent(self));
    PyObject *name, *result = NULL;

    if (op == NULL)
        return PyUnicode_FromFormat("<weakref at %p; dead>", self);
    if (PyObject_GetOptionalAttrString(op, "__name__", &name) < 0)
        goto done;
    if (name != NULL && PyUnicode_Check(name))
        result = PyUnicode_FromFormat("<weakref at %p; to '%s' at %p (%U)>",
                                      self, Py_TYPE(op)->tp_name, op, name);
    else
        result = PyUnicode_FromFormat("<weakref at %p; to '%s' at %p>", self,
                                      Py_TYPE(op)->tp_name, op);
    Py_XDECREF(name);
done:
    Py_DECREF(op);
    return result;
}

static PyMemberDef ref_members[] = {
    {"__callback__", _Py_T_OBJECT, offsetof(PyWeakReference, wr_callback),
     Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef ref_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject _PyWeakref_RefType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "weakref.ReferenceType",
    .tp_basicsize = sizeof(PyWeakReference),
    .tp_dealloc = pyb_weakref_dealloc,
    .tp_repr = ref_repr,
    .tp_hash = ref_hash,
    .tp_call = ref_call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_traverse = pyb_weakref_traverse,
    .tp_clear = pyb_weakref_tp_clear,
    .tp_richcompare = ref_richcompare,
    .tp_methods = ref_methods,
    .tp_members = ref_members,
    .tp_init = ref_init,
    .tp_new = ref_new,
};
