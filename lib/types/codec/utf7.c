/* utf7.c: UTF-7, in which runs of characters outside ASCII are UTF-16 in
   base 64 between '+' and '-'. */

#include "Python.h"

#include "types/codec/decoding.h"
#include "types/codec/natives.h"
#include "types/str/str.h"

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The value of a digit, or -1. */
static int
digit(unsigned char c)
{
    const char *place = c == '\0' ? NULL : strchr(digits, c);

    return place == NULL ? -1 : (int)(place - digits);
}

/* ------------------------------------------------------------------ */
/* Decoding                                                            */

/* struct run: a run in base 64.  bits holds the lowest count bits that make no
   unit of UTF-16 yet; high is a high surrogate that waits for its low one, or
   0. */
struct run {
    int inside;
    Py_ssize_t start;  /* the position of the '+' */
    Py_ssize_t length; /* how many characters preceded it */
    unsigned bits;
    int count;
    Py_UCS4 high;
};

/* Takes a unit of UTF-16.  Lone surrogates are characters, too. */
static int
take_unit(struct pyb_decoding *in, struct run *run, Py_UCS4 unit)
{
    Py_UCS4 high = run->high;

    run->high = 0;
    if (high != 0 && Py_UNICODE_IS_LOW_SURROGATE(unit))
        return pyb_decoding_char(in, Py_UNICODE_JOIN_SURROGATES(high, unit));
    if (high != 0 && pyb_decoding_char(in, high) < 0)
        return -1;
    if (!Py_UNICODE_IS_HIGH_SURROGATE(unit))
        return pyb_decoding_char(in, unit);
    run->high = unit;
    return 0;
}

static int
take_digit(struct pyb_decoding *in, struct run *run, int value)
{
    run->bits = run->bits << 6 | (unsigned)value;
    run->count += 6;
    if (run->count < 16)
        return 0;
    run->count -= 16;
    Py_UCS4 unit = run->bits >> run->count;
    run->bits &= (1U << run->count) - 1;
    return take_unit(in, run, unit);
}

/* Why the run may not end here; NULL if it may. */
static const char *
left_over(const struct run *run)
{
    if (run->count >= 6)
        return "partial character in shift sequence";
    return run->bits != 0 ? "non-zero padding bits in shift sequence" : NULL;
}

/* Ends the run at the position, where there is no digit.  Returns the position
   to go on from, or -1. */
static Py_ssize_t
end_run(struct pyb_decoding *in, struct run *run, Py_ssize_t i)
{
    unsigned char c = (unsigned char)in->bytes[i];
    const char *reason = left_over(run);

    run->inside = 0;
    if (reason != NULL)
        return pyb_decoding_fault(in, run->start, i + 1, reason);
    if (run->high != 0 && c < 0x80 && pyb_decoding_char(in, run->high) < 0)
        return -1;
    return c == '-' ? i + 1 : i;
}

/* Begins a run at a '+', or takes what else that may mean. */
static Py_ssize_t
begin_run(struct pyb_decoding *in, struct run *run, Py_ssize_t i)
{
    int more = i + 1 < in->size;

    if (more && in->bytes[i + 1] == '-')
        return pyb_decoding_char(in, '+') < 0 ? -1 : i + 2;
    if (more && digit((unsigned char)in->bytes[i + 1]) < 0)
        return pyb_decoding_fault(in, i, i + 2, "ill-formed sequence");
    *run = (struct run){1, i, in->length, 0, 0, 0};
    return i + 1;
}

/* Takes what is at the position, and returns the next one, or -1. */
static Py_ssize_t
step(struct pyb_decoding *in, struct run *run, Py_ssize_t i)
{
    unsigned char c = (unsigned char)in->bytes[i];

    if (run->inside) {
        int value = digit(c);
        if (value < 0)
            return end_run(in, run, i);
        return take_digit(in, run, value) < 0 ? -1 : i + 1;
    }
    if (c == '+')
        return begin_run(in, run, i);
    if (c >= 0x80)
        return pyb_decoding_fault(in, i, i + 1,
                                  "unexpected special character");
    return pyb_decoding_char(in, c) < 0 ? -1 : i + 1;
}

/* Decodes all.  With partial, a run at the end may go on.  0 or -1. */
static int
decode(struct pyb_decoding *in, struct run *run, int partial)
{
    Py_ssize_t i = 0;

    for (;;) {
        while (i >= 0 && i < in->size)
            i = step(in, run, i);
        if (i < 0)
            return -1;
        if (!run->inside || partial)
            return 0;
        run->inside = 0;
        if (run->high == 0 && left_over(run) == NULL)
            return 0;
        i = pyb_decoding_fault(in, run->start, in->size,
                               "unterminated shift sequence");
    }
}

PyObject *
PyUnicode_DecodeUTF7Stateful(const char *s, Py_ssize_t size,
                             const char *errors, Py_ssize_t *consumed)
{
    struct pyb_decoding in = {"utf7", errors, s, size, .length = 0};
    struct run run = {0};

    int result = decode(&in, &run, consumed != NULL);
    PyObject *str = pyb_decoding_end(&in, result < 0);
    if (str == NULL || consumed == NULL)
        return str;
    *consumed = run.inside ? run.start : in.size;
    if (run.inside)
        Py_SETREF(str, PyUnicode_Substring(str, 0, run.length));
    return str;
}

PyObject *
PyUnicode_DecodeUTF7(const char *s, Py_ssize_t size, const char *errors)
{
    return PyUnicode_DecodeUTF7Stateful(s, size, errors, NULL);
}

/* ------------------------------------------------------------------ */
/* Encoding                                                            */

/* Does the character stand for itself? */
static int
is_direct(Py_UCS4 ch)
{
    if (ch >= 0x7f || ch == '+' || ch == '\\' || ch == '~')
        return 0;
    return ch >= ' ' || ch == '\t' || ch == '\n' || ch == '\r';
}

/* struct output: the bytes; and, in a run, the lowest count bits that make no
   digit yet. */
struct output {
    struct pyb_text bytes;
    int inside;
    unsigned bits;
    int count;
};

static int
put_byte(struct output *out, char byte)
{
    return pyb_text_bytes(&out->bytes, &byte, 1);
}

static int
put_unit(struct output *out, Py_UCS4 unit)
{
    out->bits = out->bits << 16 | unit;
    for (out->count += 16; out->count >= 6;) {
        out->count -= 6;
        if (put_byte(out, digits[out->bits >> out->count & 0x3f]) < 0)
            return -1;
        out->bits &= (1U << out->count) - 1;
    }
    return 0;
}

/* Ends the run, if there is one, before the character. */
static int
leave_run(struct output *out, Py_UCS4 next)
{
    if (!out->inside)
        return 0;
    out->inside = 0;
    if (out->count > 0 &&
        put_byte(out, digits[out->bits << (6 - out->count) & 0x3f]) < 0)
        return -1;
    out->bits = 0;
    out->count = 0;
    /* Other characters end a run by themselves. */
    if (next == '-' || (next < 0x80 && digit((unsigned char)next) >= 0))
        return put_byte(out, '-');
    return 0;
}

static int
put_char(struct output *out, Py_UCS4 ch)
{
    if (is_direct(ch))
        return leave_run(out, ch) < 0 ? -1 : put_byte(out, (char)ch);
    if (!out->inside) {
        if (put_byte(out, '+') < 0)
            return -1;
        if (ch == '+')
            return put_byte(out, '-');
        out->inside = 1;
    }
    if (ch < 0x10000)
        return put_unit(out, ch);
    if (put_unit(out, Py_UNICODE_HIGH_SURROGATE(ch)) < 0)
        return -1;
    return put_unit(out, Py_UNICODE_LOW_SURROGATE(ch));
}

PyObject *
pyb_utf7_encode(PyObject *str)
{
    struct output out = {.inside = 0};

    if (pyb_str_check(str) < 0)
        return NULL;
    Py_ssize_t length = PyUnicode_GET_LENGTH(str);
    Py_UCS4 *chars = PyUnicode_AsUCS4Copy(str);
    int failed = chars == NULL;
    for (Py_ssize_t i = 0; !failed && i < length; i++)
        failed = put_char(&out, chars[i]) < 0;
    if (!failed)
        failed = leave_run(&out, '-') < 0;
    PyMem_Free(chars);
    return pyb_text_end_bytes(&out.bytes, failed);
}
