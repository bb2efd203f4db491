/* set.c: the API of sets and frozensets.  Operations on two of them are in
   setops.c, the types in settype.c, their iterator in setiter.c. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/set/set.h"

/* 1 if the condition, which tests op's type, holds; else 0 with SystemError,
   for the caller's line. */
#define CHECK_KIND(op, condition)                                             \
    (_PyB_LIKELY((op) != NULL && (condition)) || PYB_WRONG_TYPE(op, 0))
#define CHECK_SET(op) CHECK_KIND(op, PySet_Check(op))
#define CHECK_ANYSET(op) CHECK_KIND(op, PyAnySet_Check(op))

PyObject *
pyb_set_make(PyTypeObject *type, PyObject *iterable)
{
    PyObject *op = type->tp_alloc(type, 0);

    if (op == NULL)
        return NULL;
    pyb_dict_init(PYB_SET_TABLE(op));
    PYB_SET(op)->_pyb_hash = -1;
    PYB_SET(op)->weakreflist = NULL;
    if (iterable != NULL && pyb_set_update(op, iterable) < 0)
        Py_CLEAR(op);
    return op;
}

PyObject *
pyb_set_like(PyObject *op, PyObject *iterable)
{
    PYB_ASSERT_OBJECT(PyAnySet_Check(op), op);
    return pyb_set_make(PySet_Check(op) ? &PySet_Type : &PyFrozenSet_Type,
                        iterable);
}

PyObject *
PySet_New(PyObject *iterable)
{
    return pyb_set_make(&PySet_Type, iterable);
}

PyObject *
PyFrozenSet_New(PyObject *iterable)
{
    return pyb_set_make(&PyFrozenSet_Type, iterable);
}

Py_ssize_t
PySet_Size(PyObject *op)
{
    return CHECK_ANYSET(op) ? PySet_GET_SIZE(op) : -1;
}

int
PySet_Contains(PyObject *op, PyObject *key)
{
    if (!CHECK_ANYSET(op))
        return -1;
    Py_hash_t hash = pyb_dict_hash(key);
    return hash == -1 ? -1 : pyb_dict_has(PYB_SET_TABLE(op), key, hash);
}

int
PySet_Add(PyObject *op, PyObject *key)
{
    if (!CHECK_KIND(op, PySet_Check(op) ||
                            (PyFrozenSet_Check(op) && Py_REFCNT(op) == 1)))
        return -1;
    Py_hash_t hash = pyb_dict_hash(key);
    if (hash == -1)
        return -1;
    PYB_SET(op)->_pyb_hash = -1;
    return pyb_dict_insert(PYB_SET_TABLE(op), key, hash, Py_None);
}

int
PySet_Discard(PyObject *op, PyObject *key)
{
    if (!CHECK_SET(op))
        return -1;
    Py_hash_t hash = pyb_dict_hash(key);
    return hash == -1 ? -1 : pyb_dict_discard(PYB_SET_TABLE(op), key, hash);
}

PyObject *
PySet_Pop(PyObject *op)
{
    if (!CHECK_SET(op))
        return NULL;
    PyDictObject *mp = PYB_SET_TABLE(op);
    if (mp->ma_used == 0)
        return pyb_raise(PyExc_KeyError, "pop from an empty set");
    PYB_ASSERT(mp->_pyb_table->nentries > 0);
    /* The value is None, which is immortal. */
    return pyb_dict_take(mp, mp->_pyb_table->nentries - 1).key;
}

int
PySet_Clear(PyObject *op)
{
    if (!CHECK_SET(op))
        return -1;
    pyb_dict_clear(PYB_SET_TABLE(op));
    return 0;
}

int
_PySet_Update(PyObject *op, PyObject *iterable)
{
    return CHECK_SET(op) ? pyb_set_update(op, iterable) : -1;
}

int
_PySet_NextEntry(PyObject *op, Py_ssize_t *pos, PyObject **key,
                 Py_hash_t *hash)
{
    if (!CHECK_ANYSET(op))
        return -1;
    struct pyb_dict_entry *entry = pyb_dict_next(PYB_SET_TABLE(op), pos);
    if (entry == NULL)
        return 0;
    PYB_ASSERT_OBJECT(entry->value == Py_None, op);
    *key = entry->key;
    *hash = entry->hash;
    return 1;
}
