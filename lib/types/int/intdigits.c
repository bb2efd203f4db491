/* intdigits.c: ints as arrays of digits, for libraries of large numbers. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/int/bigint.h"
#include "types/int/int.h"

/* Digits as CPython has them, so that callers meet nothing new. */
#define DIGIT_BITS 30
#define NAILS (32 - DIGIT_BITS) /* GMP's word for bits that are not used */

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
    if (!PyLong_Check(op))
        return pyb_failf(PyExc_TypeError, "expected int, got %s",
                         Py_TYPE(op)->tp_name);
    if (pyb_int_is_compact(op)) {
        export_long->value = pyb_int_compact(op);
        return 0;
    }
    struct pyb_bigint_view view;
    size_t count, most = pyb_int_bits(op) / DIGIT_BITS + 1;
    uint32_t *digits = PyMem_New(uint32_t, most);
    if (digits == NULL)
        return PYB_MEMORY_ERROR(-1);
    mpz_export(digits, &count, -1, sizeof *digits, 0, NAILS,
               pyb_bigint_see(op, &view));
    PYB_ASSERT(count > 0 && count <= most);
    export_long->ndigits = (Py_ssize_t)count;
    export_long->negative = pyb_int_sign(op) < 0;
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
    PyObject *op = NULL;
    mpz_t z;

    if (pyb_bigint_room((size_t)writer->ndigits / 2 + 1) == 0) {
        mpz_init(z);
        mpz_import(z, (size_t)writer->ndigits, -1, sizeof *writer->digits, 0,
                   NAILS, writer->digits);
        if (writer->negative)
            mpz_neg(z, z);
        op = pyb_bigint_finish(z);
    }
    PyLongWriter_Discard(writer);
    return op;
}

void
PyLongWriter_Discard(PyLongWriter *writer)
{
    PyMem_Free(writer);
}
