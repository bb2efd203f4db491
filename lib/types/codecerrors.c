/* codecerrors.c: what becomes of bytes and characters that an encoding does
   not have: the error handlers. */

#include "Python.h"

#include "types/codecs.h"
#include "types/str.h"
#include "types/utf8.h"

enum handler {
    STRICT,
    IGNORE,
    REPLACE,
    BACKSLASHREPLACE,
    XMLCHARREFREPLACE,
    SURROGATEESCAPE,
    SURROGATEPASS,
    UNKNOWN
};

static enum handler
find_handler(const char *errors)
{
    static const char *const names[] = {"strict",
                                        "ignore",
                                        "replace",
                                        "backslashreplace",
                                        "xmlcharrefreplace",
                                        "surrogateescape",
                                        "surrogatepass"};
    int i = 0;

    if (errors == NULL)
        return STRICT;
    while (i < UNKNOWN && strcmp(errors, names[i]) != 0)
        i++;
    if (i == UNKNOWN)
        PyErr_Format(PyExc_LookupError, "unknown error handler name '%.400s'",
                     errors);
    return (enum handler)i;
}

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

static int
raise_decode_error(const struct pyb_decode_fault *fault)
{
    PyObject *exc = PyUnicodeDecodeError_Create(
        fault->codec->name, fault->bytes, fault->size, fault->start,
        fault->start + fault->length, fault->reason);

    if (exc != NULL)
        PyErr_SetRaisedException(exc);
    return -1;
}

static int
decode_by_byte(struct pyb_text *out, const struct pyb_decode_fault *fault,
               enum handler handler)
{
    for (Py_ssize_t i = 0; i < fault->length; i++) {
        unsigned char byte = (unsigned char)fault->bytes[fault->start + i];
        int result;
        if (handler == BACKSLASHREPLACE)
            result = pyb_text_printf(out, "\\x%02x", byte);
        else if (byte < 0x80)
            return raise_decode_error(fault);
        else
            result = pyb_text_char(out, 0xdc00U + byte);
        if (result < 0)
            return -1;
    }
    return 0;
}

int
pyb_codecs_decode_error(struct pyb_text *out, const char *errors,
                        const struct pyb_decode_fault *fault)
{
    enum handler handler = find_handler(errors);

    switch (handler) {
    case IGNORE:
        return 0;
    case REPLACE:
        return pyb_text_char(out, Py_UNICODE_REPLACEMENT_CHARACTER);
    case BACKSLASHREPLACE:
    case SURROGATEESCAPE:
        return decode_by_byte(out, fault, handler);
    case XMLCHARREFREPLACE:
        PyErr_SetString(PyExc_TypeError,
                        "don't know how to handle UnicodeDecodeError in error "
                        "callback");
        return -1;
    case UNKNOWN:
        return -1;
    default:
        return raise_decode_error(fault);
    }
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

static int
raise_encode_error(const struct pyb_encode_fault *fault)
{
    PyObject *exc = PyObject_CallFunction(
        PyExc_UnicodeEncodeError, "sOnns", fault->codec->name, fault->str,
        fault->start, fault->end, fault->codec->reason);

    if (exc != NULL)
        PyErr_SetRaisedException(exc);
    return -1;
}

/* Appends what stands for one character; 1 if the handler does not know. */
static int
encode_char(struct pyb_text *out, Py_UCS4 ch, enum handler handler,
            const struct pyb_codec *codec)
{
    char byte = (char)(ch & 0xff);

    switch (handler) {
    case IGNORE:
        return 0;
    case REPLACE:
        return pyb_text_repeat(out, '?', 1);
    case BACKSLASHREPLACE:
        return pyb_text_printf(out,
                               ch < 0x100     ? "\\x%02x"
                               : ch < 0x10000 ? "\\u%04x"
                                              : "\\U%08x",
                               ch);
    case XMLCHARREFREPLACE:
        return pyb_text_printf(out, "&#%u;", ch);
    case SURROGATEESCAPE:
        if (ch < 0xdc80 || ch > 0xdcff)
            return 1;
        return pyb_text_bytes(out, &byte, 1);
    case SURROGATEPASS:
        if (codec->limit != 0 || !Py_UNICODE_IS_SURROGATE(ch))
            return 1;
        return pyb_text_char(out, ch);
    case UNKNOWN:
        return -1;
    default:
        return 1;
    }
}

int
pyb_codecs_encode_error(struct pyb_text *out, const char *errors,
                        const struct pyb_encode_fault *fault)
{
    enum handler handler = find_handler(errors);
    const char *p = pyb_str_at(fault->str, fault->start);

    for (Py_ssize_t i = fault->start; i < fault->end; i++) {
        Py_UCS4 ch = pyb_utf8_next(&p);
        int result = encode_char(out, ch, handler, fault->codec);
        if (result == 1)
            return raise_encode_error(fault);
        if (result < 0)
            return -1;
    }
    return 0;
}
