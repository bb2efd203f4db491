/* super.c: PySuper_Type: an object seen as an instance of the classes behind a
   given class in its MRO.

   super() without arguments, which needs the caller's frame, is not supported:
   there are no frames.

   Manual: the library reference, "super". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/super.h"
#include "object/error/errors.h"

typedef struct {
    PyObject_HEAD
    PyTypeObject *type;     /* the search begins behind this class */
    PyObject *obj;          /* or NULL: not bound */
    PyTypeObject *obj_type; /* obj, or its type; NULL with obj */
} super;

#define IS_SUPER(op) PyObject_TypeCheck(op, &PySuper_Type)
#define SUPER(op) PYB_CAST(super, IS_SUPER, op)

/* ------------------------------------------------------------------ */
/* The lookup                                                          */

/* The attribute as it is in the dictionary: 1, 0 or -1 as above. */
static int
find_raw(PyTypeObject *start, PyTypeObject *after, PyObject *name,
         PyObject **value)
{
    PyObject *mro =
        start->tp_mro; /* kept alive: a comparison may replace it */
    Py_ssize_t n = mro != NULL ? PyTuple_GET_SIZE(mro) : 0, i = 0;
    int found = 0;

    *value = NULL;
    PYB_ASSERT(PyType_Check(start) && PyType_Check(after));
    Py_XINCREF(mro);
    while (i < n && PyTuple_GET_ITEM(mro, i) != (PyObject *)after)
        i++;
    while (found == 0 && ++i < n) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);

        PYB_ASSERT(PyType_Check(base) && PyDict_Check(base->tp_dict));
        found = PyDict_GetItemRef(base->tp_dict, name, value);
    }
    Py_XDECREF(mro);
    return found;
}

int
pyb_super_find(PyTypeObject *start, PyTypeObject *after, PyObject *name,
               PyObject *obj, PyObject **value)
{
    int found = find_raw(start, after, name, value);
    PyObject *raw = *value;

    PYB_ASSERT((found > 0) == (raw != NULL));
    if (found <= 0 || Py_TYPE(raw)->tp_descr_get == NULL)
        return found;
    *value = Py_TYPE(raw)->tp_descr_get(raw, obj, (PyObject *)start);
    Py_DECREF(raw);
    return *value != NULL ? 1 : -1;
}

static PyObject *
super_getattro(PyObject *op, PyObject *name)
{
    super *self = SUPER(op);
    PyObject *value, *obj;
    int found;

    PYB_ASSERT_OBJECT((self->obj == NULL) == (self->obj_type == NULL), op);
    /* type(super(...)) is asked for as an attribute, too. */
    if (self->obj_type == NULL || !PyUnicode_Check(name) ||
        PyUnicode_EqualToUTF8(name, "__class__"))
        return PyObject_GenericGetAttr(op, name);
    obj = self->obj != (PyObject *)self->obj_type ? self->obj : NULL;
    found = pyb_super_find(self->obj_type, self->type, name, obj, &value);
    return found != 0 ? value : PyObject_GenericGetAttr(op, name);
}

/* ------------------------------------------------------------------ */
/* Binding                                                             */

static void
refuse(PyTypeObject *type, PyObject *obj)
{
    PYB_ASSERT(PyType_Check(type));
    PyErr_Format(
        PyExc_TypeError,
        "super(type, obj): obj (%s %.200s) is not an instance or subtype of "
        "type (%.200s).",
        PyType_Check(obj) ? "type" : "instance of",
        PyType_Check(obj) ? ((PyTypeObject *)obj)->tp_name
                          : Py_TYPE(obj)->tp_name,
        type->tp_name);
}

/* The class that has type in its MRO: obj itself if it is a subclass of type,
   else the class of obj, else obj's __class__.  A new reference, or NULL with
   an exception. */
static PyTypeObject *
class_of(PyTypeObject *type, PyObject *obj)
{
    PyObject *claimed;

    if (PyType_Check(obj) && PyType_IsSubtype((PyTypeObject *)obj, type))
        return (PyTypeObject *)Py_NewRef(obj);
    if (PyObject_TypeCheck(obj, type))
        return (PyTypeObject *)Py_NewRef(Py_TYPE(obj));
    if (PyObject_GetOptionalAttrString(obj, "__class__", &claimed) < 0)
        return NULL;
    if (claimed != NULL && PyType_Check(claimed) &&
        PyType_IsSubtype((PyTypeObject *)claimed, type))
        return (PyTypeObject *)claimed;
    Py_XDECREF(claimed);
    refuse(type, obj);
    return NULL;
}

/* Sets all members; steals obj_type.  What was there is released when the new
   ones stand, since that may run code that uses self. */
static void
bind(super *self, PyTypeObject *type, PyObject *obj, PyTypeObject *obj_type)
{
    super old = *self;

    PYB_ASSERT((obj == NULL) == (obj_type == NULL));
    PYB_ASSERT(PyType_Check(type));
    self->type = (PyTypeObject *)Py_NewRef(type);
    self->obj = Py_XNewRef(obj);
    self->obj_type = obj_type;
    Py_XDECREF(old.type);
    Py_XDECREF(old.obj);
    Py_XDECREF(old.obj_type);
}

static int
super_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    super *self = SUPER(op);
    PyObject *type = NULL, *obj = NULL;
    PyTypeObject *obj_type = NULL;

    if (!pyb_getargs_no_keywords("super", kwds) ||
        !PyArg_UnpackTuple(args, "super()", 0, 2, &type, &obj))
        return -1;
    if (type != NULL && !PyType_Check(type))
        return pyb_failf(PyExc_TypeError,
                         "super() argument 1 must be a type, not %.200s",
                         Py_TYPE(type)->tp_name);
    if (type == NULL)
        return pyb_fail(PyExc_RuntimeError, "super(): no current frame");
    if (obj == Py_None)
        obj = NULL;
    if (obj != NULL) {
        obj_type = class_of((PyTypeObject *)type, obj);
        if (obj_type == NULL)
            return -1;
    }
    bind(self, (PyTypeObject *)type, obj, obj_type);
    return 0;
}

/* A super object that is not bound is bound when it is found as an
   attribute. */
static PyObject *
super_get(PyObject *op, PyObject *obj, PyObject *Py_UNUSED(type))
{
    super *self = SUPER(op);

    PYB_ASSERT_OBJECT((self->obj == NULL) == (self->obj_type == NULL), op);
    if (obj == NULL || obj == Py_None || self->obj != NULL ||
        self->type == NULL)
        return Py_NewRef(op);
    return PyObject_CallFunctionObjArgs((PyObject *)Py_TYPE(op),
                                        (PyObject *)self->type, obj, NULL);
}

/* ------------------------------------------------------------------ */

static PyObject *
super_repr(PyObject *op)
{
    super *self = SUPER(op);
    const char *name = self->type != NULL ? self->type->tp_name : "NULL";

    PYB_ASSERT_OBJECT((self->obj == NULL) == (self->obj_type == NULL), op);
    if (self->obj_type == NULL)
        return PyUnicode_FromFormat("<super: <class '%s'>, NULL>", name);
    return PyUnicode_FromFormat("<super: <class '%s'>, <%s object>>", name,
                                self->obj_type->tp_name);
}

static int
super_traverse(PyObject *op, visitproc visit, void *arg)
{
    super *self = SUPER(op);

    Py_VISIT(self->obj);
    Py_VISIT(self->type);
    Py_VISIT(self->obj_type);
    return 0;
}

static void
super_dealloc(PyObject *op)
{
    super *self = SUPER(op);

    PyObject_GC_UnTrack(op);
    Py_XDECREF(self->type);
    Py_XDECREF(self->obj);
    Py_XDECREF(self->obj_type);
    Py_TYPE(op)->tp_free(op);
}

static PyMemberDef super_members[] = {
    {"__thisclass__", _Py_T_OBJECT, offsetof(super, type), Py_READONLY, NULL},
    {"__self__", _Py_T_OBJECT, offsetof(super, obj), Py_READONLY, NULL},
    {"__self_class__", _Py_T_OBJECT, offsetof(super, obj_type), Py_READONLY,
     NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PySuper_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "super",
    .tp_basicsize = sizeof(super),
    .tp_dealloc = super_dealloc,
    .tp_repr = super_repr,
    .tp_getattro = super_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "super(type, obj) -> obj as an instance of type's bases\n"
              "super(type) -> not bound yet\n"
              "super(type, type2) -> type2's class methods in type's bases",
    .tp_traverse = super_traverse,
    .tp_members = super_members,
    .tp_descr_get = super_get,
    .tp_init = super_init,
    .tp_new = PyType_GenericNew,
};
