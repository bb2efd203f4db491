/* strdata.c: the characters of a str as an array; see unicodechars.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

#undef PyUnicode_MAX_CHAR_VALUE
#undef PyUnicode_READ_CHAR

#define STR(op) PYB_CAST(PyUnicodeObject, PyUnicode_Check, op)

/* The least kind for all characters of trusted text: the first bytes of the
   longer ones tell. */
static int
kind_of_text(const char *text, Py_ssize_t size)
{
    int kind = PyUnicode_1BYTE_KIND;

    for (Py_ssize_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte >= 0xf0)
            return PyUnicode_4BYTE_KIND;
        if (byte >= 0xc4)
            kind = PyUnicode_2BYTE_KIND;
    }
    return kind;
}

int
_PyUnicode_Kind(PyObject *op)
{
    unsigned int *flags = &STR(op)->_pyb_flags;

    if ((*flags & PYB_STR_KIND) == 0)
        *flags |=
            (unsigned int)kind_of_text(pyb_str_text(op), pyb_str_size(op))
            << PYB_STR_KIND_SHIFT;
    return (int)((*flags & PYB_STR_KIND) >> PYB_STR_KIND_SHIFT);
}

int
pyb_str_make_chars(PyObject *op)
{
    if (STR(op)->_pyb_chars != NULL)
        return 0;
    int kind = PyUnicode_KIND(op);
    size_t length = (size_t)PyUnicode_GET_LENGTH(op);
    void *chars = PyMem_Calloc(length + 1, (size_t)kind);
    if (chars == NULL)
        return -1;
    const char *p = pyb_str_text(op), *end = pyb_str_end(op);
    for (Py_ssize_t i = 0; p < end; i++)
        PyUnicode_WRITE(kind, chars, i, pyb_utf8_next(&p));
    STR(op)->_pyb_chars = chars;
    PYB_EXPENSIVE(pyb_str_check_short(op));
    return 0;
}

int
_PyUnicode_Ready(PyObject *op)
{
    return pyb_str_make_chars(op) < 0 ? PYB_MEMORY_ERROR(-1) : 0;
}

void *
_PyUnicode_Data(PyObject *op)
{
    if (pyb_str_make_chars(op) < 0)
        pyb_fatal_format("PyUnicode_DATA",
                         "no memory for the %zd characters of a str",
                         PyUnicode_GET_LENGTH(op));
    return STR(op)->_pyb_chars;
}

Py_UCS4
pyb_str_read(PyObject *op, Py_ssize_t index)
{
    PyUnicodeObject *self = STR(op);

    PYB_ASSERT_OBJECT(index >= 0 && index < self->_pyb_length, op);
    if (self->_pyb_chars == NULL) {
        const char *place = pyb_str_at(op, index);
        return pyb_utf8_next(&place);
    }
    return PyUnicode_READ(PyUnicode_KIND(op), self->_pyb_chars, index);
}

/* Is the index so near an end that the character is soon found in the text?
   For a single one an array is not worth its memory then. */
static int
is_near(PyObject *op, Py_ssize_t index)
{
    enum { NEAR = 64 };

    return index < NEAR || PyUnicode_GET_LENGTH(op) - index <= NEAR;
}

static Py_UCS4
read_char(PyObject *op, Py_ssize_t index)
{
    PyUnicodeObject *self = STR(op);

    if (self->_pyb_chars == NULL) {
        if ((self->_pyb_flags & PYB_STR_READ) || !is_near(op, index))
            (void)pyb_str_make_chars(op); /* without memory: the text */
        self->_pyb_flags |= PYB_STR_READ;
    }
    return pyb_str_read(op, index);
}

Py_UCS4
PyUnicode_READ_CHAR(PyObject *unicode, Py_ssize_t index)
{
    return read_char(unicode, index);
}

Py_UCS4
PyUnicode_ReadChar(PyObject *unicode, Py_ssize_t index)
{
    if (!PyUnicode_Check(unicode)) {
        PyErr_BadArgument();
        return (Py_UCS4)-1;
    }
    if (index < 0 || index >= PyUnicode_GET_LENGTH(unicode)) {
        PyErr_SetString(PyExc_IndexError, "string index out of range");
        return (Py_UCS4)-1;
    }
    return read_char(unicode, index);
}

PyObject *
pyb_str_char(PyObject *op, Py_ssize_t index)
{
    const char *text = pyb_str_text(op);

    if (PyUnicode_IS_ASCII(op))
        return pyb_str_new(text + index, 1);
    return PyUnicode_FromOrdinal((int)read_char(op, index));
}

Py_UCS4
PyUnicode_MAX_CHAR_VALUE(PyObject *op)
{
    if (PyUnicode_IS_ASCII(op))
        return 0x7f;
    switch (PyUnicode_KIND(op)) {
    case PyUnicode_1BYTE_KIND:
        return 0xff;
    case PyUnicode_2BYTE_KIND:
        return 0xffff;
    default:
        return PYB_UNICODE_END - 1;
    }
}
