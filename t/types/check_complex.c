/* check_complex.c: complex numbers: what they are made from, reckoning with
   them, and what they refuse. */

#include "../support/suite.h"

#include <errno.h>
#include <math.h>

static PyObject *
number(double real, double imag)
{
    return PyComplex_FromDoubles(real, imag);
}

/* The result of function(a, b), both of which are given away. */
static PyObject *
of_two(PyObject *(*function)(PyObject *, PyObject *), PyObject *a, PyObject *b)
{
    PyObject *result = function(a, b);

    suite_drop(a, b);
    return result;
}

static PyObject *
of_one(PyObject *(*function)(PyObject *), PyObject *op)
{
    PyObject *result = function(op);

    Py_DECREF(op);
    return result;
}

static PyObject *
power(PyObject *a, PyObject *b)
{
    return PyNumber_Power(a, b, Py_None);
}

START_TEST(reckoning)
{
    suite_new_repr(of_two(PyNumber_Add, number(1, 2), number(3, -5)),
                   "(4-3j)");
    suite_new_repr(of_two(PyNumber_Add, number(1, 2), PyLong_FromLong(3)),
                   "(4+2j)");
    suite_new_repr(of_two(PyNumber_Subtract, number(1, 2), number(3, -5)),
                   "(-2+7j)");
    suite_new_repr(of_two(PyNumber_Multiply, number(1, 2), number(3, -5)),
                   "(13+1j)");
    suite_new_repr(of_one(PyNumber_Negative, number(1, -2)), "(-1+2j)");
    suite_new_repr(of_one(PyNumber_Positive, number(1, -2)), "(1-2j)");
    suite_new_repr(of_one(PyNumber_Absolute, number(3, -4)), "5.0");
    suite_refused(of_one(PyNumber_Absolute, number(1.7e308, 1.7e308)),
                  PyExc_OverflowError, "absolute value too large");
    suite_new_repr(of_one(PyNumber_Absolute, number(-INFINITY, NAN)), "inf");
    suite_new_repr(of_one(PyNumber_Absolute, number(1, NAN)), "nan");
}

START_TEST(division)
{
    suite_new_repr(of_two(PyNumber_TrueDivide, number(1, 2), number(4, -2)),
                   "0.5j");
    suite_new_repr(of_two(PyNumber_TrueDivide, number(1, 2), number(2, -4)),
                   "(-0.3+0.4j)");
    suite_new_repr(of_two(PyNumber_TrueDivide, number(1, 2), number(NAN, 1)),
                   "(nan+nanj)");
    suite_refused(of_two(PyNumber_TrueDivide, number(1, 2), number(0, 0)),
                  PyExc_ZeroDivisionError, "complex division by zero");
    suite_refused(
        of_two(PyNumber_FloorDivide, number(1, 2), number(1, 0)),
        PyExc_TypeError,
        "unsupported operand type(s) for //: 'complex' and 'complex'");
}

START_TEST(powers)
{
    suite_new_repr(of_two(power, number(1, 2), number(0, 0)), "(1+0j)");
    suite_new_repr(of_two(power, number(0, 0), number(2, 0)), "0j");
    suite_new_repr(of_two(power, number(1, 2), PyLong_FromLong(3)),
                   "(-11-2j)");
    suite_new_repr(of_two(power, number(0, 2), PyLong_FromLong(-2)),
                   "(-0.25-0j)");
    suite_refused(of_two(power, number(0, 0), number(1, 1)),
                  PyExc_ZeroDivisionError,
                  "0.0 to a negative or complex power");
    suite_refused(of_two(power, number(0, 0), number(-1, 0)),
                  PyExc_ZeroDivisionError,
                  "0.0 to a negative or complex power");
    suite_refused(of_two(power, number(1e200, 1e200), number(2.5, 0)),
                  PyExc_OverflowError, "complex exponentiation");

    Py_complex z = _Py_c_pow((Py_complex){0, 1}, (Py_complex){0, 1});
    ck_assert(fabs(z.real - exp(-acos(0))) < 1e-15);
    ck_assert(fabs(z.imag) < 1e-15);
    PyObject *one = number(1, 0);
    suite_refused(PyNumber_Power(one, one, one), PyExc_ValueError,
                  "complex modulo");
    Py_DECREF(one);
}

/* The functions without objects say through errno what is wrong. */
START_TEST(functions_of_the_structure)
{
    const Py_complex zero = {0, 0}, one = {1, 0}, a = {1, 2};

    errno = 0;
    Py_complex z = _Py_c_sum(a, one);
    ck_assert(z.real == 2 && z.imag == 2);
    z = _Py_c_neg(a);
    ck_assert(z.real == -1 && z.imag == -2);
    ck_assert(_Py_c_pow(a, zero).real == 1 && _Py_c_pow(a, zero).imag == 0);
    ck_assert_int_eq(errno, 0);
    z = _Py_c_pow(zero, (Py_complex){0, 1});
    ck_assert(z.real == 0 && z.imag == 0);
    ck_assert_int_eq(errno, EDOM);
    errno = 0;
    z = _Py_c_pow(zero, (Py_complex){2, 0});
    ck_assert(z.real == 0 && z.imag == 0);
    ck_assert_int_eq(errno, 0);
    _Py_c_quot(a, zero);
    ck_assert_int_eq(errno, EDOM);
}

START_TEST(parts)
{
    PyObject *z = number(1.5, -2);

    suite_new_repr(PyObject_GetAttrString(z, "real"), "1.5");
    suite_new_repr(PyObject_GetAttrString(z, "imag"), "-2.0");
    suite_new_repr(PyObject_CallMethod(z, "conjugate", NULL), "(1.5+2j)");
    suite_new_repr(PyObject_CallMethod(z, "__complex__", NULL), "(1.5-2j)");
    suite_new_repr(PyObject_CallMethod(z, "__getnewargs__", NULL),
                   "(1.5, -2.0)");
    suite_failed(PyObject_SetAttrString(z, "real", z), PyExc_AttributeError,
                 "readonly attribute");
    ck_assert_int_eq(PyObject_IsTrue(z), 1);
    Py_SETREF(z, number(0, -0.0));
    ck_assert_int_eq(PyObject_IsTrue(z), 0);
    Py_DECREF(z);
}

START_TEST(comparing)
{
    PyObject *z = number(2, 0), *w = number(2, 1);
    PyObject *two = PyLong_FromLong(2), *half = PyFloat_FromDouble(0.5);
    PyObject *huge = PyLong_FromString("20000000000000001", NULL, 10);
    PyObject *rounded = number(2e16, 0);

    ck_assert_int_eq(PyObject_RichCompareBool(z, two, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(w, two, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(z, half, Py_NE), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(z, w, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(rounded, huge, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(z, Py_None, Py_EQ), 0);
    suite_refused(
        PyObject_RichCompare(z, w, Py_LT), PyExc_TypeError,
        "'<' not supported between instances of 'complex' and 'complex'");
    suite_refused(
        PyObject_RichCompare(z, two, Py_GE), PyExc_TypeError,
        "'>=' not supported between instances of 'complex' and 'int'");
    ck_assert_int_eq(PyObject_Hash(z), 2);
    suite_drop(z, w, two, half, huge, rounded);
}

/* ------------------------------------------------------------------ */
/* Making                                                              */

static PyObject *
make(PyObject *real, PyObject *imag)
{
    return PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, real,
                                        imag, NULL);
}

static PyObject *answer; /* of the method below */

static PyObject *
get_answer(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(none))
{
    return Py_XNewRef(answer);
}

static PyMethodDef complex_method = {"__complex__", get_answer, METH_NOARGS,
                                     NULL};

/* An instance of a class with the method __complex__. */
static PyObject *
answering(void)
{
    PyObject *function = PyCFunction_New(&complex_method, NULL);
    PyObject *type = suite_class("s(){sN}", "C", "__complex__", function);
    PyObject *op = PyObject_CallNoArgs(type);
    Py_DECREF(type);
    return op;
}

START_TEST(what_has_the_method)
{
    PyObject *op = answering(), *two = PyLong_FromLong(2);

    answer = number(1, 2);
    suite_new_repr(make(op, NULL), "(1+2j)");
    suite_new_repr(make(op, two), "(1+4j)");
    Py_complex z = PyComplex_AsCComplex(op);
    ck_assert(z.real == 1 && z.imag == 2);
    suite_refused(make(two, op), PyExc_TypeError,
                  "complex() second argument must be a number, not 'C'");
    Py_DECREF(answer);

    answer = two;
    suite_refused(make(op, NULL), PyExc_TypeError,
                  "__complex__ returned non-complex (type int)");
    ck_assert(PyComplex_AsCComplex(op).real == -1);
    suite_exception(PyExc_TypeError,
                    "__complex__ returned non-complex (type int)");
    suite_drop(two, op);
}

START_TEST(made_from_two)
{
    PyObject *z = number(1, 2), *w = number(3, 4);
    PyObject *text = PyUnicode_FromString("1"), *two = PyLong_FromLong(2);

    suite_new_repr(make(NULL, NULL), "0j");
    suite_new_repr(make(z, w), "(-3+5j)");
    suite_new_repr(make(two, w), "(-2+3j)");
    suite_new_repr(make(text, NULL), "(1+0j)");
    suite_refused(make(text, two), PyExc_TypeError,
                  "complex() can't take second arg if first is a string");
    suite_refused(make(two, text), PyExc_TypeError,
                  "complex() second arg can't be a string");
    suite_refused(make(Py_None, NULL), PyExc_TypeError,
                  "complex() first argument must be a string or a number, not "
                  "'NoneType'");
    suite_refused(
        make(two, Py_None), PyExc_TypeError,
        "complex() second argument must be a number, not 'NoneType'");
    suite_drop(z, w, text, two);
}

START_TEST(made_from_text)
{
    static const struct {
        const char *text, *repr;
    } good[] = {
        {" ( 1+2j ) ", "(1+2j)"},
        {"-j", "-1j"},
        {"1e3-1E-3J", "(1000-0.001j)"},
        {"inf-nanj", "(inf+nanj)"},
        {"+2", "(2+0j)"},
        {"1_0j", "10j"},
    };
    static const char *const bad[] = {"",       "1+", "1+2",  "(1+2j",
                                      "1 + 2j", "j1", "1+2jj"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(good); i++) {
        PyObject *text = PyUnicode_FromString(good[i].text);
        suite_new_repr(make(text, NULL), good[i].repr);
        Py_DECREF(text);
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(bad); i++) {
        PyObject *text = PyUnicode_FromString(bad[i]);
        suite_refused(make(text, NULL), PyExc_ValueError,
                      "complex() arg is a malformed string");
        Py_DECREF(text);
    }

    PyObject *text = PyUnicode_FromString("1__0");
    suite_refused(make(text, NULL), PyExc_ValueError,
                  "could not convert string to complex: '1__0'");
    Py_DECREF(text);
}

START_TEST(subclasses)
{
    PyObject *type = suite_class("s(O){}", "C", (PyObject *)&PyComplex_Type);
    PyObject *op = PyObject_CallFunction(type, "dd", 1.0, 2.0);

    ck_assert_ptr_eq(Py_TYPE(op), (PyTypeObject *)type);
    PyObject *plain = PyNumber_Positive(op);
    ck_assert_ptr_eq(Py_TYPE(plain), &PyComplex_Type);
    suite_new_repr(plain, "(1+2j)");
    plain = PyObject_CallMethod(op, "__complex__", NULL);
    ck_assert_ptr_eq(Py_TYPE(plain), &PyComplex_Type);
    suite_new_repr(plain, "(1+2j)");
    suite_drop(op, type);
}
