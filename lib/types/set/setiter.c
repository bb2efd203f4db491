/* setiter.c: the iterator over sets and frozensets. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "types/iter/iterators.h"
#include "types/set/set.h"

struct set_iter {
    struct pyb_iterator base; /* its index is for pyb_dict_next */
    Py_ssize_t used; /* the set's size at the start; -1 once it has changed */
    Py_ssize_t left; /* the number of elements left */
};

#define IS_ITER(op) Py_IS_TYPE(op, &PySetIter_Type)
#define ITER(op) PYB_CAST(struct set_iter, IS_ITER, op)

PyObject *
pyb_set_iter(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyAnySet_Check(op), op);
    PyObject *it = pyb_iterator_new(&PySetIter_Type, op, 0);
    if (it != NULL)
        ITER(it)->used = ITER(it)->left = PySet_GET_SIZE(op);
    return it;
}

static int
set_iter_clear(PyObject *op)
{
    Py_CLEAR(PYB_ITERATOR(op)->of);
    return 0;
}

/* A set that lost as many elements as it gained yields no more than it had at
   the start, so that a loop that changes it always ends. */
static PyObject *
set_iter_next(PyObject *op)
{
    struct set_iter *it = ITER(op);
    struct pyb_dict_entry *entry = NULL;

    PYB_ASSERT_OBJECT(it->base.of == NULL || PyAnySet_Check(it->base.of), op);
    if (it->base.of == NULL)
        return NULL;
    if (it->used != PySet_GET_SIZE(it->base.of)) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Set changed size during iteration");
        it->used = -1; /* stays so */
        return NULL;
    }
    PYB_ASSERT(it->left >= 0);
    if (it->left > 0)
        entry = pyb_dict_next(PYB_SET_TABLE(it->base.of), &it->base.index);
    if (entry != NULL) {
        it->left--;
        return Py_NewRef(entry->key);
    }
    Py_CLEAR(it->base.of);
    return NULL;
}

static PyObject *
set_iter_length_hint(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct set_iter *it = ITER(op);
    int valid = it->base.of != NULL && it->used == PySet_GET_SIZE(it->base.of);

    return PyLong_FromSsize_t(valid ? it->left : 0);
}

static PyObject *
set_iter_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct set_iter *it = ITER(op);
    PyObject *copy;

    if (it->base.of == NULL)
        return pyb_reduce_call("iter", NULL, "([])");
    copy = pyb_set_iter(it->base.of);
    if (copy != NULL) {
        ITER(copy)->used = it->used;
        ITER(copy)->left = it->left;
        ITER(copy)->base.index = it->base.index;
    }
    return pyb_iterator_reduce_rest(copy);
}

static PyMethodDef set_iter_methods[] = {
    PYB_LENGTH_HINT(set_iter_length_hint),
    {"__reduce__", set_iter_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PySetIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "set_iterator",
    PYB_ITERATOR_SLOTS(struct set_iter),
    .tp_clear = set_iter_clear,
    .tp_iternext = set_iter_next,
    .tp_methods = set_iter_methods,
};
