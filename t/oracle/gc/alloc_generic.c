/* alloc_generic.c: what tp_alloc and tp_new give by default: zeroed memory
   that is tracked already if the type is a container.
   Manual: "PyType_GenericAlloc", "PyType_GenericNew". */

#include "oracle.h"

struct body {
    PyObject_VAR_HEAD
    unsigned char bytes[40];
};

static int
body_traverse(PyObject *op, visitproc visit, void *arg)
{
    return 0;
}

#define PLAIN (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE)

static PyTypeObject Plain_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Plain",
    .tp_basicsize = sizeof(struct body),
    .tp_itemsize = 8,
    .tp_flags = PLAIN,
    .tp_new = PyType_GenericNew,
};

static PyTypeObject Container_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Container",
    .tp_basicsize = sizeof(struct body),
    .tp_itemsize = 8,
    .tp_flags = PLAIN | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = body_traverse,
    .tp_new = PyType_GenericNew,
};

static int
is_zero(PyObject *op, Py_ssize_t n)
{
    const unsigned char *bytes = ((struct body *)op)->bytes;

    for (size_t i = 0; i < sizeof(struct body) - offsetof(struct body, bytes) +
                               8 * (size_t)n;
         i++)
        if (bytes[i] != 0)
            return 0;
    return 1;
}

static void
end(PyObject *op)
{
    if (PyObject_IS_GC(op))
        PyObject_GC_UnTrack(op);
    Py_TYPE(op)->tp_free(op);
}

/* Fills an object and frees it, so that the next one may get its memory. */
static void
dirty(PyTypeObject *type, Py_ssize_t n)
{
    PyObject *op = need(PyType_GenericAlloc(type, n));

    memset(((struct body *)op)->bytes, 0xa5,
           sizeof(struct body) - offsetof(struct body, bytes) + 8 * (size_t)n);
    end(op);
}

static void
by_alloc(PyTypeObject *type, Py_ssize_t n)
{
    PyObject *op;

    dirty(type, n);
    op = need(PyType_GenericAlloc(type, n));
    state(type->tp_name, op);
    say("    %ld items, ob_size %ld, zero: %d", (long)n, (long)Py_SIZE(op),
        is_zero(op, n));
    end(op);
}

static void
by_call(PyTypeObject *type)
{
    PyObject *op = need(PyObject_CallNoArgs((PyObject *)type));

    state("called", op);
    say("    ob_size %ld, zero: %d", (long)Py_SIZE(op), is_zero(op, 0));
    end(op);
}

void
oracle_program(void)
{
    PyTypeObject *types[] = {&Plain_Type, &Container_Type};

    for (int i = 0; i < 2; i++) {
        need_ready(types[i]);
        say("%s: tp_alloc is generic: %d, tp_free is %s", types[i]->tp_name,
            types[i]->tp_alloc == PyType_GenericAlloc,
            types[i]->tp_free == PyObject_GC_Del ? "PyObject_GC_Del"
            : types[i]->tp_free == PyObject_Free ? "PyObject_Free"
                                                 : "another");
        by_alloc(types[i], 0);
        by_alloc(types[i], 7);
        by_alloc(types[i], 300);
        by_call(types[i]);
    }
    show("too many",
         PyType_GenericAlloc(&Container_Type, PY_SSIZE_T_MAX / 8 - 10));
}
