/* context.c: contexts, and which of them is a thread's current one.

   Manual: "Context Variables Objects". */

#include "Python.h"

#include "object/error/errors.h"
#include "runtime/threadstate.h"
#include "types/context/context.h"

/* ------------------------------------------------------------------ */
/* Making them                                                         */

static PyObject *
new_context(PyObject *vars)
{
    PyContext *ctx = PyObject_GC_New(PyContext, &PyContext_Type);

    if (ctx == NULL)
        return NULL;
    ctx->prev = NULL;
    ctx->vars = Py_XNewRef(vars);
    ctx->weaklist = NULL;
    ctx->entered = 0;
    PyObject_GC_Track((PyObject *)ctx);
    return (PyObject *)ctx;
}

PyObject *
PyContext_New(void)
{
    return new_context(NULL);
}

/* 0, or -1 with TypeError. */
static int
check(PyObject *op)
{
    if (op != NULL && PyContext_CheckExact(op))
        return 0;
    return pyb_fail(PyExc_TypeError, "an instance of Context was expected");
}

PyObject *
PyContext_Copy(PyObject *ctx)
{
    return check(ctx) < 0 ? NULL : new_context(PYB_CONTEXT(ctx)->vars);
}

PyObject *
PyContext_CopyCurrent(void)
{
    PyObject *ctx = pyb_context_current();

    return ctx == NULL ? NULL : PyContext_Copy(ctx);
}

/* ------------------------------------------------------------------ */
/* Values                                                              */

PyObject *
pyb_context_find(PyObject *ctx, PyObject *var)
{
    PyObject *vars = ctx == NULL ? NULL : PYB_CONTEXT(ctx)->vars;

    PYB_ASSERT_OBJECT(PyContextVar_CheckExact(var), var);
    return vars == NULL ? NULL : PyDict_GetItemWithError(vars, var);
}

/* A dict for the context to change, a new reference: its own if nothing else
   refers to it, else a copy, for what does, another context or an iterator,
   keeps what is in it now. */
static PyObject *
take_vars(PyContext *ctx)
{
    if (ctx->vars == NULL)
        return PyDict_New();
    if (Py_REFCNT(ctx->vars) == 1)
        return Py_NewRef(ctx->vars);
    return PyDict_Copy(ctx->vars);
}

static int
change(PyObject *vars, PyObject *var, PyObject *value)
{
    return value == NULL ? PyDict_DelItem(vars, var)
                         : PyDict_SetItem(vars, var, value);
}

/* A collection in the middle may run code that changes the context as well;
   the dict is then another one, and the change is made in that. */
int
pyb_context_set(PyObject *op, PyObject *var, PyObject *value)
{
    PyContext *ctx = PYB_CONTEXT(op);

    if (value == NULL && pyb_context_find(op, var) == NULL) {
        PyErr_SetObject(PyExc_LookupError, var);
        return -1;
    }
    for (;;) {
        PyObject *before = ctx->vars, *vars = take_vars(ctx);
        if (vars == NULL || change(vars, var, value) < 0) {
            Py_XDECREF(vars);
            return -1;
        }
        if (ctx->vars == before) {
            Py_XSETREF(ctx->vars, vars);
            return 0;
        }
        Py_DECREF(vars);
    }
}

/* ------------------------------------------------------------------ */
/* Watchers                                                            */

enum { WATCHERS = 8 };
static PyContext_WatchCallback watchers[WATCHERS];

int
PyContext_AddWatcher(PyContext_WatchCallback callback)
{
    for (int i = 0; i < WATCHERS; i++)
        if (watchers[i] == NULL) {
            watchers[i] = callback;
            return i;
        }
    return pyb_fail(PyExc_RuntimeError,
                    "no more context watcher IDs available");
}

int
PyContext_ClearWatcher(int watcher_id)
{
    if (watcher_id < 0 || watcher_id >= WATCHERS)
        return pyb_failf(PyExc_ValueError, "Invalid context watcher ID %d",
                         watcher_id);
    if (watchers[watcher_id] == NULL)
        return pyb_failf(PyExc_ValueError, "No context watcher set for ID %d",
                         watcher_id);
    watchers[watcher_id] = NULL;
    return 0;
}

void
pyb_context_fini(void)
{
    memset(watchers, 0, sizeof watchers);
}

/* Tells the watchers of the context that is current now. */
static void
notify(void)
{
    PyObject *ctx = pyb_context_peek(), *saved = NULL;
    PyObject *now = Py_NewRef(ctx == NULL ? Py_None : ctx);
    int any = 0;

    for (int i = 0; i < WATCHERS; i++) {
        if (watchers[i] == NULL)
            continue;
        if (!any)
            saved = PyErr_GetRaisedException();
        any = 1;
        if (watchers[i](Py_CONTEXT_SWITCHED, now) < 0)
            PyErr_FormatUnraisable("Exception ignored in Py_CONTEXT_SWITCHED "
                                   "watcher callback for %R",
                                   now);
    }
    if (any)
        PyErr_SetRaisedException(saved);
    Py_DECREF(now);
}

/* ------------------------------------------------------------------ */
/* The current one                                                     */

/* Where the attached thread state has it; owned. */
static PyObject **
current(void)
{
    return &PyThreadState_Get()->context;
}

PyObject *
pyb_context_peek(void)
{
    return *current();
}

PyObject *
pyb_context_current(void)
{
    if (*current() == NULL) {
        PyObject *ctx = PyContext_New();
        /* Making it may have run code that needed one, too. */
        if (*current() == NULL)
            *current() = ctx;
        else
            Py_XDECREF(ctx);
    }
    return *current();
}

int
PyContext_Enter(PyObject *op)
{
    if (check(op) < 0)
        return -1;
    PyContext *ctx = PYB_CONTEXT(op);
    if (ctx->entered)
        return pyb_failf(PyExc_RuntimeError,
                         "cannot enter context: %R is already entered", op);
    PYB_ASSERT_OBJECT(ctx->prev == NULL, op);
    ctx->prev = *current();
    ctx->entered = 1;
    *current() = Py_NewRef(op);
    notify();
    return 0;
}

int
PyContext_Exit(PyObject *op)
{
    if (check(op) < 0)
        return -1;
    PyContext *ctx = PYB_CONTEXT(op);
    if (!ctx->entered)
        return pyb_failf(PyExc_RuntimeError,
                         "cannot exit context: %R has not been entered", op);
    if (*current() != op)
        return pyb_fail(PyExc_RuntimeError,
                        "cannot exit context: thread state references a "
                        "different context object");
    *current() = ctx->prev;
    ctx->prev = NULL;
    ctx->entered = 0;
    notify();
    Py_DECREF(op);
    return 0;
}

/* ------------------------------------------------------------------ */
/* The type                                                            */

static PyObject *
context_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) > 0 ||
        (kwargs != NULL && PyDict_Size(kwargs) > 0))
        return pyb_raise(PyExc_TypeError,
                         "Context() does not accept any arguments");
    return PyContext_New();
}

static int
context_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(PYB_CONTEXT(op)->prev);
    Py_VISIT(PYB_CONTEXT(op)->vars);
    return 0;
}

static int
context_clear(PyObject *op)
{
    Py_CLEAR(PYB_CONTEXT(op)->prev);
    Py_CLEAR(PYB_CONTEXT(op)->vars);
    return 0;
}

static void
context_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_ClearWeakRefs(op);
    context_clear(op);
    PyObject_GC_Del(op);
}

PyTypeObject PyContext_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "_contextvars.Context",
    .tp_basicsize = sizeof(PyContext),
    .tp_dealloc = context_dealloc,
    .tp_as_sequence = &pyb_context_sequence,
    .tp_as_mapping = &pyb_context_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = context_traverse,
    .tp_clear = context_clear,
    .tp_richcompare = pyb_context_richcompare,
    .tp_weaklistoffset = offsetof(PyContext, weaklist),
    .tp_iter = pyb_context_iter,
    .tp_methods = pyb_context_methods,
    .tp_new = context_new,
};
