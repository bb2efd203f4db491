/* limits.c: limits MEGABYTES: makes containers that hold themselves, with no
   collection meanwhile, until an address space of so much is exhausted; then
   collects them.

   The API of Python alone: the same source on pyboehm and on CPython. */

#include <Python.h>

#include <sys/resource.h>

struct self {
    PyObject_HEAD
    PyObject *self, *unused;
};

static long finalized, freed;

static int
self_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((struct self *)op)->self);
    return 0;
}

static int
self_clear(PyObject *op)
{
    Py_CLEAR(((struct self *)op)->self);
    return 0;
}

static void
self_finalize(PyObject *Py_UNUSED(op))
{
    finalized++;
}

static void
self_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    freed++;
    PyObject_GC_Del(op);
}

static PyTypeObject self_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "limits.Self",
    .tp_basicsize = sizeof(struct self),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = self_traverse,
    .tp_clear = self_clear,
    .tp_finalize = self_finalize,
    .tp_dealloc = self_dealloc,
};

static long
fill(void)
{
    struct self *op;
    long made = 0;

    while ((op = PyObject_GC_New(struct self, &self_type)) != NULL) {
        op->self = (PyObject *)op;
        op->unused = NULL;
        PyObject_GC_Track((PyObject *)op);
        made++;
    }
    PyErr_Clear();
    return made;
}

int
main(int argc, char **argv)
{
    rlim_t bytes = argc == 2 ? strtoul(argv[1], NULL, 10) << 20 : 0;
    struct rlimit limit = {bytes, bytes};

    if (bytes == 0 || setrlimit(RLIMIT_AS, &limit) != 0)
        return 2;
    Py_Initialize();
    PyType_Ready(&self_type);
    PyGC_Collect();
    PyGC_Disable();
    long made = fill();
    PyGC_Enable();
    Py_ssize_t collected = PyGC_Collect(), then = PyGC_Collect();
    printf("made %ld collected %zd finalized %ld freed %ld then %zd\n", made,
           collected, finalized, freed, then);
    fflush(stdout);
    Py_Finalize();
    return 0;
}
