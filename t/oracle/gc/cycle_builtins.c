/* cycle_builtins.c: a ring through each kind of built-in container: a list
   refers to it, and it to the list.  Each is found and freed.
   Manual: "Supporting Cyclic Garbage Collection"; "PyGC_Collect". */

#include "oracle.h"

#ifndef ORACLE_PYBOEHM
/* Not in CPython's public headers. */
PyAPI_FUNC(PyObject *) _PyNamespace_New(PyObject *kwds);
#endif

/* The list, and beside it an actor that tells when the list goes. */
static PyObject *list;

static void
begin(void)
{
    PyObject *a = (PyObject *)actor_new(&FinalActor_Type, "hanging");

    list = need(PyList_New(0));
    PyList_Append(list, a);
    Py_DECREF(a);
}

/* Closes the ring with op, whose reference it takes away, and collects. */
static void
end(const char *label, PyObject *op)
{
    PyList_Append(list, need(op));
    drop_all(op, list);
    say("%s:", label);
    collect();
}

#define RING(label, ...) (begin(), end(label, __VA_ARGS__))
#define CALL(type, ...)                                                       \
    PyObject_CallFunctionObjArgs((PyObject *)&(type), __VA_ARGS__, NULL)

static PyObject *
exception_with_context(void)
{
    PyObject *op = need(PyObject_CallOneArg(PyExc_KeyError, list));
    PyObject *other = need(PyObject_CallOneArg(PyExc_ValueError, list));

    PyException_SetCause(op, other);
    return op;
}

static PyObject *
module_with_list(void)
{
    PyObject *op = need(PyModule_New("m"));

    PyModule_AddObjectRef(op, "list", list);
    return op;
}

static PyObject *
type_with_list(void)
{
    return call_type(&PyType_Type, "s(){sO}", "Class", "list", list);
}

static PyObject *
with_list(PyObject *(*make)(PyObject *), PyObject *argument)
{
    PyObject *op = need(make(argument));

    Py_DECREF(argument);
    return op;
}

static void
rows_and_tables(void)
{
    RING("list", Py_NewRef(list));
    RING("tuple", PyTuple_Pack(1, list));
    RING("dict", Py_BuildValue("{sO}", "x", list));
    RING("mappingproxy",
         with_list(PyDictProxy_New, Py_BuildValue("{sO}", "x", list)));
    RING("namespace",
         with_list(_PyNamespace_New, Py_BuildValue("{sO}", "x", list)));
    RING("slice", PySlice_New(NULL, list, NULL));
    RING("cell", PyCell_New(list));
    RING("exception", PyObject_CallOneArg(PyExc_KeyError, list));
    RING("exceptions", exception_with_context());
    RING("module", module_with_list());
    RING("type", type_with_list());
}

static void
iterators(void)
{
    RING("list iterator", PyObject_GetIter(list));
    RING("reversed list", PyObject_CallMethod(list, "__reversed__", NULL));
    RING("sequence iterator", PySeqIter_New(list));
    RING("tuple iterator", with_list(PyObject_GetIter, PyTuple_Pack(1, list)));
    RING("dict iterator",
         with_list(PyObject_GetIter, Py_BuildValue("{sO}", "x", list)));
    RING("enumerate", CALL(PyEnum_Type, list));
    RING("zip", CALL(PyZip_Type, list, list));
    RING("map", CALL(PyMap_Type, (PyObject *)&PyTuple_Type, list));
    RING("filter", CALL(PyFilter_Type, Py_None, list));
}

static void
callables(void)
{
    PyObject *function = need(PyCFunction_New(&none_def, NULL));

    RING("function", PyCFunction_New(&none_def, list));
    RING("function of a module", PyCFunction_NewEx(&none_def, Py_None, list));
    RING("method", PyMethod_New(function, list));
    RING("method of a list", PyObject_GetAttrString(list, "append"));
    RING("property", CALL(PyProperty_Type, list));
    RING("static method", PyStaticMethod_New(list));
    RING("class method", PyClassMethod_New(list));
    RING("callable iterator", PyCallIter_New(function, list));
    RING("super", CALL(PySuper_Type, (PyObject *)&PyList_Type, list));
    RING("weak reference", PyWeakref_NewRef(function, list));
    RING("proxy", PyWeakref_NewProxy(function, list));
    Py_DECREF(function);
}

/* Lists have no hash. */
static void
sets(void)
{
    struct actor *a = actor_new(&FinalActor_Type, "a");
    PyObject *set = need(PySet_New(NULL)), *frozen;

    PySet_Add(set, (PyObject *)a);
    actor_set(a, 0, set);
    Py_DECREF(set);
    say("set:");
    Py_DECREF(a);
    collect();

    a = actor_new(&FinalActor_Type, "a");
    set = need(PyTuple_Pack(1, a));
    frozen = need(PyFrozenSet_New(set));
    actor_set(a, 0, frozen);
    actor_set(a, 1, need(PyObject_GetIter(frozen)));
    drop_all(a->refs[1], frozen, set);
    say("frozenset and its iterator:");
    Py_DECREF(a);
    collect();
}

void
oracle_program(void)
{
    rows_and_tables();
    iterators();
    callables();
    sets();
}
