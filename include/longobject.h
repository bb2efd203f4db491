/* longobject.h: int, Python's integers.

   An int holds a number of any size.  What does not fit into a C type raises
   OverflowError; nothing ever wraps, except in the functions whose names say
   Mask.

   Where a function takes "an int or what has __index__", any other object
   raises TypeError.  The As functions return -1 (cast to their type) with an
   exception on failure: check PyErr_Occurred() when -1 may be a value.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "Integer Objects". */

#ifndef Py_LONGOBJECT_H
#define Py_LONGOBJECT_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyLongObject: public only so that types can embed it; use the functions.
   The number is immutable: if _pyb_size is 0, _pyb_value; else, and only if it
   does not fit there, as many limbs of 64 bits, the least significant first,
   and _pyb_size is negative if the number is. */
typedef struct _longobject {
    PyObject ob_base;
    Py_ssize_t _pyb_size;
    union {
        int64_t _pyb_value;
        uint64_t *_pyb_limbs;
    } _pyb_number;
} PyLongObject;

/* PyLong_Check, PyLong_CheckExact: is op an int (of any subtype; exactly)?
   May be called in tp_traverse. */
#define PyLong_Check(op)                                                      \
    PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_LONG_SUBCLASS)
#define PyLong_CheckExact(op) Py_IS_TYPE((op), &PyLong_Type)

/* ------------------------------------------------------------------ */
/* From C numbers                                                      */

/* An int of the value; a new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *) PyLong_FromLong(long v);
PyAPI_FUNC(PyObject *) PyLong_FromUnsignedLong(unsigned long v);
PyAPI_FUNC(PyObject *) PyLong_FromSsize_t(Py_ssize_t v);
PyAPI_FUNC(PyObject *) PyLong_FromSize_t(size_t v);
PyAPI_FUNC(PyObject *) PyLong_FromLongLong(long long v);
PyAPI_FUNC(PyObject *) PyLong_FromUnsignedLongLong(unsigned long long v);
#if _PYB_LIMITED_AT_LEAST(0x030E0000)
PyAPI_FUNC(PyObject *) PyLong_FromInt32(int32_t v);
PyAPI_FUNC(PyObject *) PyLong_FromUInt32(uint32_t v);
PyAPI_FUNC(PyObject *) PyLong_FromInt64(int64_t v);
PyAPI_FUNC(PyObject *) PyLong_FromUInt64(uint64_t v);
#endif

/* PyLong_FromDouble: the integer part of v.  A new reference; OverflowError
   for infinities, ValueError for NaN. */
PyAPI_FUNC(PyObject *) PyLong_FromDouble(double v);

/* PyLong_GetInfo: a struct sequence like sys.int_info: bits_per_digit and
   sizeof_digit, of the digits of PyLong_Export; default_max_str_digits, and
   str_digits_check_threshold.  A new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *) PyLong_GetInfo(void);

/* PyLong_FromVoidPtr: an int that PyLong_AsVoidPtr turns back into p.  A new
   reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *) PyLong_FromVoidPtr(void *p);

/* PyLong_FromString: the int that str spells in base 2 to 36, or as in source
   code for base 0; white space around it and single underscores between
   digits are allowed.  If pend is not NULL, *pend gets the end of str or the
   first character that is not part of the number.  A new reference, or NULL
   with ValueError: for other text, and for more digits than
   sys.get_int_max_str_digits() in a base that is not a power of two. */
PyAPI_FUNC(PyObject *)
    PyLong_FromString(const char *str, char **pend, int base);

/* PyLong_FromUnicodeObject: the same for a whole str object, a new
   reference. */
PyAPI_FUNC(PyObject *) PyLong_FromUnicodeObject(PyObject *u, int base);

/* ------------------------------------------------------------------ */
/* To C numbers                                                        */

/* The value of an int or what has __index__; OverflowError if the result type
   cannot hold it. */
PyAPI_FUNC(long) PyLong_AsLong(PyObject *op);
PyAPI_FUNC(int) PyLong_AsInt(PyObject *op);
PyAPI_FUNC(long long) PyLong_AsLongLong(PyObject *op);
#define PyLong_AS_LONG(op) PyLong_AsLong(op)
#define _PyLong_AsInt(op) PyLong_AsInt(op)

/* The same, except that a value out of range is no exception: the result is
   -1 and *overflow 1 or -1 for too large or too small; else *overflow is 0. */
PyAPI_FUNC(long) PyLong_AsLongAndOverflow(PyObject *op, int *overflow);
PyAPI_FUNC(long long)
    PyLong_AsLongLongAndOverflow(PyObject *op, int *overflow);

/* The value of an int; TypeError for anything else, OverflowError if the
   result type cannot hold it. */
PyAPI_FUNC(Py_ssize_t) PyLong_AsSsize_t(PyObject *op);
PyAPI_FUNC(size_t) PyLong_AsSize_t(PyObject *op);
PyAPI_FUNC(unsigned long) PyLong_AsUnsignedLong(PyObject *op);
PyAPI_FUNC(unsigned long long) PyLong_AsUnsignedLongLong(PyObject *op);
PyAPI_FUNC(double) PyLong_AsDouble(PyObject *op);

/* The value of an int or what has __index__, modulo the range of the result
   type. */
PyAPI_FUNC(unsigned long) PyLong_AsUnsignedLongMask(PyObject *op);
PyAPI_FUNC(unsigned long long) PyLong_AsUnsignedLongLongMask(PyObject *op);

/* PyLong_AsInt32 and kin: set *value to the value of an int or of what has
   __index__.  0, or -1 with OverflowError or TypeError. */
#if _PYB_LIMITED_AT_LEAST(0x030E0000)
PyAPI_FUNC(int) PyLong_AsInt32(PyObject *op, int32_t *value);
PyAPI_FUNC(int) PyLong_AsUInt32(PyObject *op, uint32_t *value);
PyAPI_FUNC(int) PyLong_AsInt64(PyObject *op, int64_t *value);
PyAPI_FUNC(int) PyLong_AsUInt64(PyObject *op, uint64_t *value);
#endif

/* PyLong_AsVoidPtr: the pointer that PyLong_FromVoidPtr made op from.  NULL
   with an exception on failure. */
PyAPI_FUNC(void *) PyLong_AsVoidPtr(PyObject *op);

/* Process numbers. */
#define PyLong_FromPid PyLong_FromLong
#define PyLong_AsPid PyLong_AsInt

/* ------------------------------------------------------------------ */
/* To and from bytes                                                   */

/* Flags: DEFAULTS alone, or the byte order and what else is wanted.
   UNSIGNED_BUFFER: the buffer holds no sign; REJECT_NEGATIVE: ValueError for
   negative numbers; ALLOW_INDEX: what has __index__ will do. */
#define Py_ASNATIVEBYTES_DEFAULTS -1
#define Py_ASNATIVEBYTES_BIG_ENDIAN 0
#define Py_ASNATIVEBYTES_LITTLE_ENDIAN 1
#define Py_ASNATIVEBYTES_NATIVE_ENDIAN 3
#define Py_ASNATIVEBYTES_UNSIGNED_BUFFER 4
#define Py_ASNATIVEBYTES_REJECT_NEGATIVE 8
#define Py_ASNATIVEBYTES_ALLOW_INDEX 16

#if _PYB_LIMITED_AT_LEAST(0x030E0000)
/* PyLong_AsNativeBytes: writes the lowest n_bytes bytes of op's two's
   complement to buffer.  Returns how many bytes the number needs: it was cut
   off if they are more than n_bytes.  -1 with TypeError or ValueError. */
PyAPI_FUNC(Py_ssize_t) PyLong_AsNativeBytes(PyObject *op, void *buffer,
                                            Py_ssize_t n_bytes, int flags);

/* PyLong_FromNativeBytes, PyLong_FromUnsignedNativeBytes: the int whose bytes
   buffer holds.  A new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *)
    PyLong_FromNativeBytes(const void *buffer, size_t n_bytes, int flags);
PyAPI_FUNC(PyObject *)
    PyLong_FromUnsignedNativeBytes(const void *buffer, size_t n_bytes,
                                   int flags);
#endif

/* ------------------------------------------------------------------ */
/* Questions                                                           */

/* PyLong_GetSign: sets *sign to -1, 0 or 1.  0, or -1 with TypeError if op is
   not an int. */
PyAPI_FUNC(int) PyLong_GetSign(PyObject *op, int *sign);

/* PyLong_IsPositive and kin: 1 or 0, or -1 with TypeError if op is not an
   int. */
PyAPI_FUNC(int) PyLong_IsPositive(PyObject *op);
PyAPI_FUNC(int) PyLong_IsNegative(PyObject *op);
PyAPI_FUNC(int) PyLong_IsZero(PyObject *op);

/* PyUnstable_Long_IsCompact: 1 if PyUnstable_Long_CompactValue may be called,
   which then returns the int's value; else 0.  Never fail. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) PyUnstable_Long_IsCompact(const PyLongObject *op);
PyAPI_FUNC(Py_ssize_t) PyUnstable_Long_CompactValue(const PyLongObject *op);
#endif

/* ------------------------------------------------------------------ */
/* Digits                                                              */

/* PyLongLayout: how digits stand in memory.  digits_order is 1 or -1 for the
   most or least significant digit first, digit_endianness likewise for the
   bytes of a digit. */
typedef struct PyLongLayout {
    uint8_t bits_per_digit;
    uint8_t digit_size;
    int8_t digits_order;
    int8_t digit_endianness;
} PyLongLayout;

/* PyLong_GetNativeLayout: the layout used below; static, never fails. */
PyAPI_FUNC(const PyLongLayout *) PyLong_GetNativeLayout(void);

/* PyLongExport: an int's value; where digits is not NULL it is in these
   instead, which PyLong_FreeExport gives back. */
typedef struct PyLongExport {
    int64_t value;
    uint8_t negative;
    Py_ssize_t ndigits;
    const void *digits;
    Py_uintptr_t _reserved;
} PyLongExport;

/* PyLong_Export: fills in export_long.  0, or -1 with TypeError or
   MemoryError. */
PyAPI_FUNC(int) PyLong_Export(PyObject *op, PyLongExport *export_long);

/* PyLong_FreeExport: to be called once after each success of PyLong_Export;
   has no effect where digits was NULL. */
PyAPI_FUNC(void) PyLong_FreeExport(PyLongExport *export_long);

/* PyLongWriter_Create: *digits gets room for ndigits digits, all of which the
   caller fills in.  NULL with ValueError or MemoryError. */
typedef struct PyLongWriter PyLongWriter;
PyAPI_FUNC(PyLongWriter *)
    PyLongWriter_Create(int negative, Py_ssize_t ndigits, void **digits);

/* PyLongWriter_Finish: the int of the digits; the writer is gone.  A new
   reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *) PyLongWriter_Finish(PyLongWriter *writer);

/* PyLongWriter_Discard: frees the writer; NULL is ignored. */
PyAPI_FUNC(void) PyLongWriter_Discard(PyLongWriter *writer);

/* _PyLong_Format: the int as text in base 2, 8, 10 or 16, with CPython's
   prefix for all but 10.  A new reference to a str, or NULL with an
   exception. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyObject *) _PyLong_Format(PyObject *op, int base);

/* _PyLong_Sign: -1, 0 or 1.  _PyLong_NumBits: how many bits the magnitude of
   an int has.  Never fail; op is an int. */
PyAPI_FUNC(int) _PyLong_Sign(PyObject *op);
PyAPI_FUNC(int64_t) _PyLong_NumBits(PyObject *op);

/* _PyLong_FromByteArray: the int of n bytes, in two's complement if is_signed
   is not 0.  A new reference, or NULL with MemoryError. */
PyAPI_FUNC(PyObject *)
    _PyLong_FromByteArray(const unsigned char *bytes, size_t n,
                          int little_endian, int is_signed);

/* _PyLong_AsByteArray: writes the int to n bytes, in two's complement if
   is_signed is not 0.  0; or -1 if it does not fit, or is negative and
   is_signed is 0, with OverflowError if with_exceptions is not 0.  Then the
   bytes hold the lowest part of it, or nothing. */
PyAPI_FUNC(int)
    _PyLong_AsByteArray(PyLongObject *op, unsigned char *bytes, size_t n,
                        int little_endian, int is_signed, int with_exceptions);
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_LONGOBJECT_H */
