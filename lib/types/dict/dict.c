/* dict.c: the API of dictionaries.  The table is in dicttable.c, the functions
   that add many keys are in dictmerge.c, the type is in dicttype.c. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/dict/dict.h"

#define DICT(op) PYB_CAST(PyDictObject, PyAnyDict_Check, op)

/* 1 if op is a dictionary, or, for those that read, one or a frozendict; else
   0 with SystemError, for the caller's line. */
#define CHECK_DICT(op)                                                        \
    (_PyB_LIKELY((op) != NULL && PyDict_Check(op)) || PYB_WRONG_TYPE(op, 0))
#define CHECK_ANY_DICT(op)                                                    \
    (_PyB_LIKELY((op) != NULL && PyAnyDict_Check(op)) || PYB_WRONG_TYPE(op, 0))
/* The same for functions that raise nothing. */
#define IS_ANY_DICT(op)                                                       \
    (_PyB_LIKELY((op) != NULL && PyAnyDict_Check(op)) ||                      \
     (pyb_dead_given(__func__, op), 0))

/* Makes KeyError itself, since PyErr_SetObject would take a tuple as
   arguments. */
void
pyb_dict_key_error(PyObject *key)
{
    PyObject *exc = PyObject_CallOneArg(PyExc_KeyError, key);

    if (exc != NULL) {
        PyErr_SetObject(PyExc_KeyError, exc);
        Py_DECREF(exc);
    }
}

Py_ssize_t
PyDict_Size(PyObject *op)
{
    return CHECK_ANY_DICT(op) ? DICT(op)->ma_used : -1;
}

/* ------------------------------------------------------------------ */
/* Reading                                                             */

PyObject *
PyDict_GetItemWithError(PyObject *op, PyObject *key)
{
    if (!CHECK_ANY_DICT(op))
        return NULL;
    struct pyb_dict_entry *entry = pyb_dict_entry(DICT(op), key);
    return entry == NULL ? NULL : entry->value;
}

/* The end of a look-up that raises nothing: what went wrong is reported, and
   `pending`, whose reference is stolen, is the exception again. */
static PyObject *
value_reporting(struct pyb_dict_entry *entry, PyObject *pending,
                const char *report)
{
    PyObject *value = entry == NULL ? NULL : entry->value;

    if (entry == NULL && PyErr_Occurred())
        PyErr_FormatUnraisable(report);
    PyErr_SetRaisedException(pending);
    return value;
}

PyObject *
PyDict_GetItem(PyObject *op, PyObject *key)
{
    if (!IS_ANY_DICT(op))
        return NULL;
    PyObject *pending = PyErr_GetRaisedException();
    return value_reporting(pyb_dict_entry(DICT(op), key), pending,
                           "Exception ignored in PyDict_GetItem(); "
                           "consider using PyDict_GetItemRef() or "
                           "PyDict_GetItemWithError()");
}

PyObject *
PyDict_GetItemString(PyObject *op, const char *key)
{
    if (!IS_ANY_DICT(op))
        return NULL;
    PyObject *pending = PyErr_GetRaisedException();
    PyObject *name = PyUnicode_FromString(key);
    struct pyb_dict_entry *entry =
        name == NULL ? NULL : pyb_dict_entry(DICT(op), name);
    PyObject *value =
        value_reporting(entry, pending,
                        "Exception ignored in PyDict_GetItemString(); "
                        "consider using PyDict_GetItemStringRef()");
    Py_XDECREF(name);
    return value;
}

int
PyDict_GetItemRef(PyObject *op, PyObject *key, PyObject **result)
{
    *result = NULL;
    if (!CHECK_ANY_DICT(op))
        return -1;
    struct pyb_dict_entry *entry = pyb_dict_entry(DICT(op), key);
    if (entry == NULL)
        return PyErr_Occurred() ? -1 : 0;
    PYB_ASSERT(entry->key != NULL && entry->value != NULL);
    *result = Py_NewRef(entry->value);
    return 1;
}

int
PyDict_GetItemStringRef(PyObject *op, const char *key, PyObject **result)
{
    PyObject *name = PyUnicode_FromString(key);

    *result = NULL;
    if (name == NULL)
        return -1;
    int found = PyDict_GetItemRef(op, name, result);
    Py_DECREF(name);
    return found;
}

int
PyDict_Contains(PyObject *op, PyObject *key)
{
    if (!CHECK_ANY_DICT(op))
        return -1;
    Py_hash_t hash = pyb_dict_hash(key);
    return hash == -1 ? -1 : pyb_dict_has(DICT(op), key, hash);
}

int
PyDict_ContainsString(PyObject *op, const char *key)
{
    PyObject *name = PyUnicode_FromString(key);

    if (name == NULL)
        return -1;
    int found = PyDict_Contains(op, name);
    Py_DECREF(name);
    return found;
}

int
PyDict_Next(PyObject *op, Py_ssize_t *pos, PyObject **key, PyObject **value)
{
    if (!IS_ANY_DICT(op))
        return 0;
    /* A subtype's tp_traverse may come before its tp_new is through. */
    struct pyb_dict_entry *entry =
        DICT(op)->_pyb_table != NULL ? pyb_dict_next(DICT(op), pos) : NULL;
    if (entry == NULL)
        return 0;
    if (key != NULL)
        *key = entry->key;
    if (value != NULL)
        *value = entry->value;
    return 1;
}

/* ------------------------------------------------------------------ */
/* Writing                                                             */

int
PyDict_SetItem(PyObject *op, PyObject *key, PyObject *value)
{
    if (!CHECK_DICT(op))
        return -1;
    pyb_dead_kept(__func__, value);
    Py_hash_t hash = pyb_dict_hash(key);
    return hash == -1 ? -1 : pyb_dict_insert(DICT(op), key, hash, value);
}

int
PyDict_SetItemString(PyObject *op, const char *key, PyObject *value)
{
    PyObject *name = PyUnicode_InternFromString(key);

    if (name == NULL)
        return -1;
    int result = PyDict_SetItem(op, name, value);
    Py_DECREF(name);
    return result;
}

/* PyDict_SetDefaultRef with a result that is borrowed. */
static int
set_default(PyObject *op, PyObject *key, PyObject *value, PyObject **result)
{
    *result = NULL;
    if (!CHECK_DICT(op))
        return -1;
    pyb_dead_kept("PyDict_SetDefault", value);
    Py_hash_t hash = pyb_dict_hash(key);
    if (hash == -1)
        return -1;
    Py_ssize_t i = pyb_dict_lookup(DICT(op), key, hash);
    if (i >= 0) {
        *result = DICT(op)->_pyb_table->entries[i].value;
        return 1;
    }
    if (i == PYB_DICT_ERROR || pyb_dict_add(DICT(op), key, hash, value) < 0)
        return -1;
    *result = value;
    return 0;
}

int
PyDict_SetDefaultRef(PyObject *op, PyObject *key, PyObject *default_value,
                     PyObject **result)
{
    PyObject *value;
    int found = set_default(op, key, default_value, &value);

    if (result != NULL)
        *result = Py_XNewRef(value);
    return found;
}

PyObject *
PyDict_SetDefault(PyObject *op, PyObject *key, PyObject *default_value)
{
    PyObject *value;

    set_default(op, key, default_value, &value);
    return value;
}

int
PyDict_Pop(PyObject *op, PyObject *key, PyObject **result)
{
    if (result != NULL)
        *result = NULL;
    if (!CHECK_DICT(op))
        return -1;
    if (DICT(op)->ma_used == 0)
        return 0;
    Py_hash_t hash = pyb_dict_hash(key);
    if (hash == -1)
        return -1;
    Py_ssize_t i = pyb_dict_lookup(DICT(op), key, hash);
    if (i < 0)
        return i == PYB_DICT_ABSENT ? 0 : -1;
    struct pyb_dict_entry taken = pyb_dict_take(DICT(op), i);
    if (result != NULL)
        *result = Py_NewRef(taken.value);
    Py_DECREF(taken.key);
    Py_DECREF(taken.value);
    return 1;
}

int
PyDict_PopString(PyObject *op, const char *key, PyObject **result)
{
    PyObject *name = PyUnicode_FromString(key);

    if (name == NULL) {
        if (result != NULL)
            *result = NULL;
        return -1;
    }
    int found = PyDict_Pop(op, name, result);
    Py_DECREF(name);
    return found;
}

int
PyDict_DelItem(PyObject *op, PyObject *key)
{
    if (!CHECK_DICT(op))
        return -1;
    Py_hash_t hash = pyb_dict_hash(key);
    if (hash == -1)
        return -1;
    int found = pyb_dict_discard(DICT(op), key, hash);
    if (found == 0)
        pyb_dict_key_error(key);
    return found > 0 ? 0 : -1;
}

int
PyDict_DelItemString(PyObject *op, const char *key)
{
    PyObject *name = PyUnicode_FromString(key);

    if (name == NULL)
        return -1;
    int result = PyDict_DelItem(op, name);
    Py_DECREF(name);
    return result;
}

void
PyDict_Clear(PyObject *op)
{
    if (op != NULL && PyDict_Check(op))
        pyb_dict_clear(DICT(op));
    else
        pyb_dead_given(__func__, op);
}

/* ------------------------------------------------------------------ */
/* Whole dictionaries                                                  */

PyObject *
PyDict_Copy(PyObject *op)
{
    if (!CHECK_DICT(op))
        return NULL;
    PyObject *copy = PyDict_New();
    if (copy != NULL && pyb_dict_clone(DICT(copy), DICT(op)) < 0)
        Py_CLEAR(copy);
    return copy;
}

/* The objects in lists of a dictionary's content.  New references. */
static PyObject *
key_of(const struct pyb_dict_entry *entry)
{
    return Py_NewRef(entry->key);
}

static PyObject *
value_of(const struct pyb_dict_entry *entry)
{
    return Py_NewRef(entry->value);
}

static PyObject *
item_of(const struct pyb_dict_entry *entry)
{
    PyObject *key = Py_NewRef(entry->key), *value = Py_NewRef(entry->value);
    PyObject *item = PyTuple_New(2); /* may collect: entry may be gone */

    if (item == NULL) {
        Py_DECREF(key);
        Py_DECREF(value);
        return NULL;
    }
    PyTuple_SET_ITEM(item, 0, key);
    PyTuple_SET_ITEM(item, 1, value);
    return item;
}

static PyObject *
list_of(PyDictObject *mp, PyObject *(*part)(const struct pyb_dict_entry *))
{
    PyObject *list = PyList_New(0);
    struct pyb_dict_entry *entry;
    Py_ssize_t pos = 0;

    while (list != NULL && (entry = pyb_dict_next(mp, &pos)) != NULL)
        if (pyb_append_stolen(list, part(entry)) < 0)
            Py_CLEAR(list);
    return list;
}

PyObject *
PyDict_Keys(PyObject *op)
{
    return CHECK_ANY_DICT(op) ? list_of(DICT(op), key_of) : NULL;
}

PyObject *
PyDict_Values(PyObject *op)
{
    return CHECK_ANY_DICT(op) ? list_of(DICT(op), value_of) : NULL;
}

PyObject *
PyDict_Items(PyObject *op)
{
    return CHECK_ANY_DICT(op) ? list_of(DICT(op), item_of) : NULL;
}
