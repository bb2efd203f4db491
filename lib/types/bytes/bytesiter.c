/* bytesiter.c: the iterators of bytes and bytearray. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/iter/iterators.h"

static PyObject *
iter_next(PyObject *op)
{
    struct pyb_iterator *it = PYB_ITERATOR(op);

    PYB_ASSERT_OBJECT(it->of == NULL || PyBytes_Check(it->of) ||
                          PyByteArray_Check(it->of),
                      op);
    PYB_ASSERT_OBJECT(it->index >= 0, op);
    if (it->of == NULL)
        return NULL;
    if (it->index >= Py_SIZE(it->of)) {
        Py_CLEAR(it->of);
        return NULL;
    }
    const char *data = PyBytes_Check(it->of) ? PyBytes_AS_STRING(it->of)
                                             : PyByteArray_AS_STRING(it->of);
    return PyLong_FromLong((unsigned char)data[it->index++]);
}

PyTypeObject PyBytesIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "bytes_iterator",
    PYB_ITERATOR_SLOTS(struct pyb_iterator),
    .tp_iternext = iter_next,
    .tp_methods = pyb_iterator_methods,
};

PyTypeObject PyByteArrayIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "bytearray_iterator",
    PYB_ITERATOR_SLOTS(struct pyb_iterator),
    .tp_iternext = iter_next,
    .tp_methods = pyb_iterator_methods,
};
