/* intdigits.c: ints as arrays of digits, for libraries of large numbers. */

#include "Python.h"

#include "types/int.h"

/* Digits as CPython has them, so that callers meet nothing new. */
#define DIGIT_BITS 30
#define DIGIT_MASK (((uint32_t)1 << DIGIT_BITS) - 1)
#define MAX_DIGITS ((128 + DIGIT_BITS - 1) / DIGIT_BITS)

const PyLongLayout *
PyLong_GetNativeLayout(void)
{
    static const PyLongLayout layout = {
        DIGIT_BITS, sizeof(uint32_t), -1,
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? -1 : 1};
    return &layout;
}

int
PyLong_Export(PyObject *op, PyLongExport *export_long)
{
    memset(export_long, 0, sizeof *export_long);
    if (!PyLong_Check(op)) {
        PyErr_Format(PyExc_TypeError, "expected int, got %s",
                     Py_TYPE(op)->tp_name);
        return -1;
    }
    const pyb_int128 v = pyb_int_value(op);
    if ((int64_t)v == v) {
        export_long->value = (int64_t)v;
        return 0;
    }
    uint32_t *digits = PyMem_New(uint32_t, MAX_DIGITS);
    if (digits == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    pyb_uint128 rest = pyb_intmath_magnitude(v);
    for (; rest != 0; rest >>= DIGIT_BITS)
        digits[export_long->ndigits++] = (uint32_t)rest & DIGIT_MASK;
    export_long->negative = v < 0;
    export_long->digits = digits;
    export_long->_reserved = (Py_uintptr_t)digits;
    return 0;
}

void
PyLong_FreeExport(PyLongExport *export_long)
{
    PyMem_Free((void *)export_long->_reserved);
    export_long->_reserved = 0;
    export_long->digits = NULL;
}

struct PyLongWriter {
    int negative;
    Py_ssize_t ndigits;
    uint32_t digits[];
};

PyLongWriter *
PyLongWriter_Create(int negative, Py_ssize_t ndigits, void **digits)
{
    PyLongWriter *writer = NULL;

    if (ndigits <= 0) {
        PyErr_SetString(PyExc_ValueError, "ndigits must be positive");
        goto error;
    }
    if ((size_t)ndigits < PY_SSIZE_T_MAX / sizeof(uint32_t) - sizeof *writer)
        writer = (PyLongWriter *)PyMem_Calloc(
            1, sizeof *writer + (size_t)ndigits * sizeof(uint32_t));
    if (writer == NULL) {
        PyErr_NoMemory();
        goto error;
    }
    writer->negative = negative;
    writer->ndigits = ndigits;
    *digits = writer->digits;
    return writer;
error:
    *digits = NULL;
    return NULL;
}

PyObject *
PyLongWriter_Finish(PyLongWriter *writer)
{
    pyb_uint128 magnitude = 0;
    pyb_int128 v = 0;
    int status = 0;

    for (Py_ssize_t i = writer->ndigits; i-- > 0;) {
        if (magnitude >> (128 - DIGIT_BITS) != 0)
            status = -1;
        magnitude = magnitude << DIGIT_BITS | writer->digits[i];
    }
    if (status == 0)
        status = pyb_intmath_signed(magnitude, writer->negative, &v);
    PyLongWriter_Discard(writer);
    return status < 0 ? pyb_int_too_large() : pyb_int_from(v);
}

void
PyLongWriter_Discard(PyLongWriter *writer)
{
    PyMem_Free(writer);
}
