/* library.c: the modules of this directory, for the importer. */

#include "Python.h"

#include "library/library.h"
#include "object/module/import.h"

#define MODULE(NAME, DOC, METHODS, EXEC)                                      \
    {                                                                         \
        .m_base = PyModuleDef_HEAD_INIT, .m_name = NAME,                      \
        .m_doc = PyDoc_STR(DOC), .m_methods = METHODS,                        \
        .m_slots =                                                            \
            (PyModuleDef_Slot[]){{Py_mod_exec, (void *)EXEC}, {0, NULL}},     \
    }

static PyModuleDef modules[] = {
    MODULE("_contextvars", "Context variables.", pyb_contextvars_methods,
           pyb_contextvars_exec),
    MODULE("abc", "Abstract base classes.", pyb_abc_methods, pyb_abc_exec),
    MODULE("collections", "OrderedDict; collections.abc has abstract classes.",
           NULL, pyb_collections_exec),
    MODULE("collections.abc", "Abstract base classes of containers.", NULL,
           pyb_collectionsabc_exec),
    MODULE("contextvars", "Context variables.", pyb_contextvars_methods,
           pyb_contextvars_exec),
    MODULE("copyreg", "How objects are made anew by pickle and copy.",
           pyb_copyreg_methods, pyb_copyreg_exec),
    MODULE("functools", "Functions of functions.", pyb_functools_methods,
           pyb_functools_exec),
    MODULE("inspect", "The flags of code objects and types.", NULL,
           pyb_inspect_exec),
    MODULE("operator", "Operators as functions.", pyb_operator_methods,
           pyb_operator_exec),
    MODULE("types", "Names of types, and functions that make classes.",
           pyb_types_methods, pyb_types_exec),
    {.m_name = NULL},
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
