/* track_is_gc.c: a type may say of each of its objects whether it is a
   container.
   Manual: "PyObject_IS_GC"; "Type Objects", "tp_is_gc". */

#include "oracle.h"

struct half {
    PyObject_HEAD
    int is_container;
};

static int asked;

static int
half_is_gc(PyObject *op)
{
    asked++;
    return ((struct half *)op)->is_container;
}

static int
half_traverse(PyObject *op, visitproc visit, void *arg)
{
    return visit(Py_None, arg);
}

static PyTypeObject Half_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Half",
    .tp_basicsize = sizeof(struct half),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_traverse = half_traverse,
    .tp_is_gc = half_is_gc,
};

/* Inherits tp_is_gc. */
static PyTypeObject Quarter_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Quarter",
    .tp_basicsize = sizeof(struct half),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_base = &Half_Type,
};

static struct half static_half, static_quarter;

static void
tell(const char *label, void *op)
{
    say("%s: the type %d, the object %d", label, PyType_IS_GC(Py_TYPE(op)),
        PyObject_IS_GC(op) != 0);
}

/* Static objects stand where no collector put them. */
static void
tell_static(const char *label, struct half *op)
{
    tell(label, op);
    state("    it", (PyObject *)op);
    show("    its referents", gc_call("get_referents", "(O)", op));
    show("    gc.is_tracked", gc_call("is_tracked", "(O)", op));
    show("    gc.is_finalized", gc_call("is_finalized", "(O)", op));
}

void
oracle_program(void)
{
    struct half *half;

    need_ready(&Half_Type);
    need_ready(&Quarter_Type);
    PyObject_Init((PyObject *)&static_half, &Half_Type);
    PyObject_Init((PyObject *)&static_quarter, &Quarter_Type);
    tell_static("static", &static_half);
    tell_static("static, inherited", &static_quarter);
    half = need(PyObject_GC_New(struct half, &Half_Type));
    half->is_container = 1;
    tell("allocated", half);
    PyObject_GC_Track((PyObject *)half);
    state("    it", (PyObject *)half);
    show("    its referents", gc_call("get_referents", "(O)", half));
    PyObject_GC_UnTrack(half);
    PyObject_GC_Del(half);
    say("tp_is_gc was asked: %d", asked > 0);

    tell("None", Py_None);
    tell("int", &PyLong_Type);
    tell("oracle.Half", &Half_Type);
    tell("str", need(PyUnicode_FromString("x")));
    tell("list", need(PyList_New(0)));
}
