/* modulefill.c: adding to modules: constants, types, functions; and the table
   of PyState_FindModule. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/control.h"
#include "object/error/errors.h"
#include "object/module/module.h"
#include "object/type/typenames.h"

int
PyModule_AddObjectRef(PyObject *module, const char *name, PyObject *value)
{
    if (!PyModule_Check(module))
        return pyb_fail(PyExc_TypeError,
                        "PyModule_AddObjectRef() first argument "
                        "must be a module");
    if (value == NULL) {
        if (PyErr_Occurred() == NULL)
            PyErr_SetString(PyExc_SystemError,
                            "PyModule_AddObjectRef() must be called "
                            "with an exception raised if value is NULL");
        return -1;
    }
    PyObject *dict = PYB_MODULE(module)->dict;
    if (dict == NULL)
        return pyb_failf(PyExc_SystemError, "module '%V' has no __dict__",
                         PYB_MODULE(module)->name, "?");
    return PyDict_SetItemString(dict, name, value);
}

int
PyModule_Add(PyObject *module, const char *name, PyObject *value)
{
    int result = PyModule_AddObjectRef(module, name, value);

    Py_XDECREF(value);
    return result;
}

int
PyModule_AddObject(PyObject *module, const char *name, PyObject *value)
{
    int result = PyModule_AddObjectRef(module, name, value);

    if (result == 0)
        Py_DECREF(value);
    return result;
}

int
PyModule_AddIntConstant(PyObject *module, const char *name, long value)
{
    return PyModule_Add(module, name, PyLong_FromLong(value));
}

int
PyModule_AddStringConstant(PyObject *module, const char *name,
                           const char *value)
{
    return PyModule_Add(module, name, PyUnicode_FromString(value));
}

int
PyModule_AddType(PyObject *module, PyTypeObject *type)
{
    if (PyType_Ready(type) < 0)
        return -1;
    return PyModule_AddObjectRef(module, pyb_typenames_last(type->tp_name),
                                 (PyObject *)type);
}

int
PyModule_AddFunctions(PyObject *module, PyMethodDef *functions)
{
    PyObject *name = PyModule_GetNameObject(module);
    if (name == NULL)
        return -1;

    int result = 0;
    for (; result == 0 && functions->ml_name != NULL; functions++) {
        if (functions->ml_flags & (METH_CLASS | METH_STATIC)) {
            PyErr_SetString(PyExc_ValueError, "module functions cannot set "
                                              "METH_CLASS or METH_STATIC");
            result = -1;
        } else {
            result = PyModule_Add(module, functions->ml_name,
                                  PyCFunction_NewEx(functions, module, name));
        }
    }
    Py_DECREF(name);
    return result;
}

int
PyModule_SetDocString(PyObject *module, const char *doc)
{
    PyObject *text = PyUnicode_FromString(doc);
    if (text == NULL)
        return -1;
    int result = PyObject_SetAttrString(module, "__doc__", text);
    Py_DECREF(text);
    return result;
}

/* ------------------------------------------------------------------ */
/* Modules by definition                                               */

/* Owned modules at their definitions' m_index, or NULL. */
static PyObject **by_index;
static Py_ssize_t by_index_size;

/* The place for a definition, or NULL if there is none yet. */
static PyObject **
find_place(PyModuleDef *def)
{
    Py_ssize_t index = def->m_base.m_index;

    PYB_ASSERT((by_index == NULL) == (by_index_size == 0));
    return index > 0 && index < by_index_size ? &by_index[index] : NULL;
}

/* As find_place, but makes room.  NULL with MemoryError. */
static PyObject **
make_place(PyModuleDef *def)
{
    Py_ssize_t size = def->m_base.m_index + 1;

    PYB_ASSERT(size > 1); /* initialised */
    if (size > by_index_size) {
        PyObject **grown = by_index;
        if (PyMem_Resize(grown, PyObject *, size) == NULL)
            return PYB_MEMORY_ERROR(NULL);
        by_index = grown;
        while (by_index_size < size)
            by_index[by_index_size++] = NULL;
    }
    return find_place(def);
}

PyObject *
PyState_FindModule(PyModuleDef *def)
{
    pyb_control_need(__func__);
    if (def->m_slots != NULL)
        return NULL;
    PyObject **place = find_place(def);
    return place == NULL ? NULL : *place;
}

int
PyState_AddModule(PyObject *module, PyModuleDef *def)
{
    if (def == NULL)
        Py_FatalError("module definition is NULL");
    if (def->m_slots != NULL)
        return pyb_fail(PyExc_SystemError,
                        "PyState_AddModule called on module with slots");
    if (PyModuleDef_Init(def) == NULL)
        return -1;
    PyObject **place = make_place(def);
    if (place == NULL)
        return -1;
    if (*place == module)
        pyb_fatal_format(__func__, "module %p already added", (void *)module);
    Py_XSETREF(*place, Py_NewRef(module));
    return 0;
}

int
_PyState_AddModule(PyObject *module, PyModuleDef *def)
{
    return PyState_AddModule(module, def);
}

int
PyState_RemoveModule(PyModuleDef *def)
{
    if (def->m_slots != NULL)
        return pyb_fail(PyExc_SystemError,
                        "PyState_RemoveModule called on module with slots");
    if (def->m_base.m_index == 0)
        Py_FatalError("invalid module index");
    PyObject **place = find_place(def);
    if (place == NULL)
        Py_FatalError("Module index out of bounds.");
    Py_CLEAR(*place);
    return 0;
}

void
pyb_module_forget_states(void)
{
    for (Py_ssize_t i = 0; i < by_index_size; i++)
        Py_CLEAR(by_index[i]);
    PyMem_Free(by_index);
    by_index = NULL;
    by_index_size = 0;
}
