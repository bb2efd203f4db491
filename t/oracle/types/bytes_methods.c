/* bytes_methods.c: the methods of bytes and bytearray.
   Manual: Python's library, "Bytes and Bytearray Operations". */

#include "oracle.h"

static PyTypeObject *type;

/* An object of the type under test. */
static PyObject *
make(const char *data, Py_ssize_t size)
{
    return type == &PyBytes_Type
               ? need(PyBytes_FromStringAndSize(data, size))
               : need(PyByteArray_FromStringAndSize(data, size));
}

/* b"...".NAME(*args) of the data, or with keywords if args are a tuple and a
   dict; the format is Py_BuildValue's. */
static PyObject *
call(const char *data, Py_ssize_t size, const char *name, const char *format,
     ...)
{
    PyObject *op = make(data, size), *method, *made, *args, *kwargs = NULL;
    PyObject *result;
    va_list values;

    method = need(PyObject_GetAttrString(op, name));
    va_start(values, format);
    made = args = need(Py_VaBuildValue(format, values));
    va_end(values);
    if (PyTuple_GET_SIZE(made) == 2 &&
        PyTuple_Check(PyTuple_GET_ITEM(made, 0)) &&
        PyDict_Check(PyTuple_GET_ITEM(made, 1))) {
        args = PyTuple_GET_ITEM(made, 0);
        kwargs = PyTuple_GET_ITEM(made, 1);
    }
    result = PyObject_Call(method, args, kwargs);
    drop_all(made, method, op);
    return result;
}

#define CALL(DATA, NAME, ...)                                                 \
    show(#DATA "." NAME " " #__VA_ARGS__,                                     \
         call(DATA, sizeof(DATA) - 1, NAME, __VA_ARGS__))

static void
splitting(void)
{
    CALL("a,b,,c", "split", "(y)", ",");
    CALL("a,b,,c", "split", "(yi)", ",", 2);
    CALL("a,b,,c", "split", "(yi)", ",", 0);
    CALL("a,b,,c", "rsplit", "(yi)", ",", 1);
    CALL("a,b,,c", "rsplit", "(y)", ",,");
    CALL("", "split", "(y)", ",");
    CALL("", "split", "()");
    CALL("  a b\t\nc  ", "split", "()");
    CALL("  a b\t\nc  ", "split", "(Oi)", Py_None, 1);
    CALL("  a b\t\nc  ", "rsplit", "(Oi)", Py_None, 1);
    CALL("  a b\t\nc  ", "rsplit", "(Oi)", Py_None, 0);
    CALL("  a b\t\nc  ", "split", "(Oi)", Py_None, 0);
    CALL("a b c", "split", "((){si})", "maxsplit", 1);
    CALL("a", "split", "(y)", "");
    CALL("a", "split", "(s)", "a");
    CALL("a", "split", "(i)", 1);
    CALL("a", "split", "((){si})", "foo", 1);
    CALL("a\nb\r\nc\rd\n\ne", "splitlines", "()");
    CALL("a\nb\r\nc\rd\n\ne\r", "splitlines", "(O)", Py_True);
    CALL("", "splitlines", "()");
    CALL("a=b=c", "partition", "(y)", "=");
    CALL("a=b=c", "rpartition", "(y)", "=");
    CALL("a=b=c", "partition", "(y)", "x");
    CALL("a=b=c", "rpartition", "(y)", "x");
    CALL("a", "partition", "(y)", "");
    CALL("a", "partition", "(s)", "");
    CALL("", "partition", "(y)", "x");
}

static void
stripping(void)
{
    CALL(" \t a b \n\v", "strip", "()");
    CALL(" \t a b \n\v", "lstrip", "()");
    CALL(" \t a b \n\v", "rstrip", "(O)", Py_None);
    CALL("xxayxx", "strip", "(y)", "xy");
    CALL("xxayxx", "lstrip", "(y)", "xy");
    CALL("xxayxx", "rstrip", "(y)", "xy");
    CALL("xx", "strip", "(y)", "x");
    CALL("xx", "strip", "(y)", "");
    CALL("xx", "strip", "(s)", "x");
    CALL("xx", "strip", "(ii)", 1, 2);
    CALL("prefix", "removeprefix", "(y)", "pre");
    CALL("prefix", "removeprefix", "(y)", "fix");
    CALL("prefix", "removesuffix", "(y)", "fix");
    CALL("prefix", "removesuffix", "(y)", "");
    CALL("prefix", "removesuffix", "(s)", "x");
}

static void
searching(void)
{
    CALL("abcabc", "find", "(y)", "c");
    CALL("abcabc", "rfind", "(y)", "c");
    CALL("abcabc", "rfind", "(yii)", "c", 0, 5);
    CALL("abcabc", "rfind", "(i)", 'a');
    CALL("abcabc", "rfind", "(y)", "");
    CALL("abcabc", "find", "(yi)", "", 9);
    CALL("abcabc", "index", "(y)", "ca");
    CALL("abcabc", "index", "(y)", "x");
    CALL("abcabc", "rindex", "(i)", 'b');
    CALL("abcabc", "rindex", "(i)", 'x');
    CALL("abcabc", "rindex", "(i)", 300);
    CALL("abcabc", "index", "(s)", "x");
    CALL("abcabc", "count", "(y)", "bc");
    CALL("abcabc", "count", "(y)", "");
    CALL("abcabc", "count", "(yii)", "", 2, 4);
    CALL("abcabc", "count", "(yi)", "", 9);
    CALL("aaaa", "count", "(y)", "aa");
    CALL("abcabc", "count", "(s)", "x");
    CALL("abcabc", "count", "()");
    CALL("abc", "startswith", "((yy))", "x", "ab");
    CALL("abc", "endswith", "(y)", "bc");
    CALL("abc", "startswith", "(yi)", "", 9);
    CALL("abc", "startswith", "(si)", "x", 9);
    CALL("abc", "endswith", "((ys)i)", "x", "c", 9);
}

static void
changing(void)
{
    CALL("abcabc", "replace", "(yy)", "b", "xx");
    CALL("abcabc", "replace", "(yyi)", "b", "xx", 1);
    CALL("abcabc", "replace", "(yyi)", "b", "xx", 0);
    CALL("abcabc", "replace", "(yy)", "abc", "");
    CALL("ab", "replace", "(yy)", "", "-");
    CALL("ab", "replace", "(yyi)", "", "-", 2);
    CALL("", "replace", "(yy)", "", "-");
    CALL("ab", "replace", "(sy)", "a", "-");
    CALL("ab", "replace", "(ys)", "a", "-");
    CALL("ab", "replace", "(y)", "a");
    CALL("", "maketrans", "(yy)", "ab", "b");
    CALL("", "maketrans", "(ys)", "ab", "b");
    PyObject *table = need(call("", 0, "maketrans", "(yy)", "ab", "xy"));
    say("table of %zd, %s", PyObject_Size(table), Py_TYPE(table)->tp_name);
    CALL("abcab", "translate", "(O)", table);
    CALL("abcab", "translate", "(Oy)", table, "c");
    CALL("abcab", "translate", "(Oy)", Py_None, "b");
    CALL("abcab", "translate", "((O){sy})", Py_None, "delete", "a");
    CALL("abcab", "translate", "(y)", "short");
    CALL("abcab", "translate", "(s)", "short");
    CALL("abcab", "translate", "(Os)", table, "a");
    Py_DECREF(table);
    CALL("hello World", "upper", "()");
    CALL("hello World", "lower", "()");
    CALL("hello World", "title", "()");
    CALL("hELLO wORLD", "capitalize", "()");
    CALL("hello World\351", "swapcase", "()");
    CALL("they're b2b", "title", "()");
}

static void
asking(void)
{
    static const char *const names[] = {"isalnum", "isalpha", "isascii",
                                        "isdigit", "islower", "isspace",
                                        "istitle", "isupper"};
    static const char *const data[] = {"",    "a",   "A",     "1",    " \n",
                                       "a1",  "A b", "Ab Cd", "\351", "a-b",
                                       "1a ", "AB",  "A1b"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        char line[100] = "";
        for (size_t j = 0; j < Py_ARRAY_LENGTH(data); j++) {
            PyObject *answer = need(
                call(data[j], (Py_ssize_t)strlen(data[j]), names[i], "()"));
            strcat(line, answer == Py_True ? " 1" : " 0");
            Py_DECREF(answer);
        }
        say("%s:%s", names[i], line);
    }
    CALL("a", "isalnum", "(i)", 1);
}

static void
padding(void)
{
    CALL("ab", "center", "(i)", 5);
    CALL("abc", "center", "(iy)", 6, "*");
    CALL("ab", "center", "(iy)", 7, "*");
    CALL("ab", "ljust", "(i)", 4);
    CALL("ab", "rjust", "(iy)", 4, ".");
    CALL("ab", "rjust", "(i)", -4);
    CALL("ab", "center", "(is)", 5, "x");
    CALL("ab", "center", "(iy)", 5, "xx");
    CALL("ab", "ljust", "(s)", "x");
    CALL("ab", "ljust", "()");
    CALL("ab", "rjust", "(iyi)", 1, "x", 3);
    CALL("-12", "zfill", "(i)", 6);
    CALL("+12", "zfill", "(i)", 2);
    CALL("12", "zfill", "(i)", 5);
    CALL("", "zfill", "(i)", 2);
    CALL("a", "zfill", "(s)", "x");
    CALL("a\tb\n\tc", "expandtabs", "()");
    CALL("a\tb", "expandtabs", "(i)", 4);
    CALL("a\tb", "expandtabs", "((){si})", "tabsize", 0);
    CALL("a\tb", "expandtabs", "(s)", "x");
}

static void
hexadecimal(void)
{
    CALL("\001\253\377", "hex", "()");
    CALL("\001\253\377", "hex", "(s)", "-");
    CALL("\001\253\377", "hex", "(si)", ":", 2);
    CALL("\001\253\377", "hex", "(yi)", ":", -2);
    CALL("\001\253\377", "hex", "(si)", ":", 0);
    CALL("\001\253\377", "hex", "((){si})", "bytes_per_sep", 1);
    CALL("\001", "hex", "(s)", "--");
    CALL("\001", "hex", "(s)", "\303\251");
    CALL("\001", "hex", "(i)", 1);
    CALL("\001", "hex", "([i])", 1);
    CALL("", "fromhex", "(s)", "01 aB\tfF");
    CALL("", "fromhex", "(s)", "");
    CALL("", "fromhex", "(s)", "0g");
    CALL("", "fromhex", "(s)", "abc");
    CALL("", "fromhex", "(s)", "a b");
    CALL("", "fromhex", "(s)", "\303\2510");
    CALL("", "fromhex", "(i)", 1);
    CALL("-", "join", "((yyy))", "a", "b", "c");
    CALL("-", "join", "((yi))", "a", 1);
    CALL("-", "join", "(i)", 1);
    CALL("a\351", "decode", "(s)", "latin-1");
}

static void
array_alone(void)
{
    PyObject *array = make("abcb", 4);

    SHOW(PyObject_CallMethod(array, "remove", "i", 'b'));
    show_kept("array", array);
    SHOW(PyObject_CallMethod(array, "remove", "i", 'x'));
    SHOW(PyObject_CallMethod(array, "remove", "i", 256));
    SHOW(PyObject_CallMethod(array, "reverse", NULL));
    show_kept("array", array);
    Py_DECREF(array);
}

static PyObject *
raise(PyObject *self, PyObject *none)
{
    return PyErr_Format(PyExc_KeyError, "no index");
}

static PyMethodDef raise_def = {"__index__", raise, METH_NOARGS, NULL};

/* An __index__ that raises is passed over by "in", not by methods. */
static void
bad_index(void)
{
    PyObject *method = need(PyDescr_NewMethod(&PyBaseObject_Type, &raise_def));
    PyObject *cls =
        call_type(&PyType_Type, "s(){sO}", "I", "__index__", method);
    PyObject *index = need(PyObject_CallNoArgs(cls)), *op = make("abc", 3);
    PyObject *b = PyLong_FromLong('b'), *much = PyLong_FromLong(256);

    RESULT(PySequence_Contains(op, index));
    RESULT(PySequence_Contains(op, b));
    RESULT(PySequence_Contains(op, much));
    RESULT(PySequence_Contains(op, op));
    RESULT(PySequence_Contains(op, Py_None));
    SHOW(PyObject_CallMethod(op, "find", "O", index));
    drop_all(method, cls, index, op, b, much);
}

/* Numbers that are no int of C. */
static void
too_large(void)
{
    PyObject *large =
        need(PyLong_FromString("1000000000000000000000", NULL, 10));

    SHOW(PyObject_CallFunction((PyObject *)type, "L", PY_SSIZE_T_MAX));
    SHOW(PyObject_CallFunction((PyObject *)type, "O", large));
    CALL("a\tb", "expandtabs", "(O)", large);
    CALL("a\tb", "expandtabs", "(L)", 1LL << 40);
    CALL("a\tb", "expandtabs", "(d)", 1.5);
    CALL("a\tb", "hex", "(sO)", "-", large);
    Py_DECREF(large);
}

void
oracle_program(void)
{
    PyTypeObject *types[] = {&PyBytes_Type, &PyByteArray_Type};

    for (int i = 0; i < 2; i++) {
        type = types[i];
        say("%s", type->tp_name);
        splitting();
        stripping();
        searching();
        changing();
        asking();
        padding();
        hexadecimal();
        bad_index();
        too_large();
    }
    array_alone();
}
