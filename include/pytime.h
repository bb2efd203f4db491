/* pytime.h: clocks.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "PyTime C API". */

#ifndef Py_PYTIME_H
#define Py_PYTIME_H

#include "object.h"

#ifndef Py_LIMITED_API

#ifdef __cplusplus
extern "C" {
#endif

/* PyTime_t: a time or a duration in nanoseconds; PyTime_MIN, PyTime_MAX: the
   least and the greatest. */
typedef int64_t PyTime_t;
#define PyTime_MIN INT64_MIN
#define PyTime_MAX INT64_MAX

/* PyTime_AsSecondsDouble: the time in seconds; at any time, from any
   thread. */
PyAPI_FUNC(double) PyTime_AsSecondsDouble(PyTime_t t);

/* PyTime_Time: the time since the beginning of 1970, which may be set.
   PyTime_Monotonic: that of a clock that only goes forward.
   PyTime_PerfCounter: that of the finest one, which is the same here.  0; or
   -1 with OSError, or with OverflowError and *result the least or greatest
   time. */
PyAPI_FUNC(int) PyTime_Time(PyTime_t *result);
PyAPI_FUNC(int) PyTime_Monotonic(PyTime_t *result);
PyAPI_FUNC(int) PyTime_PerfCounter(PyTime_t *result);

/* PyTime_TimeRaw and the others: the same at any time and from any thread; -1
   without an exception, and *result 0. */
PyAPI_FUNC(int) PyTime_TimeRaw(PyTime_t *result);
PyAPI_FUNC(int) PyTime_MonotonicRaw(PyTime_t *result);
PyAPI_FUNC(int) PyTime_PerfCounterRaw(PyTime_t *result);

#ifdef __cplusplus
}
#endif

#endif /* Py_LIMITED_API */

#endif /* Py_PYTIME_H */
