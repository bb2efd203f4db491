/* pymem.h: plain memory.

   All of it comes from the C allocator, which Boehm does not scan: keep no
   pointer to GC_MALLOC memory in it that is not also kept elsewhere.  Every
   function may be called before Py_Initialize and from any thread.  A request
   for zero bytes succeeds.  NULL means that there is no memory left; no
   exception is set.

   Manual: "Memory Management". */

#ifndef Py_PYMEM_H
#define Py_PYMEM_H

#include "pyport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyMem_RawMalloc and kin: malloc, calloc, realloc and free. */
PyAPI_FUNC(void *) PyMem_RawMalloc(size_t size);
PyAPI_FUNC(void *) PyMem_RawCalloc(size_t nelem, size_t elsize);
PyAPI_FUNC(void *) PyMem_RawRealloc(void *ptr, size_t new_size);
PyAPI_FUNC(void) PyMem_RawFree(void *ptr);

/* PyMem_Malloc and kin: the same memory; the two families may not be mixed in
   programs that also run on CPython. */
PyAPI_FUNC(void *) PyMem_Malloc(size_t size);
PyAPI_FUNC(void *) PyMem_Calloc(size_t nelem, size_t elsize);
PyAPI_FUNC(void *) PyMem_Realloc(void *ptr, size_t new_size);
PyAPI_FUNC(void) PyMem_Free(void *ptr);

/* PyMem_New(TYPE, n), PyMem_Resize(p, TYPE, n): room for n elements; NULL
   also when the size does not fit. */
#define PyMem_New(TYPE, n)                                                    \
    ((size_t)(n) > PY_SSIZE_T_MAX / sizeof(TYPE)                              \
         ? NULL                                                               \
         : (TYPE *)PyMem_Malloc((n) * sizeof(TYPE)))
#define PyMem_Resize(p, TYPE, n)                                              \
    ((p) = (size_t)(n) > PY_SSIZE_T_MAX / sizeof(TYPE)                        \
               ? NULL                                                         \
               : (TYPE *)PyMem_Realloc((p), (n) * sizeof(TYPE)))

#ifndef Py_LIMITED_API
/* PyTraceMalloc_Track, PyTraceMalloc_Untrack: -2: there is no tracemalloc that
   could be on. */
PyAPI_FUNC(int)
    PyTraceMalloc_Track(unsigned int domain, uintptr_t ptr, size_t size);
PyAPI_FUNC(int) PyTraceMalloc_Untrack(unsigned int domain, uintptr_t ptr);
#endif

/* Old names. */
#define PyMem_NEW(TYPE, n) PyMem_New(TYPE, n)
#define PyMem_RESIZE(p, TYPE, n) PyMem_Resize(p, TYPE, n)
#define PyMem_MALLOC PyMem_Malloc
#define PyMem_REALLOC PyMem_Realloc
#define PyMem_FREE PyMem_Free
#define PyMem_Del PyMem_Free
#define PyMem_DEL PyMem_Free

#ifdef __cplusplus
}
#endif

#endif /* Py_PYMEM_H */
