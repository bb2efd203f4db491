/* textcodec.c: str from and to bytes in an encoding that is given by its
   name. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/codec/natives.h"
#include "types/str/str.h"

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

/* By a codec of the registry, whose decoder is given a memoryview.  That owns
   bytes, and may be kept. */
static PyObject *
decode_registered(const char *s, Py_ssize_t size, const char *encoding,
                  const char *errors)
{
    PyObject *bytes = PyBytes_FromStringAndSize(s, size);

    if (bytes == NULL)
        return NULL;
    PyObject *view = PyMemoryView_FromObject(bytes);
    Py_DECREF(bytes);
    if (view == NULL)
        return NULL;
    PyObject *str = pyb_codecs_decode_text(view, encoding, errors);
    Py_DECREF(view);
    if (str == NULL || PyUnicode_Check(str))
        return str;
    PyErr_Format(PyExc_TypeError,
                 "'%.400s' decoder returned '%.400s' instead of 'str'; use "
                 "codecs.decode() to decode to arbitrary types",
                 encoding, Py_TYPE(str)->tp_name);
    Py_DECREF(str);
    return NULL;
}

PyObject *
PyUnicode_Decode(const char *s, Py_ssize_t size, const char *encoding,
                 const char *errors)
{
    if (size == 0) /* names are not even looked at */
        return PyUnicode_FromString("");
    if (encoding == NULL)
        return PyUnicode_DecodeUTF8(s, size, errors);
    const struct pyb_native *native = pyb_native_find(encoding);
    if (native == NULL)
        return decode_registered(s, size, encoding, errors);
    int byteorder = native->byteorder;
    /* cppcheck-suppress returnDanglingLifetime; what is returned is a str */
    return pyb_native_decode(native, s, size, errors, &byteorder, NULL);
}

PyObject *
PyUnicode_FromEncodedObject(PyObject *obj, const char *encoding,
                            const char *errors)
{
    Py_buffer view;

    if (obj == NULL)
        return PYB_BAD_CALL(NULL);
    if (PyUnicode_Check(obj))
        return pyb_raise(PyExc_TypeError, "decoding str is not supported");
    if (PyObject_GetBuffer(obj, &view, PyBUF_SIMPLE) < 0)
        return PyErr_Format(PyExc_TypeError,
                            "decoding to str: need a bytes-like object, "
                            "%.80s found",
                            Py_TYPE(obj)->tp_name);
    PyObject *op = PyUnicode_Decode(view.buf, view.len, encoding, errors);
    PyBuffer_Release(&view);
    return op;
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

/* The bytes of an encoder's result, whose reference is stolen. */
static PyObject *
require_bytes(PyObject *result, const char *encoding)
{
    if (result == NULL || PyBytes_Check(result))
        return result;
    if (PyByteArray_Check(result)) {
        PyObject *bytes = NULL;
        if (PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                             "encoder %s returned bytearray instead of bytes; "
                             "use codecs.encode() to encode to arbitrary "
                             "types",
                             encoding) == 0)
            bytes = PyBytes_FromObject(result);
        Py_DECREF(result);
        return bytes;
    }
    PyErr_Format(PyExc_TypeError,
                 "'%.400s' encoder returned '%.400s' instead of 'bytes'; use "
                 "codecs.encode() to encode to arbitrary types",
                 encoding, Py_TYPE(result)->tp_name);
    Py_DECREF(result);
    return NULL;
}

PyObject *
PyUnicode_AsEncodedString(PyObject *unicode, const char *encoding,
                          const char *errors)
{
    if (pyb_str_check(unicode) < 0)
        return NULL;
    if (encoding == NULL)
        return pyb_utf8_encode(unicode, errors);
    const struct pyb_native *native = pyb_native_find(encoding);
    if (native != NULL)
        return pyb_native_encode(native, unicode, errors, native->byteorder);
    return require_bytes(pyb_codecs_encode_text(unicode, encoding, errors),
                         encoding);
}

/* ------------------------------------------------------------------ */
/* Names that are deprecated                                           */

/* Is it a str, and is the warning none that is raised?  0, or -1 with an
   exception. */
static int
check_deprecated(PyObject *unicode, const char *warning)
{
    if (unicode == NULL || !PyUnicode_Check(unicode)) {
        PyErr_BadArgument();
        return -1;
    }
    return PyErr_WarnEx(PyExc_DeprecationWarning, warning, 1);
}

/* A codec's result as a str; it is stolen. */
static PyObject *
require_str(PyObject *result, const char *encoding, const char *coder,
            const char *verb)
{
    if (result == NULL || PyUnicode_Check(result))
        return result;
    PyErr_Format(PyExc_TypeError,
                 "'%.400s' %s returned '%.400s' instead of 'str'; use "
                 "codecs.%s() to %s to arbitrary types",
                 encoding, coder, Py_TYPE(result)->tp_name, verb, verb);
    Py_DECREF(result);
    return NULL;
}

static const char *
or_default(const char *encoding)
{
    return encoding != NULL ? encoding : PyUnicode_GetDefaultEncoding();
}

PyObject *
PyUnicode_AsDecodedObject(PyObject *unicode, const char *encoding,
                          const char *errors)
{
    if (check_deprecated(unicode,
                         "PyUnicode_AsDecodedObject() is deprecated; "
                         "use PyCodec_Decode() to decode from str") < 0)
        return NULL;
    return PyCodec_Decode(unicode, or_default(encoding), errors);
}

PyObject *
PyUnicode_AsDecodedUnicode(PyObject *unicode, const char *encoding,
                           const char *errors)
{
    if (check_deprecated(unicode, "PyUnicode_AsDecodedUnicode() is "
                                  "deprecated; use PyCodec_Decode() to decode "
                                  "from str to str") < 0)
        return NULL;
    encoding = or_default(encoding);
    return require_str(PyCodec_Decode(unicode, encoding, errors), encoding,
                       "decoder", "decode");
}

PyObject *
PyUnicode_AsEncodedObject(PyObject *unicode, const char *encoding,
                          const char *errors)
{
    if (check_deprecated(
            unicode,
            "PyUnicode_AsEncodedObject() is deprecated; use "
            "PyUnicode_AsEncodedString() to encode from str to bytes or "
            "PyCodec_Encode() for generic encoding") < 0)
        return NULL;
    return PyCodec_Encode(unicode, or_default(encoding), errors);
}

PyObject *
PyUnicode_AsEncodedUnicode(PyObject *unicode, const char *encoding,
                           const char *errors)
{
    if (check_deprecated(unicode, "PyUnicode_AsEncodedUnicode() is "
                                  "deprecated; use PyCodec_Encode() to encode "
                                  "from str to str") < 0)
        return NULL;
    encoding = or_default(encoding);
    return require_str(PyCodec_Encode(unicode, encoding, errors), encoding,
                       "encoder", "encode");
}
