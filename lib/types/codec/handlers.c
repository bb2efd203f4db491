/* handlers.c: the error handlers, and the registry that has them by name. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/once.h"
#include "types/codec/handlers.h"
#include "types/codec/natives.h"
#include "types/codec/units.h"
#include "types/str/str.h"
#include "types/str/text.h"

/* ------------------------------------------------------------------ */
/* What exceptions tell                                                */

enum kind { ENCODE, DECODE, TRANSLATE };

/* struct fault: object, which is owned, is bytes for DECODE, else a str. */
struct fault {
    enum kind kind;
    PyObject *object;
    Py_ssize_t start, end;
};

static int
dont_know(PyObject *exception)
{
    return pyb_failf(PyExc_TypeError,
                     "don't know how to handle %.200s in error callback",
                     Py_TYPE(exception)->tp_name);
}

/* 0, or -1 with TypeError if it is not an exception of codecs. */
static int
look(PyObject *exception, struct fault *fault)
{
    static int (*const get_start[])(PyObject *, Py_ssize_t *) = {
        PyUnicodeEncodeError_GetStart, PyUnicodeDecodeError_GetStart,
        PyUnicodeTranslateError_GetStart};
    static int (*const get_end[])(PyObject *, Py_ssize_t *) = {
        PyUnicodeEncodeError_GetEnd, PyUnicodeDecodeError_GetEnd,
        PyUnicodeTranslateError_GetEnd};
    static PyObject *(*const get_object[])(PyObject *) = {
        PyUnicodeEncodeError_GetObject, PyUnicodeDecodeError_GetObject,
        PyUnicodeTranslateError_GetObject};

    if (exception == NULL)
        return PYB_BAD_CALL(-1);
    if (PyErr_GivenExceptionMatches(exception, PyExc_UnicodeEncodeError))
        fault->kind = ENCODE;
    else if (PyErr_GivenExceptionMatches(exception, PyExc_UnicodeDecodeError))
        fault->kind = DECODE;
    else if (PyErr_GivenExceptionMatches(exception,
                                         PyExc_UnicodeTranslateError))
        fault->kind = TRANSLATE;
    else
        return dont_know(exception);
    if (get_start[fault->kind](exception, &fault->start) < 0 ||
        get_end[fault->kind](exception, &fault->end) < 0)
        return -1;
    fault->object = get_object[fault->kind](exception);
    return fault->object == NULL ? -1 : 0;
}

static Py_ssize_t
fault_size(const struct fault *fault)
{
    return Py_MAX(fault->end - fault->start, 0);
}

/* The characters or bytes of the fault, fault_size of them; to be freed with
   PyMem_Free.  NULL with MemoryError. */
static Py_UCS4 *
fault_chars(const struct fault *fault)
{
    Py_ssize_t size = fault_size(fault);
    Py_UCS4 *chars = PyMem_New(Py_UCS4, size);

    if (chars == NULL ||
        (fault->kind != DECODE && pyb_str_make_chars(fault->object) < 0)) {
        PyMem_Free(chars);
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < size; i++)
        chars[i] = fault->kind == DECODE
                       ? (unsigned char)PyBytes_AS_STRING(
                             fault->object)[fault->start + i]
                       : PyUnicode_ReadChar(fault->object, fault->start + i);
    return chars;
}

/* ------------------------------------------------------------------ */
/* The simple ones                                                     */

enum pyb_handler
pyb_handlers_kind(const char *errors)
{
    static const char *const names[] = {
        [PYB_HANDLER_IGNORE] = "ignore",
        [PYB_HANDLER_REPLACE] = "replace",
        [PYB_HANDLER_BACKSLASHREPLACE] = "backslashreplace",
        [PYB_HANDLER_XMLCHARREFREPLACE] = "xmlcharrefreplace",
        [PYB_HANDLER_SURROGATEESCAPE] = "surrogateescape",
    };

    for (size_t i = PYB_HANDLER_IGNORE;
         errors != NULL && i < Py_ARRAY_LENGTH(names); i++)
        if (strcmp(errors, names[i]) == 0)
            return (enum pyb_handler)i;
    return PYB_HANDLER_OTHER;
}

/* "\xNN", "\uNNNN" or "\UNNNNNNNN". */
static int
escape_hex(char *out, Py_UCS4 ch)
{
    int n = ch < 0x100 ? 2 : ch < 0x10000 ? 4 : 8;

    *out++ = '\\';
    *out++ = n == 2 ? 'x' : n == 4 ? 'u' : 'U';
    for (int i = n - 1; i >= 0; i--)
        *out++ = Py_hexdigits[ch >> (4 * i) & 0xf];
    return n + 2;
}

int
pyb_handlers_escape(char out[PYB_ESCAPE_LONGEST + 1], Py_UCS4 ch,
                    enum pyb_handler handler)
{
    switch (handler) {
    case PYB_HANDLER_REPLACE:
        *out = '?';
        return 1;
    case PYB_HANDLER_XMLCHARREFREPLACE:
        return snprintf(out, PYB_ESCAPE_LONGEST + 1, "&#%u;", ch);
    default:
        PYB_ASSERT(handler == PYB_HANDLER_BACKSLASHREPLACE);
        return escape_hex(out, ch);
    }
}

/* The text of a fault's replacement, each character by itself. */
static PyObject *
escape_all(const struct fault *fault, enum pyb_handler handler)
{
    struct pyb_text out = {0};
    char text[PYB_ESCAPE_LONGEST + 1];
    Py_UCS4 *chars = fault_chars(fault);
    int failed = chars == NULL;

    for (Py_ssize_t i = 0; !failed && i < fault_size(fault); i++) {
        int size = pyb_handlers_escape(text, chars[i], handler);
        failed = pyb_text_bytes(&out, text, size) < 0;
    }
    PyMem_Free(chars);
    return pyb_text_end(&out, failed);
}

/* Ends a handler: the result (replacement, end), both of which it steals. */
static PyObject *
answer(struct fault *fault, PyObject *replacement, Py_ssize_t end)
{
    Py_DECREF(fault->object);
    return replacement == NULL ? NULL
                               : Py_BuildValue("(Nn)", replacement, end);
}

PyObject *
PyCodec_StrictErrors(PyObject *exc)
{
    if (exc == NULL)
        return PYB_BAD_CALL(NULL);
    if (!PyExceptionInstance_Check(exc))
        return pyb_raise(PyExc_TypeError,
                         "codec must pass exception instance");
    PyErr_SetObject(PyExceptionInstance_Class(exc), exc);
    return NULL;
}

PyObject *
PyCodec_IgnoreErrors(PyObject *exc)
{
    struct fault fault;

    if (look(exc, &fault) < 0)
        return NULL;
    return answer(&fault, PyUnicode_FromString(""), fault.end);
}

PyObject *
PyCodec_ReplaceErrors(PyObject *exc)
{
    struct fault fault;
    struct pyb_text out = {0};
    int failed = 0;

    if (look(exc, &fault) < 0)
        return NULL;
    if (fault.kind == ENCODE)
        return answer(&fault, escape_all(&fault, PYB_HANDLER_REPLACE),
                      fault.end);
    Py_ssize_t n = fault.kind == DECODE ? 1 : fault_size(&fault);
    while (!failed && n-- > 0)
        failed = pyb_text_char(&out, Py_UNICODE_REPLACEMENT_CHARACTER) < 0;
    return answer(&fault, pyb_text_end(&out, failed), fault.end);
}

PyObject *
PyCodec_XMLCharRefReplaceErrors(PyObject *exc)
{
    struct fault fault;

    if (look(exc, &fault) < 0)
        return NULL;
    if (fault.kind != ENCODE) {
        dont_know(exc);
        return answer(&fault, NULL, 0);
    }
    return answer(&fault, escape_all(&fault, PYB_HANDLER_XMLCHARREFREPLACE),
                  fault.end);
}

PyObject *
PyCodec_BackslashReplaceErrors(PyObject *exc)
{
    struct fault fault;

    if (look(exc, &fault) < 0)
        return NULL;
    return answer(&fault, escape_all(&fault, PYB_HANDLER_BACKSLASHREPLACE),
                  fault.end);
}

PyObject *
PyCodec_NameReplaceErrors(PyObject *exc)
{
    struct fault fault;

    if (look(exc, &fault) < 0)
        return NULL;
    if (fault.kind != ENCODE)
        dont_know(exc);
    else
        PyErr_SetString(PyExc_NotImplementedError,
                        "namereplace: the names of characters are not known");
    return answer(&fault, NULL, 0);
}

/* ------------------------------------------------------------------ */
/* Surrogates                                                          */

/* surrogateescape: up to four bytes at a time, as they can make a character
   of UTF-8. */
enum { ESCAPED_MOST = 4 };

static PyObject *
unescape(const struct fault *fault, PyObject *exc)
{
    struct pyb_text out = {0};
    Py_UCS4 *chars = fault_chars(fault);
    int failed = chars == NULL;

    for (Py_ssize_t i = 0; !failed && i < fault_size(fault); i++) {
        char byte = (char)(chars[i] & 0xff);
        failed = !pyb_handlers_is_escaped(chars[i]);
        if (failed)
            PyCodec_StrictErrors(exc);
        else
            failed = pyb_text_bytes(&out, &byte, 1) < 0;
    }
    PyMem_Free(chars);
    return pyb_text_end_bytes(&out, failed);
}

static PyObject *
surrogateescape(PyObject *Py_UNUSED(self), PyObject *exc)
{
    struct fault fault;
    Py_UCS4 chars[ESCAPED_MOST];
    Py_ssize_t n = 0;

    if (look(exc, &fault) < 0)
        return NULL;
    if (fault.kind == ENCODE)
        return answer(&fault, unescape(&fault, exc), fault.end);
    if (fault.kind == TRANSLATE) {
        dont_know(exc);
        return answer(&fault, NULL, 0);
    }
    const char *bytes = PyBytes_AS_STRING(fault.object) + fault.start;
    for (; n < ESCAPED_MOST && n < fault_size(&fault); n++) {
        if ((unsigned char)bytes[n] < 0x80)
            break;
        chars[n] = 0xdc00U + (unsigned char)bytes[n];
    }
    PyObject *text =
        n == 0 ? PyCodec_StrictErrors(exc)
               : PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, chars, n);
    return answer(&fault, text, fault.start + n);
}

/* The encoding that an exception names, if it has room for surrogates; NULL,
   with the exception raised if there is none. */
static const struct pyb_native *
surrogate_encoding(PyObject *exc, PyObject *encoding)
{
    const char *name = encoding != NULL ? PyUnicode_AsUTF8(encoding) : NULL;
    const struct pyb_native *native = NULL;

    if (name != NULL)
        native = pyb_native_find(name);
    if (name != NULL && (native == NULL || native->unit == 0)) {
        PyCodec_StrictErrors(exc);
        native = NULL;
    }
    Py_XDECREF(encoding);
    return native;
}

/* Three bytes are those of UTF-8. */
static void
put_surrogate(char *out, Py_UCS4 ch, const struct pyb_native *native)
{
    if (native->unit != 3) {
        pyb_units_put(out, ch, native->unit, pyb_units_big(native->byteorder));
        return;
    }
    out[0] = (char)(0xe0 | ch >> 12);
    out[1] = (char)(0x80 | (ch >> 6 & 0x3f));
    out[2] = (char)(0x80 | (ch & 0x3f));
}

/* 0 if there is none. */
static Py_UCS4
get_surrogate(const char *bytes, Py_ssize_t size,
              const struct pyb_native *native)
{
    Py_UCS4 ch = 0;
    char again[3];

    if (size < native->unit)
        return 0;
    if (native->unit == 3) {
        ch = (bytes[0] & 0xfU) << 12 | (bytes[1] & 0x3fU) << 6 |
             (bytes[2] & 0x3fU);
        put_surrogate(again, ch, native);
        if (memcmp(again, bytes, 3) != 0)
            return 0;
    } else {
        ch = pyb_units_get(bytes, native->unit,
                           pyb_units_big(native->byteorder));
    }
    return Py_UNICODE_IS_SURROGATE(ch) ? ch : 0;
}

static PyObject *
pass_encode(const struct fault *fault, PyObject *exc)
{
    const struct pyb_native *native =
        surrogate_encoding(exc, PyUnicodeEncodeError_GetEncoding(exc));
    struct pyb_text out = {0};
    Py_UCS4 *chars = native == NULL ? NULL : fault_chars(fault);
    int failed = chars == NULL;

    for (Py_ssize_t i = 0; !failed && i < fault_size(fault); i++) {
        char bytes[4];
        failed = !Py_UNICODE_IS_SURROGATE(chars[i]);
        if (failed) {
            PyCodec_StrictErrors(exc);
            break;
        }
        put_surrogate(bytes, chars[i], native);
        failed = pyb_text_bytes(&out, bytes, native->unit) < 0;
    }
    PyMem_Free(chars);
    return pyb_text_end_bytes(&out, failed);
}

static PyObject *
surrogatepass(PyObject *Py_UNUSED(self), PyObject *exc)
{
    struct fault fault;

    if (look(exc, &fault) < 0)
        return NULL;
    if (fault.kind == ENCODE)
        return answer(&fault, pass_encode(&fault, exc), fault.end);
    if (fault.kind == TRANSLATE) {
        dont_know(exc);
        return answer(&fault, NULL, 0);
    }
    const struct pyb_native *native =
        surrogate_encoding(exc, PyUnicodeDecodeError_GetEncoding(exc));
    if (native == NULL)
        return answer(&fault, NULL, 0);
    Py_UCS4 ch =
        get_surrogate(PyBytes_AS_STRING(fault.object) + fault.start,
                      PyBytes_GET_SIZE(fault.object) - fault.start, native);
    return answer(&fault,
                  ch == 0 ? PyCodec_StrictErrors(exc)
                          : PyUnicode_FromOrdinal((int)ch),
                  fault.start + native->unit);
}

/* ------------------------------------------------------------------ */
/* The registry                                                        */

#define HANDLER(NAME, FUNCTION)                                               \
    static PyObject *NAME(PyObject *Py_UNUSED(self), PyObject *exc)           \
    {                                                                         \
        return FUNCTION(exc);                                                 \
    }
HANDLER(strict_errors, PyCodec_StrictErrors)
HANDLER(ignore_errors, PyCodec_IgnoreErrors)
HANDLER(replace_errors, PyCodec_ReplaceErrors)
HANDLER(xmlcharrefreplace_errors, PyCodec_XMLCharRefReplaceErrors)
HANDLER(backslashreplace_errors, PyCodec_BackslashReplaceErrors)
HANDLER(namereplace_errors, PyCodec_NameReplaceErrors)

/* Handlers by name; NULL before the first use. */
static PyObject *registry;

/* Fills in the handlers that are always there. */
static int
fill(PyObject *handlers)
{
    static struct {
        const char *name;
        PyMethodDef def;
    } known[] = {
        {"strict", {"strict_errors", strict_errors, METH_O, NULL}},
        {"ignore", {"ignore_errors", ignore_errors, METH_O, NULL}},
        {"replace", {"replace_errors", replace_errors, METH_O, NULL}},
        {"xmlcharrefreplace",
         {"xmlcharrefreplace_errors", xmlcharrefreplace_errors, METH_O, NULL}},
        {"backslashreplace",
         {"backslashreplace_errors", backslashreplace_errors, METH_O, NULL}},
        {"namereplace",
         {"namereplace_errors", namereplace_errors, METH_O, NULL}},
        {"surrogatepass", {"surrogatepass", surrogatepass, METH_O, NULL}},
        {"surrogateescape",
         {"surrogateescape", surrogateescape, METH_O, NULL}},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++) {
        PyObject *function = PyCFunction_New(&known[i].def, NULL);
        if (function == NULL ||
            PyDict_SetItemString(handlers, known[i].name, function) < 0) {
            Py_XDECREF(function);
            return -1;
        }
        Py_DECREF(function);
    }
    return 0;
}

/* Borrowed; NULL with MemoryError. */
static PyObject *
get_registry(void)
{
    if (registry != NULL)
        return registry;
    PyObject *handlers = PyDict_New();
    if (handlers == NULL || fill(handlers) < 0) {
        Py_XDECREF(handlers);
        return NULL;
    }
    return pyb_once(&registry, handlers) < 0 ? NULL : registry;
}

int
PyCodec_RegisterError(const char *name, PyObject *error)
{
    if (name == NULL || error == NULL)
        return PYB_BAD_CALL(-1);
    if (!PyCallable_Check(error))
        return pyb_fail(PyExc_TypeError, "handler must be callable");
    PyObject *handlers = get_registry();
    return handlers == NULL ? -1 : PyDict_SetItemString(handlers, name, error);
}

PyObject *
PyCodec_LookupError(const char *name)
{
    PyObject *handlers = get_registry(), *handler;

    if (handlers == NULL)
        return NULL;
    if (name == NULL)
        name = "strict";
    if (PyDict_GetItemStringRef(handlers, name, &handler) == 0)
        PyErr_Format(PyExc_LookupError, "unknown error handler name '%.400s'",
                     name);
    return handler;
}

void
pyb_handlers_fini(void)
{
    Py_CLEAR(registry);
}
