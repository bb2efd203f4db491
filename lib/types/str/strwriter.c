/* strwriter.c: PyUnicodeWriter: a str piece by piece. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/str/strformat.h"
#include "types/str/text.h"
#include "types/str/utf8.h"

struct PyUnicodeWriter {
    struct pyb_text text;
};

PyUnicodeWriter *
PyUnicodeWriter_Create(Py_ssize_t length)
{
    if (length < 0)
        return pyb_raise(PyExc_ValueError, "length must be positive");
    PyUnicodeWriter *writer = PyMem_Calloc(1, sizeof(*writer));
    if (writer == NULL)
        return PYB_MEMORY_ERROR(NULL);
    if (length > 0 && pyb_text_room(&writer->text, length) == NULL) {
        PyMem_Free(writer);
        return NULL;
    }
    return writer;
}

PyObject *
PyUnicodeWriter_Finish(PyUnicodeWriter *writer)
{
    PyObject *op = pyb_text_finish(&writer->text);

    PyMem_Free(writer);
    return op;
}

void
PyUnicodeWriter_Discard(PyUnicodeWriter *writer)
{
    if (writer == NULL)
        return;
    pyb_text_drop(&writer->text);
    PyMem_Free(writer);
}

int
PyUnicodeWriter_WriteChar(PyUnicodeWriter *writer, Py_UCS4 ch)
{
    if (ch >= PYB_UNICODE_END)
        return pyb_fail(PyExc_ValueError,
                        "character must be in range(0x110000)");
    return pyb_text_char(&writer->text, ch);
}

/* Appends a str, which is stolen; NULL is passed on as an error. */
static int
write_stolen(PyUnicodeWriter *writer, PyObject *str)
{
    if (str == NULL)
        return -1;
    PYB_ASSERT_OBJECT(PyUnicode_Check(str), str);
    int result = pyb_text_str(&writer->text, str);
    Py_DECREF(str);
    return result;
}

int
PyUnicodeWriter_WriteUTF8(PyUnicodeWriter *writer, const char *str,
                          Py_ssize_t size)
{
    if (size < 0)
        size = (Py_ssize_t)strlen(str);
    return write_stolen(writer, PyUnicode_DecodeUTF8(str, size, NULL));
}

int
PyUnicodeWriter_WriteASCII(PyUnicodeWriter *writer, const char *str,
                           Py_ssize_t size)
{
    return PyUnicodeWriter_WriteUTF8(writer, str, size);
}

int
PyUnicodeWriter_WriteWideChar(PyUnicodeWriter *writer, const wchar_t *str,
                              Py_ssize_t size)
{
    if (size < 0)
        size = (Py_ssize_t)wcslen(str);
    return write_stolen(writer, PyUnicode_FromWideChar(str, size));
}

int
PyUnicodeWriter_WriteUCS4(PyUnicodeWriter *writer, const Py_UCS4 *str,
                          Py_ssize_t size)
{
    return write_stolen(
        writer, PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, str, size));
}

int
PyUnicodeWriter_DecodeUTF8Stateful(PyUnicodeWriter *writer, const char *string,
                                   Py_ssize_t length, const char *errors,
                                   Py_ssize_t *consumed)
{
    if (length < 0)
        length = (Py_ssize_t)strlen(string);
    return write_stolen(writer, PyUnicode_DecodeUTF8Stateful(
                                    string, length, errors, consumed));
}

int
PyUnicodeWriter_WriteStr(PyUnicodeWriter *writer, PyObject *obj)
{
    return write_stolen(writer, PyObject_Str(obj));
}

int
PyUnicodeWriter_WriteRepr(PyUnicodeWriter *writer, PyObject *obj)
{
    return write_stolen(writer, PyObject_Repr(obj));
}

int
PyUnicodeWriter_WriteSubstring(PyUnicodeWriter *writer, PyObject *str,
                               Py_ssize_t start, Py_ssize_t end)
{
    if (!PyUnicode_Check(str))
        return pyb_failf(PyExc_TypeError, "expect str, not %T", str);
    Py_ssize_t length = PyUnicode_GET_LENGTH(str);
    if (start < 0 || start > end)
        return pyb_failf(PyExc_ValueError,
                         start < 0 ? "start must be positive"
                                   : "end must be greater than start");
    if (end > length)
        return pyb_failf(
            PyExc_ValueError,
            "end must be less than or equal to the string length");
    return write_stolen(writer, PyUnicode_Substring(str, start, end));
}

int
PyUnicodeWriter_Format(PyUnicodeWriter *writer, const char *format, ...)
{
    Py_ssize_t size = writer->text.size;
    va_list va;

    va_start(va, format);
    int result = pyb_strformat_write(&writer->text, format, va);
    va_end(va);
    PYB_ASSERT(writer->text.size >= size);
    if (result < 0)
        writer->text.size = size;
    return result;
}
