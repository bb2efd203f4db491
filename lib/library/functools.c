/* functools.c: the module functools: partial, reduce, update_wrapper and
   wraps; cmp_to_key is in cmptokey.c.

   Manual: Python's library, "functools". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"

/* ------------------------------------------------------------------ */
/* partial                                                             */

/* All but the list of weak references are owned and visited.  The first three
   are never NULL: a tp_dealloc or a walk over all objects may call what has
   been cleared. */
struct partial {
    PyObject_HEAD
    PyObject *function;
    PyObject *args; /* a tuple */
    PyObject *kwds; /* a dict */
    PyObject *dict; /* NULL until an attribute is set */
    PyObject *weaklist;
};

#define PARTIAL(op) ((struct partial *)(op))

static void
partial_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    if (PARTIAL(op)->weaklist != NULL)
        PyObject_ClearWeakRefs(op);
    Py_XDECREF(PARTIAL(op)->function);
    Py_XDECREF(PARTIAL(op)->args);
    Py_XDECREF(PARTIAL(op)->kwds);
    Py_XDECREF(PARTIAL(op)->dict);
    type->tp_free(op);
    Py_DECREF(type);
}

static int
partial_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(PARTIAL(op)->function);
    Py_VISIT(PARTIAL(op)->args);
    Py_VISIT(PARTIAL(op)->kwds);
    Py_VISIT(PARTIAL(op)->dict);
    return 0;
}

/* kwds has a tp_clear of its own. */
static int
partial_clear(PyObject *op)
{
    PyObject *none = PyTuple_New(0);

    Py_XSETREF(PARTIAL(op)->function, Py_NewRef(Py_None));
    if (none != NULL)
        Py_XSETREF(PARTIAL(op)->args, none);
    Py_CLEAR(PARTIAL(op)->dict);
    return 0;
}

/* A new dict of kept, which may be NULL, and over it kwds, which may, too;
   NULL with an exception. */
static PyObject *
join_keywords(PyObject *kept, PyObject *kwds)
{
    PyObject *all = kept != NULL ? PyDict_Copy(kept) : PyDict_New();

    if (all != NULL && kwds != NULL && PyDict_Update(all, kwds) < 0)
        Py_CLEAR(all);
    return all;
}

/* Steals the parts; NULL for the last one is passed on. */
static PyObject *
new_partial(PyTypeObject *type, PyObject *function, PyObject *args,
            PyObject *kwds)
{
    PyObject *op = kwds != NULL ? type->tp_alloc(type, 0) : NULL;

    if (op == NULL) {
        Py_DECREF(function);
        Py_DECREF(args);
        Py_XDECREF(kwds);
        return NULL;
    }
    PARTIAL(op)->function = function;
    PARTIAL(op)->args = args;
    PARTIAL(op)->kwds = kwds;
    return op;
}

/* A partial of one that has nothing else is one of that one's function, with
   args and kwds added. */
static PyObject *
partial_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);

    if (n < 1)
        return pyb_raise(PyExc_TypeError,
                         "type 'partial' takes at least one argument");
    PyObject *function = PyTuple_GET_ITEM(args, 0), *kept = NULL;
    if (!PyCallable_Check(function))
        return pyb_raise(PyExc_TypeError,
                         "the first argument must be callable");
    PyObject *rest = PyTuple_GetSlice(args, 1, n);
    if (rest != NULL && Py_IS_TYPE(function, type) &&
        PARTIAL(function)->dict == NULL) {
        Py_SETREF(rest, PySequence_Concat(PARTIAL(function)->args, rest));
        kept = PARTIAL(function)->kwds;
        function = PARTIAL(function)->function;
    }
    if (rest == NULL)
        return NULL;
    Py_INCREF(function);
    return new_partial(type, function, rest, join_keywords(kept, kwds));
}

/* The function may do away with the partial. */
static PyObject *
partial_call(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *function = Py_NewRef(PARTIAL(op)->function);
    PyObject *all = PySequence_Concat(PARTIAL(op)->args, args);
    PyObject *keywords =
        all != NULL ? join_keywords(PARTIAL(op)->kwds, kwds) : NULL;
    PyObject *result = NULL;

    if (keywords != NULL)
        result = PyObject_Call(function, all, keywords);
    Py_XDECREF(keywords);
    Py_XDECREF(all);
    Py_DECREF(function);
    return result;
}

/* "name(f, 1, k=2)".  The parts are held: a repr may give the partial others,
   or take a keyword away. */
static PyObject *
write_parts(struct partial *self)
{
    PyObject *function = Py_NewRef(self->function);
    PyObject *args = Py_NewRef(self->args), *key, *value;
    PyObject *kwds = PyDict_Copy(self->kwds), *text = NULL;
    Py_ssize_t pos = 0;

    if (kwds != NULL)
        text = PyUnicode_FromFormat("%s(%R", Py_TYPE(self)->tp_name, function);
    for (Py_ssize_t i = 0; text != NULL && i < PyTuple_GET_SIZE(args); i++)
        Py_SETREF(text, PyUnicode_FromFormat("%U, %R", text,
                                             PyTuple_GET_ITEM(args, i)));
    while (text != NULL && PyDict_Next(kwds, &pos, &key, &value))
        Py_SETREF(text, PyUnicode_FromFormat("%U, %S=%R", text, key, value));
    if (text != NULL)
        Py_SETREF(text, PyUnicode_FromFormat("%U)", text));
    Py_DECREF(function);
    Py_DECREF(args);
    Py_XDECREF(kwds);
    return text;
}

static PyObject *
partial_repr(PyObject *op)
{
    int entered = Py_ReprEnter(op);

    if (entered != 0)
        return entered > 0 ? PyUnicode_FromString("...") : NULL;
    PyObject *text = write_parts(PARTIAL(op));
    Py_ReprLeave(op);
    return text;
}

/* ------------------------------------------------------------------ */
/* Taken apart, and put together                                       */

/* (type, (function,), (function, args, keywords, attributes or None)) */
static PyObject *
partial_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct partial *self = PARTIAL(op);
    PyObject *dict = self->dict != NULL ? PyObject_GenericGetDict(op, NULL)
                                        : Py_NewRef(Py_None);

    if (dict == NULL)
        return NULL;
    return Py_BuildValue("O(O)(OOON)", Py_TYPE(op), self->function,
                         self->function, self->args, self->kwds, dict);
}

/* A dict of kwds, which may be None or a subclass's. */
static PyObject *
own_keywords(PyObject *kwds)
{
    if (kwds == Py_None)
        return PyDict_New();
    return PyDict_CheckExact(kwds) ? Py_NewRef(kwds) : PyDict_Copy(kwds);
}

static PyObject *
partial_setstate(PyObject *op, PyObject *state)
{
    struct partial *self = PARTIAL(op);
    PyObject *function, *args, *kwds, *dict;

    if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != 4)
        return pyb_raise(PyExc_TypeError, "invalid partial state");
    function = PyTuple_GET_ITEM(state, 0);
    args = PyTuple_GET_ITEM(state, 1);
    kwds = PyTuple_GET_ITEM(state, 2);
    dict = PyTuple_GET_ITEM(state, 3);
    if (!PyCallable_Check(function) || !PyTuple_Check(args) ||
        (kwds != Py_None && !PyDict_Check(kwds)) ||
        (dict != Py_None && !PyDict_Check(dict)))
        return pyb_raise(PyExc_TypeError, "invalid partial state");
    args = PySequence_Tuple(args);
    kwds = args != NULL ? own_keywords(kwds) : NULL;
    if (kwds == NULL) {
        Py_XDECREF(args);
        return NULL;
    }
    Py_XSETREF(self->function, Py_NewRef(function));
    Py_XSETREF(self->args, args);
    Py_XSETREF(self->kwds, kwds);
    Py_XSETREF(self->dict, dict != Py_None ? Py_NewRef(dict) : NULL);
    Py_RETURN_NONE;
}

static PyMethodDef partial_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL},
    {"__reduce__", partial_reduce, METH_NOARGS, NULL},
    {"__setstate__", partial_setstate, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef partial_members[] = {
    {"func", _Py_T_OBJECT, offsetof(struct partial, function), Py_READONLY,
     PyDoc_STR("function object to use in future partial calls")},
    {"args", _Py_T_OBJECT, offsetof(struct partial, args), Py_READONLY,
     PyDoc_STR("tuple of arguments to future partial calls")},
    {"keywords", _Py_T_OBJECT, offsetof(struct partial, kwds), Py_READONLY,
     PyDoc_STR("dictionary of keyword arguments to future partial calls")},
    {"__weaklistoffset__", Py_T_PYSSIZET, offsetof(struct partial, weaklist),
     Py_READONLY, NULL},
    {"__dictoffset__", Py_T_PYSSIZET, offsetof(struct partial, dict),
     Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef partial_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot partial_slots[] = {
    {Py_tp_doc,
     (void *)PyDoc_STR("partial(func, *args, **keywords) - new function with "
                       "some of the\n    arguments given already.\n")},
    {Py_tp_new, (void *)partial_new},
    {Py_tp_call, (void *)partial_call},
    {Py_tp_repr, (void *)partial_repr},
    {Py_tp_dealloc, (void *)partial_dealloc},
    {Py_tp_traverse, (void *)partial_traverse},
    {Py_tp_clear, (void *)partial_clear},
    {Py_tp_methods, partial_methods},
    {Py_tp_members, partial_members},
    {Py_tp_getset, partial_getset},
    {0, NULL},
};

static PyType_Spec partial_spec = {
    .name = "functools.partial",
    .basicsize = sizeof(struct partial),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC |
             Py_TPFLAGS_IMMUTABLETYPE,
    .slots = partial_slots,
};

/* ------------------------------------------------------------------ */
/* reduce                                                              */

static PyObject *
reduce(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *function, *iterable, *total = NULL, *item;

    if (!PyArg_UnpackTuple(args, "reduce", 2, 3, &function, &iterable, &total))
        return NULL;
    PyObject *it = PyObject_GetIter(iterable);
    if (it == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_SetString(PyExc_TypeError,
                            "reduce() arg 2 must support iteration");
        return NULL;
    }
    total = total != NULL ? Py_NewRef(total) : PyIter_Next(it);
    if (total == NULL && PyErr_Occurred() == NULL)
        PyErr_SetString(PyExc_TypeError,
                        "reduce() of empty iterable with no initial value");
    while (total != NULL && (item = PyIter_Next(it)) != NULL) {
        Py_SETREF(total,
                  PyObject_CallFunctionObjArgs(function, total, item, NULL));
        Py_DECREF(item);
    }
    Py_DECREF(it);
    if (PyErr_Occurred() != NULL)
        Py_CLEAR(total);
    return total;
}

/* ------------------------------------------------------------------ */
/* update_wrapper                                                      */

/* Of update_wrapper and wraps. */
struct wrapping {
    PyObject *wrapped;
    PyObject *assigned; /* names of attributes that are copied */
    PyObject *updated;  /* names of those that are dictionaries, and joined */
};

/* wrapper.name = wrapped.name, if there is such an attribute. */
static int
assign(PyObject *wrapper, PyObject *wrapped, PyObject *name)
{
    PyObject *value;
    int found = PyObject_GetOptionalAttr(wrapped, name, &value);

    if (found > 0)
        found = PyObject_SetAttr(wrapper, name, value);
    Py_XDECREF(value);
    return found;
}

/* wrapper.name.update(wrapped.name) */
static int
join(PyObject *wrapper, PyObject *wrapped, PyObject *name)
{
    PyObject *dict = PyObject_GetAttr(wrapper, name), *more, *done = NULL;
    int found =
        dict != NULL ? PyObject_GetOptionalAttr(wrapped, name, &more) : -1;

    if (found > 0) {
        done = PyObject_CallMethod(dict, "update", "(O)", more);
        found = done != NULL ? 0 : -1;
        Py_XDECREF(done);
        Py_DECREF(more);
    }
    Py_XDECREF(dict);
    return found;
}

/* do_one for each name of an iterable. */
static int
for_each(PyObject *names, PyObject *wrapper, PyObject *wrapped,
         int (*do_one)(PyObject *, PyObject *, PyObject *))
{
    PyObject *list = PySequence_Tuple(names);
    int result = list != NULL ? 0 : -1;

    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(list); i++)
        result = do_one(wrapper, wrapped, PyTuple_GET_ITEM(list, i));
    Py_XDECREF(list);
    return result;
}

static PyObject *
assignments(void)
{
    return Py_BuildValue("(sssss)", "__module__", "__name__", "__qualname__",
                         "__doc__", "__annotations__");
}

static PyObject *
updates(void)
{
    return Py_BuildValue("(s)", "__dict__");
}

/* self with the usual names where none are given, as new references.  0, or -1
   with an exception; drop_wrapping is called in any case. */
static int
fill_wrapping(struct wrapping *self)
{
    Py_INCREF(self->wrapped);
    self->assigned =
        self->assigned != NULL ? Py_NewRef(self->assigned) : assignments();
    self->updated =
        self->updated != NULL ? Py_NewRef(self->updated) : updates();
    return self->assigned != NULL && self->updated != NULL ? 0 : -1;
}

static void
drop_wrapping(struct wrapping *self)
{
    Py_DECREF(self->wrapped);
    Py_XDECREF(self->assigned);
    Py_XDECREF(self->updated);
}

static PyObject *
update_wrapper(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"wrapper", "wrapped", "assigned", "updated", NULL};
    struct wrapping self = {NULL, NULL, NULL};
    PyObject *wrapper, *result = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO|OO:update_wrapper", names,
                                     &wrapper, &self.wrapped, &self.assigned,
                                     &self.updated))
        return NULL;
    if (fill_wrapping(&self) == 0 &&
        for_each(self.assigned, wrapper, self.wrapped, assign) == 0 &&
        for_each(self.updated, wrapper, self.wrapped, join) == 0 &&
        PyObject_SetAttrString(wrapper, "__wrapped__", self.wrapped) == 0)
        result = Py_NewRef(wrapper);
    drop_wrapping(&self);
    return result;
}

/* partial(update_wrapper, wrapped=..., assigned=..., updated=...) */
static PyObject *
make_decorator(PyObject *module, const struct wrapping *self)
{
    PyObject *type = PyObject_GetAttrString(module, "partial");
    PyObject *function = PyObject_GetAttrString(module, "update_wrapper");
    PyObject *args = NULL, *kwds, *result = NULL;

    if (type != NULL && function != NULL)
        args = PyTuple_Pack(1, function);
    kwds = Py_BuildValue("{sOsOsO}", "wrapped", self->wrapped, "assigned",
                         self->assigned, "updated", self->updated);
    if (args != NULL && kwds != NULL)
        result = PyObject_Call(type, args, kwds);
    Py_XDECREF(type);
    Py_XDECREF(function);
    Py_XDECREF(args);
    Py_XDECREF(kwds);
    return result;
}

static PyObject *
wraps(PyObject *module, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"wrapped", "assigned", "updated", NULL};
    struct wrapping self = {NULL, NULL, NULL};
    PyObject *result = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|OO:wraps", names,
                                     &self.wrapped, &self.assigned,
                                     &self.updated))
        return NULL;
    if (fill_wrapping(&self) == 0)
        result = make_decorator(module, &self);
    drop_wrapping(&self);
    return result;
}

/* ------------------------------------------------------------------ */
/* The module                                                          */

PyMethodDef pyb_functools_methods[] = {
    {"cmp_to_key", _PyCFunction_CAST(pyb_cmptokey),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("cmp_to_key($module, /, mycmp)\n--\n\n"
               "A key function of a function that compares.")},
    {"reduce", reduce, METH_VARARGS,
     PyDoc_STR("reduce(function, iterable[, initial]) -> value\n\n"
               "function(function(a, b), c) ... of the items.")},
    {"update_wrapper", _PyCFunction_CAST(update_wrapper),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("update_wrapper($module, /, wrapper, wrapped, assigned=..., "
               "updated=...)\n--\n\n"
               "Make a wrapper look like the wrapped function.")},
    {"wraps", _PyCFunction_CAST(wraps), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("wraps($module, /, wrapped, assigned=..., updated=...)\n--\n\n"
               "A decorator that is update_wrapper with these arguments.")},
    {NULL, NULL, 0, NULL},
};

int
pyb_functools_exec(PyObject *module)
{
    if (PyModule_Add(module, "WRAPPER_ASSIGNMENTS", assignments()) < 0 ||
        PyModule_Add(module, "WRAPPER_UPDATES", updates()) < 0 ||
        pyb_cmptokey_add(module) < 0)
        return -1;
    return pyb_library_add_type(module, &partial_spec, NULL);
}
