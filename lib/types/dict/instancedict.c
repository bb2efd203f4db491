/* instancedict.c: dictionaries of instances that have not been asked for: see
   instancedict.h.

   Manual: "Supporting Cyclic Garbage Collection",
   PyObject_VisitManagedDict. */

#include "gc/base/fatal.h"
#include "object/attr/instancedict.h"

#include "types/dict/dict.h"

#define DICT(op) PYB_CAST(PyDictObject, PyDict_Check, op)

/* _pyb_unseen */
enum { SEEN, UNSEEN, LAID_OPEN };

PyObject *
pyb_instancedict_new(Py_ssize_t n)
{
    PyObject *dict = PyDict_New();

    if (dict != NULL && n > 0 && pyb_dict_resize(DICT(dict), n) < 0)
        Py_CLEAR(dict);
    if (dict != NULL)
        DICT(dict)->_pyb_unseen = UNSEEN;
    return dict;
}

void
pyb_instancedict_add(PyObject *dict, PyObject *name, PyObject *value)
{
    PYB_ASSERT_OBJECT(pyb_instancedict_is_unseen(dict), dict);
    PYB_ASSERT(DICT(dict)->_pyb_table->left > 0);
    (void)pyb_dict_add(DICT(dict), name, pyb_dict_hash(name), value);
    Py_DECREF(value);
}

int
pyb_instancedict_is_unseen(PyObject *dict)
{
    return PyDict_CheckExact(dict) && DICT(dict)->_pyb_unseen == UNSEEN;
}

void
pyb_instancedict_show(PyObject *dict)
{
    struct pyb_dict_entry *entry;
    Py_ssize_t pos = 0;

    if (!pyb_instancedict_is_unseen(dict))
        return;
    DICT(dict)->_pyb_unseen = SEEN;
    while ((entry = pyb_dict_next(DICT(dict), &pos)) != NULL)
        pyb_dict_maintain_tracking(DICT(dict), entry->key, entry->value);
}

void
pyb_instancedict_lay_open(PyObject *op)
{
    if (pyb_instancedict_is_unseen(op))
        DICT(op)->_pyb_unseen = LAID_OPEN;
}

void
pyb_instancedict_hide(PyObject *op)
{
    PYB_ASSERT_OBJECT(
        !PyDict_CheckExact(op) || DICT(op)->_pyb_unseen <= LAID_OPEN, op);
    if (PyDict_CheckExact(op) && DICT(op)->_pyb_unseen == LAID_OPEN)
        DICT(op)->_pyb_unseen = UNSEEN;
}

/* Visits the values, and keys of subtypes of str: exact strs, which most names
   of attributes are, cannot be part of a cycle. */
static int
visit_attributes(PyDictObject *mp, visitproc visit, void *arg)
{
    struct pyb_dict_entry *entry;
    Py_ssize_t pos = 0;

    while ((entry = pyb_dict_next(mp, &pos)) != NULL) {
        Py_VISIT(entry->value);
        if (_PyB_UNLIKELY(!PyUnicode_CheckExact(entry->key)))
            Py_VISIT(entry->key);
    }
    return 0;
}

/* The instance's lookup holds a reference of its own while keys are compared.
   The contents of the dictionary are then in use from outside, and the
   instance must not account for them. */
int
pyb_instancedict_visit(PyObject *dict, visitproc visit, void *arg)
{
    /* A tracked one would be counted beside its instance. */
    PYB_ASSERT_OBJECT(!pyb_instancedict_is_unseen(dict) ||
                          !PyObject_GC_IsTracked(dict),
                      dict);
    if (pyb_instancedict_is_unseen(dict) && Py_REFCNT(dict) == 1)
        return visit_attributes(DICT(dict), visit, arg);
    return visit(dict, arg);
}
