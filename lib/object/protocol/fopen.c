/* fopen.c: files of C by names of Python.

   Manual: "Operating System Utilities". */

#include "Python.h"

#include <fcntl.h>
#include <unistd.h>

#include "gc/base/fatal.h"
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
