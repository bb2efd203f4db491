/* typenames.c: the names of a type: tp_name of a static type, split at its
   last dot; the strings that a heap type owns. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/type/typedata.h"
#include "object/type/typenames.h"

static PyHeapTypeObject *
as_heap_type(PyTypeObject *type)
{
    PyHeapTypeObject *heap = (PyHeapTypeObject *)type;

    if (!pyb_typedata_is_heap(type))
        return NULL;
    PYB_ASSERT(heap->ht_name == NULL || PyUnicode_Check(heap->ht_name));
    PYB_ASSERT(heap->ht_qualname == NULL ||
               PyUnicode_Check(heap->ht_qualname));
    return heap;
}

const char *
pyb_typenames_last(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot != NULL ? dot + 1 : name;
}

PyObject *
PyType_GetName(PyTypeObject *type)
{
    PyHeapTypeObject *heap = as_heap_type(type);

    return heap != NULL
               ? Py_NewRef(heap->ht_name)
               : PyUnicode_FromString(pyb_typenames_last(type->tp_name));
}

PyObject *
PyType_GetQualName(PyTypeObject *type)
{
    PyHeapTypeObject *heap = as_heap_type(type);

    return heap != NULL ? Py_NewRef(heap->ht_qualname) : PyType_GetName(type);
}

PyObject *
PyType_GetModuleName(PyTypeObject *type)
{
    const char *name = type->tp_name;
    PyObject *module;

    if (!pyb_typedata_is_heap(type)) {
        const char *last = pyb_typenames_last(name);

        if (last == name)
            return PyUnicode_FromString("builtins");
        return PyUnicode_FromStringAndSize(name, last - name - 1);
    }
    if (type->tp_dict == NULL)
        module = NULL;
    else if (PyDict_GetItemStringRef(type->tp_dict, "__module__", &module) < 0)
        return NULL;
    if (module == NULL)
        PyErr_SetString(PyExc_AttributeError, "__module__");
    return module;
}

/* Sets *module to the module's name, a new reference, and returns 1; 0 if
   there is none, or it is not worth printing; -1 with an exception. */
static int
telling_module(PyTypeObject *type, PyObject **module)
{
    *module = PyType_GetModuleName(type);
    if (*module == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError))
            return -1;
        PyErr_Clear();
        return 0;
    }
    if (PyUnicode_Check(*module) &&
        PyUnicode_CompareWithASCIIString(*module, "builtins") != 0)
        return 1;
    Py_CLEAR(*module);
    return 0;
}

/* "module.qualname" as a new reference, or NULL with an exception. */
static PyObject *
join(PyObject *module, PyTypeObject *type)
{
    PyObject *name = PyType_GetQualName(type);
    PyObject *result = NULL;

    PYB_ASSERT_OBJECT(PyUnicode_Check(module), module);
    if (name != NULL)
        result = PyUnicode_FromFormat("%U.%U", module, name);
    Py_XDECREF(name);
    return result;
}

int
pyb_typenames_dotted(PyTypeObject *type, PyObject **name)
{
    PyObject *module;
    int telling = telling_module(type, &module);

    *name = NULL;
    if (telling <= 0)
        return telling;
    *name = join(module, type);
    Py_DECREF(module);
    return *name != NULL ? 1 : -1;
}

PyObject *
PyType_GetFullyQualifiedName(PyTypeObject *type)
{
    PyObject *module, *result;
    int telling = telling_module(type, &module);

    if (telling < 0)
        return NULL;
    if (telling > 0 &&
        PyUnicode_CompareWithASCIIString(module, "__main__") != 0)
        result = join(module, type);
    else
        result = PyType_GetQualName(type);
    Py_XDECREF(module);
    return result;
}
