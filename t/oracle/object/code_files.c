/* code_files.c: opening files of code, lines with any line end, tables of
   built-in modules, warnings with a formatted text.  Manual: "File Objects",
   "Importing Modules", "Exception Handling". */

#include "oracle.h"

static void
read_lines(const char *content, int size)
{
    FILE *file = need(tmpfile());
    char line[16];

    fputs(content, file);
    rewind(file);
    while (Py_UniversalNewlineFgets(line, size, file, NULL) != NULL)
        show("line", PyUnicode_FromString(line));
    fclose(file);
}

static PyObject *
hook(PyObject *path, void *data)
{
    if (PyUnicode_GetLength(path) == 0) {
        PyErr_SetString(PyExc_PermissionError, "no name");
        return NULL;
    }
    return PyUnicode_FromFormat("%U opened %s", path, (char *)data);
}

/* Says who sets a hook, and forbids it to the one who asks thrice. */
static int
judge(const char *event, PyObject *Py_UNUSED(args), void *Py_UNUSED(data))
{
    static int asked;

    if (strcmp(event, "setopencodehook") != 0)
        return 0;
    result(event, ++asked);
    if (asked < 3)
        return 0;
    PyErr_SetString(PyExc_RuntimeError, "no more hooks");
    return -1;
}

static void
open_code(void)
{
    result("audit hook", PySys_AddAuditHook(judge, NULL));
    result("hook", PyFile_SetOpenCodeHook(hook, "here"));
    show("a file", PyFile_OpenCode("mod.py"));
    show("refused", PyFile_OpenCode(""));
    show("no UTF-8", PyFile_OpenCode("\xff"));
    show("bytes", PyFile_OpenCodeObject(need(PyBytes_FromString("b"))));
    result("another hook", PyFile_SetOpenCodeHook(hook, "there"));
    result("a third", PyFile_SetOpenCodeHook(hook, "there"));
    show("a file", PyFile_OpenCode("mod.py"));
}

static PyObject *
entry(void)
{
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "added"};

    return PyModule_Create(&definition);
}

/* Added late, a module is not found in CPython; the table has it. */
static void
inittab(void)
{
    int n = 0, found = -1;

    result("add", PyImport_AppendInittab("added", entry));
    for (; PyImport_Inittab[n].name != NULL; n++)
        if (strcmp(PyImport_Inittab[n].name, "added") == 0)
            found = n;
    result("it is the last", found == n - 1);
    result("its function", PyImport_Inittab[n - 1].initfunc == entry);
}

void
oracle_program(void)
{
    read_lines("one\ntwo\r\nthree\rfour\r\r\n\nend", 16);
    read_lines("abcdef\r\ngh\n", 4);
    read_lines("\r", 16);
    read_lines("", 16);
    read_lines("xy", 1 + 1);
    result("not a file of C's",
           Py_UniversalNewlineFgets((char[4]){0}, 4, stdin, Py_None) == NULL);
    open_code();
    inittab();
    say("digits: %s", Py_hexdigits);
    stderr_begin();
    RESULT(PyErr_WarnExplicitFormat(PyExc_UserWarning, "a.c", 7, "m", NULL,
                                    "%d of %s", 3, "four"));
    stderr_end();
}
