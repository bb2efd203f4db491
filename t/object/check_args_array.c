/* check_args_array.c: what CPython 3.11 lacks or aborts on: arguments in C
   arrays, as METH_FASTCALL functions get them, and unmatched parentheses. */

#include "../support/suite.h"

START_TEST(positional_arguments_are_parsed)
{
    PyObject *args[] = {PyLong_FromLong(7), PyUnicode_FromString("text")};
    const char *text = NULL;
    int number = 0;

    ck_assert_int_eq(PyArg_ParseArray(args, 2, "is:f", &number, &text), 1);
    ck_assert_int_eq(number, 7);
    ck_assert_str_eq(text, "text");
    suite_rejected(PyArg_ParseArray(args, 1, "is:f", &number, &text),
                   PyExc_TypeError, "f() takes exactly 2 arguments (1 given)");
    ck_assert_int_eq(PyArg_ParseArray(NULL, 0, ":f"), 1);
    suite_drop(args[0], args[1]);
}

/* Parses f(1, KEY=2), the key having any name; a and b get the values. */
static int
parse(PyObject *key, int *a, int *b)
{
    static const char *const names[] = {"a", "b", NULL};
    PyObject *args[] = {PyLong_FromLong(1), PyLong_FromLong(2)};
    PyObject *kwnames = suite_require(PyTuple_Pack(1, key));
    int ok =
        PyArg_ParseArrayAndKeywords(args, 1, kwnames, "i|i:f", names, a, b);
    suite_drop(kwnames, args[0], args[1], key);
    return ok;
}

START_TEST(keyword_arguments_follow_the_positional_ones)
{
    int a = 0, b = 0;

    ck_assert_int_eq(parse(PyUnicode_FromString("b"), &a, &b), 1);
    ck_assert_int_eq(a, 1);
    ck_assert_int_eq(b, 2);
    suite_rejected(parse(PyUnicode_FromString("x"), &a, &b), PyExc_TypeError,
                   "'x' is an invalid keyword argument for f()");
    suite_rejected(parse(PyUnicode_FromString("a"), &a, &b), PyExc_TypeError,
                   "argument for f() given by name ('a') and position (1)");
    suite_rejected(parse(PyLong_FromLong(1), &a, &b), PyExc_TypeError,
                   "keywords must be strings");
}

START_TEST(kwnames_must_be_a_tuple)
{
    static const char *names[] = {"a", NULL};
    PyObject *list = PyList_New(0);
    int a;

    suite_rejected(
        PyArg_ParseArrayAndKeywords(NULL, 0, list, "|i:f", names, &a),
        PyExc_SystemError, NULL);
    ck_assert_int_eq(
        PyArg_ParseArrayAndKeywords(NULL, 0, NULL, "|i:f", names, &a), 1);
    Py_DECREF(list);
}

START_TEST(parentheses_must_match)
{
    PyObject *args = PyTuple_New(0);
    char deep[80] = "";

    suite_rejected(PyArg_ParseTuple(args, "|(i:f", NULL), PyExc_SystemError,
                   "missing ')' in getargs format");
    suite_rejected(PyArg_ParseTuple(args, "|i):f", NULL), PyExc_SystemError,
                   "excess ')' in getargs format");
    for (size_t i = 0; i < sizeof(deep) - 1; i++)
        deep[i] = i < 40 ? '(' : ')';
    suite_rejected(PyArg_ParseTuple(args, deep), PyExc_SystemError,
                   "too many tuple nesting levels in argument format string");
    Py_DECREF(args);
}
