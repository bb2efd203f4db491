/* hookname.c: the names of the functions in a shared object that start a
   module.

   A module's name need not be ASCII, a symbol must be: such a name is written
   in punycode (RFC 3492).  Either way "_" stands for "-".

   Manual: "Defining extension modules", section "Extension export hook". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/module/import.h"
#include "object/type/typenames.h"

/* The parameters of RFC 3492, section 5. */
enum {
    BASE = 36,
    T_MIN = 1,
    T_MAX = 26,
    SKEW = 38,
    DAMP = 700,
    INITIAL_BIAS = 72,
    INITIAL_N = 128
};

/* Text that is being encoded. */
struct encoding {
    const Py_UCS4 *chars;
    Py_ssize_t length;
    PyUnicodeWriter *out;
    Py_ssize_t done; /* characters already encoded */
    unsigned long delta;
    unsigned bias;
};

static unsigned
adapt(unsigned long delta, Py_ssize_t count, int first)
{
    unsigned k = 0;

    PYB_ASSERT(count > 0);
    delta = first ? delta / DAMP : delta / 2;
    delta += delta / (unsigned long)count;
    for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
        delta /= BASE - T_MIN;
    return k + (unsigned)((BASE - T_MIN + 1) * delta / (delta + SKEW));
}

/* Writes a number with digits of variable weight. */
static int
write_number(struct encoding *self, unsigned long number)
{
    for (unsigned k = BASE;; k += BASE) {
        unsigned t = k <= self->bias           ? T_MIN
                     : k >= self->bias + T_MAX ? T_MAX
                                               : k - self->bias;
        unsigned long digit =
            number < t ? number : t + (number - t) % (BASE - t);

        PYB_ASSERT(digit < BASE);
        if (PyUnicodeWriter_WriteChar(
                self->out,
                (Py_UCS4)(digit < 26 ? 'a' + digit : '0' + digit - 26)) < 0)
            return -1;
        if (number < t)
            return 0;
        number = (number - t) / (BASE - t);
    }
}

/* The smallest character that is n or more; there is one. */
static Py_UCS4
next_char(const struct encoding *self, Py_UCS4 n)
{
    Py_UCS4 smallest = 0x10ffff;

    for (Py_ssize_t i = 0; i < self->length; i++)
        if (self->chars[i] >= n && self->chars[i] < smallest)
            smallest = self->chars[i];
    PYB_ASSERT(smallest >= n);
    return smallest;
}

/* Writes the places of the character c. */
static int
write_char(struct encoding *self, Py_UCS4 c, Py_ssize_t ascii)
{
    for (Py_ssize_t i = 0; i < self->length; i++) {
        if (self->chars[i] < c)
            self->delta++;
        if (self->chars[i] != c)
            continue;
        if (write_number(self, self->delta) < 0)
            return -1;
        self->bias = adapt(self->delta, self->done + 1, self->done == ascii);
        self->delta = 0;
        self->done++;
    }
    return 0;
}

/* Writes the ASCII characters, and a delimiter if there are any; how many, or
   -1. */
static Py_ssize_t
write_ascii(struct encoding *self)
{
    Py_ssize_t count = 0;

    for (Py_ssize_t i = 0; i < self->length; i++) {
        Py_UCS4 c = self->chars[i] == '-' ? '_' : self->chars[i];

        if (c >= INITIAL_N)
            continue;
        if (PyUnicodeWriter_WriteChar(self->out, c) < 0)
            return -1;
        count++;
    }
    if (count > 0 && PyUnicodeWriter_WriteChar(self->out, '_') < 0)
        return -1;
    return count;
}

static int
write_punycode(struct encoding *self)
{
    Py_UCS4 n = INITIAL_N;
    Py_ssize_t ascii = write_ascii(self);

    if (ascii < 0)
        return -1;
    self->done = ascii;
    self->bias = INITIAL_BIAS;
    while (self->done < self->length) {
        Py_UCS4 c = next_char(self, n);

        self->delta +=
            (unsigned long)(c - n) * (unsigned long)(self->done + 1);
        if (write_char(self, c, ascii) < 0)
            return -1;
        self->delta++;
        PYB_ASSERT(self->done <= self->length);
        n = c + 1;
    }
    return 0;
}

/* prefix, "U_" and the name in punycode. */
static PyObject *
encode(const char *prefix, PyObject *name)
{
    struct encoding self = {.length = PyUnicode_GET_LENGTH(name)};
    Py_UCS4 *chars = PyUnicode_AsUCS4Copy(name);

    self.chars = chars;
    self.out = chars != NULL ? PyUnicodeWriter_Create(0) : NULL;
    if (self.out != NULL &&
        (PyUnicodeWriter_WriteUTF8(self.out, prefix, -1) < 0 ||
         PyUnicodeWriter_WriteUTF8(self.out, "U_", 2) < 0 ||
         write_punycode(&self) < 0)) {
        PyUnicodeWriter_Discard(self.out);
        self.out = NULL;
    }
    PyMem_Free(chars);
    return self.out != NULL ? PyUnicodeWriter_Finish(self.out) : NULL;
}

/* prefix, "_" and the name, which is ASCII. */
static PyObject *
keep(const char *prefix, PyObject *name)
{
    PyObject *hyphen = PyUnicode_FromString("-"), *result = NULL;
    PyObject *underscore = PyUnicode_FromString("_");

    if (hyphen != NULL && underscore != NULL)
        name = PyUnicode_Replace(name, hyphen, underscore, -1);
    else
        name = NULL;
    if (name != NULL)
        result = PyUnicode_FromFormat("%s_%U", prefix, name);
    Py_XDECREF(name);
    Py_XDECREF(underscore);
    Py_XDECREF(hyphen);
    return result;
}

PyObject *
pyb_hookname(const char *prefix, PyObject *module_name)
{
    const char *text = PyUnicode_AsUTF8(module_name);
    if (text == NULL)
        return NULL;
    PyObject *last = PyUnicode_FromString(pyb_typenames_last(text));
    if (last == NULL)
        return NULL;
    PyObject *result =
        PyUnicode_IS_ASCII(last) ? keep(prefix, last) : encode(prefix, last);
    Py_DECREF(last);
    return result;
}
