/* library.c: the modules of this directory, for the importer. */

#include "Python.h"

#include "library/library.h"
#include "object/module/import.h"

static const struct _inittab modules[] = {
    {"_contextvars", pyb_contextvars_entry},
    {"abc", pyb_abc_entry},
    {"collections", pyb_collections_entry},
    {"collections.abc", pyb_collectionsabc_entry},
    {"contextvars", pyb_contextvars_entry},
    {"copyreg", pyb_copyreg_entry},
    {"functools", pyb_functools_entry},
    {"inspect", pyb_inspect_entry},
    {"operator", pyb_operator_entry},
    {"types", pyb_types_entry},
    {NULL, NULL},
};

static int
add_functions(const char *name, PyMethodDef *functions)
{
    PyObject *module = PyImport_ImportModule(name);

    if (module == NULL)
        return -1;
    int result = PyModule_AddFunctions(module, functions);
    Py_DECREF(module);
    return result;
}

int
pyb_library_init(void)
{
    pyb_import_offer(modules);
    if (add_functions("builtins", pyb_builtinfuncs) < 0 ||
        add_functions("builtins", pyb_sequencefuncs) < 0)
        return -1;
    return add_functions("sys", pyb_sysfuncs);
}

int
pyb_library_add_type(PyObject *module, PyType_Spec *spec, PyObject *base)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, base);

    if (type == NULL)
        return -1;
    int result = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return result;
}
