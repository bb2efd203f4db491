/* pytime.c: clocks.

   Manual: "PyTime C API". */

#include "Python.h"

#include <time.h>

#define SECOND 1000000000

double
PyTime_AsSecondsDouble(PyTime_t t)
{
    return (double)t / SECOND;
}

/* Reads a clock.  0, or the number of an error: EOVERFLOW if the time does not
   fit, and *result is the one next to it; else *result is 0. */
static int
read_clock(clockid_t clock, PyTime_t *result)
{
    struct timespec now;

    *result = 0;
    if (clock_gettime(clock, &now) != 0)
        return errno;
    if (!__builtin_mul_overflow(now.tv_sec, (PyTime_t)SECOND, result) &&
        !__builtin_add_overflow(*result, now.tv_nsec, result))
        return 0;
    *result = now.tv_sec < 0 ? PyTime_MIN : PyTime_MAX;
    return EOVERFLOW;
}

static int
read_or_raise(clockid_t clock, PyTime_t *result)
{
    int error = read_clock(clock, result);

    if (error == 0)
        return 0;
    if (error == EOVERFLOW) {
        PyErr_SetString(PyExc_OverflowError,
                        "timestamp too large to convert to C PyTime_t");
        return -1;
    }
    errno = error;
    PyErr_SetFromErrno(PyExc_OSError);
    return -1;
}

static int
read_raw(clockid_t clock, PyTime_t *result)
{
    if (read_clock(clock, result) == 0)
        return 0;
    *result = 0;
    return -1;
}

int
PyTime_Time(PyTime_t *result)
{
    return read_or_raise(CLOCK_REALTIME, result);
}

int
PyTime_TimeRaw(PyTime_t *result)
{
    return read_raw(CLOCK_REALTIME, result);
}

int
PyTime_Monotonic(PyTime_t *result)
{
    return read_or_raise(CLOCK_MONOTONIC, result);
}

int
PyTime_MonotonicRaw(PyTime_t *result)
{
    return read_raw(CLOCK_MONOTONIC, result);
}

int
PyTime_PerfCounter(PyTime_t *result)
{
    return PyTime_Monotonic(result);
}

int
PyTime_PerfCounterRaw(PyTime_t *result)
{
    return PyTime_MonotonicRaw(result);
}
