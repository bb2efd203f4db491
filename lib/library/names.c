/* names.c: the modules types, inspect and collections: names of types, flags
   and states.  Of types those are there that exist (its functions are in
   newclass.c), of collections OrderedDict, and of inspect the constants alone:
   what they are said of, code objects and generators, is not.

   Manual: Python's library, "types", "inspect", "collections". */

#include "Python.h"

#include "library/library.h"
#include "object/type/genericalias.h"

/* ------------------------------------------------------------------ */
/* types                                                               */

static const struct {
    const char *name;
    PyTypeObject *type;
} types[] = {
    {"AsyncGeneratorType", &PyAsyncGen_Type},
    {"BuiltinFunctionType", &PyCFunction_Type},
    {"BuiltinMethodType", &PyCFunction_Type},
    {"CellType", &PyCell_Type},
    {"ClassMethodDescriptorType", &PyClassMethodDescr_Type},
    {"CodeType", &PyCode_Type},
    {"CoroutineType", &PyCoro_Type},
    {"EllipsisType", &PyEllipsis_Type},
    {"FrameType", &PyFrame_Type},
    {"FunctionType", &PyFunction_Type},
    {"GeneratorType", &PyGen_Type},
    {"GenericAlias", &Py_GenericAliasType},
    {"GetSetDescriptorType", &PyGetSetDescr_Type},
    {"LambdaType", &PyFunction_Type},
    {"MappingProxyType", &PyDictProxy_Type},
    {"MemberDescriptorType", &PyMemberDescr_Type},
    {"MethodDescriptorType", &PyMethodDescr_Type},
    {"MethodType", &PyMethod_Type},
    {"MethodWrapperType", &_PyMethodWrapper_Type},
    {"ModuleType", &PyModule_Type},
    {"NoneType", &_PyNone_Type},
    {"NotImplementedType", &_PyNotImplemented_Type},
    {"SimpleNamespace", &_PyNamespace_Type},
    {"TracebackType", &PyTraceBack_Type},
    {"UnionType", &pyb_union_type},
    {"WrapperDescriptorType", &PyWrapperDescr_Type},
};

int
pyb_types_exec(PyObject *module)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        if (PyModule_AddObjectRef(module, types[i].name,
                                  (PyObject *)types[i].type) < 0)
            return -1;
    return 0;
}

/* ------------------------------------------------------------------ */
/* inspect                                                             */

static const struct {
    const char *name;
    long value;
} flags[] = {
    {"CO_OPTIMIZED", CO_OPTIMIZED},
    {"CO_NEWLOCALS", CO_NEWLOCALS},
    {"CO_VARARGS", CO_VARARGS},
    {"CO_VARKEYWORDS", CO_VARKEYWORDS},
    {"CO_NESTED", CO_NESTED},
    {"CO_GENERATOR", CO_GENERATOR},
    {"CO_NOFREE", 64},
    {"CO_COROUTINE", CO_COROUTINE},
    {"CO_ITERABLE_COROUTINE", CO_ITERABLE_COROUTINE},
    {"CO_ASYNC_GENERATOR", CO_ASYNC_GENERATOR},
    {"TPFLAGS_IS_ABSTRACT", Py_TPFLAGS_IS_ABSTRACT},
};

/* Of generators and coroutines; the value of each is its name. */
static const char *const states[] = {
    "GEN_CREATED",  "GEN_RUNNING",  "GEN_SUSPENDED",  "GEN_CLOSED",
    "CORO_CREATED", "CORO_RUNNING", "CORO_SUSPENDED", "CORO_CLOSED",
};

int
pyb_inspect_exec(PyObject *module)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(flags); i++)
        if (PyModule_AddIntConstant(module, flags[i].name, flags[i].value) < 0)
            return -1;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(states); i++)
        if (PyModule_AddStringConstant(module, states[i], states[i]) < 0)
            return -1;
    return 0;
}

/* ------------------------------------------------------------------ */
/* collections                                                         */

int
pyb_collections_exec(PyObject *module)
{
    return PyModule_AddType(module, &PyODict_Type);
}
