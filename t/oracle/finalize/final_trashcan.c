/* final_trashcan.c: chains so deep that freeing them in nested calls would
   overflow the stack; all are freed, each once, and finalized before.
   Manual: "Py_TRASHCAN_BEGIN", "Py_TRASHCAN_END". */

#include "oracle.h"

#include <sys/resource.h>

/* The main thread's stack may not grow beyond this. */
enum { STACK = 512 * 1024 };

struct link {
    PyObject_HEAD
    PyObject *next;
};

static long finalized, freed;

static int
link_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct link *)op)->next);
    return 0;
}

static int
link_clear(PyObject *op)
{
    Py_CLEAR(((struct link *)op)->next);
    return 0;
}

static void
link_finalize(PyObject *op)
{
    finalized++;
}

static void
link_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_TRASHCAN_BEGIN(op, link_dealloc);
    freed++;
    link_clear(op);
    PyObject_GC_Del(op);
    Py_TRASHCAN_END;
}

static void
final_dealloc(PyObject *op)
{
    if (PyObject_CallFinalizerFromDealloc(op) < 0)
        return;
    PyObject_GC_UnTrack(op);
    Py_TRASHCAN_BEGIN(op, final_dealloc);
    freed++;
    link_clear(op);
    PyObject_GC_Del(op);
    Py_TRASHCAN_END;
}

static PyTypeObject Link_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Link",
    .tp_basicsize = sizeof(struct link),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = link_dealloc,
    .tp_traverse = link_traverse,
    .tp_clear = link_clear,
};

static PyTypeObject FinalLink_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.FinalLink",
    .tp_basicsize = sizeof(struct link),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = final_dealloc,
    .tp_traverse = link_traverse,
    .tp_clear = link_clear,
    .tp_finalize = link_finalize,
};

/* The head of a chain of n; *last is its other end. */
static PyObject *
chain(PyTypeObject *type, long n, PyObject **last)
{
    PyObject *head = NULL;

    finalized = freed = 0;
    for (long i = 0; i < n; i++) {
        struct link *link = need(PyType_GenericAlloc(type, 0));

        link->next = head;
        head = (PyObject *)link;
        if (i == 0)
            *last = head;
    }
    return head;
}

static void
tell(const char *label)
{
    say("%s: %ld finalized, %ld freed", label, finalized, freed);
}

static void
try(PyTypeObject *type, long n)
{
    PyObject *last, *head = chain(type, n, &last);

    say("%s, %ld:", type->tp_name, n);
    Py_DECREF(head);
    tell("    a chain");
    head = chain(type, n, &last);
    ((struct link *)last)->next = head;
    tell("    a ring");
    collect();
    tell("    a ring, collected");
}

static void
mixed(long n)
{
    PyObject *op = (PyObject *)actor_new(&Actor_Type, "innermost");

    say("lists, tuples and dicts, %ld deep:", n);
    for (long i = 0; i < n; i++) {
        PyObject *outer = i % 3 == 0   ? Py_BuildValue("[N]", op)
                          : i % 3 == 1 ? Py_BuildValue("(N)", op)
                                       : Py_BuildValue("{sN}", "next", op);
        op = need(outer);
    }
    Py_DECREF(op);
}

void
oracle_program(void)
{
    struct rlimit stack;

    need_ready(&Link_Type);
    need_ready(&FinalLink_Type);
    if (getrlimit(RLIMIT_STACK, &stack) < 0)
        need(NULL);
    stack.rlim_cur = STACK;
    if (setrlimit(RLIMIT_STACK, &stack) < 0)
        need(NULL);
    try(&Link_Type, 3);
    try(&Link_Type, 200000);
    try(&FinalLink_Type, 3);
    try(&FinalLink_Type, 10000);
    mixed(100000);
}
