/* genericalias.c: types.GenericAlias: a class with arguments, list[int].

   It cannot change, so it has no tp_clear: a cycle through one is cleared
   where it was closed, in the class or in what is among the arguments. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "object/type/genericalias.h"

/* origin and args, a tuple, are owned and never NULL. */
struct alias {
    PyObject_HEAD
    PyObject *origin;
    PyObject *args;
    PyObject *weakrefs;
    char starred; /* it is *list[int] */
};

static struct alias *
alias(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyObject_TypeCheck(op, &Py_GenericAliasType), op);
    return (struct alias *)(void *)op;
}

/* ------------------------------------------------------------------ */
/* Making one                                                          */

static PyObject *
make(PyTypeObject *type, PyObject *origin, PyObject *args, int starred)
{
    PyObject *tuple =
        PyTuple_Check(args) ? Py_NewRef(args) : PyTuple_Pack(1, args);

    if (tuple == NULL)
        return NULL;
    PyObject *op = type->tp_alloc(type, 0);
    if (op == NULL) {
        Py_DECREF(tuple);
        return NULL;
    }
    alias(op)->origin = Py_NewRef(origin);
    alias(op)->args = tuple;
    alias(op)->starred = (char)starred;
    return op;
}

PyObject *
Py_GenericAlias(PyObject *origin, PyObject *args)
{
    if (origin == NULL || args == NULL)
        return pyb_errors_null_argument();
    return make(&Py_GenericAliasType, origin, args, 0);
}

static PyObject *
alias_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *origin, *arguments;

    if (!pyb_getargs_no_keywords("GenericAlias", kwargs) ||
        !PyArg_UnpackTuple(args, "GenericAlias", 2, 2, &origin, &arguments))
        return NULL;
    return make(type, origin, arguments, 0);
}

static void
alias_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (alias(op)->weakrefs != NULL)
        PyObject_ClearWeakRefs(op);
    Py_XDECREF(alias(op)->origin);
    Py_XDECREF(alias(op)->args);
    Py_TYPE(op)->tp_free(op);
}

static int
alias_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(alias(op)->origin);
    Py_VISIT(alias(op)->args);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

/* Writes a class as its name, with its module unless that is builtins; 1 if
   item is nothing of the kind, or an alias, whose repr says more. */
static int
write_class(PyUnicodeWriter *out, PyObject *item)
{
    PyObject *origin = NULL, *args = NULL, *name = NULL, *module = NULL;
    int result = -1;

    if (PyObject_GetOptionalAttrString(item, "__origin__", &origin) < 0 ||
        (origin != NULL &&
         PyObject_GetOptionalAttrString(item, "__args__", &args) < 0))
        goto done;
    result = 1;
    if (args != NULL)
        goto done;
    if (PyObject_GetOptionalAttrString(item, "__qualname__", &name) < 0 ||
        (name != NULL &&
         PyObject_GetOptionalAttrString(item, "__module__", &module) < 0))
        result = -1;
    else if (name == NULL || module == NULL || module == Py_None)
        result = 1;
    else if (PyUnicode_Check(module) &&
             PyUnicode_EqualToUTF8(module, "builtins"))
        result = PyUnicodeWriter_WriteStr(out, name);
    else
        result = PyUnicodeWriter_Format(out, "%S.%S", module, name);
done:
    Py_XDECREF(origin);
    Py_XDECREF(args);
    Py_XDECREF(name);
    Py_XDECREF(module);
    return result;
}

int
pyb_genericalias_write(PyUnicodeWriter *out, PyObject *item)
{
    if (item == Py_Ellipsis)
        return PyUnicodeWriter_WriteASCII(out, "...", 3);
    int result = write_class(out, item);
    return result == 1 ? PyUnicodeWriter_WriteRepr(out, item) : result;
}

/* The items of a tuple or list in brackets.  A list can be changed meanwhile;
   as an argument it stands for the parameters of a callable. */
static int
write_items(PyUnicodeWriter *out, PyObject *items)
{
    if (PyUnicodeWriter_WriteChar(out, '[') < 0)
        return -1;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items); i++) {
        if (i > 0 && PyUnicodeWriter_WriteASCII(out, ", ", 2) < 0)
            return -1;
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, i));
        int result = PyTuple_Check(items) && PyList_Check(item)
                         ? write_items(out, item)
                         : pyb_genericalias_write(out, item);
        Py_DECREF(item);
        if (result < 0)
            return -1;
    }
    if (PyTuple_Check(items) && PyTuple_GET_SIZE(items) == 0 &&
        PyUnicodeWriter_WriteASCII(out, "()", 2) < 0)
        return -1;
    return PyUnicodeWriter_WriteChar(out, ']');
}

static PyObject *
alias_repr(PyObject *op)
{
    PyUnicodeWriter *out = PyUnicodeWriter_Create(0);

    if (out == NULL)
        return NULL;
    if ((!alias(op)->starred || PyUnicodeWriter_WriteChar(out, '*') == 0) &&
        pyb_genericalias_write(out, alias(op)->origin) == 0 &&
        write_items(out, alias(op)->args) == 0)
        return PyUnicodeWriter_Finish(out);
    PyUnicodeWriter_Discard(out);
    return NULL;
}

/* ------------------------------------------------------------------ */
/* As the origin                                                       */

/* Instances learn of the alias where they can have attributes. */
static PyObject *
alias_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    PyObject *result = PyObject_Call(alias(op)->origin, args, kwargs);

    if (result == NULL ||
        PyObject_SetAttrString(result, "__orig_class__", op) == 0)
        return result;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError) &&
        !PyErr_ExceptionMatches(PyExc_TypeError)) {
        Py_DECREF(result);
        return NULL;
    }
    PyErr_Clear();
    return result;
}

static int
is_own(PyObject *name)
{
    static const char *const own[] = {"__class__",
                                      "__origin__",
                                      "__args__",
                                      "__unpacked__",
                                      "__copy__",
                                      "__parameters__",
                                      "__mro_entries__",
                                      "__reduce__",
                                      "__reduce_ex__",
                                      "__deepcopy__",
                                      "__typing_unpacked_tuple_args__"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(own); i++)
        if (PyUnicode_EqualToUTF8(name, own[i]))
            return 1;
    return 0;
}

static PyObject *
alias_getattro(PyObject *op, PyObject *name)
{
    if (PyUnicode_Check(name) && !is_own(name))
        return PyObject_GetAttr(alias(op)->origin, name);
    return PyObject_GenericGetAttr(op, name);
}

/* ------------------------------------------------------------------ */
/* Comparison                                                          */

static PyObject *
alias_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyObject_TypeCheck(a, &Py_GenericAliasType) ||
        !PyObject_TypeCheck(b, &Py_GenericAliasType) ||
        (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    int equal = alias(a)->starred == alias(b)->starred;
    if (equal)
        equal = PyObject_RichCompareBool(alias(a)->origin, alias(b)->origin,
                                         Py_EQ);
    if (equal > 0)
        equal =
            PyObject_RichCompareBool(alias(a)->args, alias(b)->args, Py_EQ);
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t
alias_hash(PyObject *op)
{
    Py_hash_t origin = PyObject_Hash(alias(op)->origin);
    Py_hash_t args = origin == -1 ? -1 : PyObject_Hash(alias(op)->args);

    return args == -1 ? -1 : origin ^ args;
}

/* ------------------------------------------------------------------ */
/* Items, methods and attributes                                       */

static PyObject *
alias_subscript(PyObject *op, PyObject *Py_UNUSED(key))
{
    return PyErr_Format(PyExc_TypeError, "%R is not a generic class", op);
}

/* "*list[int]" in an argument list is one starred alias. */
static PyObject *
alias_iter(PyObject *op)
{
    PyObject *starred =
        make(&Py_GenericAliasType, alias(op)->origin, alias(op)->args, 1);
    PyObject *tuple = starred == NULL ? NULL : PyTuple_Pack(1, starred);
    PyObject *iter = tuple == NULL ? NULL : PyObject_GetIter(tuple);

    Py_XDECREF(starred);
    Py_XDECREF(tuple);
    return iter;
}

static PyObject *
mro_entries(PyObject *op, PyObject *Py_UNUSED(bases))
{
    return PyTuple_Pack(1, alias(op)->origin);
}

static PyObject *
instancecheck(PyObject *Py_UNUSED(op), PyObject *Py_UNUSED(other))
{
    return pyb_raise(
        PyExc_TypeError,
        "isinstance() argument 2 cannot be a parameterized generic");
}

static PyObject *
subclasscheck(PyObject *Py_UNUSED(op), PyObject *Py_UNUSED(other))
{
    return pyb_raise(
        PyExc_TypeError,
        "issubclass() argument 2 cannot be a parameterized generic");
}

/* A starred alias is no call's result: CPython's is next(iter(alias)), and the
   module builtins has no next here. */
static PyObject *
reduce(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    if (alias(op)->starred)
        return pyb_errors_type("cannot pickle a starred '%.200s' object", op);
    return Py_BuildValue("O(OO)", &Py_GenericAliasType, alias(op)->origin,
                         alias(op)->args);
}

static PyObject *
parameters(PyObject *Py_UNUSED(op), void *Py_UNUSED(closure))
{
    return PyTuple_New(0);
}

static PyMethodDef alias_methods[] = {
    {"__mro_entries__", mro_entries, METH_O, NULL},
    {"__instancecheck__", instancecheck, METH_O, NULL},
    {"__subclasscheck__", subclasscheck, METH_O, NULL},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef alias_members[] = {
    {"__origin__", _Py_T_OBJECT, offsetof(struct alias, origin), Py_READONLY,
     NULL},
    {"__args__", _Py_T_OBJECT, offsetof(struct alias, args), Py_READONLY,
     NULL},
    {"__unpacked__", Py_T_BOOL, offsetof(struct alias, starred), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef alias_getset[] = {
    {"__parameters__", parameters, NULL, "Type variables in the GenericAlias.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMappingMethods alias_mapping = {.mp_subscript = alias_subscript};

PyTypeObject Py_GenericAliasType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "types.GenericAlias",
    .tp_basicsize = sizeof(struct alias),
    .tp_dealloc = alias_dealloc,
    .tp_repr = alias_repr,
    .tp_as_number = &pyb_union_as_number,
    .tp_as_mapping = &alias_mapping,
    .tp_hash = alias_hash,
    .tp_call = alias_call,
    .tp_getattro = alias_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = PyDoc_STR("GenericAlias(origin, args, /)\n--\n\n"
                        "A class with arguments, like list[int]."),
    .tp_traverse = alias_traverse,
    .tp_richcompare = alias_richcompare,
    .tp_weaklistoffset = offsetof(struct alias, weakrefs),
    .tp_iter = alias_iter,
    .tp_methods = alias_methods,
    .tp_members = alias_members,
    .tp_getset = alias_getset,
    .tp_new = alias_new,
};
