/* bytearray.c: the type bytearray. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/attr/cfunction.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "object/type/typenames.h"
#include "types/bytes/bytes.h"
#include "types/bytes/methods.h"
#include "types/iter/iterators.h"
#include "types/str/strrepr.h"

#define ARRAY(op) PYB_CAST(PyByteArrayObject, PyByteArray_Check, op)

/* The text of an instance that is not filled yet. */
static char nothing[1];

/* ------------------------------------------------------------------ */
/* Memory                                                              */

char *
PyByteArray_AsString(PyObject *bytearray)
{
    char *start = ARRAY(bytearray)->ob_start;

    return start == NULL ? nothing : start;
}

Py_ssize_t
PyByteArray_Size(PyObject *bytearray)
{
    return Py_SIZE(bytearray);
}

/* How many bytes of memory lie before the first one. */
static Py_ssize_t
front_of(const PyByteArrayObject *self)
{
    return self->ob_start - self->ob_bytes;
}

void
pyb_bytearray_check(const PyByteArrayObject *self)
{
    PYB_ALWAYS((self->ob_start != NULL) == (self->ob_alloc > 0), NULL,
               "a bytearray's memory has no size");
    PYB_ALWAYS(self->ob_start >= self->ob_bytes, NULL,
               "a bytearray begins before its memory");
    PYB_ALWAYS(self->ob_start == NULL
                   ? Py_SIZE(self) == 0
                   : Py_SIZE(self) >= 0 &&
                         Py_SIZE(self) < self->ob_alloc - front_of(self),
               NULL, "a bytearray's size does not fit in its memory");
    PYB_ALWAYS(self->ob_start == NULL || self->ob_start[Py_SIZE(self)] == '\0',
               NULL, "a bytearray has no end");
    PYB_ALWAYS(self->ob_exports >= 0, NULL,
               "a bytearray has been released too often");
}

static struct pyb_span
span(PyObject *op)
{
    return (struct pyb_span){PyByteArray_AsString(op), Py_SIZE(op)};
}

/* 0 if the size may change, else -1 with BufferError. */
static int
check_exports(PyObject *op)
{
    PYB_EXPENSIVE(pyb_bytearray_check(ARRAY(op)));
    if (ARRAY(op)->ob_exports == 0)
        return 0;
    return pyb_fail(PyExc_BufferError,
                    "Existing exports of data: object cannot be re-sized");
}

/* The size of the memory for len bytes and a NUL: a quarter more if the object
   grows step by step. */
static Py_ssize_t
new_alloc(Py_ssize_t alloc, Py_ssize_t len)
{
    PYB_ASSERT(alloc >= 0 && len >= 0);
    if (alloc > 0 && len >= alloc && len / 4 <= alloc)
        return len + len / 8 + 7;
    return len + 1;
}

/* Makes the memory as large as len bytes want it, which begin there then.  0,
   or -1 with MemoryError. */
static int
reallocate(PyByteArrayObject *self, Py_ssize_t len)
{
    /* One that is filled behind and emptied in front is moved seldom. */
    Py_ssize_t alloc = front_of(self) > 0 ? len + len / 8 + 7
                                          : new_alloc(self->ob_alloc, len);

    if (self->ob_start != NULL && front_of(self) > 0)
        memmove(self->ob_bytes, self->ob_start, (size_t)Py_SIZE(self) + 1);
    self->ob_start = self->ob_bytes;
    char *bytes = PyMem_Realloc(self->ob_bytes, (size_t)alloc);
    if (bytes == NULL)
        return PYB_MEMORY_ERROR(-1);
    self->ob_bytes = self->ob_start = bytes;
    self->ob_alloc = alloc;
    return 0;
}

int
PyByteArray_Resize(PyObject *bytearray, Py_ssize_t len)
{
    PyByteArrayObject *self = ARRAY(bytearray);

    if (len < 0)
        return pyb_failf(PyExc_ValueError,
                         "Can only resize to positive sizes, got %zd", len);
    if (len == Py_SIZE(self) && self->ob_start != NULL)
        return 0;
    if (check_exports(bytearray) < 0)
        return -1;
    if (len > PY_SSIZE_T_MAX / 2)
        return PYB_MEMORY_ERROR(-1);
    if ((len >= self->ob_alloc - front_of(self) || len < self->ob_alloc / 2) &&
        reallocate(self, len) < 0)
        return -1;
    Py_SET_SIZE(self, len);
    /* ob_alloc is 0 without memory.
       NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    self->ob_start[len] = '\0';
    PYB_EXPENSIVE(pyb_bytearray_check(self));
    return 0;
}

PyObject *
PyByteArray_FromStringAndSize(const char *string, Py_ssize_t len)
{
    if (len < 0)
        return pyb_raise(PyExc_SystemError, "Negative size passed to "
                                            "PyByteArray_FromStringAndSize");
    PyByteArrayObject *self =
        PyObject_New(PyByteArrayObject, &PyByteArray_Type);
    if (self == NULL)
        return NULL;
    Py_SET_SIZE(self, 0);
    self->ob_alloc = self->ob_exports = 0;
    self->ob_bytes = self->ob_start = NULL;
    if (PyByteArray_Resize((PyObject *)self, len) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    if (string != NULL && len > 0)
        memcpy(self->ob_start, string, (size_t)len);
    return (PyObject *)self;
}

PyObject *
PyByteArray_FromObject(PyObject *o)
{
    return PyObject_CallOneArg((PyObject *)&PyByteArray_Type, o);
}

static void
bytearray_dealloc(PyObject *op)
{
    PYB_EXPENSIVE(pyb_bytearray_check(ARRAY(op)));
    if (ARRAY(op)->ob_exports > 0) {
        PyErr_SetString(PyExc_SystemError,
                        "deallocated bytearray object has exported buffers");
        PyErr_WriteUnraisable(NULL);
    }
    PyMem_Free(ARRAY(op)->ob_bytes);
    Py_TYPE(op)->tp_free(op);
}

/* ------------------------------------------------------------------ */
/* Changing a part                                                     */

/* Replaces the first bytes by fewer.  What is behind them stays where it is:
   one that is read from the front takes no time for the rest. */
static int
shorten(PyByteArrayObject *self, Py_ssize_t end, struct pyb_span with)
{
    Py_ssize_t fewer = end - with.size, size = Py_SIZE(self) - fewer;

    PYB_ASSERT(fewer > 0 && size >= 0 && self->ob_exports == 0);
    self->ob_start += fewer;
    Py_SET_SIZE(self, size);
    if (with.size > 0)
        memcpy(self->ob_start, with.data, (size_t)with.size);
    PYB_EXPENSIVE(pyb_bytearray_check(self));
    if (size < self->ob_alloc / 2 && reallocate(self, size) < 0)
        PyErr_Clear(); /* it keeps the memory that it has */
    return 0;
}

/* Replaces the bytes from start up to end by others, which must not be its
   own. */
static int
replace(PyObject *op, Py_ssize_t start, Py_ssize_t end, struct pyb_span with)
{
    Py_ssize_t size = Py_SIZE(op), tail = size - end;
    Py_ssize_t grown = with.size - (end - start);

    PYB_ASSERT_OBJECT(start >= 0 && start <= end && end <= size, op);
    PYB_ASSERT_OBJECT(with.size == 0 ||
                          with.data + with.size <= span(op).data ||
                          with.data >= span(op).data + size,
                      op);
    if (grown != 0 && check_exports(op) < 0)
        return -1;
    if (grown > PY_SSIZE_T_MAX - size)
        return PYB_MEMORY_ERROR(-1);
    if (grown > 0 && PyByteArray_Resize(op, size + grown) < 0)
        return -1;
    if (grown < 0 && start == 0)
        return shorten(ARRAY(op), end, with);
    char *data = PyByteArray_AsString(op);
    if (grown != 0)
        memmove(data + start + with.size, data + end, (size_t)tail);
    if (with.size > 0)
        memcpy(data + start, with.data, (size_t)with.size);
    return grown < 0 ? PyByteArray_Resize(op, size + grown) : 0;
}

/* The bytes to be put into a bytearray: those of a buffer, or of an iterable
   of integers; a new bytes object.  NULL with an exception. */
static PyObject *
values(PyObject *source)
{
    if (PyObject_CheckBuffer(source))
        return PyBytes_FromObject(source);
    if (PyUnicode_Check(source) ||
        (Py_TYPE(source)->tp_iter == NULL && !PySequence_Check(source)))
        return pyb_raise(
            PyExc_TypeError,
            "can assign only bytes, buffers, or iterables of ints "
            "in range(0, 256)");
    return pyb_bytes_from_iterable("bytearray", source);
}

/* As replace, with the bytes of source. */
static int
replace_with(PyObject *op, Py_ssize_t start, Py_ssize_t end, PyObject *source)
{
    PyObject *bytes = values(source);

    if (bytes == NULL)
        return -1;
    /* An iterable may have changed op. */
    end = Py_MIN(end, Py_SIZE(op));
    start = Py_MIN(start, end);
    int result = replace(
        op, start, end,
        (struct pyb_span){PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes)});
    Py_DECREF(bytes);
    return result;
}

static int
bytearray_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"source", "encoding", "errors", NULL};
    PyObject *source = NULL;
    const char *encoding = NULL, *errors = NULL;

    if (!pyb_getargs_named(args, kwds, "|Oss:bytearray", names, &source,
                           &encoding, &errors))
        return -1;
    PyObject *bytes = pyb_bytes_make("bytearray", source, encoding, errors);
    if (bytes == NULL)
        return -1;
    int result = replace_with(op, 0, Py_SIZE(op), bytes);
    Py_DECREF(bytes);
    return result;
}

/* ------------------------------------------------------------------ */
/* Sequence                                                            */

static Py_ssize_t
bytearray_length(PyObject *op)
{
    return Py_SIZE(op);
}

PyObject *
PyByteArray_Concat(PyObject *a, PyObject *b)
{
    Py_buffer left, right;
    PyObject *op = NULL;

    if (pyb_bytes_get_pair(a, &left, b, &right) < 0)
        return NULL;
    if (left.len > PY_SSIZE_T_MAX - right.len)
        PyErr_NoMemory();
    else
        op = PyByteArray_FromStringAndSize(NULL, left.len + right.len);
    if (op != NULL && left.len > 0)
        memcpy(ARRAY(op)->ob_start, left.buf, (size_t)left.len);
    if (op != NULL && right.len > 0)
        memcpy(ARRAY(op)->ob_start + left.len, right.buf, (size_t)right.len);
    PyBuffer_Release(&left);
    PyBuffer_Release(&right);
    return op;
}

static PyObject *
bytearray_iconcat(PyObject *op, PyObject *other)
{
    if (!PyObject_CheckBuffer(other))
        return PyErr_Format(PyExc_TypeError, "can't concat %.100s to %.100s",
                            Py_TYPE(other)->tp_name, Py_TYPE(op)->tp_name);
    if (replace_with(op, Py_SIZE(op), Py_SIZE(op), other) < 0)
        return NULL;
    return Py_NewRef(op);
}

/* Repeats the size bytes of op count times. */
static int
repeat(PyObject *op, Py_ssize_t size, Py_ssize_t count)
{
    PYB_ASSERT_OBJECT(size >= 0 && size <= Py_SIZE(op), op);
    if (count > 0 && size > PY_SSIZE_T_MAX / count)
        return PYB_MEMORY_ERROR(-1);
    if (PyByteArray_Resize(op, count > 0 ? size * count : 0) < 0)
        return -1;
    char *data = PyByteArray_AsString(op);
    for (Py_ssize_t i = 1; i < count; i++)
        memcpy(data + i * size, data, (size_t)size);
    return 0;
}

static PyObject *
bytearray_irepeat(PyObject *op, Py_ssize_t count)
{
    return repeat(op, Py_SIZE(op), count) < 0 ? NULL : Py_NewRef(op);
}

static PyObject *
bytearray_repeat(PyObject *op, Py_ssize_t count)
{
    PyObject *copy =
        PyByteArray_FromStringAndSize(PyByteArray_AsString(op), Py_SIZE(op));

    if (copy != NULL && repeat(copy, Py_SIZE(op), count) < 0)
        Py_CLEAR(copy);
    return copy;
}

static PyObject *
bytearray_item(PyObject *op, Py_ssize_t i)
{
    if (i < 0 || i >= Py_SIZE(op))
        return pyb_raise(PyExc_IndexError, "bytearray index out of range");
    return PyLong_FromLong((unsigned char)PyByteArray_AsString(op)[i]);
}

static int
bytearray_ass_item(PyObject *op, Py_ssize_t i, PyObject *value)
{
    if (i < 0 || i >= Py_SIZE(op))
        return pyb_fail(PyExc_IndexError, "bytearray index out of range");
    if (value == NULL)
        return replace(op, i, i + 1, (struct pyb_span){NULL, 0});
    int byte = pyb_bytes_byte(value, "byte");
    if (byte < 0)
        return -1;
    if (i >= Py_SIZE(op)) { /* value's __index__ has changed op */
        return pyb_fail(PyExc_IndexError, "bytearray index out of range");
    }
    ARRAY(op)->ob_start[i] = (char)byte;
    return 0;
}

static int
bytearray_contains(PyObject *op, PyObject *element)
{
    /* The element's __index__ must not move the bytes. */
    ARRAY(op)->ob_exports++;
    int found = pyb_bytes_contains(span(op), element);
    PYB_ASSERT_OBJECT(ARRAY(op)->ob_exports > 0, op);
    ARRAY(op)->ob_exports--;
    return found;
}

/* ------------------------------------------------------------------ */
/* Mapping                                                             */

/* The index given by key, which may be out of range; -1 with an exception. */
static Py_ssize_t
to_index(PyObject *op, PyObject *key)
{
    if (!PyIndex_Check(key))
        return pyb_failf(PyExc_TypeError,
                         "bytearray indices must be integers or slices, not "
                         "%.200s",
                         Py_TYPE(key)->tp_name);
    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    return i < 0 && !PyErr_Occurred() ? i + Py_SIZE(op) : i;
}

static PyObject *
get_slice(PyObject *op, PyObject *key)
{
    Py_ssize_t start, stop, step;

    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
        return NULL;
    Py_ssize_t count = PySlice_AdjustIndices(Py_SIZE(op), &start, &stop, step);
    PyObject *result = PyByteArray_FromStringAndSize(NULL, count);
    PYB_ASSERT_OBJECT(count == 0 || (start >= 0 && start < Py_SIZE(op)), op);
    for (Py_ssize_t i = 0; result != NULL && i < count; i++)
        ARRAY(result)->ob_start[i] = ARRAY(op)->ob_start[start + i * step];
    return result;
}

static PyObject *
bytearray_subscript(PyObject *op, PyObject *key)
{
    if (PySlice_Check(key))
        return get_slice(op, key);
    Py_ssize_t i = to_index(op, key);
    if (i < 0 && PyErr_Occurred())
        return NULL;
    return bytearray_item(op, i);
}

/* del op[start::step], count items of them. */
static int
delete_steps(PyObject *op, Py_ssize_t start, Py_ssize_t step, Py_ssize_t count)
{
    char *data = PyByteArray_AsString(op);
    Py_ssize_t kept = 0;

    if (count == 0)
        return 0;
    if (check_exports(op) < 0)
        return -1;
    if (step < 0) {
        start += step * (count - 1);
        step = -step;
    }
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++) {
        int gone = i >= start && (i - start) % step == 0 &&
                   (i - start) / step < count;
        if (!gone)
            data[kept++] = data[i];
    }
    return PyByteArray_Resize(op, kept);
}

/* op[start::step] = source, for count items; an empty source deletes them. */
static int
assign_steps(PyObject *op, Py_ssize_t start, Py_ssize_t step, Py_ssize_t count,
             PyObject *source)
{
    PyObject *bytes = values(source);

    if (bytes == NULL)
        return -1;
    if (PyBytes_GET_SIZE(bytes) == 0) {
        Py_DECREF(bytes);
        return delete_steps(op, start, step, count);
    }
    if (PyBytes_GET_SIZE(bytes) != count) {
        PyErr_Format(PyExc_ValueError,
                     "attempt to assign bytes of size %zd to extended slice "
                     "of size %zd",
                     PyBytes_GET_SIZE(bytes), count);
        Py_DECREF(bytes);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count && start + i * step < Py_SIZE(op); i++)
        ARRAY(op)->ob_start[start + i * step] = PyBytes_AS_STRING(bytes)[i];
    Py_DECREF(bytes);
    return 0;
}

static int
set_slice(PyObject *op, PyObject *key, PyObject *value)
{
    Py_ssize_t start, stop, step;

    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
        return -1;
    Py_ssize_t count = PySlice_AdjustIndices(Py_SIZE(op), &start, &stop, step);
    if (step != 1)
        return value == NULL ? delete_steps(op, start, step, count)
                             : assign_steps(op, start, step, count, value);
    if (value == NULL)
        return replace(op, start, start + count, (struct pyb_span){NULL, 0});
    return replace_with(op, start, start + count, value);
}

static int
bytearray_ass_subscript(PyObject *op, PyObject *key, PyObject *value)
{
    if (PySlice_Check(key))
        return set_slice(op, key, value);
    Py_ssize_t i = to_index(op, key);
    if (i < 0 && PyErr_Occurred())
        return -1;
    return bytearray_ass_item(op, i, value);
}

/* ------------------------------------------------------------------ */
/* Buffer                                                              */

static int
bytearray_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    if (PyBuffer_FillInfo(view, op, PyByteArray_AsString(op), Py_SIZE(op), 0,
                          flags) < 0)
        return -1;
    ARRAY(op)->ob_exports++;
    return 0;
}

static void
bytearray_releasebuffer(PyObject *op, Py_buffer *Py_UNUSED(view))
{
    PYB_ASSERT_OBJECT(ARRAY(op)->ob_exports > 0, op);
    ARRAY(op)->ob_exports--;
}

/* ------------------------------------------------------------------ */
/* Comparison, repr, iteration                                         */

static PyObject *
bytearray_richcompare(PyObject *a, PyObject *b, int op)
{
    Py_buffer left, right;

    if (!PyObject_CheckBuffer(a) || !PyObject_CheckBuffer(b))
        Py_RETURN_NOTIMPLEMENTED;
    if (PyObject_GetBuffer(a, &left, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyObject_GetBuffer(b, &right, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        PyBuffer_Release(&left);
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *result =
        pyb_bytes_compare((struct pyb_span){left.buf, left.len},
                          (struct pyb_span){right.buf, right.len}, op);
    PyBuffer_Release(&left);
    PyBuffer_Release(&right);
    return result;
}

static PyObject *
bytearray_repr(PyObject *op)
{
    struct pyb_text out = {0};
    const char *name = pyb_typenames_last(Py_TYPE(op)->tp_name);

    return pyb_text_end(
        &out, pyb_text_bytes(&out, name, (Py_ssize_t)strlen(name)) < 0 ||
                  pyb_text_repeat(&out, '(', 1) < 0 ||
                  pyb_strrepr_bytes(&out, PyByteArray_AsString(op),
                                    Py_SIZE(op), PYB_QUOTES_BYTEARRAY) < 0 ||
                  pyb_text_repeat(&out, ')', 1) < 0);
}

static PyObject *
bytearray_iter(PyObject *op)
{
    return pyb_iterator_new(&PyByteArrayIter_Type, op, 0);
}

/* ------------------------------------------------------------------ */
/* Methods                                                             */

static PyObject *
bytearray_append(PyObject *op, PyObject *item)
{
    int byte = pyb_bytes_byte(item, "byte");
    char data = (char)byte;

    if (byte < 0 ||
        replace(op, Py_SIZE(op), Py_SIZE(op), (struct pyb_span){&data, 1}) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *
bytearray_extend(PyObject *op, PyObject *source)
{
    if (PyUnicode_Check(source))
        return pyb_raise(PyExc_TypeError,
                         "expected iterable of integers; got: 'str'");
    if (Py_TYPE(source)->tp_iter == NULL && !PySequence_Check(source))
        return PyErr_Format(PyExc_TypeError,
                            "can't extend bytearray with %.100s",
                            Py_TYPE(source)->tp_name);
    return pyb_result_none(
        replace_with(op, PY_SSIZE_T_MAX, PY_SSIZE_T_MAX, source));
}

static PyObject *
bytearray_insert(PyObject *op, PyObject *args)
{
    Py_ssize_t i;
    PyObject *item;

    if (!PyArg_ParseTuple(args, "nO:insert", &i, &item))
        return NULL;
    int byte = pyb_bytes_byte(item, "byte");
    char data = (char)byte;
    if (i < 0)
        i = Py_MAX(i + Py_SIZE(op), 0);
    i = Py_MIN(i, Py_SIZE(op));
    if (byte < 0 || replace(op, i, i, (struct pyb_span){&data, 1}) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *
bytearray_pop(PyObject *op, PyObject *args)
{
    Py_ssize_t i = -1;

    if (!PyArg_ParseTuple(args, "|n:pop", &i))
        return NULL;
    if (Py_SIZE(op) == 0)
        return pyb_raise(PyExc_IndexError, "pop from empty bytearray");
    if (i < 0)
        i += Py_SIZE(op);
    if (i < 0 || i >= Py_SIZE(op))
        return pyb_raise(PyExc_IndexError, "pop index out of range");
    unsigned char byte = (unsigned char)PyByteArray_AsString(op)[i];
    if (replace(op, i, i + 1, (struct pyb_span){NULL, 0}) < 0)
        return NULL;
    return PyLong_FromLong(byte);
}

static PyObject *
bytearray_clear(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return pyb_result_none(PyByteArray_Resize(op, 0));
}

static PyObject *
bytearray_copy(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyByteArray_FromStringAndSize(PyByteArray_AsString(op),
                                         Py_SIZE(op));
}

static PyObject *
bytearray_remove(PyObject *op, PyObject *item)
{
    int byte = pyb_bytes_byte(item, "byte");

    if (byte < 0)
        return NULL;
    char *start = PyByteArray_AsString(op);
    const char *place = memchr(start, byte, (size_t)Py_SIZE(op));
    if (place == NULL)
        return pyb_raise(PyExc_ValueError, "value not found in bytearray");
    return pyb_result_none(replace(op, place - start, place - start + 1,
                                   (struct pyb_span){NULL, 0}));
}

static PyObject *
bytearray_reverse(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    char *left = PyByteArray_AsString(op), *right = left + Py_SIZE(op);

    while (left < right) {
        char byte = *left;
        *left++ = *--right;
        *right = byte;
    }
    Py_RETURN_NONE;
}

static PyObject *
bytearray_join(PyObject *op, PyObject *iterable)
{
    PyObject *sep = PyBytes_FromObject(op);
    PyObject *joined = sep != NULL ? PyBytes_Join(sep, iterable) : NULL;
    PyObject *result = joined != NULL ? PyByteArray_FromObject(joined) : NULL;

    Py_XDECREF(sep);
    Py_XDECREF(joined);
    return result;
}

/* The attributes of a subclass's instance, or None; a new reference. */
static PyObject *
get_attributes(PyObject *op)
{
    PyObject *dict;

    if (PyObject_GetOptionalAttrString(op, "__dict__", &dict) < 0)
        return NULL;
    return dict != NULL ? dict : Py_NewRef(Py_None);
}

/* Protocols before 3 have no bytes: the content is a str of Latin-1. */
static PyObject *
reduce(PyObject *op, int protocol)
{
    PyObject *dict = get_attributes(op), *args;

    if (dict == NULL)
        return NULL;
    if (Py_SIZE(op) == 0)
        args = PyTuple_New(0);
    else if (protocol < 3)
        args = Py_BuildValue("(Ns)",
                             PyUnicode_DecodeLatin1(PyByteArray_AS_STRING(op),
                                                    Py_SIZE(op), NULL),
                             "latin-1");
    else
        args = Py_BuildValue("(y#)", PyByteArray_AS_STRING(op), Py_SIZE(op));
    return pyb_reduce_type(op, args, dict);
}

static PyObject *
bytearray_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return reduce(op, 2);
}

static PyObject *
bytearray_reduce_ex(PyObject *op, PyObject *args)
{
    int protocol = 0;

    if (!PyArg_ParseTuple(args, "|i:__reduce_ex__", &protocol))
        return NULL;
    return reduce(op, protocol);
}

static PyObject *
bytearray_alloc(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PyLong_FromSsize_t(((PyByteArrayObject *)op)->ob_alloc);
}

static PyObject *
bytearray_sizeof(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PyLong_FromSsize_t(Py_TYPE(op)->tp_basicsize +
                              ((PyByteArrayObject *)op)->ob_alloc);
}

static PyMethodDef methods[] = {
    {"__alloc__", bytearray_alloc, METH_NOARGS,
     PyDoc_STR("Return the number of bytes actually allocated.")},
    {"__reduce__", bytearray_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {"__reduce_ex__", bytearray_reduce_ex, PYB_VARARGS,
     PyDoc_STR("Return state information for pickling.")},
    {"__sizeof__", bytearray_sizeof, METH_NOARGS,
     PyDoc_STR("Return the size in memory, in bytes.")},
    {"append", bytearray_append, METH_O, NULL},
    {"clear", bytearray_clear, METH_NOARGS, NULL},
    {"copy", bytearray_copy, METH_NOARGS, NULL},
    {"extend", bytearray_extend, METH_O, NULL},
    {"insert", bytearray_insert, PYB_VARARGS, NULL},
    {"pop", bytearray_pop, PYB_VARARGS, NULL},
    {"join", bytearray_join, METH_O, NULL},
    {"remove", bytearray_remove, METH_O, NULL},
    {"reverse", bytearray_reverse, METH_NOARGS, NULL},
    PYB_BYTES_TABLE{NULL, NULL, 0, NULL},
};

/* ------------------------------------------------------------------ */
/* The type                                                            */

static PyNumberMethods as_number = {.nb_remainder = pyb_bytearray_remainder};

static PySequenceMethods as_sequence = {
    .sq_length = bytearray_length,
    .sq_concat = PyByteArray_Concat,
    .sq_repeat = bytearray_repeat,
    .sq_item = bytearray_item,
    .sq_ass_item = bytearray_ass_item,
    .sq_contains = bytearray_contains,
    .sq_inplace_concat = bytearray_iconcat,
    .sq_inplace_repeat = bytearray_irepeat,
};

static PyMappingMethods as_mapping = {
    .mp_length = bytearray_length,
    .mp_subscript = bytearray_subscript,
    .mp_ass_subscript = bytearray_ass_subscript,
};

static PyBufferProcs as_buffer = {
    .bf_getbuffer = bytearray_getbuffer,
    .bf_releasebuffer = bytearray_releasebuffer,
};

PyDoc_STRVAR(doc, "bytearray(iterable_of_ints) -> bytearray\n"
                  "bytearray(string, encoding[, errors]) -> bytearray\n"
                  "bytearray(bytes_or_buffer) -> mutable copy\n"
                  "bytearray(int) -> that many zeros\n\n"
                  "A mutable sequence of bytes.");

PyTypeObject PyByteArray_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "bytearray",
    .tp_basicsize = sizeof(PyByteArrayObject),
    .tp_dealloc = bytearray_dealloc,
    .tp_repr = bytearray_repr,
    .tp_as_number = &as_number,
    .tp_as_sequence = &as_sequence,
    .tp_as_mapping = &as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_str = bytearray_repr,
    .tp_as_buffer = &as_buffer,
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = doc,
    .tp_richcompare = bytearray_richcompare,
    .tp_iter = bytearray_iter,
    .tp_methods = methods,
    .tp_init = bytearray_init,
    .tp_new = PyType_GenericNew,
    .tp_free = PyObject_Free,
};
