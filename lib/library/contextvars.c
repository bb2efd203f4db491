/* contextvars.c: the modules contextvars and _contextvars, which are the same
   here.

   Manual: Python's library, "contextvars". */

#include "Python.h"

#include "library/library.h"

static PyObject *
copy_context(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyContext_CopyCurrent();
}

PyMethodDef pyb_contextvars_methods[] = {
    {"copy_context", copy_context, METH_NOARGS,
     PyDoc_STR("A copy of the current context.")},
    {NULL, NULL, 0, NULL},
};

int
pyb_contextvars_exec(PyObject *module)
{
    if (PyModule_AddType(module, &PyContext_Type) < 0 ||
        PyModule_AddType(module, &PyContextVar_Type) < 0)
        return -1;
    return PyModule_AddType(module, &PyContextToken_Type);
}
