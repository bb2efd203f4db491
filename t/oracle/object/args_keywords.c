/* args_keywords.c: PyArg_ParseTupleAndKeywords: positional only, keyword only,
   missing, twice, unknown; PyArg_ValidateKeywordArguments.
   Manual: "Parsing arguments and building values". */

#include "oracle.h"

static void
parse(const char *format, char **names, PyObject *args, PyObject *kwargs)
{
    PyObject *got[3] = {NULL, NULL, NULL};
    PyObject *args_repr = need(PyObject_Repr(args));
    PyObject *repr = kwargs != NULL ? need(PyObject_Repr(kwargs))
                                    : PyUnicode_FromString("");
    char label[200];

    snprintf(label, sizeof label, "%s %s%s", format,
             PyUnicode_AsUTF8(args_repr), PyUnicode_AsUTF8(repr));
    result(label, PyArg_ParseTupleAndKeywords(args, kwargs, format, names,
                                              &got[0], &got[1], &got[2]));
    for (int i = 0; i < 3; i++)
        if (got[i] != NULL)
            show_kept("    got", got[i]);
    Py_DECREF(args);
    Py_XDECREF(kwargs);
    drop_all(args_repr, repr);
}

#define ARGS(...) need(Py_BuildValue(__VA_ARGS__))

static void
three(void)
{
    static char *names[] = {"a", "b", "c", NULL};
    static char *first_only[] = {"", "b", "c", NULL};
    static char *two[] = {"a", "b", NULL};

    parse("OOO:f", names, ARGS("(iii)", 1, 2, 3), NULL);
    parse("OOO:f", names, ARGS("(i)", 1), ARGS("{sisi}", "c", 3, "b", 2));
    parse("O|OO:f", names, ARGS("(i)", 1), ARGS("{si}", "c", 3));
    parse("OOO:f", names, ARGS("(ii)", 1, 2), NULL);
    parse("OOO", names, ARGS("(i)", 1), NULL);
    parse("O|OO:f", names, ARGS("()"), NULL);
    parse("O|OO:f", names, ARGS("(iiii)", 1, 2, 3, 4), NULL);
    parse("OOO:f", names, ARGS("(iiii)", 1, 2, 3, 4), NULL);
    parse("O|OO:f", names, ARGS("(i)", 1), ARGS("{si}", "a", 3));
    parse("O|OO:f", names, ARGS("(i)", 1), ARGS("{si}", "d", 3));
    parse("O|OO", names, ARGS("(i)", 1), ARGS("{si}", "d", 3));
    parse("O|OO:f", names, ARGS("(i)", 1), ARGS("{ii}", 5, 3));
    parse("O|O$O:f", names, ARGS("(iii)", 1, 2, 3), NULL);
    parse("O|O$O:f", names, ARGS("(i)", 1), ARGS("{si}", "c", 3));
    parse("O$OO:f", names, ARGS("(i)", 1), ARGS("{si}", "c", 3));
    parse("O|OO:f", first_only, ARGS("()"), ARGS("{si}", "b", 3));
    parse("O|OO:f", first_only, ARGS("(i)", 1), ARGS("{si}", "", 3));
    parse("|OOO:f", names, ARGS("(iii)", 1, 2, 3), ARGS("{si}", "c", 3));
    parse("|OOO:f", names, ARGS("(iiii)", 1, 2, 3, 4), ARGS("{si}", "c", 3));
    parse("OOO:f", two, ARGS("(ii)", 1, 2), NULL);
    parse("O:f", two, ARGS("(i)", 1), NULL);
    parse("O|OO;own text", names, ARGS("()"), NULL);
    parse("|OOO:f", names, ARGS("()"), NULL);
}

static void
typed(void)
{
    static char *names[] = {"a", "b", NULL};
    PyObject *args = ARGS("(is)", 1, "two"), *number = NULL;
    long a = 0, b = 0;

    RESULT(PyArg_ParseTupleAndKeywords(args, NULL, "ll:f", names, &a, &b));
    RESULT(PyArg_ParseTupleAndKeywords(args, NULL, "O!O:f", names,
                                       &PyList_Type, &number, &number));
    RESULT(a);
    Py_DECREF(args);
}

static void
validate(void)
{
    PyObject *good = ARGS("{si}", "a", 1), *bad = ARGS("{ii}", 1, 1);

    RESULT(PyArg_ValidateKeywordArguments(good));
    RESULT(PyArg_ValidateKeywordArguments(bad));
    RESULT(PyArg_ValidateKeywordArguments(Py_None));
    drop_all(good, bad);
}

void
oracle_program(void)
{
    three();
    typed();
    validate();
}
