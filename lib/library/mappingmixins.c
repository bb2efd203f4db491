/* mappingmixins.c: methods of collections.abc for mappings and their views.

   Manual: Python's library, "collections.abc". */

#include "Python.h"

#include "library/mixins.h"
#include "object/error/errors.h"

/* self[key]: 1 and a new reference, 0 and NULL after KeyError, or -1. */
static int
look_up(PyObject *self, PyObject *key, PyObject **value)
{
    *value = PyObject_GetItem(self, key);
    if (*value != NULL)
        return 1;
    if (!PyErr_ExceptionMatches(PyExc_KeyError))
        return -1;
    PyErr_Clear();
    return 0;
}

/* ------------------------------------------------------------------ */
/* Mapping                                                             */

static PyObject *
mapping_get(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"key", "default", NULL};
    PyObject *key, *otherwise = Py_None, *value;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:get", names, &key,
                                     &otherwise))
        return NULL;
    int found = look_up(self, key, &value);
    return found == 0 ? Py_NewRef(otherwise) : value;
}

static PyObject *
mapping_contains(PyObject *self, PyObject *key)
{
    PyObject *value;
    int found = look_up(self, key, &value);

    Py_XDECREF(value);
    return pyb_result_bool(found);
}

/* A view of the class of that name. */
static PyObject *
view(PyObject *self, const char *name)
{
    PyObject *cls = PyImport_ImportModuleAttrString("collections.abc", name);
    PyObject *op = cls != NULL ? PyObject_CallOneArg(cls, self) : NULL;

    Py_XDECREF(cls);
    return op;
}

#define VIEW(NAME, CLASS)                                                     \
    static PyObject *mapping_##NAME(PyObject *self,                           \
                                    PyObject *Py_UNUSED(none))                \
    {                                                                         \
        return view(self, CLASS);                                             \
    }

VIEW(keys, "KeysView")
VIEW(items, "ItemsView")
VIEW(values, "ValuesView")

/* dict(op.items()) */
static PyObject *
as_dict(PyObject *op)
{
    PyObject *items = PyObject_CallMethod(op, "items", NULL), *dict = NULL;

    if (items != NULL)
        dict = PyObject_CallOneArg((PyObject *)&PyDict_Type, items);
    Py_XDECREF(items);
    return dict;
}

static PyObject *
mapping_eq(PyObject *self, PyObject *other)
{
    int is_mapping = pyb_mixins_is(other, "Mapping");
    PyObject *a, *b, *result = NULL;

    if (is_mapping <= 0)
        return is_mapping < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    a = as_dict(self);
    b = a != NULL ? as_dict(other) : NULL;
    if (b != NULL)
        result = PyObject_RichCompare(a, b, Py_EQ);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

PyMethodDef pyb_mixins_mapping[] = {
    {"get", _PyCFunction_CAST(mapping_get), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("D.get(k[,d]) -> D[k] if k is in D, else d, by default None.")},
    {"__contains__", mapping_contains, METH_O, NULL},
    {"keys", mapping_keys, METH_NOARGS,
     PyDoc_STR("D.keys() -> a view of the keys.")},
    {"items", mapping_items, METH_NOARGS,
     PyDoc_STR("D.items() -> a view of pairs of key and value.")},
    {"values", mapping_values, METH_NOARGS,
     PyDoc_STR("D.values() -> a view of the values.")},
    {"__eq__", mapping_eq, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* MutableMapping                                                      */

static PyObject *
mapping_pop(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"key", "default", NULL};
    PyObject *key, *otherwise = NULL, *value;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:pop", names, &key,
                                     &otherwise))
        return NULL;
    value = PyObject_GetItem(self, key);
    if (value == NULL) {
        if (otherwise == NULL || !PyErr_ExceptionMatches(PyExc_KeyError))
            return NULL;
        PyErr_Clear();
        return Py_NewRef(otherwise);
    }
    if (PyObject_DelItem(self, key) < 0)
        Py_CLEAR(value);
    return value;
}

/* The first pair of the iteration. */
static PyObject *
mapping_popitem(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *it = PyObject_GetIter(self), *key, *value, *pair = NULL;

    if (it == NULL)
        return NULL;
    key = PyIter_Next(it);
    Py_DECREF(it);
    if (key == NULL) {
        if (PyErr_Occurred() == NULL)
            PyErr_SetNone(PyExc_KeyError);
        return NULL;
    }
    value = PyObject_GetItem(self, key);
    if (value != NULL && PyObject_DelItem(self, key) == 0)
        pair = PyTuple_Pack(2, key, value);
    Py_XDECREF(value);
    Py_DECREF(key);
    return pair;
}

static PyObject *
mapping_clear(PyObject *self, PyObject *Py_UNUSED(none))
{
    return pyb_mixins_drain(self, "popitem", PyExc_KeyError);
}

/* self[key] = other[key] for each key of an iterable, which is stolen and may
   be NULL. */
static int
update_keys(PyObject *self, PyObject *other, PyObject *keys)
{
    PyObject *it = keys != NULL ? PyObject_GetIter(keys) : NULL;

    PYB_MIXINS_EACH(key, it)
    {
        PyObject *value = PyObject_GetItem(other, key);
        int done = value != NULL ? PyObject_SetItem(self, key, value) : -1;
        Py_XDECREF(value);
        Py_DECREF(key);
        if (done < 0)
            break;
    }
    Py_XDECREF(it);
    Py_XDECREF(keys);
    return PyErr_Occurred() != NULL ? -1 : 0;
}

/* A tuple of the two items of any iterable. */
static PyObject *
unpack_pair(PyObject *pair)
{
    PyObject *items = PySequence_Tuple(pair);

    if (items == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            pyb_errors_type("cannot unpack non-iterable %.200s object", pair);
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(items);
    if (n == 2)
        return items;
    Py_DECREF(items);
    if (n < 2)
        return PyErr_Format(PyExc_ValueError,
                            "not enough values to unpack (expected 2, got "
                            "%zd)",
                            n);
    return pyb_raise(PyExc_ValueError,
                     "too many values to unpack (expected 2)");
}

/* self[key] = value of a pair. */
static int
update_pair(PyObject *self, PyObject *pair)
{
    PyObject *items = unpack_pair(pair);

    if (items == NULL)
        return -1;
    int result = PyObject_SetItem(self, PyTuple_GET_ITEM(items, 0),
                                  PyTuple_GET_ITEM(items, 1));
    Py_DECREF(items);
    return result;
}

static int
update_pairs(PyObject *self, PyObject *pairs)
{
    PyObject *it = PyObject_GetIter(pairs);

    PYB_MIXINS_EACH(pair, it)
    {
        int done = update_pair(self, pair);
        Py_DECREF(pair);
        if (done < 0)
            break;
    }
    Py_XDECREF(it);
    return PyErr_Occurred() != NULL ? -1 : 0;
}

static int
update(PyObject *self, PyObject *other)
{
    int is_mapping = pyb_mixins_is(other, "Mapping");

    if (is_mapping < 0)
        return -1;
    if (is_mapping)
        return update_keys(self, other, Py_NewRef(other));
    if (PyObject_HasAttrString(other, "keys"))
        return update_keys(self, other,
                           PyObject_CallMethod(other, "keys", NULL));
    return update_pairs(self, other);
}

static PyObject *
mapping_update(PyObject *self, PyObject *args, PyObject *kwds)
{
    PyObject *other = NULL;

    if (!PyArg_UnpackTuple(args, "update", 0, 1, &other) ||
        (other != NULL && update(self, other) < 0))
        return NULL;
    return pyb_result_none(
        kwds != NULL ? update_keys(self, kwds, Py_NewRef(kwds)) : 0);
}

static PyObject *
mapping_setdefault(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"key", "default", NULL};
    PyObject *key, *otherwise = Py_None, *value;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:setdefault", names, &key,
                                     &otherwise))
        return NULL;
    int found = look_up(self, key, &value);
    if (found == 0 && PyObject_SetItem(self, key, otherwise) == 0)
        return Py_NewRef(otherwise);
    return value;
}

PyMethodDef pyb_mixins_mutablemapping[] = {
    {"pop", _PyCFunction_CAST(mapping_pop), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("D.pop(k[,d]) -> D[k], which is removed; if k is not in D, d, "
               "or KeyError.")},
    {"popitem", mapping_popitem, METH_NOARGS,
     PyDoc_STR("D.popitem() -> a pair (k, v), which is removed; KeyError if "
               "there is none.")},
    {"clear", mapping_clear, METH_NOARGS,
     PyDoc_STR("D.clear() -- remove all items.")},
    {"update", _PyCFunction_CAST(mapping_update), METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("D.update([E, ]**F) -- set the items of a mapping, or pairs, "
               "and keywords.")},
    {"setdefault", _PyCFunction_CAST(mapping_setdefault),
     METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("D.setdefault(k[,d]) -> D[k], which is set to d if k is not in "
               "D.")},
    {NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* Views                                                               */

/* The mapping of a view: a new reference. */
static PyObject *
get_mapping(PyObject *view)
{
    return PyObject_GetAttrString(view, "_mapping");
}

static PyObject *
view_init(PyObject *self, PyObject *mapping)
{
    return pyb_result_none(PyObject_SetAttrString(self, "_mapping", mapping));
}

static PyObject *
view_len(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *mapping = get_mapping(self);
    Py_ssize_t size = mapping != NULL ? PyObject_Size(mapping) : -1;

    Py_XDECREF(mapping);
    return size < 0 ? NULL : PyLong_FromSsize_t(size);
}

static PyObject *
view_repr(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *mapping = get_mapping(self), *name = NULL, *text = NULL;

    if (mapping != NULL)
        name = PyType_GetName(Py_TYPE(self));
    if (name != NULL)
        text = PyUnicode_FromFormat("%U(%R)", name, mapping);
    Py_XDECREF(mapping);
    Py_XDECREF(name);
    return text;
}

PyMethodDef pyb_mixins_mappingview[] = {
    {"__init__", view_init, METH_O, NULL},
    {"__len__", view_len, METH_NOARGS, NULL},
    {"__repr__", view_repr, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyObject *
view_set(PyObject *Py_UNUSED(cls), PyObject *iterable)
{
    return PySet_New(iterable);
}

static PyObject *
keys_contains(PyObject *self, PyObject *key)
{
    PyObject *mapping = get_mapping(self);
    int found = mapping != NULL ? PySequence_Contains(mapping, key) : -1;

    Py_XDECREF(mapping);
    return pyb_result_bool(found);
}

static PyObject *
keys_iter(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *mapping = get_mapping(self), *it = NULL;

    if (mapping != NULL)
        it = PyObject_GetIter(mapping);
    Py_XDECREF(mapping);
    return it;
}

PyMethodDef pyb_mixins_keysview[] = {
    {"_from_iterable", view_set, METH_O | METH_CLASS, NULL},
    {"__contains__", keys_contains, METH_O, NULL},
    {"__iter__", keys_iter, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* map(function, mapping); the function is stolen, and may be NULL. */
static PyObject *
map_keys(PyObject *function, PyObject *mapping)
{
    PyObject *it = NULL;

    if (function != NULL)
        it = PyObject_CallFunctionObjArgs((PyObject *)&PyMap_Type, function,
                                          mapping, NULL);
    Py_XDECREF(function);
    return it;
}

/* (key, mapping[key]) */
static PyObject *
make_pair(PyObject *mapping, PyObject *key)
{
    PyObject *value = PyObject_GetItem(mapping, key);
    PyObject *pair = value != NULL ? PyTuple_Pack(2, key, value) : NULL;

    Py_XDECREF(value);
    return pair;
}

static PyMethodDef pair_maker = {"pair", make_pair, METH_O, NULL};

static PyObject *
items_iter(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *mapping = get_mapping(self), *it = NULL;

    if (mapping != NULL)
        it = map_keys(PyCFunction_New(&pair_maker, mapping), mapping);
    Py_XDECREF(mapping);
    return it;
}

/* Is the value of the pair's key the pair's value? */
static int
has_pair(PyObject *mapping, PyObject *pair)
{
    PyObject *items = unpack_pair(pair), *value = NULL;
    int found = -1;

    if (items != NULL)
        found = look_up(mapping, PyTuple_GET_ITEM(items, 0), &value);
    if (found > 0)
        found = pyb_mixins_same(value, PyTuple_GET_ITEM(items, 1));
    Py_XDECREF(value);
    Py_XDECREF(items);
    return found;
}

static PyObject *
items_contains(PyObject *self, PyObject *pair)
{
    PyObject *mapping = get_mapping(self);
    int found = mapping != NULL ? has_pair(mapping, pair) : -1;

    Py_XDECREF(mapping);
    return pyb_result_bool(found);
}

PyMethodDef pyb_mixins_itemsview[] = {
    {"_from_iterable", view_set, METH_O | METH_CLASS, NULL},
    {"__contains__", items_contains, METH_O, NULL},
    {"__iter__", items_iter, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyObject *
values_iter(PyObject *self, PyObject *Py_UNUSED(none))
{
    PyObject *mapping = get_mapping(self), *it = NULL;

    if (mapping != NULL)
        it = map_keys(PyObject_GetAttrString(mapping, "__getitem__"), mapping);
    Py_XDECREF(mapping);
    return it;
}

static PyObject *
values_contains(PyObject *self, PyObject *value)
{
    PyObject *it = values_iter(self, NULL);
    int found = 0;

    PYB_MIXINS_EACH(item, it)
    {
        found = pyb_mixins_same(item, value);
        Py_DECREF(item);
        if (found != 0)
            break;
    }
    Py_XDECREF(it);
    return PyErr_Occurred() != NULL ? NULL : PyBool_FromLong(found);
}

PyMethodDef pyb_mixins_valuesview[] = {
    {"__contains__", values_contains, METH_O, NULL},
    {"__iter__", values_iter, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
