/* unicodeerror.c: the exceptions of codecs: UnicodeDecodeError,
   UnicodeEncodeError, UnicodeTranslateError. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/exceptions.h"

#define UNICODE_FIELDS(F) F(encoding) F(object) F(reason)
PYB_EXC_GC(decode, PyUnicodeErrorObject, UNICODE_FIELDS)

/* Sets the fields; the references are borrowed, encoding may be NULL. */
static void
fill(PyUnicodeErrorObject *self, PyObject *encoding, PyObject *object,
     PyObject *reason)
{
    PYB_ASSERT(encoding == NULL || PyUnicode_Check(encoding));
    PYB_ASSERT_OBJECT(PyUnicode_Check(reason), reason);
    Py_XSETREF(self->encoding, Py_XNewRef(encoding));
    Py_XSETREF(self->object, Py_NewRef(object));
    Py_XSETREF(self->reason, Py_NewRef(reason));
}

/* The object to be decoded as bytes: itself, or a copy of another bytes-like
   object. */
static PyObject *
bytes_of(PyObject *object)
{
    Py_buffer view;

    if (PyBytes_Check(object))
        return Py_NewRef(object);
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(view.buf, view.len);
    PyBuffer_Release(&view);
    return bytes;
}

int
pyb_exc_decode_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    PyUnicodeErrorObject *self = PYB_EXC_CAST(PyUnicodeErrorObject, op);
    PyObject *encoding, *object, *reason;

    if (pyb_exc_base_init(op, args, kwargs) < 0 ||
        !PyArg_ParseTuple(args, "UOnnU", &encoding, &object, &self->start,
                          &self->end, &reason))
        return -1;
    PyObject *bytes = bytes_of(object);
    if (bytes == NULL)
        return -1;
    fill(self, encoding, bytes, reason);
    Py_DECREF(bytes);
    return 0;
}

int
pyb_exc_encode_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    PyUnicodeErrorObject *self = PYB_EXC_CAST(PyUnicodeErrorObject, op);
    PyObject *encoding, *object, *reason;

    if (pyb_exc_base_init(op, args, kwargs) < 0 ||
        !PyArg_ParseTuple(args, "UUnnU", &encoding, &object, &self->start,
                          &self->end, &reason))
        return -1;
    fill(self, encoding, object, reason);
    return 0;
}

int
pyb_exc_translate_init(PyObject *op, PyObject *args, PyObject *kwargs)
{
    PyUnicodeErrorObject *self = PYB_EXC_CAST(PyUnicodeErrorObject, op);
    PyObject *object, *reason;

    if (pyb_exc_base_init(op, args, kwargs) < 0 ||
        !PyArg_ParseTuple(args, "UnnU", &object, &self->start, &self->end,
                          &reason))
        return -1;
    fill(self, NULL, object, reason);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Text. The attributes may have any values.                            */

PyObject *
pyb_exc_decode_str(PyObject *op)
{
    PyUnicodeErrorObject *self = PYB_EXC_CAST(PyUnicodeErrorObject, op);

    if (self->object == NULL || !PyBytes_Check(self->object) ||
        self->reason == NULL || self->encoding == NULL)
        return PyUnicode_FromString("");
    if (self->start >= 0 && self->start < PyBytes_GET_SIZE(self->object) &&
        self->end == self->start + 1) {
        int byte = PyBytes_AS_STRING(self->object)[self->start] & 0xff;
        return PyUnicode_FromFormat(
            "'%S' codec can't decode byte 0x%02x in position %zd: %S",
            self->encoding, byte, self->start, self->reason);
    }
    return PyUnicode_FromFormat(
        "'%S' codec can't decode bytes in position %zd-%zd: %S",
        self->encoding, self->start, self->end - 1, self->reason);
}

/* Writes the one offending character as an escape and returns 1; 0 if it is
   not exactly one. */
static int
escape(PyUnicodeErrorObject *self, char *text, size_t size)
{
    PYB_ASSERT_OBJECT(PyUnicode_Check(self->object), self->object);
    PYB_ASSERT(size > strlen("\\U0010ffff"));
    if (self->start < 0 || self->start >= PyUnicode_GET_LENGTH(self->object) ||
        self->end != self->start + 1)
        return 0;
    Py_UCS4 c = PyUnicode_ReadChar(self->object, self->start);
    const char *format = c <= 0xff     ? "\\x%02x"
                         : c <= 0xffff ? "\\u%04x"
                                       : "\\U%08x";
    snprintf(text, size, format, (unsigned)c);
    return 1;
}

PyObject *
pyb_exc_encode_str(PyObject *op)
{
    PyUnicodeErrorObject *self = PYB_EXC_CAST(PyUnicodeErrorObject, op);
    char text[16];

    if (self->object == NULL || !PyUnicode_Check(self->object) ||
        self->reason == NULL || self->encoding == NULL)
        return PyUnicode_FromString("");
    if (escape(self, text, sizeof text))
        return PyUnicode_FromFormat(
            "'%S' codec can't encode character '%s' in position %zd: %S",
            self->encoding, text, self->start, self->reason);
    return PyUnicode_FromFormat(
        "'%S' codec can't encode characters in position %zd-%zd: %S",
        self->encoding, self->start, self->end - 1, self->reason);
}

PyObject *
pyb_exc_translate_str(PyObject *op)
{
    PyUnicodeErrorObject *self = PYB_EXC_CAST(PyUnicodeErrorObject, op);
    char text[16];

    if (self->object == NULL || !PyUnicode_Check(self->object) ||
        self->reason == NULL)
        return PyUnicode_FromString("");
    if (escape(self, text, sizeof text))
        return PyUnicode_FromFormat(
            "can't translate character '%s' in position %zd: %S", text,
            self->start, self->reason);
    return PyUnicode_FromFormat(
        "can't translate characters in position %zd-%zd: %S", self->start,
        self->end - 1, self->reason);
}

/* ------------------------------------------------------------------ */
/* Classes                                                             */

static PyMemberDef members[] = {
    {"encoding", _Py_T_OBJECT, offsetof(PyUnicodeErrorObject, encoding), 0,
     PyDoc_STR("exception encoding")},
    {"object", _Py_T_OBJECT, offsetof(PyUnicodeErrorObject, object), 0,
     PyDoc_STR("exception object")},
    {"start", Py_T_PYSSIZET, offsetof(PyUnicodeErrorObject, start), 0,
     PyDoc_STR("exception start")},
    {"end", Py_T_PYSSIZET, offsetof(PyUnicodeErrorObject, end), 0,
     PyDoc_STR("exception end")},
    {"reason", _Py_T_OBJECT, offsetof(PyUnicodeErrorObject, reason), 0,
     PyDoc_STR("exception reason")},
    {NULL, 0, 0, 0, NULL},
};

PYB_EXC_CLASS(UnicodeDecodeError, &pyb_exc_UnicodeError, decode,
              PyUnicodeErrorObject, PyDoc_STR("Unicode decoding error."),
              .tp_members = members)
PYB_EXC_CLASS(UnicodeEncodeError, &pyb_exc_UnicodeError, encode,
              PyUnicodeErrorObject, PyDoc_STR("Unicode encoding error."),
              .tp_members = members)
PYB_EXC_CLASS(UnicodeTranslateError, &pyb_exc_UnicodeError, translate,
              PyUnicodeErrorObject, PyDoc_STR("Unicode translation error."),
              .tp_members = members)

PyObject *
PyUnicodeDecodeError_Create(const char *encoding, const char *object,
                            Py_ssize_t length, Py_ssize_t start,
                            Py_ssize_t end, const char *reason)
{
    return PyObject_CallFunction(PyExc_UnicodeDecodeError, "sy#nns", encoding,
                                 object, length, start, end, reason);
}
