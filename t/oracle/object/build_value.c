/* build_value.c: Py_BuildValue: each unit, nesting, where references go, and
   what is wrong.
   Manual: "Parsing arguments and building values". */

#include "oracle.h"

static PyObject *
fails(void *p)
{
    return PyErr_Format(PyExc_KeyError, "the converter: %s", p);
}

static PyObject *
converts(void *p)
{
    return PyUnicode_FromFormat("<%s>", p);
}

static void
units(void)
{
    PyObject *truth;

    SHOW(Py_BuildValue(""));
    SHOW(Py_BuildValue("i", 7));
    SHOW(Py_BuildValue("ii", 7, 8));
    SHOW(Py_BuildValue("()"));
    SHOW(Py_BuildValue("(i)", 7));
    SHOW(Py_BuildValue("bBhHiIlkLKn", 1, 2, -3, 4, -5, 6u, -7L, 8UL, -9LL,
                       10ULL, (Py_ssize_t)-11));
    SHOW(Py_BuildValue("fd", 0.5, 1e300));
    SHOW(Py_BuildValue("cC", 'x', 0xe9));
    SHOW(Py_BuildValue("szyU", "s", "z", "y", "U"));
    SHOW(Py_BuildValue("zs", NULL, NULL));
    SHOW(Py_BuildValue("s#y#", "a\0b", (Py_ssize_t)3, "c\0", (Py_ssize_t)2));
    SHOW(Py_BuildValue("u", L"wide"));
    SHOW(Py_BuildValue("s", "bad \xff"));
    truth = Py_BuildValue("p", 1);
    differs("'p' is a unit of Py_BuildValue since 3.14", "no exception",
            "SystemError: bad format char passed to Py_BuildValue",
            error_text());
    Py_XDECREF(truth);
}

static void
nested(void)
{
    SHOW(Py_BuildValue("[i,(s:i){si}]", 1, "a", 2, "k", 3));
    SHOW(Py_BuildValue("{s:{s:[]}, i:()}", "a", "b", 1));
    SHOW(Py_BuildValue("[]"));
    SHOW(Py_BuildValue("{}"));
    SHOW(Py_BuildValue("((((i))))", 1));
    SHOW(Py_BuildValue("{[]i}", 1));
    SHOW(Py_BuildValue("O&", converts, "x"));
    SHOW(Py_BuildValue("[iO&i]", 1, fails, "x", 2));
}

static void
references(void)
{
    PyObject *list = PyList_New(0), *value;

    value = need(Py_BuildValue("(OSN)", list, list, Py_NewRef(list)));
    RESULT(Py_REFCNT(list));
    Py_DECREF(value);
    RESULT(Py_REFCNT(list));
    SHOW(Py_BuildValue("(NO&)", Py_NewRef(list), fails, "y"));
    RESULT(Py_REFCNT(list));
    SHOW(Py_BuildValue("O", NULL));
    SHOW(Py_BuildValue("(ON)", list, NULL));
    RESULT(Py_REFCNT(list));
    PyErr_SetString(PyExc_ValueError, "why it is NULL");
    SHOW(Py_BuildValue("(OO)", list, NULL));
    Py_DECREF(list);
}

static void
wrong(void)
{
    SHOW(Py_BuildValue("(i", 1));
    SHOW(Py_BuildValue("i)", 1));
    SHOW(Py_BuildValue("[i", 1));
    SHOW(Py_BuildValue("?", 1));
    SHOW(Py_BuildValue("{i}", 1));
}

void
oracle_program(void)
{
    units();
    nested();
    references();
    wrong();
}
