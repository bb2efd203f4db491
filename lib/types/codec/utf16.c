/* utf16.c: UTF-16, in both byte orders. */

#include "Python.h"

#include "types/codec/encoding.h"
#include "types/codec/natives.h"
#include "types/codec/units.h"
#include "types/str/str.h"

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

static struct pyb_units_step
look(const char *bytes, Py_ssize_t left, int big)
{
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

static const struct pyb_units_codec codec = {
    2, {"utf-16-le", "utf-16-be"}, look};

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

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

static int
put_unit(struct pyb_encoding *out, Py_UCS4 unit, int big)
{
    char bytes[2];

    pyb_units_put(bytes, unit, 2, big);
    return pyb_text_bytes(&out->out, bytes, 2) < 0 ? -1 : 1;
}

static int
put(struct pyb_encoding *out, Py_UCS4 ch, int big)
{
    if (Py_UNICODE_IS_SURROGATE(ch))
        return 0;
    if (ch < 0x10000)
        return put_unit(out, ch, big);
    int result = put_unit(out, Py_UNICODE_HIGH_SURROGATE(ch), big);
    return result < 0 ? -1 : put_unit(out, Py_UNICODE_LOW_SURROGATE(ch), big);
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
static const struct pyb_encoder little = {"utf-16-le", REASON, 2,
                                          0x80,        NULL,   put_little};
static const struct pyb_encoder big = {"utf-16-be", REASON, 2,
                                       0x80,        NULL,   put_big};
static const struct pyb_encoder marked = {
    "utf-16", REASON, 2, 0x80, NULL, PY_BIG_ENDIAN ? put_big : put_little};

PyObject *
pyb_utf16_encode(PyObject *str, const char *errors, int byteorder)
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
PyUnicode_AsUTF16String(PyObject *unicode)
{
    return pyb_utf16_encode(unicode, NULL, 0);
}
