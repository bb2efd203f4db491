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

/* PyFloat_GetMax, PyFloat_GetMin: DBL_MAX and DBL_MIN. */
PyAPI_FUNC(double) PyFloat_GetMax(void);
PyAPI_FUNC(double) PyFloat_GetMin(void);

#ifdef __cplusplus
}
#endif

#endif /* Py_FLOATOBJECT_H */
