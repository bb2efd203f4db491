/* mod_single.c: a shared module of one phase, for check_import.c. */

#include <Python.h>

static int runs;

static PyObject *
get_runs(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    return PyLong_FromLong(runs);
}

static PyMethodDef methods[] = {
    {"runs", get_runs, METH_NOARGS, "How often the module was initialised."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "mod_single", .m_doc = "One phase.",
    .m_size = -1,          .m_methods = methods,
};

PyMODINIT_FUNC PyInit_mod_single(void);

PyMODINIT_FUNC
PyInit_mod_single(void)
{
    runs++;
    return PyModule_Create(&definition);
}
