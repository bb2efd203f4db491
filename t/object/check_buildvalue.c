/* check_buildvalue.c: every unit of Py_BuildValue, and what owns what. */

#define PY_SSIZE_T_CLEAN
#include "../support/suite.h"

#include <limits.h>
#include <string.h>

START_TEST(number_of_units_decides_the_shape)
{
    suite_new_same(Py_BuildValue(""), Py_None);
    suite_new_repr(Py_BuildValue("i", 1), "1");
    suite_new_repr(Py_BuildValue("ii", 1, 2), "(1, 2)");
    suite_new_repr(Py_BuildValue("(i)", 1), "(1,)");
    suite_new_repr(Py_BuildValue("()"), "()");
    suite_new_repr(Py_BuildValue("[]"), "[]");
    suite_new_repr(Py_BuildValue("{}"), "{}");
    suite_new_repr(Py_BuildValue("()[]"), "((), [])");
}

START_TEST(integers_cover_their_types)
{
    suite_new_repr(Py_BuildValue("bbB", -128, 127, 255), "(-128, 127, 255)");
    suite_new_repr(Py_BuildValue("hhH", SHRT_MIN, SHRT_MAX, USHRT_MAX),
                   "(-32768, 32767, 65535)");
    suite_new_repr(Py_BuildValue("iiI", INT_MIN, INT_MAX, UINT_MAX),
                   "(-2147483648, 2147483647, 4294967295)");
    suite_new_repr(Py_BuildValue("lk", LONG_MIN, ULONG_MAX),
                   "(-9223372036854775808, 18446744073709551615)");
    suite_new_repr(Py_BuildValue("LK", LLONG_MIN, ULLONG_MAX),
                   "(-9223372036854775808, 18446744073709551615)");
    suite_new_repr(Py_BuildValue("nn", PY_SSIZE_T_MIN, PY_SSIZE_T_MAX),
                   "(-9223372036854775808, 9223372036854775807)");
}

START_TEST(floats_and_complex_numbers)
{
    Py_complex c = {1, -2};

    suite_new_repr(Py_BuildValue("df", 0.5, -1.5), "(0.5, -1.5)");
    suite_new_repr(Py_BuildValue("D", &c), "(1-2j)");
}

START_TEST(characters)
{
    suite_new_repr(Py_BuildValue("c", 'x'), "b'x'");
    suite_new_repr(Py_BuildValue("c", 0), "b'\\x00'");
    suite_new_repr(Py_BuildValue("C", 'x'), "'x'");
    suite_new_repr(Py_BuildValue("C", 0x20ac), "'\xe2\x82\xac'");
    suite_refused(Py_BuildValue("C", 0x110000), PyExc_ValueError,
                  "chr() arg not in range(0x110000)");
}

START_TEST(strings_with_and_without_length)
{
    const char *null = NULL;

    suite_new_repr(Py_BuildValue("szU", "a", "b", "c"), "('a', 'b', 'c')");
    suite_new_repr(Py_BuildValue("szUy", null, null, null, null),
                   "(None, None, None, None)");
    suite_new_repr(Py_BuildValue("s#z#U#", "abc", (Py_ssize_t)2, "d\0e",
                                 (Py_ssize_t)3, "", (Py_ssize_t)0),
                   "('ab', 'd\\x00e', '')");
    suite_new_repr(
        Py_BuildValue("s#y#", null, (Py_ssize_t)5, null, (Py_ssize_t)5),
        "(None, None)");
    suite_new_repr(Py_BuildValue("yy#", "ab", "c\0d", (Py_ssize_t)3),
                   "(b'ab', b'c\\x00d')");
    suite_new_repr(
        Py_BuildValue("s#y#", "ab", (Py_ssize_t)-1, "cd", (Py_ssize_t)-1),
        "('ab', b'cd')");
    suite_refused(Py_BuildValue("s", "\xff"), PyExc_UnicodeDecodeError, NULL);
}

START_TEST(wide_strings)
{
    const wchar_t *null = NULL;

    suite_new_repr(Py_BuildValue("u", L"wide"), "'wide'");
    suite_new_repr(Py_BuildValue("u#u", L"wide", (Py_ssize_t)2, null),
                   "('wi', None)");
}

START_TEST(separators_are_ignored)
{
    suite_new_repr(Py_BuildValue("i, i\ti:i", 1, 2, 3, 4), "(1, 2, 3, 4)");
    suite_new_repr(Py_BuildValue("{s:i, s:[i, i]}", "a", 1, "b", 2, 3),
                   "{'a': 1, 'b': [2, 3]}");
    suite_new_repr(Py_BuildValue(" i", 1), "1");
}

START_TEST(containers_nest)
{
    suite_new_repr(Py_BuildValue("((i)[i{si}]())", 1, 2, "k", 3),
                   "((1,), [2, {'k': 3}], ())");
    suite_new_repr(Py_BuildValue("{(ii)()}", 1, 2), "{(1, 2): ()}");
}

START_TEST(objects_are_shared_by_O_and_stolen_by_N)
{
    PyObject *op = PyList_New(0);
    PyObject *pair = Py_BuildValue("(OS)", op, op);

    ck_assert_int_eq(Py_REFCNT(op), 3);
    Py_DECREF(pair);
    ck_assert_int_eq(Py_REFCNT(op), 1);

    pair = Py_BuildValue("N", Py_NewRef(op));
    ck_assert_ptr_eq(pair, op);
    ck_assert_int_eq(Py_REFCNT(op), 2);
    suite_drop(pair, op);
}

static PyObject *
make_int(void *address)
{
    return PyLong_FromLong(*(int *)address);
}

static PyObject *
make_nothing(void *Py_UNUSED(address))
{
    PyErr_SetString(PyExc_KeyError, "nothing");
    return NULL;
}

START_TEST(converters_are_called)
{
    int value = 5;

    suite_new_repr(Py_BuildValue("(O&N&)", make_int, &value, make_int, &value),
                   "(5, 5)");
    suite_refused(Py_BuildValue("(iO&)", 1, make_nothing, &value),
                  PyExc_KeyError, "'nothing'");
}

START_TEST(a_null_object_is_an_error)
{
    PyObject *null = NULL;

    suite_refused(Py_BuildValue("O", null), PyExc_SystemError,
                  "NULL object passed to Py_BuildValue");
    suite_refused(Py_BuildValue("(iN)", 1, null), PyExc_SystemError,
                  "NULL object passed to Py_BuildValue");
    PyErr_SetString(PyExc_ValueError, "the cause");
    suite_refused(Py_BuildValue("(iO)", 1, null), PyExc_ValueError,
                  "the cause");
}

/* A failure must give up every N, wherever it stands. */
START_TEST(stolen_objects_are_released_on_failure)
{
    static const char *const formats[] = {
        "NON", "(NON)", "[NON]", "(N(O)N)", "{NO()N}", "{NON}", "[N[O]N]",
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(formats); i++) {
        PyObject *op = PyList_New(0), *null = NULL;
        Py_INCREF(op);
        Py_INCREF(op);
        ck_assert_ptr_null(Py_BuildValue(formats[i], op, null, op));
        ck_assert_ptr_nonnull(PyErr_Occurred());
        PyErr_Clear();
        ck_assert_msg(Py_REFCNT(op) == 1, "format %s leaks", formats[i]);
        Py_DECREF(op);
    }
}

START_TEST(unhashable_keys_are_refused)
{
    PyObject *op = PyList_New(0);

    suite_refused(Py_BuildValue("{[]N}", Py_NewRef(op)), PyExc_TypeError,
                  NULL);
    ck_assert_int_eq(Py_REFCNT(op), 1);
    Py_DECREF(op);
}

START_TEST(a_pending_exception_does_no_harm)
{
    PyErr_SetString(PyExc_ValueError, "earlier");
    PyObject *pair = Py_BuildValue("(i[i])", 1, 2);
    suite_exception(PyExc_ValueError, "earlier");
    suite_new_repr(pair, "(1, [2])");
}

START_TEST(bad_formats_are_refused)
{
    static const struct {
        const char *format, *text;
    } cases[] = {
        {"(i", "unmatched paren in format"},
        {"i(", "unmatched paren in format"},
        {"ii)", "Unmatched paren in format"},
        {"{i}", "Bad dict format"},
        {"x", "bad format char passed to Py_BuildValue"},
        {"(ix)", "bad format char passed to Py_BuildValue"},
    };

    for (size_t i = 0; i < Py_ARRAY_LENGTH(cases); i++) {
        suite_refused(Py_BuildValue(cases[i].format, 1, 2, 3),
                      PyExc_SystemError, cases[i].text);
    }
}

static PyObject *
build(const char *format, ...)
{
    va_list va;

    va_start(va, format);
    PyObject *result = Py_VaBuildValue(format, va);
    va_end(va);
    return result;
}

START_TEST(va_build_value_takes_a_list_of_values)
{
    suite_new_repr(build("(is)", 1, "two"), "(1, 'two')");
}

START_TEST(truth_values)
{
    suite_new_repr(Py_BuildValue("pp", 5, 0), "(True, False)");
}
