/* getters.c: operator.itemgetter, attrgetter and methodcaller: callables that
   take something out of their argument.

   Manual: Python's library, "operator". */

#include "Python.h"

#include "library/library.h"
#include "object/error/errors.h"

/* All three: what is wanted, and for methodcaller how; both are owned and
   visited.  There is no tp_clear: nothing of a getter changes once it is made,
   so a cycle through one also contains an object that has a tp_clear. */
struct getter {
    PyObject_HEAD
    Py_ssize_t n;     /* how many are wanted; methodcaller: 1 */
    PyObject *wanted; /* a key, or a tuple of names for each dot; if there are
                         more, a tuple of them; methodcaller: a name */
    PyObject *args;   /* methodcaller: a tuple */
    PyObject *kwds;   /* methodcaller: a dict or NULL */
};

#define GETTER(op) ((struct getter *)(op))

static void
getter_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    PyObject_GC_UnTrack(op);
    Py_XDECREF(GETTER(op)->wanted);
    Py_XDECREF(GETTER(op)->args);
    Py_XDECREF(GETTER(op)->kwds);
    type->tp_free(op);
    Py_DECREF(type);
}

static int
getter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(GETTER(op)->wanted);
    Py_VISIT(GETTER(op)->args);
    Py_VISIT(GETTER(op)->kwds);
    return 0;
}

/* The one argument of a call; NULL with TypeError. */
static PyObject *
only_argument(PyObject *op, PyObject *args, PyObject *kwds)
{
    const char *name = strrchr(Py_TYPE(op)->tp_name, '.') + 1;
    PyObject *of;

    if (kwds != NULL && PyDict_Size(kwds) != 0)
        return PyErr_Format(PyExc_TypeError, "%s() takes no keyword arguments",
                            name);
    return PyArg_UnpackTuple(args, name, 1, 1, &of) ? of : NULL;
}

/* take(of, one) for each that is wanted: the only result, or a tuple of
   them. */
static PyObject *
take_all(PyObject *op, PyObject *of, PyObject *(*take)(PyObject *, PyObject *))
{
    PyObject *wanted = GETTER(op)->wanted;
    Py_ssize_t n = GETTER(op)->n;

    if (n == 1)
        return take(of, wanted);
    PyObject *result = PyTuple_New(n);
    for (Py_ssize_t i = 0; result != NULL && i < n; i++) {
        PyObject *value = take(of, PyTuple_GET_ITEM(wanted, i));
        if (value == NULL)
            Py_CLEAR(result);
        else
            PyTuple_SET_ITEM(result, i, value);
    }
    return result;
}

/* Has tp_new any argument, and no keywords? */
static int
check_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    const char *name = strrchr(type->tp_name, '.') + 1;

    if (kwds != NULL && PyDict_Size(kwds) != 0)
        return pyb_failf(PyExc_TypeError, "%s() takes no keyword arguments",
                         name);
    if (PyTuple_GET_SIZE(args) < 1)
        return pyb_failf(PyExc_TypeError, "%s expected 1 argument, got 0",
                         name);
    return 0;
}

/* An instance that wants what is in a tuple, which is stolen; NULL is passed
   on. */
static PyObject *
new_getter(PyTypeObject *type, PyObject *all)
{
    PyObject *op = all != NULL ? type->tp_alloc(type, 0) : NULL;

    if (op != NULL) {
        GETTER(op)->n = PyTuple_GET_SIZE(all);
        GETTER(op)->wanted =
            Py_NewRef(GETTER(op)->n == 1 ? PyTuple_GET_ITEM(all, 0) : all);
    }
    Py_XDECREF(all);
    return op;
}

/* What is wanted, as a tuple in each case; a new reference. */
static PyObject *
all_wanted(PyObject *op)
{
    PyObject *wanted = GETTER(op)->wanted;

    return GETTER(op)->n == 1 ? PyTuple_Pack(1, wanted) : Py_NewRef(wanted);
}

/* "NAME(a, b)" of a tuple; steals it. */
static PyObject *
repr_with(PyObject *op, PyObject *items)
{
    if (items == NULL)
        return NULL;
    PyObject *result =
        PyTuple_GET_SIZE(items) == 1
            ? PyUnicode_FromFormat("%s(%R)", Py_TYPE(op)->tp_name,
                                   PyTuple_GET_ITEM(items, 0))
            : PyUnicode_FromFormat("%s%R", Py_TYPE(op)->tp_name, items);
    Py_DECREF(items);
    return result;
}

/* (type, items); steals the items. */
static PyObject *
reduce_with(PyObject *op, PyObject *items)
{
    return items != NULL ? Py_BuildValue("(ON)", Py_TYPE(op), items) : NULL;
}

#define REDUCE_TABLE(NAME)                                                    \
    static PyMethodDef NAME##_methods[] = {                                   \
        {"__reduce__", NAME##_reduce, METH_NOARGS, NULL},                     \
        {NULL, NULL, 0, NULL}}

#define GETTER_SLOTS(NAME, DOC)                                               \
    {Py_tp_doc, (void *)PyDoc_STR(DOC)}, {Py_tp_new, (void *)NAME##_new},     \
        {Py_tp_call, (void *)NAME##_call}, {Py_tp_repr, (void *)NAME##_repr}, \
        {Py_tp_dealloc, (void *)getter_dealloc},                              \
        {Py_tp_traverse, (void *)getter_traverse},                            \
        {Py_tp_methods, NAME##_methods},                                      \
    {                                                                         \
        0, NULL                                                               \
    }

#define GETTER_SPEC(NAME)                                                     \
    {                                                                         \
        .name = "operator." #NAME, .basicsize = sizeof(struct getter),        \
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |                    \
                 Py_TPFLAGS_IMMUTABLETYPE,                                    \
        .slots = NAME##_slots,                                                \
    }

/* ------------------------------------------------------------------ */
/* itemgetter                                                          */

static PyObject *
itemgetter_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    return check_new(type, args, kwds) < 0 ? NULL
                                           : new_getter(type, Py_NewRef(args));
}

static PyObject *
itemgetter_call(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *of = only_argument(op, args, kwds);

    return of != NULL ? take_all(op, of, PyObject_GetItem) : NULL;
}

static PyObject *
itemgetter_repr(PyObject *op)
{
    return repr_with(op, all_wanted(op));
}

static PyObject *
itemgetter_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return reduce_with(op, all_wanted(op));
}

REDUCE_TABLE(itemgetter);

static PyType_Slot itemgetter_slots[] = {
    GETTER_SLOTS(itemgetter, "itemgetter(item, /, *items)\n--\n\n"
                             "A callable that returns those items."),
};
static PyType_Spec itemgetter_spec = GETTER_SPEC(itemgetter);

/* ------------------------------------------------------------------ */
/* attrgetter                                                          */

/* "a.b" as a list of names. */
static PyObject *
split_name(PyObject *name)
{
    if (!PyUnicode_Check(name))
        return pyb_raise(PyExc_TypeError, "attribute name must be a string");
    PyObject *dot = PyUnicode_FromString(".");
    PyObject *parts = dot != NULL ? PyUnicode_Split(name, dot, -1) : NULL;
    PyObject *tuple = parts != NULL ? PyList_AsTuple(parts) : NULL;
    Py_XDECREF(dot);
    Py_XDECREF(parts);
    return tuple;
}

static PyObject *
attrgetter_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if (check_new(type, args, kwds) < 0)
        return NULL;
    PyObject *wanted = PyTuple_New(PyTuple_GET_SIZE(args));
    for (Py_ssize_t i = 0; wanted != NULL && i < PyTuple_GET_SIZE(args); i++) {
        PyObject *parts = split_name(PyTuple_GET_ITEM(args, i));
        if (parts == NULL)
            Py_CLEAR(wanted);
        else
            PyTuple_SET_ITEM(wanted, i, parts);
    }
    return new_getter(type, wanted);
}

/* of.a.b for the names a and b. */
static PyObject *
take_attribute(PyObject *of, PyObject *names)
{
    PyObject *value = Py_NewRef(of);

    for (Py_ssize_t i = 0; value != NULL && i < PyTuple_GET_SIZE(names); i++)
        Py_SETREF(value, PyObject_GetAttr(value, PyTuple_GET_ITEM(names, i)));
    return value;
}

static PyObject *
attrgetter_call(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *of = only_argument(op, args, kwds);

    return of != NULL ? take_all(op, of, take_attribute) : NULL;
}

/* The names of the tuples of a tuple, with their dots. */
static PyObject *
join_names(PyObject *wanted)
{
    Py_ssize_t n = PyTuple_GET_SIZE(wanted);
    PyObject *dot = PyUnicode_FromString(".");
    PyObject *names = dot != NULL ? PyTuple_New(n) : NULL;

    for (Py_ssize_t i = 0; names != NULL && i < n; i++) {
        PyObject *name = PyUnicode_Join(dot, PyTuple_GET_ITEM(wanted, i));
        if (name == NULL)
            Py_CLEAR(names);
        else
            PyTuple_SET_ITEM(names, i, name);
    }
    Py_XDECREF(dot);
    return names;
}

/* The arguments that the getter was made with. */
static PyObject *
all_names(PyObject *op)
{
    PyObject *wanted = all_wanted(op);
    PyObject *names = wanted != NULL ? join_names(wanted) : NULL;

    Py_XDECREF(wanted);
    return names;
}

static PyObject *
attrgetter_repr(PyObject *op)
{
    return repr_with(op, all_names(op));
}

static PyObject *
attrgetter_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return reduce_with(op, all_names(op));
}

REDUCE_TABLE(attrgetter);

static PyType_Slot attrgetter_slots[] = {
    GETTER_SLOTS(attrgetter, "attrgetter(attr, /, *attrs)\n--\n\n"
                             "A callable that returns those attributes; the "
                             "names may have dots."),
};
static PyType_Spec attrgetter_spec = GETTER_SPEC(attrgetter);

/* ------------------------------------------------------------------ */
/* methodcaller                                                        */

static PyObject *
methodcaller_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);

    if (n < 1)
        return pyb_raise(PyExc_TypeError, "methodcaller needs at least one "
                                          "argument, the method name");
    if (!PyUnicode_Check(PyTuple_GET_ITEM(args, 0)))
        return pyb_raise(PyExc_TypeError, "method name must be a string");
    PyObject *op = new_getter(type, PyTuple_GetSlice(args, 0, 1));
    if (op == NULL)
        return NULL;
    GETTER(op)->args = PyTuple_GetSlice(args, 1, n);
    if (kwds != NULL)
        GETTER(op)->kwds = PyDict_Copy(kwds);
    if (GETTER(op)->args == NULL || (kwds != NULL && GETTER(op)->kwds == NULL))
        Py_CLEAR(op);
    return op;
}

static PyObject *
methodcaller_call(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyObject *of = only_argument(op, args, kwds);
    PyObject *method =
        of != NULL ? PyObject_GetAttr(of, GETTER(op)->wanted) : NULL;

    if (method == NULL)
        return NULL;
    PyObject *result =
        PyObject_Call(method, GETTER(op)->args, GETTER(op)->kwds);
    Py_DECREF(method);
    return result;
}

static PyObject *
methodcaller_repr(PyObject *op)
{
    PyObject *text = PyUnicode_FromFormat("%s(%R", Py_TYPE(op)->tp_name,
                                          GETTER(op)->wanted);
    PyObject *args = GETTER(op)->args, *key, *value;
    Py_ssize_t pos = 0;

    for (Py_ssize_t i = 0; text != NULL && i < PyTuple_GET_SIZE(args); i++)
        Py_SETREF(text, PyUnicode_FromFormat("%U, %R", text,
                                             PyTuple_GET_ITEM(args, i)));
    while (text != NULL && GETTER(op)->kwds != NULL &&
           PyDict_Next(GETTER(op)->kwds, &pos, &key, &value))
        Py_SETREF(text, PyUnicode_FromFormat("%U, %U=%R", text, key, value));
    if (text != NULL)
        Py_SETREF(text, PyUnicode_FromFormat("%U)", text));
    return text;
}

/* Keywords are given to a partial, for a tuple of arguments has none. */
static PyObject *
reduce_keywords(PyObject *op)
{
    PyObject *partial =
        PyImport_ImportModuleAttrString("functools", "partial");
    PyObject *args = PyTuple_Pack(2, Py_TYPE(op), GETTER(op)->wanted);
    PyObject *maker = NULL;

    if (partial != NULL && args != NULL)
        maker = PyObject_Call(partial, args, GETTER(op)->kwds);
    Py_XDECREF(partial);
    Py_XDECREF(args);
    return maker != NULL ? Py_BuildValue("(NO)", maker, GETTER(op)->args)
                         : NULL;
}

static PyObject *
methodcaller_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    if (GETTER(op)->kwds != NULL && PyDict_Size(GETTER(op)->kwds) > 0)
        return reduce_keywords(op);
    PyObject *first = PyTuple_Pack(1, GETTER(op)->wanted);
    if (first != NULL)
        Py_SETREF(first, PySequence_Concat(first, GETTER(op)->args));
    return reduce_with(op, first);
}

REDUCE_TABLE(methodcaller);

static PyType_Slot methodcaller_slots[] = {
    GETTER_SLOTS(methodcaller, "methodcaller(name, /, *args, **kwargs)\n--\n\n"
                               "A callable that calls that method."),
};
static PyType_Spec methodcaller_spec = GETTER_SPEC(methodcaller);

int
pyb_getters_add(PyObject *module)
{
    return pyb_library_add_type(module, &itemgetter_spec, NULL) < 0 ||
                   pyb_library_add_type(module, &attrgetter_spec, NULL) < 0 ||
                   pyb_library_add_type(module, &methodcaller_spec, NULL) < 0
               ? -1
               : 0;
}
