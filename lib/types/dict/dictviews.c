/* dictviews.c: views of a dictionary's keys, values and items. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/dict/dict.h"

/* There is no tp_clear: a view never changes its dictionary.  A cycle through
   it also contains an object that has one. */
struct dict_view {
    PyObject ob_base;
    PyObject *dict;
};

#define IS_VIEW(op)                                                           \
    (Py_IS_TYPE(op, &PyDictKeys_Type) ||                                      \
     Py_IS_TYPE(op, &PyDictValues_Type) || Py_IS_TYPE(op, &PyDictItems_Type))
#define VIEW_DICT(op) (PYB_CAST(struct dict_view, IS_VIEW, op)->dict)

PyObject *
pyb_dict_view(PyObject *mp, PyTypeObject *type)
{
    struct dict_view *view = PyObject_GC_New(struct dict_view, type);

    PYB_ASSERT_OBJECT(PyAnyDict_Check(mp), mp);
    if (view == NULL)
        return NULL;
    view->dict = Py_NewRef(mp);
    PyObject_GC_Track((PyObject *)view);
    return (PyObject *)view;
}

static void
view_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(VIEW_DICT(op));
    PyObject_GC_Del(op);
}

static int
view_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(VIEW_DICT(op));
    return 0;
}

static PyObject *
view_repr(PyObject *op)
{
    PyObject *list, *result = NULL;
    int entered = Py_ReprEnter(op);

    if (entered != 0)
        return entered > 0 ? PyUnicode_FromString("...") : NULL;
    list = PySequence_List(op);
    if (list != NULL)
        result = PyUnicode_FromFormat("%s(%R)", Py_TYPE(op)->tp_name, list);
    Py_XDECREF(list);
    Py_ReprLeave(op);
    return result;
}

static Py_ssize_t
view_length(PyObject *op)
{
    return PyDict_GET_SIZE(VIEW_DICT(op));
}

static int
keys_contain(PyObject *op, PyObject *key)
{
    return PyDict_Contains(VIEW_DICT(op), key);
}

static int
items_contain(PyObject *op, PyObject *item)
{
    PyObject *value;

    if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 2)
        return 0;
    int found =
        PyDict_GetItemRef(VIEW_DICT(op), PyTuple_GET_ITEM(item, 0), &value);
    if (found <= 0)
        return found;
    int same =
        PyObject_RichCompareBool(value, PyTuple_GET_ITEM(item, 1), Py_EQ);
    Py_DECREF(value);
    return same;
}

#define ITERATION(KIND, FORTH, BACK)                                          \
    static PyObject *KIND##_iter(PyObject *op)                                \
    {                                                                         \
        return pyb_dict_iter(VIEW_DICT(op), &(FORTH));                        \
    }                                                                         \
    static PyObject *KIND##_reversed(PyObject *op, PyObject *Py_UNUSED(none)) \
    {                                                                         \
        return pyb_dict_iter(VIEW_DICT(op), &(BACK));                         \
    }

ITERATION(keys, PyDictIterKey_Type, PyDictRevIterKey_Type)
ITERATION(values, PyDictIterValue_Type, PyDictRevIterValue_Type)
ITERATION(items, PyDictIterItem_Type, PyDictRevIterItem_Type)

#define REVERSED(FUNCTION, WHAT)                                              \
    {                                                                         \
        "__reversed__", (FUNCTION), METH_NOARGS,                              \
            PyDoc_STR("Return a reverse iterator over the " WHAT ".")         \
    }
#define ISDISJOINT                                                            \
    {                                                                         \
        "isdisjoint", pyb_dict_view_isdisjoint, METH_O,                       \
            PyDoc_STR("Return True if the view and the given iterable have "  \
                      "a null intersection.")                                 \
    }

static PyMethodDef keys_methods[] = {
    REVERSED(keys_reversed, "keys"), ISDISJOINT, {NULL, NULL, 0, NULL}};
static PyMethodDef values_methods[] = {REVERSED(values_reversed, "values"),
                                       {NULL, NULL, 0, NULL}};
static PyMethodDef items_methods[] = {
    REVERSED(items_reversed, "items"), ISDISJOINT, {NULL, NULL, 0, NULL}};

static PyObject *
view_mapping(PyObject *op, void *Py_UNUSED(closure))
{
    return PyDictProxy_New(VIEW_DICT(op));
}

static PyGetSetDef view_getset[] = {
    {"mapping", view_mapping, NULL,
     PyDoc_STR("dictionary that this view refers to"), NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PySequenceMethods keys_as_sequence = {
    .sq_length = view_length,
    .sq_contains = keys_contain,
};

static PySequenceMethods items_as_sequence = {
    .sq_length = view_length,
    .sq_contains = items_contain,
};

static PySequenceMethods values_as_sequence = {
    .sq_length = view_length,
};

/* Views of keys and of items are sets as well. */
#define AS_SET                                                                \
    .tp_as_number = &pyb_dict_view_as_number,                                 \
    .tp_hash = PyObject_HashNotImplemented,                                   \
    .tp_richcompare = pyb_dict_view_richcompare

#define VIEW_TYPE(NAME, KIND, ...)                                            \
    {                                                                         \
        PyVarObject_HEAD_INIT(&PyType_Type, 0)                                \
            .tp_name = (NAME),                                                \
          .tp_basicsize = sizeof(struct dict_view),                           \
          .tp_dealloc = view_dealloc, .tp_repr = view_repr,                   \
          .tp_as_sequence = &KIND##_as_sequence,                              \
          .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,                \
          .tp_traverse = view_traverse, .tp_iter = KIND##_iter,               \
          .tp_methods = KIND##_methods, .tp_getset = view_getset, __VA_ARGS__ \
    }

PyTypeObject PyDictKeys_Type = VIEW_TYPE("dict_keys", keys, AS_SET);
PyTypeObject PyDictItems_Type = VIEW_TYPE("dict_items", items, AS_SET);
PyTypeObject PyDictValues_Type = VIEW_TYPE("dict_values", values, );
