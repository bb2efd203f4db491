/* gclink.c: the collector's ties to the object layer: its upcalls. */

#include "Python.h"

#include "gc/base/upcalls.h"
#include "gc/collect.h"
#include "object/error/errors.h"
#include "gclink.h"
#include "object/module/gcmodule.h"
#include "object/module/stdstream.h"
#include "object/type/subclasses.h"
#include "object/weakref/weakref.h"
#include "runtime/threadstate.h"
#include "types/acyclic.h"

static void
no_memory(void)
{
    PyErr_NoMemory();
}

static void
bad_internal_call(const char *file, int line)
{
    _PyErr_BadInternalCall(file, line);
}

static void
system_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    PyErr_FormatV(PyExc_SystemError, format, args);
    va_end(args);
}

static void
value_error(const char *text)
{
    PyErr_SetString(PyExc_ValueError, text);
}

static void
type_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    PyErr_FormatV(PyExc_TypeError, format, args);
    va_end(args);
}

static void
resource_warning(const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (PyErr_WarnEx(PyExc_ResourceWarning, text, 1) < 0)
        PyErr_WriteUnraisable(NULL);
}

static PyObject *
take_error(void)
{
    return PyErr_GetRaisedException();
}

static void
put_error(PyObject *error)
{
    PyErr_SetRaisedException(error);
}

static void
unraisable(const char *what, PyObject *op)
{
    if (op == NULL)
        PyErr_FormatUnraisable("Exception ignored in %s", what);
    else
        PyErr_FormatUnraisable("Exception ignored in %s of %s", what,
                               Py_TYPE(op)->tp_name);
}

static int
is_weakref(PyObject *op)
{
    return PyWeakref_Check(op);
}

/* From here on neither a weak reference nor the list of a type's subclasses
   leads to a dead object. */
static void
clear_dead(PyObject *op)
{
    if (PyType_Check(op))
        pyb_subclasses_leave((PyTypeObject *)op);
    pyb_weakref_clear_dead(op);
}

static void
print_repr(PyObject *op, FILE *file)
{
    PyObject *error = PyErr_GetRaisedException();
    PyObject *text = PyObject_Repr(op);
    const char *bytes = text != NULL ? PyUnicode_AsUTF8(text) : NULL;

    fputs(bytes != NULL ? bytes : "<no repr>", file);
    Py_XDECREF(text);
    PyErr_SetRaisedException(error);
}

int
pyb_gclink_init(void)
{
    pyb_upcalls = (struct pyb_upcalls){
        .no_memory = no_memory,
        .bad_internal_call = bad_internal_call,
        .system_error = system_error,
        .value_error = value_error,
        .type_error = type_error,
        .resource_warning = resource_warning,
        .take_error = take_error,
        .put_error = put_error,
        .pending = &pyb_threadstate_error,
        .unraisable = unraisable,
        .print_repr = print_repr,
        .weakref_list_ptr = pyb_weakref_list_ptr,
        .weakref_detach_callbacks = pyb_weakref_detach_callbacks,
        .weakref_run_callbacks = pyb_weakref_run_callbacks,
        .weakref_clear_dead = clear_dead,
        .is_weakref = is_weakref,
        .is_acyclic = pyb_acyclic_is,
        .keep_garbage = pyb_gcmodule_keep_garbage,
        .attach_for_deferred = pyb_threadstate_deferred,
        .write_stderr = pyb_stdstream_write_stderr,
    };
    return pyb_collect_init();
}

void
pyb_gclink_fini(void)
{
    pyb_gcmodule_fini();
    pyb_collect_fini();
}
