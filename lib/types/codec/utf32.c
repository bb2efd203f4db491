/* utf32.c: UTF-32, in both byte orders. */

#include "Python.h"

#include "types/codec/encoding.h"
#include "types/codec/natives.h"
#include "types/codec/units.h"
#include "types/str/str.h"
#include "types/str/utf8.h"

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

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

static const struct pyb_units_codec codec = {
    4, {"utf-32-le", "utf-32-be"}, look};

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

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

static int
put_unit(struct pyb_encoding *out, Py_UCS4 unit, int big)
{
    char bytes[4];

    pyb_units_put(bytes, unit, 4, big);
    return pyb_text_bytes(&out->out, bytes, 4) < 0 ? -1 : 1;
}

static int
put(struct pyb_encoding *out, Py_UCS4 ch, int big)
{
    return Py_UNICODE_IS_SURROGATE(ch) ? 0 : put_unit(out, ch, big);
}

static int
put_little(struct pyb_encoding *out, Py_UCS4 ch)
{
    return put(out, ch, 0);
}

static int
put_big(struct pyb_encoding *out, Py_UCS4 ch)
{
    return put(out, ch, 1);
}

#define REASON "surrogates not allowed"
static const struct pyb_encoder little = {"utf-32-le", REASON, 4,
                                          0x80,        NULL,   put_little};
static const struct pyb_encoder big = {"utf-32-be", REASON, 4,
                                       0x80,        NULL,   put_big};
static const struct pyb_encoder marked = {
    "utf-32", REASON, 4, 0x80, NULL, PY_BIG_ENDIAN ? put_big : put_little};

PyObject *
pyb_utf32_encode(PyObject *str, const char *errors, int byteorder)
{
    struct pyb_encoding out = {byteorder < 0   ? &little
                               : byteorder > 0 ? &big
                                               : &marked,
                               errors, str, .length = 0};

    if (pyb_str_check(str) < 0)
        return NULL;
    if (byteorder == 0 && put_unit(&out, 0xfeff, PY_BIG_ENDIAN) < 0)
        return NULL;
    return pyb_encoding_run(&out);
}

PyObject *
PyUnicode_AsUTF32String(PyObject *unicode)
{
    return pyb_utf32_encode(unicode, NULL, 0);
}
