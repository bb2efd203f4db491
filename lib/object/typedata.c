/* typedata.c: what a heap type carries for its author: its module, its token,
   and its own part of an instance. */

#include "Python.h"

#include "object/typedata.h"

/* ------------------------------------------------------------------ */
/* Modules                                                             */

PyObject *
PyType_GetModule(PyTypeObject *type)
{
    PyObject *module;

    if (!pyb_typedata_is_heap(type)) {
        PyErr_Format(PyExc_TypeError,
                     "PyType_GetModule: Type '%s' is not a heap type",
                     type->tp_name);
        return NULL;
    }
    module = ((PyHeapTypeObject *)type)->ht_module;
    if (module == NULL)
        PyErr_Format(PyExc_TypeError,
                     "PyType_GetModule: Type '%s' has no associated module",
                     type->tp_name);
    return module;
}

void *
PyType_GetModuleState(PyTypeObject *type)
{
    PyObject *module = PyType_GetModule(type);

    return module != NULL ? PyModule_GetState(module) : NULL;
}

/* The i-th class of the type's MRO if it is a heap type, else NULL. */
static PyHeapTypeObject *
heap_base(PyTypeObject *type, Py_ssize_t i)
{
    PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i);

    return pyb_typedata_is_heap(base) ? (PyHeapTypeObject *)base : NULL;
}

static Py_ssize_t
mro_length(PyTypeObject *type)
{
    return type->tp_mro != NULL ? PyTuple_GET_SIZE(type->tp_mro) : 0;
}

PyObject *
PyType_GetModuleByDef(PyTypeObject *type, PyModuleDef *def)
{
    for (Py_ssize_t i = 0; i < mro_length(type); i++) {
        PyHeapTypeObject *base = heap_base(type, i);

        if (base != NULL && base->ht_module != NULL &&
            PyModule_Check(base->ht_module) &&
            PyModule_GetDef(base->ht_module) == def)
            return base->ht_module;
    }
    PyErr_Format(PyExc_TypeError,
                 "PyType_GetModuleByDef: No superclass of '%s' has the given "
                 "module",
                 type->tp_name);
    return NULL;
}

int
PyType_GetBaseByToken(PyTypeObject *type, void *token, PyTypeObject **result)
{
    if (result != NULL)
        *result = NULL;
    if (token == NULL) {
        PyErr_SetString(PyExc_SystemError,
                        "PyType_GetBaseByToken called with token=NULL");
        return -1;
    }
    if (!PyType_Check(type)) {
        PyErr_Format(PyExc_TypeError, "expected a type, got a '%s' object",
                     Py_TYPE(type)->tp_name);
        return -1;
    }
    for (Py_ssize_t i = 0; i < mro_length(type); i++) {
        PyHeapTypeObject *base = heap_base(type, i);

        if (base == NULL || base->ht_token != token)
            continue;
        if (result != NULL)
            *result = (PyTypeObject *)Py_NewRef(base);
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ */
/* Parts of instances                                                  */

void *
PyObject_GetTypeData(PyObject *op, PyTypeObject *cls)
{
    return (char *)op + pyb_typedata_align(cls->tp_base->tp_basicsize);
}

Py_ssize_t
PyType_GetTypeDataSize(PyTypeObject *cls)
{
    Py_ssize_t size =
        cls->tp_basicsize - pyb_typedata_align(cls->tp_base->tp_basicsize);

    return size > 0 ? size : 0;
}

void *
PyObject_GetItemData(PyObject *op)
{
    if (!PyType_HasFeature(Py_TYPE(op), Py_TPFLAGS_ITEMS_AT_END)) {
        PyErr_Format(PyExc_TypeError,
                     "type '%s' does not have Py_TPFLAGS_ITEMS_AT_END",
                     Py_TYPE(op)->tp_name);
        return NULL;
    }
    return (char *)op + Py_TYPE(op)->tp_basicsize;
}
