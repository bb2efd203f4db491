/* odd.c: an object that runs hooks of the test; see odd.h. */

#include "odd.h"

#include <check.h>

typedef struct {
    PyObject ob_base;
    Py_hash_t hash;
} OddObject;

richcmpfunc compare_hook;
void (*dealloc_hook)(void);

static Py_hash_t
odd_hash(PyObject *op)
{
    return ((OddObject *)op)->hash;
}

static PyObject *
odd_richcompare(PyObject *a, PyObject *b, int op)
{
    if (compare_hook != NULL)
        return compare_hook(a, b, op);
    Py_RETURN_NOTIMPLEMENTED;
}

static void
odd_dealloc(PyObject *op)
{
    if (dealloc_hook != NULL)
        dealloc_hook();
    PyObject_Free(op);
}

static PyTypeObject Odd_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "check.Odd",
    .tp_basicsize = sizeof(OddObject),
    .tp_dealloc = odd_dealloc,
    .tp_hash = odd_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_richcompare = odd_richcompare,
};

PyObject *
odd(Py_hash_t hash)
{
    ck_assert_int_eq(PyType_Ready(&Odd_Type), 0);
    OddObject *op = PyObject_New(OddObject, &Odd_Type);
    ck_assert_ptr_nonnull(op);
    op->hash = hash;
    return (PyObject *)op;
}
