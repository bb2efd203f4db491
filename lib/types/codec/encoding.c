/* encoding.c: the driver of encoders, and characters that cannot be
   encoded. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/codec/encoding.h"

/* The exception that tells the handler of the fault.  One serves for all
   faults of an encoding. */
static int
describe(struct pyb_encoding *encoding, Py_ssize_t start, Py_ssize_t end)
{
    const struct pyb_encoder *encoder = encoding->encoder;
    PyObject *exception = encoding->exception;

    if (exception != NULL)
        return PyUnicodeEncodeError_SetStart(exception, start) < 0 ||
                       PyUnicodeEncodeError_SetEnd(exception, end) < 0 ||
                       PyUnicodeEncodeError_SetReason(exception,
                                                      encoder->reason) < 0
                   ? -1
                   : 0;
    encoding->exception =
        PyObject_CallFunction(PyExc_UnicodeEncodeError, "sOnns", encoder->name,
                              encoding->str, start, end, encoder->reason);
    return encoding->exception == NULL ? -1 : 0;
}

/* Raises the exception; always -1. */
static int
raise(struct pyb_encoding *encoding, Py_ssize_t start, Py_ssize_t end)
{
    if (describe(encoding, start, end) == 0)
        PyErr_SetObject((PyObject *)Py_TYPE(encoding->exception),
                        encoding->exception);
    return -1;
}

/* Appends a replacement's characters.  1, or 0 if the encoding does not have
   them; -1 with an exception. */
static int
put_text(struct pyb_encoding *encoding, const Py_UCS4 *text, Py_ssize_t length)
{
    int result = 1;

    for (Py_ssize_t i = 0; result == 1 && i < length; i++)
        result = text[i] < encoding->encoder->plain
                     ? encoding->encoder->put(encoding, text[i])
                     : 0;
    return result;
}

static int
put_str(struct pyb_encoding *encoding, PyObject *str)
{
    Py_UCS4 *text = PyUnicode_AsUCS4Copy(str);

    if (text == NULL)
        return -1;
    int result = put_text(encoding, text, PyUnicode_GET_LENGTH(str));
    PyMem_Free(text);
    return result;
}

/* Appends the replacement that a handler gave.  As put_text. */
static int
put_replacement(struct pyb_encoding *encoding, PyObject *replacement)
{
    if (PyUnicode_Check(replacement))
        return put_str(encoding, replacement);
    Py_ssize_t size = PyBytes_GET_SIZE(replacement);
    if (size % encoding->encoder->unit != 0)
        return 0;
    return pyb_text_bytes(&encoding->out, PyBytes_AS_STRING(replacement),
                          size) < 0
               ? -1
               : 1;
}

/* Takes the handler's result apart; the replacement is borrowed. */
static int
parse(struct pyb_encoding *encoding, PyObject *result, PyObject **replacement,
      Py_ssize_t *next)
{
    static const char format[] =
        "On;encoding error handler must return (str/bytes, int) tuple";

    if (!PyTuple_Check(result))
        return pyb_fail(PyExc_TypeError, format + 3);
    if (!PyArg_ParseTuple(result, format, replacement, next))
        return -1;
    if (!PyUnicode_Check(*replacement) && !PyBytes_Check(*replacement))
        return pyb_fail(PyExc_TypeError, format + 3);
    if (*next < 0)
        *next += encoding->length;
    if (*next < 0 || *next > encoding->length)
        return pyb_failf(PyExc_IndexError,
                         "position %zd from error handler out of bounds",
                         *next);
    return 0;
}

/* Returns the position to go on from, or -1 with an exception. */
static Py_ssize_t
call_handler(struct pyb_encoding *encoding, Py_ssize_t start, Py_ssize_t end)
{
    PyObject *replacement;
    Py_ssize_t next = -1;

    if (encoding->handler == NULL)
        encoding->handler = PyCodec_LookupError(encoding->errors);
    if (encoding->handler == NULL || describe(encoding, start, end) < 0)
        return -1;
    PyObject *result =
        PyObject_CallOneArg(encoding->handler, encoding->exception);
    if (result == NULL)
        return -1;
    if (parse(encoding, result, &replacement, &next) < 0) {
        Py_DECREF(result);
        return -1;
    }
    int put = put_replacement(encoding, replacement);
    Py_DECREF(result);
    if (put == 0)
        raise(encoding, start, end);
    return put == 1 ? next : -1;
}

/* The same for a handler that writes each character by itself. */
static Py_ssize_t
escape(struct pyb_encoding *encoding, Py_ssize_t start, Py_ssize_t end)
{
    char ascii[PYB_ESCAPE_LONGEST + 1];
    Py_UCS4 text[PYB_ESCAPE_LONGEST];

    for (Py_ssize_t i = start; i < end; i++) {
        int size =
            pyb_handlers_escape(ascii, encoding->chars[i], encoding->kind);
        for (int k = 0; k < size; k++)
            text[k] = (Py_UCS4)ascii[k];
        int put = put_text(encoding, text, size);
        if (put == 0)
            raise(encoding, start, end);
        if (put != 1)
            return -1;
    }
    return end;
}

/* The same for surrogateescape in an encoding of bytes; what follows after the
   first surrogate that stands for no byte is the registry's. */
static Py_ssize_t
unescape(struct pyb_encoding *encoding, Py_ssize_t start, Py_ssize_t end)
{
    for (; start < end && pyb_handlers_is_escaped(encoding->chars[start]);
         start++) {
        char byte = (char)(encoding->chars[start] & 0xff);
        if (pyb_text_bytes(&encoding->out, &byte, 1) < 0)
            return -1;
    }
    return start == end ? end : call_handler(encoding, start, end);
}

static Py_ssize_t
fault(struct pyb_encoding *encoding, Py_ssize_t start, Py_ssize_t end)
{
    if (encoding->kind == PYB_HANDLER_UNSET)
        encoding->kind = pyb_handlers_kind(encoding->errors);
    switch (encoding->kind) {
    case PYB_HANDLER_IGNORE:
        return end;
    case PYB_HANDLER_REPLACE:
    case PYB_HANDLER_BACKSLASHREPLACE:
    case PYB_HANDLER_XMLCHARREFREPLACE:
        return escape(encoding, start, end);
    case PYB_HANDLER_SURROGATEESCAPE:
        if (encoding->encoder->unit == 1 && encoding->mapping == NULL)
            return unescape(encoding, start, end);
        /* fallthrough */
    default:
        return call_handler(encoding, start, end);
    }
}

/* The end of the characters that cannot be encoded, of which the one at start
   is the first; -1 with an exception. */
static Py_ssize_t
fault_end(const struct pyb_encoding *encoding, Py_ssize_t start)
{
    const struct pyb_encoder *encoder = encoding->encoder;
    Py_ssize_t end = start + 1;
    int has = 0;

    if (encoder->has == NULL)
        return end;
    for (; end < encoding->length; end++)
        if ((has = encoder->has(encoding, encoding->chars[end])) != 0)
            break;
    return has < 0 ? -1 : end;
}

static int
encode(struct pyb_encoding *encoding)
{
    for (Py_ssize_t i = 0; i < encoding->length;) {
        int put = encoding->encoder->put(encoding, encoding->chars[i]);
        if (put < 0)
            return -1;
        if (put == 1) {
            i++;
            continue;
        }
        Py_ssize_t end = fault_end(encoding, i);
        if (end < 0 || (i = fault(encoding, i, end)) < 0)
            return -1;
    }
    return 0;
}

PyObject *
pyb_encoding_run(struct pyb_encoding *encoding)
{
    encoding->length = PyUnicode_GET_LENGTH(encoding->str);
    encoding->chars = PyUnicode_AsUCS4Copy(encoding->str);
    int failed = encoding->chars == NULL || encode(encoding) < 0;
    PyMem_Free(encoding->chars);
    Py_CLEAR(encoding->handler);
    Py_CLEAR(encoding->exception);
    return pyb_text_end_bytes(&encoding->out, failed);
}
