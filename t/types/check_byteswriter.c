/* check_byteswriter.c: PyBytesWriter. */

#include "../support/suite.h"

static PyBytesWriter *
new_writer(Py_ssize_t size)
{
    PyBytesWriter *writer = PyBytesWriter_Create(size);

    ck_assert_ptr_nonnull(writer);
    ck_assert_int_eq(PyBytesWriter_GetSize(writer), size);
    ck_assert_ptr_nonnull(PyBytesWriter_GetData(writer));
    return writer;
}

START_TEST(what_is_filled_in_is_the_result)
{
    PyBytesWriter *writer = new_writer(3);

    memcpy(PyBytesWriter_GetData(writer), "abc", 3);
    suite_new_repr(PyBytesWriter_Finish(writer), "b'abc'");
    suite_new_repr(PyBytesWriter_Finish(new_writer(0)), "b''");
    suite_refused(PyBytesWriter_Create(-1), PyExc_ValueError,
                  "size must be >= 0");
    suite_refused(PyBytesWriter_Create(PY_SSIZE_T_MAX), PyExc_MemoryError,
                  NULL);
    PyBytesWriter_Discard(NULL);
    PyBytesWriter_Discard(new_writer(5));
}

START_TEST(pieces_are_appended)
{
    PyBytesWriter *writer = new_writer(0);

    ck_assert_int_eq(PyBytesWriter_WriteBytes(writer, "a\0b", 3), 0);
    ck_assert_int_eq(PyBytesWriter_WriteBytes(writer, "", 0), 0);
    ck_assert_int_eq(PyBytesWriter_WriteBytes(writer, "text", -1), 0);
    ck_assert_int_eq(PyBytesWriter_Format(writer, "<%d %s>", 5, "x"), 0);
    ck_assert_int_eq(PyBytesWriter_GetSize(writer), 12);
    suite_failed(PyBytesWriter_Format(writer, "lost%c", 256),
                 PyExc_OverflowError,
                 "PyBytes_FromFormatV(): %c format expects an integer in "
                 "range [0; 255]");
    ck_assert_int_eq(PyBytesWriter_GetSize(writer), 12);
    suite_new_repr(PyBytesWriter_Finish(writer), "b'a\\x00btext<5 x>'");
}

START_TEST(sizes_change)
{
    PyBytesWriter *writer = new_writer(2);

    memcpy(PyBytesWriter_GetData(writer), "ab", 2);
    ck_assert_int_eq(PyBytesWriter_Resize(writer, 100000), 0);
    ck_assert_int_eq(PyBytesWriter_GetSize(writer), 100000);
    ck_assert_mem_eq(PyBytesWriter_GetData(writer), "ab", 2);
    memset((char *)PyBytesWriter_GetData(writer) + 2, 'c', 99998);
    ck_assert_int_eq(PyBytesWriter_Grow(writer, -99996), 0);
    ck_assert_int_eq(PyBytesWriter_GetSize(writer), 4);
    suite_failed(PyBytesWriter_Grow(writer, -5), PyExc_ValueError,
                 "invalid size");
    suite_failed(PyBytesWriter_Grow(writer, PY_SSIZE_T_MIN), PyExc_ValueError,
                 "invalid size");
    suite_failed(PyBytesWriter_Grow(writer, PY_SSIZE_T_MAX), PyExc_MemoryError,
                 NULL);
    suite_failed(PyBytesWriter_Resize(writer, -1), PyExc_ValueError,
                 "size must be >= 0");
    ck_assert_int_eq(PyBytesWriter_GetSize(writer), 4);
    suite_new_repr(PyBytesWriter_FinishWithSize(writer, 3), "b'abc'");
    suite_refused(PyBytesWriter_FinishWithSize(new_writer(1), -1),
                  PyExc_ValueError, "size must be >= 0");
}

START_TEST(a_pointer_moves_with_the_buffer)
{
    PyBytesWriter *writer = new_writer(10);
    char *at = PyBytesWriter_GetData(writer);

    for (int i = 0; i < 1000; i++) {
        memcpy(at, "0123456789", 10);
        at += 10;
        at = PyBytesWriter_GrowAndUpdatePointer(writer, 10, at);
        ck_assert_ptr_nonnull(at);
        ck_assert_ptr_eq(at,
                         (char *)PyBytesWriter_GetData(writer) + 10 * (i + 1));
    }
    suite_refused(
        PyBytesWriter_GrowAndUpdatePointer(writer, PY_SSIZE_T_MAX, at),
        PyExc_MemoryError, NULL);
    PyObject *op = suite_require(PyBytesWriter_FinishWithPointer(writer, at));
    ck_assert_int_eq(PyBytes_GET_SIZE(op), 10000);
    ck_assert_mem_eq(PyBytes_AS_STRING(op) + 9990, "0123456789", 11);
    Py_DECREF(op);

    writer = new_writer(10);
    at = PyBytesWriter_GetData(writer);
    suite_refused(PyBytesWriter_FinishWithPointer(writer, at - 1),
                  PyExc_ValueError, "invalid end pointer");
    writer = new_writer(10);
    at = PyBytesWriter_GetData(writer);
    suite_refused(PyBytesWriter_FinishWithPointer(writer, at + 100000),
                  PyExc_ValueError, "invalid end pointer");
}
