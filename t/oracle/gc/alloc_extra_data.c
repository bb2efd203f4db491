/* alloc_extra_data.c: bytes of one's own behind an object's body.  Since 3.12.
   Manual: "PyUnstable_Object_GC_NewWithExtraData": "The allocated memory is
   initialized to zeros, except for the Python object header".  Where the sum
   of the sizes is too large for a size_t, 3.13 makes a small object. */

#include "oracle.h"

#define FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE)

struct sack {
    PyObject_HEAD
    long body[3];
};

static int
sack_traverse(PyObject *op, visitproc visit, void *arg)
{
    return 0;
}

static void
sack_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    say("dealloc");
    PyObject_GC_Del(op);
}

static PyTypeObject Sack_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Sack",
    .tp_basicsize = sizeof(struct sack),
    .tp_flags = FLAGS,
    .tp_dealloc = sack_dealloc,
    .tp_traverse = sack_traverse,
};

static int
is_zero(PyObject *op, size_t extra)
{
    const unsigned char *byte = (unsigned char *)((struct sack *)op)->body;

    for (size_t i = 0; i < sizeof(long[3]) + extra; i++)
        if (byte[i] != 0)
            return 0;
    return 1;
}

/* Fills one and frees it, so that the next may get its memory. */
static void
dirty(size_t extra)
{
    PyObject *op =
        need(PyUnstable_Object_GC_NewWithExtraData(&Sack_Type, extra));

    memset(((struct sack *)op)->body, 0xa5, sizeof(long[3]) + extra);
    PyObject_GC_Del(op);
}

static void
with_extra(size_t extra)
{
    PyObject *op;

    dirty(extra);
    op = need(PyUnstable_Object_GC_NewWithExtraData(&Sack_Type, extra));
    say("%d bytes: %s, zero %d", (int)extra, Py_TYPE(op)->tp_name,
        is_zero(op, extra));
    state("new", op);
    memset((char *)op + Sack_Type.tp_basicsize, 0x5a, extra);
    PyObject_GC_Track(op);
    state("tracked", op);
    collect();
    Py_DECREF(op);
}

void
oracle_program(void)
{
    need_ready(&Sack_Type);
    with_extra(0);
    with_extra(1);
    with_extra(1000);
    show("too many", PyUnstable_Object_GC_NewWithExtraData(
                         &Sack_Type, (size_t)PY_SSIZE_T_MAX));
    show("still more",
         PyUnstable_Object_GC_NewWithExtraData(&Sack_Type, (size_t)-1));
}
