/* typenames.c: what a type is called: tp_name of a static type, taken apart
   at its last dot; of a heap type the strings that it owns. */

#include "Python.h"

#include "object/typenames.h"

/* What ends a signature at the head of a doc string. */
static const char SIGNATURE_END[] = ")\n--\n\n";

static PyHeapTypeObject *
as_heap_type(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)
               ? (PyHeapTypeObject *)type
               : NULL;
}

static const char *
last_component(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot != NULL ? dot + 1 : name;
}

PyObject *
PyType_GetName(PyTypeObject *type)
{
    PyHeapTypeObject *heap = as_heap_type(type);

    return heap != NULL ? Py_NewRef(heap->ht_name)
                        : PyUnicode_FromString(last_component(type->tp_name));
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

    if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) {
        const char *last = last_component(name);

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

/* Sets *module to the module's name, a new reference, and returns 1; 0 if it
   has none worth saying; -1 with an exception. */
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

/* ------------------------------------------------------------------ */
/* Doc strings                                                         */

/* What follows the signature, which is the type's name with an argument list
   and has no empty line in it; NULL if there is no signature. */
static const char *
after_signature(PyTypeObject *type)
{
    const char *name = last_component(type->tp_name);
    size_t length = strlen(name);
    const char *end, *empty;

    if (strncmp(type->tp_doc, name, length) != 0 ||
        type->tp_doc[length] != '(')
        return NULL;
    end = strstr(type->tp_doc, SIGNATURE_END);
    empty = strstr(type->tp_doc, "\n\n");
    if (end == NULL || empty < end)
        return NULL;
    return end + sizeof(SIGNATURE_END) - 1;
}

PyObject *
pyb_typenames_doc(PyTypeObject *type)
{
    const char *text = type->tp_doc;

    if (text != NULL && after_signature(type) != NULL)
        text = after_signature(type);
    if (text == NULL || *text == '\0')
        Py_RETURN_NONE;
    return PyUnicode_FromString(text);
}

PyObject *
pyb_typenames_signature(PyTypeObject *type)
{
    const char *start, *end;

    if (type->tp_doc == NULL || after_signature(type) == NULL)
        Py_RETURN_NONE;
    start = type->tp_doc + strlen(last_component(type->tp_name));
    end = strstr(start, SIGNATURE_END) + 1;
    return PyUnicode_FromStringAndSize(start, end - start);
}
