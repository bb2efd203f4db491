/* bytessplit.c: the methods of bytes and bytearray that cut them in pieces:
   split, partition, strip and the like. */

#include "Python.h"

#include "object/error/errors.h"
#include "types/bytes/methods.h"

/* Appends a piece to the list; 0, or -1 with MemoryError. */
static int
append(PyObject *list, PyObject *self, const char *start, const char *end)
{
    return pyb_append_stolen(
        list, pyb_bytes_like(self, (struct pyb_span){start, end - start}));
}

/* ------------------------------------------------------------------ */
/* split, rsplit                                                       */

/* A way to cut: appends the pieces of the bytes to the list, at most max + 1;
   sep.data is NULL for white space.  0, or -1 with MemoryError. */
typedef int (*cutter)(PyObject *list, PyObject *self, struct pyb_span bytes,
                      struct pyb_span sep, Py_ssize_t max);

static int
cut_at_spaces(PyObject *list, PyObject *self, struct pyb_span bytes,
              Py_ssize_t max)
{
    const char *p = bytes.data, *end = p + bytes.size, *start;

    for (;;) {
        while (p < end && Py_ISSPACE(*p))
            p++;
        if (p == end)
            return 0;
        start = p;
        if (max-- == 0)
            p = end;
        while (p < end && !Py_ISSPACE(*p))
            p++;
        /* What the last piece ends with stays. */
        if (append(list, self, start, p) < 0)
            return -1;
    }
}

static int
cut(PyObject *list, PyObject *self, struct pyb_span bytes, struct pyb_span sep,
    Py_ssize_t max)
{
    const char *end = bytes.data + bytes.size, *place;

    if (sep.data == NULL)
        return cut_at_spaces(list, self, bytes, max);
    while (max-- > 0 && (place = pyb_bytesfind_first(bytes, sep)) != NULL) {
        if (append(list, self, bytes.data, place) < 0)
            return -1;
        bytes.data = place + sep.size;
        bytes.size = end - bytes.data;
    }
    return append(list, self, bytes.data, end);
}

static int
cut_back_at_spaces(PyObject *list, PyObject *self, struct pyb_span bytes,
                   Py_ssize_t max)
{
    const char *p = bytes.data + bytes.size, *end;

    for (;;) {
        while (p > bytes.data && Py_ISSPACE(p[-1]))
            p--;
        if (p == bytes.data)
            return 0;
        end = p;
        if (max-- == 0)
            p = bytes.data;
        while (p > bytes.data && !Py_ISSPACE(p[-1]))
            p--;
        if (append(list, self, p, end) < 0)
            return -1;
    }
}

/* The pieces come in the order from the end. */
static int
cut_back(PyObject *list, PyObject *self, struct pyb_span bytes,
         struct pyb_span sep, Py_ssize_t max)
{
    const char *place;
    int result;

    if (sep.data == NULL) {
        result = cut_back_at_spaces(list, self, bytes, max);
    } else {
        while (max-- > 0 && (place = pyb_bytesfind_last(bytes, sep)) != NULL) {
            if (append(list, self, place + sep.size, bytes.data + bytes.size) <
                0)
                return -1;
            bytes.size = place - bytes.data;
        }
        result = append(list, self, bytes.data, bytes.data + bytes.size);
    }
    return result < 0 ? -1 : PyList_Reverse(list);
}

static PyObject *
split_with(PyObject *self, PyObject *args, PyObject *kwds, const char *format,
           cutter function)
{
    static char *names[] = {"sep", "maxsplit", NULL};
    PyObject *sep_arg = Py_None, *list = NULL;
    Py_ssize_t max = -1;
    Py_buffer view, sep_view = {0};
    struct pyb_span sep = {NULL, 0};

    if (!PyArg_ParseTupleAndKeywords(args, kwds, format, names, &sep_arg,
                                     &max))
        return NULL;
    if (sep_arg != Py_None && pyb_bytes_arg(sep_arg, &sep_view, &sep) < 0)
        return NULL;
    if (sep_arg != Py_None && sep.size == 0)
        PyErr_SetString(PyExc_ValueError, "empty separator");
    else
        list = PyList_New(0);
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    if (list != NULL &&
        function(list, self, bytes, sep, max < 0 ? PY_SSIZE_T_MAX : max) < 0)
        Py_CLEAR(list);
    PyBuffer_Release(&view);
    PyBuffer_Release(&sep_view);
    return list;
}

PyObject *
pyb_bytes_split(PyObject *self, PyObject *args, PyObject *kwds)
{
    return split_with(self, args, kwds, "|On:split", cut);
}

PyObject *
pyb_bytes_rsplit(PyObject *self, PyObject *args, PyObject *kwds)
{
    return split_with(self, args, kwds, "|On:rsplit", cut_back);
}

/* Lines end with \n, \r or both. */
PyObject *
pyb_bytes_splitlines(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"keepends", NULL};
    int keep = 0;
    Py_buffer view;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|p:splitlines", names,
                                     &keep))
        return NULL;
    PyObject *list = PyList_New(0);
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    const char *p = bytes.data, *end = p + bytes.size;
    while (list != NULL && p < end) {
        const char *start = p;
        while (p < end && *p != '\n' && *p != '\r')
            p++;
        const char *line_end = p;
        if (p < end)
            p += *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
        if (append(list, self, start, keep ? p : line_end) < 0)
            Py_CLEAR(list);
    }
    PyBuffer_Release(&view);
    return list;
}

/* ------------------------------------------------------------------ */
/* partition                                                           */

/* The part before the place, what stands there, and the rest; without a place
   all, before or behind two empty ones. */
static PyObject *
three_parts(PyObject *self, struct pyb_span bytes, const char *place,
            Py_ssize_t size, int from_end)
{
    const char *end = bytes.data + bytes.size;

    if (place == NULL) {
        place = from_end ? bytes.data : end;
        size = 0;
    }
    return Py_BuildValue(
        "(NNN)",
        pyb_bytes_like(self,
                       (struct pyb_span){bytes.data, place - bytes.data}),
        pyb_bytes_like(self, (struct pyb_span){place, size}),
        pyb_bytes_like(self,
                       (struct pyb_span){place + size, end - (place + size)}));
}

static PyObject *
partition(PyObject *self, PyObject *arg, int from_end)
{
    Py_buffer view, sep_view;
    struct pyb_span sep;
    PyObject *result = NULL;

    if (pyb_bytes_arg(arg, &sep_view, &sep) < 0)
        return NULL;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    if (sep.size == 0)
        PyErr_SetString(PyExc_ValueError, "empty separator");
    else
        result = three_parts(self, bytes,
                             from_end ? pyb_bytesfind_last(bytes, sep)
                                      : pyb_bytesfind_first(bytes, sep),
                             sep.size, from_end);
    PyBuffer_Release(&view);
    PyBuffer_Release(&sep_view);
    return result;
}

/* Methods that are an expression of self and args, which for METH_O is the
   argument. */
#define METHOD(NAME, RESULT)                                                  \
    PyObject *pyb_bytes_##NAME(PyObject *self, PyObject *args)                \
    {                                                                         \
        return RESULT;                                                        \
    }

METHOD(partition, partition(self, args, 0))
METHOD(rpartition, partition(self, args, 1))

/* ------------------------------------------------------------------ */
/* strip                                                               */

enum { LEFT = 1, RIGHT = 2 };

/* Is it one of those bytes, or white space if there are none given? */
static int
is_stripped(char c, struct pyb_span set)
{
    return set.data == NULL
               ? Py_ISSPACE(c) != 0
               : set.size > 0 && memchr(set.data, c, (size_t)set.size) != NULL;
}

static PyObject *
strip(PyObject *self, PyObject *args, const char *name, int sides)
{
    PyObject *arg = Py_None;
    Py_buffer view, set_view = {0};
    struct pyb_span set = {NULL, 0};

    if (!PyArg_UnpackTuple(args, name, 0, 1, &arg) ||
        (arg != Py_None && pyb_bytes_arg(arg, &set_view, &set) < 0))
        return NULL;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    while (sides & LEFT && bytes.size > 0 && is_stripped(*bytes.data, set)) {
        bytes.data++;
        bytes.size--;
    }
    while (sides & RIGHT && bytes.size > 0 &&
           is_stripped(bytes.data[bytes.size - 1], set))
        bytes.size--;
    PyObject *result = pyb_bytes_like(self, bytes);
    PyBuffer_Release(&view);
    PyBuffer_Release(&set_view);
    return result;
}

METHOD(strip, strip(self, args, "strip", LEFT | RIGHT))
METHOD(lstrip, strip(self, args, "lstrip", LEFT))
METHOD(rstrip, strip(self, args, "rstrip", RIGHT))

/* self without the bytes of arg at that side, if they stand there. */
static PyObject *
remove_at(PyObject *self, PyObject *arg, int side)
{
    Py_buffer view, part_view;
    struct pyb_span part;

    if (pyb_bytes_arg(arg, &part_view, &part) < 0)
        return NULL;
    struct pyb_span bytes = pyb_bytes_self(self, &view);
    if (side == LEFT ? pyb_bytesfind_starts(bytes, part)
                     : pyb_bytesfind_ends(bytes, part)) {
        bytes.size -= part.size;
        if (side == LEFT)
            bytes.data += part.size;
    }
    PyObject *result = pyb_bytes_like(self, bytes);
    PyBuffer_Release(&view);
    PyBuffer_Release(&part_view);
    return result;
}

METHOD(removeprefix, remove_at(self, args, LEFT))
METHOD(removesuffix, remove_at(self, args, RIGHT))
