/* args_tuple.c: PyArg_ParseTuple: every unit with good and bad arguments, how
   many there may be, nested tuples, the texts.
   Manual: "Parsing arguments and building values". */

#include "oracle.h"

/* Room for whatever a unit stores. */
static long long room[4];

static void
parse(const char *format, PyObject *args)
{
    char label[200];
    PyObject *repr;

    memset(room, 0, sizeof room);
    repr = need(PyObject_Repr(args));
    snprintf(label, sizeof label, "\"%s\" of %s", format,
             PyUnicode_AsUTF8(repr));
    result(label, PyArg_ParseTuple(args, format, &room[0], &room[1], &room[2],
                                   &room[3]));
    drop_all(repr, args);
}

static void
each(const char *format, const char *const *values)
{
    for (; *values != NULL; values++) {
        PyObject *args = NULL;

        if (strcmp(*values, "7") == 0)
            args = Py_BuildValue("(i)", 7);
        else if (strcmp(*values, "-1") == 0)
            args = Py_BuildValue("(i)", -1);
        else if (strcmp(*values, "300") == 0)
            args = Py_BuildValue("(i)", 300);
        else if (strcmp(*values, "big") == 0)
            args = Py_BuildValue("(L)", 1LL << 40);
        else if (strcmp(*values, "2.5") == 0)
            args = Py_BuildValue("(d)", 2.5);
        else if (strcmp(*values, "None") == 0)
            args = Py_BuildValue("(O)", Py_None);
        else if (strcmp(*values, "NUL") == 0)
            args = Py_BuildValue("(s#)", "a\0b", (Py_ssize_t)3);
        else if (strcmp(*values, "bytes") == 0)
            args = Py_BuildValue("(y)", "by");
        else
            args = Py_BuildValue("(s)", *values);
        parse(format, need(args));
    }
}

static void
units(void)
{
    static const char *const integers[] = {"7",   "-1",   "300",  "big",
                                           "2.5", "None", "text", NULL};
    static const char *const texts[] = {"text", "",  "NUL", "bytes",
                                        "None", "7", NULL};
    static const char *const number_units[] = {
        "b", "B", "h", "H", "i", "I", "l", "k", "L", "K", "n", "f", "d", "p"};
    static const char *const text_units[] = {"s",  "z",  "y", "U", "S", "s#",
                                             "z#", "y#", "C", "c", "Y"};

    for (size_t i = 0; i < sizeof number_units / sizeof number_units[0]; i++)
        each(number_units[i], integers);
    for (size_t i = 0; i < sizeof text_units / sizeof text_units[0]; i++)
        each(text_units[i], texts);
}

static void
counts(void)
{
    parse("", Py_BuildValue("()"));
    parse("", Py_BuildValue("(i)", 1));
    parse(":name", Py_BuildValue("(i)", 1));
    parse("i", Py_BuildValue("()"));
    parse("i:name", Py_BuildValue("()"));
    parse("ii:name", Py_BuildValue("(i)", 1));
    parse("i|i:name", Py_BuildValue("(iii)", 1, 2, 3));
    parse("i|i:name", Py_BuildValue("()"));
    parse("|ii:name", Py_BuildValue("(iii)", 1, 2, 3));
    parse("ii;do not do that", Py_BuildValue("(i)", 1));
    parse("(ii)i:name", Py_BuildValue("((ii)i)", 1, 2, 3));
    parse("(ii)i:name", Py_BuildValue("((i)i)", 1, 2));
    parse("(ii)i:name", Py_BuildValue("(ii)", 1, 2));
    parse("i(is):name", Py_BuildValue("(i(ii))", 1, 2, 3));
    parse("is:name", Py_BuildValue("(ii)", 1, 2));
    parse("is", Py_BuildValue("(ii)", 1, 2));
    parse("s;own text", Py_BuildValue("(i)", 1));
}

static void
unpack(PyObject *args)
{
    PyObject *a = NULL, *b = NULL;

    RESULT(PyArg_UnpackTuple(args, "name", 1, 2, &a, &b));
    RESULT(PyArg_UnpackTuple(args, "name", 0, 0));
    RESULT(PyArg_UnpackTuple(args, "name", 4, 4, &a, &b, &a, &b));
    RESULT(PyArg_UnpackTuple(args, "name", 4, 5, &a, &b, &a, &b, &a));
    RESULT(PyArg_UnpackTuple(args, NULL, 4, 5, &a, &b, &a, &b, &a));
    RESULT(PyArg_UnpackTuple(args, "name", 2, 3, &a, &b, &a));
    Py_DECREF(args);
}

static int
converter(PyObject *op, void *where)
{
    if (op == Py_None)
        return PyErr_Format(PyExc_ValueError, "the converter says no"), 0;
    *(int *)where = 1;
    return 1;
}

static void
objects(PyObject *list)
{
    PyObject *op = NULL;
    int done = 0;

    RESULT(PyArg_ParseTuple(need(Py_BuildValue("(O)", list)), "O!",
                            &PyList_Type, &op));
    RESULT(PyArg_ParseTuple(need(Py_BuildValue("(i)", 1)), "O!", &PyList_Type,
                            &op));
    RESULT(PyArg_ParseTuple(need(Py_BuildValue("(i)", 1)), "O!:f",
                            &PyList_Type, &op));
    RESULT(PyArg_ParseTuple(need(Py_BuildValue("(i)", 1)), "O&", converter,
                            &done));
    RESULT(PyArg_ParseTuple(need(Py_BuildValue("(O)", Py_None)), "O&",
                            converter, &done));
    RESULT(PyArg_ParseTuple(list, "O", &op));
    RESULT(PyArg_Parse(list, "O", &op));
    RESULT(PyArg_Parse(list, "i", &done));
}

void
oracle_program(void)
{
    PyObject *list = PyList_New(0);

    units();
    counts();
    unpack(need(Py_BuildValue("(ii)", 1, 2)));
    unpack(need(Py_BuildValue("(iii)", 1, 2, 3)));
    objects(list);
    Py_DECREF(list);
}
