/* fuzz.c: what the fuzzers have in common; see fuzz.h. */

#include "fuzz.h"

enum { ROUNDS = 256, TEXT = 64, DEPTH = 3 };

struct fuzz_input
fuzz_begin(const uint8_t *data, size_t size)
{
    if (!Py_IsInitialized())
        Py_Initialize();
    return (struct fuzz_input){data, data + size};
}

void
fuzz_end(void)
{
    static int rounds;

    PyErr_Clear();
    if (++rounds % ROUNDS == 0)
        PyGC_Collect();
}

void
fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, condition);
    if (PyErr_Occurred())
        PyErr_Print();
    abort();
}

unsigned
fuzz_below(struct fuzz_input *in, unsigned n)
{
    return in->p == in->end ? 0 : *in->p++ % n;
}

uint64_t
fuzz_word(struct fuzz_input *in)
{
    unsigned kind = fuzz_below(in, 12);
    uint64_t word = 0;

    for (unsigned i = 0; i < (kind > 8 ? 1 : kind); i++)
        word = word << 8 | fuzz_below(in, 256);
    return kind < 10 ? word : ~word;
}

static int
ends_text(uint8_t byte)
{
    return byte == '\0' || byte == '\n';
}

size_t
fuzz_text(struct fuzz_input *in, char *text, size_t room)
{
    size_t n = 0;

    while (in->p < in->end && !ends_text(*in->p) && n + 1 < room)
        text[n++] = (char)*in->p++;
    if (in->p < in->end && ends_text(*in->p))
        in->p++;
    text[n] = '\0';
    return n;
}

PyObject *
fuzz_str(struct fuzz_input *in)
{
    char text[TEXT];
    size_t n = fuzz_text(in, text, sizeof(text));
    PyObject *str = PyUnicode_DecodeUTF8(text, (Py_ssize_t)n, "replace");

    fuzz_check(str != NULL);
    return str;
}

static PyObject *sequence(struct fuzz_input *in, int depth);

static PyObject *
object(struct fuzz_input *in, int depth)
{
    char text[TEXT];
    size_t n;
    double v;
    uint64_t word;

    switch (fuzz_below(in, depth > 0 ? 10 : 8)) {
    case 0:
        return Py_NewRef(Py_None);
    case 1:
        return PyBool_FromLong(fuzz_below(in, 2));
    case 2:
        return PyLong_FromLongLong((long long)fuzz_word(in));
    case 3:
        return PyLong_FromUnsignedLongLong(fuzz_word(in));
    case 4:
        word = fuzz_word(in);
        memcpy(&v, &word, sizeof(v));
        return PyFloat_FromDouble(v);
    case 5:
        return fuzz_str(in);
    case 6:
        n = fuzz_text(in, text, sizeof(text));
        return PyBytes_FromStringAndSize(text, (Py_ssize_t)n);
    case 7:
        n = fuzz_text(in, text, sizeof(text));
        return PyByteArray_FromStringAndSize(text, (Py_ssize_t)n);
    default:
        return sequence(in, depth - 1);
    }
}

static PyObject *
sequence(struct fuzz_input *in, int depth)
{
    Py_ssize_t n = (Py_ssize_t)fuzz_below(in, 5);
    PyObject *list = PyList_New(n);

    fuzz_check(list != NULL);
    for (Py_ssize_t i = 0; i < n; i++)
        PyList_SET_ITEM(list, i, object(in, depth));
    if (fuzz_below(in, 2))
        return list;
    PyObject *tuple = PyList_AsTuple(list);
    Py_DECREF(list);
    return tuple;
}

PyObject *
fuzz_object(struct fuzz_input *in)
{
    PyObject *op = object(in, DEPTH);

    fuzz_check(op != NULL);
    return op;
}

void
fuzz_limit_numbers(char *format)
{
    int digits = 0;

    for (; *format != '\0'; format++) {
        digits = *format >= '0' && *format <= '9' ? digits + 1 : 0;
        if (digits > 3) {
            *format = '\0';
            return;
        }
    }
}

void
fuzz_raised(int failed)
{
    fuzz_check((PyErr_Occurred() != NULL) == (failed != 0));
    PyErr_Clear();
}
