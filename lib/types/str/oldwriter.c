/* oldwriter.c: _PyUnicodeWriter by means of PyUnicodeWriter; see
   unicodewriter.h. */

#include "Python.h"

#include "types/str/str.h"

void
_PyUnicodeWriter_Init(_PyUnicodeWriter *writer)
{
    *writer = (_PyUnicodeWriter){.min_char = 0x7f};
}

/* The writer that does the work, or NULL with MemoryError. */
static PyUnicodeWriter *
begun(_PyUnicodeWriter *writer)
{
    if (writer->_pyb_writer == NULL)
        writer->_pyb_writer = PyUnicodeWriter_Create(0);
    return writer->_pyb_writer;
}

PyObject *
_PyUnicodeWriter_Finish(_PyUnicodeWriter *writer)
{
    PyUnicodeWriter *begun = writer->_pyb_writer;

    writer->_pyb_writer = NULL;
    return begun == NULL ? pyb_str_new("", 0) : PyUnicodeWriter_Finish(begun);
}

void
_PyUnicodeWriter_Dealloc(_PyUnicodeWriter *writer)
{
    PyUnicodeWriter_Discard(writer->_pyb_writer);
    writer->_pyb_writer = NULL;
}

/* The text takes its room as it grows: UTF-8 is not counted in characters. */
int
_PyUnicodeWriter_Prepare(_PyUnicodeWriter *writer,
                         Py_ssize_t Py_UNUSED(length),
                         Py_UCS4 Py_UNUSED(maxchar))
{
    return begun(writer) == NULL ? -1 : 0;
}

int
_PyUnicodeWriter_PrepareKind(_PyUnicodeWriter *writer,
                             enum PyUnicode_Kind Py_UNUSED(kind))
{
    return begun(writer) == NULL ? -1 : 0;
}

int
_PyUnicodeWriter_WriteChar(_PyUnicodeWriter *writer, Py_UCS4 ch)
{
    return begun(writer) == NULL
               ? -1
               : PyUnicodeWriter_WriteChar(writer->_pyb_writer, ch);
}

int
_PyUnicodeWriter_WriteStr(_PyUnicodeWriter *writer, PyObject *str)
{
    if (pyb_str_check(str) < 0 || begun(writer) == NULL)
        return -1;
    return PyUnicodeWriter_WriteStr(writer->_pyb_writer, str);
}

int
_PyUnicodeWriter_WriteSubstring(_PyUnicodeWriter *writer, PyObject *str,
                                Py_ssize_t start, Py_ssize_t end)
{
    return begun(writer) == NULL ? -1
                                 : PyUnicodeWriter_WriteSubstring(
                                       writer->_pyb_writer, str, start, end);
}

int
_PyUnicodeWriter_WriteASCIIString(_PyUnicodeWriter *writer, const char *str,
                                  Py_ssize_t size)
{
    return begun(writer) == NULL
               ? -1
               : PyUnicodeWriter_WriteASCII(writer->_pyb_writer, str, size);
}

int
_PyUnicodeWriter_WriteLatin1String(_PyUnicodeWriter *writer, const char *str,
                                   Py_ssize_t size)
{
    PyObject *text = PyUnicode_DecodeLatin1(str, size, NULL);

    if (text == NULL)
        return -1;
    int result = _PyUnicodeWriter_WriteStr(writer, text);
    Py_DECREF(text);
    return result;
}
