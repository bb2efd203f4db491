/* frame.c: frames: a code object and the globals that an exception passes.

   Manual: "Frame Objects". */

#include "Python.h"

#include "frameobject.h"
#include "structmember.h"

#include "object/error/errors.h"

struct _frame {
    PyObject ob_base;
    PyCodeObject *f_code;
    PyObject *f_globals;
};

PyFrameObject *
PyFrame_New(PyThreadState *Py_UNUSED(tstate), PyCodeObject *code,
            PyObject *globals, PyObject *Py_UNUSED(locals))
{
    if (code == NULL || !PyCode_Check(code) || globals == NULL ||
        !PyDict_Check(globals))
        return PYB_BAD_CALL(NULL);
    PyFrameObject *frame = PyObject_GC_New(PyFrameObject, &PyFrame_Type);
    if (frame == NULL)
        return NULL;
    frame->f_code = (PyCodeObject *)Py_NewRef(code);
    frame->f_globals = Py_NewRef(globals);
    PyObject_GC_Track((PyObject *)frame);
    return frame;
}

static void
frame_dealloc(PyObject *op)
{
    PyFrameObject *frame = (PyFrameObject *)op;

    PyObject_GC_UnTrack(op);
    Py_DECREF(frame->f_code);
    Py_XDECREF(frame->f_globals);
    PyObject_GC_Del(op);
}

static int
frame_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((PyFrameObject *)op)->f_code);
    Py_VISIT(((PyFrameObject *)op)->f_globals);
    return 0;
}

/* The code object refers to nothing and stays: PyFrame_GetCode has it for as
   long as there is a frame. */
static int
frame_clear(PyObject *op)
{
    Py_CLEAR(((PyFrameObject *)op)->f_globals);
    return 0;
}

/* 1, or 0 with SystemError. */
static int
check_frame(PyFrameObject *frame)
{
    return frame != NULL && PyFrame_Check(frame) ? 1 : PYB_BAD_CALL(0);
}

PyCodeObject *
PyFrame_GetCode(PyFrameObject *frame)
{
    return check_frame(frame) ? (PyCodeObject *)Py_NewRef(frame->f_code)
                              : NULL;
}

int
PyFrame_GetLineNumber(PyFrameObject *frame)
{
    return check_frame(frame) ? frame->f_code->co_firstlineno : -1;
}

PyObject *
PyFrame_GetGlobals(PyFrameObject *frame)
{
    return check_frame(frame) ? Py_XNewRef(frame->f_globals) : NULL;
}

PyObject *
PyFrame_GetBuiltins(PyFrameObject *frame)
{
    return check_frame(frame) ? PyEval_GetFrameBuiltins() : NULL;
}

PyObject *
PyFrame_GetLocals(PyFrameObject *frame)
{
    return check_frame(frame) ? PyDict_New() : NULL;
}

PyFrameObject *
PyFrame_GetBack(PyFrameObject *frame)
{
    check_frame(frame);
    return NULL;
}

PyObject *
PyFrame_GetGenerator(PyFrameObject *frame)
{
    check_frame(frame);
    return NULL;
}

int
PyFrame_GetLasti(PyFrameObject *frame)
{
    check_frame(frame);
    return -1;
}

static PyObject *
get_lineno(PyObject *op, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(PyFrame_GetLineNumber((PyFrameObject *)op));
}

static PyGetSetDef frame_getset[] = {
    {"f_lineno", get_lineno, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef frame_members[] = {
    {"f_code", _Py_T_OBJECT, offsetof(PyFrameObject, f_code), Py_READONLY,
     NULL},
    {"f_globals", _Py_T_OBJECT, offsetof(PyFrameObject, f_globals),
     Py_READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PyFrame_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "frame",
    .tp_basicsize = sizeof(PyFrameObject),
    .tp_dealloc = frame_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = PyDoc_STR("A place that an exception passed."),
    .tp_traverse = frame_traverse,
    .tp_clear = frame_clear,
    .tp_members = frame_members,
    .tp_getset = frame_getset,
};

/* ------------------------------------------------------------------ */
/* Types without objects                                               */

/* Modules ask whether something is of them. */
#define WITHOUT_OBJECTS(TYPE, NAME, TEXT)                                     \
    PyTypeObject TYPE = {                                                     \
        PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = NAME,                \
        .tp_basicsize = sizeof(PyObject),                                     \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,   \
        .tp_doc = PyDoc_STR(TEXT),                                            \
    }

WITHOUT_OBJECTS(PyFunction_Type, "function",
                "Functions written in Python; there are none.");
WITHOUT_OBJECTS(PyGen_Type, "generator", "Generators; there are none.");
WITHOUT_OBJECTS(PyCoro_Type, "coroutine", "Coroutines; there are none.");
WITHOUT_OBJECTS(PyAsyncGen_Type, "async_generator",
                "Asynchronous generators; there are none.");
WITHOUT_OBJECTS(PyTraceBack_Type, "traceback",
                "Tracebacks; exceptions have none.");
