/* first.c: two objects that hold one another, and are collected. */
#include <Python.h>

typedef struct {
    PyObject_HEAD
    PyObject *peer;
} Node;

static int node_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((Node *)self)->peer);
    return 0;
}

static int node_clear(PyObject *self)
{
    Py_CLEAR(((Node *)self)->peer);
    return 0;
}

static void node_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    node_clear(self);
    Py_TYPE(self)->tp_free(self);
}

static PyTypeObject NodeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "first.Node",
    .tp_basicsize = sizeof(Node),
    .tp_dealloc = node_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = node_traverse,
    .tp_clear = node_clear,
};

int main(void)
{
    Py_Initialize();
    if (PyType_Ready(&NodeType) < 0)
        return 1;
    Node *a = (Node *)PyType_GenericAlloc(&NodeType, 0);
    Node *b = (Node *)PyType_GenericAlloc(&NodeType, 0);
    if (a == NULL || b == NULL)
        return 1;
    a->peer = (PyObject *)b; /* each takes over our reference to the other */
    b->peer = (PyObject *)a;
    printf("collected: %zd\n", PyGC_Collect());
    Py_Finalize();
    return 0;
}
