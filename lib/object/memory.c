/* memory.c: plain memory, and objects made of it.

   The C allocator serves all of it; containers come from lib/gc.

   Manual: "Memory Management", "Allocating Objects on the Heap". */

#include "Python.h"

#include "gc/container.h"
#include "gc/control.h"
#include "gc/fatal.h"
#include "gc/inspect.h"
#include "gc/sidetable.h"
#include "gc/underway.h"
#include "gc/watching.h"
#include "object/quick.h"

/* A request for nothing still gets an address of its own. */
static size_t
at_least_one(size_t size)
{
    return size != 0 ? size : 1;
}

void *
PyMem_RawMalloc(size_t size)
{
    return size > (size_t)PY_SSIZE_T_MAX ? NULL : malloc(at_least_one(size));
}

void *
PyMem_RawCalloc(size_t nelem, size_t elsize)
{
    if (elsize != 0 && nelem > (size_t)PY_SSIZE_T_MAX / elsize)
        return NULL;
    return calloc(at_least_one(nelem), at_least_one(elsize));
}

void *
PyMem_RawRealloc(void *ptr, size_t new_size)
{
    if (new_size > (size_t)PY_SSIZE_T_MAX)
        return NULL;
    return realloc(ptr, at_least_one(new_size));
}

void
PyMem_RawFree(void *ptr)
{
    free(ptr);
}

void *
PyMem_Malloc(size_t size)
{
    return PyMem_RawMalloc(size);
}

void *
PyMem_Calloc(size_t nelem, size_t elsize)
{
    return PyMem_RawCalloc(nelem, elsize);
}

void *
PyMem_Realloc(void *ptr, size_t new_size)
{
    return PyMem_RawRealloc(ptr, new_size);
}

void
PyMem_Free(void *ptr)
{
    PyMem_RawFree(ptr);
}

void *
PyObject_Malloc(size_t size)
{
    return PyMem_RawMalloc(size);
}

void *
PyObject_Calloc(size_t nelem, size_t elsize)
{
    return PyMem_RawCalloc(nelem, elsize);
}

void *
PyObject_Realloc(void *ptr, size_t new_size)
{
    uintptr_t old = (uintptr_t)ptr;
    void *moved = PyMem_RawRealloc(ptr, new_size);

    if (_PyB_UNLIKELY(pyb_control.freed_one != NULL) && moved != NULL)
        pyb_control.freed_one((void *)old, moved);
    return moved;
}

/* An object is gone; with checks, and where somebody watches. */
__attribute__((noinline, cold)) static void
note_freed(void *ptr)
{
    if (pyb_checks) {
        pyb_underway_freed(ptr);
        pyb_control.changes++;
    }
    if (pyb_control.freed_one != NULL)
        pyb_control.freed_one(ptr, NULL);
}

void
PyObject_Free(void *ptr)
{
    if (_PyB_UNLIKELY(pyb_sidetable_holds(ptr))) {
        if (pyb_observers != NULL)
            pyb_observers->freeing(ptr);
        PyObject_GC_Del(ptr);
        return;
    }
    if (_PyB_UNLIKELY(!pyb_control.quick))
        note_freed(ptr);
    PyMem_RawFree(ptr);
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

/* A new object has its head; with checks, and where somebody watches. */
__attribute__((noinline, cold)) static void
note_new(PyObject *op)
{
    if (pyb_checks) {
        pyb_control.changes++;
        pyb_underway_freed(op);
    }
    if (pyb_inspect_matters())
        pyb_inspect_layout(op);
    if (pyb_control.made_one != NULL)
        pyb_control.made_one(op);
}

PyObject *
PyObject_Init(PyObject *op, PyTypeObject *type)
{
    if (_PyB_UNLIKELY(!pyb_control.quick))
        pyb_control_require("PyObject_Init");
    if (op == NULL)
        return PyErr_NoMemory();
    op->ob_type = type;
    op->ob_refcnt = 1;
    if (_PyB_UNLIKELY(!pyb_control.quick))
        note_new(op);
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE)
        Py_INCREF(type);
    return op;
}

PyVarObject *
PyObject_InitVar(PyVarObject *op, PyTypeObject *type, Py_ssize_t size)
{
    if (PyObject_Init((PyObject *)op, type) == NULL)
        return NULL;
    /* op is not NULL here.
       NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    op->ob_size = size;
    return op;
}

/* The size of an object with so many items, or 0 if it does not fit.  It is a
   whole number of words: the last one may be the dictionary's. */
static size_t
var_size(const PyTypeObject *type, Py_ssize_t nitems)
{
    const size_t word = sizeof(void *);
    size_t size;

    if (__builtin_mul_overflow((size_t)nitems, (size_t)type->tp_itemsize,
                               &size) ||
        __builtin_add_overflow(size, (size_t)type->tp_basicsize, &size) ||
        size > (size_t)PY_SSIZE_T_MAX - word)
        return 0;
    return (size + word - 1) / word * word;
}

PyObject *
_PyObject_New(PyTypeObject *type)
{
    return PyObject_Init(PyObject_Malloc((size_t)type->tp_basicsize), type);
}

PyVarObject *
_PyObject_NewVar(PyTypeObject *type, Py_ssize_t nitems)
{
    if (nitems < 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    size_t size = var_size(type, nitems);
    return PyObject_InitVar(size != 0 ? PyObject_Malloc(size) : NULL, type,
                            nitems);
}

/* ------------------------------------------------------------------ */
/* tp_alloc                                                            */

/* Containers start out zeroed already.  As in CPython there is room for one
   item more than asked for, a sentinel. */
static PyObject *
alloc_container(PyTypeObject *type, Py_ssize_t nitems)
{
    PyObject *op;

    op = pyb_container_new(type, type->tp_itemsize == 0 ? 0 : nitems + 1);
    if (op == NULL)
        return NULL;
    if (type->tp_itemsize != 0)
        Py_SET_SIZE(op, nitems);
    pyb_quick_track(op);
    return op;
}

PyObject *
PyType_GenericAlloc(PyTypeObject *type, Py_ssize_t nitems)
{
    if (nitems < 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (nitems == PY_SSIZE_T_MAX)
        return PyErr_NoMemory();
    if (PyType_IS_GC(type))
        return alloc_container(type, nitems);

    size_t size = var_size(type, type->tp_itemsize != 0 ? nitems + 1 : 0);
    PyObject *op = size != 0 ? PyObject_Calloc(1, size) : NULL;
    if (type->tp_itemsize == 0)
        return PyObject_Init(op, type);
    return (PyObject *)PyObject_InitVar((PyVarObject *)op, type, nitems);
}

PyObject *
PyType_GenericNew(PyTypeObject *type, PyObject *Py_UNUSED(args),
                  PyObject *Py_UNUSED(kwds))
{
    return type->tp_alloc(type, 0);
}
