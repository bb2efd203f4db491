/* strindex.c: characters of a str by number: subscripts, slices, iteration,
   and conversion from and to arrays of characters. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/reduce.h"
#include "object/error/errors.h"
#include "types/iter/iterators.h"
#include "types/str/str.h"
#include "types/str/text.h"
#include "types/str/utf8.h"

/* ------------------------------------------------------------------ */
/* Places and numbers                                                  */

const char *
pyb_str_at(PyObject *op, Py_ssize_t index)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(op);

    PYB_ASSERT_OBJECT(index >= 0 && index <= length, op);
    if (PyUnicode_IS_ASCII(op))
        return pyb_str_text(op) + index;
    if (index <= length / 2)
        return pyb_utf8_skip(pyb_str_text(op), index);
    return pyb_utf8_skip_back(pyb_str_end(op), length - index);
}

Py_ssize_t
pyb_str_index(PyObject *op, const char *place)
{
    Py_ssize_t bytes = place - pyb_str_text(op);

    PYB_ASSERT_OBJECT(bytes >= 0 && bytes <= pyb_str_size(op), op);
    if (PyUnicode_IS_ASCII(op))
        return bytes;
    return pyb_utf8_count(pyb_str_text(op), bytes);
}

PyObject *
pyb_str_slice(PyObject *op, const char *start, const char *end)
{
    PYB_ASSERT_OBJECT(start >= pyb_str_text(op) && start <= end &&
                          end <= pyb_str_end(op),
                      op);
    PYB_ASSERT_OBJECT(!pyb_utf8_is_tail(*start) && !pyb_utf8_is_tail(*end),
                      op);
    if (end - start == pyb_str_size(op))
        return pyb_str_exact(op);
    return pyb_str_new(start, end - start);
}

PyObject *
PyUnicode_Substring(PyObject *str, Py_ssize_t start, Py_ssize_t end)
{
    if (pyb_str_check(str) < 0)
        return NULL;
    if (start < 0 || end < 0)
        return pyb_raise(PyExc_IndexError, "string index out of range");
    end = Py_MIN(end, PyUnicode_GET_LENGTH(str));
    if (start >= end)
        return pyb_str_new("", 0);
    const char *place = pyb_str_at(str, start);
    return pyb_str_slice(str, place,
                         PyUnicode_IS_ASCII(str)
                             ? place + (end - start)
                             : pyb_utf8_skip(place, end - start));
}

/* ------------------------------------------------------------------ */
/* Subscripts                                                          */

/* The characters start, start + step ... of an ASCII str. */
static PyObject *
ascii_steps(PyObject *op, Py_ssize_t start, Py_ssize_t step, Py_ssize_t count)
{
    struct pyb_text text = {0};
    char *out = pyb_text_room(&text, count);

    PYB_ASSERT_OBJECT(count > 0 && start + (count - 1) * step >= 0 &&
                          start + (count - 1) * step < pyb_str_size(op),
                      op);
    if (out == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < count; i++)
        out[i] = pyb_str_text(op)[start + i * step];
    text.size = count;
    return pyb_text_finish(&text);
}

/* The same for any str. */
static PyObject *
steps(PyObject *op, Py_ssize_t start, Py_ssize_t step, Py_ssize_t count)
{
    struct pyb_text text = {0};
    const char *place = pyb_str_at(op, start);

    for (Py_ssize_t i = 0; i < count; i++) {
        const char *after = place;
        PYB_ASSERT_OBJECT(place >= pyb_str_text(op) && place < pyb_str_end(op),
                          op);
        if (pyb_text_char(&text, pyb_utf8_next(&after)) < 0) {
            pyb_text_drop(&text);
            return NULL;
        }
        if (i + 1 < count)
            place = step > 0 ? pyb_utf8_skip(place, step)
                             : pyb_utf8_skip_back(place, -step);
    }
    return pyb_text_finish(&text);
}

static PyObject *
slice(PyObject *op, PyObject *key)
{
    Py_ssize_t start, stop, step;

    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
        return NULL;
    Py_ssize_t count =
        PySlice_AdjustIndices(PyUnicode_GET_LENGTH(op), &start, &stop, step);
    if (count <= 0)
        return pyb_str_new("", 0);
    if (step == 1)
        return PyUnicode_Substring(op, start, start + count);
    if (PyUnicode_IS_ASCII(op))
        return ascii_steps(op, start, step, count);
    return steps(op, start, step, count);
}

PyObject *
pyb_str_subscript(PyObject *op, PyObject *key)
{
    if (PySlice_Check(key))
        return slice(op, key);
    if (!PyIndex_Check(key))
        return PyErr_Format(PyExc_TypeError,
                            "string indices must be integers, not '%.200s'",
                            Py_TYPE(key)->tp_name);

    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred())
        return NULL;
    if (i < 0)
        i += PyUnicode_GET_LENGTH(op);
    if (i < 0 || i >= PyUnicode_GET_LENGTH(op))
        return pyb_raise(PyExc_IndexError, "string index out of range");
    return pyb_str_char(op, i);
}

/* ------------------------------------------------------------------ */
/* Iteration                                                           */

/* The iterator's index is a number of bytes. */
PyObject *
pyb_str_iter(PyObject *op)
{
    return pyb_iterator_new(&PyUnicodeIter_Type, op, 0);
}

static PyObject *
iter_next(PyObject *op)
{
    struct pyb_iterator *it = PYB_ITERATOR(op);

    PYB_ASSERT_OBJECT(it->of == NULL || (it->index >= 0 &&
                                         it->index <= pyb_str_size(it->of)),
                      op);
    if (it->of == NULL)
        return NULL;
    if (it->index == pyb_str_size(it->of)) {
        Py_CLEAR(it->of);
        return NULL;
    }
    const char *start = pyb_str_text(it->of) + it->index, *end = start;
    pyb_utf8_next(&end);
    it->index += end - start;
    return pyb_str_new(start, end - start);
}

static PyObject *
iter_length_hint(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    struct pyb_iterator *it = PYB_ITERATOR(op);

    PYB_ASSERT_OBJECT(it->of == NULL || (it->index >= 0 &&
                                         it->index <= pyb_str_size(it->of)),
                      op);
    if (it->of == NULL)
        return PyLong_FromLong(0);
    return PyLong_FromSsize_t(pyb_utf8_count(
        pyb_str_text(it->of) + it->index, pyb_str_size(it->of) - it->index));
}

static PyObject *
iter_reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    struct pyb_iterator *it = PYB_ITERATOR(op);
    PyObject *index, *result;

    if (it->of == NULL)
        return pyb_reduce_call("iter", NULL, "(s)", "");
    index =
        PyLong_FromSsize_t(pyb_utf8_count(pyb_str_text(it->of), it->index));
    if (index == NULL)
        return NULL;
    result = pyb_reduce_call("iter", index, "(O)", it->of);
    Py_DECREF(index);
    return result;
}

static PyObject *
iter_setstate(PyObject *op, PyObject *state)
{
    struct pyb_iterator *it = PYB_ITERATOR(op);
    Py_ssize_t index = PyLong_AsSsize_t(state);

    if (index == -1 && PyErr_Occurred() != NULL)
        return NULL;
    if (it->of == NULL)
        Py_RETURN_NONE;
    const char *start = pyb_str_text(it->of), *place = start;
    const char *end = start + pyb_str_size(it->of);
    for (; index > 0 && place < end; index--)
        pyb_utf8_next(&place);
    it->index = place - start;
    Py_RETURN_NONE;
}

static PyMethodDef iter_methods[] = {
    PYB_LENGTH_HINT(iter_length_hint),
    {"__reduce__", iter_reduce, METH_NOARGS,
     PyDoc_STR("Return state information for pickling.")},
    {"__setstate__", iter_setstate, METH_O,
     PyDoc_STR("Set state information for unpickling.")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyUnicodeIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "str_iterator",
    PYB_ITERATOR_SLOTS(struct pyb_iterator),
    .tp_iternext = iter_next,
    .tp_methods = iter_methods,
};

/* ------------------------------------------------------------------ */
/* Arrays of characters                                                */

PyObject *
PyUnicode_FromOrdinal(int ordinal)
{
    char bytes[PYB_UTF8_LONGEST];

    if (ordinal < 0 || (Py_UCS4)ordinal >= PYB_UNICODE_END)
        return pyb_raise(PyExc_ValueError, "chr() arg not in range(0x110000)");
    return pyb_str_new(bytes, pyb_utf8_put(bytes, (Py_UCS4)ordinal));
}

PyObject *
PyUnicode_FromKindAndData(int kind, const void *buffer, Py_ssize_t size)
{
    struct pyb_text text = {0};

    if (size < 0)
        return pyb_raise(PyExc_ValueError, "size must be positive");
    if (kind != PyUnicode_1BYTE_KIND && kind != PyUnicode_2BYTE_KIND &&
        kind != PyUnicode_4BYTE_KIND)
        return pyb_raise(PyExc_SystemError, "invalid kind");
    for (Py_ssize_t i = 0; i < size; i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, buffer, i);
        if (ch >= PYB_UNICODE_END) {
            PyErr_Format(PyExc_ValueError,
                         "character U+%x is not in range [U+0000; U+10ffff]",
                         ch);
            goto error;
        }
        if (pyb_text_char(&text, ch) < 0)
            goto error;
    }
    return pyb_text_finish(&text);

error:
    pyb_text_drop(&text);
    return NULL;
}

_Static_assert(sizeof(wchar_t) == sizeof(Py_UCS4),
               "a wchar_t holds any character");

PyObject *
PyUnicode_FromWideChar(const wchar_t *w, Py_ssize_t size)
{
    if (w == NULL && size != 0)
        return PYB_BAD_CALL(NULL);
    if (size == -1)
        size = (Py_ssize_t)wcslen(w);
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, w, size);
}

/* Writes the first count characters. */
static void
write_chars(PyObject *op, Py_UCS4 *out, Py_ssize_t count)
{
    const char *p = pyb_str_text(op);

    PYB_ASSERT_OBJECT(count <= PyUnicode_GET_LENGTH(op), op);
    for (Py_ssize_t i = 0; i < count; i++)
        out[i] = pyb_utf8_next(&p);
}

Py_UCS4 *
PyUnicode_AsUCS4(PyObject *unicode, Py_UCS4 *buffer, Py_ssize_t buflen,
                 int copy_null)
{
    if (buffer == NULL || buflen < 0)
        return PYB_BAD_CALL(NULL);
    if (pyb_str_check(unicode) < 0)
        return NULL;
    Py_ssize_t length = PyUnicode_GET_LENGTH(unicode);
    if (buflen < length + (copy_null != 0)) {
        PyErr_SetString(PyExc_SystemError, "string is longer than the buffer");
        if (copy_null && buflen > 0)
            buffer[0] = 0;
        return NULL;
    }
    write_chars(unicode, buffer, length);
    if (copy_null)
        buffer[length] = 0;
    return buffer;
}

Py_UCS4 *
PyUnicode_AsUCS4Copy(PyObject *unicode)
{
    if (pyb_str_check(unicode) < 0)
        return NULL;
    Py_ssize_t length = PyUnicode_GET_LENGTH(unicode);
    Py_UCS4 *copy = PyMem_New(Py_UCS4, length + 1);
    if (copy == NULL)
        return PYB_MEMORY_ERROR(NULL);
    write_chars(unicode, copy, length);
    copy[length] = 0;
    return copy;
}

Py_ssize_t
PyUnicode_AsWideChar(PyObject *unicode, wchar_t *w, Py_ssize_t size)
{
    if (unicode == NULL)
        return PYB_BAD_CALL(-1);
    if (pyb_str_check(unicode) < 0)
        return -1;
    Py_ssize_t length = PyUnicode_GET_LENGTH(unicode);
    if (w == NULL)
        return length + 1;
    Py_ssize_t count = Py_MIN(length, size);
    write_chars(unicode, (Py_UCS4 *)w, count);
    if (count < size)
        w[count] = L'\0';
    return count;
}

wchar_t *
PyUnicode_AsWideCharString(PyObject *unicode, Py_ssize_t *size)
{
    if (unicode == NULL)
        return PYB_BAD_CALL(NULL);
    wchar_t *wide = (wchar_t *)PyUnicode_AsUCS4Copy(unicode);
    if (wide == NULL)
        return NULL;
    if (size != NULL) {
        *size = PyUnicode_GET_LENGTH(unicode);
    } else if ((Py_ssize_t)wcslen(wide) != PyUnicode_GET_LENGTH(unicode)) {
        PyMem_Free(wide);
        return pyb_raise(PyExc_ValueError, "embedded null character");
    }
    return wide;
}
