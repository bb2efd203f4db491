/* units.c: encoding and decoding in code units of two and four bytes. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/codec/decoding.h"
#include "types/codec/units.h"
#include "types/str/str.h"

/* Decodes from a position on.  Returns the end of what was decoded, or -1. */
static Py_ssize_t
decode(const struct pyb_units_codec *codec, struct pyb_decoding *in,
       Py_ssize_t i, int big, int partial)
{
    while (i < in->size) {
        struct pyb_units_step step =
            codec->look(in->bytes + i, in->size - i, big);
        PYB_ASSERT(step.size > 0 && step.size <= in->size - i);
        if (step.reason == NULL) {
            if (pyb_decoding_char(in, step.ch) < 0)
                return -1;
            i += step.size;
            continue;
        }
        if (partial && step.incomplete)
            return i;
        i = pyb_decoding_fault(in, i, i + step.size, step.reason);
        if (i < 0)
            return -1;
    }
    return i;
}

PyObject *
pyb_units_decode(const struct pyb_units_codec *codec, const char *s,
                 Py_ssize_t size, const char *errors, int *byteorder,
                 Py_ssize_t *consumed)
{
    int order = byteorder != NULL ? *byteorder : 0;
    Py_ssize_t mark = pyb_units_mark(s, size, codec->unit, &order);
    int big = pyb_units_big(order);
    struct pyb_decoding in = {codec->names[big], errors, s, size, .length = 0};

    if (byteorder != NULL)
        *byteorder = order;
    Py_ssize_t done = decode(codec, &in, mark, big, consumed != NULL);
    if (consumed != NULL && done >= 0)
        *consumed = done;
    return pyb_decoding_end(&in, done < 0);
}

PyObject *
pyb_units_encode(const struct pyb_units_codec *codec, PyObject *str,
                 const char *errors, int byteorder)
{
    int big = pyb_units_big(byteorder);
    const struct pyb_encoder encoder = {
        codec->names[byteorder == 0 ? 2 : big],
        "surrogates not allowed",
        codec->unit,
        .plain = 0x80,
        .put = codec->put,
    };
    struct pyb_encoding out = {&encoder, errors, str, .big = big};

    if (pyb_str_check(str) < 0)
        return NULL;
    /* The byte order mark. */
    if (byteorder == 0 && pyb_units_append(&out, 0xfeff, codec->unit) < 0)
        return NULL;
    return pyb_encoding_run(&out);
}
