/* bytes.c: the type bytes, and what bytearray does in the same way (bytes of
   an object, of a number; comparison; containment).  bytesformat.c has
   PyBytes_FromFormat, bytesmethods.c the methods. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/control.h"
#include "object/args/getargs.h"
#include "object/attr/attr.h"
#include "object/error/errors.h"
#include "runtime/freelist.h"
#include "types/bytes/bytes.h"
#include "types/bytes/bytesfind.h"
#include "types/iter/iterators.h"
#include "types/str/strrepr.h"

#define BYTES(op) PYB_CAST(PyBytesObject, PyBytes_Check, op)

/* Bytes of an object besides its content: the NUL is among them. */
#define OVERHEAD ((Py_ssize_t)(offsetof(PyBytesObject, ob_sval) + 1))

/* ------------------------------------------------------------------ */
/* Making and freeing                                                  */

static PyBytesObject empty = {PyVarObject_HEAD_INIT(&PyBytes_Type, 0) - 1,
                              {0}};

/* 0 if bytes of that size can exist, else -1 with an exception. */
static int
check_size(Py_ssize_t size)
{
    if (size < 0)
        return pyb_fail(PyExc_SystemError, "Negative size passed to "
                                           "PyBytes_FromStringAndSize");
    if (size > PY_SSIZE_T_MAX - OVERHEAD)
        return pyb_fail(PyExc_OverflowError, "byte string is too large");
    return 0;
}

PyObject *
PyBytes_FromStringAndSize(const char *v, Py_ssize_t len)
{
    if (len == 0) {
        pyb_control_need(__func__);
        return Py_NewRef(&empty);
    }
    if (check_size(len) < 0)
        return NULL;
    size_t size = (size_t)(len + OVERHEAD);
    PyBytesObject *op = pyb_memory_alloc(size, size, 0);
    if (op == NULL)
        return PyErr_NoMemory();
    PyObject_InitVar((PyVarObject *)op, &PyBytes_Type, len);
    op->ob_shash = -1;
    if (v != NULL)
        memcpy(op->ob_sval, v, (size_t)len);
    op->ob_sval[len] = '\0';
    return (PyObject *)op;
}

PyObject *
PyBytes_FromString(const char *v)
{
    return PyBytes_FromStringAndSize(v, (Py_ssize_t)strlen(v));
}

static void
bytes_dealloc(PyObject *op)
{
    PYB_ASSERT_OBJECT(PyBytes_Check(op) && op != (PyObject *)&empty, op);
    Py_TYPE(op)->tp_free(op);
}

int
_PyBytes_Resize(PyObject **bytes, Py_ssize_t newsize)
{
    PyObject *op = *bytes;

    if (!PyBytes_CheckExact(op) || newsize < 0) {
        PyErr_BadInternalCall();
        Py_CLEAR(*bytes);
        return -1;
    }
    if (Py_SIZE(op) == newsize)
        return 0;
    if (newsize == 0 || Py_SIZE(op) == 0) {
        Py_SETREF(*bytes, PyBytes_FromStringAndSize(NULL, newsize));
        return *bytes == NULL ? -1 : 0;
    }
    if (Py_REFCNT(op) != 1) {
        PyErr_BadInternalCall();
        Py_CLEAR(*bytes);
        return -1;
    }
    PyBytesObject *moved = NULL;
    if (newsize <= PY_SSIZE_T_MAX - OVERHEAD)
        moved = PyObject_Realloc(op, (size_t)(newsize + OVERHEAD));
    if (moved == NULL) {
        PyErr_NoMemory();
        Py_CLEAR(*bytes);
        return -1;
    }
    Py_SET_SIZE(moved, newsize);
    moved->ob_sval[newsize] = '\0';
    moved->ob_shash = -1;
    *bytes = (PyObject *)moved;
    return 0;
}

/* ------------------------------------------------------------------ */
/* From objects                                                        */

/* The bytes of an object that offers a buffer, of any layout. */
static PyObject *
from_buffer(PyObject *o)
{
    Py_buffer view;

    if (PyObject_GetBuffer(o, &view, PyBUF_FULL_RO) < 0)
        return NULL;
    PyObject *op = PyBytes_FromStringAndSize(NULL, view.len);
    if (op != NULL) /* this fails for other lengths than view's alone */
        PyBuffer_ToContiguous(PyBytes_AS_STRING(op), &view, view.len, 'C');
    PyBuffer_Release(&view);
    return op;
}

int
pyb_bytes_byte(PyObject *op, const char *name)
{
    int overflow = 0;
    PyObject *index = PyNumber_Index(op);

    if (index == NULL)
        return -1;
    long value = PyLong_AsLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow == 0 && value >= 0 && value < 256)
        return (int)value;
    return pyb_failf(PyExc_ValueError, "%s must be in range(0, 256)", name);
}

/* Appends the integers of an iterable as bytes. */
static int
collect(struct pyb_text *out, const char *name, PyObject *iterable)
{
    const char *item_name = strcmp(name, "bytes") == 0 ? "bytes" : "byte";
    PyObject *it = PyObject_GetIter(iterable), *item;

    if (it == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError,
                         "cannot convert '%.200s' object to %s",
                         Py_TYPE(iterable)->tp_name, name);
        }
        return -1;
    }
    while ((item = PyIter_Next(it)) != NULL) {
        int value = pyb_bytes_byte(item, item_name);
        Py_DECREF(item);
        if (value < 0 || pyb_text_repeat(out, (char)value, 1) < 0)
            break;
    }
    Py_DECREF(it);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *
pyb_bytes_from_iterable(const char *name, PyObject *iterable)
{
    struct pyb_text out = {0};

    return pyb_text_end_bytes(&out, collect(&out, name, iterable) < 0);
}

/* The bytes of a buffer or an iterable. */
static PyObject *
from_object(const char *name, PyObject *o)
{
    if (PyBytes_CheckExact(o))
        return Py_NewRef(o);
    if (PyObject_CheckBuffer(o))
        return from_buffer(o);
    if (PyUnicode_Check(o))
        return PyErr_Format(PyExc_TypeError,
                            "cannot convert 'str' object to %s", name);
    return pyb_bytes_from_iterable(name, o);
}

PyObject *
PyBytes_FromObject(PyObject *o)
{
    if (o == NULL)
        return PYB_BAD_CALL(NULL);
    return from_object("bytes", o);
}

/* bytes(x) for an integer x: x zeros. */
static PyObject *
zeros(const char *name, PyObject *x)
{
    Py_ssize_t size = PyNumber_AsSsize_t(x, PyExc_OverflowError);

    if (size == -1 && PyErr_Occurred())
        return NULL;
    if (size < 0)
        return pyb_raise(PyExc_ValueError, "negative count");
    if (size > PY_SSIZE_T_MAX - OVERHEAD && strcmp(name, "bytes") != 0)
        return PyErr_NoMemory();
    PyObject *op = PyBytes_FromStringAndSize(NULL, size);
    if (op != NULL && size > 0)
        memset(PyBytes_AS_STRING(op), 0, (size_t)size);
    return op;
}

PyObject *
pyb_bytes_make(const char *name, PyObject *source, const char *encoding,
               const char *errors)
{
    if (encoding != NULL || errors != NULL) {
        int is_str = source != NULL && PyUnicode_Check(source);
        if (is_str && encoding != NULL)
            return PyUnicode_AsEncodedString(source, encoding, errors);
        if (is_str)
            return pyb_raise(PyExc_TypeError,
                             "string argument without an encoding");
        return pyb_raise(PyExc_TypeError,
                         encoding != NULL
                             ? "encoding without a string argument"
                             : "errors without a string argument");
    }
    if (source == NULL)
        return PyBytes_FromStringAndSize(NULL, 0);
    if (strcmp(name, "bytes") == 0 && !PyBytes_CheckExact(source)) {
        PyObject *op;
        if (pyb_attr_convert(source, "__bytes__", &PyBytes_Type, &op) != 0)
            return op;
    }
    if (PyUnicode_Check(source))
        return pyb_raise(PyExc_TypeError,
                         "string argument without an encoding");
    if (PyIndex_Check(source)) {
        PyObject *op = zeros(name, source);
        if (op != NULL || !PyErr_ExceptionMatches(PyExc_TypeError))
            return op;
        PyErr_Clear(); /* it is no integer after all */
    }
    return from_object(name, source);
}

static PyObject *
bytes_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"source", "encoding", "errors", NULL};
    PyObject *source = NULL;
    const char *encoding = NULL, *errors = NULL;

    if (!pyb_getargs_named(args, kwds, "|Oss:bytes", names, &source, &encoding,
                           &errors))
        return NULL;
    PyObject *bytes = pyb_bytes_make("bytes", source, encoding, errors);
    PYB_ASSERT(bytes == NULL || PyBytes_Check(bytes));
    if (bytes == NULL || type == &PyBytes_Type)
        return bytes;

    PyObject *op = type->tp_alloc(type, Py_SIZE(bytes));
    if (op != NULL) {
        PYB_ASSERT_OBJECT(Py_SIZE(op) == Py_SIZE(bytes), op);
        memcpy(BYTES(op)->ob_sval, BYTES(bytes)->ob_sval,
               (size_t)Py_SIZE(bytes) + 1);
        BYTES(op)->ob_shash = -1;
    }
    Py_DECREF(bytes);
    return op;
}

/* ------------------------------------------------------------------ */
/* To C                                                                */

/* 0 if op is bytes, else -1 with TypeError. */
static int
check_bytes(const char *function, PyObject *op)
{
    if (PyBytes_Check(op))
        return 0;
    pyb_dead_given(function, op);
    return pyb_failf(PyExc_TypeError, "expected bytes, %.200s found",
                     Py_TYPE(op)->tp_name);
}

Py_ssize_t
PyBytes_Size(PyObject *op)
{
    return check_bytes(__func__, op) < 0 ? -1 : Py_SIZE(op);
}

char *
PyBytes_AsString(PyObject *op)
{
    return check_bytes(__func__, op) < 0 ? NULL : BYTES(op)->ob_sval;
}

int
PyBytes_AsStringAndSize(PyObject *obj, char **buffer, Py_ssize_t *length)
{
    if (buffer == NULL)
        return PYB_BAD_CALL(-1);
    if (check_bytes(__func__, obj) < 0)
        return -1;
    *buffer = BYTES(obj)->ob_sval;
    if (length != NULL) {
        *length = Py_SIZE(obj);
    } else if ((Py_ssize_t)strlen(*buffer) != Py_SIZE(obj)) {
        return pyb_fail(PyExc_ValueError, "embedded null byte");
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* Concatenation                                                       */

static PyObject *
join_views(const Py_buffer *a, const Py_buffer *b)
{
    PYB_ASSERT(a->len >= 0 && b->len >= 0);
    if (a->len > PY_SSIZE_T_MAX - b->len)
        return PyErr_NoMemory();
    PyObject *op = PyBytes_FromStringAndSize(NULL, a->len + b->len);
    if (op != NULL && a->len > 0)
        memcpy(BYTES(op)->ob_sval, a->buf, (size_t)a->len);
    if (op != NULL && b->len > 0)
        memcpy(BYTES(op)->ob_sval + a->len, b->buf, (size_t)b->len);
    return op;
}

static PyObject *
bytes_concat(PyObject *a, PyObject *b)
{
    Py_buffer left, right;

    if (pyb_bytes_get_pair(a, &left, b, &right) < 0)
        return NULL;
    PyObject *op = left.len == 0 && PyBytes_CheckExact(b) ? Py_NewRef(b)
                   : right.len == 0 && PyBytes_CheckExact(a)
                       ? Py_NewRef(a)
                       : join_views(&left, &right);
    PyBuffer_Release(&left);
    PyBuffer_Release(&right);
    return op;
}

int
pyb_bytes_get_pair(PyObject *a, Py_buffer *left, PyObject *b, Py_buffer *right)
{
    left->obj = right->obj = NULL;
    if (PyObject_GetBuffer(a, left, PyBUF_SIMPLE) == 0) {
        if (PyObject_GetBuffer(b, right, PyBUF_SIMPLE) == 0)
            return 0;
        PyBuffer_Release(left);
    }
    return pyb_failf(PyExc_TypeError, "can't concat %.100s to %.100s",
                     Py_TYPE(b)->tp_name, Py_TYPE(a)->tp_name);
}

/* Appends to bytes that nothing else refers to.  On failure *bytes is NULL. */
static void
grow(PyObject **bytes, PyObject *newpart)
{
    Py_ssize_t size = Py_SIZE(*bytes);
    Py_buffer view;

    if (PyObject_GetBuffer(newpart, &view, PyBUF_SIMPLE) < 0) {
        Py_CLEAR(*bytes);
        return;
    }
    if (view.len > PY_SSIZE_T_MAX - size) {
        PyErr_NoMemory();
        Py_CLEAR(*bytes);
    } else if (_PyBytes_Resize(bytes, size + view.len) == 0 && view.len > 0) {
        memcpy(BYTES(*bytes)->ob_sval + size, view.buf, (size_t)view.len);
    }
    PyBuffer_Release(&view);
}

void
PyBytes_Concat(PyObject **bytes, PyObject *newpart)
{
    if (*bytes == NULL)
        return;
    if (newpart == NULL)
        Py_CLEAR(*bytes);
    else if (Py_REFCNT(*bytes) == 1 && PyBytes_CheckExact(*bytes) &&
             Py_SIZE(*bytes) > 0 && newpart != *bytes &&
             PyObject_CheckBuffer(newpart))
        grow(bytes, newpart);
    else
        Py_SETREF(*bytes, bytes_concat(*bytes, newpart));
}

void
PyBytes_ConcatAndDel(PyObject **bytes, PyObject *newpart)
{
    PyBytes_Concat(bytes, newpart);
    Py_XDECREF(newpart);
}

static PyObject *
bytes_repeat(PyObject *op, Py_ssize_t count)
{
    Py_ssize_t size = Py_SIZE(op);

    count = Py_MAX(count, 0);
    if (count > 0 && size > PY_SSIZE_T_MAX / count)
        return pyb_raise(PyExc_OverflowError, "repeated bytes are too long");
    if (count == 1 && PyBytes_CheckExact(op))
        return Py_NewRef(op);
    PyObject *result = PyBytes_FromStringAndSize(NULL, size * count);
    for (Py_ssize_t i = 0; result != NULL && size > 0 && i < count; i++)
        memcpy(BYTES(result)->ob_sval + i * size, BYTES(op)->ob_sval,
               (size_t)size);
    return result;
}

/* ------------------------------------------------------------------ */
/* Comparison, hash, repr                                              */

PyObject *
pyb_bytes_compare(struct pyb_span a, struct pyb_span b, int op)
{
    PYB_ASSERT(a.size >= 0 && b.size >= 0);
    Py_ssize_t common = Py_MIN(a.size, b.size);
    int order = common == 0 ? 0 : memcmp(a.data, b.data, (size_t)common);

    if (order == 0)
        order = (a.size > b.size) - (a.size < b.size);
    Py_RETURN_RICHCOMPARE(order, 0, op);
}

static PyObject *
bytes_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyBytes_Check(a) || !PyBytes_Check(b))
        Py_RETURN_NOTIMPLEMENTED;
    return pyb_bytes_compare((struct pyb_span){BYTES(a)->ob_sval, Py_SIZE(a)},
                             (struct pyb_span){BYTES(b)->ob_sval, Py_SIZE(b)},
                             op);
}

static Py_hash_t
bytes_hash(PyObject *op)
{
    if (BYTES(op)->ob_shash == -1)
        BYTES(op)->ob_shash = Py_HashBuffer(BYTES(op)->ob_sval, Py_SIZE(op));
    return BYTES(op)->ob_shash;
}

PyObject *
PyBytes_Repr(PyObject *obj, int smartquotes)
{
    struct pyb_text out = {0};

    return pyb_text_end(
        &out, pyb_strrepr_bytes(&out, BYTES(obj)->ob_sval, Py_SIZE(obj),
                                smartquotes ? PYB_QUOTES_SMART
                                            : PYB_QUOTES_SINGLE) < 0);
}

static PyObject *
bytes_repr(PyObject *op)
{
    return PyBytes_Repr(op, 1);
}

/* ------------------------------------------------------------------ */
/* Sequence, mapping, buffer                                           */

static Py_ssize_t
bytes_length(PyObject *op)
{
    return Py_SIZE(op);
}

static PyObject *
bytes_item(PyObject *op, Py_ssize_t i)
{
    if (i < 0 || i >= Py_SIZE(op))
        return pyb_raise(PyExc_IndexError, "index out of range");
    return PyLong_FromLong((unsigned char)BYTES(op)->ob_sval[i]);
}

/* The bytes of an object with a buffer; 0, or -1 with an exception. */
static int
get_needle(PyObject *element, Py_buffer *view, struct pyb_span *needle)
{
    if (!PyObject_CheckBuffer(element))
        return pyb_failf(PyExc_TypeError,
                         "a bytes-like object is required, not '%.100s'",
                         Py_TYPE(element)->tp_name);
    if (PyObject_GetBuffer(element, view, PyBUF_SIMPLE) < 0)
        return -1;
    *needle = (struct pyb_span){view->buf, view->len};
    return 0;
}

int
pyb_bytes_find_arg(PyObject *element, char *byte, Py_buffer *view,
                   struct pyb_span *needle)
{
    view->obj = NULL;
    if (PyIndex_Check(element)) {
        int value = pyb_bytes_byte(element, "byte");
        *byte = (char)value;
        *needle = (struct pyb_span){byte, 1};
        return value < 0 ? -1 : 0;
    }
    return get_needle(element, view, needle);
}

/* An __index__ that raises is no reason to fail, as in CPython: there may be a
   buffer. */
int
pyb_bytes_contains(struct pyb_span hay, PyObject *element)
{
    int is_number = PyIndex_Check(element);
    Py_ssize_t value = is_number ? PyNumber_AsSsize_t(element, NULL) : 0;
    Py_buffer view = {.obj = NULL};
    char byte = (char)value;
    struct pyb_span needle = {&byte, 1};

    if (value == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        is_number = 0;
    }
    if (is_number && (value < 0 || value > 255))
        return pyb_fail(PyExc_ValueError, "byte must be in range(0, 256)");
    if (!is_number && get_needle(element, &view, &needle) < 0)
        return -1;
    int found = pyb_bytesfind_first(hay, needle) != NULL;
    PyBuffer_Release(&view);
    return found;
}

static int
bytes_contains(PyObject *op, PyObject *element)
{
    return pyb_bytes_contains(
        (struct pyb_span){BYTES(op)->ob_sval, Py_SIZE(op)}, element);
}

static PyObject *
slice(PyObject *op, PyObject *key)
{
    Py_ssize_t start, stop, step;

    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
        return NULL;
    Py_ssize_t count = PySlice_AdjustIndices(Py_SIZE(op), &start, &stop, step);
    if (count == Py_SIZE(op) && step == 1 && PyBytes_CheckExact(op))
        return Py_NewRef(op);
    PyObject *result = PyBytes_FromStringAndSize(NULL, count);
    PYB_ASSERT(count == 0 || (start >= 0 && start < Py_SIZE(op)));
    PYB_ASSERT(count == 0 || (start + (count - 1) * step >= 0 &&
                              start + (count - 1) * step < Py_SIZE(op)));
    for (Py_ssize_t i = 0; result != NULL && i < count; i++)
        BYTES(result)->ob_sval[i] = BYTES(op)->ob_sval[start + i * step];
    return result;
}

static PyObject *
bytes_subscript(PyObject *op, PyObject *key)
{
    if (PySlice_Check(key))
        return slice(op, key);
    if (!PyIndex_Check(key))
        return PyErr_Format(PyExc_TypeError,
                            "byte indices must be integers or slices, not "
                            "%.200s",
                            Py_TYPE(key)->tp_name);
    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred())
        return NULL;
    return bytes_item(op, i < 0 ? i + Py_SIZE(op) : i);
}

static int
bytes_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    return PyBuffer_FillInfo(view, op, BYTES(op)->ob_sval, Py_SIZE(op), 1,
                             flags);
}

static PyNumberMethods as_number = {.nb_remainder = pyb_bytes_remainder};

static PySequenceMethods as_sequence = {
    .sq_length = bytes_length,
    .sq_concat = bytes_concat,
    .sq_repeat = bytes_repeat,
    .sq_item = bytes_item,
    .sq_contains = bytes_contains,
};

static PyMappingMethods as_mapping = {
    .mp_length = bytes_length,
    .mp_subscript = bytes_subscript,
};

static PyBufferProcs as_buffer = {.bf_getbuffer = bytes_getbuffer};

static PyObject *
bytes_iter(PyObject *op)
{
    return pyb_iterator_new(&PyBytesIter_Type, op, 0);
}

PyDoc_STRVAR(doc, "bytes(iterable_of_ints) -> bytes\n"
                  "bytes(string, encoding[, errors]) -> bytes\n"
                  "bytes(bytes_or_buffer) -> immutable copy\n"
                  "bytes(int) -> that many zeros\n\n"
                  "An immutable sequence of bytes.");

PyTypeObject PyBytes_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "bytes",
    .tp_basicsize = OVERHEAD,
    .tp_itemsize = 1,
    .tp_dealloc = bytes_dealloc,
    .tp_repr = bytes_repr,
    .tp_as_number = &as_number,
    .tp_as_sequence = &as_sequence,
    .tp_as_mapping = &as_mapping,
    .tp_hash = bytes_hash,
    .tp_str = bytes_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_as_buffer = &as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_BYTES_SUBCLASS | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = doc,
    .tp_richcompare = bytes_richcompare,
    .tp_iter = bytes_iter,
    .tp_methods = pyb_bytes_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = bytes_new,
    .tp_free = PyObject_Free,
};
