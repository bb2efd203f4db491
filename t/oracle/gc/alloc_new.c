/* alloc_new.c: a container's life by hand: made, tracked, untracked, freed.
   Manual: "PyObject_GC_New", "PyObject_GC_Track", "PyObject_GC_UnTrack",
   "PyObject_GC_Del". */

#include "oracle.h"

struct box {
    PyObject_HEAD
    PyObject *content;
};

static int
box_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct box *)op)->content);
    return 0;
}

static void
box_dealloc(PyObject *op)
{
    state("in dealloc", op);
    PyObject_GC_UnTrack(op);
    state("untracked", op);
    Py_CLEAR(((struct box *)op)->content);
    PyObject_GC_Del(op);
}

static PyTypeObject Box_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Box",
    .tp_basicsize = sizeof(struct box),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = box_dealloc,
    .tp_traverse = box_traverse,
};

/* A box that was never tracked is freed without its deallocator. */
static void
never_tracked(void)
{
    struct box *box = need(PyObject_GC_New(struct box, &Box_Type));

    state("raw", (PyObject *)box);
    PyObject_GC_Del(box);
    say("freed");
}

static void
tracked(void)
{
    struct box *box = need(PyObject_GC_New(struct box, &Box_Type));

    say("the type is %s", Py_TYPE(box)->tp_name);
    say("is a container: %d", PyObject_IS_GC((PyObject *)box));
    box->content = need(PyUnicode_FromString("content"));
    state("new", (PyObject *)box);
    PyObject_GC_Track((PyObject *)box);
    state("tracked", (PyObject *)box);
    Py_INCREF(box);
    state("referred to twice", (PyObject *)box);
    Py_DECREF(box);
    collect();
    Py_DECREF(box);
    say("gone");
}

void
oracle_program(void)
{
    need_ready(&Box_Type);
    never_tracked();
    tracked();
    collect();
}
