/* obmalloc.c: plain memory, and objects made of it.

   The C allocator serves all of it; containers come from lib/gc.

   Manual: "Memory Management", "Allocating Objects on the Heap". */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "gc/check/plains.h"
#include "gc/check/quarantine.h"
#include "gc/check/slotwatch.h"
#include "gc/container.h"
#include "gc/control.h"
#include "gc/heap/sidetable.h"
#include "runtime/fastpath.h"
#include "runtime/sharedkeys.h"

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

/* What CPython returns while tracemalloc is off. */
enum { TRACEMALLOC_IS_OFF = -2 };

int
PyTraceMalloc_Track(unsigned int Py_UNUSED(domain), uintptr_t Py_UNUSED(ptr),
                    size_t Py_UNUSED(size))
{
    return TRACEMALLOC_IS_OFF;
}

int
PyTraceMalloc_Untrack(unsigned int Py_UNUSED(domain), uintptr_t Py_UNUSED(ptr))
{
    return TRACEMALLOC_IS_OFF;
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
    PYB_ASSERT(!pyb_sidetable_holds(ptr)); /* a container cannot move */
    uintptr_t old = (uintptr_t)ptr;
    void *moved = _PyB_UNLIKELY(!pyb_control.fast) && pyb_plains_has(ptr)
                      ? pyb_plains_realloc(ptr, at_least_one(new_size))
                      : PyMem_RawRealloc(ptr, new_size);

    if (_PyB_UNLIKELY(pyb_control.trace) && moved != NULL)
        pyb_events->freed((void *)old, moved);
    return moved;
}

/* Frees an object; called only with checks or an audit, and after
   Py_Finalize. */
__attribute__((noinline, cold)) static void
free_slowly(void *ptr)
{
    if (ptr == NULL)
        return;
    if (pyb_checks) {
        pyb_slotwatch_freed(ptr);
        pyb_control.changes++;
    }
    pyb_plains_freeing(ptr); /* before a death is recorded */
    if (pyb_control.trace)
        pyb_events->freed(ptr, NULL);
    if (pyb_plains_has(ptr))
        pyb_plains_free(ptr);
    else
        PyMem_RawFree(ptr);
}

void
PyObject_Free(void *ptr)
{
    if (_PyB_UNLIKELY(pyb_sidetable_holds(ptr))) {
        if (pyb_control.audit)
            pyb_events->freeing(ptr);
        PyObject_GC_Del(ptr);
        return;
    }
    if (_PyB_UNLIKELY(!pyb_control.fast))
        free_slowly(ptr);
    else
        PyMem_RawFree(ptr);
}

/* ------------------------------------------------------------------ */
/* Objects                                                             */

__attribute__((noinline, cold)) static PyObject *
fail_memory(void)
{
    pyb_control_require("PyObject_Init");
    return PyErr_NoMemory();
}

/* Notes that an object was made; called only with checks or an audit, and
   where nothing may be made. */
__attribute__((noinline, cold)) static void
note_new(PyObject *op)
{
    pyb_control_require("PyObject_Init");
    if (pyb_checks) {
        pyb_control.changes++;
        pyb_slotwatch_freed(op);
    }
    if (pyb_inspect_checking())
        pyb_inspect_layout(op);
    if (pyb_control.trace)
        pyb_events->born(op);
}

PyObject *
PyObject_Init(PyObject *op, PyTypeObject *type)
{
    if (op == NULL)
        return fail_memory();
    op->ob_type = type;
    op->ob_refcnt = 1;
    if (_PyB_UNLIKELY(!pyb_control.fast))
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
   whole number of words, the last of which may be the dictionary's. */
static size_t
var_size(const PyTypeObject *type, Py_ssize_t nitems)
{
    const size_t word = sizeof(void *);
    size_t size;

    PYB_ASSERT(nitems >= 0);
    if (__builtin_mul_overflow((size_t)nitems, (size_t)type->tp_itemsize,
                               &size) ||
        __builtin_add_overflow(size, (size_t)type->tp_basicsize, &size) ||
        size > (size_t)PY_SSIZE_T_MAX - word)
        return 0;
    return (size + word - 1) / word * word;
}

/* What the items take of that; all of it where the dictionary comes last. */
static size_t
exact_size(const PyTypeObject *type, Py_ssize_t nitems, size_t size)
{
    if (type->tp_dictoffset < 0 || type->tp_itemsize == 0)
        return type->tp_dictoffset < 0 ? size : (size_t)type->tp_basicsize;
    return (size_t)(type->tp_basicsize + nitems * type->tp_itemsize);
}

/* With checks a redzone stands behind the object, which has fewer bytes than
   its memory. */
void *
pyb_memory_alloc(size_t size, size_t bytes, int zero)
{
    PYB_ASSERT(size <= bytes);
    if (_PyB_UNLIKELY(!pyb_control.fast) && pyb_quarantine_is_on())
        return pyb_plains_alloc(size, bytes, zero);
    return zero ? PyObject_Calloc(1, bytes) : PyObject_Malloc(bytes);
}

PyObject *
_PyObject_New(PyTypeObject *type)
{
    size_t size = (size_t)type->tp_basicsize;

    return PyObject_Init(pyb_memory_alloc(size, size, 0), type);
}

PyVarObject *
_PyObject_NewVar(PyTypeObject *type, Py_ssize_t nitems)
{
    if (nitems < 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    size_t size = var_size(type, nitems);
    return PyObject_InitVar(
        size != 0 ? pyb_memory_alloc(exact_size(type, nitems, size), size, 0)
                  : NULL,
        type, nitems);
}

/* ------------------------------------------------------------------ */
/* tp_alloc                                                            */

/* Containers are zeroed already.  As in CPython there is room for one item
   more than requested, a sentinel. */
static PyObject *
alloc_container(PyTypeObject *type, Py_ssize_t nitems)
{
    PyObject *op;

    PYB_ASSERT(PyType_IS_GC(type) && nitems >= 0);
    PYB_ASSERT(pyb_inline_keys(type) == NULL || pyb_inline_may(type));
    if (pyb_inline_keys(type) != NULL)
        op = pyb_inline_new(type);
    else if (pyb_inline_may(type))
        op = pyb_inline_new_first(type);
    else
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
    PyObject *op =
        size != 0
            ? pyb_memory_alloc(exact_size(type, nitems + 1, size), size, 1)
            : NULL;
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
