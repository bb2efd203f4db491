/* check_args_calls.c: whole argument lists: their number, optional and
   keyword arguments, what a failed parse gives back. */

#define PY_SSIZE_T_CLEAN
#include "../support/suite.h"

#include <string.h>

/* ------------------------------------------------------------------ */
/* Positional arguments                                                */

/* Parses n integers 1, 2 ... by a format of at most four units. */
static int
parse_numbers(int n, const char *format, int *v)
{
    PyObject *args = suite_require(PyTuple_New(n));
    for (int i = 0; i < n; i++)
        PyTuple_SET_ITEM(args, i, PyLong_FromLong(i + 1));
    int ok = PyArg_ParseTuple(args, format, v, v + 1, v + 2, v + 3);
    Py_DECREF(args);
    return ok;
}

START_TEST(optional_arguments_keep_their_default)
{
    int v[4] = {-1, -2, -3, -4};

    ck_assert_int_eq(parse_numbers(2, "i|ii:f", v), 1);
    ck_assert_int_eq(v[0], 1);
    ck_assert_int_eq(v[1], 2);
    ck_assert_int_eq(v[2], -3);
    ck_assert_int_eq(parse_numbers(0, "|i", v), 1);
    ck_assert_int_eq(v[0], 1);
    ck_assert_int_eq(parse_numbers(0, "", v), 1);
    ck_assert_int_eq(parse_numbers(1, "i|", v), 1);
}

START_TEST(wrong_numbers_are_counted_out)
{
    static const struct {
        int n;
        const char *format, *text;
    } cases[] = {
        {0, "i:f", "f() takes exactly 1 argument (0 given)"},
        {1, "ii:f", "f() takes exactly 2 arguments (1 given)"},
        {3, "ii:f", "f() takes exactly 2 arguments (3 given)"},
        {1, ":f", "f() takes exactly 0 arguments (1 given)"},
        {1, "", "function takes exactly 0 arguments (1 given)"},
        {2, "|i", "function takes at most 1 argument (2 given)"},
        {0, "i|i", "function takes at least 1 argument (0 given)"},
        {1, "ii|i:f", "f() takes at least 2 arguments (1 given)"},
        {4, "ii|i:f", "f() takes at most 3 arguments (4 given)"},
        {0, "es:f", "f() takes exactly 1 argument (0 given)"},
        {0, "(ii)i:f", "f() takes exactly 2 arguments (0 given)"},
        {3, "ii;use it well", "use it well"},
    };
    int v[4];

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        suite_rejected(parse_numbers(cases[i].n, cases[i].format, v),
                       PyExc_TypeError, cases[i].text);
    }
}

START_TEST(a_message_replaces_the_type_error)
{
    PyObject *args = Py_BuildValue("(s)", "text");
    PyObject *list;
    int number;

    suite_rejected(
        PyArg_ParseTuple(args, "O!;a list: please", &PyList_Type, &list),
        PyExc_TypeError, "a list: please");
    suite_rejected(PyArg_ParseTuple(args, "i;a number, please", &number),
                   PyExc_TypeError,
                   "'str' object cannot be interpreted as an integer");
    Py_DECREF(args);
}

START_TEST(later_arguments_are_numbered)
{
    PyObject *args = Py_BuildValue("(iii)", 1, 2, 3);
    const char *text;
    int a, b;

    suite_rejected(PyArg_ParseTuple(args, "ii|s:f", &a, &b, &text),
                   PyExc_TypeError, "f() argument 3 must be str, not int");
    Py_DECREF(args);
}

START_TEST(what_is_no_tuple_is_refused)
{
    PyObject *list = PyList_New(0), *op;

    suite_rejected(PyArg_ParseTuple(list, ":f"), PyExc_SystemError,
                   "new style getargs format but argument is not a tuple");
    suite_rejected(PyArg_UnpackTuple(list, "f", 0, 1, &op), PyExc_SystemError,
                   "PyArg_UnpackTuple() argument list is not a tuple");
    Py_DECREF(list);
}

static int
parse_variadic(PyObject *args, const char *format, ...)
{
    va_list va;

    va_start(va, format);
    int ok = PyArg_VaParse(args, format, va);
    va_end(va);
    return ok;
}

START_TEST(va_parse_takes_a_list_of_variables)
{
    PyObject *args = Py_BuildValue("(is)", 7, "seven");
    const char *text = NULL;
    int number = 0;

    ck_assert_int_eq(parse_variadic(args, "is:f", &number, &text), 1);
    ck_assert_int_eq(number, 7);
    ck_assert_str_eq(text, "seven");
    Py_DECREF(args);
}

START_TEST(parse_takes_the_object_itself)
{
    PyObject *number = PyLong_FromLong(5);
    PyObject *pair = Py_BuildValue("(is)", 7, "seven");
    const char *text = NULL;
    int value = 0;

    ck_assert_int_eq(PyArg_Parse(number, "i", &value), 1);
    ck_assert_int_eq(value, 5);
    ck_assert_int_eq(PyArg_Parse(pair, "(is)", &value, &text), 1);
    ck_assert_int_eq(value, 7);
    ck_assert_str_eq(text, "seven");

    suite_rejected(PyArg_Parse(number, "U", &pair), PyExc_TypeError,
                   "argument must be str, not int");
    suite_rejected(PyArg_Parse(number, "s:f", &text), PyExc_TypeError,
                   "f() argument must be str, not int");
    suite_rejected(PyArg_Parse(pair, "(ss):f", &text, &text), PyExc_TypeError,
                   "f() argument 1 must be str, not int");
    suite_rejected(PyArg_Parse(pair, "is", &value, &text), PyExc_SystemError,
                   "old style getargs format uses new features");
    suite_rejected(PyArg_Parse(pair, ":f"), PyExc_TypeError,
                   "f() takes no arguments");
    suite_rejected(PyArg_Parse(NULL, "i:f", &value), PyExc_TypeError,
                   "f() takes at least one argument");
    ck_assert_int_eq(PyArg_Parse(NULL, ""), 1);
    suite_drop(number, pair);
}

/* ------------------------------------------------------------------ */
/* PyArg_UnpackTuple                                                   */

START_TEST(unpack_borrows_the_items)
{
    PyObject *args = Py_BuildValue("(ii)", 1000, 2000);
    PyObject *a = NULL, *b = NULL, *c = Py_None;

    ck_assert_int_eq(PyArg_UnpackTuple(args, "f", 1, 3, &a, &b, &c), 1);
    ck_assert_ptr_eq(a, PyTuple_GetItem(args, 0));
    ck_assert_ptr_eq(b, PyTuple_GetItem(args, 1));
    ck_assert_ptr_eq(c, Py_None);
    ck_assert_int_eq(Py_REFCNT(a), 1);
    Py_DECREF(args);
}

START_TEST(unpack_counts_the_items)
{
    PyObject *args = Py_BuildValue("(ii)", 1, 2);
    PyObject *a, *b, *c, *d;

    suite_rejected(PyArg_UnpackTuple(args, "f", 3, 3, &a, &b, &c),
                   PyExc_TypeError, "f expected 3 arguments, got 2");
    suite_rejected(PyArg_UnpackTuple(args, "f", 3, 4, &a, &b, &c, &d),
                   PyExc_TypeError, "f expected at least 3 arguments, got 2");
    suite_rejected(PyArg_UnpackTuple(args, "f", 0, 1, &a), PyExc_TypeError,
                   "f expected at most 1 argument, got 2");
    suite_rejected(PyArg_UnpackTuple(args, NULL, 1, 1, &a), PyExc_TypeError,
                   "unpacked tuple should have 1 element, but has 2");
    suite_rejected(
        PyArg_UnpackTuple(args, NULL, 3, 4, &a, &b, &c, &d), PyExc_TypeError,
        "unpacked tuple should have at least 3 elements, but has 2");
    Py_DECREF(args);
}

/* ------------------------------------------------------------------ */
/* What a failed parse gives back                                      */

START_TEST(a_failure_releases_earlier_views)
{
    PyObject *array = PyByteArray_FromStringAndSize("abc", 3);
    PyObject *args = Py_BuildValue("(OOs)", array, array, "no number");
    Py_ssize_t count = Py_REFCNT(array);
    Py_buffer a, b;
    int number;

    suite_rejected(PyArg_ParseTuple(args, "y*w*i:f", &a, &b, &number),
                   PyExc_TypeError, NULL);
    ck_assert_int_eq(Py_REFCNT(array), count);
    /* An array with a view on it could not be resized. */
    ck_assert_int_eq(PyByteArray_Resize(array, 100), 0);
    suite_drop(args, array);
}

/* A converter that counts what it holds. */
static int
hold(PyObject *op, void *address)
{
    *(int *)address += op != NULL ? 1 : -1;
    return Py_CLEANUP_SUPPORTED;
}

START_TEST(a_failure_calls_converters_again)
{
    PyObject *args = Py_BuildValue("(iis)", 1, 2, "no number");
    int a = 0, b = 0, number;
    const char *text;

    ck_assert_int_eq(
        PyArg_ParseTuple(args, "O&O&s", hold, &a, hold, &b, &text), 1);
    ck_assert_int_eq(a, 1);
    ck_assert_int_eq(b, 1);
    suite_rejected(
        PyArg_ParseTuple(args, "O&O&i", hold, &a, hold, &b, &number),
        PyExc_TypeError, NULL);
    ck_assert_int_eq(a, 1);
    ck_assert_int_eq(b, 1);
    Py_DECREF(args);
}

START_TEST(any_number_of_cleanups_is_kept)
{
    enum { N = 20 };
    PyObject *args = PyTuple_New(N + 1);
    int held = 0, number;
    char format[2 * N + 2] = "";

    for (int i = 0; i <= N; i++) {
        PyTuple_SET_ITEM(args, i, Py_NewRef(Py_None));
        strcat(format, i < N ? "O&" : "i");
    }
#define HOLD4 hold, &held, hold, &held, hold, &held, hold, &held
    suite_rejected(PyArg_ParseTuple(args, format, HOLD4, HOLD4, HOLD4, HOLD4,
                                    HOLD4, &number),
                   PyExc_TypeError,
                   "'NoneType' object cannot be interpreted as an integer");
    ck_assert_int_eq(held, 0);
    Py_DECREF(args);
}

START_TEST(a_failure_frees_encoded_text)
{
    PyObject *args = Py_BuildValue("(ss)", "text", "no number");
    char *text = NULL;
    int number;

    suite_rejected(PyArg_ParseTuple(args, "esi", "utf-8", &text, &number),
                   PyExc_TypeError, NULL);
    ck_assert_ptr_null(text);
    Py_DECREF(args);
}

/* ------------------------------------------------------------------ */
/* Keyword arguments                                                   */

/* Parses f(*args, **kwargs), stealing both, as int a, str b, int c; the result
   is made of a, c and b's length. */
static int
parse_keywords(PyObject *args, PyObject *kwargs, const char *format)
{
    static char *names[] = {(char *)"a", (char *)"b", (char *)"c", NULL};
    int a = 0, c = 0;
    const char *b = "";

    ck_assert_ptr_nonnull(args);
    int ok =
        PyArg_ParseTupleAndKeywords(args, kwargs, format, names, &a, &b, &c);
    int result = ok ? a * 100 + c * 10 + (int)strlen(b) : -1;
    Py_DECREF(args);
    Py_XDECREF(kwargs);
    return result;
}

#define ARGS Py_BuildValue

START_TEST(keywords_may_replace_positions)
{
    ck_assert_int_eq(parse_keywords(ARGS("(isi)", 1, "xx", 3), NULL, "isi:f"),
                     132);
    ck_assert_int_eq(
        parse_keywords(ARGS("(is)", 1, "xx"), ARGS("{si}", "c", 3), "isi:f"),
        132);
    ck_assert_int_eq(parse_keywords(ARGS("()"),
                                    ARGS("{siss}", "c", 3, "b", "xx"),
                                    "|isi:f"),
                     32);
    ck_assert_int_eq(
        parse_keywords(ARGS("()"), ARGS("{sisssi}", "c", 3, "b", "xx", "a", 1),
                       "isi:f"),
        132);
    ck_assert_int_eq(parse_keywords(ARGS("(i)", 2), PyDict_New(), "i|si:f"),
                     200);
    ck_assert_int_eq(parse_keywords(ARGS("()"), NULL, "|$isi:f"), 0);
}

/* Fails unless it raises that. */
static void
check_refused(PyObject *args, PyObject *kwargs, const char *format,
              const char *text)
{
    suite_failed(parse_keywords(args, kwargs, format), PyExc_TypeError, text);
}

START_TEST(missing_arguments_are_named)
{
    check_refused(ARGS("()"), NULL, "isi:f",
                  "f() missing required argument 'a' (pos 1)");
    check_refused(ARGS("(i)", 1), ARGS("{si}", "c", 2), "isi:f",
                  "f() missing required argument 'b' (pos 2)");
    check_refused(ARGS("(i)", 1), NULL, "is|i",
                  "function missing required argument 'b' (pos 2)");
}

START_TEST(too_many_arguments_are_counted)
{
    check_refused(ARGS("(isii)", 1, "", 3, 4), NULL, "isi:f",
                  "f() takes at most 3 arguments (4 given)");
    check_refused(ARGS("(isi)", 1, "", 3), ARGS("{si}", "x", 4), "isi",
                  "function takes at most 3 arguments (4 given)");
    check_refused(ARGS("()"),
                  ARGS("{sisisisi}", "a", 1, "x", 1, "y", 1, "z", 1), "|isi:f",
                  "f() takes at most 3 keyword arguments (4 given)");
}

START_TEST(unknown_keywords_are_named)
{
    check_refused(ARGS("()"), ARGS("{si}", "x", 1), "|isi:f",
                  "'x' is an invalid keyword argument for f()");
    check_refused(ARGS("()"), ARGS("{si}", "x", 1), "|isi",
                  "'x' is an invalid keyword argument for this function");
    check_refused(ARGS("()"), ARGS("{ii}", 1, 1), "|isi:f",
                  "keywords must be strings");
}

START_TEST(an_argument_may_not_come_twice)
{
    check_refused(ARGS("(i)", 1), ARGS("{si}", "a", 1), "i|si:f",
                  "argument for f() given by name ('a') and position (1)");
    check_refused(ARGS("(is)", 1, ""), ARGS("{si}", "b", 1), "i|si",
                  "argument for function given by name ('b') and "
                  "position (2)");
}

START_TEST(keyword_only_arguments_take_no_position)
{
    check_refused(ARGS("(is)", 1, ""), NULL, "i|$si:f",
                  "f() takes at most 1 positional argument (2 given)");
    check_refused(ARGS("(isi)", 1, "", 2), NULL, "is|$i",
                  "function takes at most 2 positional arguments (3 given)");
    check_refused(ARGS("(isi)", 1, "", 2), NULL, "is$i:f",
                  "f() takes exactly 2 positional arguments (3 given)");
    ck_assert_int_eq(
        parse_keywords(ARGS("(i)", 1), ARGS("{si}", "c", 3), "i|$si:f"), 130);
    check_refused(ARGS("(i)", 1), NULL, "i$si:f",
                  "f() missing required argument 'b' (pos 2)");
}

START_TEST(bad_keyword_arguments_are_numbered)
{
    check_refused(ARGS("()"), ARGS("{sisi}", "a", 1, "b", 2), "is|i:f",
                  "f() argument 2 must be str, not int");
    check_refused(ARGS("()"), ARGS("{ss}", "c", "x"), "|isi:f",
                  "'str' object cannot be interpreted as an integer");
    check_refused(ARGS("(ii)", 1, 2), NULL, "isi;as you like", "as you like");
}

/* Parses f(*args, **kwargs), stealing both; x has no name. */
static int
parse_nameless(PyObject *args, PyObject *kwargs, const char *format)
{
    static const char *const names[] = {"", "y", NULL};
    int x = 0, y = 0;

    int ok = PyArg_ParseTupleAndKeywords(args, kwargs, format, (char **)names,
                                         &x, &y);
    Py_DECREF(args);
    Py_XDECREF(kwargs);
    return ok ? x * 10 + y : -1;
}

START_TEST(empty_names_are_positional_only)
{
    ck_assert_int_eq(
        parse_nameless(ARGS("(i)", 1), ARGS("{si}", "y", 2), "ii:f"), 12);
    suite_failed(parse_nameless(ARGS("()"), NULL, "ii:f"), PyExc_TypeError,
                 "f() takes at least 1 positional argument (0 given)");
    suite_failed(parse_nameless(ARGS("()"), ARGS("{si}", "y", 2), "i$i:f"),
                 PyExc_TypeError,
                 "f() takes exactly 1 positional argument (0 given)");
    suite_failed(parse_nameless(ARGS("(i)", 1), ARGS("{si}", "", 2), "i|i:f"),
                 PyExc_TypeError, "'' is an invalid keyword argument for f()");
    ck_assert_int_eq(parse_nameless(ARGS("()"), NULL, "|i$i:f"), 0);
    suite_failed(parse_nameless(ARGS("(i)", 1), NULL, "$ii:f"),
                 PyExc_SystemError, "Empty parameter name after $");
}

START_TEST(names_and_units_must_match)
{
    static char *gap[] = {(char *)"a", (char *)"", NULL};
    PyObject *empty = PyTuple_New(0), *list = PyList_New(0);
    PyObject *strange = ARGS("{ii}", 1, 1);
    int a, b;

    suite_failed(parse_keywords(ARGS("(is)", 1, ""), NULL, "i|s:f"),
                 PyExc_SystemError,
                 "More keyword list entries (3) than format specifiers (2)");
    suite_failed(parse_keywords(ARGS("(isi)", 1, "", 1), NULL, "i|siO:f"),
                 PyExc_SystemError,
                 "more argument specifiers than keyword list entries "
                 "(remaining format:'O:f')");
    suite_failed(parse_keywords(ARGS("(isi)", 1, "", 1), NULL, "i|s|i:f"),
                 PyExc_SystemError,
                 "Invalid format string (| specified twice)");
    suite_failed(
        parse_keywords(ARGS("(is)", 1, ""), ARGS("{si}", "c", 1), "i|s$|i:f"),
        PyExc_SystemError, NULL);
    suite_rejected(
        PyArg_ParseTupleAndKeywords(empty, NULL, "|ii", gap, &a, &b),
        PyExc_SystemError, "Empty keyword parameter name");
    suite_rejected(PyArg_ParseTupleAndKeywords(list, NULL, "|ii", gap, &a, &b),
                   PyExc_SystemError, NULL);
    suite_rejected(PyArg_ValidateKeywordArguments(strange), PyExc_TypeError,
                   "keywords must be strings");
    suite_drop(empty, list, strange);
}

START_TEST(units_of_all_kinds_are_skipped)
{
    static char *names[] = {
        (char *)"a", (char *)"b", (char *)"c", (char *)"d",    (char *)"e",
        (char *)"f", (char *)"g", (char *)"h", (char *)"last", NULL};
    PyObject *args = PyTuple_New(0), *kwargs = ARGS("{si}", "last", 7);
    PyObject *o = NULL;
    Py_buffer view;
    const char *s = NULL;
    char *e = NULL;
    Py_ssize_t n = -1;
    int i = -1, j = -1, last = -1;
    double d = -1;

    ck_assert_int_eq(PyArg_ParseTupleAndKeywords(
                         args, kwargs, "|s#s*O!O&es#(ii)dpi:f", names, &s, &n,
                         &view, &PyList_Type, &o, hold, &i, "utf-8", &e, &n,
                         &i, &j, &d, &i, &last),
                     1);
    ck_assert_int_eq(last, 7);
    ck_assert_int_eq(i, -1);
    ck_assert_int_eq(n, -1);
    ck_assert_ptr_null(o);
    suite_drop(args, kwargs);
}
