/* check_badcalls.c: what the functions of concrete types say to objects of
   other types and to sizes below zero; and calls that take rare ways. */

#include "../support/suite.h"

#include <errno.h>
#include <limits.h>

/* The call failed with SystemError: "FILE:LINE: bad argument to internal
   function". */
static void
bad_call(int good, const char *call)
{
    ck_assert_msg(good, "%s succeeded", call);
    ck_assert_msg(PyErr_Occurred() != NULL, "%s raised nothing", call);
    ck_assert_msg(PyErr_ExceptionMatches(PyExc_SystemError), "%s raised %s",
                  call, ((PyTypeObject *)PyErr_Occurred())->tp_name);
    PyObject *e = PyErr_GetRaisedException(), *said = PyObject_Str(e);
    ck_assert_ptr_nonnull(
        strstr(PyUnicode_AsUTF8(said), ": bad argument to internal function"));
    suite_drop(said, e);
}

#define BAD_OBJECT(call) bad_call((call) == NULL, #call)
#define BAD_NUMBER(call) bad_call((call) == -1, #call)

START_TEST(wrong_types)
{
    PyObject *list = PyList_New(0), *op = Py_NewRef(list),
             *dict = PyDict_New();
    char *text;
    Py_ssize_t size;

    BAD_NUMBER(PyList_Insert(dict, 0, list));
    BAD_NUMBER(PyList_Size(dict));
    BAD_OBJECT(PyList_AsTuple(dict));
    BAD_OBJECT(PyTuple_GetSlice(list, 0, 1));
    BAD_NUMBER(PyTuple_Size(list));
    BAD_NUMBER(_PyBytes_Resize(&op, 1));
    ck_assert_ptr_null(op); /* and gone */
    BAD_OBJECT(PyBytes_FromObject(NULL));
    BAD_OBJECT(PyBytes_DecodeEscape(NULL, 0, NULL, 0, NULL));
    BAD_OBJECT(PyBytes_DecodeEscape("", -1, NULL, 0, NULL));
    BAD_NUMBER(PyBytes_AsStringAndSize(dict, NULL, &size));
    suite_failed(PyBytes_AsStringAndSize(dict, &text, &size), PyExc_TypeError,
                 "expected bytes, dict found");
    BAD_NUMBER(PyDict_Merge(list, dict, 1));
    BAD_NUMBER(PyDict_Merge(dict, NULL, 1));
    BAD_NUMBER(PyDict_Size(list));
    BAD_OBJECT(PyDict_Copy(list));
    BAD_OBJECT(PyUnicode_Format(NULL, dict));
    BAD_OBJECT(PyUnicode_FromEncodedObject(NULL, "ascii", NULL));
    BAD_OBJECT(PyUnicode_FromWideChar(NULL, 1));
    BAD_NUMBER(PyUnicode_AsWideChar(NULL, NULL, 1));
    BAD_OBJECT(PyUnicode_AsWideCharString(NULL, NULL));
    BAD_OBJECT(PyCFunction_GetFunction(dict));
    BAD_NUMBER(PyCFunction_GetFlags(dict));
    ck_assert(PyComplex_AsCComplex(Py_None).real == -1.0);
    suite_exception(PyExc_TypeError, "must be real number, not NoneType");
    suite_rejected(PyArg_ValidateKeywordArguments(list), PyExc_SystemError,
                   NULL);
    suite_drop(list, dict);
}

START_TEST(sizes_below_zero)
{
    suite_refused(PyUnicode_FromStringAndSize("", -1), PyExc_SystemError,
                  "Negative size passed to PyUnicode_FromStringAndSize");
    suite_refused(PyBytes_FromStringAndSize("", -1), PyExc_SystemError,
                  "Negative size passed to PyBytes_FromStringAndSize");
    suite_refused(PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, "", -1),
                  PyExc_ValueError, "size must be positive");
    BAD_OBJECT(PyTuple_New(-1));
    BAD_OBJECT(PyList_New(-1));
    BAD_OBJECT(PySentinel_New(NULL, "module"));
}

START_TEST(numbers_in_texts)
{
    char *end;

    errno = 0;
    ck_assert_uint_eq(PyOS_strtoul("0x1fz", &end, 0), 0x1f);
    ck_assert_str_eq(end, "z");
    ck_assert_uint_eq(PyOS_strtoul("0b101", &end, 0), 5);
    ck_assert_uint_eq(PyOS_strtoul("0o17", &end, 8), 15);
    ck_assert_int_eq(PyOS_strtol(" -0x10", &end, 16), -16);
    ck_assert_int_eq(PyOS_strtol("+7", &end, 10), 7);
    ck_assert(PyOS_strtol("-9223372036854775808", &end, 10) == LONG_MIN);
    ck_assert_int_eq(errno, 0);
    ck_assert(PyOS_strtol("99999999999999999999", &end, 10) == LONG_MAX);
    ck_assert_int_eq(errno, ERANGE);
    errno = 0;
    ck_assert(PyOS_strtol("-99999999999999999999", &end, 10) == LONG_MAX);
    ck_assert_int_eq(errno, ERANGE);
    suite_new_text(
        PyUnicode_FromFormat("%td %tu", (ptrdiff_t)-3, (ptrdiff_t)3), "-3 3");
    suite_new_repr(PyLong_FromSize_t(SIZE_MAX), "18446744073709551615");
}

/* ------------------------------------------------------------------ */
/* Calls                                                               */

static PyObject *
show(PyObject *Py_UNUSED(self), PyObject *args, PyObject *kwargs)
{
    return PyUnicode_FromFormat("%R %R", args,
                                kwargs != NULL ? kwargs : Py_None);
}

static PyMethodDef show_def = {"show", (PyCFunction)(void (*)(void))show,
                               METH_VARARGS | METH_KEYWORDS, NULL};

START_TEST(keywords_of_old_functions)
{
    PyObject *function = PyCFunction_New(&show_def, NULL);
    PyObject *method = PyMethod_New(function, Py_None);
    PyObject *names = Py_BuildValue("(ss)", "a", "b");
    PyObject *values[5];

    for (long i = 0; i < 5; i++)
        values[i] = PyLong_FromLong(i);
    suite_new_text(PyObject_Vectorcall(function, values, 2, names),
                   "(0, 1) {'a': 2, 'b': 3}");
    suite_new_text(PyObject_Vectorcall(function, values, 0, names),
                   "() {'a': 0, 'b': 1}");
    suite_new_text(PyObject_Vectorcall(function, values, 2, NULL),
                   "(0, 1) None");
    suite_new_text(PyObject_Vectorcall(method, values, 1, names),
                   "(None, 0) {'a': 1, 'b': 2}");
    suite_new_text(PyObject_Vectorcall(method, values + 1,
                                       1 | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                       names),
                   "(None, 1) {'a': 2, 'b': 3}");
    ck_assert_int_eq(PyLong_AsLong(values[0]), 0); /* put back */
    suite_new_text(PyObject_CallObject(function, NULL), "() None");
    suite_refused(PyObject_CallObject(function, Py_None), PyExc_TypeError,
                  "argument list must be a tuple");
    for (int i = 0; i < 5; i++)
        Py_DECREF(values[i]);
    suite_drop(names, method, function);
}

static PyObject *
ask(PyObject *a, PyObject *b, PyObject *Py_UNUSED(c))
{
    return PyUnicode_FromFormat("%s %s", Py_TYPE(a)->tp_name,
                                Py_TYPE(b)->tp_name);
}

static PyObject *
ask_base(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
         PyObject *Py_UNUSED(c))
{
    return PyUnicode_FromString("the base's");
}

static PyNumberMethods base_as_number = {.nb_power = ask_base};
static PyTypeObject Base_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "Base",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_as_number = &base_as_number,
};
static PyNumberMethods sub_as_number = {.nb_power = ask};
static PyTypeObject Sub_Type = {SUITE_TYPE("Sub"), .tp_base = &Base_Type,
                                .tp_as_number = &sub_as_number};

/* The subclass on the right goes first. */
START_TEST(powers_of_subclasses)
{
    ck_assert_int_eq(PyType_Ready(&Base_Type), 0);
    ck_assert_int_eq(PyType_Ready(&Sub_Type), 0);
    PyObject *base = PyObject_New(PyObject, &Base_Type);
    PyObject *sub = PyObject_New(PyObject, &Sub_Type);

    suite_new_text(PyNumber_Power(base, sub, Py_None), "Base Sub");
    suite_new_text(PyNumber_Power(base, base, Py_None), "the base's");
    suite_new_text(PyNumber_Power(base, Py_None, Py_None), "the base's");
    suite_new_text(PyNumber_InPlacePower(base, sub, Py_None), "Base Sub");
    ck_assert_uint_eq(PyType_GetFlags(&Sub_Type) & Py_TPFLAGS_BASETYPE, 0);
    suite_drop(base, sub);
}

START_TEST(views_and_slices)
{
    PyObject *dict = Py_BuildValue("{si}", "a", 1);
    PyObject *keys = PyObject_CallMethod(dict, "keys", NULL);

    suite_new_repr(PyObject_GetAttrString(keys, "mapping"),
                   "mappingproxy({'a': 1})");
    suite_refused(PyObject_RichCompare(keys, Py_None, Py_LT), PyExc_TypeError,
                  NULL);
    ck_assert_int_eq(PyObject_RichCompareBool(keys, Py_None, Py_EQ), 0);
    suite_drop(keys, dict);
    suite_new_repr(PyErr_NewExceptionWithDoc("m.E", NULL, NULL, NULL),
                   "<class 'm.E'>");
    PyObject *b = PyBytes_FromString("x"), *same = PyObject_Bytes(b);
    ck_assert_ptr_eq(same, b);
    suite_drop(same, b);
}

START_TEST(none_and_others)
{
    ck_assert_int_eq(Py_TYPE(Py_None)->tp_as_number->nb_bool(Py_None), 0);
    suite_new_repr(PyObject_CallNoArgs((PyObject *)Py_TYPE(Py_None)), "None");
    suite_refused(PyObject_CallOneArg((PyObject *)Py_TYPE(Py_None), Py_None),
                  PyExc_TypeError, "NoneType takes no arguments");
    PyObject *args = PyTuple_New(0), *kwargs = PyDict_New();
    suite_new_repr(PyObject_Call((PyObject *)Py_TYPE(Py_None), args, kwargs),
                   "None");
    suite_drop(args, kwargs);
}
