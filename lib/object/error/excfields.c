/* excfields.c: exception classes with fields or a text of their own, except
   for the errors of the operating system and of codecs. */

#include "Python.h"

#include "object/attr/reduce.h"
#include "object/error/exceptions.h"

#define MEMBER(STRUCTURE, FIELD, DOC)                                         \
    {                                                                         \
#FIELD, _Py_T_OBJECT, offsetof(STRUCTURE, FIELD), 0, PyDoc_STR(DOC)   \
    }
#define MEMBERS_END                                                           \
    {                                                                         \
        NULL, 0, 0, 0, NULL                                                   \
    }

/* The first argument, or None; a new reference. */
static PyObject *
first_or_none(PyObject *args)
{
    PYB_ASSERT_OBJECT(PyTuple_Check(args), args);
    return Py_NewRef(PyTuple_GET_SIZE(args) > 0 ? PyTuple_GET_ITEM(args, 0)
                                                : Py_None);
}

/* ------------------------------------------------------------------ */
/* StopIteration                                                       */

#define STOP_FIELDS(F) F(value)
PYB_EXC_GC(stop, PyStopIterationObject, STOP_FIELDS)

int
pyb_exc_stop_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    if (pyb_exc_base_init(op, args, kwargs) < 0)
        return -1;
    PyStopIterationObject *self = PYB_EXC_CAST(PyStopIterationObject, op);
    Py_XSETREF(self->value, first_or_none(args));
    return 0;
}

static PyMemberDef stop_members[] = {
    MEMBER(PyStopIterationObject, value, "generator return value"),
    MEMBERS_END,
};

PYB_EXC_CLASS(StopIteration, &pyb_exc_Exception, stop, PyStopIterationObject,
              PyDoc_STR("Signal the end from iterator.__next__()."),
              .tp_members = stop_members)

/* ------------------------------------------------------------------ */
/* SystemExit                                                          */

#define EXIT_FIELDS(F) F(code)
PYB_EXC_GC(exit, PySystemExitObject, EXIT_FIELDS)

int
pyb_exc_exit_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    if (pyb_exc_base_init(op, args, kwargs) < 0)
        return -1;
    PySystemExitObject *self = PYB_EXC_CAST(PySystemExitObject, op);
    Py_XSETREF(self->code, PyTuple_GET_SIZE(args) > 1 ? Py_NewRef(args)
                                                      : first_or_none(args));
    return 0;
}

static PyMemberDef exit_members[] = {
    MEMBER(PySystemExitObject, code, "exception code"),
    MEMBERS_END,
};

PYB_EXC_CLASS(SystemExit, &pyb_exc_BaseException, exit, PySystemExitObject,
              PyDoc_STR("Request to exit from the interpreter."),
              .tp_members = exit_members)

/* ------------------------------------------------------------------ */
/* KeyError: a key's repr says more than its str.                       */

PyObject *
pyb_exc_key_str(PyObject *op)
{
    PyObject *args = PYB_EXC_BASE(op)->args;

    if (args != NULL && PyTuple_GET_SIZE(args) == 1)
        return PyObject_Repr(PyTuple_GET_ITEM(args, 0));
    return pyb_exc_base_str(op);
}

PYB_EXC_CLASS(KeyError, &pyb_exc_LookupError, key, PyBaseExceptionObject,
              PyDoc_STR("Mapping key not found."))

/* ------------------------------------------------------------------ */
/* ImportError                                                         */

#define IMPORT_FIELDS(F) F(msg) F(name) F(path) F(name_from)
PYB_EXC_GC(import, PyImportErrorObject, IMPORT_FIELDS)

/* Parses keyword arguments, without positional ones, according to a format and
   names, into borrowed references. */
static int
parse_keywords(PyObject *kwargs, const char *format, char **names, ...)
{
    PyObject *none = PyTuple_New(0);
    if (none == NULL)
        return -1;

    va_list va;
    va_start(va, names);
    int ok = PyArg_VaParseTupleAndKeywords(none, kwargs, format, names, va);
    va_end(va);
    Py_DECREF(none);
    return ok ? 0 : -1;
}

int
pyb_exc_import_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "path", "name_from", NULL};
    PyImportErrorObject *self = PYB_EXC_CAST(PyImportErrorObject, op);
    PyObject *name = NULL, *path = NULL, *name_from = NULL;

    if (pyb_exc_base_init(op, args, NULL) < 0 ||
        parse_keywords(kwargs, "|$OOO:ImportError", names, &name, &path,
                       &name_from) < 0)
        return -1;
    Py_XSETREF(self->name, Py_XNewRef(name));
    Py_XSETREF(self->path, Py_XNewRef(path));
    Py_XSETREF(self->name_from, Py_XNewRef(name_from));
    Py_XSETREF(self->msg,
               PyTuple_GET_SIZE(args) == 1 ? first_or_none(args) : NULL);
    return 0;
}

PyObject *
pyb_exc_import_str(PyObject *op)
{
    PyObject *msg = (PYB_EXC_CAST(PyImportErrorObject, op))->msg;

    if (msg != NULL && PyUnicode_CheckExact(msg))
        return Py_NewRef(msg);
    return pyb_exc_base_str(op);
}

/* Adds an attribute that is set. */
static int
add_field(PyObject *dict, const char *name, PyObject *value)
{
    return value == NULL ? 0 : PyDict_SetItemString(dict, name, value);
}

/* The attributes with those that the dictionary does not have. */
static PyObject *
import_state(PyImportErrorObject *self)
{
    PyObject *dict =
        self->dict != NULL ? PyDict_Copy(self->dict) : PyDict_New();

    if (dict != NULL && (add_field(dict, "name", self->name) < 0 ||
                         add_field(dict, "path", self->path) < 0 ||
                         add_field(dict, "name_from", self->name_from) < 0))
        Py_CLEAR(dict);
    return dict;
}

static PyObject *
import_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    PyImportErrorObject *self = PYB_EXC_CAST(PyImportErrorObject, op);
    PyObject *state = NULL, *args;

    if (self->dict != NULL || self->name != NULL || self->path != NULL ||
        self->name_from != NULL) {
        state = import_state(self);
        if (state == NULL)
            return NULL;
    }
    args = self->args != NULL ? Py_NewRef(self->args) : PyTuple_New(0);
    return pyb_reduce_type(op, args, state);
}

static PyMethodDef import_methods[] = {
    {"__reduce__", import_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef import_members[] = {
    MEMBER(PyImportErrorObject, msg, "exception message"),
    MEMBER(PyImportErrorObject, name, "module name"),
    MEMBER(PyImportErrorObject, path, "module path"),
    MEMBER(PyImportErrorObject, name_from, "name imported from module"),
    MEMBERS_END,
};

PYB_EXC_CLASS(ImportError, &pyb_exc_Exception, import, PyImportErrorObject,
              PyDoc_STR("Import can't find module, or can't find name in "
                        "module."),
              .tp_methods = import_methods, .tp_members = import_members)
PYB_EXC_CLASS(ModuleNotFoundError, &pyb_exc_ImportError, import,
              PyImportErrorObject, PyDoc_STR("Module not found."))

/* ------------------------------------------------------------------ */
/* NameError, AttributeError                                           */

#define NAME_FIELDS(F) F(name)
PYB_EXC_GC(name, PyNameErrorObject, NAME_FIELDS)

int
pyb_exc_name_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", NULL};
    PyObject *name = NULL;

    if (pyb_exc_base_init(op, args, NULL) < 0 ||
        parse_keywords(kwargs, "|$O:NameError", names, &name) < 0)
        return -1;
    PyNameErrorObject *self = PYB_EXC_CAST(PyNameErrorObject, op);
    Py_XSETREF(self->name, Py_XNewRef(name));
    return 0;
}

static PyMemberDef name_members[] = {
    MEMBER(PyNameErrorObject, name, "name"),
    MEMBERS_END,
};

PYB_EXC_CLASS(NameError, &pyb_exc_Exception, name, PyNameErrorObject,
              PyDoc_STR("Name not found globally."),
              .tp_members = name_members)
PYB_EXC_CLASS(UnboundLocalError, &pyb_exc_NameError, name, PyNameErrorObject,
              PyDoc_STR("Local name referenced but not bound to a value."))

#define ATTRIBUTE_FIELDS(F) F(obj) F(name)
PYB_EXC_GC(attribute, PyAttributeErrorObject, ATTRIBUTE_FIELDS)

int
pyb_exc_attribute_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "obj", NULL};
    PyObject *name = NULL, *obj = NULL;

    if (pyb_exc_base_init(op, args, NULL) < 0 ||
        parse_keywords(kwargs, "|$OO:AttributeError", names, &name, &obj) < 0)
        return -1;
    PyAttributeErrorObject *self = PYB_EXC_CAST(PyAttributeErrorObject, op);
    Py_XSETREF(self->name, Py_XNewRef(name));
    Py_XSETREF(self->obj, Py_XNewRef(obj));
    return 0;
}

static PyMemberDef attribute_members[] = {
    MEMBER(PyAttributeErrorObject, name, "attribute name"),
    MEMBER(PyAttributeErrorObject, obj, "object"),
    MEMBERS_END,
};

PYB_EXC_CLASS(AttributeError, &pyb_exc_Exception, attribute,
              PyAttributeErrorObject, PyDoc_STR("Attribute not found."),
              .tp_members = attribute_members)
