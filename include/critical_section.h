/* critical_section.h: blocks that one thread at a time runs for an object.

   Only one thread is attached, so they are blocks and nothing more, as in
   CPython with its global lock.  The functions may be called from any thread.

   Manual: "Critical section API". */

#ifndef Py_CRITICALSECTION_H
#define Py_CRITICALSECTION_H

#include "pyboehm/lock.h"
#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

#if _PYB_LIMITED_AT_LEAST(0x030F0000)

/* Py_BEGIN_CRITICAL_SECTION, Py_END_CRITICAL_SECTION: for one object.
   Py_BEGIN_CRITICAL_SECTION2, Py_END_CRITICAL_SECTION2: for two.  The ones
   with _MUTEX: for a PyMutex, or two. */
#define Py_BEGIN_CRITICAL_SECTION(op) {
#define Py_BEGIN_CRITICAL_SECTION_MUTEX(mutex) {
#define Py_END_CRITICAL_SECTION() }
#define Py_BEGIN_CRITICAL_SECTION2(a, b) {
#define Py_BEGIN_CRITICAL_SECTION2_MUTEX(m1, m2) {
#define Py_END_CRITICAL_SECTION2() }

/* PyCriticalSection_Begin, PyCriticalSection_End, PyCriticalSection2_Begin,
   PyCriticalSection2_End: the same as functions, which do nothing; *c needs no
   initial value and is not touched. */
typedef struct PyCriticalSection {
    uintptr_t _cs_prev;
    void *_cs_mutex;
} PyCriticalSection;

typedef struct PyCriticalSection2 {
    PyCriticalSection _cs_base;
    void *_cs_mutex2;
} PyCriticalSection2;

PyAPI_FUNC(void) PyCriticalSection_Begin(PyCriticalSection *c, PyObject *op);
PyAPI_FUNC(void) PyCriticalSection_End(PyCriticalSection *c);
PyAPI_FUNC(void)
    PyCriticalSection2_Begin(PyCriticalSection2 *c, PyObject *a, PyObject *b);
PyAPI_FUNC(void) PyCriticalSection2_End(PyCriticalSection2 *c);

/* PyCriticalSection_BeginMutex, PyCriticalSection2_BeginMutex: the same for
   mutexes, which are not touched either. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(void)
    PyCriticalSection_BeginMutex(PyCriticalSection *c, PyMutex *m);
PyAPI_FUNC(void)
    PyCriticalSection2_BeginMutex(PyCriticalSection2 *c, PyMutex *m1,
                                  PyMutex *m2);
#endif

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_CRITICALSECTION_H */
