/* dictviews.c: views of a dictionary's keys, values and items. */

#include "Python.h"

#include "types/dict.h"

/* There is no tp_clear: a view is of one dictionary for life.  Whoever closes
   a cycle through it has one. */
struct dict_view {
    PyObject ob_base;
    PyObject *dict;
};

#define VIEW_DICT(op) (((struct dict_view *)(op))->dict)

PyObject *
pyb_dict_view(PyObject *mp, PyTypeObject *type)
{
    struct dict_view *view = PyObject_GC_New(struct dict_view, type);

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

static PyObject *
keys_iter(PyObject *op)
{
    return pyb_dict_iter(VIEW_DICT(op), &PyDictIterKey_Type);
}

static PyObject *
values_iter(PyObject *op)
{
    return pyb_dict_iter(VIEW_DICT(op), &PyDictIterValue_Type);
}

static PyObject *
items_iter(PyObject *op)
{
    return pyb_dict_iter(VIEW_DICT(op), &PyDictIterItem_Type);
}

static PyObject *
keys_reversed(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_dict_iter(VIEW_DICT(op), &PyDictRevIterKey_Type);
}

static PyObject *
values_reversed(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_dict_iter(VIEW_DICT(op), &PyDictRevIterValue_Type);
}

static PyObject *
items_reversed(PyObject *op, PyObject *Py_UNUSED(none))
{
    return pyb_dict_iter(VIEW_DICT(op), &PyDictRevIterItem_Type);
}

#define VIEW_METHODS(REVERSED, DOC)                                           \
    {                                                                         \
        {"__reversed__", (REVERSED), METH_NOARGS, PyDoc_STR(DOC)},            \
            {NULL, NULL, 0, NULL},                                            \
    }

static PyMethodDef keys_methods[] =
    VIEW_METHODS(keys_reversed, "Return a reverse iterator over the keys.");
static PyMethodDef values_methods[] = VIEW_METHODS(
    values_reversed, "Return a reverse iterator over the values.");
static PyMethodDef items_methods[] =
    VIEW_METHODS(items_reversed, "Return a reverse iterator over the items.");

/* Is all that a gives in b?  1, 0, or -1 with an exception. */
static int
all_in(PyObject *a, PyObject *b)
{
    PyObject *it = PyObject_GetIter(a), *item;
    int found = 1, more = 0;

    if (it == NULL)
        return -1;
    while (found == 1 && (more = PyIter_NextItem(it, &item)) > 0) {
        found = PySequence_Contains(b, item);
        Py_DECREF(item);
    }
    Py_DECREF(it);
    return more < 0 ? -1 : found;
}

/* Views of keys and of items compare as sets do. */
static PyObject *
view_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyDictViewSet_Check(b))
        Py_RETURN_NOTIMPLEMENTED;

    Py_ssize_t na = view_length(a), nb = view_length(b);
    int result;
    switch (op) {
    case Py_EQ:
    case Py_NE:
        result = na == nb ? all_in(a, b) : 0;
        if (op == Py_NE && result >= 0)
            result = !result;
        break;
    case Py_LT:
        result = na < nb ? all_in(a, b) : 0;
        break;
    case Py_LE:
        result = na <= nb ? all_in(a, b) : 0;
        break;
    case Py_GT:
        result = na > nb ? all_in(b, a) : 0;
        break;
    default:
        result = na >= nb ? all_in(b, a) : 0;
        break;
    }
    return result < 0 ? NULL : PyBool_FromLong(result);
}

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

#define VIEW_TYPE(NAME, KIND, COMPARE, HASH)                                  \
    {                                                                         \
        PyVarObject_HEAD_INIT(&PyType_Type, 0)                                \
            .tp_name = (NAME),                                                \
          .tp_basicsize = sizeof(struct dict_view),                           \
          .tp_dealloc = view_dealloc, .tp_repr = view_repr,                   \
          .tp_as_sequence = &KIND##_as_sequence, .tp_hash = (HASH),           \
          .tp_getattro = PyObject_GenericGetAttr,                             \
          .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,                \
          .tp_traverse = view_traverse, .tp_richcompare = (COMPARE),          \
          .tp_iter = KIND##_iter, .tp_methods = KIND##_methods,               \
          .tp_getset = view_getset, .tp_free = PyObject_GC_Del,               \
    }

PyTypeObject PyDictKeys_Type = VIEW_TYPE("dict_keys", keys, view_richcompare,
                                         PyObject_HashNotImplemented);
PyTypeObject PyDictItems_Type = VIEW_TYPE(
    "dict_items", items, view_richcompare, PyObject_HashNotImplemented);
PyTypeObject PyDictValues_Type = VIEW_TYPE("dict_values", values, NULL, NULL);
