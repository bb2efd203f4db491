/* excgroup.c: BaseExceptionGroup and ExceptionGroup: exceptions that hold
   others.

   Manual: Python's library, "Exception groups". */

#include "Python.h"

#include "object/error/errors.h"
#include "object/error/exceptions.h"

#define IS_GROUP(op) PyObject_TypeCheck((op), &pyb_exc_BaseExceptionGroup)
#define GROUP(op) PYB_CAST(PyBaseExceptionGroupObject, IS_GROUP, op)

/* ------------------------------------------------------------------ */
/* Making them                                                         */

/* 1 if all are instances of Exception, 0 if one is of BaseException alone, -1
   with ValueError if one is no exception. */
static int
are_ordinary(PyObject *excs)
{
    int ordinary = 1;

    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(excs); i++) {
        PyObject *exc = PyTuple_GET_ITEM(excs, i);
        if (!PyExceptionInstance_Check(exc))
            return pyb_failf(PyExc_ValueError,
                             "Item %zd of second argument (exceptions) is not "
                             "an exception",
                             i);
        ordinary &= PyObject_TypeCheck(exc, &pyb_exc_Exception);
    }
    return ordinary;
}

/* The class of which an instance is to be made, borrowed: a group of ordinary
   exceptions is itself one, and no other may be. */
static PyTypeObject *
choose_class(PyTypeObject *type, int ordinary)
{
    if (ordinary)
        return type == &pyb_exc_BaseExceptionGroup ? &pyb_exc_ExceptionGroup
                                                   : type;
    if (!PyType_IsSubtype(type, &pyb_exc_Exception))
        return type;
    if (type == &pyb_exc_ExceptionGroup)
        return pyb_raise(PyExc_TypeError,
                         "Cannot nest BaseExceptions in an ExceptionGroup");
    PyErr_Format(PyExc_TypeError, "Cannot nest BaseExceptions in '%.200s'",
                 type->tp_name);
    return NULL;
}

/* The exceptions as a tuple, not empty; a new reference. */
static PyObject *
take_exceptions(PyObject *sequence)
{
    if (!PySequence_Check(sequence))
        return pyb_raise(PyExc_TypeError,
                         "second argument (exceptions) must be a sequence");
    PyObject *excs = PySequence_Tuple(sequence);
    if (excs == NULL || PyTuple_GET_SIZE(excs) > 0)
        return excs;
    Py_DECREF(excs);
    return pyb_raise(PyExc_ValueError, "second argument (exceptions) must be "
                                       "a non-empty sequence");
}

PyObject *
pyb_exc_group_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *message, *sequence, *op = NULL;

    if (!PyArg_ParseTuple(args, "UO:BaseExceptionGroup.__new__", &message,
                          &sequence))
        return NULL;
    PyObject *excs = take_exceptions(sequence);
    if (excs == NULL)
        return NULL;
    int ordinary = are_ordinary(excs);
    if (ordinary >= 0)
        type = choose_class(type, ordinary);
    if (ordinary >= 0 && type != NULL)
        op = pyb_exc_base_new(type, args, kwargs);
    if (op == NULL) {
        Py_DECREF(excs);
        return NULL;
    }
    GROUP(op)->msg = Py_NewRef(message);
    GROUP(op)->excs = excs;
    return op;
}

#define GROUP_FIELDS(F) F(msg) F(excs)
PYB_EXC_FIELDS(group, PyBaseExceptionGroupObject, GROUP_FIELDS)

/* An instance of ExceptionGroup, which has weak references; BaseExceptionGroup
   has none. */
typedef struct {
    PyBaseExceptionGroupObject group;
    PyObject *weaklist;
} ordinary_group;

void
pyb_exc_group_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (Py_TYPE(op)->tp_weaklistoffset > 0)
        PyObject_ClearWeakRefs(op);
    pyb_exc_group_clear(op);
    Py_TYPE(op)->tp_free(op);
}

/* tp_clear may have taken the fields away. */
PyObject *
pyb_exc_group_str(PyObject *op)
{
    PyBaseExceptionGroupObject *self = GROUP(op);

    if (self->msg == NULL || self->excs == NULL)
        return pyb_exc_base_str(op);
    Py_ssize_t n = PyTuple_GET_SIZE(self->excs);
    return PyUnicode_FromFormat("%S (%zd sub-exception%s)", self->msg, n,
                                n == 1 ? "" : "s");
}

/* ------------------------------------------------------------------ */
/* Parts of groups                                                     */

/* What the exceptions of a part are chosen by: an object for
   PyErr_GivenExceptionMatches, or a predicate to be called. */
struct matcher {
    PyObject *op;
    int is_predicate;
};

static int
is_class_or_classes(PyObject *op)
{
    if (!PyTuple_CheckExact(op))
        return PyExceptionClass_Check(op);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(op); i++)
        if (!PyExceptionClass_Check(PyTuple_GET_ITEM(op, i)))
            return 0;
    return 1;
}

static int
make_matcher(PyObject *op, struct matcher *matcher)
{
    matcher->op = op;
    matcher->is_predicate = !PyType_Check(op) && PyCallable_Check(op);
    if (matcher->is_predicate || is_class_or_classes(op))
        return 0;
    return pyb_fail(PyExc_TypeError,
                    "expected an exception type, a tuple of exception types, "
                    "or a callable (other than a class)");
}

/* 1, 0, or -1 with an exception. */
static int
matches(const struct matcher *matcher, PyObject *exc)
{
    if (!matcher->is_predicate)
        return PyErr_GivenExceptionMatches(exc, matcher->op);
    return pyb_truth_stolen(PyObject_CallOneArg(matcher->op, exc));
}

/* Gives part a list of the group's notes, if it has a sequence of them. */
static int
copy_notes(PyObject *group, PyObject *part)
{
    PyObject *notes;

    if (PyObject_GetOptionalAttrString(group, "__notes__", &notes) < 0)
        return -1;
    if (notes == NULL)
        return 0;
    int result = 0;
    if (PySequence_Check(notes)) {
        PyObject *copy = PySequence_List(notes);
        result = copy == NULL
                     ? -1
                     : PyObject_SetAttrString(part, "__notes__", copy);
        Py_XDECREF(copy);
    }
    Py_DECREF(notes);
    return result;
}

/* Gives part what belongs to the group as a whole. */
static int
copy_circumstances(PyObject *group, PyObject *part)
{
    PyObject *traceback = PyException_GetTraceback(group);

    if (traceback != NULL) {
        int result = PyException_SetTraceback(part, traceback);
        Py_DECREF(traceback);
        if (result < 0)
            return -1;
    }
    PyException_SetContext(part, PyException_GetContext(group));
    PyException_SetCause(part, PyException_GetCause(group));
    return copy_notes(group, part);
}

/* A group like this one of the exceptions in a list, made by its method
   derive.  A new reference, NULL without an exception if the list is empty. */
static PyObject *
make_part(PyObject *group, PyObject *list)
{
    PYB_ASSERT_OBJECT(PyList_CheckExact(list), list);
    if (PyList_GET_SIZE(list) == 0)
        return NULL;
    PyObject *part = PyObject_CallMethod(group, "derive", "(O)", list);
    if (part == NULL)
        return NULL;
    if (!IS_GROUP(part))
        PyErr_SetString(PyExc_TypeError, "derive must return an instance of "
                                         "BaseExceptionGroup");
    else if (copy_circumstances(group, part) == 0)
        return part;
    Py_DECREF(part);
    return NULL;
}

/* What became of an exception: the part that matches, and the rest; owned, or
   NULL if it is empty. */
struct split {
    PyObject *match, *rest;
};

static void
split_drop(struct split *split)
{
    Py_CLEAR(split->match);
    Py_CLEAR(split->rest);
}

static int
append(PyObject *list, PyObject *part)
{
    return part == NULL ? 0 : PyList_Append(list, part);
}

static int split_exception(const struct matcher *matcher, PyObject *exc,
                           struct split *split);

/* Splits each of a group's exceptions; lists has the parts. */
static int
split_members(const struct matcher *matcher, PyObject *group,
              const struct split *lists)
{
    PyObject *excs = GROUP(group)->excs;
    int result = 0;

    if (excs == NULL || Py_EnterRecursiveCall(" in splitting an exception "
                                              "group"))
        return excs == NULL ? 0 : -1;
    Py_INCREF(excs); /* a predicate may do anything */
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(excs); i++) {
        struct split split;
        result = split_exception(matcher, PyTuple_GET_ITEM(excs, i), &split);
        if (result == 0 && (append(lists->match, split.match) < 0 ||
                            append(lists->rest, split.rest) < 0))
            result = -1;
        split_drop(&split);
    }
    Py_DECREF(excs);
    Py_LeaveRecursiveCall();
    return result;
}

static int
split_group(const struct matcher *matcher, PyObject *group,
            struct split *split)
{
    struct split lists = {PyList_New(0), PyList_New(0)};

    if (lists.match != NULL && lists.rest != NULL &&
        split_members(matcher, group, &lists) == 0) {
        split->match = make_part(group, lists.match);
        if (!PyErr_Occurred())
            split->rest = make_part(group, lists.rest);
    }
    split_drop(&lists);
    if (!PyErr_Occurred())
        return 0;
    split_drop(split);
    return -1;
}

/* Splits an exception; 0, or -1 with an exception and nothing in split. */
static int
split_exception(const struct matcher *matcher, PyObject *exc,
                struct split *split)
{
    *split = (struct split){NULL, NULL};
    int result = matches(matcher, exc);
    if (result < 0)
        return -1;
    if (result > 0)
        split->match = Py_NewRef(exc);
    else if (!IS_GROUP(exc))
        split->rest = Py_NewRef(exc);
    else
        return split_group(matcher, exc, split);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
derive(PyObject *self, PyObject *excs)
{
    PyObject *message = GROUP(self)->msg;

    return PyObject_CallFunction((PyObject *)&pyb_exc_BaseExceptionGroup, "OO",
                                 message != NULL ? message : Py_None, excs);
}

static PyObject *
or_none(PyObject *op)
{
    return op == NULL ? Py_None : op;
}

static PyObject *
split_method(PyObject *self, PyObject *condition)
{
    struct matcher matcher;
    struct split split;

    if (make_matcher(condition, &matcher) < 0 ||
        split_exception(&matcher, self, &split) < 0)
        return NULL;
    PyObject *pair =
        PyTuple_Pack(2, or_none(split.match), or_none(split.rest));
    split_drop(&split);
    return pair;
}

static PyObject *
subgroup(PyObject *self, PyObject *condition)
{
    PyObject *pair = split_method(self, condition);
    PyObject *part =
        pair != NULL ? Py_NewRef(PyTuple_GET_ITEM(pair, 0)) : NULL;

    Py_XDECREF(pair);
    return part;
}

static PyMethodDef methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     PyDoc_STR("A generic alias of the class.")},
    {"derive", derive, METH_O,
     PyDoc_STR("A group with the same message and other exceptions.")},
    {"split", split_method, METH_O,
     PyDoc_STR("The parts of the group that match and do not, each or None.")},
    {"subgroup", subgroup, METH_O,
     PyDoc_STR("The part of the group that matches, or None.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"message", _Py_T_OBJECT, offsetof(PyBaseExceptionGroupObject, msg),
     Py_READONLY, PyDoc_STR("exception message")},
    {"exceptions", _Py_T_OBJECT, offsetof(PyBaseExceptionGroupObject, excs),
     Py_READONLY, PyDoc_STR("nested exceptions")},
    {NULL, 0, 0, 0, NULL},
};

PYB_EXC_CLASS(BaseExceptionGroup, &pyb_exc_BaseException, group,
              PyBaseExceptionGroupObject,
              PyDoc_STR("A combination of multiple unrelated exceptions."),
              .tp_methods = methods, .tp_members = members)
PYB_EXC_CLASS(ExceptionGroup, &pyb_exc_BaseExceptionGroup, group,
              ordinary_group, PyDoc_STR("A group of instances of Exception."),
              .tp_weaklistoffset = offsetof(ordinary_group, weaklist))

/* The class with two bases gets them before it is readied. */
int
pyb_excgroup_init(void)
{
    PyTypeObject *type = &pyb_exc_ExceptionGroup;

    if (type->tp_bases == NULL)
        type->tp_bases =
            PyTuple_Pack(2, PyExc_BaseExceptionGroup, PyExc_Exception);
    return type->tp_bases == NULL ? -1 : 0;
}
