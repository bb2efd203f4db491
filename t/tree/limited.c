/* limited.c: a program that keeps to the limited API of the edition that the
   compiler's command line names, in C or in C++; for limited.sh.

   A heap type of a module, whose instances make cycles; in 3.11 the program
   brings its own version of a function that became stable later. */

#ifndef Py_LIMITED_API
#error "compile with -DPy_LIMITED_API=EDITION"
#endif
#include <Python.h>

#if Py_LIMITED_API < 0x030C0000
static PyObject *
PyErr_GetRaisedException(void)
{
    PyObject *type, *value, *traceback;

    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}
#endif

typedef struct {
    PyObject_HEAD
    PyObject *peer;
} Node;

static int
node_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Node *)self)->peer);
    return 0;
}

static int
node_clear(PyObject *self)
{
    Py_CLEAR(((Node *)self)->peer);
    return 0;
}

static void
node_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    PyObject_GC_UnTrack(self);
    (void)node_clear(self);
    release(self);
    Py_DECREF((PyObject *)type);
}

static PyType_Slot node_slots[] = {
    {Py_tp_traverse, (void *)node_traverse},
    {Py_tp_clear, (void *)node_clear},
    {Py_tp_dealloc, (void *)node_dealloc},
    {0, NULL},
};

static PyType_Spec node_spec = {"limited.Node", (int)sizeof(Node), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                node_slots};

static int
limited_exec(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &node_spec, NULL);

    if (type == NULL)
        return -1;
    int result = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return result;
}

static PyModuleDef_Slot limited_slots[] = {
    {Py_mod_exec, (void *)limited_exec},
    {0, NULL},
};

static PyModuleDef limited_def = {
    PyModuleDef_HEAD_INIT, "limited", NULL, 0,   NULL,
    limited_slots,         NULL,      NULL, NULL};

PyMODINIT_FUNC
PyInit_limited(void)
{
    return PyModuleDef_Init(&limited_def);
}

/* A new node that only itself holds; 1 on success. */
static int
lose_node(PyTypeObject *type)
{
    PyObject *node = PyType_GenericAlloc(type, 0);

    if (node == NULL || !PyObject_GC_IsTracked(node))
        return 0;
    ((Node *)node)->peer = node;
    return 1;
}

static int
edition_works(PyObject *dict)
{
#if Py_LIMITED_API >= 0x030F0000
    PyObject *key = PyLong_FromInt32(1), *value = NULL;
    int missing = PyDict_SetDefaultRef(dict, key, Py_None, &value) == 0 &&
                  PyDict_GetItemRef(dict, key, &value) == 1;

    Py_DECREF(key);
    return missing && value == Py_None;
#else
    return PyDict_Size(dict) == 0;
#endif
}

int
main(void)
{
    PyImport_AppendInittab("limited", PyInit_limited);
    Py_Initialize();
    PyGC_Disable();

    PyObject *module = PyImport_ImportModule("limited");
    PyObject *type = module ? PyObject_GetAttrString(module, "Node") : NULL;
    PyObject *dict = PyDict_New();
    if (type == NULL || dict == NULL || !edition_works(dict))
        return 1;
    if (!lose_node((PyTypeObject *)type) || !lose_node((PyTypeObject *)type))
        return 2;
    PyGC_Enable();
    if (PyGC_Collect() != 2)
        return 3;

    PyErr_SetString(PyExc_ValueError, "shown");
    PyObject *error = PyErr_GetRaisedException();
    if (PyErr_Occurred() ||
        !PyErr_GivenExceptionMatches(error, PyExc_ValueError))
        return 4;
    Py_DECREF(error);
    Py_DECREF(dict);
    Py_DECREF(type);
    Py_DECREF(module);
    Py_Finalize();
    return 0;
}
