/* alloc_plain.c: objects of types that are no containers: never tracked, never
   finalized, whatever is asked of them.
   Manual: "PyObject_New", "PyObject_Free", "PyObject_IS_GC",
   "PyObject_GC_IsTracked". */

#include "oracle.h"

struct point {
    PyObject_HEAD
    long x, y;
};

static void
point_dealloc(PyObject *op)
{
    say("dealloc (%ld, %ld)", ((struct point *)op)->x,
        ((struct point *)op)->y);
    Py_TYPE(op)->tp_free(op);
}

static void
point_finalize(PyObject *op)
{
    say("finalize");
}

static PyTypeObject Point_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Point",
    .tp_basicsize = sizeof(struct point),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = point_dealloc,
};

static PyTypeObject FinalPoint_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.FinalPoint",
    .tp_basicsize = sizeof(struct point),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = point_dealloc,
    .tp_finalize = point_finalize,
};

static void
tell(const char *label, struct point *point)
{
    state(label, (PyObject *)point);
    say("    is a container: %d", PyObject_IS_GC((PyObject *)point));
}

/* An object that is no container has no mark that says it was finalized: its
   finalizer is called as often as one asks. */
static void
finalized(void)
{
    struct point *point = need(PyObject_New(struct point, &FinalPoint_Type));

    point->x = 5;
    point->y = 6;
    for (int i = 0; i < 2; i++) {
        PyObject_CallFinalizer((PyObject *)point);
        tell("finalizer called", point);
    }
    Py_DECREF(point);
}

void
oracle_program(void)
{
    struct point *made, *allocated;

    need_ready(&Point_Type);
    need_ready(&FinalPoint_Type);
    made = need(PyObject_New(struct point, &Point_Type));
    made->x = 1;
    made->y = 2;
    tell("PyObject_New", made);
    allocated = need(PyType_GenericAlloc(&Point_Type, 0));
    tell("PyType_GenericAlloc", allocated);
    say("    zero: %d", allocated->x == 0 && allocated->y == 0);
    collect();
    drop_all(made, allocated);
    finalized();
}
