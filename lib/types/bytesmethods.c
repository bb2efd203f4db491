/* bytesmethods.c: the methods of bytes; bytearray shares some. */

#include "Python.h"

#include "object/sequence.h"
#include "types/bytes.h"

/* self's bytes.  They stay where they are until view is released; this never
   fails for bytes and bytearray. */
static struct pyb_span
get_self(PyObject *self, Py_buffer *view)
{
    if (PyObject_GetBuffer(self, view, PyBUF_SIMPLE) < 0)
        Py_FatalError("bytes without a buffer");
    return (struct pyb_span){view->buf, view->len};
}

/* ------------------------------------------------------------------ */
/* Text                                                                */

PyObject *
pyb_bytes_decode(PyObject *self, PyObject *args, PyObject *kwds)
{
    static const char *const names[] = {"encoding", "errors", NULL};
    const char *encoding = NULL, *errors = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|ss:decode",
                                     (char **)(void *)names, &encoding,
                                     &errors))
        return NULL;
    return PyUnicode_FromEncodedObject(self, encoding, errors);
}

PyObject *
pyb_bytes_hex(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    static const char digits[] = "0123456789abcdef";
    struct pyb_text out = {0};
    Py_buffer view;
    struct pyb_span bytes = get_self(self, &view);

    for (Py_ssize_t i = 0; i < bytes.size; i++) {
        unsigned char byte = (unsigned char)bytes.data[i];
        const char pair[] = {digits[byte >> 4], digits[byte & 15]};
        if (pyb_text_bytes(&out, pair, 2) < 0)
            break;
    }
    PyBuffer_Release(&view);
    if (PyErr_Occurred()) {
        pyb_text_drop(&out);
        return NULL;
    }
    return pyb_text_finish(&out);
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
    pyb_search_adjust(&limits[0], &limits[1], span->size);
    if (limits[0] > limits[1])
        return 0;
    span->data += limits[0];
    span->size = limits[1] - limits[0];
    return 1;
}

PyObject *
pyb_bytes_find(PyObject *self, PyObject *args)
{
    Py_buffer view, sought = {0};
    struct pyb_span all = get_self(self, &view), part = all, needle;
    PyObject *what, *result = NULL;
    Py_ssize_t index = -1;
    char byte;
    int room = parse_where(args, "O|OO:find", &what, &part);

    if (room >= 0 && !PyIndex_Check(what) && !PyObject_CheckBuffer(what)) {
        PyErr_Format(PyExc_TypeError,
                     "argument should be integer or bytes-like object, "
                     "not '%.200s'",
                     Py_TYPE(what)->tp_name);
        room = -1;
    }
    if (room >= 0 && pyb_bytes_find_arg(what, &byte, &sought, &needle) == 0) {
        const char *place = room ? pyb_search_first(part, needle) : NULL;
        if (place != NULL)
            index = place - all.data;
        result = PyLong_FromSsize_t(index);
        PyBuffer_Release(&sought);
    }
    PyBuffer_Release(&view);
    return result;
}

/* Does the span begin or end with the bytes of what?  1, 0, or -1 with an
   exception. */
static int
match_one(struct pyb_span span, PyObject *what, int at_end)
{
    Py_buffer view;

    if (PyObject_GetBuffer(what, &view, PyBUF_SIMPLE) < 0)
        return -1;
    struct pyb_span needle = {view.buf, view.len};
    int match = at_end ? pyb_search_ends(span, needle)
                       : pyb_search_starts(span, needle);
    PyBuffer_Release(&view);
    return match;
}

static int
match(struct pyb_span span, PyObject *what, const char *name, int at_end)
{
    if (PyTuple_Check(what)) {
        int result = 0;
        for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(what); i++)
            result = match_one(span, PyTuple_GET_ITEM(what, i), at_end);
        return result;
    }
    if (PyObject_CheckBuffer(what))
        return match_one(span, what, at_end);
    PyErr_Format(PyExc_TypeError,
                 "%s first arg must be bytes or a tuple of bytes, not %.100s",
                 name, Py_TYPE(what)->tp_name);
    return -1;
}

static PyObject *
tail_match(PyObject *self, PyObject *args, const char *name, int at_end)
{
    Py_buffer view;
    struct pyb_span span = get_self(self, &view);
    PyObject *what;
    int result = parse_where(
        args, at_end ? "O|OO:endswith" : "O|OO:startswith", &what, &span);

    if (result > 0)
        result = match(span, what, name, at_end);
    PyBuffer_Release(&view);
    return result < 0 ? NULL : PyBool_FromLong(result);
}

PyObject *
pyb_bytes_startswith(PyObject *self, PyObject *args)
{
    return tail_match(self, args, "startswith", 0);
}

PyObject *
pyb_bytes_endswith(PyObject *self, PyObject *args)
{
    return tail_match(self, args, "endswith", 1);
}

/* ------------------------------------------------------------------ */
/* Joining                                                             */

static int
join_items(struct pyb_text *out, PyObject *sep, PyObject *fast)
{
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(fast, i);
        Py_buffer view;
        if (!PyObject_CheckBuffer(item)) {
            PyErr_Format(PyExc_TypeError,
                         "sequence item %zd: expected a bytes-like object, "
                         "%.80s found",
                         i, Py_TYPE(item)->tp_name);
            return -1;
        }
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
    if (result < 0) {
        pyb_text_drop(&out);
        return NULL;
    }
    return pyb_text_finish_bytes(&out);
}

static PyObject *
bytes_getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(y#)", PyBytes_AS_STRING(self), Py_SIZE(self));
}

PyMethodDef pyb_bytes_methods[] = {
    {"decode", (PyCFunction)(void (*)(void))pyb_bytes_decode,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {"endswith", pyb_bytes_endswith, METH_VARARGS, NULL},
    {"find", pyb_bytes_find, METH_VARARGS, NULL},
    {"hex", pyb_bytes_hex, METH_NOARGS, NULL},
    {"join", PyBytes_Join, METH_O, NULL},
    {"startswith", pyb_bytes_startswith, METH_VARARGS, NULL},
    {"__getnewargs__", bytes_getnewargs, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
