/* objimpl.h: memory for objects, and the cyclic garbage collector.

   Objects of a type without Py_TPFLAGS_HAVE_GC come from the C allocator.
   Containers, whose type has the flag, come from Boehm's heap: what their
   bodies point to in GC_MALLOC memory stays alive as long as they do.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Supporting Cyclic Garbage Collection", "Allocating Objects on the
   Heap". */

#ifndef Py_OBJIMPL_H
#define Py_OBJIMPL_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ */
/* Objects without cyclic collection                                   */

/* PyObject_Malloc, PyObject_Calloc, PyObject_Realloc: plain memory of the C
   allocator.  Boehm does not look into it: keep no GC_MALLOC pointer there.
   NULL without an exception if there is none left; zero bytes are a valid
   request. */
PyAPI_FUNC(void *) PyObject_Malloc(size_t size);
PyAPI_FUNC(void *) PyObject_Calloc(size_t nelem, size_t elsize);
PyAPI_FUNC(void *) PyObject_Realloc(void *ptr, size_t new_size);

/* PyObject_Free: frees memory of PyObject_Malloc and kin, or an object of
   PyObject_New.  A container's memory is recognised and given to
   PyObject_GC_Del.  NULL is ignored. */
PyAPI_FUNC(void) PyObject_Free(void *ptr);

/* PyObject_Init, PyObject_InitVar: fill in the header of fresh memory: count
   1, type (a heap type gains a reference), size.  Return op, now a new
   reference, or NULL with MemoryError when op is NULL. */
PyAPI_FUNC(PyObject *) PyObject_Init(PyObject *op, PyTypeObject *type);
PyAPI_FUNC(PyVarObject *)
    PyObject_InitVar(PyVarObject *op, PyTypeObject *type, Py_ssize_t size);

/* PyObject_New(TYPE, typeobj), PyObject_NewVar(TYPE, typeobj, n): an object
   of the type with count 1 and a header; the rest of its body is not promised
   to be zero.  A new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *) _PyObject_New(PyTypeObject *type);
PyAPI_FUNC(PyVarObject *)
    _PyObject_NewVar(PyTypeObject *type, Py_ssize_t nitems);
#define PyObject_New(TYPE, typeobj) ((TYPE *)_PyObject_New(typeobj))
#define PyObject_NewVar(TYPE, typeobj, n)                                     \
    ((TYPE *)_PyObject_NewVar((typeobj), (n)))
/* Other names of the same. */
#define PyObject_NEW(TYPE, typeobj) PyObject_New(TYPE, typeobj)
#define PyObject_NEW_VAR(TYPE, typeobj, n) PyObject_NewVar(TYPE, typeobj, n)
#define PyObject_MALLOC PyObject_Malloc
#define PyObject_REALLOC PyObject_Realloc
#define PyObject_FREE PyObject_Free
#define PyObject_Del PyObject_Free
#define PyObject_DEL PyObject_Free
#define PyObject_INIT(op, typeobj) PyObject_Init(_PyObject_CAST(op), (typeobj))
#define PyObject_INIT_VAR(op, typeobj, size)                                  \
    PyObject_InitVar(_PyVarObject_CAST(op), (typeobj), (size))

/* ------------------------------------------------------------------ */
/* Containers                                                          */

/* PyObject_GC_New(TYPE, typeobj): like PyObject_New for a container.  The
   object is untracked; call PyObject_GC_Track when its fields are valid.  An
   automatic collection may run before the memory is taken, never after.  A
   new reference, to be freed with PyObject_GC_Del, or NULL with MemoryError;
   SystemError if the type lacks Py_TPFLAGS_HAVE_GC.  A tp_new calls the type's
   tp_alloc in its place, so that subtypes get instances of their size. */
PyAPI_FUNC(PyObject *) _PyObject_GC_New(PyTypeObject *type);
#define PyObject_GC_New(TYPE, typeobj) ((TYPE *)_PyObject_GC_New(typeobj))

/* PyObject_GC_NewVar(TYPE, typeobj, n): the same with room for n items of
   tp_itemsize bytes, and ob_size n; a new reference.  n < 0: SystemError; a
   size that does not fit: MemoryError.  PyObject_GC_VarNew is its name in
   2.2. */
PyAPI_FUNC(PyVarObject *)
    _PyObject_GC_NewVar(PyTypeObject *type, Py_ssize_t nitems);
#define PyObject_GC_NewVar(TYPE, typeobj, n)                                  \
    ((TYPE *)_PyObject_GC_NewVar((typeobj), (n)))
#define PyObject_GC_VarNew(TYPE, typeobj, n)                                  \
    PyObject_GC_NewVar(TYPE, typeobj, n)

/* PyUnstable_Object_GC_NewWithExtraData: like PyObject_GC_New with
   extra_size more bytes at offset tp_basicsize; all but the header is
   zeroed.  They are freed with the object, and neither visited nor cleared.
   A new reference, or NULL with an exception as there. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyObject *)
    PyUnstable_Object_GC_NewWithExtraData(PyTypeObject *type,
                                          size_t extra_size);
#endif

/* PyObject_GC_Resize(TYPE, op, n): gives an untracked container room for n
   items.  It may move: the result is a new reference in the place of op's,
   which is taken.  NULL with an exception and op unchanged if op is tracked
   (SystemError), n is negative (SystemError) or memory is short (MemoryError).
   The edition of 2.2 wrote it without TYPE. */
PyAPI_FUNC(PyVarObject *)
    _PyObject_GC_Resize(PyVarObject *op, Py_ssize_t nitems);
#define _PYB_RESIZE_3(TYPE, op, n)                                            \
    ((TYPE *)_PyObject_GC_Resize(_PyVarObject_CAST(op), (n)))
#define _PYB_RESIZE_2(op, n) _PyObject_GC_Resize(_PyVarObject_CAST(op), (n))
#define _PYB_RESIZE_PICK(a, b, c, NAME, ...) NAME
#define PyObject_GC_Resize(...)                                               \
    _PYB_RESIZE_PICK(__VA_ARGS__, _PYB_RESIZE_3, _PYB_RESIZE_2, )(__VA_ARGS__)

/* PyObject_GC_Del: frees a container's memory; the tp_free of containers,
   through which a tp_dealloc calls it.  One that is still tracked is untracked
   first, with a ResourceWarning; a pending exception stays.  Memory that no
   container has is a fatal error. */
PyAPI_FUNC(void) PyObject_GC_Del(void *op);

/* PyObject_GC_Track: the collector may examine op from now on, so all that
   its tp_traverse visits is valid.  Tracking twice is a fatal error, and so is
   an object that is no container.  Takes void *, as CPython's does. */
PyAPI_FUNC(void) PyObject_GC_Track(void *op);

/* PyObject_GC_UnTrack: the collector forgets op; to be called in tp_dealloc
   before the first member goes.  Nothing happens if it was not tracked. */
PyAPI_FUNC(void) PyObject_GC_UnTrack(void *op);

#ifndef Py_LIMITED_API
/* The names of 2.2; the same functions. */
#define _PyObject_GC_TRACK(op) PyObject_GC_Track(_PyObject_CAST(op))
#define _PyObject_GC_UNTRACK(op) PyObject_GC_UnTrack(_PyObject_CAST(op))

/* PyObject_IS_GC: 1 if op's type has Py_TPFLAGS_HAVE_GC and its tp_is_gc, if
   any, agrees; else 0. */
PyAPI_FUNC(int) PyObject_IS_GC(PyObject *op);
#endif

/* PyType_IS_GC: the type's half of it. */
#define PyType_IS_GC(t) PyType_HasFeature((t), Py_TPFLAGS_HAVE_GC)

/* PyObject_GC_IsTracked, PyObject_GC_IsFinalized: 1 or 0, for any object at
   all: is it tracked, has its finalizer been called by the collector? */
#if _PYB_LIMITED_AT_LEAST(0x03090000)
PyAPI_FUNC(int) PyObject_GC_IsTracked(PyObject *op);
PyAPI_FUNC(int) PyObject_GC_IsFinalized(PyObject *op);
#endif

/* Py_VISIT(o): for use in a tp_traverse whose parameters are named visit and
   arg.  Visits o unless it is NULL; returns from the caller with what visit
   returned unless that is 0. */
#define Py_VISIT(op)                                                          \
    do {                                                                      \
        if (op) {                                                             \
            int _pyb_result = visit(_PyObject_CAST(op), arg);                 \
            if (_pyb_result)                                                  \
                return _pyb_result;                                           \
        }                                                                     \
    } while (0)

/* Py_TRASHCAN_BEGIN, Py_TRASHCAN_END: accepted around the body of a
   tp_dealloc; _Py_Dealloc bounds the depth for every type without them. */
#define Py_TRASHCAN_BEGIN(op, dealloc) do {
#define Py_TRASHCAN_END                                                       \
    }                                                                         \
    while (0)                                                                 \
        ;
#define Py_TRASHCAN_SAFE_BEGIN(op) Py_TRASHCAN_BEGIN(op, 0)
#define Py_TRASHCAN_SAFE_END(op) Py_TRASHCAN_END

#ifndef Py_LIMITED_API
/* PyObject_CallFinalizer: calls op's tp_finalize, once in its life if op is a
   container. */
PyAPI_FUNC(void) PyObject_CallFinalizer(PyObject *op);

/* PyObject_CallFinalizerFromDealloc: the same from a tp_dealloc, with count
   0.  Returns -1 if op was resurrected: tp_dealloc must then return at once;
   else 0.  Any other count is a fatal error. */
PyAPI_FUNC(int) PyObject_CallFinalizerFromDealloc(PyObject *op);
#endif

/* ------------------------------------------------------------------ */
/* Control                                                             */

/* PyGC_Collect: a full collection, of both heaps: if anything is found, Boehm
   collects, and callbacks, tp_finalize and tp_clear run in Boehm's finalizer
   before this returns; so may finalizers of the host's.  PyBoehm_GC_Collect(2)
   finds the same and leaves Boehm's heap alone.  Returns how many tracked
   objects were found unreachable, collected and uncollectable ones together; 0
   at once if the collector is disabled or already at work.  No exception comes
   out: errors in finalizers, tp_clear and callbacks go to the unraisable hook;
   a pending exception stays. */
PyAPI_FUNC(Py_ssize_t) PyGC_Collect(void);

#if _PYB_LIMITED_AT_LEAST(0x030A0000)
/* PyGC_Enable, PyGC_Disable: switch automatic collections, and PyGC_Collect,
   on and off.  Return the previous state, 1 or 0. */
PyAPI_FUNC(int) PyGC_Enable(void);
PyAPI_FUNC(int) PyGC_Disable(void);

/* PyGC_IsEnabled: the state, 1 or 0. */
PyAPI_FUNC(int) PyGC_IsEnabled(void);
#endif

/* PyUnstable_GC_VisitObjects: calls callback(object, arg) for every tracked
   object, frozen ones too, until it returns 0; 1 goes on, other results are
   reserved.  What a collection under way has found dead is not shown.  object
   is borrowed.  The collector is disabled meanwhile.  The callback may make and
   free objects: new ones may be visited or not. */
#ifndef Py_LIMITED_API
typedef int (*gcvisitobjects_t)(PyObject *object, void *arg);
PyAPI_FUNC(void)
    PyUnstable_GC_VisitObjects(gcvisitobjects_t callback, void *arg);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_OBJIMPL_H */
