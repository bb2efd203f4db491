/* builtins.c: the module builtins: types, exceptions and constants.  Its
   functions are in lib/library. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/exceptions.h"
#include "object/module/module.h"
#include "object/module/sys.h"

/* The module; owned between Py_Initialize and Py_Finalize, else NULL. */
static PyObject *builtins;

static PyTypeObject *const types[] = {
    &PyBaseObject_Type, &PyType_Type,        &PyLong_Type,
    &PyBool_Type,       &PyFloat_Type,       &PyComplex_Type,
    &PyUnicode_Type,    &PyBytes_Type,       &PyByteArray_Type,
    &PyTuple_Type,      &PyList_Type,        &PyDict_Type,
    &PySlice_Type,      &PyClassMethod_Type, &PyStaticMethod_Type,
    &PyProperty_Type,   &PyEnum_Type,        &PyReversed_Type,
    &PyRange_Type,      &PySet_Type,         &PyFrozenSet_Type,
    &PySuper_Type,      &PyZip_Type,         &PyMap_Type,
    &PyFilter_Type,     &PyMemoryView_Type,  &PySentinel_Type,
    &PyFrozenDict_Type,
};

static const struct {
    const char *name;
    PyObject *value;
} constants[] = {
    {"None", Py_None},
    {"Ellipsis", Py_Ellipsis},
    {"NotImplemented", Py_NotImplemented},
    {"False", Py_False},
    {"True", Py_True},
    {"__debug__", Py_True},
};

static int
add_exception(const char *name, PyObject *type, void *module)
{
    return PyModule_AddObjectRef((PyObject *)module, name, type);
}

static int
add_contents(PyObject *module)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        if (PyModule_AddType(module, types[i]) < 0)
            return -1;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++)
        if (PyModule_AddObjectRef(module, constants[i].name,
                                  constants[i].value) < 0)
            return -1;
    return pyb_exceptions_each(add_exception, module);
}

int
pyb_builtins_init(void)
{
    PYB_ASSERT(builtins == NULL);
    builtins = PyModule_New("builtins");
    if (builtins == NULL || add_contents(builtins) < 0)
        return -1;
    return pyb_sys_enter(builtins);
}

void
pyb_builtins_fini(void)
{
    if (builtins != NULL)
        pyb_module_wipe(builtins);
    Py_CLEAR(builtins);
}

PyObject *
PyEval_GetBuiltins(void)
{
    return builtins != NULL ? PYB_MODULE(builtins)->dict : NULL;
}

PyObject *
PyEval_GetFrameBuiltins(void)
{
    return Py_XNewRef(PyEval_GetBuiltins());
}
