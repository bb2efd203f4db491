/* intlimit.c: how many digits the text of an int may have: functions of the
   module sys. */

#include "Python.h"

#include "types/int/int.h"

int pyb_int_max_str_digits = PYB_INT_DEFAULT_MAX_STR_DIGITS;

static PyObject *
get_max_str_digits(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(pyb_int_max_str_digits);
}

static PyObject *
set_max_str_digits(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"maxdigits", NULL};
    PyObject *number;

    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:set_int_max_str_digits",
                                     names, &number))
        return NULL;
    int most = PyLong_AsInt(number);
    if (most == -1 && PyErr_Occurred())
        return NULL;
    if (most != 0 && most < PYB_INT_LEAST_MAX_STR_DIGITS)
        return PyErr_Format(PyExc_ValueError,
                            "maxdigits must be 0 or larger than %d",
                            PYB_INT_LEAST_MAX_STR_DIGITS);
    pyb_int_max_str_digits = most;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"get_int_max_str_digits", get_max_str_digits, METH_NOARGS,
     "Return how many digits the text of an int may have."},
    {"set_int_max_str_digits", _PyCFunction_CAST(set_max_str_digits),
     METH_VARARGS | METH_KEYWORDS,
     "Set how many digits the text of an int may have; 0: any number."},
    {NULL, NULL, 0, NULL},
};

int
pyb_int_init(void)
{
    PyObject *sys = PyImport_AddModule("sys");

    pyb_int_max_str_digits = PYB_INT_DEFAULT_MAX_STR_DIGITS;
    return sys != NULL ? PyModule_AddFunctions(sys, functions) : -1;
}
