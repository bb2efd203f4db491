/* exception_classes.c: exceptions made by PyErr_NewException, with bases and
   dictionaries; fields of the built-in ones; their repr and str.
   Manual: "Exception Handling", PyErr_NewException, "Exception Objects". */

#include "oracle.h"

#include <errno.h>

static PyObject *
make(PyObject *type, const char *format, ...)
{
    va_list values;
    PyObject *args, *op;

    va_start(values, format);
    args = need(Py_VaBuildValue(format, values));
    va_end(values);
    op = PyObject_Call(type, args, NULL);
    Py_DECREF(args);
    return op;
}

static void
tell(PyObject *op)
{
    show_kept("repr", op);
    if (op == NULL)
        return;
    show("    str", PyObject_Str(op));
    show("    args", PyObject_GetAttrString(op, "args"));
    result("    tracked", PyObject_GC_IsTracked(op));
    Py_DECREF(op);
}

static void
attribute(PyObject *type, const char *name, PyObject *args)
{
    PyObject *op = need(PyObject_Call(type, args, NULL));
    char label[80];

    snprintf(label, sizeof label, "%s.%s", ((PyTypeObject *)type)->tp_name,
             name);
    show(label, PyObject_GetAttrString(op, name));
    Py_DECREF(op);
}

static void
built_in(void)
{
    PyObject *one = need(Py_BuildValue("(i)", 1));
    PyObject *three = need(Py_BuildValue("(iss)", 2, "No such", "file"));

    tell(make(PyExc_Exception, "()"));
    tell(make(PyExc_Exception, "(s)", "one"));
    tell(make(PyExc_Exception, "(si)", "one", 2));
    tell(make(PyExc_KeyError, "(s)", "key"));
    tell(make(PyExc_KeyError, "(si)", "key", 2));
    tell(make(PyExc_StopIteration, "(i)", 5));
    tell(make(PyExc_SystemExit, "(i)", 3));
    tell(make(PyExc_OSError, "(is)", 2, "No such"));
    tell(make(PyExc_OSError, "(iss)", 13, "Denied", "file"));
    tell(make(PyExc_ImportError, "(s)", "not found"));
    tell(make(PyExc_UnicodeDecodeError, "(sy#iis)", "utf-8", "a\xff",
              (Py_ssize_t)2, 1, 2, "invalid"));
    tell(
        make(PyExc_UnicodeEncodeError, "(ssiis)", "ascii", "ab", 0, 2, "why"));
    tell(make(PyExc_UnicodeDecodeError, "(s)", "too few"));
    attribute(PyExc_StopIteration, "value", one);
    attribute(PyExc_SystemExit, "code", one);
    attribute(PyExc_OSError, "errno", three);
    attribute(PyExc_OSError, "strerror", three);
    attribute(PyExc_OSError, "filename", three);
    attribute(PyExc_ImportError, "name", one);
    attribute(PyExc_ImportError, "msg", one);
    attribute(PyExc_KeyError, "missing", one);
    drop_all(one, three);
}

static void
custom(void)
{
    PyObject *dict = need(Py_BuildValue("{si}", "code", 7));
    PyObject *bases = need(PyTuple_Pack(2, PyExc_KeyError, PyExc_OSError));
    PyObject *plain = need(PyErr_NewException("mod.Plain", NULL, NULL));
    PyObject *sub = need(PyErr_NewException("mod.sub.Sub", plain, dict));
    PyObject *both =
        need(PyErr_NewExceptionWithDoc("mod.Both", "Doc.", bases, NULL));
    PyObject *op;

    show_kept("plain", plain);
    show_kept("sub", sub);
    SHOW(PyObject_GetAttrString(sub, "code"));
    SHOW(PyObject_GetAttrString(sub, "__module__"));
    SHOW(PyObject_GetAttrString(both, "__doc__"));
    SHOW(PyObject_GetAttrString(both, "__bases__"));
    SHOW(PyErr_NewException("nodot", NULL, NULL));
    SHOW(PyErr_NewException("mod.X", Py_None, NULL));
    SHOW(PyErr_NewException("mod.X", (PyObject *)&PyList_Type, NULL));
    PyErr_SetString(sub, "raised");
    RESULT(PyErr_ExceptionMatches(plain));
    error();
    PyErr_SetString(both, "raised");
    RESULT(PyErr_ExceptionMatches(PyExc_OSError));
    error();
    op = need(make(sub, "(s)", "x"));
    RESULT(PyObject_SetAttrString(op, "extra", op));
    SHOW(PyObject_GetAttrString(op, "extra"));
    RESULT(PyObject_SetAttrString(op, "args", Py_None));
    RESULT(PyObject_DelAttrString(op, "args"));
    Py_DECREF(op);
    collect();
    drop_all(dict, bases, sub, plain, both);
    PyGC_Collect();
}

/* What a stream that would block has written is a third argument, too. */
static void
written(PyObject *op)
{
    static const char name[] = "characters_written";
    PyObject *four = need(PyLong_FromLong(4));

    if (op == NULL) {
        error();
        return;
    }
    SHOW(PyObject_GetAttrString(op, name));
    SHOW(PyObject_GetAttrString(op, "filename"));
    RESULT(PyObject_SetAttrString(op, name, Py_None));
    RESULT(PyObject_SetAttrString(op, name, four));
    SHOW(PyObject_GetAttrString(op, name));
    RESULT(PyObject_DelAttrString(op, name));
    RESULT(PyObject_DelAttrString(op, name));
    SHOW(PyObject_GetAttrString(op, name));
    tell(op);
    Py_DECREF(four);
}

/* The fifth argument counts where the third is a file's name. */
static void
second_file(PyObject *op)
{
    SHOW(PyObject_GetAttrString(op, "filename2"));
    SHOW(PyObject_Str(op));
    tell(op);
}

void
oracle_program(void)
{
    built_in();
    written(make(PyExc_BlockingIOError, "(isi)", EAGAIN, "x", 5));
    written(make(PyExc_BlockingIOError, "(isO)", EAGAIN, "x", Py_True));
    written(make(PyExc_BlockingIOError, "(iss)", EAGAIN, "x", "file"));
    written(make(PyExc_BlockingIOError, "(isi)", EAGAIN, "x", -1));
    written(make(PyExc_BlockingIOError, "()"));
    written(make(PyExc_OSError, "(isi)", EAGAIN, "x", 5));
    written(make(PyExc_OSError, "(isi)", ENOENT, "x", 5));
    written(make(PyExc_BlockingIOError, "(isN)", EAGAIN, "x",
                 PyLong_FromString("100000000000000000000", NULL, 10)));
    custom();
    second_file(
        make(PyExc_BlockingIOError, "(isiis)", EAGAIN, "x", 5, 0, "b"));
    second_file(make(PyExc_OSError, "(isOis)", ENOENT, "x", Py_None, 0, "b"));
    second_file(make(PyExc_OSError, "(issis)", ENOENT, "x", "a", 0, "b"));
    SHOW(make(PyExc_BaseException, "()"));
    errno = ENOENT;
    SHOW(PyErr_SetFromErrnoWithFilename(PyExc_OSError, "name"));
}
