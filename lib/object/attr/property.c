/* property.c: property, classmethod and staticmethod. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"

/* Is a function, or NULL, one that subclasses have to define (see abc)?  1, 0,
   or -1 with an exception. */
static int
is_abstract(PyObject *function)
{
    PyObject *mark;

    if (function == NULL)
        return 0;
    int found = PyObject_GetOptionalAttrString(function,
                                               "__isabstractmethod__", &mark);
    return found > 0 ? pyb_truth_stolen(mark) : found;
}

/* ------------------------------------------------------------------ */
/* property                                                            */

/* Each member is owned, and NULL where there is none. */
typedef struct {
    PyObject_HEAD
    PyObject *get;
    PyObject *set;
    PyObject *del;
    PyObject *doc;
    PyObject *name; /* from __set_name__ */
} property;

#define IS_PROPERTY(op) PyObject_TypeCheck(op, &PyProperty_Type)
#define PROPERTY(op) PYB_CAST(property, IS_PROPERTY, op)

static int
property_clear(PyObject *op)
{
    property *prop = PROPERTY(op);

    Py_CLEAR(prop->get);
    Py_CLEAR(prop->set);
    Py_CLEAR(prop->del);
    Py_CLEAR(prop->doc);
    Py_CLEAR(prop->name);
    return 0;
}

static void
property_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    property_clear(op);
    Py_TYPE(op)->tp_free(op);
}

static int
property_traverse(PyObject *op, visitproc visit, void *arg)
{
    property *prop = PROPERTY(op);

    Py_VISIT(prop->get);
    Py_VISIT(prop->set);
    Py_VISIT(prop->del);
    Py_VISIT(prop->doc);
    Py_VISIT(prop->name);
    return 0;
}

/* Replaces the member by value, with None for NULL. */
static void
replace(PyObject **member, PyObject *value)
{
    if (value == Py_None)
        value = NULL;
    PYB_ASSERT(value == NULL || Py_REFCNT(value) > 0);
    Py_XSETREF(*member, Py_XNewRef(value));
}

static int
property_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"fget", "fset", "fdel", "doc", NULL};
    property *prop = PROPERTY(op);
    PyObject *get = NULL, *set = NULL, *del = NULL, *doc = NULL;
    PyObject *get_doc = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOOO:property", keywords,
                                     &get, &set, &del, &doc))
        return -1;
    if ((doc == NULL || doc == Py_None) && get != NULL && get != Py_None) {
        if (PyObject_GetOptionalAttrString(get, "__doc__", &get_doc) < 0)
            return -1;
        doc = get_doc;
    }
    replace(&prop->get, get);
    replace(&prop->set, set);
    replace(&prop->del, del);
    replace(&prop->doc, doc);
    Py_CLEAR(prop->name);
    Py_XDECREF(get_doc);
    return 0;
}

/* The property's name: the one from __set_name__, else the getter's.  1 and a
   new reference, 0 and NULL if there is none, -1 with an exception. */
static int
find_name(property *prop, PyObject **name)
{
    *name = Py_XNewRef(prop->name);
    if (*name != NULL)
        return 1;
    if (prop->get == NULL)
        return 0;
    return PyObject_GetOptionalAttrString(prop->get, "__name__", name);
}

/* Raises AttributeError: the property of obj has no WHAT. */
static void
lacks(property *prop, PyObject *obj, const char *what)
{
    PyObject *name;
    PyObject *owner = PyType_GetQualName(Py_TYPE(obj));

    if (owner == NULL)
        return;
    if (find_name(prop, &name) >= 0) {
        if (name != NULL)
            PyErr_Format(PyExc_AttributeError,
                         "property %R of %R object has no %s", name, owner,
                         what);
        else
            PyErr_Format(PyExc_AttributeError,
                         "property of %R object has no %s", owner, what);
        Py_XDECREF(name);
    }
    Py_DECREF(owner);
}

static PyObject *
property_descr_get(PyObject *op, PyObject *obj, PyObject *Py_UNUSED(type))
{
    property *prop = PROPERTY(op);

    if (obj == NULL || obj == Py_None)
        return Py_NewRef(op);
    if (prop->get != NULL)
        return PyObject_CallOneArg(prop->get, obj);
    lacks(prop, obj, "getter");
    return NULL;
}

static int
property_descr_set(PyObject *op, PyObject *obj, PyObject *value)
{
    property *prop = PROPERTY(op);
    PyObject *func = value != NULL ? prop->set : prop->del;

    if (func == NULL) {
        lacks(prop, obj, value != NULL ? "setter" : "deleter");
        return -1;
    }
    PyObject *args[3] = {NULL, obj, value};
    PyObject *result = PyObject_Vectorcall(func, args + 1,
                                           (size_t)(value != NULL ? 2 : 1) |
                                               PY_VECTORCALL_ARGUMENTS_OFFSET,
                                           NULL);
    if (result == NULL)
        return -1;
    Py_DECREF(result);
    return 0;
}

static PyObject *
or_none(PyObject *op)
{
    return op != NULL ? op : Py_None;
}

/* A copy of the property with the given functions; NULL stands for its own. */
static PyObject *
copy(PyObject *op, PyObject *get, PyObject *set, PyObject *del)
{
    property *prop = PROPERTY(op);

    PyObject *fresh = PyObject_CallFunctionObjArgs(
        (PyObject *)Py_TYPE(op), get != NULL ? get : or_none(prop->get),
        set != NULL ? set : or_none(prop->set),
        del != NULL ? del : or_none(prop->del), or_none(prop->doc), NULL);
    if (fresh != NULL && PyObject_TypeCheck(fresh, &PyProperty_Type))
        replace(&PROPERTY(fresh)->name, prop->name);
    return fresh;
}

static PyObject *
property_getter(PyObject *op, PyObject *func)
{
    return copy(op, func, NULL, NULL);
}

static PyObject *
property_setter(PyObject *op, PyObject *func)
{
    return copy(op, NULL, func, NULL);
}

static PyObject *
property_deleter(PyObject *op, PyObject *func)
{
    return copy(op, NULL, NULL, func);
}

static PyObject *
property_set_name(PyObject *op, PyObject *args)
{
    PyObject *owner, *name;

    if (!PyArg_UnpackTuple(args, "__set_name__", 2, 2, &owner, &name))
        return NULL;
    replace(&PROPERTY(op)->name, name);
    Py_RETURN_NONE;
}

static PyObject *
property_get_name(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *name;

    if (find_name(PROPERTY(op), &name) == 0)
        PyErr_SetString(PyExc_AttributeError,
                        "'property' object has no attribute '__name__'");
    return name;
}

static int
property_set_name_attr(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    Py_XSETREF(PROPERTY(op)->name, Py_XNewRef(value));
    return 0;
}

static PyObject *
property_is_abstract(PyObject *op, void *Py_UNUSED(closure))
{
    int result = is_abstract(PROPERTY(op)->get);

    if (result == 0)
        result = is_abstract(PROPERTY(op)->set);
    if (result == 0)
        result = is_abstract(PROPERTY(op)->del);
    return pyb_result_bool(result);
}

PyDoc_STRVAR(getter_doc, "Descriptor to obtain a copy of the property with a "
                         "different getter.");
PyDoc_STRVAR(setter_doc, "Descriptor to obtain a copy of the property with a "
                         "different setter.");
PyDoc_STRVAR(deleter_doc, "Descriptor to obtain a copy of the property with "
                          "a different deleter.");

static PyMethodDef property_methods[] = {
    {"getter", property_getter, METH_O, getter_doc},
    {"setter", property_setter, METH_O, setter_doc},
    {"deleter", property_deleter, METH_O, deleter_doc},
    {"__set_name__", property_set_name, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef property_members[] = {
    {"fget", _Py_T_OBJECT, offsetof(property, get), Py_READONLY, NULL},
    {"fset", _Py_T_OBJECT, offsetof(property, set), Py_READONLY, NULL},
    {"fdel", _Py_T_OBJECT, offsetof(property, del), Py_READONLY, NULL},
    {"__doc__", _Py_T_OBJECT, offsetof(property, doc), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef property_getset[] = {
    {"__isabstractmethod__", property_is_abstract, NULL, NULL, NULL},
    {"__name__", property_get_name, property_set_name_attr, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject PyProperty_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "property",
    .tp_basicsize = sizeof(property),
    .tp_dealloc = property_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_traverse = property_traverse,
    .tp_clear = property_clear,
    .tp_methods = property_methods,
    .tp_members = property_members,
    .tp_getset = property_getset,
    .tp_descr_get = property_descr_get,
    .tp_descr_set = property_descr_set,
    .tp_init = property_init,
    .tp_new = PyType_GenericNew,
};

/* ------------------------------------------------------------------ */
/* Shared by classmethod and staticmethod                              */

typedef struct {
    PyObject_HEAD
    PyObject *callable; /* NULL before tp_init and after tp_clear */
    PyObject *dict;
} wrapper;

#define IS_WRAPPER(op)                                                        \
    (PyObject_TypeCheck(op, &PyClassMethod_Type) ||                           \
     PyObject_TypeCheck(op, &PyStaticMethod_Type))
#define WRAPPER(op) PYB_CAST(wrapper, IS_WRAPPER, op)

static int
wrapper_clear(PyObject *op)
{
    Py_CLEAR(WRAPPER(op)->callable);
    Py_CLEAR(WRAPPER(op)->dict);
    return 0;
}

static void
wrapper_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    wrapper_clear(op);
    Py_TYPE(op)->tp_free(op);
}

static int
wrapper_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(WRAPPER(op)->callable);
    Py_VISIT(WRAPPER(op)->dict);
    return 0;
}

static PyObject *
wrapper_new(PyTypeObject *type, PyObject *callable)
{
    PyObject *op = PyType_GenericAlloc(type, 0);

    PYB_ASSERT(type->tp_basicsize >= (Py_ssize_t)sizeof(wrapper));
    if (op != NULL)
        WRAPPER(op)->callable = Py_NewRef(callable);
    return op;
}

static const char *
wrapper_name(PyObject *op)
{
    return PyObject_TypeCheck(op, &PyClassMethod_Type) ? "classmethod"
                                                       : "staticmethod";
}

static PyObject *
wrapper_repr(PyObject *op)
{
    return PyUnicode_FromFormat("<%s(%R)>", wrapper_name(op),
                                or_none(WRAPPER(op)->callable));
}

/* The callable, borrowed; NULL with RuntimeError if there is none. */
static PyObject *
wrapper_callable(PyObject *op)
{
    PyObject *callable = WRAPPER(op)->callable;

    if (callable == NULL)
        PyErr_Format(PyExc_RuntimeError, "uninitialized %s object",
                     Py_TYPE(op)->tp_name);
    return callable;
}

/* Gives op the attribute of that name that callable has, if any. */
static int
take_attribute(PyObject *op, PyObject *callable, const char *name)
{
    PyObject *value;
    int found = PyObject_GetOptionalAttrString(callable, name, &value);

    if (found > 0) {
        found = PyObject_SetAttrString(op, name, value);
        Py_DECREF(value);
    }
    return found;
}

/* tp_init: takes one callable, and copies its names and doc string. */
static int
wrapper_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    const char *name = wrapper_name(op);
    static const char *const taken[] = {"__module__", "__name__",
                                        "__qualname__", "__doc__"};
    PyObject *callable;

    if (!pyb_getargs_no_keywords(name, kwargs) ||
        !PyArg_UnpackTuple(args, name, 1, 1, &callable))
        return -1;
    Py_XSETREF(WRAPPER(op)->callable, Py_NewRef(callable));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(taken); i++)
        if (take_attribute(op, callable, taken[i]) < 0)
            return -1;
    return 0;
}

static PyObject *
wrapper_is_abstract(PyObject *op, void *Py_UNUSED(closure))
{
    return pyb_result_bool(is_abstract(WRAPPER(op)->callable));
}

static PyMemberDef wrapper_members[] = {
    {"__func__", _Py_T_OBJECT, offsetof(wrapper, callable), Py_READONLY, NULL},
    {"__wrapped__", _Py_T_OBJECT, offsetof(wrapper, callable), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef wrapper_getset[] = {
    {"__isabstractmethod__", wrapper_is_abstract, NULL, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ------------------------------------------------------------------ */
/* classmethod                                                         */

static PyObject *
classmethod_descr_get(PyObject *op, PyObject *obj, PyObject *type)
{
    PyObject *callable = wrapper_callable(op);

    if (callable == NULL)
        return NULL;
    return PyMethod_New(callable,
                        type != NULL ? type : (PyObject *)Py_TYPE(obj));
}

PyTypeObject PyClassMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "classmethod",
    .tp_basicsize = sizeof(wrapper),
    .tp_dealloc = wrapper_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_repr = wrapper_repr,
    .tp_traverse = wrapper_traverse,
    .tp_clear = wrapper_clear,
    .tp_members = wrapper_members,
    .tp_getset = wrapper_getset,
    .tp_descr_get = classmethod_descr_get,
    .tp_dictoffset = offsetof(wrapper, dict),
    .tp_init = wrapper_init,
    .tp_new = PyType_GenericNew,
};

PyObject *
PyClassMethod_New(PyObject *callable)
{
    return wrapper_new(&PyClassMethod_Type, callable);
}

/* ------------------------------------------------------------------ */
/* staticmethod                                                        */

static PyObject *
staticmethod_descr_get(PyObject *op, PyObject *Py_UNUSED(obj),
                       PyObject *Py_UNUSED(type))
{
    return Py_XNewRef(wrapper_callable(op));
}

static PyObject *
staticmethod_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    PyObject *callable = wrapper_callable(op);

    return callable != NULL ? PyObject_Call(callable, args, kwargs) : NULL;
}

PyTypeObject PyStaticMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "staticmethod",
    .tp_basicsize = sizeof(wrapper),
    .tp_dealloc = wrapper_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_repr = wrapper_repr,
    .tp_call = staticmethod_call,
    .tp_traverse = wrapper_traverse,
    .tp_clear = wrapper_clear,
    .tp_members = wrapper_members,
    .tp_getset = wrapper_getset,
    .tp_descr_get = staticmethod_descr_get,
    .tp_dictoffset = offsetof(wrapper, dict),
    .tp_init = wrapper_init,
    .tp_new = PyType_GenericNew,
};

PyObject *
PyStaticMethod_New(PyObject *callable)
{
    return wrapper_new(&PyStaticMethod_Type, callable);
}
