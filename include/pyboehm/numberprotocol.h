/* numberprotocol.h: what can be done with any number.

   All results are new references; NULL, or -1, with an exception on failure.
   A binary operation asks the left operand's type, then the right one's, the
   right one first if its type is a subtype of the left one's; a slot passes
   the question on by returning Py_NotImplemented.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Number Protocol". */

#ifndef Py_NUMBERPROTOCOL_H
#define Py_NUMBERPROTOCOL_H

#include "../object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyNumber_Check: 1 if op is an int, a float, a complex or converts to one of
   the first two, else 0; never fails.  NULL is allowed: 0. */
PyAPI_FUNC(int) PyNumber_Check(PyObject *op);

/* The operators + - * @ // / % divmod ** << >> & ^ |.  z is pow's third
   argument, or Py_None.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyNumber_Add(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_Subtract(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_Multiply(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_MatrixMultiply(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_FloorDivide(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_TrueDivide(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_Remainder(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_Divmod(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_Power(PyObject *x, PyObject *y, PyObject *z);
PyAPI_FUNC(PyObject *) PyNumber_Lshift(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_Rshift(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_And(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_Xor(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_Or(PyObject *x, PyObject *y);

/* The operators - + abs ~.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyNumber_Negative(PyObject *op);
PyAPI_FUNC(PyObject *) PyNumber_Positive(PyObject *op);
PyAPI_FUNC(PyObject *) PyNumber_Absolute(PyObject *op);
PyAPI_FUNC(PyObject *) PyNumber_Invert(PyObject *op);

/* The operators += and so on: x itself may change and be the result, else they
   are the ones above.  A new reference in either case, or NULL with an
   exception. */
PyAPI_FUNC(PyObject *) PyNumber_InPlaceAdd(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceSubtract(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceMultiply(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *)
    PyNumber_InPlaceMatrixMultiply(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceFloorDivide(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceTrueDivide(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceRemainder(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *)
    PyNumber_InPlacePower(PyObject *x, PyObject *y, PyObject *z);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceLshift(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceRshift(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceAnd(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceXor(PyObject *x, PyObject *y);
PyAPI_FUNC(PyObject *) PyNumber_InPlaceOr(PyObject *x, PyObject *y);

/* PyNumber_Long, PyNumber_Float: int(op) and float(op); text is parsed.  A new
   reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyNumber_Long(PyObject *op);
PyAPI_FUNC(PyObject *) PyNumber_Float(PyObject *op);

/* PyIndex_Check: does op's type have nb_index?  1 or 0. */
PyAPI_FUNC(int) PyIndex_Check(PyObject *op);

/* PyNumber_Index: op as an int, exactly.  A new reference, or NULL with
   TypeError unless it is one or has nb_index. */
PyAPI_FUNC(PyObject *) PyNumber_Index(PyObject *op);

/* PyNumber_AsSsize_t: op's index as a C number.  One that does not fit raises
   exc; if exc is NULL it is clipped to PY_SSIZE_T_MIN or PY_SSIZE_T_MAX
   instead. */
PyAPI_FUNC(Py_ssize_t) PyNumber_AsSsize_t(PyObject *op, PyObject *exc);

/* PyNumber_ToBase: op's index as text in base 2, 8, 10 or 16, with the prefix
   of that base.  A new reference, or NULL with an exception. */
PyAPI_FUNC(PyObject *) PyNumber_ToBase(PyObject *op, int base);

#ifdef __cplusplus
}
#endif

#endif /* Py_NUMBERPROTOCOL_H */
