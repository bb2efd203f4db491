/* check_format.c: PyObject_Format, __format__ of the built-in types, and
   str.format.  All of the mini-language is in t/oracle/types/format_specs.c,
   the templates are in t/oracle/types/format_templates.c. */

#include "../support/suite.h"

static PyObject *
format(PyObject *op, const char *spec)
{
    PyObject *text = suite_require(PyUnicode_FromString(spec));
    PyObject *result = PyObject_Format(op, text);

    suite_drop(text, op);
    return result;
}

START_TEST(ints_have_signs_prefixes_groups_and_zeros)
{
    suite_new_text(format(PyLong_FromLong(-1234), ""), "-1234");
    suite_new_text(format(PyLong_FromLong(-1234567), "+,"), "-1,234,567");
    suite_new_text(format(PyLong_FromLong(0xbeef), "#012X"), "0X000000BEEF");
    suite_new_text(format(PyLong_FromLong(0xbeef), "_b"),
                   "1011_1110_1110_1111");
    suite_new_text(format(PyLong_FromLong(123), "08,"), "0,000,123");
    suite_new_text(format(PyLong_FromLong(123), "04,"), "0,123");
    suite_new_text(format(PyLong_FromLong(-5), "*=6"), "-****5");
    suite_new_text(format(PyLong_FromLong(0x20ac), "\u00b7^5c"),
                   "\u00b7\u00b7\u20ac\u00b7\u00b7");
    suite_new_text(format(Py_True, "d"), "1");
    suite_new_text(format(PyLong_FromLong(5), ".1%"), "500.0%");
}

START_TEST(floats_and_complex_numbers)
{
    suite_new_text(format(PyFloat_FromDouble(1e6), ",.2f"), "1,000,000.00");
    suite_new_text(format(PyFloat_FromDouble(-0.001), "z.1f"), "0.0");
    suite_new_text(format(PyFloat_FromDouble(-0.001), ".1f"), "-0.0");
    suite_new_text(format(PyFloat_FromDouble(Py_INFINITY), "06"), "000inf");
    suite_new_text(format(PyFloat_FromDouble(9999999.5), "#.7g"),
                   "1.000000e+07");
    suite_new_text(format(PyFloat_FromDouble(1e20), "#"), "1.e+20");
    suite_new_text(format(PyComplex_FromDoubles(0.0, 1.5), "+"), "+1.5j");
    suite_new_text(format(PyComplex_FromDoubles(1.0, -2.0), ">9"),
                   "   (1-2j)");
    suite_new_text(format(PyComplex_FromDoubles(1.0, -2.0), ".1f"),
                   "1.0-2.0j");
}

START_TEST(strings_are_cut_and_padded)
{
    suite_new_text(format(PyUnicode_FromString("h\u00e9llo"), ".2"),
                   "h\u00e9");
    suite_new_text(format(PyUnicode_FromString("\u00e9"), "\u20ac^4"),
                   "\u20ac\u00e9\u20ac\u20ac");
    suite_refused(format(PyUnicode_FromString("x"), "=5"), PyExc_ValueError,
                  "'=' alignment not allowed in string format specifier");
}

START_TEST(a_width_that_no_memory_has_fails_at_once)
{
    suite_refused(format(PyLong_FromLong(1), "9223372036854775807"),
                  PyExc_MemoryError, NULL);
    suite_refused(format(PyLong_FromLong(1), "09223372036854775807,"),
                  PyExc_MemoryError, NULL);
    suite_refused(format(PyUnicode_FromString("x"), "9223372036854775807"),
                  PyExc_MemoryError, NULL);
    suite_refused(format(PyLong_FromLong(1), "9223372036854775808"),
                  PyExc_ValueError,
                  "Too many decimal digits in format string");
}

START_TEST(bad_arguments_are_refused)
{
    suite_refused(PyObject_Format(NULL, NULL), PyExc_SystemError,
                  "null argument to internal routine");
    suite_refused(PyObject_Format(Py_True, Py_None), PyExc_SystemError,
                  "Format specifier must be a string, not NoneType");
    suite_refused(PyObject_CallMethod(Py_True, "__format__", "O", Py_None),
                  PyExc_TypeError,
                  "__format__() argument must be str, not None");
    suite_refused(format(PyList_New(0), "5"), PyExc_TypeError,
                  "unsupported format string passed to list.__format__");
    suite_new_text(PyObject_Format(Py_None, NULL), "None");
}

START_TEST(subclasses_format_as_their_base)
{
    PyObject *type = suite_class("s(O){}", "Sub", &PyLong_Type);

    suite_new_text(format(PyObject_CallFunction(type, "i", 12), "#x"), "0xc");
    suite_refused(format(PyObject_CallFunction(type, "i", 12), "k"),
                  PyExc_ValueError,
                  "Unknown format code 'k' for object of type 'Sub'");
    Py_DECREF(type);
}

static PyObject *
expand(const char *template, const char *args, ...)
{
    PyObject *str = suite_require(PyUnicode_FromString(template));
    PyObject *method = PyObject_GetAttrString(str, "format");
    va_list va;

    va_start(va, args);
    PyObject *tuple = suite_require(Py_VaBuildValue(args, va));
    va_end(va);
    PyObject *result = PyObject_Call(method, tuple, NULL);
    suite_drop(tuple, method, str);
    return result;
}

START_TEST(templates_have_fields_conversions_and_nested_fields)
{
    suite_new_text(expand("{}-{}", "(is)", 1, "a"), "1-a");
    suite_new_text(expand("{1}{0!r:>5}{{}}", "(si)", "a", 7), "7  'a'{}");
    suite_new_text(expand("{:{}{}}", "(isi)", 5, "<", 3), "5  ");
    suite_new_text(expand("{0[1]} {0[k]}|", "({iiss})", 1, 2, "k", "v"),
                   "2 v|");
    suite_new_text(expand("{0.real}", "(i)", 3), "3");
    suite_refused(expand("{0:{1:{2}}}", "(iii)", 1, 2, 3), PyExc_ValueError,
                  "Max string recursion exceeded");
    suite_refused(expand("{a}", "()"), PyExc_KeyError, "'a'");
    suite_refused(expand("{}{}", "(i)", 1), PyExc_IndexError,
                  "Replacement index 1 out of range for positional args "
                  "tuple");
}

START_TEST(lone_surrogates_pass_through_templates)
{
    PyObject *str =
        suite_require(PyUnicode_DecodeUTF8("\xff{}", 3, "surrogateescape"));

    suite_new_repr(PyObject_CallMethod(str, "format", "i", 1), "'\\udcff1'");
    Py_DECREF(str);
}
