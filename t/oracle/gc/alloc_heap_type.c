/* alloc_heap_type.c: each instance of a heap type owns a reference to it,
   however it is made; a static type has no such references.
   Manual: "PyObject_GC_New", "PyType_GenericAlloc", "Traversal": "Instances of
   heap-allocated types hold a reference to their type". */

#include "oracle.h"

static int
thing_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return 0;
}

static void
thing_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);

    if (PyType_IS_GC(type))
        PyObject_GC_UnTrack(op);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot container_slots[] = {
    {Py_tp_traverse, thing_traverse},
    {Py_tp_dealloc, thing_dealloc},
    {0, NULL},
};
static PyType_Spec container_spec = {
    .name = "oracle.Container",
    .basicsize = sizeof(PyVarObject),
    .itemsize = 8,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = container_slots,
};

static PyType_Slot plain_slots[] = {
    {Py_tp_dealloc, thing_dealloc},
    {0, NULL},
};
static PyType_Spec plain_spec = {
    .name = "oracle.Plain",
    .basicsize = sizeof(PyVarObject),
    .itemsize = 8,
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = plain_slots,
};

static Py_ssize_t before;

static void
tell(const char *label, PyTypeObject *type)
{
    say("%s: %+ld", label, (long)(Py_REFCNT((PyObject *)type) - before));
}

static void
containers(PyTypeObject *type)
{
    PyObject *made[4];

    before = Py_REFCNT((PyObject *)type);
    made[0] = need(PyObject_GC_New(PyObject, type));
    tell("PyObject_GC_New", type);
    Py_SET_SIZE((PyVarObject *)made[0], 0);
    made[1] = need(PyObject_GC_NewVar(PyObject, type, 3));
    tell("PyObject_GC_NewVar", type);
    made[2] = need(PyType_GenericAlloc(type, 3));
    tell("PyType_GenericAlloc", type);
    made[3] = need(PyObject_CallNoArgs((PyObject *)type));
    tell("a call", type);
    made[1] = need(PyObject_GC_Resize(PyObject, (PyVarObject *)made[1], 50));
    tell("PyObject_GC_Resize", type);
    for (int i = 0; i < 4; i++) {
        Py_DECREF(made[i]);
        tell("freed", type);
    }
}

static void
plain_ones(PyTypeObject *type)
{
    PyObject *made[4];

    before = Py_REFCNT((PyObject *)type);
    made[0] = need(PyObject_New(PyObject, type));
    tell("PyObject_New", type);
    made[1] = need(PyObject_NewVar(PyObject, type, 3));
    tell("PyObject_NewVar", type);
    made[2] = need(PyObject_Init(PyObject_Malloc(64), type));
    tell("PyObject_Init", type);
    made[3] = need(PyObject_InitVar(PyObject_Malloc(64), type, 2));
    tell("PyObject_InitVar", type);
    for (int i = 0; i < 4; i++) {
        Py_DECREF(made[i]);
        tell("freed", type);
    }
}

void
oracle_program(void)
{
    PyObject *container = need(PyType_FromSpec(&container_spec));
    PyObject *plain = need(PyType_FromSpec(&plain_spec));

    containers((PyTypeObject *)container);
    plain_ones((PyTypeObject *)plain);
    drop_all(container, plain);
    collect();
}
