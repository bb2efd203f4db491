/* union.c: types.UnionType: one of several classes, int | str.

   It cannot change, so it has no tp_clear, as an alias has none. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/type/genericalias.h"

/* args is a tuple of two or more classes and aliases, no two of them equal; it
   is owned and never NULL. */
struct union_type {
    PyObject_HEAD
    PyObject *args;
};

#define IS_UNION(op) Py_IS_TYPE(op, &pyb_union_type)
#define ARGS(op) (PYB_CAST(struct union_type, IS_UNION, op)->args)

/* ------------------------------------------------------------------ */
/* Making one                                                          */

static int
is_alias(PyObject *op)
{
    return PyObject_TypeCheck(op, &Py_GenericAliasType);
}

static int
may_be_member(PyObject *op)
{
    return op == Py_None || PyType_Check(op) || is_alias(op) || IS_UNION(op);
}

/* Is item, or an alias equal to it, in the list?  1, 0, or -1 with an
   exception. */
static int
is_among(PyObject *list, PyObject *item)
{
    int found = 0;

    for (Py_ssize_t i = 0; found == 0 && i < PyList_GET_SIZE(list); i++) {
        PyObject *other = PyList_GET_ITEM(list, i);
        found = other == item;
        if (!found && is_alias(item) && is_alias(other))
            found = PyObject_RichCompareBool(item, other, Py_EQ);
    }
    return found;
}

/* Adds a class or an alias.  0, or -1 with an exception. */
static int
add_one(PyObject *list, PyObject *item)
{
    int found = is_among(list, item);

    return found == 0 ? PyList_Append(list, item) : found > 0 ? 0 : -1;
}

/* Adds what the operand stands for. */
static int
add(PyObject *list, PyObject *operand)
{
    int result = 0;

    if (operand == Py_None)
        return add_one(list, (PyObject *)Py_TYPE(Py_None));
    if (!IS_UNION(operand))
        return add_one(list, operand);
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(ARGS(operand));
         i++)
        result = add_one(list, PyTuple_GET_ITEM(ARGS(operand), i));
    return result;
}

static PyObject *
make(PyObject *list)
{
    PyObject *args = PyList_AsTuple(list);

    if (args == NULL)
        return NULL;
    struct union_type *made =
        PyObject_GC_New(struct union_type, &pyb_union_type);
    if (made == NULL) {
        Py_DECREF(args);
        return NULL;
    }
    made->args = args;
    PyObject_GC_Track((PyObject *)made);
    return (PyObject *)made;
}

static PyObject *
union_or(PyObject *a, PyObject *b)
{
    PyObject *list, *result = NULL;

    if (!may_be_member(a) || !may_be_member(b))
        Py_RETURN_NOTIMPLEMENTED;
    list = PyList_New(0);
    if (list != NULL && add(list, a) == 0 && add(list, b) == 0)
        result = PyList_GET_SIZE(list) == 1
                     ? Py_NewRef(PyList_GET_ITEM(list, 0))
                     : make(list);
    Py_XDECREF(list);
    return result;
}

PyNumberMethods pyb_union_as_number = {.nb_or = union_or};

/* ------------------------------------------------------------------ */
/* Slots                                                               */

static void
union_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_DECREF(ARGS(op));
    Py_TYPE(op)->tp_free(op);
}

static int
union_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(ARGS(op));
    return 0;
}

static int
write_member(PyUnicodeWriter *out, PyObject *item)
{
    return item == (PyObject *)Py_TYPE(Py_None)
               ? PyUnicodeWriter_WriteASCII(out, "None", 4)
               : pyb_genericalias_write(out, item);
}

static PyObject *
union_repr(PyObject *op)
{
    PyUnicodeWriter *out = PyUnicodeWriter_Create(0);
    int result = out != NULL ? 0 : -1;

    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(ARGS(op)); i++)
        if ((i > 0 && PyUnicodeWriter_WriteASCII(out, " | ", 3) < 0) ||
            write_member(out, PyTuple_GET_ITEM(ARGS(op), i)) < 0)
            result = -1;
    if (result == 0)
        return PyUnicodeWriter_Finish(out);
    PyUnicodeWriter_Discard(out);
    return NULL;
}

/* That of its members in any order. */
static Py_hash_t
union_hash(PyObject *op)
{
    PyObject *set = PyFrozenSet_New(ARGS(op));
    Py_hash_t hash = set != NULL ? PyObject_Hash(set) : -1;

    Py_XDECREF(set);
    return hash;
}

static PyObject *
union_richcompare(PyObject *a, PyObject *b, int op)
{
    PyObject *result = NULL;

    if (!IS_UNION(a) || !IS_UNION(b) || (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *of_a = PySet_New(ARGS(a));
    PyObject *of_b = of_a != NULL ? PySet_New(ARGS(b)) : NULL;
    if (of_b != NULL)
        result = PyObject_RichCompare(of_a, of_b, op);
    Py_XDECREF(of_a);
    Py_XDECREF(of_b);
    return result;
}

/* ------------------------------------------------------------------ */
/* As a class                                                          */

/* Does test(op, member) hold for one of the members?  An alias cannot be
   asked; those behind the first that it holds for do not matter. */
static PyObject *
any_member(PyObject *self, PyObject *op, int (*test)(PyObject *, PyObject *),
           const char *message)
{
    int result = 0;

    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(ARGS(self));
         i++) {
        PyObject *member = PyTuple_GET_ITEM(ARGS(self), i);
        if (is_alias(member))
            return pyb_raise(PyExc_TypeError, message);
        result = test(op, member);
    }
    return pyb_result_bool(result);
}

static PyObject *
union_instancecheck(PyObject *self, PyObject *op)
{
    return any_member(self, op, PyObject_IsInstance,
                      "isinstance() argument 2 cannot be a parameterized "
                      "generic");
}

static PyObject *
union_subclasscheck(PyObject *self, PyObject *op)
{
    return any_member(self, op, PyObject_IsSubclass,
                      "issubclass() argument 2 cannot be a parameterized "
                      "generic");
}

/* There are no type variables. */
static PyObject *
union_subscript(PyObject *op, PyObject *Py_UNUSED(key))
{
    return PyErr_Format(PyExc_TypeError, "%R is not a generic class", op);
}

static PyObject *
parameters(PyObject *Py_UNUSED(op), void *Py_UNUSED(closure))
{
    return PyTuple_New(0);
}

/* Classes have one, and a union is used like a class. */
static PyObject *
module(PyObject *Py_UNUSED(op), void *Py_UNUSED(closure))
{
    return PyUnicode_FromString("types");
}

static PyMethodDef union_methods[] = {
    {"__instancecheck__", union_instancecheck, METH_O, NULL},
    {"__subclasscheck__", union_subclasscheck, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef union_members[] = {
    {"__args__", _Py_T_OBJECT, offsetof(struct union_type, args), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef union_getset[] = {
    {"__module__", module, NULL, NULL, NULL},
    {"__parameters__", parameters, NULL,
     "Type variables in the types.UnionType.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMappingMethods union_as_mapping = {.mp_subscript = union_subscript};

PyTypeObject pyb_union_type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "types.UnionType",
    .tp_basicsize = sizeof(struct union_type),
    .tp_dealloc = union_dealloc,
    .tp_repr = union_repr,
    .tp_as_number = &pyb_union_as_number,
    .tp_as_mapping = &union_as_mapping,
    .tp_hash = union_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "Represent a PEP 604 union type\n\nE.g. for int | str",
    .tp_traverse = union_traverse,
    .tp_richcompare = union_richcompare,
    .tp_methods = union_methods,
    .tp_members = union_members,
    .tp_getset = union_getset,
};
