/* sysinfo.c: sys.float_info, sys.int_info and sys.thread_info, and the
   functions that make others like them; sys.hash_info and sys.flags.

   Manual: "Floating-Point Objects"; "Integer Objects"; Python's library,
   "sys". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "types/int/int.h"
#include "types/sysinfo.h"

static PyTypeObject float_info, int_info, thread_info, hash_info, flags;

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
static PyStructSequence_Field hash_fields[] = {
    {"width", "bits in a hash"},
    {"modulus", "the prime to which numbers are reduced"},
    {"inf", "the hash of infinity"},
    {"nan", "the hash of what is no number: not used"},
    {"imag", "the factor of an imaginary part"},
    {"algorithm", "the function that hashes bytes"},
    {"hash_bits", "bits that this function gives"},
    {"seed_bits", "bits of its secret"},
    {"cutoff", "shorter texts are hashed in another way"},
    FIELDS_END};
/* Without a command line they are what a program has set of pydebug.h. */
static PyStructSequence_Field flag_fields[] = {
    {"debug", "-d"},
    {"inspect", "-i"},
    {"interactive", "-i"},
    {"optimize", "-O or -OO"},
    {"dont_write_bytecode", "-B"},
    {"no_user_site", "-s"},
    {"no_site", "-S"},
    {"ignore_environment", "-E"},
    {"verbose", "-v"},
    {"bytes_warning", "-b"},
    {"quiet", "-q"},
    {"hash_randomization", "-R"},
    {"isolated", "-I"},
    {"dev_mode", "-X dev"},
    {"utf8_mode", "-X utf8"},
    {"warn_default_encoding", "-X warn_default_encoding"},
    {"safe_path", "-P"},
    {"int_max_str_digits", "-X int_max_str_digits"},
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
static PyStructSequence_Desc hash_desc = {
    "sys.hash_info", "How numbers and texts are hashed.", hash_fields,
    Py_ARRAY_LENGTH(hash_fields) - 1};
static PyStructSequence_Desc flags_desc = {
    "sys.flags", "The options of CPython's command line.", flag_fields,
    Py_ARRAY_LENGTH(flag_fields) - 1};

/* An instance with these values, a tuple that is stolen; NULL is passed on.
   The type is not called, as that of flags cannot be. */
static PyObject *
instance(PyTypeObject *type, PyObject *values)
{
    if (values == NULL)
        return NULL;
    PYB_ASSERT(PyType_HasFeature(type, Py_TPFLAGS_READY));
    PyObject *op = PyStructSequence_New(type);
    for (Py_ssize_t i = 0; op != NULL && i < PyTuple_GET_SIZE(values); i++)
        PyStructSequence_SetItem(op, i,
                                 Py_NewRef(PyTuple_GET_ITEM(values, i)));
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

static PyObject *
get_hash_info(void)
{
    const PyHash_FuncDef *function = PyHash_GetFuncDef();

    return instance(
        &hash_info,
        Py_BuildValue("(iKiiksiii)", (int)(sizeof(Py_hash_t) * CHAR_BIT),
                      (unsigned long long)PyHASH_MODULUS, PyHASH_INF, 0,
                      PyHASH_IMAG, function->name, function->hash_bits,
                      function->seed_bits, Py_HASH_CUTOFF));
}

static PyObject *
get_flags(void)
{
    return instance(
        &flags,
        Py_BuildValue("(iiiiiiiiiiiiiOiiOi)", Py_DebugFlag, Py_InspectFlag,
                      Py_InteractiveFlag, Py_OptimizeFlag,
                      Py_DontWriteBytecodeFlag, Py_NoUserSiteDirectory,
                      Py_NoSiteFlag, Py_IgnoreEnvironmentFlag, Py_VerboseFlag,
                      Py_BytesWarningFlag, Py_QuietFlag,
                      Py_HashRandomizationFlag, Py_IsolatedFlag, Py_False, 1,
                      0, Py_False, PYB_INT_DEFAULT_MAX_STR_DIGITS));
}

static const struct info {
    const char *name;
    PyTypeObject *type;
    PyStructSequence_Desc *desc;
    PyObject *(*get)(void);
} infos[] = {
    {"float_info", &float_info, &float_desc, PyFloat_GetInfo},
    {"int_info", &int_info, &int_desc, PyLong_GetInfo},
    {"thread_info", &thread_info, &thread_desc, PyThread_GetInfo},
    {"hash_info", &hash_info, &hash_desc, get_hash_info},
    {"flags", &flags, &flags_desc, get_flags},
};

/* Readies the type, which is done once in the life of the process, and adds
   what get returns to sys. */
static int
add(const struct info *info)
{
    if (!PyType_HasFeature(info->type, Py_TPFLAGS_READY) &&
        PyStructSequence_InitType2(info->type, info->desc) < 0)
        return -1;
    if (info->type == &flags)
        flags.tp_new = NULL;
    PyObject *op = info->get();
    int result = op != NULL ? PySys_SetObject(info->name, op) : -1;
    Py_XDECREF(op);
    return result;
}

int
pyb_sysinfo_init(void)
{
    int result = 0;

    for (size_t i = 0; result == 0 && i < Py_ARRAY_LENGTH(infos); i++)
        result = add(&infos[i]);
    return result;
}
