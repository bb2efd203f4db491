/* utf16.c: UTF-16, in both byte orders. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/codec/natives.h"
#include "types/codec/units.h"

static struct pyb_units_step
look(const char *bytes, Py_ssize_t left, int big)
{
    PYB_ASSERT(left > 0);
    if (left < 2)
        return (struct pyb_units_step){0, left, "truncated data", 1};
    Py_UCS4 ch = pyb_units_get(bytes, 2, big);
    if (!Py_UNICODE_IS_SURROGATE(ch))
        return (struct pyb_units_step){ch, 2, NULL, 0};
    if (Py_UNICODE_IS_LOW_SURROGATE(ch))
        return (struct pyb_units_step){0, 2, "illegal encoding", 0};
    if (left < 4)
        return (struct pyb_units_step){0, left, "unexpected end of data", 1};
    Py_UCS4 low = pyb_units_get(bytes + 2, 2, big);
    if (!Py_UNICODE_IS_LOW_SURROGATE(low))
        return (struct pyb_units_step){0, 2, "illegal UTF-16 surrogate", 0};
    return (struct pyb_units_step){Py_UNICODE_JOIN_SURROGATES(ch, low), 4,
                                   NULL, 0};
}

static int
put(struct pyb_encoding *out, Py_UCS4 ch)
{
    if (Py_UNICODE_IS_SURROGATE(ch))
        return 0; /* for the error handler */
    if (ch < 0x10000)
        return pyb_units_append(out, ch, 2);
    int result = pyb_units_append(out, Py_UNICODE_HIGH_SURROGATE(ch), 2);
    return result < 0 ? -1
                      : pyb_units_append(out, Py_UNICODE_LOW_SURROGATE(ch), 2);
}

static const struct pyb_units_codec codec = {
    2, {"utf-16-le", "utf-16-be", "utf-16"}, look, put};

PyObject *
PyUnicode_DecodeUTF16Stateful(const char *s, Py_ssize_t size,
                              const char *errors, int *byteorder,
                              Py_ssize_t *consumed)
{
    return pyb_units_decode(&codec, s, size, errors, byteorder, consumed);
}

PyObject *
PyUnicode_DecodeUTF16(const char *s, Py_ssize_t size, const char *errors,
                      int *byteorder)
{
    return PyUnicode_DecodeUTF16Stateful(s, size, errors, byteorder, NULL);
}

PyObject *
pyb_utf16_encode(PyObject *str, const char *errors, int byteorder)
{
    return pyb_units_encode(&codec, str, errors, byteorder);
}

PyObject *
PyUnicode_AsUTF16String(PyObject *unicode)
{
    return pyb_utf16_encode(unicode, NULL, 0);
}
