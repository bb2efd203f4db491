/* getargsunit.c: converts one argument to C according to a unit of the
   format. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"

/* ------------------------------------------------------------------ */
/* Failures and what they release                                      */

/* Describes the problem: arg is not what was expected. */
static int
expected(struct pyb_getargs *p, const char *what, PyObject *arg)
{
    snprintf(p->problem, sizeof(p->problem), "must be %.50s, not %.50s", what,
             arg == Py_None ? "None" : Py_TYPE(arg)->tp_name);
    return -1;
}

/* Describes the problem: the format is wrong.  The text is in parentheses. */
static int
bad_format(struct pyb_getargs *p, const char *text)
{
    PYB_ASSERT(text[0] != '\0' && strlen(text) < sizeof(p->problem));
    snprintf(p->problem, sizeof(p->problem), "%s", text);
    return -1;
}

/* Makes room for one more cleanup, so that add_cleanup cannot fail. */
static int
reserve_cleanup(struct pyb_getargs *p)
{
    if (p->ncleanups < p->room)
        return 0;

    size_t room = 2 * p->room;
    struct pyb_cleanup *more = PyMem_New(struct pyb_cleanup, room);
    if (more == NULL)
        return PYB_MEMORY_ERROR(-1);
    memcpy(more, p->cleanups, p->ncleanups * sizeof(*more));
    if (p->cleanups != p->few)
        PyMem_Free(p->cleanups);
    p->cleanups = more;
    p->room = room;
    return 0;
}

static void
add_cleanup(struct pyb_getargs *p, pyb_converter release, void *address)
{
    PYB_ASSERT(p->ncleanups < p->room); /* reserved */
    PYB_ASSERT(release != NULL && address != NULL);
    p->cleanups[p->ncleanups].release = release;
    p->cleanups[p->ncleanups].address = address;
    p->ncleanups++;
}

static int
release_memory(PyObject *Py_UNUSED(none), void *address)
{
    char **memory = address;

    PyMem_Free(*memory);
    *memory = NULL;
    return 0;
}

static int
release_view(PyObject *Py_UNUSED(none), void *view)
{
    PyBuffer_Release(view);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Numbers: b B h H i I l k L K n f d D p                              */

/* arg as an integer between min and max; -1 with an exception.  name is the C
   type's name in the message. */
static long
long_between(PyObject *arg, long min, long max, const char *name)
{
    long value = PyLong_AsLong(arg);

    if (value == -1 && PyErr_Occurred())
        return -1;
    if (value < min)
        return pyb_failf(PyExc_OverflowError, "%s is less than minimum", name);
    if (value > max)
        return pyb_failf(PyExc_OverflowError, "%s is greater than maximum",
                         name);
    return value;
}

static Py_ssize_t
index_value(PyObject *arg)
{
    PyObject *index = PyNumber_Index(arg);

    if (index == NULL)
        return -1;
    Py_ssize_t value = PyLong_AsSsize_t(index);
    Py_DECREF(index);
    return value;
}

/* The value for an integer unit, or -1 with an exception. */
static long long
integer_value(char unit, PyObject *arg)
{
    switch (unit) {
    case 'b':
        return long_between(arg, 0, UCHAR_MAX, "unsigned byte integer");
    case 'h':
        return long_between(arg, SHRT_MIN, SHRT_MAX, "signed short integer");
    case 'i':
        return long_between(arg, INT_MIN, INT_MAX, "signed integer");
    case 'l':
        return PyLong_AsLong(arg);
    case 'L':
        return PyLong_AsLongLong(arg);
    case 'n':
        return index_value(arg);
    case 'K':
        return (long long)PyLong_AsUnsignedLongLongMask(arg);
    default: /* B H I k */
        PYB_ASSERT(strchr("BHIk", unit) != NULL);
        return (long long)PyLong_AsUnsignedLongMask(arg);
    }
}

static void
store_integer(char unit, void *variable, long long value)
{
    switch (unit) {
    case 'b':
    case 'B':
        *(unsigned char *)variable = (unsigned char)value;
        break;
    case 'h':
    case 'H':
        *(unsigned short *)variable = (unsigned short)value;
        break;
    case 'i':
    case 'I':
        *(unsigned int *)variable = (unsigned int)value;
        break;
    case 'l':
    case 'k':
        *(unsigned long *)variable = (unsigned long)value;
        break;
    case 'n':
        *(Py_ssize_t *)variable = (Py_ssize_t)value;
        break;
    default: /* L K */
        PYB_ASSERT(unit == 'L' || unit == 'K');
        *(unsigned long long *)variable = (unsigned long long)value;
    }
}

static int
convert_integer(struct pyb_getargs *p, char unit, PyObject *arg)
{
    void *variable = va_arg(p->va, void *);

    if (arg == NULL)
        return 0;
    if ((unit == 'k' || unit == 'K') && !PyIndex_Check(arg))
        return expected(p, "int", arg);

    long long value = integer_value(unit, arg);
    if (value == -1 && PyErr_Occurred())
        return -1;
    store_integer(unit, variable, value);
    return 0;
}

static int
convert_float(struct pyb_getargs *p, char unit, PyObject *arg)
{
    void *variable = va_arg(p->va, void *);

    if (arg == NULL)
        return 0;

    double value = PyFloat_AsDouble(arg);
    if (value == -1.0 && PyErr_Occurred())
        return -1;
    PYB_ASSERT(unit == 'f' || unit == 'd');
    if (unit == 'f')
        *(float *)variable = (float)value;
    else
        *(double *)variable = value;
    return 0;
}

static int
convert_complex(struct pyb_getargs *p, PyObject *arg)
{
    Py_complex *variable = va_arg(p->va, Py_complex *);

    if (arg == NULL)
        return 0;

    Py_complex value = PyComplex_AsCComplex(arg);
    if (value.real == -1.0 && PyErr_Occurred())
        return -1;
    *variable = value;
    return 0;
}

static int
convert_truth(struct pyb_getargs *p, PyObject *arg)
{
    int *variable = va_arg(p->va, int *);

    if (arg == NULL)
        return 0;

    int value = PyObject_IsTrue(arg);
    if (value < 0)
        return -1;
    *variable = value;
    return 0;
}

/* ------------------------------------------------------------------ */
/* Characters: c C                                                     */

static int
convert_byte_character(struct pyb_getargs *p, PyObject *arg)
{
    char *variable = va_arg(p->va, char *);

    if (arg == NULL)
        return 0;
    if (PyBytes_Check(arg) && PyBytes_Size(arg) == 1)
        *variable = PyBytes_AsString(arg)[0];
    else if (PyByteArray_Check(arg) && PyByteArray_Size(arg) == 1)
        *variable = PyByteArray_AsString(arg)[0];
    else
        return expected(p, "a byte string of length 1", arg);
    return 0;
}

static int
convert_character(struct pyb_getargs *p, PyObject *arg)
{
    int *variable = va_arg(p->va, int *);

    if (arg == NULL)
        return 0;
    if (!PyUnicode_Check(arg) || PyUnicode_GetLength(arg) != 1)
        return expected(p, "a unicode character", arg);
    *variable = (int)PyUnicode_ReadChar(arg, 0);
    return 0;
}

/* ------------------------------------------------------------------ */
/* Strings and buffers: s z y w, alone, with # and with *              */

/* Fills the view for s* z* y* w*; it is released if a later unit fails. */
static int
convert_view(struct pyb_getargs *p, char unit, PyObject *arg, Py_buffer *view)
{
    if (reserve_cleanup(p) < 0)
        return -1;

    if (unit == 'z' && arg == Py_None) {
        if (PyBuffer_FillInfo(view, NULL, NULL, 0, 1, 0) < 0)
            return -1;
    } else if ((unit == 's' || unit == 'z') && PyUnicode_Check(arg)) {
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(arg, &size);
        if (text == NULL ||
            PyBuffer_FillInfo(view, arg, (void *)text, size, 1, 0) < 0)
            return -1;
    } else if (unit == 'w') {
        if (PyObject_GetBuffer(arg, view, PyBUF_WRITABLE) < 0) {
            PyErr_Clear();
            return expected(p, "read-write bytes-like object", arg);
        }
    } else if (PyObject_GetBuffer(arg, view, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    if (!PyBuffer_IsContiguous(view, 'C')) {
        PyBuffer_Release(view);
        return expected(p, "contiguous buffer", arg);
    }
    add_cleanup(p, release_view, view);
    return 0;
}

/* The memory of a read-only buffer.  The view is released at once; only
   objects without bf_releasebuffer, which never move their memory, permit
   that. */
static int
fixed_memory(struct pyb_getargs *p, PyObject *arg, const char **memory,
             Py_ssize_t *size)
{
    PyBufferProcs *procs = Py_TYPE(arg)->tp_as_buffer;
    Py_buffer view;

    if (procs != NULL && procs->bf_releasebuffer != NULL)
        return expected(p, "read-only bytes-like object", arg);
    if (PyObject_GetBuffer(arg, &view, PyBUF_SIMPLE) < 0)
        return -1;

    int contiguous = PyBuffer_IsContiguous(&view, 'C');
    *memory = (const char *)view.buf;
    *size = view.len;
    PyBuffer_Release(&view);
    return contiguous ? 0 : expected(p, "contiguous buffer", arg);
}

static int
has_null(const char *memory, Py_ssize_t size)
{
    return size > 0 && memchr(memory, '\0', (size_t)size) != NULL;
}

/* Stores the address of the characters, and their number unless length is
   NULL: then they may not contain a null. */
static int
convert_chars(struct pyb_getargs *p, char unit, PyObject *arg,
              const char **variable, Py_ssize_t *length)
{
    const char *text = NULL;
    Py_ssize_t size = 0;

    if (unit == 'z' && arg == Py_None) {
        /* NULL and 0 */
    } else if (unit != 'y' && PyUnicode_Check(arg)) {
        text = PyUnicode_AsUTF8AndSize(arg, &size);
        if (text == NULL)
            return -1;
    } else if (unit == 'y' || length != NULL) {
        if (fixed_memory(p, arg, &text, &size) < 0)
            return -1;
    } else {
        return expected(p, unit == 'z' ? "str or None" : "str", arg);
    }

    if (length == NULL && has_null(text, size))
        return pyb_failf(PyExc_ValueError, "embedded null %s",
                         unit == 'y' ? "byte" : "character");
    *variable = text;
    if (length != NULL)
        *length = size;
    return 0;
}

static int
convert_text(struct pyb_getargs *p, char unit, PyObject *arg)
{
    if (*p->format == '*') {
        p->format++;
        Py_buffer *view = va_arg(p->va, Py_buffer *);
        return arg == NULL ? 0 : convert_view(p, unit, arg, view);
    }
    if (unit == 'w')
        return bad_format(p, "(invalid use of 'w' format character)");

    const char **variable = va_arg(p->va, const char **);
    Py_ssize_t *length = NULL;
    if (*p->format == '#') {
        p->format++;
        length = va_arg(p->va, Py_ssize_t *);
    }
    return arg == NULL ? 0 : convert_chars(p, unit, arg, variable, length);
}

/* ------------------------------------------------------------------ */
/* Encoded strings: es et es# et#                                      */

/* arg's encoded form, a bytes or (mode 't') bytearray object; a new
   reference. */
static PyObject *
encode(struct pyb_getargs *p, char mode, PyObject *arg, const char *encoding)
{
    if (mode == 't' && (PyBytes_Check(arg) || PyByteArray_Check(arg)))
        return Py_NewRef(arg);
    if (PyUnicode_Check(arg))
        return PyUnicode_AsEncodedString(
            arg, encoding == NULL ? "utf-8" : encoding, NULL);
    expected(p, mode == 's' ? "str" : "str, bytes or bytearray", arg);
    return NULL;
}

/* Makes sure that *variable has room for size bytes and a null: in fresh
   memory, or, if length is given and *variable is not NULL, in the *length
   bytes there. */
static int
encoded_room(struct pyb_getargs *p, Py_ssize_t size, char **variable,
             const Py_ssize_t *length)
{
    if (length != NULL && *variable != NULL) {
        if (size < *length)
            return 0;
        return pyb_failf(PyExc_ValueError,
                         "encoded string too long (%zd, maximum length %zd)",
                         size, *length - 1);
    }

    if (reserve_cleanup(p) < 0)
        return -1;
    char *memory = PyMem_Malloc((size_t)size + 1);
    if (memory == NULL)
        return PYB_MEMORY_ERROR(-1);
    *variable = memory;
    add_cleanup(p, release_memory, variable);
    return 0;
}

/* Copies arg's encoded form. */
static int
store_encoded(struct pyb_getargs *p, PyObject *arg, PyObject *encoded,
              char **variable, Py_ssize_t *length)
{
    int is_bytes = PyBytes_Check(encoded);
    PYB_ASSERT_OBJECT(is_bytes || PyByteArray_Check(encoded), encoded);
    const char *text =
        is_bytes ? PyBytes_AsString(encoded) : PyByteArray_AsString(encoded);
    Py_ssize_t size =
        is_bytes ? PyBytes_Size(encoded) : PyByteArray_Size(encoded);

    if (length == NULL && has_null(text, size))
        return expected(p, "encoded string without null bytes", arg);
    if (encoded_room(p, size, variable, length) < 0)
        return -1;
    PYB_ASSERT(*variable != NULL && size >= 0);
    if (size > 0)
        memcpy(*variable, text, (size_t)size);
    (*variable)[size] = '\0';
    if (length != NULL)
        *length = size;
    return 0;
}

static int
convert_encoded(struct pyb_getargs *p, PyObject *arg)
{
    const char *encoding = va_arg(p->va, const char *);
    char mode = *p->format;

    if (mode != 's' && mode != 't')
        return bad_format(p, "(unknown parser marker combination)");
    p->format++;

    char **variable = va_arg(p->va, char **);
    Py_ssize_t *length = NULL;
    int has_length = *p->format == '#';
    if (has_length) {
        p->format++;
        length = va_arg(p->va, Py_ssize_t *);
    }
    if (arg == NULL)
        return 0;
    if (variable == NULL)
        return bad_format(p, "(buffer is NULL)");
    if (has_length && length == NULL)
        return bad_format(p, "(buffer_len is NULL)");

    PyObject *encoded = encode(p, mode, arg, encoding);
    if (encoded == NULL)
        return -1;
    int result = store_encoded(p, arg, encoded, variable, length);
    Py_DECREF(encoded);
    return result;
}

/* ------------------------------------------------------------------ */
/* Objects: O O! O& S Y U                                              */

static int
convert_by_function(struct pyb_getargs *p, PyObject *arg)
{
    pyb_converter converter = va_arg(p->va, pyb_converter);
    void *address = va_arg(p->va, void *);

    if (arg == NULL)
        return 0;
    if (reserve_cleanup(p) < 0)
        return -1;

    int result = converter(arg, address);
    if (result == 0)
        return bad_format(p, "(unspecified)");
    if (result == Py_CLEANUP_SUPPORTED)
        add_cleanup(p, converter, address);
    return 0;
}

static int
convert_object(struct pyb_getargs *p, PyObject *arg)
{
    PyTypeObject *type = NULL;

    if (*p->format == '&') {
        p->format++;
        return convert_by_function(p, arg);
    }
    if (*p->format == '!') {
        p->format++;
        type = va_arg(p->va, PyTypeObject *);
    }

    PyObject **variable = va_arg(p->va, PyObject **);
    if (arg == NULL)
        return 0;
    if (type != NULL && !PyObject_TypeCheck(arg, type))
        return expected(p, type->tp_name, arg);
    *variable = arg;
    return 0;
}

static int
convert_string_object(struct pyb_getargs *p, char unit, PyObject *arg)
{
    PyObject **variable = va_arg(p->va, PyObject **);

    if (arg == NULL)
        return 0;
    if (unit == 'S' && !PyBytes_Check(arg))
        return expected(p, "bytes", arg);
    if (unit == 'Y' && !PyByteArray_Check(arg))
        return expected(p, "bytearray", arg);
    if (unit == 'U' && !PyUnicode_Check(arg))
        return expected(p, "str", arg);
    *variable = arg;
    return 0;
}

/* ------------------------------------------------------------------ */
/* (items)                                                             */

/* 0 if arg is a sequence of n items. */
static int
check_sequence(struct pyb_getargs *p, PyObject *arg, int n)
{
    if (!PySequence_Check(arg) || PyBytes_Check(arg)) {
        char what[32];
        snprintf(what, sizeof(what), "%d-item sequence", n);
        return expected(p, what, arg);
    }

    Py_ssize_t length = PySequence_Size(arg);
    if (length == n)
        return 0;
    if (length >= 0)
        snprintf(p->problem, sizeof(p->problem),
                 "must be sequence of length %d, not %zd", n, length);
    return -1;
}

/* Converts item i of arg, or skips it if arg is NULL. */
static int
convert_item(struct pyb_getargs *p, PyObject *arg, int i)
{
    PyObject *item = NULL;

    PYB_ASSERT(p->depth >= 0 && p->depth < PYB_GETARGS_DEPTH);
    p->path[p->depth++] = i;
    if (arg != NULL) {
        item = PySequence_GetItem(arg, i);
        if (item == NULL) {
            PyErr_Clear();
            return bad_format(p, "is not retrievable");
        }
    }
    if (pyb_getargs_convert(p, item) < 0) {
        Py_XDECREF(item);
        return -1;
    }
    Py_XDECREF(item);
    p->depth--;
    PYB_ASSERT(p->path[p->depth] == i);
    return 0;
}

static int
convert_sequence(struct pyb_getargs *p, PyObject *arg)
{
    struct pyb_getargs_count count;

    if (p->depth == PYB_GETARGS_DEPTH)
        return bad_format(p, "(too many tuple nesting levels)");
    if (pyb_getargs_count(p->format, &count) < 0)
        return -1;
    if (arg != NULL && check_sequence(p, arg, count.max) < 0)
        return -1;
    for (int i = 0; i < count.max; i++) {
        if (convert_item(p, arg, i) < 0)
            return -1;
    }
    if (*p->format != ')')
        return bad_format(p, "(impossible<bad format char>)");
    p->format++;
    return 0;
}

/* ------------------------------------------------------------------ */

int
pyb_getargs_convert(struct pyb_getargs *p, PyObject *arg)
{
    char unit = *p->format++;

    switch (unit) {
    case '(':
        return convert_sequence(p, arg);
    case 'b':
    case 'B':
    case 'h':
    case 'H':
    case 'i':
    case 'I':
    case 'l':
    case 'k':
    case 'L':
    case 'K':
    case 'n':
        return convert_integer(p, unit, arg);
    case 'f':
    case 'd':
        return convert_float(p, unit, arg);
    case 'D':
        return convert_complex(p, arg);
    case 'p':
        return convert_truth(p, arg);
    case 'c':
        return convert_byte_character(p, arg);
    case 'C':
        return convert_character(p, arg);
    case 's':
    case 'z':
    case 'y':
    case 'w':
        return convert_text(p, unit, arg);
    case 'e':
        return convert_encoded(p, arg);
    case 'O':
        return convert_object(p, arg);
    case 'S':
    case 'Y':
    case 'U':
        return convert_string_object(p, unit, arg);
    default:
        p->format--;
        return bad_format(p, "(impossible<bad format char>)");
    }
}
