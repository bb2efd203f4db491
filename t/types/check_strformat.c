/* check_strformat.c: PyUnicode_FromFormat, PyBytes_FromFormat and the %
   operator. */

#include "../support/suite.h"

#include <string.h>

/* ------------------------------------------------------------------ */
/* PyUnicode_FromFormat                                                */

START_TEST(plain_text_and_percent)
{
    suite_new_text(PyUnicode_FromFormat(""), "");
    suite_new_text(PyUnicode_FromFormat("abc"), "abc");
    suite_new_text(PyUnicode_FromFormat("100%%"), "100%");
    suite_new_text(PyUnicode_FromFormat("%%%%"), "%%");
    suite_refused(PyUnicode_FromFormat("%0%"), PyExc_SystemError,
                  "invalid format string: %0%");
    suite_refused(PyUnicode_FromFormat("%2c", 'c'), PyExc_SystemError,
                  "invalid format string: %2c");
}

START_TEST(characters)
{
    suite_new_text(PyUnicode_FromFormat("<%c>", 'x'), "<x>");
    suite_new_text(PyUnicode_FromFormat("%c", 0xe9), "\xc3\xa9");
    suite_new_text(PyUnicode_FromFormat("%c", 0x10ffff), "\xf4\x8f\xbf\xbf");
    suite_refused(PyUnicode_FromFormat("%c", 0x110000), PyExc_OverflowError,
                  "character argument not in range(0x110000)");
    suite_refused(PyUnicode_FromFormat("%c", -1), PyExc_OverflowError,
                  "character argument not in range(0x110000)");
}

START_TEST(integers_of_all_sizes)
{
    suite_new_text(PyUnicode_FromFormat("%d %i %u", -1, -2, 3U), "-1 -2 3");
    suite_new_text(PyUnicode_FromFormat("%o %x %X", 8U, 255U, 255U),
                   "10 ff FF");
    suite_new_text(
        PyUnicode_FromFormat("%ld %li %lu", LONG_MIN, 1L, ULONG_MAX),
        "-9223372036854775808 1 18446744073709551615");
    suite_new_text(PyUnicode_FromFormat("%lld %llu %llx", LLONG_MAX,
                                        ULLONG_MAX, 0xabcULL),
                   "9223372036854775807 18446744073709551615 abc");
    suite_new_text(PyUnicode_FromFormat("%zd %zi %zu", (Py_ssize_t)-5,
                                        (Py_ssize_t)6, SIZE_MAX),
                   "-5 6 18446744073709551615");
    suite_new_text(PyUnicode_FromFormat("%jd %ju", INTMAX_MIN, UINTMAX_MAX),
                   "-9223372036854775808 18446744073709551615");
    suite_new_text(PyUnicode_FromFormat("%td", (ptrdiff_t)-7), "-7");
    suite_new_text(PyUnicode_FromFormat("%lo %lX", 8UL, 0xabcUL), "10 ABC");
}

START_TEST(integer_width_and_precision)
{
    suite_new_text(PyUnicode_FromFormat("[%5d]", 42), "[   42]");
    suite_new_text(PyUnicode_FromFormat("[%-5d]", 42), "[42   ]");
    suite_new_text(PyUnicode_FromFormat("[%05d]", -42), "[-0042]");
    suite_new_text(PyUnicode_FromFormat("[%-05d]", -42), "[-42  ]");
    suite_new_text(PyUnicode_FromFormat("[%.5d]", -42), "[-00042]");
    suite_new_text(PyUnicode_FromFormat("[%8.5d]", -42), "[  -00042]");
    suite_new_text(PyUnicode_FromFormat("[%08.5d]", -42), "[-0000042]");
    suite_new_text(PyUnicode_FromFormat("[%*d]", 5, 42), "[   42]");
    suite_new_text(PyUnicode_FromFormat("[%*d]", -5, 42), "[42   ]");
    suite_new_text(PyUnicode_FromFormat("[%.*d]", 4, 42), "[0042]");
    suite_new_text(PyUnicode_FromFormat("[%.*d]", -4, 42), "[42]");
    suite_new_text(PyUnicode_FromFormat("[%*.*d]", 6, 4, 42), "[  0042]");
    suite_new_text(PyUnicode_FromFormat("%2d", 12345), "12345");
}

START_TEST(pointers)
{
    suite_new_text(PyUnicode_FromFormat("%p", (void *)0xabcdef), "0xabcdef");
    suite_new_text(PyUnicode_FromFormat("%p", (void *)NULL), "0x0");
}

START_TEST(c_strings)
{
    suite_new_text(PyUnicode_FromFormat("%s!", "\xc3\xa9t\xc3\xa9"),
                   "\xc3\xa9t\xc3\xa9!");
    suite_new_text(PyUnicode_FromFormat("[%5s]", "\xc3\xa9"),
                   "[    \xc3\xa9]");
    suite_new_text(PyUnicode_FromFormat("[%-5s]", "ab"), "[ab   ]");
    suite_new_text(PyUnicode_FromFormat("[%.2s]", "abc"), "[ab]");
    suite_new_text(PyUnicode_FromFormat("[%.9s]", "abc"), "[abc]");
    suite_new_text(PyUnicode_FromFormat("[%.0s]", "abc"), "[]");
}

START_TEST(c_strings_that_are_cut_or_not_utf8)
{
    /* The precision counts bytes; half a character is left out. */
    suite_new_text(PyUnicode_FromFormat("[%.2s]", "a\xc3\xa9"), "[a]");
    suite_new_text(PyUnicode_FromFormat("[%.3s]", "a\xc3\xa9"), "[a\xc3\xa9]");
    suite_new_text(PyUnicode_FromFormat("%s", "a\xff"), "a\xef\xbf\xbd");
}

START_TEST(wide_strings)
{
    suite_new_text(PyUnicode_FromFormat("[%ls]", L"\u00e9a"), "[\xc3\xa9"
                                                              "a]");
    suite_new_text(PyUnicode_FromFormat("[%.1ls]", L"\u00e9a"), "[\xc3\xa9]");
    suite_new_text(PyUnicode_FromFormat("[%3ls]", L"a"), "[  a]");
}

START_TEST(objects)
{
    PyObject *op = PyUnicode_FromString("\xc3\xa9'");

    suite_new_text(PyUnicode_FromFormat("%S %R %U", op, op, op),
                   "\xc3\xa9' \"\xc3\xa9'\" \xc3\xa9'");
    suite_new_text(PyUnicode_FromFormat("%A", op), "\"\\xe9'\"");
    suite_new_text(PyUnicode_FromFormat("[%4U]", op), "[  \xc3\xa9']");
    suite_new_text(PyUnicode_FromFormat("[%-4U]", op), "[\xc3\xa9'  ]");
    suite_new_text(PyUnicode_FromFormat("[%.1S]", op), "[\xc3\xa9]");
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
}

START_TEST(objects_that_may_be_null)
{
    PyObject *op = PyUnicode_FromString("object");

    suite_new_text(PyUnicode_FromFormat("%V-%d", op, "text", 1), "object-1");
    suite_new_text(PyUnicode_FromFormat("%V-%d", NULL, "text", 2), "text-2");
    suite_new_text(PyUnicode_FromFormat("%.2V-%d", NULL, "text", 3), "te-3");
    suite_new_text(PyUnicode_FromFormat("%lV-%d", op, L"wide", 4), "object-4");
    suite_new_text(PyUnicode_FromFormat("%lV-%d", NULL, L"wide", 5), "wide-5");
    Py_DECREF(op);
}

static PyTypeObject dotted_type = {SUITE_TYPE("package.module.Thing"),
                                   .tp_new = PyType_GenericNew};

START_TEST(type_names)
{
    PyObject *type = (PyObject *)&dotted_type;

    ck_assert_int_eq(PyType_Ready(&dotted_type), 0);
    PyObject *op = suite_require(PyObject_CallNoArgs(type));
    suite_new_text(PyUnicode_FromFormat("%T", op), "package.module.Thing");
    suite_new_text(PyUnicode_FromFormat("%#T", op), "package.module:Thing");
    suite_new_text(PyUnicode_FromFormat("%N", type), "package.module.Thing");
    suite_new_text(PyUnicode_FromFormat("%#N", type), "package.module:Thing");
    suite_new_text(PyUnicode_FromFormat("%T %#T", Py_None, Py_None),
                   "NoneType NoneType");
    suite_refused(PyUnicode_FromFormat("%N", op), PyExc_TypeError,
                  "%N argument must be a type");
    Py_DECREF(op);
}

START_TEST(bad_formats)
{
    suite_refused(PyUnicode_FromFormat("%"), PyExc_SystemError,
                  "invalid format string: %");
    suite_refused(PyUnicode_FromFormat("a %y b", 1), PyExc_SystemError,
                  "invalid format string: %y b");
    suite_refused(PyUnicode_FromFormat("%1.q"), PyExc_SystemError,
                  "invalid format string: %1.q");
    suite_refused(PyUnicode_FromFormat("%lld%llS", 1LL, Py_None),
                  PyExc_SystemError, "invalid format string: %llS");
    suite_refused(PyUnicode_FromFormat("\xc3\xa9"), PyExc_ValueError,
                  "PyUnicode_FromFormatV() expects an ASCII-encoded format "
                  "string, got a non-ASCII byte: 0xc3");
    suite_refused(PyUnicode_FromFormat("%99999999999d", 1), PyExc_ValueError,
                  "width too big");
    suite_refused(PyUnicode_FromFormat("%.99999999999d", 1), PyExc_ValueError,
                  "precision too big");
}

/* ------------------------------------------------------------------ */
/* PyBytes_FromFormat                                                  */

#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
#pragma GCC diagnostic ignored "-Wformat-zero-length"

static void
expect_bytes(PyObject *op, const char *bytes)
{
    ck_assert_ptr_nonnull(op);
    ck_assert_str_eq(PyBytes_AsString(op), bytes);
    Py_DECREF(op);
}

START_TEST(bytes_format)
{
    expect_bytes(PyBytes_FromFormat(""), "");
    expect_bytes(PyBytes_FromFormat("%% %c", 0xff), "% \xff");
    expect_bytes(PyBytes_FromFormat("%d %i %u %x", -1, -2, 3U, 0xabU),
                 "-1 -2 3 ab");
    expect_bytes(PyBytes_FromFormat("%ld %lu %zd %zu", -1L, 2UL,
                                    (Py_ssize_t)-3, (size_t)4),
                 "-1 2 -3 4");
    expect_bytes(PyBytes_FromFormat("%s|%.2s", "\xff", "abc"), "\xff|ab");
    expect_bytes(PyBytes_FromFormat("%p", (void *)0x1f), "0x1f");
    expect_bytes(PyBytes_FromFormat("%d %y %d", 1, 2), "1 %y %d");
    suite_refused(PyBytes_FromFormat("%c", 256), PyExc_OverflowError,
                  "PyBytes_FromFormatV(): %c format expects an integer in "
                  "range [0; 255]");
}

/* ------------------------------------------------------------------ */
/* The % operator                                                      */

/* format % args, where args, whose reference is stolen, is anything. */
static PyObject *
percent(const char *format, PyObject *args)
{
    PyObject *left = suite_require(PyUnicode_FromString(format));
    ck_assert_ptr_nonnull(args);
    PyObject *op = PyUnicode_Format(left, args);
    suite_drop(left, args);
    return op;
}

START_TEST(percent_texts)
{
    suite_new_text(percent("%s", Py_BuildValue("s", "x")), "x");
    suite_new_text(
        percent("%s-%r-%a", Py_BuildValue("(sss)", "x", "y", "\xc3\xa9")),
        "x-'y'-'\\xe9'");
    suite_new_text(
        percent("[%5s][%-5s][%.1s]", Py_BuildValue("(sss)", "a", "b", "cd")),
        "[    a][b    ][c]");
    suite_new_text(percent("100%%", PyTuple_New(0)), "100%");
    suite_refused(percent("%10%", PyTuple_New(0)), PyExc_TypeError,
                  "not enough arguments for format string");
    suite_new_text(percent("[%*s]", Py_BuildValue("(is)", 3, "a")), "[  a]");
    suite_new_text(percent("[%*s]", Py_BuildValue("(is)", -3, "a")), "[a  ]");
    suite_new_text(percent("%c%c", Py_BuildValue("(is)", 0xe9, "x")),
                   "\xc3\xa9x");
}

START_TEST(percent_integers)
{
    suite_new_text(percent("%d %i %u", Py_BuildValue("(iii)", 1, -2, 3)),
                   "1 -2 3");
    suite_new_text(percent("%x %X %o", Py_BuildValue("(iii)", 255, 255, 8)),
                   "ff FF 10");
    suite_new_text(
        percent("%#x %#X %#o", Py_BuildValue("(iii)", 255, -255, 8)),
        "0xff -0XFF 0o10");
    suite_new_text(
        percent("[%5d][%-5d][%05d]", Py_BuildValue("(iii)", 7, 7, -7)),
        "[    7][7    ][-0007]");
    suite_new_text(percent("%+d% d", Py_BuildValue("(ii)", 5, 6)), "+5 6");
    suite_new_text(percent("[%#08x]", PyLong_FromLong(255)), "[0x0000ff]");
    suite_new_text(percent("[%8.3d]", PyLong_FromLong(-5)), "[    -005]");
    suite_new_text(percent("%d", PyFloat_FromDouble(3.9)), "3");
    suite_new_text(percent("%ld", PyLong_FromLong(5)), "5");
}

START_TEST(percent_floats)
{
    suite_new_text(
        percent("%f %.2f %e", Py_BuildValue("(ddd)", 1.5, 2.345, 1500.0)),
        "1.500000 2.35 1.500000e+03");
    suite_new_text(percent("%g %G", Py_BuildValue("(dd)", 1e20, 1e-10)),
                   "1e+20 1E-10");
    suite_new_text(percent("[%8.2f][%-8.2f][%08.2f]",
                           Py_BuildValue("(ddd)", -1.5, 1.5, -1.5)),
                   "[   -1.50][1.50    ][-0001.50]");
    suite_new_text(percent("%+.1f", PyFloat_FromDouble(0.25)), "+0.2");
}

START_TEST(percent_mapping)
{
    PyObject *dict =
        suite_require(Py_BuildValue("{s:i,s:s}", "n", 5, "a(b)", "x"));
    suite_new_text(percent("%(n)03d %(a(b))s", Py_NewRef(dict)), "005 x");
    suite_new_text(percent("none", Py_NewRef(dict)), "none");
    suite_refused(percent("%(m)s", Py_NewRef(dict)), PyExc_KeyError, "'m'");
    suite_refused(percent("%*d", Py_BuildValue("(ni)", PY_SSIZE_T_MIN, 1)),
                  PyExc_MemoryError, "");
    suite_refused(percent("%(n", Py_NewRef(dict)), PyExc_ValueError,
                  "incomplete format key");
    ck_assert_int_eq(Py_REFCNT(dict), 1);
    Py_DECREF(dict);
    suite_refused(percent("%(n)s", PyLong_FromLong(1)), PyExc_TypeError,
                  "format requires a mapping");
}

START_TEST(percent_errors)
{
    suite_refused(percent("%s %s", PyLong_FromLong(1)), PyExc_TypeError,
                  "not enough arguments for format string");
    suite_refused(percent("%s", Py_BuildValue("(ii)", 1, 2)), PyExc_TypeError,
                  "not all arguments converted during string formatting");
    suite_refused(percent("x", PyLong_FromLong(1)), PyExc_TypeError,
                  "not all arguments converted during string formatting");
    suite_refused(percent("%", PyLong_FromLong(1)), PyExc_ValueError,
                  "incomplete format");
    suite_refused(percent("ab%y", PyLong_FromLong(1)), PyExc_ValueError,
                  "unsupported format character 'y' (0x79) at index 3");
    suite_refused(percent("%d", PyUnicode_FromString("x")), PyExc_TypeError,
                  "%d format: a real number is required, not str");
    suite_refused(percent("%x", PyFloat_FromDouble(1.5)), PyExc_TypeError,
                  "%x format: an integer is required, not float");
    suite_refused(percent("%f", PyUnicode_FromString("x")), PyExc_TypeError,
                  "must be real number, not str");
    suite_refused(percent("%c", PyUnicode_FromString("xy")), PyExc_TypeError,
                  NULL);
    suite_refused(percent("%c", PyLong_FromLong(0x110000)),
                  PyExc_OverflowError, "%c arg not in range(0x110000)");
    suite_refused(percent("%*d", Py_BuildValue("(si)", "x", 1)),
                  PyExc_TypeError, "* wants int");
}

START_TEST(percent_as_operator)
{
    PyObject *format = PyUnicode_FromString("<%s>");
    PyObject *args = PyLong_FromLong(1);

    suite_new_text(PyNumber_Remainder(format, args), "<1>");
    suite_refused(PyNumber_Remainder(args, format), PyExc_TypeError,
                  "unsupported operand type(s) for %: 'int' and 'str'");
    suite_drop(format, args);
}

/* format % args for bytes; args is given up. */
static PyObject *
bytes_percent(const char *format, PyObject *args)
{
    PyObject *left = suite_require(PyBytes_FromString(format));
    ck_assert_ptr_nonnull(args);
    PyObject *op = PyNumber_Remainder(left, args);
    suite_drop(left, args);
    return op;
}

START_TEST(percent_for_bytes)
{
    PyObject *dict = Py_BuildValue("{y:i}", "n", 5);

    expect_bytes(
        bytes_percent("%b%s%c", Py_BuildValue("(yyi)", "a", "\xff", 0xfe)),
        "a\xff\xfe");
    expect_bytes(bytes_percent("[%3s][%-3c][%.1b]",
                               Py_BuildValue("(yyy)", "\xff", "b", "cd")),
                 "[  \xff][b  ][c]");
    expect_bytes(bytes_percent("%r %05d %.2f%%",
                               Py_BuildValue("(sid)", "\u00e9", -7, 1.5)),
                 "'\\xe9' -0007 1.50%");
    expect_bytes(bytes_percent("%(n)d", Py_NewRef(dict)), "5");
    suite_refused(bytes_percent("%(m)d", dict), PyExc_KeyError, "b'm'");
    suite_refused(bytes_percent("%c", PyLong_FromLong(256)),
                  PyExc_OverflowError, "%c arg not in range(256)");
    suite_refused(bytes_percent("\xff%c", PyUnicode_FromString("a")),
                  PyExc_TypeError,
                  "%c requires an integer in range(256) or a single byte");
    suite_refused(bytes_percent("%b", PyUnicode_FromString("a")),
                  PyExc_TypeError,
                  "%b requires a bytes-like object, or an object that "
                  "implements __bytes__, not 'str'");
    suite_refused(bytes_percent("\xff%y", PyLong_FromLong(1)),
                  PyExc_ValueError,
                  "unsupported format character 'y' (0x79) at index 2");
    expect_bytes(bytes_percent("%c", PyByteArray_FromStringAndSize("\xff", 1)),
                 "\xff");
    suite_refused(bytes_percent("%f", PyUnicode_FromString("x")),
                  PyExc_TypeError, "float argument required, not str");
}

static PyObject *format_in_use;

/* __bytes__ that empties the format. */
static PyObject *
empty_format(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return PyByteArray_Resize(format_in_use, 0) < 0 ? NULL
                                                    : PyBytes_FromString("");
}

START_TEST(format_stays_while_it_is_read)
{
    PyMethodDef methods[] = {{"__bytes__", empty_format, METH_NOARGS, NULL},
                             {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, NULL}};
    PyType_Spec spec = {"m.Emptier", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT,
                        slots};
    PyObject *type = PyType_FromSpec(&spec), *op = PyObject_CallNoArgs(type);

    format_in_use = PyByteArray_FromStringAndSize("%s and more", 11);
    suite_refused(PyNumber_Remainder(format_in_use, op), PyExc_BufferError,
                  "Existing exports of data: object cannot be re-sized");
    suite_new_repr(PyNumber_Remainder(format_in_use, format_in_use),
                   "bytearray(b'%s and more and more')");
    suite_refused(PyNumber_Remainder(op, format_in_use), PyExc_TypeError,
                  "unsupported operand type(s) for %: 'm.Emptier' and "
                  "'bytearray'");
    Py_SETREF(format_in_use, PyBytes_FromString("%s"));
    suite_refused(
        PyNumber_Remainder(op, format_in_use), PyExc_TypeError,
        "unsupported operand type(s) for %: 'm.Emptier' and 'bytes'");
    suite_drop(format_in_use, op, type);
}
