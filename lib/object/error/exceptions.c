/* exceptions.c: BaseException: fields and methods of all exceptions. */

#include "Python.h"

#include "object/args/getargs.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "object/error/exceptions.h"
#include "object/type/typenames.h"

/* ------------------------------------------------------------------ */
/* Life                                                                */

/* Stores the arguments here, since a subclass's __init__ may not call
   pyb_exc_base_init. */
PyObject *
pyb_exc_base_new(PyTypeObject *type, PyObject *args,
                 PyObject *Py_UNUSED(kwargs))
{
    PyObject *op = type->tp_alloc(type, 0);
    if (op == NULL)
        return NULL;
    PyObject *kept = args != NULL ? Py_NewRef(args) : PyTuple_New(0);
    if (kept == NULL) {
        Py_DECREF(op);
        return NULL;
    }
    PYB_EXC_BASE(op)->args = kept;
    return op;
}

int
pyb_exc_base_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    if (!pyb_getargs_no_keywords(Py_TYPE(op)->tp_name, kwargs))
        return -1;
    Py_XSETREF(PYB_EXC_BASE(op)->args, Py_NewRef(args));
    return 0;
}

int
pyb_exc_base_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyBaseExceptionObject *self = PYB_EXC_BASE(op);

    Py_VISIT(self->dict);
    Py_VISIT(self->args);
    Py_VISIT(self->notes);
    Py_VISIT(self->traceback);
    Py_VISIT(self->context);
    Py_VISIT(self->cause);
    return 0;
}

int
pyb_exc_base_clear(PyObject *op)
{
    PyBaseExceptionObject *self = PYB_EXC_BASE(op);

    Py_CLEAR(self->dict);
    Py_CLEAR(self->args);
    Py_CLEAR(self->notes);
    Py_CLEAR(self->traceback);
    Py_CLEAR(self->context);
    Py_CLEAR(self->cause);
    return 0;
}

void
pyb_exc_base_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    pyb_exc_base_clear(op);
    Py_TYPE(op)->tp_free(op);
}

/* ------------------------------------------------------------------ */
/* Text.  tp_clear may have taken args away.                            */

PyObject *
pyb_exc_base_str(PyObject *op)
{
    PyObject *args = PYB_EXC_BASE(op)->args;

    if (args == NULL || PyTuple_GET_SIZE(args) == 0)
        return PyUnicode_FromString("");
    if (PyTuple_GET_SIZE(args) == 1)
        return PyObject_Str(PyTuple_GET_ITEM(args, 0));
    return PyObject_Str(args);
}

PyObject *
pyb_exc_base_repr(PyObject *op)
{
    PyObject *args = PYB_EXC_BASE(op)->args;
    const char *name = PyExceptionClass_Name((PyObject *)Py_TYPE(op));

    if (args == NULL)
        return PyUnicode_FromFormat("%s()", name);
    if (PyTuple_GET_SIZE(args) == 1)
        return PyUnicode_FromFormat("%s(%R)", name, PyTuple_GET_ITEM(args, 0));
    return PyUnicode_FromFormat("%s%R", name, args);
}

const char *
PyExceptionClass_Name(PyObject *ob)
{
    return pyb_typenames_last(((PyTypeObject *)ob)->tp_name);
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
with_traceback(PyObject *self, PyObject *tb)
{
    if (PyException_SetTraceback(self, tb) < 0)
        return NULL;
    return Py_NewRef(self);
}

/* __notes__ is an ordinary attribute, made by the first note. */
static PyObject *
add_note(PyObject *self, PyObject *note)
{
    PyObject *notes;

    if (!PyUnicode_Check(note))
        return PyErr_Format(PyExc_TypeError, "note must be a str, not '%s'",
                            Py_TYPE(note)->tp_name);
    if (PyObject_GetOptionalAttrString(self, "__notes__", &notes) < 0)
        return NULL;
    if (notes == NULL) {
        notes = PyList_New(0);
        if (notes == NULL ||
            PyObject_SetAttrString(self, "__notes__", notes) < 0)
            goto error;
    }
    if (!PyList_Check(notes)) {
        PyErr_SetString(PyExc_TypeError, "Cannot add note: __notes__ is not a "
                                         "list");
        goto error;
    }
    if (PyList_Append(notes, note) < 0)
        goto error;
    Py_DECREF(notes);
    Py_RETURN_NONE;

error:
    Py_XDECREF(notes);
    return NULL;
}

/* (type, args), and the attributes if there are some. */
static PyObject *
reduce(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyBaseExceptionObject *exc = PYB_EXC_BASE(self);
    PyObject *args = exc->args != NULL ? Py_NewRef(exc->args) : PyTuple_New(0);
    PyObject *dict = NULL;

    if (args == NULL)
        return NULL;
    if (exc->dict != NULL &&
        (dict = PyObject_GenericGetDict(self, NULL)) == NULL) {
        Py_DECREF(args);
        return NULL;
    }
    return pyb_reduce_type(self, args, dict);
}

/* Sets attributes from a dict, or none. */
static PyObject *
set_state(PyObject *self, PyObject *state)
{
    PyObject *items;
    int result = 0;

    if (state == Py_None)
        Py_RETURN_NONE;
    if (!PyDict_Check(state))
        return pyb_raise(PyExc_TypeError, "state is not a dictionary");
    items = PyDict_Items(state);
    if (items == NULL)
        return NULL;
    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i);
        result = PyObject_SetAttr(self, PyTuple_GET_ITEM(item, 0),
                                  PyTuple_GET_ITEM(item, 1));
    }
    Py_DECREF(items);
    return pyb_result_none(result);
}

PyDoc_STRVAR(with_traceback_doc,
             "with_traceback($self, object, /)\n--\n\n"
             "Set self.__traceback__ to tb and return self.");
PyDoc_STRVAR(add_note_doc, "add_note($self, object, /)\n--\n\n"
                           "Add a note to the exception.");

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {"__setstate__", set_state, METH_O, NULL},
    {"with_traceback", with_traceback, METH_O, with_traceback_doc},
    {"add_note", add_note, METH_O, add_note_doc},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* Attributes                                                          */

/* 0 if the attribute is given a value, -1 with TypeError if it is deleted. */
static int
refuse_deletion(PyObject *value, const char *name)
{
    if (value != NULL)
        return 0;
    return pyb_failf(PyExc_TypeError, "%s may not be deleted", name);
}

/* The object at that offset in an exception, or None. */
static PyObject *
get_field(PyObject *self, void *offset)
{
    PyObject *value = *(PyObject **)((char *)self + (intptr_t)offset);

    return Py_NewRef(value == NULL ? Py_None : value);
}

static int
set_args(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (refuse_deletion(value, "args") < 0)
        return -1;
    PyObject *args = PySequence_Tuple(value);
    if (args == NULL)
        return -1;
    Py_XSETREF(PYB_EXC_BASE(self)->args, args);
    return 0;
}

static int
set_traceback(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (refuse_deletion(value, "__traceback__") < 0)
        return -1;
    return PyException_SetTraceback(self, value);
}

/* *link becomes a new reference to the exception to be linked, or NULL for
   None.  0, or -1 with TypeError. */
static int
check_link(PyObject *value, const char *name, PyObject **link)
{
    *link = NULL;
    if (refuse_deletion(value, name) < 0)
        return -1;
    if (value == Py_None)
        return 0;
    if (!PyExceptionInstance_Check(value))
        return pyb_failf(
            PyExc_TypeError,
            "exception %s must be None or derive from BaseException",
            strcmp(name, "__cause__") == 0 ? "cause" : "context");
    *link = Py_NewRef(value);
    return 0;
}

static int
set_context(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyObject *link;
    if (check_link(value, "__context__", &link) < 0)
        return -1;
    PyException_SetContext(self, link);
    return 0;
}

static int
set_cause(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyObject *link;
    if (check_link(value, "__cause__", &link) < 0)
        return -1;
    PyException_SetCause(self, link);
    return 0;
}

#define FIELD(NAME) (void *)offsetof(PyBaseExceptionObject, NAME)

static PyGetSetDef getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"args", get_field, set_args, NULL, FIELD(args)},
    {"__traceback__", get_field, set_traceback, NULL, FIELD(traceback)},
    {"__context__", get_field, set_context, NULL, FIELD(context)},
    {"__cause__", get_field, set_cause, NULL, FIELD(cause)},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef members[] = {
    {"__suppress_context__", Py_T_BOOL,
     offsetof(PyBaseExceptionObject, suppress_context), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

PYB_EXC_CLASS(BaseException, NULL, base, PyBaseExceptionObject,
              PyDoc_STR("Common base class for all exceptions"),
              .tp_methods = methods, .tp_members = members,
              .tp_getset = getset)

/* ------------------------------------------------------------------ */
/* Attributes from C                                                   */

PyObject *
PyException_GetTraceback(PyObject *ex)
{
    return Py_XNewRef(PYB_EXC_BASE(ex)->traceback);
}

/* There is no type of tracebacks here; programs may bring their own. */
int
PyException_SetTraceback(PyObject *ex, PyObject *tb)
{
    if (tb == NULL ||
        (tb != Py_None && strcmp(Py_TYPE(tb)->tp_name, "traceback") != 0))
        return pyb_fail(PyExc_TypeError,
                        "__traceback__ must be a traceback or None");
    Py_XSETREF(PYB_EXC_BASE(ex)->traceback,
               tb == Py_None ? NULL : Py_NewRef(tb));
    return 0;
}

PyObject *
PyException_GetCause(PyObject *ex)
{
    return Py_XNewRef(PYB_EXC_BASE(ex)->cause);
}

void
PyException_SetCause(PyObject *ex, PyObject *cause)
{
    PYB_EXC_BASE(ex)->suppress_context = 1;
    Py_XSETREF(PYB_EXC_BASE(ex)->cause, cause);
}

PyObject *
PyException_GetContext(PyObject *ex)
{
    return Py_XNewRef(PYB_EXC_BASE(ex)->context);
}

void
PyException_SetContext(PyObject *ex, PyObject *context)
{
    Py_XSETREF(PYB_EXC_BASE(ex)->context, context);
}

PyObject *
PyException_GetArgs(PyObject *ex)
{
    PyObject *args = PYB_EXC_BASE(ex)->args;

    return args != NULL ? Py_NewRef(args) : PyTuple_New(0);
}

void
PyException_SetArgs(PyObject *ex, PyObject *args)
{
    Py_XSETREF(PYB_EXC_BASE(ex)->args, Py_NewRef(args));
}
