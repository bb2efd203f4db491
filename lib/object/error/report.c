/* report.c: writing exceptions to sys.stderr. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "object/error/errors.h"
#include "object/module/stdstream.h"

void
PyObject_Dump(PyObject *op)
{
    fflush(stdout);
    if (op == NULL) {
        fputs("<object at NULL>\n", stderr);
    } else if (!pyb_inspect_is_object(op)) {
        fprintf(stderr, "<object at %p is freed>\n", (void *)op);
    } else {
        PyGILState_STATE state = PyGILState_Ensure();
        pyb_fatal_dump_object(op);
        PyGILState_Release(state);
    }
}

void
pyb_errors_write_text(PyObject *(*make)(PyObject *), PyObject *object,
                      const char *fallback, struct pyb_stdstream *out)
{
    PyObject *text = make(object);

    PyErr_Clear();
    if (text == NULL || pyb_stdstream_put(out, text) < 0)
        fputs(fallback, out->file);
    Py_XDECREF(text);
}

/* str(message), with a separator before it unless it is empty. */
static void
write_message(PyObject *message, struct pyb_stdstream *out)
{
    PyObject *text = PyObject_Str(message);

    PyErr_Clear();
    if (text == NULL || PyUnicode_GET_LENGTH(text) > 0)
        fputs(": ", out->file);
    if (text == NULL || pyb_stdstream_put(out, text) < 0)
        fputs("<exception str() failed>", out->file);
    Py_XDECREF(text);
}

static PyObject *
qualified_name(PyObject *type)
{
    PYB_ASSERT_OBJECT(PyType_Check(type), type);
    return PyType_GetFullyQualifiedName((PyTypeObject *)type);
}

void
pyb_errors_write(PyObject *exception, PyObject *text,
                 struct pyb_stdstream *out)
{
    PyTypeObject *type = Py_TYPE(exception);

    PYB_ASSERT(PyErr_Occurred() == NULL);
    pyb_errors_write_text(qualified_name, (PyObject *)type, type->tp_name,
                          out);
    if (text != Py_None)
        write_message(text, out);
    fputc('\n', out->file);
}

void
PyErr_DisplayException(PyObject *exc)
{
    PyObject *saved = PyErr_GetRaisedException();
    struct pyb_stdstream out;

    pyb_stdstream_open(&out, 1);
    pyb_errors_display(exc, &out);
    pyb_stdstream_close(&out);
    PyErr_SetRaisedException(saved);
}

void
PyErr_Display(PyObject *Py_UNUSED(unused), PyObject *value,
              PyObject *Py_UNUSED(tb))
{
    PyErr_DisplayException(value);
}

/* The exit status for SystemExit(code).  A code that is not a number is
   printed. */
static int
exit_status(PyObject *code)
{
    if (code == NULL || code == Py_None)
        return EXIT_SUCCESS;
    if (PyLong_Check(code)) {
        long status = PyLong_AsLong(code);
        PyErr_Clear();
        return (int)status;
    }
    struct pyb_stdstream out;
    pyb_stdstream_open(&out, 0);
    pyb_errors_write_text(PyObject_Str, code, "<code str() failed>", &out);
    fputc('\n', out.file);
    pyb_stdstream_close(&out);
    return EXIT_FAILURE;
}

static void _Py_NO_RETURN
end_process(PyObject *system_exit)
{
    PySystemExitObject *self = (PySystemExitObject *)(void *)system_exit;

    PYB_ASSERT_OBJECT(
        PyErr_GivenExceptionMatches(system_exit, PyExc_SystemExit),
        system_exit);
    fflush(stdout);
    int status = exit_status(self->code);
    Py_DECREF(system_exit);
    Py_FinalizeEx();
    exit(status);
}

/* Sets sys.last_exc and its three parts, which CPython had before 3.12. */
static void
remember(PyObject *exception)
{
    PyObject *type = (PyObject *)Py_TYPE(exception);
    PyObject *traceback = PyException_GetTraceback(exception);

    if (PySys_SetObject("last_exc", exception) < 0 ||
        PySys_SetObject("last_type", type) < 0 ||
        PySys_SetObject("last_value", exception) < 0 ||
        PySys_SetObject("last_traceback", traceback ? traceback : Py_None) < 0)
        PyErr_Clear();
    Py_XDECREF(traceback);
}

void
PyErr_PrintEx(int set_sys_last_vars)
{
    PyObject *exception = PyErr_GetRaisedException();

    if (exception == NULL)
        return;
    if (PyErr_GivenExceptionMatches(exception, PyExc_SystemExit))
        end_process(exception);
    if (set_sys_last_vars)
        remember(exception);
    PyErr_DisplayException(exception);
    Py_DECREF(exception);
}

void
PyErr_Print(void)
{
    PyErr_PrintEx(1);
}
