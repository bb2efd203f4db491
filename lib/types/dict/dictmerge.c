/* dictmerge.c: adding many keys to a dictionary. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/dict/dict.h"

#define DICT(op) PYB_CAST(PyDictObject, PyAnyDict_Check, op)

/* Adds an entry of another dictionary.  0, or -1 with an exception. */
static int
merge_entry(PyDictObject *mp, struct pyb_dict_entry entry, int override)
{
    PYB_ASSERT(entry.key != NULL && entry.value != NULL);
    if (!override) {
        Py_ssize_t i = pyb_dict_lookup(mp, entry.key, entry.hash);
        if (i != PYB_DICT_ABSENT)
            return i == PYB_DICT_ERROR ? -1 : 0;
    }
    return pyb_dict_insert(mp, entry.key, entry.hash, entry.value);
}

static int
merge_dict(PyDictObject *mp, PyDictObject *other, int override)
{
    struct pyb_dict_entry *next;
    Py_ssize_t pos = 0, used = other->ma_used;
    size_t generation = other->_pyb_generation;

    if (mp == other)
        return 0;
    while ((next = pyb_dict_next(other, &pos)) != NULL) {
        struct pyb_dict_entry entry = *next;
        Py_INCREF(entry.key);
        Py_INCREF(entry.value);
        int error = merge_entry(mp, entry, override);
        Py_DECREF(entry.key);
        Py_DECREF(entry.value);
        if (error < 0)
            return -1;
        if (used != other->ma_used || generation != other->_pyb_generation)
            return pyb_fail(PyExc_RuntimeError, "dict mutated during update");
    }
    return 0;
}

/* Sets mp[key] to mapping[key], unless mp has key and override is 0. */
static int
merge_key(PyObject *mp, PyObject *mapping, PyObject *key, int override)
{
    if (!override) {
        int found = PyDict_Contains(mp, key);
        if (found != 0)
            return found < 0 ? -1 : 0;
    }
    PyObject *value = PyObject_GetItem(mapping, key);
    if (value == NULL)
        return -1;
    int result = PyDict_SetItem(mp, key, value);
    Py_DECREF(value);
    return result;
}

static int
merge_mapping(PyObject *mp, PyObject *mapping, int override)
{
    PyObject *keys = PyMapping_Keys(mapping), *it, *key;
    int more = 0, error = 0;

    if (keys == NULL)
        return -1;
    it = PyObject_GetIter(keys);
    Py_DECREF(keys);
    if (it == NULL)
        return -1;
    while (error >= 0 && (more = PyIter_NextItem(it, &key)) > 0) {
        error = merge_key(mp, mapping, key, override);
        Py_DECREF(key);
    }
    Py_DECREF(it);
    return error < 0 ? -1 : more;
}

int
PyDict_Merge(PyObject *op, PyObject *mapping, int override)
{
    if (op == NULL || !PyDict_Check(op) || mapping == NULL)
        return PYB_WRONG_TYPE(op, -1);
    if (PyAnyDict_Check(mapping) &&
        Py_TYPE(mapping)->tp_iter == PyDict_Type.tp_iter)
        return merge_dict(DICT(op), DICT(mapping), override);
    return merge_mapping(op, mapping, override);
}

int
PyDict_Update(PyObject *op, PyObject *mapping)
{
    return PyDict_Merge(op, mapping, 1);
}

/* Sets mp[pair[0]] to pair[1]; pair is a list or a tuple. */
static int
merge_pair(PyObject *mp, PyObject *pair, Py_ssize_t number, int override)
{
    PYB_ASSERT_OBJECT(PyList_Check(pair) || PyTuple_Check(pair), pair);
    Py_ssize_t n = PySequence_Fast_GET_SIZE(pair);

    if (n != 2)
        return pyb_failf(
            PyExc_ValueError,
            "dictionary update sequence element #%zd has length %zd; "
            "2 is required",
            number, n);
    PyObject *key = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 0));
    PyObject *value = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 1));
    int result = override ? PyDict_SetItem(mp, key, value)
                          : PyDict_SetDefaultRef(mp, key, value, NULL);
    Py_DECREF(key);
    Py_DECREF(value);
    return result < 0 ? -1 : 0;
}

/* An element as a list or a tuple; a new reference, or NULL with an
   exception. */
static PyObject *
as_pair(PyObject *element, Py_ssize_t number)
{
    PyObject *pair = PySequence_Fast(element, "");

    if (pair == NULL && PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError,
                     "cannot convert dictionary update sequence element #%zd "
                     "to a sequence",
                     number);
    return pair;
}

int
PyDict_MergeFromSeq2(PyObject *op, PyObject *pairs, int override)
{
    PyObject *it = PyObject_GetIter(pairs), *element;
    int more = 0, error = 0;

    if (it == NULL)
        return -1;
    for (Py_ssize_t i = 0;
         error >= 0 && (more = PyIter_NextItem(it, &element)) > 0; i++) {
        PyObject *pair = as_pair(element, i);
        Py_DECREF(element);
        error = pair == NULL ? -1 : merge_pair(op, pair, i, override);
        Py_XDECREF(pair);
    }
    Py_DECREF(it);
    return error < 0 ? -1 : more;
}

int
pyb_dict_update(PyObject *mp, PyObject *source)
{
    PYB_ASSERT_OBJECT(PyDict_Check(mp), mp);
    if (PyAnyDict_CheckExact(source))
        return PyDict_Merge(mp, source, 1);
    int mapping = PyObject_HasAttrStringWithError(source, "keys");
    if (mapping < 0)
        return -1;
    return mapping ? PyDict_Merge(mp, source, 1)
                   : PyDict_MergeFromSeq2(mp, source, 1);
}
