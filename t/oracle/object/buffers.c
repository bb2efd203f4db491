/* buffers.c: the buffer protocol: what each request is given, what is refused,
   exports that forbid resizing, what owns what.
   Manual: "Buffer Protocol". */

#include "oracle.h"

static const struct {
    const char *name;
    int flags;
} requests[] = {
    {"simple", PyBUF_SIMPLE},      {"writable", PyBUF_WRITABLE},
    {"format", PyBUF_FORMAT},      {"nd", PyBUF_ND},
    {"strides", PyBUF_STRIDES},    {"indirect", PyBUF_INDIRECT},
    {"c", PyBUF_C_CONTIGUOUS},     {"f", PyBUF_F_CONTIGUOUS},
    {"any", PyBUF_ANY_CONTIGUOUS}, {"full", PyBUF_FULL},
    {"full_ro", PyBUF_FULL_RO},    {"contig", PyBUF_CONTIG},
};

static void
ask(const char *label, PyObject *op)
{
    Py_buffer view;

    say("%s: has a buffer %d", label, PyObject_CheckBuffer(op));
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        if (PyObject_GetBuffer(op, &view, requests[i].flags) < 0) {
            printf("    %s: ", requests[i].name);
            error();
            continue;
        }
        say("    %s: len %ld, readonly %d, itemsize %ld, ndim %d, format %s, "
            "shape %ld, strides %ld, suboffsets %d, obj %s",
            requests[i].name, (long)view.len, view.readonly,
            (long)view.itemsize, view.ndim,
            view.format != NULL ? view.format : "NULL",
            view.shape != NULL ? (long)view.shape[0] : -1,
            view.strides != NULL ? (long)view.strides[0] : -1,
            view.suboffsets != NULL, view.obj == op ? "kept" : "another");
        PyBuffer_Release(&view);
        result("    released", view.obj != NULL);
    }
    Py_DECREF(op);
}

static void
fill(void)
{
    static char memory[] = "memory";
    PyObject *owner = PyList_New(0);
    Py_buffer view = {.obj = NULL}; /* 3.11 leaves it where it fails */

    RESULT(PyBuffer_FillInfo(&view, owner, memory, 6, 1, PyBUF_WRITABLE));
    RESULT(view.obj != NULL);
    RESULT(PyBuffer_FillInfo(&view, owner, memory, 6, 1, PyBUF_FULL_RO));
    RESULT(Py_REFCNT(owner));
    PyBuffer_Release(&view);
    PyBuffer_Release(&view);
    RESULT(Py_REFCNT(owner));
    RESULT(PyBuffer_FillInfo(&view, NULL, memory, 6, 0, PyBUF_SIMPLE));
    RESULT(PyBuffer_IsContiguous(&view, 'C'));
    RESULT(PyBuffer_IsContiguous(&view, 'F'));
    PyBuffer_Release(&view);
    Py_DECREF(owner);
}

static void
exports(void)
{
    PyObject *array = need(PyByteArray_FromStringAndSize("abc", 3));
    Py_buffer view;

    RESULT(PyObject_GetBuffer(array, &view, PyBUF_WRITABLE));
    ((char *)view.buf)[0] = 'X';
    RESULT(PyByteArray_Resize(array, 100));
    RESULT(PyByteArray_Resize(array, 3));
    show_kept("array", array);
    RESULT(Py_REFCNT(array));
    PyBuffer_Release(&view);
    RESULT(PyByteArray_Resize(array, 2));
    show_kept("array", array);
    Py_DECREF(array);
}

void
oracle_program(void)
{
    PyObject *list = PyList_New(0);
    Py_buffer view;

    ask("bytes", PyBytes_FromString("text"));
    ask("bytearray", need(PyByteArray_FromStringAndSize("array", 5)));
    ask("empty bytes", PyBytes_FromString(""));
    RESULT(PyObject_CheckBuffer(list));
    RESULT(PyObject_GetBuffer(list, &view, PyBUF_SIMPLE));
    RESULT(PyObject_CheckBuffer(Py_None));
    fill();
    exports();
    Py_DECREF(list);
}
