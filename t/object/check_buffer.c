/* check_buffer.c: the buffer protocol, from both sides. */

#include "../support/suite.h"

#include <string.h>

/* A type that exports its 12 bytes and counts its exports. */
typedef struct {
    PyObject_HEAD
    char bytes[12];
    int exports;
    int readonly;
} Exporter;

static int
exporter_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    Exporter *self = (Exporter *)op;

    if (PyBuffer_FillInfo(view, op, self->bytes, sizeof(self->bytes),
                          self->readonly, flags) < 0)
        return -1;
    self->exports++;
    return 0;
}

static void
exporter_releasebuffer(PyObject *op, Py_buffer *Py_UNUSED(view))
{
    ((Exporter *)op)->exports--;
}

static PyBufferProcs exporter_as_buffer = {
    exporter_getbuffer,
    exporter_releasebuffer,
};

static void
exporter_dealloc(PyObject *op)
{
    PyObject_Free(op);
}

static PyTypeObject Exporter_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Exporter",
    .tp_basicsize = sizeof(Exporter),
    .tp_dealloc = exporter_dealloc,
    .tp_as_buffer = &exporter_as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static Exporter *
new_exporter(int readonly)
{
    ck_assert_int_eq(PyType_Ready(&Exporter_Type), 0);
    Exporter *self = suite_require(PyObject_New(Exporter, &Exporter_Type));
    memcpy(self->bytes, "hello, world", 12);
    self->exports = 0;
    self->readonly = readonly;
    return self;
}

START_TEST(a_view_owns_a_reference)
{
    Exporter *self = new_exporter(0);
    PyObject *op = (PyObject *)self;
    Py_buffer view;

    ck_assert_int_eq(PyObject_CheckBuffer(op), 1);
    ck_assert_int_eq(PyObject_GetBuffer(op, &view, PyBUF_SIMPLE), 0);
    ck_assert_ptr_eq(view.buf, self->bytes);
    ck_assert_int_eq(view.len, 12);
    ck_assert_int_eq(view.itemsize, 1);
    ck_assert_int_eq(view.ndim, 1);
    ck_assert_int_eq(view.readonly, 0);
    ck_assert_ptr_eq(view.obj, op);
    ck_assert_ptr_null(view.format);
    ck_assert_ptr_null(view.shape);
    ck_assert_ptr_null(view.strides);
    ck_assert_ptr_null(view.suboffsets);
    ck_assert_int_eq(Py_REFCNT(op), 2);
    ck_assert_int_eq(self->exports, 1);
    PyBuffer_Release(&view);
    ck_assert_ptr_null(view.obj);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    ck_assert_int_eq(self->exports, 0);
    PyBuffer_Release(&view); /* once more does no harm */
    ck_assert_int_eq(self->exports, 0);
    Py_DECREF(op);
}

START_TEST(flags_ask_for_more_fields)
{
    PyObject *op = (PyObject *)new_exporter(0);
    Py_buffer view;

    ck_assert_int_eq(PyObject_GetBuffer(op, &view, PyBUF_FULL), 0);
    ck_assert_str_eq(view.format, "B");
    ck_assert_int_eq(view.shape[0], 12);
    ck_assert_int_eq(view.strides[0], 1);
    ck_assert_ptr_null(view.suboffsets);
    PyBuffer_Release(&view);
    ck_assert_int_eq(PyObject_GetBuffer(op, &view, PyBUF_ND), 0);
    ck_assert_ptr_null(view.format);
    ck_assert_int_eq(view.shape[0], 12);
    ck_assert_ptr_null(view.strides);
    PyBuffer_Release(&view);
    Py_DECREF(op);
}

START_TEST(read_only_memory_is_not_writable)
{
    Exporter *self = new_exporter(1);
    Py_buffer view;

    suite_failed(PyObject_GetBuffer((PyObject *)self, &view, PyBUF_WRITABLE),
                 PyExc_BufferError, "Object is not writable.");
    ck_assert_int_eq(self->exports, 0);
    ck_assert_int_eq(Py_REFCNT(self), 1);
    ck_assert_int_eq(PyObject_GetBuffer((PyObject *)self, &view, PyBUF_SIMPLE),
                     0);
    ck_assert_int_eq(view.readonly, 1);
    PyBuffer_Release(&view);
    Py_DECREF(self);
}

START_TEST(objects_without_buffers_are_refused)
{
    PyObject *number = PyLong_FromLong(1);
    Py_buffer view;

    ck_assert_int_eq(PyObject_CheckBuffer(number), 0);
    suite_failed(PyObject_GetBuffer(number, &view, PyBUF_SIMPLE),
                 PyExc_TypeError,
                 "a bytes-like object is required, not 'int'");
    suite_failed(PyObject_GetBuffer(Py_None, &view, PyBUF_SIMPLE),
                 PyExc_TypeError,
                 "a bytes-like object is required, not 'NoneType'");
    Py_DECREF(number);
}

START_TEST(bytes_and_bytearray_export)
{
    PyObject *bytes = PyBytes_FromString("abc");
    PyObject *array = PyByteArray_FromStringAndSize("xyz", 3);
    Py_buffer view;

    ck_assert_int_eq(PyObject_GetBuffer(bytes, &view, PyBUF_FULL_RO), 0);
    ck_assert_ptr_eq(view.buf, PyBytes_AsString(bytes));
    ck_assert_int_eq(view.readonly, 1);
    PyBuffer_Release(&view);
    suite_failed(PyObject_GetBuffer(bytes, &view, PyBUF_WRITABLE),
                 PyExc_BufferError, "Object is not writable.");

    ck_assert_int_eq(PyObject_GetBuffer(array, &view, PyBUF_WRITABLE), 0);
    ((char *)view.buf)[0] = 'X';
    suite_failed(PyByteArray_Resize(array, 1000), PyExc_BufferError,
                 "Existing exports of data: object cannot be re-sized");
    PyBuffer_Release(&view);
    ck_assert_int_eq(PyByteArray_Resize(array, 1000), 0);
    ck_assert_int_eq(PyByteArray_AsString(array)[0], 'X');
    suite_drop(bytes, array);
}

START_TEST(fill_info_takes_no_object)
{
    char memory[4] = "abc";
    Py_buffer view;

    ck_assert_int_eq(
        PyBuffer_FillInfo(&view, NULL, memory, 4, 1, PyBUF_FULL_RO), 0);
    ck_assert_ptr_null(view.obj);
    ck_assert_ptr_eq(view.buf, memory);
    ck_assert_int_eq(view.shape[0], 4);
    PyBuffer_Release(&view);
    suite_failed(PyBuffer_FillInfo(NULL, NULL, memory, 4, 1, 0),
                 PyExc_BufferError,
                 "PyBuffer_FillInfo: view==NULL argument is obsolete");
}

/* ------------------------------------------------------------------ */
/* Layout                                                              */

/* A two-dimensional view of 1-byte items. */
static Py_buffer
plane(Py_ssize_t *shape, Py_ssize_t *strides)
{
    Py_buffer view = {0};

    view.len = shape[0] * shape[1];
    view.itemsize = 1;
    view.ndim = 2;
    view.shape = shape;
    view.strides = strides;
    return view;
}

/* The orders in which the view is contiguous must be these. */
static void
check_orders(Py_ssize_t *shape, Py_ssize_t *strides, const char *orders)
{
    Py_buffer view = plane(shape, strides);

    for (const char *order = "CFA"; *order != '\0'; order++)
        ck_assert_int_eq(PyBuffer_IsContiguous(&view, *order),
                         strchr(orders, *order) != NULL);
}

START_TEST(contiguity_depends_on_the_order)
{
    Py_ssize_t shape[2] = {2, 3}, row[2] = {1, 3}, empty[2] = {0, 3};
    Py_ssize_t by_rows[2] = {3, 1}, by_columns[2] = {1, 2}, gaps[2] = {6, 2};
    Py_ssize_t odd_row[2] = {99, 1};

    check_orders(shape, by_rows, "CA");
    check_orders(shape, by_columns, "FA");
    check_orders(shape, gaps, "");
    check_orders(shape, NULL, "CA");
    check_orders(row, by_rows, "CFA");
    check_orders(row, odd_row, "CFA");
    check_orders(row, NULL, "CFA");
    check_orders(empty, gaps, "CFA");
}

START_TEST(suboffsets_are_never_contiguous)
{
    Py_ssize_t shape[2] = {2, 3}, strides[2] = {3, 1};
    Py_ssize_t suboffsets[2] = {0, -1};
    Py_buffer view = plane(shape, strides);

    view.suboffsets = suboffsets;
    ck_assert_int_eq(PyBuffer_IsContiguous(&view, 'C'), 0);
    ck_assert_int_eq(PyBuffer_IsContiguous(&view, 'A'), 0);
}

START_TEST(pointers_follow_strides_and_suboffsets)
{
    char upper[] = "ABC", lower[] = "abc", flat[] = "ABCabc";
    char *rows[] = {upper, lower};
    Py_ssize_t shape[2] = {2, 3}, strides[2] = {3, 1}, at[2] = {1, 2};
    Py_ssize_t row_strides[2] = {sizeof(char *), 1}, suboffsets[2] = {0, -1};
    Py_buffer view = plane(shape, strides);

    view.buf = flat;
    ck_assert_ptr_eq(PyBuffer_GetPointer(&view, at), flat + 5);
    view.buf = rows;
    view.strides = row_strides;
    view.suboffsets = suboffsets;
    ck_assert_ptr_eq(PyBuffer_GetPointer(&view, at), lower + 2);
}

START_TEST(strides_are_made_for_either_order)
{
    Py_ssize_t shape[3] = {2, 3, 4}, strides[3];

    PyBuffer_FillContiguousStrides(3, shape, strides, 8, 'C');
    ck_assert_int_eq(strides[0], 96);
    ck_assert_int_eq(strides[1], 32);
    ck_assert_int_eq(strides[2], 8);
    PyBuffer_FillContiguousStrides(3, shape, strides, 8, 'F');
    ck_assert_int_eq(strides[0], 8);
    ck_assert_int_eq(strides[1], 16);
    ck_assert_int_eq(strides[2], 48);
}

/* ------------------------------------------------------------------ */
/* Copies                                                              */

START_TEST(copies_go_item_by_item_if_they_must)
{
    char memory[] = "ABCDEF", out[7] = "";
    Py_ssize_t shape[2] = {2, 3}, by_columns[2] = {1, 2};
    Py_buffer view = plane(shape, by_columns);

    view.buf = memory;
    ck_assert_int_eq(PyBuffer_ToContiguous(out, &view, 6, 'C'), 0);
    ck_assert_str_eq(out, "ACEBDF");
    ck_assert_int_eq(PyBuffer_ToContiguous(out, &view, 6, 'F'), 0);
    ck_assert_str_eq(out, "ABCDEF");
    ck_assert_int_eq(PyBuffer_FromContiguous(&view, "123456", 6, 'C'), 0);
    ck_assert_str_eq(memory, "142536");
    ck_assert_int_eq(PyBuffer_FromContiguous(&view, "abc", 3, 'C'), 0);
    ck_assert_str_eq(memory, "a4b5c6");
    ck_assert_int_eq(PyBuffer_FromContiguous(&view, "1234567", 7, 'F'), 0);
    ck_assert_str_eq(memory, "123456");
    view.strides = NULL;
    ck_assert_int_eq(PyBuffer_ToContiguous(out, &view, 6, 'F'), 0);
    ck_assert_str_eq(out, "142536");
    suite_failed(PyBuffer_ToContiguous(out, &view, 5, 'C'), PyExc_ValueError,
                 "PyBuffer_ToContiguous: len != view->len");
}

START_TEST(sizes_follow_the_format)
{
    ck_assert_int_eq(PyBuffer_SizeFromFormat(""), 0);
    ck_assert_int_eq(PyBuffer_SizeFromFormat("bd"), 16);
    ck_assert_int_eq(PyBuffer_SizeFromFormat("=bd"), 9);
    ck_assert_int_eq(PyBuffer_SizeFromFormat("3h 2x"), 8);
    suite_failed(PyBuffer_SizeFromFormat("y"), PyExc_ValueError,
                 "bad char in struct format");
    suite_failed(PyBuffer_SizeFromFormat(NULL), PyExc_SystemError,
                 "null argument to internal routine");
}

/* ------------------------------------------------------------------ */
/* The old calls                                                       */

START_TEST(old_calls_give_the_memory)
{
    PyObject *op = (PyObject *)new_exporter(0);
    const char *text;
    const void *data;
    void *writable;
    Py_ssize_t length = 0;

    ck_assert_int_eq(PyObject_CheckReadBuffer(op), 1);
    ck_assert_int_eq(PyObject_AsCharBuffer(op, &text, &length), 0);
    ck_assert_int_eq(length, 12);
    ck_assert_ptr_eq(text, ((Exporter *)op)->bytes);
    ck_assert_int_eq(PyObject_AsReadBuffer(op, &data, &length), 0);
    ck_assert_ptr_eq(data, text);
    ck_assert_int_eq(PyObject_AsWriteBuffer(op, &writable, &length), 0);
    ck_assert_ptr_eq(writable, text);
    ck_assert_int_eq(((Exporter *)op)->exports, 0);
    ((Exporter *)op)->readonly = 1;
    suite_failed(PyObject_AsWriteBuffer(op, &writable, &length),
                 PyExc_TypeError, "expected a writable bytes-like object");
    Py_DECREF(op);
}

START_TEST(old_calls_refuse_the_same_objects)
{
    const char *text;
    void *writable;
    Py_ssize_t length;

    ck_assert_int_eq(PyObject_CheckReadBuffer(Py_None), 0);
    suite_failed(PyObject_AsCharBuffer(Py_None, &text, &length),
                 PyExc_TypeError,
                 "a bytes-like object is required, not 'NoneType'");
    suite_failed(PyObject_AsWriteBuffer(Py_None, &writable, &length),
                 PyExc_TypeError, "expected a writable bytes-like object");
    suite_failed(PyObject_AsCharBuffer(NULL, &text, &length),
                 PyExc_SystemError, "null argument to internal routine");
    suite_failed(PyObject_AsReadBuffer(Py_None, NULL, &length),
                 PyExc_SystemError, "null argument to internal routine");
    suite_failed(PyObject_AsWriteBuffer(Py_None, &writable, NULL),
                 PyExc_SystemError, "null argument to internal routine");
}
