/* fopen.c: files by names of Python: C's, and those of code.

   Manual: "Operating System Utilities". */

#include "Python.h"

#include <fcntl.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "gc/base/ownlibrary.h"
#include "object/error/errors.h"

/* fopen, again after each signal; handlers may raise.  The file, or NULL; with
   an exception if a handler raised one. */
static FILE *
open_file(const char *path, const char *mode)
{
    for (;;) {
        FILE *file = fopen(path, mode);
        if (file != NULL || errno != EINTR || PyErr_CheckSignals() < 0)
            return file;
    }
}

FILE *
Py_fopen(PyObject *path, const char *mode)
{
    PyObject *bytes;

    if (path == NULL || mode == NULL)
        return (FILE *)pyb_errors_null_argument();
    if (!PyUnicode_FSConverter(path, &bytes))
        return NULL;
    PYB_ASSERT_OBJECT(PyBytes_Check(bytes), bytes);
    FILE *file = open_file(PyBytes_AS_STRING(bytes), mode);
    if (file != NULL)
        fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    else if (!PyErr_Occurred())
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
    Py_DECREF(bytes);
    return file;
}

int
Py_fclose(FILE *file)
{
    return fclose(file);
}

int
Py_FdIsInteractive(FILE *file, const char *Py_UNUSED(filename))
{
    return isatty(fileno(file)) ? 1 : 0;
}

/* A byte, with every line end as '\n'; "\r\n" is one. */
static int
read_byte(FILE *stream)
{
    int c = getc(stream);

    if (c != '\r')
        return c;
    c = getc(stream);
    if (c != '\n')
        ungetc(c, stream);
    return '\n';
}

char *
Py_UniversalNewlineFgets(char *buf, int n, FILE *stream, PyObject *fobj)
{
    int c = 0, length = 0;

    if (fobj != NULL) {
        errno = ENXIO;
        return NULL;
    }
    while (length < n - 1 && c != '\n' && (c = read_byte(stream)) != EOF)
        buf[length++] = (char)c;
    buf[length] = '\0';
    return length == 0 ? NULL : buf;
}

/* ------------------------------------------------------------------ */
/* Files of code                                                       */

/* Set once, and kept through Py_Finalize. */
static Py_OpenCodeHookFunction open_code_hook;

int
PyFile_SetOpenCodeHook(Py_OpenCodeHookFunction hook, void *userData)
{
    if (Py_IsInitialized() && PySys_Audit("setopencodehook", NULL) < 0)
        return -1;
    if (open_code_hook != NULL) {
        if (Py_IsInitialized())
            PyErr_SetString(PyExc_SystemError,
                            "failed to change existing open_code hook");
        return -1;
    }
    open_code_hook = hook;
    pyb_host_words.open_code_hook = userData;
    return 0;
}

PyObject *
PyFile_OpenCodeObject(PyObject *path)
{
    if (path == NULL)
        return (PyObject *)pyb_errors_null_argument();
    if (!PyUnicode_Check(path))
        return PyErr_Format(PyExc_TypeError, "'path' must be 'str', not '%T'",
                            path);
    if (open_code_hook != NULL)
        return open_code_hook(path, pyb_host_words.open_code_hook);
    PyObject *io = PyImport_ImportModule("io");
    if (io == NULL)
        return NULL;
    PyObject *file = PyObject_CallMethod(io, "open", "Os", path, "rb");
    Py_DECREF(io);
    return file;
}

PyObject *
PyFile_OpenCode(const char *utf8path)
{
    PyObject *path = PyUnicode_FromString(utf8path);

    if (path == NULL)
        return NULL;
    PyObject *file = PyFile_OpenCodeObject(path);
    Py_DECREF(path);
    return file;
}
