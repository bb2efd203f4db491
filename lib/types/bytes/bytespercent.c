/* bytespercent.c: the % operator of bytes and bytearray. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/error/errors.h"
#include "types/bytes/bytes.h"
#include "types/str/percent.h"

static int
is_mapping(PyObject *args)
{
    return PyMapping_Check(args) && !PyUnicode_Check(args) &&
           !PyBytes_Check(args) && !PyByteArray_Check(args);
}

static Py_UCS4
next(const char **p)
{
    return (unsigned char)*(*p)++;
}

static Py_ssize_t
length(const char *Py_UNUSED(text), Py_ssize_t size)
{
    return size;
}

/* ------------------------------------------------------------------ */
/* Arguments                                                           */

/* The bytes for %b; a new reference, or NULL with an exception. */
static PyObject *
get_bytes(PyObject *op)
{
    PyObject *method;

    if (PyBytes_Check(op))
        return Py_NewRef(op);
    if (PyByteArray_Check(op))
        return PyBytes_FromObject(op);
    int found = pyb_attr_special(op, "__bytes__", &method);
    if (found < 0)
        return NULL;
    if (found)
        Py_DECREF(method);
    if (found || PyObject_CheckBuffer(op))
        return PyObject_Bytes(op);
    return PyErr_Format(PyExc_TypeError,
                        "%%b requires a bytes-like object, or an object that "
                        "implements __bytes__, not '%.100s'",
                        Py_TYPE(op)->tp_name);
}

/* Appends text, cut off to the precision. */
static int
write_cut(struct pyb_percent *self, const struct pyb_conversion *conversion,
          const char *text, Py_ssize_t size)
{
    if (conversion->precision >= 0)
        size = Py_MIN(size, conversion->precision);
    return pyb_percent_write(self, conversion, text, size);
}

static int
write_bytes(struct pyb_percent *self, const struct pyb_conversion *conversion,
            PyObject *op)
{
    PyObject *bytes = get_bytes(op);

    if (bytes == NULL)
        return -1;
    PYB_ASSERT_OBJECT(PyBytes_Check(bytes), bytes);
    int result = write_cut(self, conversion, PyBytes_AS_STRING(bytes),
                           PyBytes_GET_SIZE(bytes));
    Py_DECREF(bytes);
    return result;
}

static int
write_ascii(struct pyb_percent *self, const struct pyb_conversion *conversion,
            PyObject *op)
{
    PyObject *text = PyObject_ASCII(op);
    Py_ssize_t size;

    if (text == NULL)
        return -1;
    const char *p = PyUnicode_AsUTF8AndSize(text, &size);
    PYB_ASSERT_OBJECT(p != NULL, text); /* it is ASCII */
    int result = write_cut(self, conversion, p, size);
    Py_DECREF(text);
    return result;
}

/* The byte for %c; -1 with an exception. */
static int
get_byte(PyObject *op)
{
    if (PyBytes_Check(op) && PyBytes_GET_SIZE(op) == 1)
        return (unsigned char)PyBytes_AS_STRING(op)[0];
    if (PyByteArray_Check(op) && PyByteArray_GET_SIZE(op) == 1)
        return (unsigned char)PyByteArray_AS_STRING(op)[0];
    PyObject *number = PyNumber_Index(op);
    if (number == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_SetString(PyExc_TypeError,
                            "%c requires an integer in range(256) or a single "
                            "byte");
        return -1;
    }
    int overflow;
    long byte = PyLong_AsLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (!overflow && byte >= 0 && byte <= 255)
        return (int)byte;
    return pyb_fail(PyExc_OverflowError, "%c arg not in range(256)");
}

static int
write_byte(struct pyb_percent *self, const struct pyb_conversion *conversion,
           PyObject *op)
{
    int value = get_byte(op);
    char byte = (char)value;

    return value < 0 ? -1 : pyb_percent_write(self, conversion, &byte, 1);
}

static int
write_other(struct pyb_percent *self, const struct pyb_conversion *conversion,
            PyObject *op)
{
    switch (conversion->letter) {
    case 'b':
    case 's':
        return write_bytes(self, conversion, op);
    case 'r':
    case 'a':
        return write_ascii(self, conversion, op);
    case 'c':
        return write_byte(self, conversion, op);
    default:
        return 1;
    }
}

static void
no_float(PyObject *op)
{
    PyErr_Format(PyExc_TypeError, "float argument required, not %.200s",
                 Py_TYPE(op)->tp_name);
}

/* ------------------------------------------------------------------ */
/* The operator                                                        */

/* Replaces the conversions in the format.  The format's bytes must not move
   meanwhile. */
static int
format_bytes(struct pyb_percent *self, PyObject *format, PyObject *args)
{
    static const struct pyb_percent_kind kind = {
        .is_mapping = is_mapping,
        .next = next,
        .length = length,
        .key = PyBytes_FromStringAndSize,
        .write = write_other,
        .no_float = no_float,
        .precision_error = "prec too big",
        .unused_error = "not all arguments converted during bytes formatting",
    };
    Py_buffer view;

    if (PyObject_GetBuffer(format, &view, PyBUF_SIMPLE) < 0)
        return -1;
    int result = pyb_percent_format(self, &kind, view.buf, view.len, args);
    PyBuffer_Release(&view);
    return result;
}

PyObject *
pyb_bytes_remainder(PyObject *left, PyObject *right)
{
    struct pyb_percent self;

    if (!PyBytes_Check(left))
        Py_RETURN_NOTIMPLEMENTED;
    if (format_bytes(&self, left, right) < 0)
        return NULL;
    return pyb_text_finish_bytes(&self.out);
}

PyObject *
pyb_bytearray_remainder(PyObject *left, PyObject *right)
{
    struct pyb_percent self;

    if (!PyByteArray_Check(left))
        Py_RETURN_NOTIMPLEMENTED;
    if (format_bytes(&self, left, right) < 0)
        return NULL;
    PyObject *result =
        PyByteArray_FromStringAndSize(self.out.data, self.out.size);
    pyb_text_drop(&self.out);
    return result;
}
