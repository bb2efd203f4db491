/* floathex.c: floats in hexadecimal digits, which are exact. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/float/float.h"
#include "types/str/str.h"

PyObject *
pyb_float_hex(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    double v = PyFloat_AS_DOUBLE(self);
    const char *sign = signbit(v) ? "-" : "";
    char text[32];
    uint64_t bits;

    PYB_ASSERT_OBJECT(PyFloat_Check(self), self);
    if (!isfinite(v))
        return PyObject_Repr(self);
    if (v == 0.0)
        return PyUnicode_FromFormat("%s0x0.0p+0", sign);
    memcpy(&bits, &v, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7ff), normal = exponent != 0;
    PyOS_snprintf(text, sizeof text, "%s0x%d.%013" PRIx64 "p%+d", sign, normal,
                  bits & 0xfffffffffffff, normal ? exponent - 1023 : -1022);
    return PyUnicode_FromString(text);
}

/* ------------------------------------------------------------------ */
/* Reading                                                             */

#define DECIMAL "0123456789"
#define HEXADECIMAL DECIMAL "abcdefABCDEF"

/* The length of the number at p, which is behind a sign and "0x"; 0 if there
   is none. */
static size_t
number_length(const char *p)
{
    const size_t whole = strspn(p, HEXADECIMAL);
    size_t length = whole, fraction = 0;

    if (p[length] == '.') {
        fraction = strspn(p + length + 1, HEXADECIMAL);
        length += 1 + fraction;
    }
    if (whole + fraction == 0)
        return 0;
    if (p[length] == 'p' || p[length] == 'P') {
        length++;
        length += p[length] == '-' || p[length] == '+';
        const size_t exponent = strspn(p + length, DECIMAL);
        return exponent == 0 ? 0 : length + exponent;
    }
    return length;
}

/* Reads a number, or the name of a special value, from *p on.  -1 if there is
   none, or with MemoryError. */
static int
read_number(const char **p, double *v)
{
    const int negative = **p == '-';
    const char *digits = *p + (negative || **p == '+');

    if (Py_TOLOWER(*digits) == 'i' || Py_TOLOWER(*digits) == 'n') {
        char *end;
        *v = PyOS_string_to_double(*p, &end, NULL);
        *p = end;
        return PyErr_Occurred() ? -1 : 0;
    }
    if (digits[0] == '0' && Py_TOLOWER(digits[1]) == 'x')
        digits += 2;
    const size_t length = number_length(digits);
    char *copy = length == 0 ? NULL : (char *)PyMem_Malloc(length + 3);
    if (copy == NULL) {
        if (length != 0)
            PyErr_NoMemory();
        return -1;
    }
    memcpy(copy, "0x", 2);
    memcpy(copy + 2, digits, length);
    copy[length + 2] = '\0';
    *v = copysign(pyb_float_strtod(copy), negative ? -1.0 : 1.0);
    PyMem_Free(copy);
    *p = digits + length;
    if (!isinf(*v))
        return 0;
    return pyb_fail(PyExc_OverflowError,
                    "hexadecimal value too large to represent as a float");
}

PyObject *
pyb_float_fromhex(PyObject *type, PyObject *string)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(string, &length), *p = text;
    double v;

    if (text == NULL)
        return NULL;
    while (Py_ISSPACE(*p))
        p++;
    int status = read_number(&p, &v);
    while (Py_ISSPACE(*p))
        p++;
    if (status < 0 && PyErr_Occurred() &&
        !PyErr_ExceptionMatches(PyExc_ValueError))
        return NULL;
    if (status < 0 || p != text + length)
        return pyb_raise(PyExc_ValueError,
                         "invalid hexadecimal floating-point string");
    PyObject *op = PyFloat_FromDouble(v);
    if (op != NULL && type != (PyObject *)&PyFloat_Type)
        Py_SETREF(op, PyObject_CallOneArg(type, op));
    return op;
}
