/* typeattrs.c: the attributes of every type: __name__, __mro__ and so on. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/docstring.h"
#include "object/error/errors.h"
#include "object/type/typeattrs.h"
#include "object/type/typedata.h"
#include "object/type/typeversion.h"

#define TYPE(op) PYB_CAST(PyTypeObject, PyType_Check, op)

/* May the attribute be set to value?  0, or -1 with TypeError. */
static int
check_settable(PyTypeObject *type, PyObject *value, const char *name)
{
    if (value != NULL && !PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE))
        return 0;
    return pyb_failf(
        PyExc_TypeError, "cannot %s '%s' attribute of immutable type '%s'",
        PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE) ? "set" : "delete",
        name, type->tp_name);
}

/* Stores value in the type's dictionary under the name, if the type is
   mutable. */
static int
set_entry(PyObject *self, PyObject *value, void *name)
{
    PyTypeObject *type = TYPE(self);

    if (check_settable(type, value, name) < 0)
        return -1;
    return pyb_type_put_string(type, name, value) < 0 ? -1 : 0;
}

/* ------------------------------------------------------------------ */
/* Names                                                               */

/* Attributes that are an expression of the type. */
#define GET(NAME, RESULT)                                                     \
    static PyObject *get_##NAME(PyObject *self, void *Py_UNUSED(closure))     \
    {                                                                         \
        PyTypeObject *type = TYPE(self);                                      \
                                                                              \
        return RESULT;                                                        \
    }

GET(name, PyType_GetName(type))
GET(qualname, PyType_GetQualName(type))
GET(module, PyType_GetModuleName(type))

/* check_settable for an attribute that is a str. */
static int
check_string(PyTypeObject *type, PyObject *value, const char *name)
{
    if (check_settable(type, value, name) < 0)
        return -1;
    if (PyUnicode_Check(value))
        return 0;
    return pyb_failf(PyExc_TypeError,
                     "can only assign string to %s.%s, not '%s'",
                     type->tp_name, name, Py_TYPE(value)->tp_name);
}

const char *
pyb_typeattrs_c_name(PyObject *name)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(name, &size);

    if (text != NULL && strlen(text) != (size_t)size)
        return pyb_raise(PyExc_ValueError,
                         "type name must not contain null characters");
    return text;
}

static int
set_name(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = TYPE(self);
    const char *text;

    if (check_string(type, value, "__name__") < 0)
        return -1;
    text = pyb_typeattrs_c_name(value);
    if (text == NULL)
        return -1;
    PYB_ASSERT_OBJECT(pyb_typedata_is_heap(type), self);
    type->tp_name = text;
    Py_SETREF(((PyHeapTypeObject *)type)->ht_name, Py_NewRef(value));
    return 0;
}

static int
set_qualname(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (check_string(TYPE(self), value, "__qualname__") < 0)
        return -1;
    PYB_ASSERT_OBJECT(pyb_typedata_is_heap(TYPE(self)), self);
    Py_SETREF(((PyHeapTypeObject *)self)->ht_qualname, Py_NewRef(value));
    return 0;
}

/* ------------------------------------------------------------------ */
/* Documentation                                                       */

static PyObject *
get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    PyTypeObject *type = TYPE(self);
    PyObject *doc, *bound;

    if (!pyb_typedata_is_heap(type))
        return pyb_docstring_text(type->tp_name, type->tp_doc);
    if (PyDict_GetItemStringRef(type->tp_dict, "__doc__", &doc) < 0)
        return NULL;
    if (doc == NULL)
        Py_RETURN_NONE;
    if (Py_TYPE(doc)->tp_descr_get == NULL)
        return doc;
    bound = Py_TYPE(doc)->tp_descr_get(doc, NULL, self);
    Py_DECREF(doc);
    return bound;
}

GET(signature, pyb_docstring_signature(type->tp_name, type->tp_doc))

/* ------------------------------------------------------------------ */
/* Annotations and abstract methods                                    */

/* The entry of the type's own dictionary; AttributeError if there is none. */
static PyObject *
get_entry(PyTypeObject *type, const char *name)
{
    PyObject *value;

    if (PyDict_GetItemStringRef(type->tp_dict, name, &value) == 0)
        PyErr_SetString(PyExc_AttributeError, name);
    return value;
}

static int
delete_entry(PyTypeObject *type, const char *name)
{
    int done = pyb_type_put_string(type, name, NULL);

    if (done == 0)
        PyErr_SetString(PyExc_AttributeError, name);
    return done > 0 ? 0 : -1;
}

/* A class that has none gets an empty dictionary for them. */
static PyObject *
get_annotations(PyObject *self, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyObject *value, *bound;

    if (!pyb_typedata_is_heap(type))
        return PyErr_Format(
            PyExc_AttributeError,
            "type object '%s' has no attribute '__annotations__'",
            type->tp_name);
    int found =
        PyDict_GetItemStringRef(type->tp_dict, "__annotations__", &value);
    if (found < 0)
        return NULL;
    if (found == 0) {
        value = PyDict_New();
        if (value != NULL &&
            pyb_type_put_string(type, "__annotations__", value) < 0)
            Py_CLEAR(value);
        return value;
    }
    if (Py_TYPE(value)->tp_descr_get == NULL)
        return value;
    bound = Py_TYPE(value)->tp_descr_get(value, NULL, self);
    Py_DECREF(value);
    return bound;
}

static int
set_annotations(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;

    if (PyType_HasFeature(type, Py_TPFLAGS_IMMUTABLETYPE))
        return pyb_failf(PyExc_TypeError,
                         "cannot set '__annotations__' attribute of "
                         "immutable type '%s'",
                         type->tp_name);
    if (value == NULL)
        return delete_entry(type, "__annotations__");
    return pyb_type_put_string(type, "__annotations__", value) < 0 ? -1 : 0;
}

/* type itself has an entry of that name, this attribute. */
static PyObject *
get_abstract(PyObject *self, void *Py_UNUSED(closure))
{
    if (self == (PyObject *)&PyType_Type)
        return pyb_raise(PyExc_AttributeError, "__abstractmethods__");
    return get_entry((PyTypeObject *)self, "__abstractmethods__");
}

/* A class with abstract methods cannot be called; see object_new. */
static int
set_abstract(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    int any = value != NULL ? PyObject_IsTrue(value) : 0;

    if (any < 0)
        return -1;
    if ((value != NULL
             ? pyb_type_put_string(type, "__abstractmethods__", value)
             : delete_entry(type, "__abstractmethods__")) < 0)
        return -1;
    if (any)
        type->tp_flags |= Py_TPFLAGS_IS_ABSTRACT;
    else
        type->tp_flags &= ~Py_TPFLAGS_IS_ABSTRACT;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Structure                                                           */

static PyObject *
or_none(PyObject *op)
{
    return Py_NewRef(op != NULL ? op : Py_None);
}

GET(dict,
    type->tp_dict != NULL ? PyDictProxy_New(type->tp_dict) : or_none(NULL))
GET(mro, or_none(type->tp_mro))
GET(bases, or_none(type->tp_bases))

PyGetSetDef pyb_typeattrs_getset[] = {
    {"__name__", get_name, set_name, NULL, NULL},
    {"__qualname__", get_qualname, set_qualname, NULL, NULL},
    {"__module__", get_module, set_entry, NULL, "__module__"},
    {"__doc__", get_doc, set_entry, NULL, "__doc__"},
    {"__text_signature__", get_signature, NULL, NULL, NULL},
    {"__dict__", get_dict, NULL, NULL, NULL},
    {"__mro__", get_mro, NULL, NULL, NULL},
    {"__abstractmethods__", get_abstract, set_abstract, NULL, NULL},
    {"__annotations__", get_annotations, set_annotations, NULL, NULL},
    {"__bases__", get_bases, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define SIZE_FIELD(NAME, FIELD)                                               \
    {                                                                         \
        NAME, Py_T_PYSSIZET, offsetof(PyTypeObject, FIELD), Py_READONLY, NULL \
    }

PyMemberDef pyb_typeattrs_members[] = {
    SIZE_FIELD("__basicsize__", tp_basicsize),
    SIZE_FIELD("__itemsize__", tp_itemsize),
    SIZE_FIELD("__weakrefoffset__", tp_weaklistoffset),
    SIZE_FIELD("__dictoffset__", tp_dictoffset),
    {"__flags__", Py_T_ULONG, offsetof(PyTypeObject, tp_flags), Py_READONLY,
     NULL},
    {"__base__", _Py_T_OBJECT, offsetof(PyTypeObject, tp_base), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};
