/* iterators.h: what iterators share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_ITER_ITERATORS_H
#define PYB_TYPES_ITER_ITERATORS_H

#include "Python.h"

#include "gc/base/fatal.h"

/* An iterator over one object; some add fields of their own.  The slots
   that are shared have no tp_clear, as in CPython: a cycle through an iterator
   also contains an object that has one. */
struct pyb_iterator {
    PyObject_HEAD
    Py_ssize_t index; /* of the next item */
    PyObject *of;     /* owned, visited; NULL at the end */
};

/* Has op's type this structure?  Every such type steps, and has room for it.
 */
#define PYB_IS_ITERATOR(op)                                                   \
    (Py_TYPE(op)->tp_iternext != NULL &&                                      \
     Py_TYPE(op)->tp_basicsize >= (Py_ssize_t)sizeof(struct pyb_iterator))
#define PYB_ITERATOR(op) PYB_CAST(struct pyb_iterator, PYB_IS_ITERATOR, op)

/* pyb_iterator_check: fatal if an iterator contradicts itself, see fatal.h. */
void pyb_iterator_check(PyObject *op);

/* pyb_iterator_new: an iterator of the type over an object.  A new reference,
   or NULL with MemoryError. */
PyObject *pyb_iterator_new(PyTypeObject *type, PyObject *of, Py_ssize_t index);

void pyb_iterator_dealloc(PyObject *op);
int pyb_iterator_traverse(PyObject *op, visitproc visit, void *arg);

/* pyb_iterator_methods: the methods of one that goes up to the Py_SIZE of its
   object. */
extern PyMethodDef pyb_iterator_methods[];

/* pyb_iterator_reduce, pyb_iterator_setstate: __reduce__ and __setstate__ of
   one whose index counts items, or that has methods of its own for them. */
PyObject *pyb_iterator_reduce(PyObject *op, PyObject *none);
PyObject *pyb_iterator_setstate(PyObject *op, PyObject *state);

/* pyb_iterator_reduce_rest: __reduce__ of an iterator as one over a list of
   the items that are left; copy, which is stolen and may be NULL, is used up
   for them. */
PyObject *pyb_iterator_reduce_rest(PyObject *copy);

#define PYB_ITERATOR_STATE                                                    \
    {"__reduce__", pyb_iterator_reduce, METH_NOARGS,                          \
     PyDoc_STR("Return state information for pickling.")},                    \
    {                                                                         \
        "__setstate__", pyb_iterator_setstate, METH_O,                        \
            PyDoc_STR("Set state information for unpickling.")                \
    }

/* PYB_LENGTH_HINT: an entry of a table. */
#define PYB_LENGTH_HINT(FUNCTION)                                             \
    {                                                                         \
        "__length_hint__", FUNCTION, METH_NOARGS,                             \
            PyDoc_STR(                                                        \
                "Private method returning an estimate of len(list(it)).")     \
    }

/* PYB_ITERATOR_TABLE: the methods of one of these. */
#define PYB_ITERATOR_TABLE(FUNCTION)                                          \
    {                                                                         \
        PYB_LENGTH_HINT(FUNCTION), PYB_ITERATOR_STATE, {NULL, NULL, 0, NULL}, \
    }
/* clang-format off */
/* PYB_ITERATOR_SLOTS: the slots of one without more owned fields. */
#define PYB_ITERATOR_SLOTS(STRUCTURE)                                         \
    .tp_basicsize = sizeof(STRUCTURE),                                        \
    .tp_dealloc = pyb_iterator_dealloc,                                       \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,                      \
    .tp_traverse = pyb_iterator_traverse,                                     \
    .tp_iter = PyObject_SelfIter
/* clang-format on */

/* pyb_iterator_step: for an iterator over another one's items: the next one of
   that: a new reference, or NULL at the end or with an exception, which is
   RecursionError if they are nested too deep. */
PyObject *pyb_iterator_step_into(PyObject *it);

static inline PyObject *
pyb_iterator_step(PyObject *it)
{
    PYB_ASSERT_OBJECT(Py_TYPE(it)->tp_iternext != NULL, it);
    /* These step into no other. */
    if (Py_TYPE(it) == &PyListIter_Type || Py_TYPE(it) == &PyTupleIter_Type ||
        Py_TYPE(it) == &PyRangeIter_Type)
        return Py_TYPE(it)->tp_iternext(it);
    return pyb_iterator_step_into(it);
}

/* pyb_iterators_of: a tuple of iterators over the items of args from number
   first on, for zip and map.  A new reference, or NULL with an exception. */
PyObject *pyb_iterators_of(PyObject *args, Py_ssize_t first);

/* pyb_iterators_next: the next item of iterator number i of the tuple: a new
   reference, or NULL at the end or with an exception. */
static inline PyObject *
pyb_iterators_next(PyObject *iterators, Py_ssize_t i)
{
    PYB_ASSERT(i >= 0 && i < PyTuple_GET_SIZE(iterators));
    return pyb_iterator_step(PyTuple_GET_ITEM(iterators, i));
}

#endif /* PYB_TYPES_ITER_ITERATORS_H */
