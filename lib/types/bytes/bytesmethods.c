/* bytesmethods.c: the methods of bytes and bytearray that search and join, and
   the table of those of bytes.

     bytescase.c    letters, digits and white space; padding
     bytessplit.c   split, partition, strip
     byteschange.c  replace, translate, hexadecimal digits */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"
#include "object/protocol/sequence.h"
#include "types/bytes/bytes.h"
#include "types/bytes/methods.h"

struct pyb_span
pyb_bytes_self(PyObject *self, Py_buffer *view)
{
    if (PyObject_GetBuffer(self, view, PyBUF_SIMPLE) < 0)
        Py_FatalError("bytes without a buffer");
    return (struct pyb_span){view->buf, view->len};
}

int
pyb_bytes_arg(PyObject *op, Py_buffer *view, struct pyb_span *bytes)
{
    if (PyObject_GetBuffer(op, view, PyBUF_SIMPLE) < 0)
        return -1;
    *bytes = (struct pyb_span){view->buf, view->len};
    return 0;
}

PyObject *
pyb_bytes_like(PyObject *self, struct pyb_span bytes)
{
    return PyByteArray_Check(self)
               ? PyByteArray_FromStringAndSize(bytes.data, bytes.size)
               : PyBytes_FromStringAndSize(bytes.data, bytes.size);
}

PyObject *
pyb_bytes_like_text(PyObject *self, struct pyb_text *text, int failed)
{
    PyObject *result = NULL;

    if (!PyByteArray_Check(self))
        return pyb_text_end_bytes(text, failed);
    if (!failed)
        result = PyByteArray_FromStringAndSize(text->data, text->size);
    pyb_text_drop(text);
    return result;
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

PyObject *
pyb_bytes_decode(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"encoding", "errors", NULL};
    const char *encoding = NULL, *errors = NULL;

    if (!pyb_getargs_named(args, kwds, "|ss:decode", names, &encoding,
                           &errors))
        return NULL;
    return PyUnicode_FromEncodedObject(self, encoding, errors);
}

/* ------------------------------------------------------------------ */
/* Searching                                                           */

/* (what[, start[, end]]).  Narrows the span; 0 if start is beyond the end, 1
   if not, -1 with an exception. */
static int
parse_where(PyObject *args, const char *format, PyObject **what,
            struct pyb_span *span)
{
    PyObject *bounds[] = {Py_None, Py_None};
    Py_ssize_t limits[] = {0, PY_SSIZE_T_MAX};

    if (!PyArg_ParseTuple(args, format, what, &bounds[0], &bounds[1]))
        return -1;
    for (int i = 0; i < 2; i++)
        if (pyb_sequence_bound(bounds[i], 1, &limits[i]) < 0)
            return -1;
    pyb_bytesfind_adjust(&limits[0], &limits[1], span->size);
    if (limits[0] > limits[1])
        return 0;
    PYB_ASSERT(limits[0] >= 0 && limits[1] <= span->size);
    span->data += limits[0];
    span->size = limits[1] - limits[0];
    return 1;
}

/* A search by a method: places are counted from all.data. */
typedef Py_ssize_t (*searcher)(struct pyb_span all, struct pyb_span part,
                               struct pyb_span needle);

static Py_ssize_t
first_place(struct pyb_span all, struct pyb_span part, struct pyb_span needle)
{
    const char *place = pyb_bytesfind_first(part, needle);

    return place != NULL ? place - all.data : -1;
}

static Py_ssize_t
last_place(struct pyb_span all, struct pyb_span part, struct pyb_span needle)
{
    const char *place = pyb_bytesfind_last(part, needle);

    return place != NULL ? place - all.data : -1;
}

/* An empty needle stands before each byte and at the end. */
static Py_ssize_t
count_places(struct pyb_span Py_UNUSED(all), struct pyb_span part,
             struct pyb_span needle)
{
    return needle.size == 0 ? part.size + 1
                            : pyb_bytesfind_count(part, needle);
}

/* What the search for the first argument finds between the others; without
   room between them `nothing'.  -2 with an exception. */
static Py_ssize_t
search(PyObject *self, PyObject *args, const char *format, searcher function,
       Py_ssize_t nothing)
{
    Py_buffer view, sought = {0};
    struct pyb_span all = pyb_bytes_self(self, &view), part = all, needle;
    PyObject *what;
    Py_ssize_t result = -2;
    char byte;
    int room = parse_where(args, format, &what, &part);

    if (room >= 0 && !PyIndex_Check(what) && !PyObject_CheckBuffer(what)) {
        PyErr_Format(PyExc_TypeError,
                     "argument should be integer or bytes-like object, "
                     "not '%.200s'",
                     Py_TYPE(what)->tp_name);
        room = -1;
    }
    if (room >= 0 && pyb_bytes_find_arg(what, &byte, &sought, &needle) == 0) {
        result = room ? function(all, part, needle) : nothing;
        PyBuffer_Release(&sought);
    }
    PyBuffer_Release(&view);
    return result;
}

/* The result of a search, or of one that must find something. */
static PyObject *
found(Py_ssize_t place, int must)
{
    if (place == -1 && must)
        return pyb_raise(PyExc_ValueError, "subsection not found");
    return place == -2 ? NULL : PyLong_FromSsize_t(place);
}

/* Methods that are an expression of self and args, which for METH_O is the
   argument. */
#define METHOD(NAME, RESULT)                                                  \
    PyObject *pyb_bytes_##NAME(PyObject *self, PyObject *args)                \
    {                                                                         \
        return RESULT;                                                        \
    }

METHOD(find, found(search(self, args, "O|OO:find", first_place, -1), 0))
METHOD(rfind, found(search(self, args, "O|OO:rfind", last_place, -1), 0))
METHOD(index, found(search(self, args, "O|OO:index", first_place, -1), 1))
METHOD(rindex, found(search(self, args, "O|OO:rindex", last_place, -1), 1))
METHOD(count, found(search(self, args, "O|OO:count", count_places, 0), 0))

/* Does the span, if there is room for one, begin or end with the bytes of
   what?  1, 0, or -1 with an exception. */
static int
match_one(struct pyb_span span, int room, PyObject *what, int at_end)
{
    Py_buffer view;

    if (PyObject_GetBuffer(what, &view, PyBUF_SIMPLE) < 0)
        return -1;
    struct pyb_span needle = {view.buf, view.len};
    int match = at_end ? pyb_bytesfind_ends(span, needle)
                       : pyb_bytesfind_starts(span, needle);
    PyBuffer_Release(&view);
    return room && match;
}

/* The same for one or a tuple of them.  Without room in the span nothing
   matches, and what is no buffer is an error still. */
static int
match(struct pyb_span span, int room, PyObject *what, const char *name,
      int at_end)
{
    if (PyTuple_Check(what)) {
        int result = 0;
        for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(what); i++)
            result = match_one(span, room, PyTuple_GET_ITEM(what, i), at_end);
        return result;
    }
    if (PyObject_CheckBuffer(what))
        return match_one(span, room, what, at_end);
    return pyb_failf(
        PyExc_TypeError,
        "%s first arg must be bytes or a tuple of bytes, not %.100s", name,
        Py_TYPE(what)->tp_name);
}

static PyObject *
tail_match(PyObject *self, PyObject *args, const char *name, int at_end)
{
    Py_buffer view;
    struct pyb_span span = pyb_bytes_self(self, &view);
    PyObject *what;
    int room = parse_where(args, at_end ? "O|OO:endswith" : "O|OO:startswith",
                           &what, &span);
    int result = room < 0 ? -1 : match(span, room, what, name, at_end);

    PyBuffer_Release(&view);
    return pyb_result_bool(result);
}

METHOD(startswith, tail_match(self, args, "startswith", 0))
METHOD(endswith, tail_match(self, args, "endswith", 1))

/* ------------------------------------------------------------------ */
/* Joining                                                             */

static int
join_items(struct pyb_text *out, PyObject *sep, PyObject *fast)
{
    PYB_ASSERT_OBJECT(PyBytes_Check(sep), sep);
    PYB_ASSERT_OBJECT(PyList_Check(fast) || PyTuple_Check(fast), fast);
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(fast, i);
        Py_buffer view;
        if (!PyObject_CheckBuffer(item))
            return pyb_failf(
                PyExc_TypeError,
                "sequence item %zd: expected a bytes-like object, "
                "%.80s found",
                i, Py_TYPE(item)->tp_name);
        if (i > 0 && pyb_text_bytes(out, PyBytes_AS_STRING(sep),
                                    PyBytes_GET_SIZE(sep)) < 0)
            return -1;
        if (PyObject_GetBuffer(item, &view, PyBUF_SIMPLE) < 0)
            return -1;
        int result = pyb_text_bytes(out, view.buf, view.len);
        PyBuffer_Release(&view);
        if (result < 0)
            return -1;
    }
    return 0;
}

PyObject *
PyBytes_Join(PyObject *sep, PyObject *iterable)
{
    struct pyb_text out = {0};

    if (!PyBytes_Check(sep))
        return PyErr_Format(PyExc_TypeError, "sep: expected bytes, got %T",
                            sep);
    PyObject *fast = PySequence_Fast(iterable, "can only join an iterable");
    if (fast == NULL)
        return NULL;
    int result = join_items(&out, sep, fast);
    Py_DECREF(fast);
    return pyb_text_end_bytes(&out, result < 0);
}

static PyObject *
bytes_getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(y#)", PyBytes_AS_STRING(self), Py_SIZE(self));
}

static PyObject *
bytes_bytes(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    if (PyBytes_CheckExact(self))
        return Py_NewRef(self);
    return PyBytes_FromStringAndSize(PyBytes_AS_STRING(self), Py_SIZE(self));
}

PyMethodDef pyb_bytes_methods[] = {
    PYB_BYTES_TABLE{"join", PyBytes_Join, METH_O, NULL},
    {"__bytes__", bytes_bytes, METH_NOARGS,
     PyDoc_STR("Convert this value to exact type bytes.")},
    {"__getnewargs__", bytes_getnewargs, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
