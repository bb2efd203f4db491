/* utf32.c: UTF-32, in both byte orders. */

#include "Python.h"

#include "types/codec/natives.h"
#include "types/codec/units.h"
#include "types/str/utf8.h"

static struct pyb_units_step
look(const char *bytes, Py_ssize_t left, int big)
{
    if (left < 4)
        return (struct pyb_units_step){0, left, "truncated data", 1};
    Py_UCS4 ch = pyb_units_get(bytes, 4, big);
    if (Py_UNICODE_IS_SURROGATE(ch))
        return (struct pyb_units_step){
            0, 4, "code point in surrogate code point range(0xd800, 0xe000)",
            0};
    if (ch >= PYB_UNICODE_END)
        return (struct pyb_units_step){0, 4,
                                       "code point not in range(0x110000)", 0};
    return (struct pyb_units_step){ch, 4, NULL, 0};
}

static int
put(struct pyb_encoding *out, Py_UCS4 ch)
{
    return Py_UNICODE_IS_SURROGATE(ch) ? 0 : pyb_units_append(out, ch, 4);
}

static const struct pyb_units_codec codec = {
    4, {"utf-32-le", "utf-32-be", "utf-32"}, look, put};

PyObject *
PyUnicode_DecodeUTF32Stateful(const char *s, Py_ssize_t size,
                              const char *errors, int *byteorder,
                              Py_ssize_t *consumed)
{
    return pyb_units_decode(&codec, s, size, errors, byteorder, consumed);
}

PyObject *
PyUnicode_DecodeUTF32(const char *s, Py_ssize_t size, const char *errors,
                      int *byteorder)
{
    return PyUnicode_DecodeUTF32Stateful(s, size, errors, byteorder, NULL);
}

PyObject *
pyb_utf32_encode(PyObject *str, const char *errors, int byteorder)
{
    return pyb_units_encode(&codec, str, errors, byteorder);
}

PyObject *
PyUnicode_AsUTF32String(PyObject *unicode)
{
    return pyb_utf32_encode(unicode, NULL, 0);
}
