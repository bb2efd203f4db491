/* paths.c: where a program stands: its name, the path of its modules, and the
   directories of an installation of Python, which there is not.

   Manual: "Initialization, Finalization, and Threads", section "Process-wide
   parameters". */

#include "Python.h"

#include "gc/base/environment.h"
#include "object/module/sys.h"

/* What the program has set; the first two are the program's, the last comes
   from PyMem_RawMalloc. */
static const wchar_t *program_name, *python_home;
static wchar_t *module_path;

static wchar_t no_text[] = L"";

void
Py_SetProgramName(const wchar_t *name)
{
    program_name = name != NULL && name[0] != L'\0' ? name : NULL;
}

wchar_t *
Py_GetProgramName(void)
{
    return program_name != NULL ? (wchar_t *)program_name : no_text;
}

void
Py_SetPythonHome(const wchar_t *home)
{
    python_home = home;
}

wchar_t *
Py_GetPythonHome(void)
{
    return (wchar_t *)python_home;
}

void
Py_SetPath(const wchar_t *path)
{
    wchar_t *copy = NULL;

    if (path != NULL) {
        size_t size = (wcslen(path) + 1) * sizeof *path;
        copy = PyMem_RawMalloc(size);
        if (copy == NULL)
            Py_FatalError("out of memory");
        memcpy(copy, path, size);
    }
    PyMem_RawFree(module_path);
    module_path = copy;
}

wchar_t *
Py_GetPath(void)
{
    const char *path = pyb_environment("PYBOEHM_PATH");
    static wchar_t *answer; /* of the last call */

    if (module_path != NULL || path == NULL)
        return module_path != NULL ? module_path : no_text;
    PyMem_RawFree(answer);
    answer = Py_DecodeLocale(path, NULL);
    return answer;
}

PyObject *
pyb_sys_split_path(const wchar_t *path)
{
    PyObject *whole = PyUnicode_FromWideChar(path, -1);
    PyObject *colon = PyUnicode_FromString(":");
    PyObject *list = whole != NULL && colon != NULL
                         ? PyUnicode_Split(whole, colon, -1)
                         : NULL;

    Py_XDECREF(whole);
    Py_XDECREF(colon);
    return list;
}

const wchar_t *
pyb_sys_path_set(void)
{
    return module_path;
}

wchar_t *
Py_GetPrefix(void)
{
    return no_text;
}

wchar_t *
Py_GetExecPrefix(void)
{
    return no_text;
}

wchar_t *
Py_GetProgramFullPath(void)
{
    return no_text;
}

void
Py_GetArgcArgv(int *argc, wchar_t ***argv)
{
    static wchar_t *none[] = {NULL};

    *argc = 0;
    *argv = none;
}
