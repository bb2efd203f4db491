/* error_format.c: PyErr_Format and PyUnicode_FromFormat: each conversion,
   widths, precisions, and formats that are wrong.
   Manual: "Unicode Objects", PyUnicode_FromFormat. */

#include "oracle.h"

static void
numbers(void)
{
    SHOW(PyUnicode_FromFormat("%d %i %u %x %c", -1, 2, 3u, 255, 'z'));
    SHOW(PyUnicode_FromFormat("%ld %lu", -1L, 2UL));
    SHOW(PyUnicode_FromFormat("%lld %llu", -1LL, ~0ULL));
    SHOW(PyUnicode_FromFormat("%zd %zu", (Py_ssize_t)-1, (size_t)2));
    SHOW(PyUnicode_FromFormat("[%5d] [%05d] [%.3d]", 42, 42, 42));
    SHOW(PyUnicode_FromFormat("[%5d] [%3d]", -42, -42000));
    SHOW(PyUnicode_FromFormat("[%8x] [%08x]", 255, 255));
    SHOW(PyUnicode_FromFormat("%c%c", 0xe9, 0x1f600));
    SHOW(PyUnicode_FromFormat("%c", 0x110000));
    SHOW(PyUnicode_FromFormat("%c", -1));
    SHOW(PyUnicode_FromFormat("%%"));
}

static void
texts(PyObject *list, PyObject *str)
{
    SHOW(PyUnicode_FromFormat("%s|%10s|%.2s|%10.2s", "text", "text", "text",
                              "text"));
    SHOW(PyUnicode_FromFormat("%U|%10U|%.2U", str, str, str));
    SHOW(PyUnicode_FromFormat("%V|%V", str, "unused", NULL, "used"));
    SHOW(PyUnicode_FromFormat("%S|%R|%A", str, str, str));
    SHOW(PyUnicode_FromFormat("%S|%R", list, list));
    SHOW(PyUnicode_FromFormat("%.4R|%12S", list, list));
    SHOW(PyUnicode_FromFormat("%s", "bad \xff byte"));
    SHOW(PyUnicode_FromFormat("%.4s", "ab\xc3\xa9"));
    SHOW(PyUnicode_FromFormat("\xc3\xa9"));
    SHOW(PyUnicode_FromFormat(""));
}

static void
raised(PyObject *str)
{
    PyErr_Format(PyExc_ValueError, "no %s at %d", "value", 5);
    error();
    PyErr_Format(PyExc_KeyError, "%R", str);
    error();
    PyErr_Format(PyExc_OverflowError, "%U|%zd", str, (Py_ssize_t)7);
    error();
    RESULT(PyErr_Format(PyExc_ValueError, "x") != NULL);
    PyErr_SetString(PyExc_KeyError, "before");
    PyErr_Format(PyExc_ValueError, "after");
    error();
}

static void
newer(const char *why, const char *ours, const char *cpython, PyObject *op)
{
    differs(why, ours, cpython, PyUnicode_AsUTF8(need(op)));
    Py_DECREF(op);
}

static void
since_then(void)
{
    newer("'l' and 'll' go with 'x' since 3.12", "ff ff", "%lx %llx",
          PyUnicode_FromFormat("%lx %llx", 255L, 255LL));
    newer("zeros stand between the sign and the number since 3.12", "-0042",
          "00-42", PyUnicode_FromFormat("%05d", -42));
    newer("a character that the precision cuts is left out since 3.14", "ab",
          "ab\xef\xbf\xbd", PyUnicode_FromFormat("%.3s", "ab\xc3\xa9"));
}

static void
bytes(void)
{
    SHOW(PyBytes_FromFormat("%d %s %c %x %%", -1, "text", 'z', 255));
    SHOW(PyBytes_FromFormat("%.2s|%zd|%ld", "text", (Py_ssize_t)5, -6L));
    SHOW(PyBytes_FromFormat("%c", 256));
}

void
oracle_program(void)
{
    PyObject *list = need(Py_BuildValue("[is]", 1, "two"));
    PyObject *str = PyUnicode_FromString("w\xc3\xb6rd");

    numbers();
    texts(list, str);
    since_then();
    raised(str);
    bytes();
    drop_all(list, str);
}
