/* percent.c: the % operator of str, bytes and bytearray.  Manual:
   PyUnicode_Format; "printf-style String Formatting", "printf-style Bytes
   Formatting". */

#include "oracle.h"

/* format % args, args given up, for all three types. */
static void
bytes_and_bytearray(const char *format, PyObject *args)
{
    PyObject *bytes = need(PyBytes_FromString(format));
    PyObject *array = need(PyByteArray_FromObject(bytes));

    show("bytes", PyNumber_Remainder(bytes, args));
    show("bytearray", PyNumber_Remainder(array, args));
    drop_all(bytes, array, args);
}

static void
all_types(const char *format, PyObject *args)
{
    PyObject *str = need(PyUnicode_FromString(format));

    say("%s", format);
    show("str", PyUnicode_Format(str, args));
    Py_DECREF(str);
    bytes_and_bytearray(format, args);
}

/* Each kind of argument for each letter. */
static void
letters(void)
{
    static const char text[] = "bsracduoxXeEfFgGy%";
    PyObject *args[] = {
        PyLong_FromLong(65),
        PyLong_FromLong(-1),
        PyLong_FromLong(256),
        PyFloat_FromDouble(-1.5),
        PyFloat_FromDouble(Py_HUGE_VAL),
        PyUnicode_FromString("ab"),
        PyUnicode_FromString("\u00e9"),
        PyBytes_FromString("ab"),
        PyBytes_FromString("\xe9"),
        PyByteArray_FromStringAndSize("cd", 2),
        PyByteArray_FromStringAndSize("c", 1),
        Py_NewRef(Py_True),
        Py_NewRef(Py_None),
        PyTuple_New(0),
        PyDict_New(),
        PyList_New(1),
    };
    static const char *const parts[] = {"%",     "%7",  "%-7",
                                        "%07.2", "%#+", "% ."};

    PyList_SetItem(args[Py_ARRAY_LENGTH(args) - 1], 0, PyLong_FromLong(1));
    for (size_t i = 0; i < Py_ARRAY_LENGTH(args); i++) {
        for (const char *letter = text; *letter != '\0'; letter++)
            for (size_t k = 0; k < Py_ARRAY_LENGTH(parts); k++) {
                char format[16];
                snprintf(format, sizeof format, "%s%c|", parts[k], *letter);
                all_types(format, PyTuple_Pack(1, args[i]));
            }
        Py_DECREF(args[i]);
    }
}

static void
arguments(void)
{
    all_types("", PyTuple_New(0));
    all_types("100%%", PyTuple_New(0));
    all_types("%%%d%%", Py_BuildValue("i", 1));
    all_types("%10%", PyTuple_New(0));
    all_types("%10%", Py_BuildValue("i", 1));
    all_types("%-%", PyTuple_New(0));
    all_types("%d", PyTuple_New(0));
    all_types("%d", Py_BuildValue("(ii)", 1, 2));
    all_types("%d %d", Py_BuildValue("i", 1));
    all_types("", Py_BuildValue("(i)", 1));
    all_types("", PyDict_New());
    all_types("", Py_BuildValue("[i]", 1));
    all_types("", Py_BuildValue("y", "a"));
    all_types("", Py_BuildValue("s", "a"));
    all_types("", PyByteArray_FromStringAndSize("a", 1));
    all_types("%*d|%-*d|%*d", Py_BuildValue("(iiiiii)", 5, 1, 5, 2, -5, 3));
    all_types("%.*f %.*f", Py_BuildValue("(idid)", 2, 1.5, -2, 1.5));
    all_types("%*d", Py_BuildValue("(si)", "a", 1));
    all_types("%*d", Py_BuildValue("(Ni)",
                                   PyLong_FromString("1000000000000000"
                                                     "0000000000",
                                                     NULL, 10),
                                   1));
    all_types("%.*d", Py_BuildValue("(Li)", 1LL << 40, 1));
    all_types("%.*d", Py_BuildValue("(Li)", -(1LL << 40), 1));
    all_types("%99999999999999999999d", Py_BuildValue("i", 1));
    all_types("%.99999999999999999999d", Py_BuildValue("i", 1));
    all_types("%.2147483648f", Py_BuildValue("d", 1.0));
    all_types("%i %hi", Py_BuildValue("(ii)", 1, -2));
    all_types("%ld %hd %Ld", Py_BuildValue("(iii)", 1, 2, 3));
    all_types("%lld", Py_BuildValue("i", 1));
    all_types("%", PyTuple_New(0));
    all_types("%5", Py_BuildValue("i", 1));
    all_types("%.", Py_BuildValue("i", 1));
    all_types("%l", Py_BuildValue("i", 1));
    all_types("ab%y", Py_BuildValue("i", 1));
    all_types("\u00e9%d%s\u00e9", Py_BuildValue("(iy)", 1, "\xff"));
}

static void
keys(void)
{
    static const char *const formats[] = {
        "%(a)d", "%(a)d %(a(b))s", "%(b)d",  "%(a)d %d",
        "%(a",   "%(a)5",          "%(a)%",  "%d",
        "%()s",  "%(a)*d",         "%*(a)d",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(formats); i++) {
        PyObject *str = need(PyUnicode_FromString(formats[i]));
        PyObject *dict =
            need(Py_BuildValue("{s:i,s:s,s:i}", "a", 1, "a(b)", "two", "", 3));
        say("%s", formats[i]);
        show("str", PyUnicode_Format(str, dict));
        drop_all(str, dict);
        bytes_and_bytearray(formats[i],
                            need(Py_BuildValue("{y:i,y:y,y:i}", "a", 1, "a(b)",
                                               "two", "", 3)));
    }
    all_types("%(a)d", Py_BuildValue("(i)", 1));
    all_types("%(a)d", Py_BuildValue("y", "a"));
}

static PyObject *
bytes_of_self(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return PyBytes_FromString("made by __bytes__");
}

static PyObject *
str_of_self(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return PyUnicode_FromString("no bytes");
}

static void
bytes_methods(PyCFunction function)
{
    PyMethodDef methods[] = {{"__bytes__", function, METH_NOARGS, NULL},
                             {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, NULL}};
    PyType_Spec spec = {"m.WithBytes", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT,
                        slots};
    PyObject *type = need(PyType_FromSpec(&spec));

    bytes_and_bytearray("%b %.3s",
                        Py_BuildValue("(NN)", PyObject_CallNoArgs(type),
                                      PyObject_CallNoArgs(type)));
    Py_DECREF(type);
}

void
oracle_program(void)
{
    letters();
    arguments();
    keys();
    bytes_methods(bytes_of_self);
    bytes_methods(str_of_self);
    PyObject *format = need(PyBytes_FromString("%d"));
    SHOW(PyNumber_Remainder(Py_True, format));
    Py_DECREF(format);
}
