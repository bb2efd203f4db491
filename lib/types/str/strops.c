/* strops.c: operations on strings: concatenation, searching, replacing,
   joining.  strsplit.c has splitting. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/bytes/bytesfind.h"
#include "types/str/str.h"
#include "types/str/text.h"
#include "types/str/utf8.h"

static struct pyb_span
span(PyObject *str)
{
    return (struct pyb_span){pyb_str_text(str), pyb_str_size(str)};
}

/* ------------------------------------------------------------------ */
/* Concatenation                                                       */

PyObject *
PyUnicode_Concat(PyObject *left, PyObject *right)
{
    if (pyb_str_require(left) < 0)
        return NULL;
    if (!PyUnicode_Check(right))
        return PyErr_Format(PyExc_TypeError,
                            "can only concatenate str (not \"%.200s\") to str",
                            Py_TYPE(right)->tp_name);
    if (pyb_str_size(right) == 0)
        return pyb_str_exact(left);
    if (pyb_str_size(left) == 0)
        return pyb_str_exact(right);
    return pyb_str_concat(left, right);
}

void
PyUnicode_Append(PyObject **p, PyObject *right)
{
    if (*p == NULL || right == NULL || !PyUnicode_Check(*p) ||
        !PyUnicode_Check(right)) {
        if (!PyErr_Occurred())
            PyErr_BadInternalCall();
        Py_CLEAR(*p);
        return;
    }
    if (pyb_str_grow(p, right) == 0)
        Py_SETREF(*p, PyUnicode_Concat(*p, right));
}

void
PyUnicode_AppendAndDel(PyObject **p, PyObject *right)
{
    PyUnicode_Append(p, right);
    Py_XDECREF(right);
}

PyObject *
pyb_str_repeat(PyObject *op, Py_ssize_t count)
{
    struct pyb_text text = {0};
    Py_ssize_t size = pyb_str_size(op);

    if (count == 1)
        return pyb_str_exact(op);
    if (count < 1 || size == 0)
        return pyb_str_new("", 0);
    if (size > PY_SSIZE_T_MAX / count)
        return pyb_raise(PyExc_OverflowError, "repeated string is too long");
    if (pyb_text_room(&text, size * count) == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < count; i++)
        pyb_text_str(&text, op);
    return pyb_text_finish(&text);
}

/* Appends the items of a list or tuple, with sep, if not NULL, in between. */
static int
join_items(struct pyb_text *text, PyObject *sep, PyObject *fast)
{
    PYB_ASSERT_OBJECT(PyList_Check(fast) || PyTuple_Check(fast), fast);
    PYB_ASSERT(sep == NULL || PyUnicode_Check(sep));
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(fast, i);
        if (!PyUnicode_Check(item))
            return pyb_failf(PyExc_TypeError,
                             "sequence item %zd: expected str instance, "
                             "%.80s found",
                             i, Py_TYPE(item)->tp_name);
        if (i > 0 && (sep == NULL ? pyb_text_repeat(text, ' ', 1)
                                  : pyb_text_str(text, sep)) < 0)
            return -1;
        if (pyb_text_str(text, item) < 0)
            return -1;
    }
    return 0;
}

PyObject *
PyUnicode_Join(PyObject *separator, PyObject *seq)
{
    struct pyb_text text = {0};
    PyObject *fast = PySequence_Fast(seq, "can only join an iterable");
    PyObject *result = NULL;

    if (fast == NULL)
        return NULL;
    if (separator != NULL && !PyUnicode_Check(separator))
        PyErr_Format(PyExc_TypeError,
                     "separator: expected str instance, %.80s found",
                     Py_TYPE(separator)->tp_name);
    else if (PySequence_Fast_GET_SIZE(fast) == 1 &&
             PyUnicode_CheckExact(PySequence_Fast_GET_ITEM(fast, 0)))
        result = Py_NewRef(PySequence_Fast_GET_ITEM(fast, 0));
    else
        result = pyb_text_end(&text, join_items(&text, separator, fast) < 0);
    Py_DECREF(fast);
    return result;
}

/* ------------------------------------------------------------------ */
/* Searching                                                           */

/* The part of str from start up to end, with indices as for slices.  0 if
   start is beyond the end, where not even an empty string is found. */
static int
part(PyObject *str, Py_ssize_t start, Py_ssize_t end, struct pyb_span *out)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(str);

    pyb_bytesfind_adjust(&start, &end, length);
    if (start > end)
        return 0;
    PYB_ASSERT_OBJECT(start >= 0 && end <= length, str);
    out->data = pyb_str_at(str, start);
    out->size = pyb_str_at(str, end) - out->data;
    return 1;
}

/* 0 if both are strs, else -1 with TypeError. */
static int
require_both(PyObject *str, PyObject *substr)
{
    return pyb_str_require(str) < 0 ? -1 : pyb_str_require(substr);
}

Py_ssize_t
PyUnicode_Find(PyObject *str, PyObject *substr, Py_ssize_t start,
               Py_ssize_t end, int direction)
{
    struct pyb_span hay;
    const char *place;

    if (require_both(str, substr) < 0)
        return -2;
    if (!part(str, start, end, &hay))
        return -1;
    place = direction > 0 ? pyb_bytesfind_first(hay, span(substr))
                          : pyb_bytesfind_last(hay, span(substr));
    return place == NULL ? -1 : pyb_str_index(str, place);
}

Py_ssize_t
PyUnicode_FindChar(PyObject *str, Py_UCS4 ch, Py_ssize_t start, Py_ssize_t end,
                   int direction)
{
    char bytes[PYB_UTF8_LONGEST];
    struct pyb_span hay;
    const char *place;

    if (pyb_str_require(str) < 0)
        return -2;
    if (ch >= PYB_UNICODE_END || !part(str, start, end, &hay))
        return -1;
    struct pyb_span needle = {bytes, pyb_utf8_put(bytes, ch)};
    place = direction > 0 ? pyb_bytesfind_first(hay, needle)
                          : pyb_bytesfind_last(hay, needle);
    return place == NULL ? -1 : pyb_str_index(str, place);
}

Py_ssize_t
PyUnicode_Count(PyObject *str, PyObject *substr, Py_ssize_t start,
                Py_ssize_t end)
{
    struct pyb_span hay;

    if (require_both(str, substr) < 0)
        return -1;
    if (!part(str, start, end, &hay))
        return 0;
    if (pyb_str_size(substr) == 0)
        return pyb_utf8_count(hay.data, hay.size) + 1;
    return pyb_bytesfind_count(hay, span(substr));
}

Py_ssize_t
PyUnicode_Tailmatch(PyObject *str, PyObject *substr, Py_ssize_t start,
                    Py_ssize_t end, int direction)
{
    struct pyb_span hay;

    if (require_both(str, substr) < 0)
        return -1;
    if (!part(str, start, end, &hay))
        return 0;
    return direction > 0 ? pyb_bytesfind_ends(hay, span(substr))
                         : pyb_bytesfind_starts(hay, span(substr));
}

int
PyUnicode_Contains(PyObject *str, PyObject *substr)
{
    if (!PyUnicode_Check(substr))
        return pyb_failf(PyExc_TypeError,
                         "'in <string>' requires string as left operand, not "
                         "%.100s",
                         Py_TYPE(substr)->tp_name);
    if (pyb_str_require(str) < 0)
        return -1;
    return pyb_bytesfind_first(span(str), span(substr)) != NULL;
}

/* ------------------------------------------------------------------ */
/* Replacing                                                           */

/* Appends str with the first maxcount places before a character, or its end,
   filled with repl. */
static int
interleave(struct pyb_text *text, PyObject *str, PyObject *repl,
           Py_ssize_t maxcount)
{
    const char *p = pyb_str_text(str), *end = pyb_str_end(str);

    PYB_ASSERT(maxcount > 0);
    for (; maxcount > 0; maxcount--) {
        const char *start = p;
        if (pyb_text_str(text, repl) < 0)
            return -1;
        if (p == end)
            break;
        pyb_utf8_next(&p);
        if (pyb_text_bytes(text, start, p - start) < 0)
            return -1;
    }
    return pyb_text_bytes(text, p, end - p);
}

/* Appends str with the first maxcount occurrences of a substr that is not
   empty replaced. */
static int
substitute(struct pyb_text *text, PyObject *str, PyObject *substr,
           PyObject *repl, Py_ssize_t maxcount)
{
    struct pyb_span rest = span(str);
    const char *place;

    PYB_ASSERT(maxcount > 0);
    for (; maxcount > 0; maxcount--) {
        place = pyb_bytesfind_first(rest, span(substr));
        if (place == NULL)
            break;
        if (pyb_text_bytes(text, rest.data, place - rest.data) < 0 ||
            pyb_text_str(text, repl) < 0)
            return -1;
        place += pyb_str_size(substr);
        rest.size -= place - rest.data;
        rest.data = place;
    }
    return pyb_text_bytes(text, rest.data, rest.size);
}

PyObject *
PyUnicode_Replace(PyObject *str, PyObject *substr, PyObject *replstr,
                  Py_ssize_t maxcount)
{
    struct pyb_text text = {0};
    int result;

    if (require_both(str, substr) < 0 || pyb_str_require(replstr) < 0)
        return NULL;
    if (maxcount < 0)
        maxcount = PY_SSIZE_T_MAX;
    if (maxcount == 0 || pyb_bytesfind_first(span(str), span(substr)) == NULL)
        return pyb_str_exact(str);
    if (pyb_str_size(substr) == 0)
        result = interleave(&text, str, replstr, maxcount);
    else
        result = substitute(&text, str, substr, replstr, maxcount);
    return pyb_text_end(&text, result < 0);
}
