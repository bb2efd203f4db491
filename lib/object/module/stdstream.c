/* stdstream.c: sys.stdout and sys.stderr, and writing to them.

   They are the C library's streams, with its buffers, as objects that have
   what C code calls of a file: write, flush, fileno, isatty.  What the program
   puts in their place gets the text of PySys_WriteStdout and kin, as in
   CPython.

   Manual: "System Functions"; Python's library, "sys.stdout". */

#include "Python.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "object/module/stdstream.h"

typedef struct {
    PyObject_HEAD
    int is_error; /* of the two */
    const char *name, *errors;
} stdstream;

#define is_stdstream(op) Py_IS_TYPE(op, &pyb_stdstream_type)
#define STDSTREAM(op) PYB_CAST(stdstream, is_stdstream, op)

/* A program may have given the C library other streams. */
static FILE *
file_of(PyObject *op)
{
    return STDSTREAM(op)->is_error ? stderr : stdout;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

/* 0, or -1 with OSError. */
static int
check_file(int result)
{
    if (result == 0)
        return 0;
    PyErr_SetFromErrno(PyExc_OSError);
    return -1;
}

static PyObject *
stdstream_write(PyObject *self, PyObject *text)
{
    stdstream *stream = STDSTREAM(self);

    if (!PyUnicode_Check(text))
        return PyErr_Format(PyExc_TypeError,
                            "write() argument must be str, not %.200s",
                            Py_TYPE(text)->tp_name);
    PyObject *bytes = PyUnicode_AsEncodedString(text, "utf-8", stream->errors);
    if (bytes == NULL)
        return NULL;
    size_t size = (size_t)PyBytes_GET_SIZE(bytes);
    errno = 0;
    size_t written = fwrite(PyBytes_AS_STRING(bytes), 1, size, file_of(self));
    Py_DECREF(bytes);
    if (check_file(written == size ? 0 : -1) < 0)
        return NULL;
    return PyLong_FromSsize_t(PyUnicode_GET_LENGTH(text));
}

static PyObject *
stdstream_flush(PyObject *self, PyObject *Py_UNUSED(none))
{
    return pyb_result_none(check_file(fflush(file_of(self))));
}

static PyObject *
stdstream_fileno(PyObject *self, PyObject *Py_UNUSED(none))
{
    return PyLong_FromLong(fileno(file_of(self)));
}

static PyObject *
stdstream_isatty(PyObject *self, PyObject *Py_UNUSED(none))
{
    return PyBool_FromLong(isatty(fileno(file_of(self))));
}

static PyObject *
stdstream_writable(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(none))
{
    Py_RETURN_TRUE;
}

static PyObject *
get_encoding(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return PyUnicode_FromString("utf-8");
}

static PyObject *
get_closed(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    Py_RETURN_FALSE;
}

static PyObject *
stdstream_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<sys.stdstream name='%s'>",
                                STDSTREAM(self)->name);
}

static PyMethodDef methods[] = {
    {"write", stdstream_write, METH_O,
     PyDoc_STR("Write a str; return how many characters that were.")},
    {"flush", stdstream_flush, METH_NOARGS,
     PyDoc_STR("Write what is in the buffer.")},
    {"fileno", stdstream_fileno, METH_NOARGS,
     PyDoc_STR("Return the file descriptor.")},
    {"isatty", stdstream_isatty, METH_NOARGS,
     PyDoc_STR("Return whether it is a terminal.")},
    {"writable", stdstream_writable, METH_NOARGS,
     PyDoc_STR("Return whether it can be written to.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"name", Py_T_STRING, offsetof(stdstream, name), Py_READONLY, NULL},
    {"errors", Py_T_STRING, offsetof(stdstream, errors), Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef getset[] = {
    {"encoding", get_encoding, NULL, NULL, NULL},
    {"closed", get_closed, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject pyb_stdstream_type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "sys.stdstream",
    .tp_basicsize = sizeof(stdstream),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_repr = stdstream_repr,
    .tp_methods = methods,
    .tp_members = members,
    .tp_getset = getset,
};

static int
add(PyObject *sys, const char *name, const char *saved, int is_error,
    const char *path, const char *errors)
{
    stdstream *stream = PyObject_New(stdstream, &pyb_stdstream_type);

    if (stream == NULL)
        return -1;
    stream->is_error = is_error;
    stream->name = path;
    stream->errors = errors;
    int result = PyModule_AddObjectRef(sys, name, (PyObject *)stream);
    if (result == 0)
        result = PyModule_AddObjectRef(sys, saved, (PyObject *)stream);
    Py_DECREF((PyObject *)stream);
    return result;
}

int
pyb_stdstream_add(PyObject *sys)
{
    if (add(sys, "stdout", "__stdout__", 0, "<stdout>", "strict") < 0)
        return -1;
    return add(sys, "stderr", "__stderr__", 1, "<stderr>", "backslashreplace");
}

/* ------------------------------------------------------------------ */
/* Writing                                                             */

/* The number of bytes that CPython promises to write. */
enum { WRITE_MAX = 1000 };

static void
print(char text[WRITE_MAX + 16], const char *format, va_list vargs)
{
    if (vsnprintf(text, WRITE_MAX + 1, format, vargs) > WRITE_MAX)
        strcpy(text + WRITE_MAX, "... truncated");
}

/* To what the program has put in the place of sys.stdout or sys.stderr; else,
   or if that fails, to the C library's stream. */
static void
write_text(const char *name, FILE *file, const char *text)
{
    PyObject *stream = Py_XNewRef(PySys_GetObject(name));
    int result = -1;

    if (stream != NULL && !is_stdstream(stream)) {
        result = PyFile_WriteString(text, stream);
        PyErr_Clear();
    }
    if (result < 0)
        fputs(text, file);
    Py_XDECREF(stream);
}

static void
write_bytes(const char *name, FILE *file, const char *format, va_list vargs)
{
    char text[WRITE_MAX + 16] = "";
    PyObject *saved = PyErr_GetRaisedException();

    print(text, format, vargs);
    write_text(name, file, text);
    PyErr_SetRaisedException(saved);
}

static void
write_formatted(const char *name, FILE *file, const char *format,
                va_list vargs)
{
    PyObject *saved = PyErr_GetRaisedException();
    PyObject *text = PyUnicode_FromFormatV(format, vargs);
    const char *bytes = text != NULL ? PyUnicode_AsUTF8(text) : NULL;

    if (bytes != NULL)
        write_text(name, file, bytes);
    Py_XDECREF(text);
    PyErr_SetRaisedException(saved);
}

void
PySys_WriteStdout(const char *format, ...)
{
    va_list vargs;

    va_start(vargs, format);
    write_bytes("stdout", stdout, format, vargs);
    va_end(vargs);
}

void
PySys_WriteStderr(const char *format, ...)
{
    va_list vargs;

    va_start(vargs, format);
    write_bytes("stderr", stderr, format, vargs);
    va_end(vargs);
}

void
PySys_FormatStdout(const char *format, ...)
{
    va_list vargs;

    va_start(vargs, format);
    write_formatted("stdout", stdout, format, vargs);
    va_end(vargs);
}

void
PySys_FormatStderr(const char *format, ...)
{
    va_list vargs;

    va_start(vargs, format);
    write_formatted("stderr", stderr, format, vargs);
    va_end(vargs);
}

/* PySys_GetObject would report its own lack of memory, by this. */
static PyObject *
find_stderr(void)
{
    PyObject *stream;

    if (PySys_GetOptionalAttrString("stderr", &stream) < 0)
        PyErr_Clear();
    return stream;
}

void
pyb_stdstream_open(struct pyb_stdstream *out, int none_is_silent)
{
    PyObject *stream = find_stderr();

    PYB_ASSERT(PyErr_Occurred() == NULL);
    *out = (struct pyb_stdstream){.file = stderr};
    fflush(stdout);
    if (stream != NULL && is_stdstream(stream)) {
        out->file = file_of(stream);
    } else if (stream != NULL && (stream != Py_None || none_is_silent)) {
        FILE *memory = open_memstream(&out->text, &out->size);

        if (memory != NULL) {
            out->file = memory;
            out->stream = Py_NewRef(stream);
        }
    }
    Py_XDECREF(stream);
}

/* Memory holds UTF-8 with surrogates; a stream of the C library's gets them
   escaped, as sys.stderr does that.  Other texts need no memory. */
int
pyb_stdstream_put(struct pyb_stdstream *out, PyObject *text)
{
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, &size);
    PyObject *bytes = NULL;

    PyErr_Clear();
    if (utf8 == NULL) {
        bytes = PyUnicode_AsEncodedString(
            text, "utf-8",
            out->stream != NULL ? "surrogatepass" : "backslashreplace");
        PyErr_Clear();
        if (bytes == NULL)
            return -1;
        utf8 = PyBytes_AS_STRING(bytes);
        size = PyBytes_GET_SIZE(bytes);
    }
    fwrite(utf8, 1, (size_t)size, out->file);
    Py_XDECREF(bytes);
    return 0;
}

/* 0, or -1 without an exception. */
static int
write_whole(const struct pyb_stdstream *out)
{
    PyObject *text = PyUnicode_DecodeUTF8(out->text, (Py_ssize_t)out->size,
                                          "surrogatepass");
    PyObject *flushed = NULL;
    int result = -1;

    if (text != NULL)
        result = PyFile_WriteObject(text, out->stream, Py_PRINT_RAW);
    if (result == 0)
        flushed = PyObject_CallMethod(out->stream, "flush", NULL);
    Py_XDECREF(flushed);
    Py_XDECREF(text);
    PyErr_Clear();
    return result;
}

void
pyb_stdstream_close(struct pyb_stdstream *out)
{
    PYB_ASSERT(PyErr_Occurred() == NULL);
    if (out->stream == NULL) {
        fflush(out->file);
        return;
    }
    fclose(out->file); /* without memory the text is shorter */
    if (out->stream != Py_None && write_whole(out) < 0) {
        fwrite(out->text, 1, out->size, stderr);
        fflush(stderr);
    }
    free(out->text);
    Py_DECREF(out->stream);
}

void
pyb_stdstream_write_stderr(const char *format, ...)
{
    char text[WRITE_MAX + 16] = "";
    va_list vargs;

    va_start(vargs, format);
    print(text, format, vargs);
    va_end(vargs);
    fputs(text, stderr);
}
