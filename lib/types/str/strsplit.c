/* strsplit.c: splitting strings: split, splitlines, partition, strip. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/bytes/bytesfind.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

/* ------------------------------------------------------------------ */
/* At white space                                                      */

/* Appends the piece of s from start up to end.  0, or -1 with an
   exception. */
static int
add_piece(PyObject *list, PyObject *s, const char *start, const char *end)
{
    return pyb_append_stolen(list, pyb_str_slice(s, start, end));
}

/* The place behind the characters at p, before end, that are white space, or,
   for space == 0, that are not. */
static const char *
span_space(const char *p, const char *end, int space)
{
    while (p < end) {
        const char *after = p;
        if (Py_UNICODE_ISSPACE(pyb_utf8_next(&after)) != space)
            break;
        p = after;
    }
    return p;
}

/* Likewise from the end p back to start. */
static const char *
span_space_back(const char *p, const char *start, int space)
{
    while (p > start) {
        const char *before = pyb_utf8_skip_back(p, 1), *at = before;
        if (Py_UNICODE_ISSPACE(pyb_utf8_next(&at)) != space)
            break;
        p = before;
    }
    return p;
}

static int
split_space(PyObject *list, PyObject *s, Py_ssize_t maxsplit)
{
    const char *end = pyb_str_end(s);
    const char *p = span_space(pyb_str_text(s), end, 1);

    for (; p < end && maxsplit > 0; maxsplit--) {
        const char *stop = span_space(p, end, 0);
        if (add_piece(list, s, p, stop) < 0)
            return -1;
        p = span_space(stop, end, 1);
    }
    PYB_ASSERT(p <= end);
    if (p == end)
        return 0;
    return add_piece(list, s, p, end);
}

static int
rsplit_space(PyObject *list, PyObject *s, Py_ssize_t maxsplit)
{
    const char *start = pyb_str_text(s);
    const char *p = span_space_back(pyb_str_end(s), start, 1);

    for (; p > start && maxsplit > 0; maxsplit--) {
        const char *stop = span_space_back(p, start, 0);
        if (add_piece(list, s, stop, p) < 0)
            return -1;
        p = span_space_back(stop, start, 1);
    }
    PYB_ASSERT(p >= start);
    if (p == start)
        return 0;
    return add_piece(list, s, start, p);
}

/* ------------------------------------------------------------------ */
/* At a separator                                                      */

static int
split_at(PyObject *list, PyObject *s, PyObject *sep, Py_ssize_t maxsplit)
{
    struct pyb_span needle = {pyb_str_text(sep), pyb_str_size(sep)};
    struct pyb_span rest = {pyb_str_text(s), pyb_str_size(s)};

    PYB_ASSERT(needle.size > 0 && maxsplit >= 0);
    for (; maxsplit > 0; maxsplit--) {
        const char *place = pyb_bytesfind_first(rest, needle);
        if (place == NULL)
            break;
        if (add_piece(list, s, rest.data, place) < 0)
            return -1;
        place += needle.size;
        rest.size -= place - rest.data;
        rest.data = place;
    }
    return add_piece(list, s, rest.data, rest.data + rest.size);
}

static int
rsplit_at(PyObject *list, PyObject *s, PyObject *sep, Py_ssize_t maxsplit)
{
    struct pyb_span needle = {pyb_str_text(sep), pyb_str_size(sep)};
    struct pyb_span rest = {pyb_str_text(s), pyb_str_size(s)};

    PYB_ASSERT(needle.size > 0 && maxsplit >= 0);
    for (; maxsplit > 0; maxsplit--) {
        const char *place = pyb_bytesfind_last(rest, needle);
        if (place == NULL)
            break;
        if (add_piece(list, s, place + needle.size, rest.data + rest.size) < 0)
            return -1;
        rest.size = place - rest.data;
    }
    return add_piece(list, s, rest.data, rest.data + rest.size);
}

/* 0 if sep is a str that is not empty, else -1 with an exception. */
static int
check_separator(PyObject *s, PyObject *sep)
{
    if (pyb_str_require(s) < 0 || pyb_str_require(sep) < 0)
        return -1;
    if (pyb_str_size(sep) > 0)
        return 0;
    return pyb_fail(PyExc_ValueError, "empty separator");
}

/* For all kinds of splitting: checks the arguments and makes the list. */
static PyObject *
start_split(PyObject *s, PyObject *sep, Py_ssize_t *maxsplit)
{
    if (sep == NULL ? pyb_str_require(s) < 0 : check_separator(s, sep) < 0)
        return NULL;
    if (*maxsplit < 0)
        *maxsplit = PY_SSIZE_T_MAX;
    return PyList_New(0);
}

PyObject *
PyUnicode_Split(PyObject *s, PyObject *sep, Py_ssize_t maxsplit)
{
    PyObject *list = start_split(s, sep, &maxsplit);

    if (list != NULL && (sep == NULL ? split_space(list, s, maxsplit)
                                     : split_at(list, s, sep, maxsplit)) < 0)
        Py_CLEAR(list);
    return list;
}

PyObject *
PyUnicode_RSplit(PyObject *s, PyObject *sep, Py_ssize_t maxsplit)
{
    PyObject *list = start_split(s, sep, &maxsplit);

    if (list == NULL)
        return NULL;
    if ((sep == NULL ? rsplit_space(list, s, maxsplit)
                     : rsplit_at(list, s, sep, maxsplit)) < 0 ||
        PyList_Reverse(list) < 0)
        Py_CLEAR(list);
    return list;
}

PyObject *
PyUnicode_Splitlines(PyObject *s, int keepends)
{
    if (pyb_str_require(s) < 0)
        return NULL;
    PyObject *list = PyList_New(0);
    const char *p = pyb_str_text(s), *end = pyb_str_end(s), *start = p;

    while (list != NULL && p < end) {
        const char *stop = p;
        Py_UCS4 ch = pyb_utf8_next(&p);
        int line_break = Py_UNICODE_ISLINEBREAK(ch);
        if (!line_break)
            stop = p;
        if (ch == '\r' && p < end && *p == '\n')
            p++;
        if (!line_break && p < end)
            continue;
        if (add_piece(list, s, start, keepends ? p : stop) < 0)
            Py_CLEAR(list);
        start = p;
    }
    return list;
}

/* ------------------------------------------------------------------ */
/* Partition                                                           */

/* The tuple of three pieces of s, the second from start up to end. */
static PyObject *
three_pieces(PyObject *s, const char *start, const char *end)
{
    PYB_ASSERT_OBJECT(start <= end, s);
    const char *const ends[] = {pyb_str_text(s), start, end, pyb_str_end(s)};
    PyObject *tuple = PyTuple_New(3);

    for (int i = 0; tuple != NULL && i < 3; i++) {
        PyObject *piece = pyb_str_slice(s, ends[i], ends[i + 1]);
        if (piece == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, piece);
    }
    return tuple;
}

static PyObject *
partition(PyObject *s, PyObject *sep, int from_end)
{
    if (check_separator(s, sep) < 0)
        return NULL;
    struct pyb_span needle = {pyb_str_text(sep), pyb_str_size(sep)};
    struct pyb_span hay = {pyb_str_text(s), pyb_str_size(s)};
    const char *place = from_end ? pyb_bytesfind_last(hay, needle)
                                 : pyb_bytesfind_first(hay, needle);

    if (place != NULL)
        return three_pieces(s, place, place + needle.size);
    place = from_end ? hay.data : pyb_str_end(s);
    return three_pieces(s, place, place);
}

PyObject *
PyUnicode_Partition(PyObject *s, PyObject *sep)
{
    return partition(s, sep, 0);
}

PyObject *
PyUnicode_RPartition(PyObject *s, PyObject *sep)
{
    return partition(s, sep, 1);
}

/* ------------------------------------------------------------------ */
/* Strip                                                               */

/* Is the character from p up to end to be stripped? */
static int
is_stripped(PyObject *chars, const char *p, const char *end)
{
    if (chars == NULL)
        return Py_UNICODE_ISSPACE(pyb_utf8_next(&p));
    struct pyb_span hay = {pyb_str_text(chars), pyb_str_size(chars)};
    return pyb_bytesfind_first(hay, (struct pyb_span){p, end - p}) != NULL;
}

PyObject *
pyb_str_strip(PyObject *s, PyObject *chars, int sides)
{
    const char *start = pyb_str_text(s), *end = pyb_str_end(s);

    while ((sides & PYB_STRIP_LEFT) && start < end) {
        const char *after = pyb_utf8_skip(start, 1);
        if (!is_stripped(chars, start, after))
            break;
        start = after;
    }
    while ((sides & PYB_STRIP_RIGHT) && start < end) {
        const char *before = pyb_utf8_skip_back(end, 1);
        if (!is_stripped(chars, before, end))
            break;
        end = before;
    }
    PYB_ASSERT(start <= end);
    return pyb_str_slice(s, start, end);
}
