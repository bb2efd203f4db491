/* units.h: code units of two and four bytes, in either order; what UTF-16 and
   UTF-32 share. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CODEC_UNITS_H
#define PYB_TYPES_CODEC_UNITS_H

#include "Python.h"

#include "types/codec/encoding.h"

/* pyb_units_big: is the byte order (-1 little endian, 1 big endian, 0 the
   machine's) big endian? */
static inline int
pyb_units_big(int byteorder)
{
    return byteorder == 0 ? PY_BIG_ENDIAN : byteorder > 0;
}

/* pyb_units_put: writes a unit of size bytes. */
static inline void
pyb_units_put(char *out, Py_UCS4 unit, int size, int big)
{
    for (int i = 0; i < size; i++)
        out[big ? size - 1 - i : i] = (char)(unit >> (8 * i) & 0xff);
}

/* pyb_units_append: appends one to what is encoded, in its order; 1, or -1
   with MemoryError. */
static inline int
pyb_units_append(struct pyb_encoding *out, Py_UCS4 unit, int size)
{
    char bytes[sizeof(unit)];

    pyb_units_put(bytes, unit, size, out->big);
    return pyb_text_bytes(&out->out, bytes, size) < 0 ? -1 : 1;
}

/* pyb_units_get: reads one. */
static inline Py_UCS4
pyb_units_get(const char *bytes, int size, int big)
{
    Py_UCS4 unit = 0;

    for (int i = 0; i < size; i++)
        unit = unit << 8 | (unsigned char)bytes[big ? i : size - 1 - i];
    return unit;
}

/* pyb_units_mark: where no byte order is given (*byteorder is 0) and the bytes
   begin with a byte order mark, sets *byteorder and returns the size of the
   mark; else returns 0. */
static inline Py_ssize_t
pyb_units_mark(const char *bytes, Py_ssize_t size, int unit, int *byteorder)
{
    if (*byteorder != 0 || size < unit)
        return 0;
    if (pyb_units_get(bytes, unit, 0) == 0xfeff)
        *byteorder = -1;
    else if (pyb_units_get(bytes, unit, 1) == 0xfeff)
        *byteorder = 1;
    return *byteorder == 0 ? 0 : unit;
}

/* What begins at a position: a character of size bytes; or, if reason is not
   NULL, size bytes that are none. */
struct pyb_units_step {
    Py_UCS4 ch;
    Py_ssize_t size;
    const char *reason;
    int incomplete; /* the input ends too early */
};

/* An encoding in units of that many bytes: its names, little endian, big
   endian and by the mark, what looks at bytes of which at least one is left,
   and put of struct pyb_encoder. */
struct pyb_units_codec {
    int unit;
    const char *names[3];
    struct pyb_units_step (*look)(const char *bytes, Py_ssize_t left, int big);
    int (*put)(struct pyb_encoding *out, Py_UCS4 ch);
};

/* pyb_units_decode: PyUnicode_DecodeUTF16Stateful for such an encoding. */
PyObject *pyb_units_decode(const struct pyb_units_codec *codec, const char *s,
                           Py_ssize_t size, const char *errors, int *byteorder,
                           Py_ssize_t *consumed);

/* pyb_units_encode: pyb_utf16_encode for such an encoding. */
PyObject *pyb_units_encode(const struct pyb_units_codec *codec, PyObject *str,
                           const char *errors, int byteorder);

#endif /* PYB_TYPES_CODEC_UNITS_H */
