/* weakproxy.c: weakref.proxy: objects that pass operations on to their
   referent, which they do not keep alive. */

#include "Python.h"

#include "object/error/errors.h"
#include "object/weakref/weakref.h"

/* op itself or, if it is a proxy, its referent; a new reference, or NULL with
   ReferenceError. */
static PyObject *
unwrap(PyObject *op)
{
    if (!PyWeakref_CheckProxy(op))
        return Py_NewRef(op);

    PyObject *referent = pyb_weakref_referent(op);
    if (referent == NULL)
        return pyb_raise(PyExc_ReferenceError,
                         "weakly-referenced object no longer exists");
    return Py_NewRef(referent);
}

/* ------------------------------------------------------------------ */
/* Passing on operations of one, two and three operands                */

static PyObject *
pass_on_1(unaryfunc function, PyObject *op)
{
    PyObject *a = unwrap(op);

    if (a == NULL)
        return NULL;
    PyObject *result = function(a);
    Py_DECREF(a);
    return result;
}

static PyObject *
pass_on_2(binaryfunc function, PyObject *left, PyObject *right)
{
    PyObject *a = unwrap(left), *b = NULL, *result = NULL;

    if (a != NULL && (b = unwrap(right)) != NULL)
        result = function(a, b);
    Py_XDECREF(b);
    Py_XDECREF(a);
    return result;
}

static PyObject *
pass_on_3(ternaryfunc function, PyObject *left, PyObject *right,
          PyObject *third)
{
    PyObject *a = unwrap(left), *b = NULL, *c = NULL, *result = NULL;

    if (a != NULL && (b = unwrap(right)) != NULL &&
        (c = unwrap(third)) != NULL)
        result = function(a, b, c);
    Py_XDECREF(c);
    Py_XDECREF(b);
    Py_XDECREF(a);
    return result;
}

#define PASS_ON_1(name, function)                                             \
    static PyObject *name(PyObject *op)                                       \
    {                                                                         \
        return pass_on_1(function, op);                                       \
    }

#define PASS_ON_2(name, function)                                             \
    static PyObject *name(PyObject *left, PyObject *right)                    \
    {                                                                         \
        return pass_on_2(function, left, right);                              \
    }

#define PASS_ON_3(name, function)                                             \
    static PyObject *name(PyObject *left, PyObject *right, PyObject *third)   \
    {                                                                         \
        return pass_on_3(function, left, right, third);                       \
    }

/* ------------------------------------------------------------------ */
/* Objects                                                             */

PASS_ON_1(proxy_str, PyObject_Str)
PASS_ON_2(proxy_getattr, PyObject_GetAttr)

static int
proxy_setattr(PyObject *self, PyObject *name, PyObject *value)
{
    PyObject *op = unwrap(self);

    if (op == NULL)
        return -1;
    int result = PyObject_SetAttr(op, name, value); /* NULL deletes */
    Py_DECREF(op);
    return result;
}

static PyObject *
proxy_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *op = unwrap(self);

    if (op == NULL)
        return NULL;
    PyObject *result = PyObject_Call(op, args, kwargs);
    Py_DECREF(op);
    return result;
}

static PyObject *
proxy_richcompare(PyObject *left, PyObject *right, int op)
{
    PyObject *a = unwrap(left), *b = NULL, *result = NULL;

    if (a != NULL && (b = unwrap(right)) != NULL)
        result = PyObject_RichCompare(a, b, op);
    Py_XDECREF(b);
    Py_XDECREF(a);
    return result;
}

static PyObject *
proxy_repr(PyObject *self)
{
    PyObject *op = Py_XNewRef(pyb_weakref_referent(self));

    if (op == NULL)
        return PyUnicode_FromFormat("<weakproxy at %p; dead>", self);
    PyObject *text = PyUnicode_FromFormat("<weakproxy at %p; to '%s' at %p>",
                                          self, Py_TYPE(op)->tp_name, op);
    Py_DECREF(op);
    return text;
}

static PyObject *
proxy_iter(PyObject *self)
{
    return pass_on_1(PyObject_GetIter, self);
}

static PyObject *
proxy_iternext(PyObject *self)
{
    PyObject *op = unwrap(self), *result = NULL;

    if (op == NULL)
        return NULL;
    if (PyIter_Check(op))
        result = PyIter_Next(op);
    else
        PyErr_Format(PyExc_TypeError,
                     "Weakref proxy referenced a non-iterator '%.200s' object",
                     Py_TYPE(op)->tp_name);
    Py_DECREF(op);
    return result;
}

/* ------------------------------------------------------------------ */
/* Numbers                                                             */

PASS_ON_2(proxy_add, PyNumber_Add)
PASS_ON_2(proxy_subtract, PyNumber_Subtract)
PASS_ON_2(proxy_multiply, PyNumber_Multiply)
PASS_ON_2(proxy_remainder, PyNumber_Remainder)
PASS_ON_2(proxy_divmod, PyNumber_Divmod)
PASS_ON_3(proxy_power, PyNumber_Power)
PASS_ON_1(proxy_negative, PyNumber_Negative)
PASS_ON_1(proxy_positive, PyNumber_Positive)
PASS_ON_1(proxy_absolute, PyNumber_Absolute)
PASS_ON_1(proxy_invert, PyNumber_Invert)
PASS_ON_2(proxy_lshift, PyNumber_Lshift)
PASS_ON_2(proxy_rshift, PyNumber_Rshift)
PASS_ON_2(proxy_and, PyNumber_And)
PASS_ON_2(proxy_xor, PyNumber_Xor)
PASS_ON_2(proxy_or, PyNumber_Or)
PASS_ON_1(proxy_int, PyNumber_Long)
PASS_ON_1(proxy_float, PyNumber_Float)
PASS_ON_2(proxy_inplace_add, PyNumber_InPlaceAdd)
PASS_ON_2(proxy_inplace_subtract, PyNumber_InPlaceSubtract)
PASS_ON_2(proxy_inplace_multiply, PyNumber_InPlaceMultiply)
PASS_ON_2(proxy_inplace_remainder, PyNumber_InPlaceRemainder)
PASS_ON_3(proxy_inplace_power, PyNumber_InPlacePower)
PASS_ON_2(proxy_inplace_lshift, PyNumber_InPlaceLshift)
PASS_ON_2(proxy_inplace_rshift, PyNumber_InPlaceRshift)
PASS_ON_2(proxy_inplace_and, PyNumber_InPlaceAnd)
PASS_ON_2(proxy_inplace_xor, PyNumber_InPlaceXor)
PASS_ON_2(proxy_inplace_or, PyNumber_InPlaceOr)
PASS_ON_2(proxy_floor_divide, PyNumber_FloorDivide)
PASS_ON_2(proxy_true_divide, PyNumber_TrueDivide)
PASS_ON_2(proxy_inplace_floor_divide, PyNumber_InPlaceFloorDivide)
PASS_ON_2(proxy_inplace_true_divide, PyNumber_InPlaceTrueDivide)
PASS_ON_1(proxy_index, PyNumber_Index)
PASS_ON_2(proxy_matmul, PyNumber_MatrixMultiply)
PASS_ON_2(proxy_inplace_matmul, PyNumber_InPlaceMatrixMultiply)

static int
proxy_bool(PyObject *self)
{
    return pyb_truth_stolen(unwrap(self));
}

static PyNumberMethods proxy_as_number = {
    .nb_add = proxy_add,
    .nb_subtract = proxy_subtract,
    .nb_multiply = proxy_multiply,
    .nb_remainder = proxy_remainder,
    .nb_divmod = proxy_divmod,
    .nb_power = proxy_power,
    .nb_negative = proxy_negative,
    .nb_positive = proxy_positive,
    .nb_absolute = proxy_absolute,
    .nb_bool = proxy_bool,
    .nb_invert = proxy_invert,
    .nb_lshift = proxy_lshift,
    .nb_rshift = proxy_rshift,
    .nb_and = proxy_and,
    .nb_xor = proxy_xor,
    .nb_or = proxy_or,
    .nb_int = proxy_int,
    .nb_float = proxy_float,
    .nb_inplace_add = proxy_inplace_add,
    .nb_inplace_subtract = proxy_inplace_subtract,
    .nb_inplace_multiply = proxy_inplace_multiply,
    .nb_inplace_remainder = proxy_inplace_remainder,
    .nb_inplace_power = proxy_inplace_power,
    .nb_inplace_lshift = proxy_inplace_lshift,
    .nb_inplace_rshift = proxy_inplace_rshift,
    .nb_inplace_and = proxy_inplace_and,
    .nb_inplace_xor = proxy_inplace_xor,
    .nb_inplace_or = proxy_inplace_or,
    .nb_floor_divide = proxy_floor_divide,
    .nb_true_divide = proxy_true_divide,
    .nb_inplace_floor_divide = proxy_inplace_floor_divide,
    .nb_inplace_true_divide = proxy_inplace_true_divide,
    .nb_index = proxy_index,
    .nb_matrix_multiply = proxy_matmul,
    .nb_inplace_matrix_multiply = proxy_inplace_matmul,
};

/* ------------------------------------------------------------------ */
/* Sequences and mappings                                              */

PASS_ON_2(proxy_getitem, PyObject_GetItem)

static Py_ssize_t
proxy_length(PyObject *self)
{
    PyObject *op = unwrap(self);

    if (op == NULL)
        return -1;
    Py_ssize_t result = PyObject_Size(op);
    Py_DECREF(op);
    return result;
}

static int
proxy_contains(PyObject *self, PyObject *value)
{
    PyObject *op = unwrap(self);

    if (op == NULL)
        return -1;
    int result = PySequence_Contains(op, value);
    Py_DECREF(op);
    return result;
}

static int
proxy_setitem(PyObject *self, PyObject *key, PyObject *value)
{
    PyObject *op = unwrap(self);

    if (op == NULL)
        return -1;
    int result = value == NULL ? PyObject_DelItem(op, key)
                               : PyObject_SetItem(op, key, value);
    Py_DECREF(op);
    return result;
}

static PySequenceMethods proxy_as_sequence = {
    .sq_length = proxy_length,
    .sq_contains = proxy_contains,
};

static PyMappingMethods proxy_as_mapping = {
    .mp_length = proxy_length,
    .mp_subscript = proxy_getitem,
    .mp_ass_subscript = proxy_setitem,
};

/* ------------------------------------------------------------------ */
/* The types                                                           */

/* The methods that bytes and reversed call. */
static PyObject *
call_bytes(PyObject *op)
{
    return PyObject_CallMethod(op, "__bytes__", NULL);
}

static PyObject *
call_reversed(PyObject *op)
{
    return PyObject_CallMethod(op, "__reversed__", NULL);
}

static PyObject *
proxy_bytes(PyObject *op, PyObject *Py_UNUSED(args))
{
    return pass_on_1(call_bytes, op);
}

static PyObject *
proxy_reversed(PyObject *op, PyObject *Py_UNUSED(args))
{
    return pass_on_1(call_reversed, op);
}

static PyMethodDef proxy_methods[] = {
    {"__bytes__", proxy_bytes, METH_NOARGS, NULL},
    {"__reversed__", proxy_reversed, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* clang-format off */
#define PROXY_SLOTS                                                           \
    .tp_basicsize = sizeof(PyWeakReference),                                  \
    .tp_dealloc = pyb_weakref_dealloc,                                        \
    .tp_repr = proxy_repr,                                                    \
    .tp_as_number = &proxy_as_number,                                         \
    .tp_as_sequence = &proxy_as_sequence,                                     \
    .tp_as_mapping = &proxy_as_mapping,                                       \
    .tp_hash = PyObject_HashNotImplemented,                                   \
    .tp_str = proxy_str,                                                      \
    .tp_getattro = proxy_getattr,                                             \
    .tp_setattro = proxy_setattr,                                             \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |                     \
                Py_TPFLAGS_DISALLOW_INSTANTIATION,                            \
    .tp_traverse = pyb_weakref_traverse,                                      \
    .tp_clear = pyb_weakref_tp_clear,                                         \
    .tp_richcompare = proxy_richcompare,                                      \
    .tp_iter = proxy_iter,                                                    \
    .tp_iternext = proxy_iternext,                                            \
    .tp_methods = proxy_methods
/* clang-format on */

PyTypeObject _PyWeakref_ProxyType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "weakref.ProxyType",
    PROXY_SLOTS,
};

PyTypeObject _PyWeakref_CallableProxyType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name =
        "weakref.CallableProxyType",
    PROXY_SLOTS,
    .tp_call = proxy_call,
};
