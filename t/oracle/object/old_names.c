/* old_names.c: functions of the stable ABI that few still call: calls named
   PyEval, sys.argv and the options, audit hooks, files, the place of a
   SyntaxError.
   Manual: "Reflection", "System Functions", "File Objects". */

#include "oracle.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

PyAPI_FUNC(int) _PyEval_SliceIndex(PyObject *, Py_ssize_t *);

static void
calls(void)
{
    PyObject *type = (PyObject *)&PyList_Type;
    PyObject *args = need(Py_BuildValue("((ii))", 1, 2));
    PyObject *list = need(PyEval_CallObjectWithKeywords(type, args, NULL));
    PyObject *append = need(PyObject_GetAttrString(list, "append"));
    PyObject *half = need(PyFloat_FromDouble(0.5));
    Py_ssize_t bound = 3;

    SHOW(PyEval_CallObjectWithKeywords(type, NULL, NULL));
    SHOW(PyEval_CallObjectWithKeywords(type, list, NULL));
    SHOW(PyEval_CallObjectWithKeywords(type, args, list));
    SHOW(PyEval_CallFunction(type, "((i))", 5));
    SHOW(PyEval_CallMethod(list, "index", "(i)", 2));
    say("%s%s", PyEval_GetFuncName(append), PyEval_GetFuncDesc(append));
    say("%s%s", PyEval_GetFuncName(list), PyEval_GetFuncDesc(list));
    say("%s%s", PyEval_GetFuncName(type), PyEval_GetFuncDesc(type));
    RESULT(_PyEval_SliceIndex(Py_None, &bound));
    RESULT(_PyEval_SliceIndex(half, &bound));
    RESULT((PySequence_In)(list, half));
    RESULT((PyObject_Length)(half));
    drop_all(half, append, list, args);
}

static void
frames(void)
{
    RESULT(PyEval_GetFrame() == NULL);
    RESULT(PyThreadState_GetFrame(PyThreadState_Get()) == NULL);
    RESULT(PyEval_GetGlobals() == NULL);
    RESULT(PyEval_GetLocals() == NULL);
    RESULT(PyTraceBack_Print(NULL, NULL));
    RESULT(PyTraceBack_Print(Py_None, Py_None));
}

static void
arguments(void)
{
    wchar_t *argv[] = {L"/usr/bin/prog", L"b"};

    PySys_SetArgvEx(2, argv, 1);
    show_kept("argv", PySys_GetObject("argv"));
    SHOW(PySequence_GetItem(PySys_GetObject("path"), 0));
    PySys_SetArgvEx(0, argv, 0);
    show_kept("argv", PySys_GetObject("argv"));
    PySys_SetPath(L"/a:/b");
    show_kept("path", PySys_GetObject("path"));
    PySys_SetPath(L"");
    show_kept("path", PySys_GetObject("path"));
    RESULT(PySys_HasWarnOptions());
    PySys_AddWarnOption(L"error");
    RESULT(PySys_HasWarnOptions());
    show_kept("warnoptions", PySys_GetObject("warnoptions"));
    PySys_ResetWarnOptions();
    RESULT(PySys_HasWarnOptions());
    PySys_AddXOption(L"a=b=c");
    PySys_AddXOption(L"flag");
    show_kept("_xoptions", PySys_GetXOptions());
}

static int
hook(const char *event_name, PyObject *args, void *data)
{
    if (strncmp(event_name, "t.", 2) != 0)
        return 0;
    show_kept((const char *)data, args);
    if (strcmp(event_name, "t.no") != 0)
        return 0;
    PyErr_SetString(PyExc_ValueError, "refused");
    return -1;
}

static void
audit(void)
{
    RESULT(PySys_AddAuditHook(hook, "first"));
    RESULT(PySys_AddAuditHook(hook, "second"));
    RESULT(PySys_Audit("t.yes", NULL));
    RESULT(PySys_Audit("t.yes", "i", 1));
    RESULT(PySys_Audit("t.yes", "ss", "a", "b"));
    RESULT(PySys_Audit("t.no", "(i)", 1));
}

/* ------------------------------------------------------------------ */
/* Files                                                               */

static PyObject *
file_write(PyObject *self, PyObject *text)
{
    (void)self;
    show_kept("write", text);
    Py_RETURN_NONE;
}

static PyObject *
file_readline(PyObject *self, PyObject *args)
{
    (void)self;
    show_kept("readline", args);
    return PyUnicode_FromString(PyTuple_Size(args) == 0 ? "line\n" : "");
}

static PyMethodDef file_methods[] = {
    {"write", file_write, METH_O, NULL},
    {"readline", file_readline, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot file_slots[] = {{Py_tp_methods, file_methods}, {0, NULL}};
static PyType_Spec file_spec = {"t.File", sizeof(PyObject), 0,
                                Py_TPFLAGS_DEFAULT, file_slots};

static void
files(void)
{
    PyObject *type = need(PyType_FromSpec(&file_spec));
    PyObject *file = need(PyObject_CallNoArgs(type));

    SHOW(PyFile_GetLine(file, 0));
    SHOW(PyFile_GetLine(file, -1));
    SHOW(PyFile_GetLine(file, 3));
    SHOW(PyFile_GetLine(Py_None, 0));
    SHOW(PyFile_GetLine(NULL, 0));
    RESULT(PyFile_WriteObject(Py_None, file, 0));
    RESULT(PyFile_WriteString("text", file));
    RESULT(PyFile_WriteObject(Py_None, NULL, 0));
    RESULT(PyFile_WriteObject(Py_None, Py_None, 0));
    RESULT(PyFile_WriteString("text", NULL));
    SHOW(PyObject_GetAIter(file));
    RESULT(PyAIter_Check(file));
    drop_all(file, type);
}

static void
places(void)
{
    static const char *names[] = {"lineno", "offset", "filename", "text"};

    PyErr_SetString(PyExc_SyntaxError, "invalid");
    PyErr_SyntaxLocationEx("/nowhere", 3, 2);
    PyObject *kind, *exc, *traceback;
    PyErr_Fetch(&kind, &exc, &traceback);
    PyErr_NormalizeException(&kind, &exc, &traceback);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        show(names[i], PyObject_GetAttrString(exc, names[i]));
    Py_XDECREF(kind);
    Py_XDECREF(exc);
    Py_XDECREF(traceback);
    RESULT(PyErr_ProgramText("/nowhere", 1) == NULL);
}

void
oracle_program(void)
{
    calls();
    frames();
    arguments();
    files();
    places();
    audit();
}
