/* unraisable.c: reports exceptions that cannot be raised: those of finalizers,
   tp_clear and weak reference callbacks. */

#include "Python.h"
#include "gc/base/fatal.h"
#include "pyboehm.h"

#include "gc/base/ownlibrary.h"
#include "gc/control.h"
#include "object/error/errors.h"
#include "object/error/unraisable.h"
#include "object/module/stdstream.h"

/* One report; all is borrowed, message and object may be NULL. */
struct report {
    PyObject *exception;
    const char *message;
    PyObject *object;
};

static void (*c_hook)(PyObject *, const char *, PyObject *, void *);

void
PyBoehm_SetUnraisableHook(void (*hook)(PyObject *exception,
                                       const char *message, PyObject *object,
                                       void *arg),
                          void *arg)
{
    pyb_control_require(__func__);
    c_hook = hook;
    pyb_host_words.unraisable_hook = arg;
}

void
pyb_unraisable_fini(void)
{
    c_hook = NULL;
    pyb_host_words.unraisable_hook = NULL;
}

/* ------------------------------------------------------------------ */
/* The hooks' argument in sys                                          */

typedef struct {
    PyObject_HEAD
    PyObject *exc_type;
    PyObject *exc_value;
    PyObject *exc_traceback;
    PyObject *err_msg;
    PyObject *object;
} hookargs;

#define IS_HOOKARGS(op) Py_IS_TYPE(op, &pyb_unraisable_args_type)
#define HOOKARGS(op) PYB_CAST(hookargs, IS_HOOKARGS, op)

static int
hookargs_traverse(PyObject *op, visitproc visit, void *arg)
{
    hookargs *self = HOOKARGS(op);

    Py_VISIT(self->exc_type);
    Py_VISIT(self->exc_value);
    Py_VISIT(self->exc_traceback);
    Py_VISIT(self->err_msg);
    Py_VISIT(self->object);
    return 0;
}

static int
hookargs_clear(PyObject *op)
{
    hookargs *self = HOOKARGS(op);

    Py_CLEAR(self->exc_type);
    Py_CLEAR(self->exc_value);
    Py_CLEAR(self->exc_traceback);
    Py_CLEAR(self->err_msg);
    Py_CLEAR(self->object);
    return 0;
}

static void
hookargs_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    hookargs_clear(op);
    PyObject_GC_Del(op);
}

#define MEMBER(FIELD)                                                         \
    {                                                                         \
#FIELD, _Py_T_OBJECT, offsetof(hookargs, FIELD), Py_READONLY, NULL    \
    }
static PyMemberDef hookargs_members[] = {
    MEMBER(exc_type), MEMBER(exc_value), MEMBER(exc_traceback),
    MEMBER(err_msg),  MEMBER(object),    {NULL, 0, 0, 0, NULL},
};

PyTypeObject pyb_unraisable_args_type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "UnraisableHookArgs",
    .tp_basicsize = sizeof(hookargs),
    .tp_dealloc = hookargs_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = PyDoc_STR("What sys.unraisablehook is called with."),
    .tp_traverse = hookargs_traverse,
    .tp_clear = hookargs_clear,
    .tp_members = hookargs_members,
};

/* A new reference, or NULL with an exception. */
static PyObject *
hookargs_new(const struct report *report)
{
    PyObject *message = NULL;
    if (report->message != NULL) {
        message = PyUnicode_FromString(report->message);
        if (message == NULL)
            return NULL;
    }
    hookargs *self = PyObject_GC_New(hookargs, &pyb_unraisable_args_type);
    if (self == NULL) {
        Py_XDECREF(message);
        return NULL;
    }
    self->exc_type = Py_NewRef(Py_TYPE(report->exception));
    self->exc_value = Py_NewRef(report->exception);
    self->exc_traceback = PyException_GetTraceback(report->exception);
    self->err_msg = message;
    self->object = Py_XNewRef(report->object);
    PyObject_GC_Track((PyObject *)self);
    return (PyObject *)self;
}

/* ------------------------------------------------------------------ */
/* Reporting.  Each function begins and ends without a pending exception,
   unless it says otherwise.                                           */

static void
write_report(const struct report *report)
{
    PyObject *object = report->object == Py_None ? NULL : report->object;
    const char *message = report->message;
    struct pyb_stdstream out;

    PYB_ASSERT(report->exception != NULL && PyErr_Occurred() == NULL);
    pyb_stdstream_open(&out, 1);
    if (object != NULL) {
        fprintf(out.file, "%s: ", message ? message : "Exception ignored in");
        pyb_errors_write_text(PyObject_Repr, object, "<object repr() failed>",
                              &out);
        fputc('\n', out.file);
    } else if (message != NULL) {
        fprintf(out.file, "%s:\n", message);
    }
    pyb_errors_write(report->exception, report->exception, &out);
    pyb_stdstream_close(&out);
}

/* The hook in sys; a new reference, or NULL.  PySys_GetObject would report its
   own lack of memory here, without end. */
static PyObject *
find_sys_hook(void)
{
    PyObject *hook;

    if (PySys_GetOptionalAttrString("unraisablehook", &hook) < 0)
        PyErr_Clear();
    if (hook == Py_None)
        Py_CLEAR(hook);
    return hook;
}

/* Leaves the hook's exception, if it fails. */
static void
call_sys_hook(PyObject *hook, const struct report *report)
{
    PyObject *args = hookargs_new(report);
    if (args == NULL)
        return;
    PyObject *result = PyObject_CallOneArg(hook, args);
    Py_XDECREF(result);
    Py_DECREF(args);
}

static void
send_report(const struct report *report)
{
    PyObject *hook = find_sys_hook();

    PYB_ASSERT(report->exception != NULL && PyErr_Occurred() == NULL);
    if (hook != NULL)
        call_sys_hook(hook, report);
    else if (c_hook != NULL)
        c_hook(report->exception, report->message, report->object,
               pyb_host_words.unraisable_hook);
    else
        write_report(report);

    PyObject *failure = PyErr_GetRaisedException();
    if (failure != NULL) {
        write_report(&(struct report){
            .exception = failure,
            .message = "Exception ignored in sys.unraisablehook",
            .object = hook,
        });
        Py_DECREF(failure);
    }
    Py_XDECREF(hook);
}

void
PyErr_WriteUnraisable(PyObject *obj)
{
    PyObject *exception = PyErr_GetRaisedException();

    if (exception == NULL)
        return;
    send_report(&(struct report){.exception = exception, .object = obj});
    Py_DECREF(exception);
}

void
PyErr_FormatUnraisable(const char *format, ...)
{
    PyObject *exception = PyErr_GetRaisedException();
    if (exception == NULL)
        return;

    PyObject *text = NULL;
    if (format != NULL) {
        va_list vargs;
        va_start(vargs, format);
        text = PyUnicode_FromFormatV(format, vargs);
        va_end(vargs);
    }
    const char *message = text != NULL ? PyUnicode_AsUTF8(text) : NULL;
    PyErr_Clear();
    if (message == NULL)
        message = format; /* without memory the message is not formatted */
    send_report(&(struct report){.exception = exception, .message = message});
    Py_XDECREF(text);
    Py_DECREF(exception);
}
