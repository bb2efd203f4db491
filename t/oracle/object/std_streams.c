/* std_streams.c: sys.stdout and sys.stderr, and what stands in their place.
   Manual: "System Functions", PySys_WriteStdout. */

#include "oracle.h"

static void
stream(const char *name)
{
    PyObject *file = PySys_GetObject(name);

    say("%s: %d", name, file != NULL);
    SHOW(PyObject_CallMethod(file, "write", "s", ""));
    SHOW(PyObject_CallMethod(file, "write", "y", "bytes"));
    SHOW(PyObject_CallMethod(file, "flush", NULL));
    SHOW(PyObject_CallMethod(file, "fileno", NULL));
    SHOW(PyObject_CallMethod(file, "writable", NULL));
    SHOW(PyObject_GetAttrString(file, "name"));
    SHOW(PyObject_GetAttrString(file, "closed"));
    RESULT(PySys_SetObject(name, NULL));
    say("gone: %d", PySys_GetObject(name) == NULL);
    RESULT(PySys_SetObject(name, file));
}

static PyObject *
write_said(PyObject *Py_UNUSED(self), PyObject *text)
{
    say("write %s", PyUnicode_AsUTF8(text));
    Py_RETURN_NONE;
}

static PyObject *
write_failed(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(text))
{
    PyErr_SetString(PyExc_OSError, "no room");
    return NULL;
}

static PyMethodDef saying[] = {{"write", write_said, METH_O, NULL},
                               {NULL, NULL, 0, NULL}};
static PyMethodDef failing[] = {{"write", write_failed, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

static PyObject *
file_of(PyMethodDef *methods)
{
    PyObject *file = need(PyModule_New("file"));

    PyModule_AddFunctions(file, methods);
    return file;
}

/* A pending exception stays. */
static void
replaced(void)
{
    PyObject *out = Py_NewRef(PySys_GetObject("stdout"));
    PyObject *err = Py_NewRef(PySys_GetObject("stderr"));
    PyObject *file = file_of(saying), *bad = file_of(failing);

    PySys_SetObject("stdout", file);
    PySys_SetObject("stderr", file);
    PyErr_SetString(PyExc_KeyError, "pending");
    PySys_WriteStdout("%d of %s", 3, "three");
    PySys_WriteStderr("%5.1f", 2.25);
    PySys_FormatStdout("%R", Py_None);
    PySys_FormatStderr("%S and %d", PyExc_ValueError, 7);
    error();
    PySys_SetObject("stderr", bad);
    stderr_begin();
    PySys_WriteStderr("to the C library's stream\n");
    stderr_end();
    error();
    PySys_SetObject("stdout", out);
    PySys_SetObject("stderr", err);
    drop_all(bad, file, err, out);
}

static PyObject *gathered; /* a str */

static PyObject *
write_gathered(PyObject *Py_UNUSED(self), PyObject *text)
{
    PyUnicode_Append(&gathered, text);
    return Py_NewRef(Py_None);
}

static PyObject *
flush_gathered(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(none))
{
    Py_RETURN_NONE;
}

static PyMethodDef gathering[] = {{"write", write_gathered, METH_O, NULL},
                                  {"flush", flush_gathered, METH_NOARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

static void
tell(const char *label)
{
    show(label, gathered);
    gathered = PyUnicode_FromString("");
}

/* Exceptions that are printed go to sys.stderr, in pieces of any size; None
   gets nothing. */
static void
reported(void)
{
    PyObject *err = Py_NewRef(PySys_GetObject("stderr"));
    PyObject *file = file_of(gathering);

    gathered = PyUnicode_FromString("");
    PySys_SetObject("stderr", file);
    PyErr_SetString(PyExc_KeyError, "printed");
    PyErr_Print();
    tell("PyErr_Print");
    PyErr_SetString(PyExc_ValueError, "");
    PyErr_PrintEx(0);
    tell("PyErr_PrintEx");
    PyErr_SetString(PyExc_OSError, "not raised");
    PyErr_WriteUnraisable(Py_True);
    tell("PyErr_WriteUnraisable");
    PyErr_SetString(PyExc_OSError, "not raised");
    PyErr_WriteUnraisable(NULL);
    tell("PyErr_WriteUnraisable");
    PyObject *odd =
        PyUnicode_DecodeUTF8("a\0b \xed\xb2\x80", 7, "surrogatepass");
    PyErr_SetObject(PyExc_ValueError, odd);
    PyErr_Print();
    tell("NUL and surrogate");
    drop_all(odd);
    stderr_begin();
    PySys_SetObject("stderr", Py_None);
    PyErr_SetString(PyExc_KeyError, "dropped");
    PyErr_Print();
    PySys_SetObject("stderr", err);
    PyErr_SetString(PyExc_KeyError, "shown");
    PyErr_Print();
    stderr_end();
    drop_all(gathered, file, err);
}

void
oracle_program(void)
{
    stream("stdout");
    stream("stderr");
    replaced();
    reported();
}
