/* critical_section.h: blocks that one thread at a time runs for an object.

   Only one thread is attached, so they are blocks and nothing more, as in
   CPython with its global lock.

   Manual: "Critical section API". */

#ifndef Py_CRITICALSECTION_H
#define Py_CRITICALSECTION_H

#ifndef Py_LIMITED_API

/* Py_BEGIN_CRITICAL_SECTION, Py_END_CRITICAL_SECTION: for one object.
   Py_BEGIN_CRITICAL_SECTION2, Py_END_CRITICAL_SECTION2: for two.  The ones
   with _MUTEX: for a PyMutex, or two. */
#define Py_BEGIN_CRITICAL_SECTION(op) {
#define Py_BEGIN_CRITICAL_SECTION_MUTEX(mutex) {
#define Py_END_CRITICAL_SECTION() }
#define Py_BEGIN_CRITICAL_SECTION2(a, b) {
#define Py_BEGIN_CRITICAL_SECTION2_MUTEX(m1, m2) {
#define Py_END_CRITICAL_SECTION2() }

#endif

#endif /* Py_CRITICALSECTION_H */
