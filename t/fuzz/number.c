/* number.c: fuzzes the texts of numbers.

   Promised: int and float read what strtoll and strtod read, where they read
   anything; what they write reads back as the same number. */

#include "fuzz.h"

#include <errno.h>

/* The text without white space around it; what C reads differently, for "_"
   or a prefix, gives NULL. */
static char *
for_c(char *text, const char *not_c)
{
    char *end = text + strlen(text);

    while (Py_ISSPACE(*text))
        text++;
    while (end > text && Py_ISSPACE(end[-1]))
        end--;
    *end = '\0';
    return strpbrk(text, not_c) == NULL ? text : NULL;
}

static void
check_reads_back(PyObject *v)
{
    static const int bases[] = {2, 8, 10, 16};

    for (int i = 0; i < 4; i++) {
        PyObject *text = PyNumber_ToBase(v, bases[i]);
        fuzz_check(text != NULL);
        PyObject *back = PyLong_FromUnicodeObject(text, 0);
        fuzz_check(back != NULL);
        fuzz_check(PyObject_RichCompareBool(back, v, Py_EQ) == 1);
        Py_DECREF(back);
        Py_DECREF(text);
    }
}

/* Through bytes, too. */
static void
check_bytes_come_back(PyObject *v)
{
    unsigned char bytes[96];

    for (int flags = 0; flags < 2; flags++) { /* big-endian, little-endian */
        Py_ssize_t n = PyLong_AsNativeBytes(v, bytes, sizeof bytes, flags);
        fuzz_check(0 < n && n <= (Py_ssize_t)sizeof bytes);
        fuzz_check(PyLong_AsNativeBytes(v, bytes, n, flags) == n);
        PyObject *back = PyLong_FromNativeBytes(bytes, (size_t)n, flags);
        fuzz_check(back != NULL);
        fuzz_check(PyObject_RichCompareBool(back, v, Py_EQ) == 1);
        Py_DECREF(back);
    }
}

static void
check_int(const char *text, int base)
{
    char copy[96], *end = NULL;
    PyObject *v = PyLong_FromString(text, NULL, base);

    fuzz_raised(v == NULL);
    if (v == NULL)
        return;
    check_reads_back(v);
    check_bytes_come_back(v);

    strcpy(copy, text);
    const char *c =
        for_c(copy, base == 0 || base == 2 || base == 8 ? "_bBoO" : "_");
    errno = 0;
    long long expected = c == NULL ? 0 : strtoll(c, &end, base);
    if (c != NULL && errno == 0) {
        fuzz_check(*end == '\0');
        PyObject *number = PyLong_FromLongLong(expected);
        fuzz_check(PyObject_RichCompareBool(number, v, Py_EQ) == 1);
        Py_DECREF(number);
    }
    Py_DECREF(v);
}

static int
same(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (a != a && b != b);
}

static void
check_double(double v)
{
    PyObject *number = PyFloat_FromDouble(v), *text = PyObject_Repr(number);
    fuzz_check(text != NULL);
    PyObject *back = PyFloat_FromString(text);
    fuzz_check(back != NULL && same(PyFloat_AS_DOUBLE(back), v));
    Py_DECREF(back);
    Py_DECREF(text);
    Py_DECREF(number);
}

static void
check_float(const char *text)
{
    char copy[96], *end;
    PyObject *str =
        PyUnicode_DecodeLatin1(text, (Py_ssize_t)strlen(text), NULL);
    PyObject *v = PyFloat_FromString(str);

    Py_DECREF(str);
    fuzz_raised(v == NULL);
    strcpy(copy, text);
    /* C has hexadecimal numbers and "nan(...)"; Latin-1 has more spaces. */
    const char *c = for_c(copy, "_xX(");
    for (const char *p = copy; *p != '\0'; p++)
        if (*p & 0x80)
            c = NULL;
    if (c != NULL) {
        double expected = strtod(c, &end);
        int is_number = end > c && *end == '\0';
        fuzz_check(is_number == (v != NULL));
        if (v != NULL)
            fuzz_check(same(expected, PyFloat_AS_DOUBLE(v)));
    }
    if (v != NULL)
        check_double(PyFloat_AS_DOUBLE(v));
    Py_XDECREF(v);
}

/* What PyOS_double_to_string writes, PyOS_string_to_double reads. */
static void
check_written(struct fuzz_input *in)
{
    uint64_t word = fuzz_word(in);
    double v;

    memcpy(&v, &word, sizeof(v));
    check_double(v);
    char code = "eEfFgGr"[fuzz_below(in, 7)];
    char *text = PyOS_double_to_string(
        v, code, code == 'r' ? 0 : (int)fuzz_below(in, 40),
        (int)fuzz_below(in, 16), NULL);
    fuzz_raised(text == NULL);
    if (text == NULL)
        return;
    double back = PyOS_string_to_double(text, NULL, NULL);
    fuzz_raised(0);
    fuzz_check(code != 'r' || same(back, v) || back == v);
    PyMem_Free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_begin(data, size);
    char text[96];
    int base = (int)fuzz_below(&in, 40) - 1;

    fuzz_text(&in, text, sizeof(text));
    check_int(text, base);
    check_float(text);
    check_written(&in);
    fuzz_end();
    return 0;
}
