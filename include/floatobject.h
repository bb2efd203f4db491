/* floatobject.h: float, Python's floating-point numbers.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Floating-Point Objects". */

#ifndef Py_FLOATOBJECT_H
#define Py_FLOATOBJECT_H

#include <float.h>
#include <math.h>

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyFloatObject: read it with the functions. */
typedef struct {
    PyObject ob_base;
    double ob_fval; /* immutable */
} PyFloatObject;

/* float. */
PyAPI_DATA(PyTypeObject) PyFloat_Type;

/* PyFloat_Check, PyFloat_CheckExact: is op a float (of any subtype; exactly)?
   May be called in tp_traverse. */
#define PyFloat_Check(op) PyObject_TypeCheck((op), &PyFloat_Type)
#define PyFloat_CheckExact(op) Py_IS_TYPE((op), &PyFloat_Type)

/* C numbers, and questions about them: 0 or not. */
#define Py_HUGE_VAL HUGE_VAL
#define Py_INFINITY ((double)INFINITY)
#define Py_NAN ((double)NAN)
#define Py_MATH_PI 3.14159265358979323846
#define Py_MATH_E 2.7182818284590452354
#define Py_MATH_PIl 3.1415926535897932384626433832795029L
#define Py_MATH_El 2.7182818284590452353602874713526625L
#define Py_MATH_TAU 6.2831853071795864769
#define Py_IS_NAN(X) isnan(X)
#define Py_IS_INFINITY(X) isinf(X)
#define Py_IS_FINITE(X) isfinite(X)

/* Return a float from the caller; NULL with MemoryError. */
#define Py_RETURN_NAN return PyFloat_FromDouble(Py_NAN)
#define Py_RETURN_INF(sign)                                                   \
    return PyFloat_FromDouble(copysign(Py_INFINITY, (sign)))

/* PyFloat_FromDouble: a float of the value.  A new reference, or NULL with
   MemoryError. */
PyAPI_FUNC(PyObject *) PyFloat_FromDouble(double v);

/* PyFloat_FromString: the float that a str, bytes, bytearray or buffer
   spells.  A new reference, or NULL with ValueError or TypeError. */
PyAPI_FUNC(PyObject *) PyFloat_FromString(PyObject *op);

/* PyFloat_AsDouble: the value of a float, or of what has __float__ or
   __index__.  -1 with an exception on failure; check PyErr_Occurred(). */
PyAPI_FUNC(double) PyFloat_AsDouble(PyObject *op);

/* PyFloat_AS_DOUBLE: the same for an object known to be a float. */
static inline double
PyFloat_AS_DOUBLE(PyObject *op)
{
    return ((PyFloatObject *)op)->ob_fval;
}
#define PyFloat_AS_DOUBLE(op) (PyFloat_AS_DOUBLE(_PyObject_CAST(op)))

/* PyFloat_GetInfo: a struct sequence like sys.float_info: max, max_exp,
   max_10_exp, min, min_exp, min_10_exp, dig, mant_dig, epsilon, radix, rounds,
   as <float.h> has them.  A new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *) PyFloat_GetInfo(void);

/* PyFloat_GetMax, PyFloat_GetMin: DBL_MAX and DBL_MIN. */
PyAPI_FUNC(double) PyFloat_GetMax(void);
PyAPI_FUNC(double) PyFloat_GetMin(void);

#ifndef Py_LIMITED_API
/* PyFloat_Pack2, PyFloat_Pack4, PyFloat_Pack8: store x at p as so many bytes of
   IEEE 754, the least significant first if le is not 0.  0, or -1 with
   OverflowError if x is too large; the last never fails.  PyFloat_Unpack2 and
   the others: the number at p; they never fail. */
PyAPI_FUNC(int) PyFloat_Pack2(double x, char *p, int le);
PyAPI_FUNC(int) PyFloat_Pack4(double x, char *p, int le);
PyAPI_FUNC(int) PyFloat_Pack8(double x, char *p, int le);
PyAPI_FUNC(double) PyFloat_Unpack2(const char *p, int le);
PyAPI_FUNC(double) PyFloat_Unpack4(const char *p, int le);
PyAPI_FUNC(double) PyFloat_Unpack8(const char *p, int le);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_FLOATOBJECT_H */
