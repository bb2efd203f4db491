/* overflow_memory.c: sizes that no memory can have are a MemoryError, or an
   OverflowError, and change nothing.
   Manual: "Memory Management"; "Supporting Cyclic Garbage Collection". */

#include "oracle.h"

#define HUGE_SIZE ((Py_ssize_t)(PY_SSIZE_T_MAX / 2))

static PyTypeObject Var = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Var",
    .tp_basicsize = sizeof(struct actor),
    .tp_itemsize = 1,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = actor_traverse,
    .tp_dealloc = actor_dealloc,
};

static void
objects(void)
{
    PyVarObject *var;

    show("NewVar", (PyObject *)PyObject_GC_NewVar(struct actor, &Var,
                                                  PY_SSIZE_T_MAX - 8));
    show("NewVar, negative",
         (PyObject *)PyObject_GC_NewVar(struct actor, &Var, -1));
    show("not a container",
         (PyObject *)PyObject_NewVar(PyVarObject, &Var, PY_SSIZE_T_MAX - 8));
    var = need(PyObject_GC_NewVar(struct actor, &Var, 2));
    RESULT(PyObject_GC_Resize(struct actor, var, PY_SSIZE_T_MAX - 8) != NULL);
    RESULT(Py_SIZE(var));
    state("var", (PyObject *)var);
    PyObject_GC_Del(var);
}

static void
containers(void)
{
    PyObject *list = need(Py_BuildValue("[ii]", 1, 2));
    PyObject *tuple = need(PyList_AsTuple(list));

    SHOW(PyList_New(PY_SSIZE_T_MAX));
    SHOW(PyList_New(HUGE_SIZE));
    SHOW(PyTuple_New(PY_SSIZE_T_MAX));
    SHOW(PyTuple_New(HUGE_SIZE));
    SHOW(PySequence_Repeat(list, PY_SSIZE_T_MAX));
    SHOW(PySequence_Repeat(tuple, PY_SSIZE_T_MAX));
    SHOW(PySequence_InPlaceRepeat(list, PY_SSIZE_T_MAX));
    show_kept("list", list);
    drop_all(list, tuple);
}

static void
texts(void)
{
    PyObject *bytes = PyBytes_FromString("ab");
    PyObject *str = PyUnicode_FromString("ab");

    SHOW(PyBytes_FromStringAndSize(NULL, PY_SSIZE_T_MAX));
    SHOW(PyBytes_FromStringAndSize(NULL, -1));
    SHOW(PyByteArray_FromStringAndSize(NULL, -1));
    SHOW(PySequence_Repeat(bytes, PY_SSIZE_T_MAX));
    SHOW(PySequence_Repeat(str, PY_SSIZE_T_MAX));
    drop_all(bytes, str);
}

static void
memory(void)
{
    void *p = PyMem_Malloc(8), *q;

    RESULT(PyMem_Malloc((size_t)PY_SSIZE_T_MAX + 1) != NULL);
    RESULT(PyMem_Calloc((size_t)PY_SSIZE_T_MAX, 2) != NULL);
    RESULT(PyObject_Malloc((size_t)PY_SSIZE_T_MAX + 1) != NULL);
    q = PyMem_Realloc(p, (size_t)PY_SSIZE_T_MAX + 1);
    RESULT(q != NULL);
    PyMem_Free(p);
    q = PyMem_Malloc(0);
    RESULT(q != NULL);
    PyMem_Free(q);
    SHOW(PyErr_NoMemory());
}

void
oracle_program(void)
{
    need_ready(&Var);
    objects();
    containers();
    texts();
    memory();
    collect();
}
