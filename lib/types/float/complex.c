/* complex.c: the type complex. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/attr.h"
#include "object/error/errors.h"
#include "types/float/float.h"
#include "types/format/format.h"
#include "types/int/int.h"
#include "types/str/str.h"

static Py_complex
value(PyObject *op)
{
    return PYB_CAST(PyComplexObject, PyComplex_Check, op)->cval;
}

/* ------------------------------------------------------------------ */
/* Making and reading them                                             */

PyObject *
PyComplex_FromCComplex(Py_complex v)
{
    PyComplexObject *op = PyObject_New(PyComplexObject, &PyComplex_Type);

    if (op != NULL)
        op->cval = v;
    return (PyObject *)op;
}

PyObject *
PyComplex_FromDoubles(double real, double imag)
{
    return PyComplex_FromCComplex((Py_complex){real, imag});
}

/* The result of op's __complex__.  1, 0 if it has none, -1 with an
   exception. */
static int
call_complex(PyObject *op, Py_complex *v)
{
    PyObject *result;
    int found = pyb_attr_convert(op, "__complex__", &PyComplex_Type, &result);

    if (found > 0) {
        *v = value(result);
        Py_DECREF(result);
    }
    return found;
}

Py_complex
PyComplex_AsCComplex(PyObject *op)
{
    Py_complex v = {-1.0, 0.0};

    if (op == NULL) {
        PyErr_BadInternalCall();
        return v;
    }
    if (PyComplex_Check(op))
        return value(op);
    if (call_complex(op, &v) == 0)
        v.real = PyFloat_AsDouble(op);
    return v;
}

double
PyComplex_RealAsDouble(PyObject *op)
{
    return PyComplex_AsCComplex(op).real;
}

double
PyComplex_ImagAsDouble(PyObject *op)
{
    Py_complex v = PyComplex_AsCComplex(op);

    return v.real == -1.0 && PyErr_Occurred() ? -1.0 : v.imag;
}

/* ------------------------------------------------------------------ */
/* complex(...)                                                        */

static const char *
skip_space(const char *p)
{
    while (Py_ISSPACE(*p))
        p++;
    return p;
}

/* Reads a number, or a sign alone in front of j, which counts as 1.  -1 if
   there is neither. */
static int
read_part(const char **p, double *v)
{
    char *end;

    *v = PyOS_string_to_double(*p, &end, NULL);
    if (end != *p) {
        *p = end;
        return 0;
    }
    PyErr_Clear();
    *v = **p == '-' ? -1.0 : 1.0;
    if (**p == '-' || **p == '+')
        ++*p;
    return **p == 'j' || **p == 'J' ? 0 : -1;
}

/* Reads "a", "bj" or "a+bj". */
static int
read_value(const char **p, Py_complex *v)
{
    double part;

    *v = (Py_complex){0.0, 0.0};
    if (read_part(p, &part) < 0)
        return -1;
    if (**p != 'j' && **p != 'J') {
        v->real = part;
        if (**p != '+' && **p != '-')
            return 0;
        if (read_part(p, &part) < 0 || (**p != 'j' && **p != 'J'))
            return -1;
    }
    v->imag = part;
    ++*p;
    return 0;
}

/* Reads a whole text, with optional white space and a pair of parentheses
   around the value.  0 if it is not a complex number. */
static int
read_text(const char *p, Py_complex *v)
{
    p = skip_space(p);
    const int bracket = *p == '(';

    if (bracket)
        p = skip_space(p + 1);
    if (read_value(&p, v) < 0)
        return 0;
    p = skip_space(p);
    if (bracket && *p++ != ')')
        return 0;
    return *skip_space(p) == '\0';
}

/* The value of a str as a complex number. */
static int
from_text(PyObject *u, Py_complex *v)
{
    PyObject *ascii = pyb_str_number(u);
    if (ascii == NULL)
        return -1;
    const char *text = pyb_str_text(ascii);
    const Py_ssize_t length = pyb_str_size(ascii);
    char *copy = (char *)PyMem_Malloc((size_t)length + 1);
    if (copy == NULL) {
        Py_DECREF(ascii);
        return PYB_MEMORY_ERROR(-1);
    }
    const int copied = pyb_float_copy_digits(copy, text, length) == 0;
    PYB_ASSERT(!copied || strlen(copy) <= (size_t)length);
    const int valid = copied && read_text(copy, v);
    const int misplaced = !copied && strchr(text, '_') != NULL;
    PyMem_Free(copy);
    Py_DECREF(ascii);
    if (valid)
        return 0;
    if (misplaced)
        PyErr_Format(PyExc_ValueError,
                     "could not convert string to complex: %R", u);
    else
        PyErr_SetString(PyExc_ValueError,
                        "complex() arg is a malformed string");
    return -1;
}

/* Can op be converted to a complex value? */
static int
is_number(PyObject *op)
{
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;

    return PyComplex_Check(op) || PyIndex_Check(op) ||
           (number != NULL && number->nb_float != NULL);
}

/* Converts a real number as float() does, a float of a derived class by its
   __float__.  0, or -1 with an exception. */
static int
real_value(PyObject *op, Py_complex *v)
{
    PyObject *number = PyNumber_Float(op);

    if (number == NULL)
        return -1;
    *v = (Py_complex){PyFloat_AS_DOUBLE(number), 0.0};
    Py_DECREF(number);
    return 0;
}

/* Converts the first argument of complex(): 1 for a complex number, 0 for a
   real one. */
static int
first_value(PyObject *x, PyObject *y, Py_complex *v)
{
    if (PyUnicode_Check(x)) {
        if (y == NULL)
            return from_text(x, v) < 0 ? -1 : 1;
        return pyb_fail(PyExc_TypeError, "complex() can't take second arg if "
                                         "first is a string");
    }
    if (PyComplex_Check(x)) {
        *v = value(x);
        return 1;
    }
    int found = call_complex(x, v);
    if (found != 0)
        return found;
    if (!is_number(x))
        return pyb_failf(
            PyExc_TypeError,
            "complex() first argument must be a string or a number, "
            "not '%.200s'",
            Py_TYPE(x)->tp_name);
    return real_value(x, v);
}

/* Converts the second argument of complex(), whose __complex__ does not count;
   1 and 0 as above. */
static int
second_value(PyObject *y, Py_complex *v)
{
    if (!is_number(y))
        return pyb_failf(PyExc_TypeError,
                         "complex() second argument must be a number, not "
                         "'%.200s'",
                         Py_TYPE(y)->tp_name);
    if (PyComplex_Check(y)) {
        *v = value(y);
        return 1;
    }
    return real_value(y, v);
}

static PyObject *
complex_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"real", "imag", NULL};
    PyObject *x = NULL, *y = NULL;
    Py_complex v = {0.0, 0.0}, w;
    int first = 0, second;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OO:complex", names, &x, &y))
        return NULL;
    if (y != NULL && PyUnicode_Check(y) && (x == NULL || !PyUnicode_Check(x)))
        return pyb_raise(PyExc_TypeError,
                         "complex() second arg can't be a string");
    if (x != NULL && (first = first_value(x, y, &v)) < 0)
        return NULL;
    if (y != NULL) {
        if ((second = second_value(y, &w)) < 0)
            return NULL;
        /* v + w * 1j, but without losing the sign of a zero. */
        v.real = second ? v.real - w.imag : v.real;
        v.imag = first ? v.imag + w.real : w.real;
    }
    PyObject *op = type->tp_alloc(type, 0);
    if (op != NULL)
        PYB_CAST(PyComplexObject, PyComplex_Check, op)->cval = v;
    return op;
}

static void
complex_dealloc(PyObject *op)
{
    Py_TYPE(op)->tp_free(op);
}

/* An exact complex with op's value. */
static PyObject *
exact(PyObject *op)
{
    return PyComplex_CheckExact(op) ? Py_NewRef(op)
                                    : PyComplex_FromCComplex(value(op));
}

/* ------------------------------------------------------------------ */
/* Basic slots                                                         */

static PyObject *
complex_repr(PyObject *op)
{
    const Py_complex v = value(op);
    const int imag_only = v.real == 0.0 && !signbit(v.real);
    char *real = NULL, *imag = NULL;
    PyObject *result = NULL;

    imag = PyOS_double_to_string(v.imag, 'r', 0, imag_only ? 0 : Py_DTSF_SIGN,
                                 NULL);
    if (imag == NULL)
        goto done;
    if (imag_only) {
        result = PyUnicode_FromFormat("%sj", imag);
        goto done;
    }
    real = PyOS_double_to_string(v.real, 'r', 0, 0, NULL);
    if (real != NULL)
        result = PyUnicode_FromFormat("(%s%sj)", real, imag);
done:
    PyMem_Free(real);
    PyMem_Free(imag);
    return result;
}

static Py_hash_t
complex_hash(PyObject *op)
{
    const size_t real = (size_t)_Py_HashDouble(op, value(op).real);
    const size_t imag = (size_t)_Py_HashDouble(op, value(op).imag);
    const Py_hash_t hash = (Py_hash_t)(real + PyHASH_IMAG * imag);

    return hash == -1 ? -2 : hash;
}

static PyObject *
complex_richcompare(PyObject *a, PyObject *b, int op)
{
    const Py_complex v = value(a);
    int equal;

    if (op != Py_EQ && op != Py_NE)
        Py_RETURN_NOTIMPLEMENTED;
    if (PyComplex_Check(b))
        equal = v.real == value(b).real && v.imag == value(b).imag;
    else if (PyFloat_Check(b))
        equal = v.imag == 0.0 && v.real == PyFloat_AS_DOUBLE(b);
    else if (PyLong_Check(b))
        equal = v.imag == 0.0 && !isnan(v.real) &&
                pyb_int_compare_double(b, v.real) == 0;
    else
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

/* ------------------------------------------------------------------ */
/* Arithmetic                                                          */

/* The value of an operand.  1; 0 if it is another object, the type of which
   may support the operation; -1 with OverflowError. */
static int
convert(PyObject *op, Py_complex *v)
{
    v->imag = 0.0;
    if (PyComplex_Check(op))
        *v = value(op);
    else if (PyFloat_Check(op))
        v->real = PyFloat_AS_DOUBLE(op);
    else if (PyLong_Check(op))
        return pyb_int_as_double(op, &v->real) < 0 ? -1 : 1;
    else
        return 0;
    return 1;
}

/* BOTH_VALUES: leaves a binary slot to the other operand's type unless both
   operands are numbers; declares their values. */
#define BOTH_VALUES(a, b, x, y)                                               \
    Py_complex x, y;                                                          \
    int known = convert((a), &x);                                             \
    if (known > 0)                                                            \
        known = convert((b), &y);                                             \
    if (_PyB_UNLIKELY(known <= 0))                                            \
    return known < 0 ? NULL : Py_NewRef(Py_NotImplemented)

static PyObject *
complex_add(PyObject *a, PyObject *b)
{
    BOTH_VALUES(a, b, x, y);
    return PyComplex_FromCComplex(_Py_c_sum(x, y));
}

static PyObject *
complex_subtract(PyObject *a, PyObject *b)
{
    BOTH_VALUES(a, b, x, y);
    return PyComplex_FromCComplex(_Py_c_diff(x, y));
}

static PyObject *
complex_multiply(PyObject *a, PyObject *b)
{
    BOTH_VALUES(a, b, x, y);
    return PyComplex_FromCComplex(_Py_c_prod(x, y));
}

static PyObject *
complex_true_divide(PyObject *a, PyObject *b)
{
    BOTH_VALUES(a, b, x, y);
    Py_complex quotient = _Py_c_quot(x, y);
    if (errno == EDOM)
        return pyb_raise(PyExc_ZeroDivisionError, "complex division by zero");
    return PyComplex_FromCComplex(quotient);
}

static PyObject *
complex_power(PyObject *a, PyObject *b, PyObject *modulus)
{
    BOTH_VALUES(a, b, x, y);
    if (modulus != Py_None)
        return pyb_raise(PyExc_ValueError, "complex modulo");
    Py_complex power = _Py_c_pow(x, y);
    if (errno == EDOM)
        return pyb_raise(PyExc_ZeroDivisionError,
                         "0.0 to a negative or complex power");
    if (errno == ERANGE)
        return pyb_raise(PyExc_OverflowError, "complex exponentiation");
    return PyComplex_FromCComplex(power);
}

static PyObject *
complex_negative(PyObject *op)
{
    return PyComplex_FromCComplex(_Py_c_neg(value(op)));
}

static PyObject *
complex_absolute(PyObject *op)
{
    double size = _Py_c_abs(value(op));

    if (errno == ERANGE)
        return pyb_raise(PyExc_OverflowError, "absolute value too large");
    return PyFloat_FromDouble(size);
}

static int
complex_bool(PyObject *op)
{
    return value(op).real != 0.0 || value(op).imag != 0.0;
}

/* ------------------------------------------------------------------ */
/* Methods and attributes                                              */

static PyObject *
conjugate(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyComplex_FromDoubles(value(self).real, -value(self).imag);
}

static PyObject *
as_complex(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return exact(self);
}

static PyObject *
getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(dd)", value(self).real, value(self).imag);
}

static PyMethodDef complex_methods[] = {
    {"__format__", pyb_format_complex, METH_O, NULL},
    {"conjugate", conjugate, METH_NOARGS,
     "Return the complex conjugate of its argument."},
    {"__complex__", as_complex, METH_NOARGS,
     "Convert this value to exact type complex."},
    {"__getnewargs__", getnewargs, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef complex_members[] = {
    {"real", Py_T_DOUBLE, offsetof(PyComplexObject, cval.real), Py_READONLY,
     "the real part of a complex number"},
    {"imag", Py_T_DOUBLE, offsetof(PyComplexObject, cval.imag), Py_READONLY,
     "the imaginary part of a complex number"},
    {NULL, 0, 0, 0, NULL},
};

static PyNumberMethods complex_as_number = {
    .nb_add = complex_add,
    .nb_subtract = complex_subtract,
    .nb_multiply = complex_multiply,
    .nb_power = complex_power,
    .nb_negative = complex_negative,
    .nb_positive = exact,
    .nb_absolute = complex_absolute,
    .nb_bool = complex_bool,
    .nb_true_divide = complex_true_divide,
};

PyTypeObject PyComplex_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0).tp_name = "complex",
    .tp_basicsize = sizeof(PyComplexObject),
    .tp_dealloc = complex_dealloc,
    .tp_repr = complex_repr,
    .tp_as_number = &complex_as_number,
    .tp_hash = complex_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "complex(real=0, imag=0)",
    .tp_richcompare = complex_richcompare,
    .tp_methods = complex_methods,
    .tp_members = complex_members,
    .tp_new = complex_new,
    .tp_free = PyObject_Free,
};
