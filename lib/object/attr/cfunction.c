/* cfunction.c: C functions: the calling conventions, and the objects that make
   them callable. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/cfunction.h"
#include "object/attr/descr.h"
#include "object/attr/docstring.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "object/protocol/call.h"
#include "runtime/recursion.h"

#define FUNCTION(op) PYB_CAST(PyCFunctionObject, PyCFunction_Check, op)

/* ------------------------------------------------------------------ */
/* Calling conventions                                                 */

/* What each call does is inlined in the functions that are called. */
#define INLINED __attribute__((always_inline)) static inline

/* A C function with all that a call needs except the arguments. */
struct cfunction {
    PyMethodDef *method;
    PyObject *self;     /* borrowed; NULL for a static method */
    PyTypeObject *cls;  /* borrowed; defining class, used by METH_METHOD */
    PyObject *callable; /* borrowed; named in error messages */
};

enum {
    CONVENTION = METH_VARARGS | METH_KEYWORDS | METH_NOARGS | METH_O |
                 METH_FASTCALL | METH_METHOD
};

int
pyb_cfunction_flags_ok(const PyMethodDef *method)
{
    switch (method->ml_flags & CONVENTION) {
    case METH_VARARGS:
    case METH_VARARGS | METH_KEYWORDS:
    case METH_FASTCALL:
    case METH_FASTCALL | METH_KEYWORDS:
    case METH_METHOD | METH_FASTCALL | METH_KEYWORDS:
    case METH_NOARGS:
    case METH_O:
        return 1;
    default:
        PyErr_Format(PyExc_SystemError, "%s() method: bad call flags",
                     method->ml_name);
        return 0;
    }
}

/* How error messages name a callable: "module.qualname()", or its str() if it
   has no __qualname__. */
static PyObject *
name_of(PyObject *callable)
{
    PyObject *qualname, *module, *name = NULL;
    int found =
        PyObject_GetOptionalAttrString(callable, "__qualname__", &qualname);

    if (found < 0)
        return NULL;
    if (found == 0)
        return PyObject_Str(callable);
    if (PyObject_GetOptionalAttrString(callable, "__module__", &module) < 0)
        goto done;
    if (module != NULL && PyUnicode_Check(module) &&
        !PyUnicode_EqualToUTF8(module, "builtins"))
        name = PyUnicode_FromFormat("%S.%S()", module, qualname);
    else
        name = PyUnicode_FromFormat("%S()", qualname);
    Py_XDECREF(module);
done:
    Py_DECREF(qualname);
    return name;
}

/* Raises TypeError "NAME takes WHAT arguments", and the number given unless
   it is negative; returns -1. */
static int
wrong_arguments(PyObject *callable, const char *what, Py_ssize_t given)
{
    PyObject *name = name_of(callable);

    if (name == NULL)
        return -1;
    if (given < 0)
        PyErr_Format(PyExc_TypeError, "%U takes %s", name, what);
    else
        PyErr_Format(PyExc_TypeError, "%U takes %s (%zd given)", name, what,
                     given);
    Py_DECREF(name);
    return -1;
}

/* Raises TypeError for keyword arguments; returns -1.  CPython names functions
   with METH_VARARGS without their module. */
static int
no_keywords(const struct cfunction *function)
{
    PYB_ASSERT(!(function->method->ml_flags & METH_KEYWORDS));
    if (!PyCFunction_Check(function->callable) ||
        !(function->method->ml_flags & METH_VARARGS) ||
        (function->method->ml_flags & PYB_FULL_NAME))
        return wrong_arguments(function->callable, "no keyword arguments", -1);
    return pyb_failf(PyExc_TypeError, "%.200s() takes no keyword arguments",
                     function->method->ml_name);
}

/* Does the convention allow these arguments?  0, or -1 with TypeError. */
INLINED int
check_arguments(const struct cfunction *function, Py_ssize_t nargs,
                PyObject *kwnames)
{
    int flags = function->method->ml_flags;

    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0 &&
        !(flags & METH_KEYWORDS))
        return no_keywords(function);
    if ((flags & METH_NOARGS) && nargs != 0)
        return wrong_arguments(function->callable, "no arguments", nargs);
    if ((flags & METH_O) && nargs != 1)
        return wrong_arguments(function->callable, "exactly one argument",
                               nargs);
    return 0;
}

/* A call by METH_VARARGS, with or without METH_KEYWORDS. */
static PyObject *
call_varargs(const struct cfunction *function, PyObject *const *args,
             Py_ssize_t nargs, PyObject *kwnames)
{
    PyCFunction plain = function->method->ml_meth;
    PyObject *kwargs = NULL, *result = NULL;

    PYB_ASSERT(function->method->ml_flags & METH_VARARGS);
    PyObject *tuple = PyTuple_FromArray(args, nargs);

    if (tuple == NULL)
        return NULL;
    if (function->method->ml_flags & METH_KEYWORDS) {
        if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0) {
            kwargs = pyb_call_kwargs(args + nargs, kwnames);
            if (kwargs == NULL)
                goto done;
        }
        PyCFunctionWithKeywords call =
            (PyCFunctionWithKeywords)(void (*)(void))plain;
        result = call(function->self, tuple, kwargs);
    } else {
        result = plain(function->self, tuple);
    }
done:
    Py_XDECREF(kwargs);
    Py_DECREF(tuple);
    return result;
}

/* The call itself; the arguments have been checked. */
INLINED PyObject *
call_function(const struct cfunction *function, PyObject *const *args,
              Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *self = function->self;
    PyCFunction plain = function->method->ml_meth;
    void (*any)(void) = (void (*)(void))plain;

    switch (function->method->ml_flags & CONVENTION) {
    case METH_NOARGS:
        PYB_ASSERT(nargs == 0);
        return plain(self, NULL);
    case METH_O:
        PYB_ASSERT(nargs == 1);
        return plain(self, args[0]);
    case METH_FASTCALL:
        return ((PyCFunctionFast)any)(self, args, nargs);
    case METH_FASTCALL | METH_KEYWORDS:
        return ((PyCFunctionFastWithKeywords)any)(self, args, nargs, kwnames);
    case METH_METHOD | METH_FASTCALL | METH_KEYWORDS:
        PYB_ASSERT(function->cls != NULL && PyType_Check(function->cls));
        return ((PyCMethod)any)(self, function->cls, args, (size_t)nargs,
                                kwnames);
    default:
        return call_varargs(function, args, nargs, kwnames);
    }
}

/* A call by METH_NOARGS, with NULL, or METH_O. */
INLINED PyObject *
call_plain(PyCFunction plain, PyObject *self, PyObject *arg)
{
    if (pyb_recursion_enter(" while calling a Python object"))
        return NULL;
    PyObject *result = plain(self, arg);
    pyb_recursion_leave();
    return result;
}

/* Calls the function with nargs positional arguments and, in args behind them,
   the values of the keyword arguments kwnames (a tuple or NULL), after
   checking that its convention allows them. */
INLINED PyObject *
vectorcall(const struct cfunction *function, PyObject *const *args,
           Py_ssize_t nargs, PyObject *kwnames)
{
    PYB_ASSERT(nargs >= 0 && function->callable != NULL);
    PYB_ASSERT(kwnames == NULL || PyTuple_Check(kwnames));
    if (check_arguments(function, nargs, kwnames) < 0 ||
        pyb_recursion_enter(" while calling a Python object"))
        return NULL;
    PyObject *result = call_function(function, args, nargs, kwnames);
    pyb_recursion_leave();
    return result;
}

/* The two structures begin alike, so that the macros for the one are right for
   the other. */
_Static_assert(offsetof(PyCMethodObject, func) == 0,
               "a method with a class is a C function");

static PyObject *
cfunction_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                     PyObject *kwnames)
{
    struct cfunction function = {
        .method = FUNCTION(op)->m_ml,
        .self = PyCFunction_GET_SELF(op),
        .cls = PyCFunction_GET_CLASS(op),
        .callable = op,
    };

    return vectorcall(&function, args, PyVectorcall_NARGS(nargsf), kwnames);
}

static PyObject *
descr_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);

    if (nargs < 1) {
        PyObject *name = name_of(op);
        if (name != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "unbound method %U needs an argument", name);
            Py_DECREF(name);
        }
        return NULL;
    }
    if (!Py_IS_TYPE(args[0], PyDescr_TYPE(op)) &&
        pyb_descr_check(op, args[0]) < 0)
        return NULL;
    struct cfunction function = {
        .method = ((PyMethodDescrObject *)op)->d_method,
        .self = args[0],
        .cls = PyDescr_TYPE(op),
        .callable = op,
    };
    return vectorcall(&function, args + 1, nargs - 1, kwnames);
}

/* The same for a function that takes n arguments, 1 or none: most are of this
   kind.  With other arguments the call is as above, and says what is wrong. */
INLINED PyObject *
plain_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames, Py_ssize_t n)
{
    if (_PyB_UNLIKELY(PyVectorcall_NARGS(nargsf) != n || kwnames != NULL))
        return cfunction_vectorcall(op, args, nargsf, kwnames);
    return call_plain(FUNCTION(op)->m_ml->ml_meth, PyCFunction_GET_SELF(op),
                      n > 0 ? args[0] : NULL);
}

INLINED PyObject *
plain_descr_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                       PyObject *kwnames, Py_ssize_t n)
{
    if (_PyB_UNLIKELY(PyVectorcall_NARGS(nargsf) != n + 1 || kwnames != NULL ||
                      !Py_IS_TYPE(args[0], PyDescr_TYPE(op))))
        return descr_vectorcall(op, args, nargsf, kwnames);
    return call_plain(((PyMethodDescrObject *)op)->d_method->ml_meth, args[0],
                      n > 0 ? args[1] : NULL);
}

static PyObject *
vectorcall_noargs(PyObject *op, PyObject *const *args, size_t nargsf,
                  PyObject *kwnames)
{
    return plain_vectorcall(op, args, nargsf, kwnames, 0);
}

static PyObject *
vectorcall_o(PyObject *op, PyObject *const *args, size_t nargsf,
             PyObject *kwnames)
{
    return plain_vectorcall(op, args, nargsf, kwnames, 1);
}

static PyObject *
descr_vectorcall_noargs(PyObject *op, PyObject *const *args, size_t nargsf,
                        PyObject *kwnames)
{
    return plain_descr_vectorcall(op, args, nargsf, kwnames, 0);
}

static PyObject *
descr_vectorcall_o(PyObject *op, PyObject *const *args, size_t nargsf,
                   PyObject *kwnames)
{
    return plain_descr_vectorcall(op, args, nargsf, kwnames, 1);
}

/* A function with METH_VARARGS has no vectorcall: it is given the caller's own
   tuple and dictionary. */
static vectorcallfunc
vectorcall_of(const PyMethodDef *method)
{
    switch (method->ml_flags & CONVENTION) {
    case METH_NOARGS:
        return vectorcall_noargs;
    case METH_O:
        return vectorcall_o;
    default:
        return method->ml_flags & METH_VARARGS ? NULL : cfunction_vectorcall;
    }
}

vectorcallfunc
pyb_cfunction_descr_vectorcall_of(const PyMethodDef *method)
{
    switch (method->ml_flags & CONVENTION) {
    case METH_NOARGS:
        return descr_vectorcall_noargs;
    case METH_O:
        return descr_vectorcall_o;
    default:
        return descr_vectorcall;
    }
}

/* tp_call. */
static PyObject *
cfunction_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    struct cfunction function = {
        .method = FUNCTION(op)->m_ml,
        .self = PyCFunction_GET_SELF(op),
        .callable = op,
    };
    PyCFunction plain = function.method->ml_meth;
    PyObject *result = NULL;

    if (FUNCTION(op)->vectorcall != NULL)
        return PyVectorcall_Call(op, args, kwargs);
    if (Py_EnterRecursiveCall(" while calling a Python object"))
        return NULL;
    if (function.method->ml_flags & METH_KEYWORDS)
        result = ((PyCFunctionWithKeywords)(void (*)(void))plain)(
            function.self, args, kwargs);
    else if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0)
        no_keywords(&function);
    else
        result = plain(function.self, args);
    Py_LeaveRecursiveCall();
    return result;
}

/* ------------------------------------------------------------------ */
/* Making and reading them                                             */

PyObject *
PyCMethod_New(PyMethodDef *ml, PyObject *self, PyObject *module,
              PyTypeObject *cls)
{
    PyCFunctionObject *op;

    if (!pyb_cfunction_flags_ok(ml))
        return NULL;
    if (ml->ml_flags & METH_METHOD) {
        if (cls == NULL)
            return pyb_raise(PyExc_SystemError,
                             "attempting to create PyCMethod with a "
                             "METH_METHOD flag but no class");
        PyCMethodObject *method =
            PyObject_GC_New(PyCMethodObject, &PyCMethod_Type);
        if (method == NULL)
            return NULL;
        method->mm_class = (PyTypeObject *)Py_NewRef(cls);
        op = &method->func;
    } else {
        if (cls != NULL)
            return pyb_raise(PyExc_SystemError,
                             "attempting to create PyCFunction with class but "
                             "no METH_METHOD flag");
        op = PyObject_GC_New(PyCFunctionObject, &PyCFunction_Type);
        if (op == NULL)
            return NULL;
    }
    op->m_ml = ml;
    op->m_self = Py_XNewRef(self);
    op->m_module = Py_XNewRef(module);
    op->m_weakreflist = NULL;
    op->vectorcall = vectorcall_of(ml);
    PyObject_GC_Track((PyObject *)op);
    return (PyObject *)op;
}

PyObject *
PyCFunction_NewEx(PyMethodDef *ml, PyObject *self, PyObject *module)
{
    return PyCMethod_New(ml, self, module, NULL);
}

PyObject *
PyCFunction_New(PyMethodDef *ml, PyObject *self)
{
    return PyCMethod_New(ml, self, NULL, NULL);
}

PyCFunction
PyCFunction_GetFunction(PyObject *op)
{
    if (!PyCFunction_Check(op))
        return PYB_BAD_CALL(NULL);
    return PyCFunction_GET_FUNCTION(op);
}

PyObject *
PyCFunction_GetSelf(PyObject *op)
{
    if (!PyCFunction_Check(op))
        return PYB_BAD_CALL(NULL);
    return PyCFunction_GET_SELF(op);
}

int
PyCFunction_GetFlags(PyObject *op)
{
    if (!PyCFunction_Check(op))
        return PYB_BAD_CALL(-1);
    return PyCFunction_GET_FLAGS(op);
}

/* ------------------------------------------------------------------ */
/* The types                                                           */

static void
cfunction_dealloc(PyObject *op)
{
    PyCFunctionObject *function = FUNCTION(op);

    PyObject_GC_UnTrack(op);
    if (function->m_weakreflist != NULL)
        PyObject_ClearWeakRefs(op);
    Py_XDECREF(PyCFunction_GET_CLASS(op));
    Py_XDECREF(function->m_self);
    Py_XDECREF(function->m_module);
    PyObject_GC_Del(op);
}

static int
cfunction_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyCFunctionObject *function = FUNCTION(op);

    Py_VISIT(PyCFunction_GET_CLASS(op));
    Py_VISIT(function->m_self);
    Py_VISIT(function->m_module);
    return 0;
}

/* Is the function bound to an object, and not just a module's? */
static int
is_method(PyObject *op)
{
    PyObject *self = FUNCTION(op)->m_self;

    return self != NULL && !PyModule_Check(self);
}

static PyObject *
cfunction_repr(PyObject *op)
{
    PyCFunctionObject *function = FUNCTION(op);

    if (!is_method(op))
        return PyUnicode_FromFormat("<built-in function %s>",
                                    function->m_ml->ml_name);
    return PyUnicode_FromFormat(
        "<built-in method %s of %s object at %p>", function->m_ml->ml_name,
        Py_TYPE(function->m_self)->tp_name, function->m_self);
}

static PyObject *
cfunction_richcompare(PyObject *v, PyObject *w, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyCFunction_Check(v) ||
        !PyCFunction_Check(w))
        Py_RETURN_NOTIMPLEMENTED;
    PyCFunctionObject *a = FUNCTION(v);
    PyCFunctionObject *b = FUNCTION(w);
    int equal = a->m_self == b->m_self && a->m_ml->ml_meth == b->m_ml->ml_meth;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t
cfunction_hash(PyObject *op)
{
    PyCFunctionObject *function = FUNCTION(op);
    Py_hash_t hash =
        Py_HashPointer(function->m_self) ^
        Py_HashPointer((void *)(uintptr_t)function->m_ml->ml_meth);

    return hash == -1 ? -2 : hash;
}

static PyObject *
get_name(PyObject *op, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(FUNCTION(op)->m_ml->ml_name);
}

static PyObject *
get_qualname(PyObject *op, void *closure)
{
    PyObject *self = FUNCTION(op)->m_self;

    if (!is_method(op))
        return get_name(op, closure);
    PyTypeObject *type =
        PyType_Check(self) ? (PyTypeObject *)self : Py_TYPE(self);
    PyObject *owner = PyType_GetQualName(type);
    if (owner == NULL)
        return NULL;
    PyObject *qualname =
        PyUnicode_FromFormat("%S.%s", owner, FUNCTION(op)->m_ml->ml_name);
    Py_DECREF(owner);
    return qualname;
}

static PyObject *
get_self(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *self = PyCFunction_GET_SELF(op);

    return Py_NewRef(self != NULL ? self : Py_None);
}

static PyObject *
get_doc(PyObject *op, void *Py_UNUSED(closure))
{
    const PyMethodDef *method = FUNCTION(op)->m_ml;

    return pyb_docstring_text(method->ml_name, method->ml_doc);
}

static PyObject *
get_text_signature(PyObject *op, void *Py_UNUSED(closure))
{
    const PyMethodDef *method = FUNCTION(op)->m_ml;

    return pyb_docstring_signature(method->ml_name, method->ml_doc);
}

/* A function of a module is found by its name. */
static PyObject *
cfunction_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyObject *self = _PyCFunction_OBJECT(op)->m_self, *name, *result;

    name = PyUnicode_FromString(_PyCFunction_OBJECT(op)->m_ml->ml_name);
    if (name == NULL || self == NULL || PyModule_Check(self))
        return name;
    result = pyb_reduce_attribute(self, name);
    Py_DECREF(name);
    return result;
}

static PyMethodDef cfunction_methods[] = {
    {"__reduce__", cfunction_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef cfunction_getset[] = {
    {"__doc__", get_doc, NULL, NULL, NULL},
    {"__name__", get_name, NULL, NULL, NULL},
    {"__qualname__", get_qualname, NULL, NULL, NULL},
    {"__self__", get_self, NULL, NULL, NULL},
    {"__text_signature__", get_text_signature, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef cfunction_members[] = {
    {"__module__", _Py_T_OBJECT, offsetof(PyCFunctionObject, m_module), 0,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PyCFunction_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name =
        "builtin_function_or_method",
    .tp_basicsize = sizeof(PyCFunctionObject),
    .tp_dealloc = cfunction_dealloc,
    .tp_vectorcall_offset = offsetof(PyCFunctionObject, vectorcall),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = cfunction_repr,
    .tp_hash = cfunction_hash,
    .tp_call = cfunction_call,
    .tp_traverse = cfunction_traverse,
    .tp_richcompare = cfunction_richcompare,
    .tp_weaklistoffset = offsetof(PyCFunctionObject, m_weakreflist),
    .tp_methods = cfunction_methods,
    .tp_members = cfunction_members,
    .tp_getset = cfunction_getset,
};

PyTypeObject PyCMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "builtin_method",
    .tp_basicsize = sizeof(PyCMethodObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_base = &PyCFunction_Type,
};
