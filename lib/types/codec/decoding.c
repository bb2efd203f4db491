/* decoding.c: bytes that cannot be decoded. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/codec/decoding.h"

/* The exception that tells the handler of the fault.  One serves for all
   faults of a decoding. */
static int
describe(struct pyb_decoding *decoding, Py_ssize_t start, Py_ssize_t end,
         const char *reason)
{
    PyObject *exception = decoding->exception;

    if (exception != NULL)
        return PyUnicodeDecodeError_SetStart(exception, start) < 0 ||
                       PyUnicodeDecodeError_SetEnd(exception, end) < 0 ||
                       PyUnicodeDecodeError_SetReason(exception, reason) < 0
                   ? -1
                   : 0;
    decoding->exception =
        PyUnicodeDecodeError_Create(decoding->encoding, decoding->bytes,
                                    decoding->size, start, end, reason);
    return decoding->exception == NULL ? -1 : 0;
}

/* Takes the input from the exception, where the handler may have put other
   bytes.  The exception keeps them alive. */
static int
take_input(struct pyb_decoding *decoding)
{
    PyObject *bytes = PyUnicodeDecodeError_GetObject(decoding->exception);

    if (bytes == NULL)
        return -1;
    decoding->bytes = PyBytes_AS_STRING(bytes);
    decoding->size = PyBytes_GET_SIZE(bytes);
    Py_DECREF(bytes);
    return 0;
}

/* Obeys the handler's result. */
static Py_ssize_t
apply(struct pyb_decoding *decoding, PyObject *result)
{
    static const char format[] =
        "Un;decoding error handler must return (str, int) tuple";
    PyObject *replacement;
    Py_ssize_t next;

    if (!PyTuple_Check(result))
        return pyb_fail(PyExc_TypeError, format + 3);
    if (!PyArg_ParseTuple(result, format, &replacement, &next) ||
        take_input(decoding) < 0)
        return -1;
    if (next < 0)
        next += decoding->size;
    if (next < 0 || next > decoding->size)
        return pyb_failf(PyExc_IndexError,
                         "position %zd from error handler out of bounds",
                         next);
    decoding->length += PyUnicode_GET_LENGTH(replacement);
    return pyb_text_str(&decoding->out, replacement) < 0 ? -1 : next;
}

static Py_ssize_t
call_handler(struct pyb_decoding *decoding, Py_ssize_t start, Py_ssize_t end,
             const char *reason)
{
    if (decoding->handler == NULL)
        decoding->handler = PyCodec_LookupError(decoding->errors);
    if (decoding->handler == NULL ||
        describe(decoding, start, end, reason) < 0)
        return -1;
    PyObject *result =
        PyObject_CallOneArg(decoding->handler, decoding->exception);
    if (result == NULL)
        return -1;
    Py_ssize_t next = apply(decoding, result);
    Py_DECREF(result);
    return next;
}

/* Appends "\xNN" for each of the bytes. */
static Py_ssize_t
show_bytes(struct pyb_decoding *decoding, Py_ssize_t start, Py_ssize_t end)
{
    char text[PYB_ESCAPE_LONGEST + 1];

    for (Py_ssize_t i = start; i < end; i++) {
        int size = pyb_handlers_escape(text, (unsigned char)decoding->bytes[i],
                                       PYB_HANDLER_BACKSLASHREPLACE);
        for (int k = 0; k < size; k++)
            if (pyb_decoding_char(decoding, (Py_UCS4)text[k]) < 0)
                return -1;
    }
    return end;
}

/* Appends the bytes as surrogates, up to the first one of ASCII.  Returns how
   far it came, or -1. */
static Py_ssize_t
escape_bytes(struct pyb_decoding *decoding, Py_ssize_t start, Py_ssize_t end)
{
    Py_ssize_t i = start;

    for (; i < end && (unsigned char)decoding->bytes[i] >= 0x80; i++)
        if (pyb_decoding_char(decoding,
                              0xdc00U + (unsigned char)decoding->bytes[i]) < 0)
            return -1;
    return i;
}

Py_ssize_t
pyb_decoding_fault(struct pyb_decoding *decoding, Py_ssize_t start,
                   Py_ssize_t end, const char *reason)
{
    Py_ssize_t next;

    if (decoding->kind == PYB_HANDLER_UNSET)
        decoding->kind = pyb_handlers_kind(decoding->errors);
    switch (decoding->kind) {
    case PYB_HANDLER_IGNORE:
        return end;
    case PYB_HANDLER_REPLACE:
        return pyb_decoding_char(decoding, Py_UNICODE_REPLACEMENT_CHARACTER) <
                       0
                   ? -1
                   : end;
    case PYB_HANDLER_BACKSLASHREPLACE:
        return show_bytes(decoding, start, end);
    case PYB_HANDLER_SURROGATEESCAPE:
        next = escape_bytes(decoding, start, end);
        if (next != start)
            return next;
        /* fallthrough */
    default:
        return call_handler(decoding, start, end, reason);
    }
}

PyObject *
pyb_decoding_end(struct pyb_decoding *decoding, int failed)
{
    Py_CLEAR(decoding->handler);
    Py_CLEAR(decoding->exception);
    return pyb_text_end(&decoding->out, failed);
}
