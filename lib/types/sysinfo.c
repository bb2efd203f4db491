/* sysinfo.c: sys.float_info, sys.int_info and sys.thread_info, and the
   functions that make others like them.

   Manual: "Floating-Point Objects"; "Integer Objects"; Python's library,
   "sys". */

#include "Python.h"

#include <unistd.h>

#include "gc/base/fatal.h"
#include "types/int/int.h"
#include "types/sysinfo.h"

static PyTypeObject float_info, int_info, thread_info;

#define FIELDS_END                                                            \
    {                                                                         \
        NULL, NULL                                                            \
    }

static PyStructSequence_Field float_fields[] = {
    {"max", "DBL_MAX: the greatest finite number"},
    {"max_exp", "DBL_MAX_EXP: radix**(max_exp - 1) is a finite number"},
    {"max_10_exp", "DBL_MAX_10_EXP: 10**max_10_exp is a finite number"},
    {"min", "DBL_MIN: the least positive normal number"},
    {"min_exp", "DBL_MIN_EXP: radix**(min_exp - 1) is a normal number"},
    {"min_10_exp", "DBL_MIN_10_EXP: 10**min_10_exp is a normal number"},
    {"dig", "DBL_DIG: decimal digits that are kept"},
    {"mant_dig", "DBL_MANT_DIG: digits of the mantissa, to the radix"},
    {"epsilon", "DBL_EPSILON: from 1 to the next number"},
    {"radix", "FLT_RADIX: the base of the exponent"},
    {"rounds", "FLT_ROUNDS: how sums are rounded"},
    FIELDS_END};
static PyStructSequence_Field int_fields[] = {
    {"bits_per_digit", "bits in a digit"},
    {"sizeof_digit", "bytes that a digit takes"},
    {"default_max_str_digits", "digits of a text, unless another is set"},
    {"str_digits_check_threshold", "the least number that may be set"},
    FIELDS_END};
static PyStructSequence_Field thread_fields[] = {
    {"name", "the library of threads"},
    {"lock", "what locks are made of"},
    {"version", "the version of the library"},
    FIELDS_END};

static PyStructSequence_Desc float_desc = {
    "sys.float_info", "Limits and precision of floats, as <float.h> has them.",
    float_fields, Py_ARRAY_LENGTH(float_fields) - 1};
static PyStructSequence_Desc int_desc = {
    "sys.int_info", "How ints are exported, and how long their texts may be.",
    int_fields, Py_ARRAY_LENGTH(int_fields) - 1};
static PyStructSequence_Desc thread_desc = {
    "sys.thread_info", "What threads and locks are made of.", thread_fields,
    Py_ARRAY_LENGTH(thread_fields) - 1};

/* An instance with these values, a tuple that is stolen; NULL is passed on. */
static PyObject *
instance(PyTypeObject *type, PyObject *values)
{
    if (values == NULL)
        return NULL;
    PYB_ASSERT(PyType_HasFeature(type, Py_TPFLAGS_READY));
    PyObject *op = PyObject_CallOneArg((PyObject *)type, values);
    Py_DECREF(values);
    return op;
}

PyObject *
PyFloat_GetInfo(void)
{
    return instance(&float_info,
                    Py_BuildValue("(diidiiiidii)", DBL_MAX, DBL_MAX_EXP,
                                  DBL_MAX_10_EXP, DBL_MIN, DBL_MIN_EXP,
                                  DBL_MIN_10_EXP, DBL_DIG, DBL_MANT_DIG,
                                  DBL_EPSILON, FLT_RADIX, FLT_ROUNDS));
}

PyObject *
PyLong_GetInfo(void)
{
    const PyLongLayout *layout = PyLong_GetNativeLayout();

    return instance(&int_info, Py_BuildValue("(iiii)", layout->bits_per_digit,
                                             layout->digit_size,
                                             PYB_INT_DEFAULT_MAX_STR_DIGITS,
                                             PYB_INT_LEAST_MAX_STR_DIGITS));
}

/* Locks are POSIX's semaphores.  A library that has no version gives None. */
PyObject *
PyThread_GetInfo(void)
{
    const char *version = NULL;
#ifdef _CS_GNU_LIBPTHREAD_VERSION
    char text[100];
    size_t size = confstr(_CS_GNU_LIBPTHREAD_VERSION, text, sizeof text);

    if (size > 0 && size <= sizeof text)
        version = text;
#endif
    return instance(&thread_info,
                    Py_BuildValue("(ssz)", "pthread", "semaphore", version));
}

/* Readies the type, which is done once in the life of the process, and adds
   what get returns to sys. */
static int
add(PyTypeObject *type, PyStructSequence_Desc *desc, const char *name,
    PyObject *(*get)(void))
{
    if (!PyType_HasFeature(type, Py_TPFLAGS_READY) &&
        PyStructSequence_InitType2(type, desc) < 0)
        return -1;
    PyObject *info = get();
    if (info == NULL)
        return -1;
    int result = PySys_SetObject(name, info);
    Py_DECREF(info);
    return result;
}

int
pyb_sysinfo_init(void)
{
    if (add(&float_info, &float_desc, "float_info", PyFloat_GetInfo) < 0 ||
        add(&int_info, &int_desc, "int_info", PyLong_GetInfo) < 0)
        return -1;
    return add(&thread_info, &thread_desc, "thread_info", PyThread_GetInfo);
}
