/* complexobject.h: complex, Python's complex numbers.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Complex Number Objects". */

#ifndef Py_COMPLEXOBJECT_H
#define Py_COMPLEXOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Py_complex: the C value.  PyComplexObject: an object that holds one. */
typedef struct {
    double real;
    double imag;
} Py_complex;

typedef struct {
    PyObject ob_base;
    Py_complex cval; /* immutable */
} PyComplexObject;

/* complex. */
PyAPI_DATA(PyTypeObject) PyComplex_Type;

/* PyComplex_Check, PyComplex_CheckExact: is op a complex (of any subtype;
   exactly)?  May be called in tp_traverse. */
#define PyComplex_Check(op) PyObject_TypeCheck((op), &PyComplex_Type)
#define PyComplex_CheckExact(op) Py_IS_TYPE((op), &PyComplex_Type)

/* _Py_c_sum and kin: arithmetic on C values.  They raise no exception:
   _Py_c_quot sets errno to EDOM for a zero divisor, _Py_c_pow and _Py_c_abs
   set it to EDOM or ERANGE; else they set it to 0.  At any time, from any
   thread. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(Py_complex) _Py_c_sum(Py_complex left, Py_complex right);
PyAPI_FUNC(Py_complex) _Py_c_diff(Py_complex left, Py_complex right);
PyAPI_FUNC(Py_complex) _Py_c_neg(Py_complex num);
PyAPI_FUNC(Py_complex) _Py_c_prod(Py_complex left, Py_complex right);
PyAPI_FUNC(Py_complex) _Py_c_quot(Py_complex dividend, Py_complex divisor);
PyAPI_FUNC(Py_complex) _Py_c_pow(Py_complex num, Py_complex expo);
PyAPI_FUNC(double) _Py_c_abs(Py_complex num);
#endif

/* PyComplex_FromCComplex, PyComplex_FromDoubles: a complex with this value,
   with these two parts.  A new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *) PyComplex_FromCComplex(Py_complex v);
PyAPI_FUNC(PyObject *) PyComplex_FromDoubles(double real, double imag);

/* The parts of a complex, or of what has __complex__, __float__ or
   __index__.  -1 with an exception on failure; check PyErr_Occurred(). */
PyAPI_FUNC(double) PyComplex_RealAsDouble(PyObject *op);
PyAPI_FUNC(double) PyComplex_ImagAsDouble(PyObject *op);

/* PyComplex_AsCComplex: the value, found the same way; on failure the real
   part is -1 and an exception is set. */
PyAPI_FUNC(Py_complex) PyComplex_AsCComplex(PyObject *op);

#ifdef __cplusplus
}
#endif

#endif /* Py_COMPLEXOBJECT_H */
