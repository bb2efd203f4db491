/* pickle_buffers.c: PickleBuffer.  Manual: "Pickle buffer objects". */

#include "oracle.h"

static void
use(PyObject *op)
{
    const Py_buffer *view = PyPickleBuffer_GetBuffer(op);

    if (view == NULL) {
        error();
        return;
    }
    say("len %zd itemsize %zd ndim %d readonly %d format %s", view->len,
        view->itemsize, view->ndim, view->readonly, view->format);
    show_kept("of", view->obj);
    SHOW(PyMemoryView_FromObject(op) ? Py_NewRef(Py_True) : NULL);
    PyObject *raw = PyObject_CallMethod(op, "raw", NULL);
    if (raw == NULL) {
        error();
        return;
    }
    SHOW(PyObject_CallMethod(raw, "tobytes", NULL));
    SHOW(PyObject_GetAttrString(raw, "format"));
    SHOW(PyObject_GetAttrString(raw, "ndim"));
    SHOW(PyObject_GetAttrString(raw, "shape"));
    SHOW(PyObject_GetAttrString(raw, "readonly"));
    Py_DECREF(raw);
}

static void
of(PyObject *base)
{
    PyObject *op = PyPickleBuffer_FromObject(base);

    if (op == NULL) {
        error();
        Py_DECREF(base);
        return;
    }
    RESULT(PyPickleBuffer_Check(op));
    use(op);
    visits("buffer", op);
    RESULT(PyPickleBuffer_Release(op));
    RESULT(PyPickleBuffer_Release(op));
    use(op);
    SHOW(PyMemoryView_FromObject(op));
    SHOW(PyObject_CallMethod(op, "raw", NULL));
    SHOW(PyObject_CallMethod(op, "release", NULL));
    drop_all(op, base);
}

void
oracle_program(void)
{
    static char items[24];
    Py_ssize_t shape[2] = {2, 3}, c[2] = {12, 4}, fortran[2] = {4, 8},
               wide[2] = {12, 8};
    Py_buffer view = {.buf = items,
                      .len = 24,
                      .itemsize = 4,
                      .ndim = 2,
                      .format = "i",
                      .shape = shape,
                      .strides = c};

    for (int i = 0; i < 24; i++)
        items[i] = (char)('a' + i);
    of(need(PyBytes_FromString("text")));
    of(need(PyByteArray_FromStringAndSize("more", 4)));
    of(need(PyBytes_FromString("")));
    of(need(PyLong_FromLong(3)));
    of(need(PyMemoryView_FromBuffer(&view)));
    view.strides = fortran;
    view.len = 24;
    of(need(PyMemoryView_FromBuffer(&view)));
    view.strides = wide;
    shape[0] = 1;
    shape[1] = 2;
    view.len = 8;
    of(need(PyMemoryView_FromBuffer(&view)));
    RESULT(PyPickleBuffer_GetBuffer(Py_None) == NULL);
    RESULT(PyPickleBuffer_Release(Py_None));
    RESULT(PyPickleBuffer_Check(Py_None));
    PyObject *made = need(PyObject_CallFunction(
        (PyObject *)&PyPickleBuffer_Type, "y", "called"));
    use(made);
    Py_DECREF(made);
    SHOW(PyObject_CallFunction((PyObject *)&PyPickleBuffer_Type, "i", 1));
    PyObject *array = need(PyByteArray_FromStringAndSize("held", 4));
    made = need(PyPickleBuffer_FromObject(array));
    RESULT(PyByteArray_Resize(array, 8));
    Py_DECREF(made);
    RESULT(PyByteArray_Resize(array, 8));
    Py_DECREF(array);
}
