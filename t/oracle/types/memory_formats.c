/* memory_formats.c: the sizes of formats, and comparison of memoryviews whose
   formats are any; formats by chance too.
   Manual: "PyBuffer_SizeFromFormat", "memoryview". */

#include "oracle.h"

/* CPython raises struct.error: the text is compared. */
static void
size(const char *format)
{
    Py_ssize_t size = PyBuffer_SizeFromFormat(format);

    if (size >= 0) {
        say("%s: %ld", format, (long)size);
        return;
    }
    const char *text = strchr(error_text(), ' ');
    say("%s:%s", format, text != NULL ? text : "?");
}

static void
sizes(void)
{
    static const char *const formats[] = {"",
                                          "i",
                                          "@i",
                                          "=i",
                                          "<i",
                                          "!l",
                                          "l",
                                          "=l",
                                          "bi",
                                          "=bi",
                                          "ib",
                                          "b3i",
                                          "3sd",
                                          "7p",
                                          "x",
                                          "xxi",
                                          "0i",
                                          "b0i",
                                          "b0d",
                                          "P",
                                          "<P",
                                          "n",
                                          "=n",
                                          "N",
                                          ">N",
                                          "e",
                                          "<e",
                                          "?",
                                          "4?",
                                          "12",
                                          "3",
                                          "3 i",
                                          " i i ",
                                          "i\ti\n",
                                          "z",
                                          "i@",
                                          "<<i",
                                          "-1i",
                                          "9223372036854775807s",
                                          "9223372036854775808s",
                                          "9223372036854775807i",
                                          "99999999999999999999999i",
                                          "4611686018427387904h",
                                          "b9223372036854775807s",
                                          "1152921504606846975d",

                                          "C",
                                          "Zd",
                                          "T{i}",
                                          "(2)i"};

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        size(formats[i]);
}

static void
by_chance(char *format, int length)
{
    static const char orders[] = "@=<>!";
    static const char letters[] =
        "xcspbBhHiIlLqQnNefdP?cbBhHiIlLqQefd0123456789 \tzZ";
    int n = 0;

    if (pick(2))
        format[n++] = orders[pick(5)];
    for (int left = pick(length); left > 0; left--)
        format[n++] = letters[pick((int)sizeof letters - 1)];
    format[n] = '\0';
}

static PyObject *
view_of(const char *format, void *memory, Py_ssize_t itemsize)
{
    static Py_ssize_t shape[] = {2};
    Py_buffer info = {.buf = memory,
                      .len = 2 * itemsize,
                      .itemsize = itemsize,
                      .readonly = 1,
                      .ndim = 1,
                      .format = (char *)(size_t)format,
                      .shape = shape};

    return need(PyMemoryView_FromBuffer(&info));
}

static void
compare(const char *f, void *a, Py_ssize_t na, const char *g, void *b,
        Py_ssize_t nb)
{
    PyObject *x = view_of(f, a, na), *y = view_of(g, b, nb);
    PyObject *same = PyObject_RichCompare(x, y, Py_EQ);

    printf("%s == %s: ", f, g);
    if (same == NULL) {
        const char *text = strchr(error_text(), ' ');
        say("%s", text != NULL ? text : "?");
    } else {
        show("", same);
    }
    if (strcmp(f, "e") != 0 && strcmp(f, "@e") != 0) /* new in 3.12 */
        show("    items", PyObject_CallMethod(x, "tolist", NULL));
    drop_all(x, y);
}

static void
comparisons(void)
{
    static int ints[] = {1, 2};
    static long long longs[] = {1, 2};
    static double doubles[] = {1, 2}, nan[] = {NAN, 0}, zero[] = {0., 1};
    static double minus[] = {-0., 1};
    static float floats[] = {1, 2};
    static char bytes[] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static char big[] = {0, 0, 0, 1, 0, 0, 0, 2};
    static char text[] = "\3abc\2xyzd....";

    compare("i", ints, 4, "i", ints, 4);
    compare("i", ints, 4, "q", longs, 8);
    compare("q", longs, 8, "d", doubles, 8);
    compare("d", doubles, 8, "f", floats, 4);
    compare("d", nan, 8, "d", nan, 8);
    compare("d", zero, 8, "d", minus, 8);
    compare("<d", zero, 8, "d", minus, 8);
    compare("<i", bytes, 4, "i", ints, 4);
    compare(">i", big, 4, "i", ints, 4);
    compare(">i", big, 4, "!I", big, 4);
    compare("4p", text, 4, "4p", text, 4);
    compare("4p", text, 4, "4s", text, 4);
    compare("4s", text, 4, "ssss", text, 4);
    compare("xi", longs, 8, "q", longs, 8);
    compare("2h", ints, 4, "hh", ints, 4);
    compare("", ints, 4, "", longs, 4);
    compare("z", ints, 4, "z", ints, 4);
    compare("z", ints, 4, "i", ints, 4);
    compare("<q", ints, 4, "i", ints, 4);
    compare("c", text, 1, "B", text, 1);
    compare("?", bytes, 1, "B", bytes, 1);
    compare("B", bytes, 1, "<B", bytes, 1);
    compare("b", bytes, 1, "@b", bytes, 1);
}

static void
comparisons_by_chance(void)
{
    static char memory[4096];

    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (char)pick(256);
    for (int round = 0; round < 400; round++) {
        char f[24], g[24];
        by_chance(f, 6);
        by_chance(g, 6);
        Py_ssize_t n = PyBuffer_SizeFromFormat(f);
        PyErr_Clear();
        Py_ssize_t m = PyBuffer_SizeFromFormat(g);
        PyErr_Clear();
        if (n < 0 || m < 0 || n > 1000 || m > 1000)
            continue;
        compare(f, memory, n, f, memory, n);
        compare(f, memory, n, g, memory, m);
    }
}

void
oracle_program(void)
{
    pick_seed = 7;
    sizes();
    for (int round = 0; round < 3000; round++) {
        char format[24];
        by_chance(format, 20);
        size(format);
    }
    comparisons();
    comparisons_by_chance();
}
