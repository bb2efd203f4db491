/* mod_reinit.c: a shared module of one phase with state of its own, for
   check_import.c. */

#include <Python.h>

static int runs;

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "mod_reinit",
    .m_size = sizeof(long),
};

PyMODINIT_FUNC PyInit_mod_reinit(void);

PyMODINIT_FUNC
PyInit_mod_reinit(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (module != NULL && PyModule_AddIntConstant(module, "runs", ++runs) < 0)
        Py_CLEAR(module);
    return module;
}
