/* typedata.c: a heap type's data for its author: its module, its token, and
   its own part of an instance.

   Each query has two forms.  The one that ends in _DuringGC is the core: it
   only reads, returns borrowed references and raises nothing, so that a
   tp_traverse may call it; the ordinary one adds exceptions and references.

   Manual: "Type Objects"; "Supporting Cyclic Garbage Collection", section
   "DuringGC functions". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/type/typedata.h"

/* ------------------------------------------------------------------ */
/* The type's own module                                               */

PyObject *
PyType_GetModule_DuringGC(PyTypeObject *type)
{
    return pyb_typedata_is_heap(type) ? ((PyHeapTypeObject *)type)->ht_module
                                      : NULL;
}

PyObject *
PyType_GetModule(PyTypeObject *type)
{
    PyObject *module = PyType_GetModule_DuringGC(type);

    if (module == NULL)
        PyErr_Format(PyExc_TypeError,
                     pyb_typedata_is_heap(type)
                         ? "PyType_GetModule: Type '%s' has no associated "
                           "module"
                         : "PyType_GetModule: Type '%s' is not a heap type",
                     type->tp_name);
    return module;
}

void *
PyType_GetModuleState_DuringGC(PyTypeObject *type)
{
    PyObject *module = PyType_GetModule_DuringGC(type);

    return module != NULL ? PyModule_GetState_DuringGC(module) : NULL;
}

void *
PyType_GetModuleState(PyTypeObject *type)
{
    PyObject *module = PyType_GetModule(type);

    return module != NULL ? PyModule_GetState(module) : NULL;
}

/* ------------------------------------------------------------------ */
/* Tokens.  The searches change nothing, so they serve tp_traverse too.  */

typedef int (*heap_test)(PyHeapTypeObject *heap, const void *token);

static int
has_token(PyHeapTypeObject *heap, const void *token)
{
    return heap->ht_token == token;
}

static int
has_module_token(PyHeapTypeObject *heap, const void *token)
{
    void *found;

    return heap->ht_module != NULL &&
           PyModule_GetToken_DuringGC(heap->ht_module, &found) == 0 &&
           found == token;
}

static PyHeapTypeObject *
pass_test(PyTypeObject *type, heap_test test, const void *token)
{
    PyHeapTypeObject *heap = (PyHeapTypeObject *)type;

    return pyb_typedata_is_heap(type) && test(heap, token) ? heap : NULL;
}

/* The first heap type in the MRO that passes the test, borrowed, or NULL.  A
   type that was cleared has no MRO any more, but still its bases. */
static PyHeapTypeObject *
find_base(PyTypeObject *type, heap_test test, const void *token)
{
    PyObject *mro = type->tp_mro;
    PyObject *classes = mro != NULL ? mro : type->tp_bases;
    PyHeapTypeObject *found =
        mro != NULL ? NULL : pass_test(type, test, token);

    if (classes == NULL)
        return found;
    for (Py_ssize_t i = 0; found == NULL && i < PyTuple_GET_SIZE(classes);
         i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(classes, i);
        PYB_ASSERT(PyType_Check(base));

        found = mro != NULL ? pass_test(base, test, token)
                            : find_base(base, test, token);
    }
    return found;
}

PyObject *
PyType_GetModuleByToken_DuringGC(PyTypeObject *type, const void *mod_token)
{
    PyHeapTypeObject *base = find_base(type, has_module_token, mod_token);

    return base != NULL ? base->ht_module : NULL;
}

/* A module with the token, borrowed, or NULL with TypeError if there is
   none. */
static PyObject *
require_module(PyTypeObject *type, const void *token)
{
    PyObject *module = PyType_GetModuleByToken_DuringGC(type, token);

    if (module == NULL)
        PyErr_Format(PyExc_TypeError,
                     "PyType_GetModuleByDef: No superclass of '%s' has the "
                     "given module",
                     type->tp_name);
    return module;
}

PyObject *
PyType_GetModuleByToken(PyTypeObject *type, const void *mod_token)
{
    return Py_XNewRef(require_module(type, mod_token));
}

PyObject *
PyType_GetModuleByDef(PyTypeObject *type, PyModuleDef *def)
{
    return require_module(type, def);
}

int
PyType_GetBaseByToken_DuringGC(PyTypeObject *type, void *tp_token,
                               PyTypeObject **result)
{
    PyHeapTypeObject *base = NULL;
    int valid = tp_token != NULL && PyType_Check(type);

    if (valid)
        base = find_base(type, has_token, tp_token);
    if (result != NULL)
        *result = (PyTypeObject *)base;
    return valid ? base != NULL : -1;
}

int
PyType_GetBaseByToken(PyTypeObject *type, void *token, PyTypeObject **result)
{
    int found = PyType_GetBaseByToken_DuringGC(type, token, result);

    if (found > 0 && result != NULL)
        Py_INCREF(*result);
    if (found >= 0)
        return found;
    if (token == NULL)
        PyErr_SetString(PyExc_SystemError,
                        "PyType_GetBaseByToken called with token=NULL");
    else
        PyErr_Format(PyExc_TypeError, "expected a type, got a '%s' object",
                     Py_TYPE(type)->tp_name);
    return -1;
}

/* ------------------------------------------------------------------ */
/* Parts of instances                                                  */

void *
PyObject_GetTypeData_DuringGC(PyObject *op, PyTypeObject *cls)
{
    return (char *)op + pyb_typedata_align(cls->tp_base->tp_basicsize);
}

void *
PyObject_GetTypeData(PyObject *op, PyTypeObject *cls)
{
    return PyObject_GetTypeData_DuringGC(op, cls);
}

Py_ssize_t
PyType_GetTypeDataSize(PyTypeObject *cls)
{
    Py_ssize_t size =
        cls->tp_basicsize - pyb_typedata_align(cls->tp_base->tp_basicsize);

    return size > 0 ? size : 0;
}

void *
PyObject_GetItemData_DuringGC(PyObject *op)
{
    if (!PyType_HasFeature(Py_TYPE(op), Py_TPFLAGS_ITEMS_AT_END))
        return NULL;
    return (char *)op + Py_TYPE(op)->tp_basicsize;
}

void *
PyObject_GetItemData(PyObject *op)
{
    void *items = PyObject_GetItemData_DuringGC(op);

    if (items == NULL)
        PyErr_Format(PyExc_TypeError,
                     "type '%s' does not have Py_TPFLAGS_ITEMS_AT_END",
                     Py_TYPE(op)->tp_name);
    return items;
}
